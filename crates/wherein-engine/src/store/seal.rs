//! Checksums of a pack's body, block by block, checked when a block is first read.
//!
//! tantivy trusts the bytes that it is given: one flipped bit makes it panic or give other chunks. A whole
//! check at each start would read the whole index for every question; this reads what the question reads.
//! Must not hand out a byte of a block whose sum is wrong.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tantivy::HasLen;
use tantivy::directory::{FileHandle, OwnedBytes};

use super::pack::damaged;

/// Small enough that a short read checks little, large enough that the sums are few.
const BLOCK_BYTES: usize = 16 << 10;

/// Takes the sums of blocks while a body is written in pieces.
#[derive(Debug, Default)]
pub(super) struct Summer {
    sums: Vec<u32>,
    open: crc32fast::Hasher,
    n_open: usize,
}

impl Summer {
    pub(super) fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(BLOCK_BYTES - self.n_open));
            self.open.update(now);
            self.n_open += now.len();
            bytes = rest;
            if self.n_open == BLOCK_BYTES {
                self.close();
            }
        }
    }

    pub(super) fn finish(mut self) -> Vec<u32> {
        if self.n_open > 0 {
            self.close();
        }
        self.sums
    }

    fn close(&mut self) {
        self.sums.push(std::mem::take(&mut self.open).finalize());
        self.n_open = 0;
    }
}

/// The bytes of a pack that its files lie in.
#[derive(Debug)]
pub(super) struct Body {
    bytes: OwnedBytes,
    sums: Vec<u32>,
    /// Blocks that were found whole: each is checked once.
    whole: Vec<AtomicBool>,
}

impl Body {
    /// `None` where the sums are not those of a body of this length.
    pub(super) fn new(bytes: OwnedBytes, sums: Vec<u32>) -> Option<Body> {
        let whole = sums.iter().map(|_| AtomicBool::new(false)).collect();
        (sums.len() == bytes.len().div_ceil(BLOCK_BYTES)).then_some(Body { bytes, sums, whole })
    }

    fn read(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.start > range.end || range.end > self.bytes.len() {
            return Err(damaged());
        }
        let blocks = range.start / BLOCK_BYTES..range.end.div_ceil(BLOCK_BYTES);
        if !blocks.into_iter().all(|block| self.is_whole(block)) {
            return Err(damaged());
        }
        Ok(self.bytes.slice(range))
    }

    /// Bytes that somebody else has checked.
    fn plain(bytes: OwnedBytes) -> Body {
        Body { bytes, sums: Vec::new(), whole: Vec::new() }
    }

    fn is_whole(&self, block: usize) -> bool {
        if self.sums.is_empty() {
            return true;
        }
        if self.whole[block].load(Ordering::Relaxed) {
            return true;
        }
        let start = block * BLOCK_BYTES;
        let end = self.bytes.len().min(start + BLOCK_BYTES);
        let is_whole = crc32fast::hash(&self.bytes[start..end]) == self.sums[block];
        self.whole[block].store(is_whole, Ordering::Relaxed);
        is_whole
    }
}

/// One file of a pack, as tantivy reads it.
#[derive(Debug)]
pub(super) struct Piece {
    body: Arc<Body>,
    range: Range<usize>,
}

impl Piece {
    pub(super) fn new(body: &Arc<Body>, range: Range<usize>) -> Piece {
        Piece { body: Arc::clone(body), range }
    }

    /// A file that does not lie in a pack, and has no sums.
    pub(super) fn plain(bytes: OwnedBytes) -> Piece {
        let range = 0..bytes.len();
        Piece { body: Arc::new(Body::plain(bytes)), range }
    }

    /// The whole file.
    pub(super) fn read(&self) -> io::Result<OwnedBytes> {
        self.body.read(self.range.clone())
    }
}

impl HasLen for Piece {
    fn len(&self) -> usize {
        self.range.len()
    }
}

impl FileHandle for Piece {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let at =
            |offset: usize| offset.checked_add(self.range.start).filter(|o| *o <= self.range.end);
        match (at(range.start), at(range.end)) {
            (Some(start), Some(end)) => self.body.read(start..end),
            _ => Err(damaged()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(n_bytes: usize, damage: Option<usize>) -> Body {
        let mut bytes: Vec<u8> = (0..n_bytes).map(|i| (i % 251) as u8).collect();
        let mut summer = Summer::default();
        // Pieces that fall on, before and after the bounds of blocks.
        for piece in bytes.chunks(BLOCK_BYTES / 3 + 1) {
            summer.add(piece);
        }
        if let Some(at) = damage {
            bytes[at] ^= 1;
        }
        Body::new(OwnedBytes::new(bytes), summer.finish()).expect("as many sums as blocks")
    }

    #[test]
    fn whole_bodies_are_read() {
        for n_bytes in [0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES] {
            let body = body(n_bytes, None);
            assert_eq!(body.read(0..n_bytes).expect("whole").len(), n_bytes);
            assert!(body.read(0..n_bytes + 1).is_err());
        }
    }

    #[test]
    fn a_damaged_block_is_not_read_and_the_others_are() {
        let body = body(3 * BLOCK_BYTES, Some(BLOCK_BYTES + 5));
        assert!(body.read(0..BLOCK_BYTES).is_ok());
        assert!(body.read(2 * BLOCK_BYTES..3 * BLOCK_BYTES).is_ok());
        for _ in 0..2 {
            assert!(body.read(BLOCK_BYTES - 1..BLOCK_BYTES + 1).is_err());
        }
    }
}

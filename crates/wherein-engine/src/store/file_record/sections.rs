//! The sections of a record: lengths in front, bytes behind, all of it packed.
//!
//! Must not know what stands in a section.

use std::ops::Range;

use super::RECORD_FORMAT;

/// How many there are.
pub(super) const N_SECTIONS: usize = 11;
const HEAD_BYTES: usize = 4 * N_SECTIONS;

/// Where each section lies.
#[derive(Debug)]
pub(super) struct Sections([Range<usize>; N_SECTIONS]);

impl Sections {
    /// `None` where the lengths are not those of these bytes.
    pub(super) fn read(bytes: &[u8]) -> Option<Sections> {
        let mut ranges = std::array::from_fn(|_| 0..0);
        let mut at = HEAD_BYTES;
        for (range, length) in ranges.iter_mut().zip(bytes.get(..HEAD_BYTES)?.chunks_exact(4)) {
            let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
            *range = at..at.checked_add(length)?;
            at = range.end;
        }
        (at == bytes.len()).then_some(Sections(ranges))
    }

    pub(super) fn about(&self) -> Range<usize> {
        self.0[0].clone()
    }

    pub(super) fn text(&self) -> Range<usize> {
        self.0[1].clone()
    }

    /// Two numbers a chunk: its first and its last line.
    pub(super) fn chunks(&self) -> Range<usize> {
        self.0[2].clone()
    }

    /// One byte a chunk, for the field at `at`.
    pub(super) fn lengths(&self, at: usize) -> Range<usize> {
        self.0[3 + at].clone()
    }

    pub(super) fn hashes(&self) -> Range<usize> {
        self.0[6].clone()
    }

    pub(super) fn offsets(&self) -> Range<usize> {
        self.0[7].clone()
    }

    pub(super) fn entries(&self) -> Range<usize> {
        self.0[8].clone()
    }

    /// Rows of symbols.
    pub(super) fn rows(&self) -> Range<usize> {
        self.0[9].clone()
    }

    pub(super) fn symbol_texts(&self) -> Range<usize> {
        self.0[10].clone()
    }
}

/// Sections as one piece; `None` where one is too long to be told.
pub(super) fn pack(sections: [&[u8]; N_SECTIONS]) -> Option<Vec<u8>> {
    let mut bytes =
        Vec::with_capacity(HEAD_BYTES + sections.iter().map(|s| s.len()).sum::<usize>());
    for section in sections {
        bytes.extend(u32::try_from(section.len()).ok()?.to_le_bytes());
    }
    sections.iter().for_each(|section| bytes.extend_from_slice(section));
    let mut packed = vec![RECORD_FORMAT];
    packed.extend(lz4_flex::compress_prepend_size(&bytes));
    Some(packed)
}

/// The sections of a packed piece; `None` where it is of another format, damaged, or longer than `most` bytes.
pub(super) fn unpack(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let (format, rest) = packed.split_first()?;
    let length = u32::from_le_bytes(rest.get(..4)?.try_into().ok()?) as usize;
    // LZ4 cannot make more than 255 bytes of one: a short piece that claims much is damaged.
    let is_sound = *format == RECORD_FORMAT && length <= most && length / 255 <= rest.len();
    is_sound.then(|| lz4_flex::decompress_size_prepended(rest).ok()).flatten()
}

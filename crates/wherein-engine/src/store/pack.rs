//! One segment in one file: tantivy's files laid end to end, a table of contents, and a footer.
//!
//! One open and one memory map instead of a dozen make a warm question quick; a length, a seal and a checksum
//! for each block make damage visible. The only `unsafe` of the project stands here. Must not be written in place: a pack is
//! written beside its name and renamed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr,
};

use super::seal::{self, Body, Piece};

const MAGIC: &[u8; 8] = b"WHERESEG";
/// Offset of the table, its length, its hash, and the magic.
const FOOTER_BYTES: usize = 8 + 8 + 8 + 8;

/// The table of contents.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Contents {
    files: BTreeMap<String, Range<u64>>,
    /// The checksum of each block of what the files lie in, end to end.
    sums: Vec<u32>,
}

/// What tells a pack from any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Identity {
    /// Its length on disk.
    pub(crate) n_bytes: u64,
    /// The hash of its table, and so of the checksums of all that it holds.
    pub(crate) seal: [u8; 8],
}

/// Writes `files` as one pack at `path`.
pub(super) fn write(path: &Path, files: &[(String, OwnedBytes)]) -> io::Result<Identity> {
    let temporary = path.with_extension("tmp");
    let written = write_to(&temporary, files).and_then(|identity| {
        std::fs::rename(&temporary, path)?;
        Ok(identity)
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

fn write_to(path: &Path, files: &[(String, OwnedBytes)]) -> io::Result<Identity> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut contents = Contents { files: BTreeMap::new(), sums: Vec::new() };
    let mut summer = seal::Summer::default();
    let mut at = 0;
    for (name, bytes) in files {
        out.write_all(bytes)?;
        summer.add(bytes);
        let end = at + bytes.len() as u64;
        contents.files.insert(name.clone(), at..end);
        at = end;
    }
    contents.sums = summer.finish();
    let table = postcard::to_stdvec(&contents).map_err(io::Error::other)?;
    let seal = table_hash(&table);
    out.write_all(&table)?;
    out.write_all(&at.to_le_bytes())?;
    out.write_all(&(table.len() as u64).to_le_bytes())?;
    out.write_all(&seal)?;
    out.write_all(MAGIC)?;
    out.flush()?;
    Ok(Identity { n_bytes: at + (table.len() + FOOTER_BYTES) as u64, seal })
}

fn table_hash(table: &[u8]) -> [u8; 8] {
    let mut short = [0; 8];
    short.copy_from_slice(&blake3::hash(table).as_bytes()[..8]);
    short
}

/// A pack opened for reading, seen by tantivy as a folder.
#[derive(Debug, Clone)]
pub(super) struct PackDirectory {
    body: Arc<Body>,
    files: Arc<BTreeMap<String, Range<u64>>>,
}

impl PackDirectory {
    /// Maps the pack; another pack or a broken table is an error. The body is checked as it is read.
    pub(super) fn open(path: &Path, identity: Identity) -> io::Result<PackDirectory> {
        let file = File::open(path)?;
        if file.metadata()?.len() != identity.n_bytes || identity.n_bytes < FOOTER_BYTES as u64 {
            return Err(damaged());
        }
        let bytes = OwnedBytes::new(map(&file)?);
        let (contents, body) = read_contents(&bytes, identity.seal).ok_or_else(damaged)?;
        let body = Body::new(bytes.slice(body), contents.sums).ok_or_else(damaged)?;
        Ok(PackDirectory { body: Arc::new(body), files: Arc::new(contents.files) })
    }

    pub(super) fn get(&self, path: &Path) -> Option<Piece> {
        let range = self.files.get(path.to_str()?)?;
        Some(Piece::new(&self.body, range.start as usize..range.end as usize))
    }
}

/// Maps a file that nobody changes.
#[expect(unsafe_code, reason = "memory maps stand here and nowhere else (design §7.10)")]
fn map(file: &File) -> io::Result<memmap2::Mmap> {
    // SAFETY: a map is undefined only if the file shrinks or changes while mapped. Packs are written under
    // another name and renamed into place, never opened for writing again, and removed only by unlinking,
    // which leaves mapped pages valid; the folder is private to this program.
    unsafe { memmap2::Mmap::map(file) }
}

/// The table, and where the body lies.
fn read_contents(bytes: &[u8], seal: [u8; 8]) -> Option<(Contents, Range<usize>)> {
    let footer = &bytes[bytes.len() - FOOTER_BYTES..];
    let number = |at: usize| Some(u64::from_le_bytes(footer.get(at..at + 8)?.try_into().ok()?));
    let (start, length) = (usize::try_from(number(0)?).ok()?, usize::try_from(number(8)?).ok()?);
    let table = bytes.get(start..start.checked_add(length)?)?;
    if footer[24..] != *MAGIC || footer[16..24] != seal || seal != table_hash(table) {
        return None;
    }
    let contents: Contents = postcard::from_bytes(table).ok()?;
    let fits = |range: &Range<u64>| range.start <= range.end && range.end <= start as u64;
    contents.files.values().all(fits).then_some((contents, 0..start))
}

pub(super) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the segment is damaged")
}

fn read_only() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "a pack is read-only")
}

impl Directory for PackDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match self.get(path) {
            Some(piece) => Ok(Arc::new(piece)),
            None => Err(OpenReadError::FileDoesNotExist(path.to_path_buf())),
        }
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.get(path).is_some())
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        match self.get(path) {
            Some(piece) => match piece.read() {
                Ok(bytes) => Ok(bytes.to_vec()),
                Err(e) => Err(OpenReadError::wrap_io_error(e, path.to_path_buf())),
            },
            None => Err(OpenReadError::FileDoesNotExist(path.to_path_buf())),
        }
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let filepath = path.to_path_buf();
        Err(DeleteError::IoError { io_error: Arc::new(read_only()), filepath })
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let filepath = path.to_path_buf();
        Err(OpenWriteError::IoError { io_error: Arc::new(read_only()), filepath })
    }

    fn atomic_write(&self, _path: &Path, _data: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    /// Nothing changes here, so there is nothing to lock.
    fn acquire_lock(&self, _lock: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(PathBuf::new())))
    }

    fn watch(&self, _callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

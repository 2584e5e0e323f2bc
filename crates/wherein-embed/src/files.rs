//! Reading, hashing and copying files, with errors that name them.
//!
//! It knows nothing of models.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use wherein_engine::{Error, Result};

const BUFFER_BYTES: usize = 1 << 20;

/// A JSON file; `None` where there is none.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(Error::io("read", path, &error)),
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| {
        Error::model(format!("cannot understand {}: {error}", path.display()))
            .with_hint("fetch the file again; it is damaged or not what its name says")
    })
}

/// sha256 of a file, as hexadecimal digits: what hubs publish.
pub(crate) fn sha256(path: &Path) -> Result<String> {
    let mut hasher = Sha256::new();
    each_block(path, |block| hasher.update(block))?;
    Ok(hex(&hasher.finalize()))
}

/// blake3 of a file, as hexadecimal digits: what identities hold, for it is quick enough for every load.
pub(crate) fn blake3(path: &Path) -> Result<String> {
    let mut hasher = ::blake3::Hasher::new();
    each_block(path, |block| {
        hasher.update(block);
    })?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// The id that git gives the file: what hubs publish for small files.
pub(crate) fn git_blob_id(path: &Path) -> Result<String> {
    let mut hasher = sha1::Sha1::new();
    hasher.update(format!("blob {}\0", size(path)?));
    each_block(path, |block| hasher.update(block))?;
    Ok(hex(&hasher.finalize()))
}

pub(crate) fn size(path: &Path) -> Result<u64> {
    let metadata = std::fs::metadata(path).map_err(|error| Error::io("read", path, &error))?;
    Ok(metadata.len())
}

/// Copies a file, making the folders above it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        create_folder(folder)?;
    }
    std::fs::copy(from, to).map_err(|error| Error::io("write", to, &error))?;
    Ok(())
}

pub(crate) fn create_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|error| Error::io("create", path, &error))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn each_block(path: &Path, mut take: impl FnMut(&[u8])) -> Result<()> {
    let failed = |error| Error::io("read", path, &error);
    let mut file = File::open(path).map_err(failed)?;
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match file.read(&mut buffer).map_err(failed)? {
            0 => return Ok(()),
            n_bytes => take(&buffer[..n_bytes]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_tools() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "hello\n").unwrap();
        // `sha256sum`, `b3sum` and `git hash-object` of the same bytes.
        assert!(sha256(&path).unwrap().starts_with("5891b5b522d5df08"));
        assert_eq!(blake3(&path).unwrap(), ::blake3::hash(b"hello\n").to_hex().as_str());
        assert_eq!(git_blob_id(&path).unwrap(), "ce013625030ba8dba906f756967f9e9ca394464a");
    }

    #[test]
    fn a_missing_file_is_none_and_a_broken_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        assert!(read_json::<u8>(&path).unwrap().is_none());
        std::fs::write(&path, "{").unwrap();
        assert!(read_json::<u8>(&path).unwrap_err().to_string().contains("a.json"));
    }
}

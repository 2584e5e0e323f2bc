//! Reading files of a tree that nobody vouches for: regular files only, and never more than was agreed.
//!
//! A pipe waits for a writer, a device never ends, and a file of `/proc` says that it is empty. Every content
//! read of the engine's write side goes through here.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a regular file. [`io::ErrorKind::FileTooLarge`] past `limit` bytes, whatever its size says;
/// [`io::ErrorKind::InvalidInput`] for pipes, devices and sockets, which are not opened.
pub(crate) fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let metadata = path.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::with_capacity(metadata.len().min(limit) as usize + 1);
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::Error::from(io::ErrorKind::FileTooLarge)),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_limit_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        std::fs::write(&path, "12345").expect("a file");
        assert_eq!(read_regular(&path, 5).expect("five bytes"), b"12345");
        let kind = read_regular(&path, 4).expect_err("too large").kind();
        assert_eq!(kind, io::ErrorKind::FileTooLarge);
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_files_without_a_size_end() {
        let device = read_regular("/dev/zero".as_ref(), 10).expect_err("a device");
        assert_eq!(device.kind(), io::ErrorKind::InvalidInput);
        if Path::new("/proc/self/maps").exists() {
            assert!(read_regular("/proc/self/maps".as_ref(), 3).is_err());
        }
    }
}

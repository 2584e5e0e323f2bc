//! Reads a file that is to be edited, and refuses what cannot be edited without loss.
//!
//! Links are followed to the file that they mean, so that a manager of dotfiles keeps its own. Writes nothing.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use wherein_engine::{Error, Result};

/// No settings file is larger than this.
const MAX_BYTES: u64 = 64 << 20;

/// A file that may be edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// As clients name it.
    pub(crate) path: PathBuf,
    /// The file itself, behind links.
    pub(crate) real: PathBuf,
    /// `None` where there is no such file.
    pub(crate) text: Option<String>,
}

/// Reads `path`.
pub(crate) fn read(path: &Path) -> Result<Target> {
    let absent = Target { path: path.to_owned(), real: path.to_owned(), text: None };
    let link = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata.file_type().is_symlink(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(absent),
        Err(error) => return Err(Error::io("read", path, &error)),
    };
    let real = match path.canonicalize() {
        Ok(real) if link => real,
        Ok(_) => path.to_owned(),
        Err(error) if link && error.kind() == ErrorKind::NotFound => {
            return Err(refused(path, "is a link to a file that is not there")
                .with_hint("restore its target or remove the link, then run it again"));
        }
        Err(error) => return Err(Error::io("read", path, &error)),
    };
    let text = Some(text(path, &real)?);
    Ok(Target { path: path.to_owned(), real, text })
}

fn text(path: &Path, real: &Path) -> Result<String> {
    let metadata = fs::metadata(real).map_err(|error| Error::io("read", path, &error))?;
    if metadata.is_dir() {
        return Err(
            refused(path, "is a folder, not a file").with_hint("move it away, then run it again")
        );
    }
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Err(refused(path, "is not a settings file")
            .with_hint("a settings file is a regular file of at most 64 MiB"));
    }
    let bytes = fs::read(real).map_err(|error| Error::io("read", path, &error))?;
    String::from_utf8(bytes)
        .map_err(|_| refused(path, "is not UTF-8").with_hint("save it as UTF-8, then run it again"))
}

/// An error about a file, which stays as it is.
fn refused(path: &Path, what: &str) -> Error {
    Error::usage(format!("{} {what}", path.display()))
}

/// The error of an edit with the file that it is about.
pub(crate) fn about(path: &Path, error: &Error) -> Error {
    let told = Error::new(error.kind(), format!("{}: {error}", path.display()));
    match error.hint() {
        Some(hint) => told.with_hint(hint),
        None => told,
    }
}

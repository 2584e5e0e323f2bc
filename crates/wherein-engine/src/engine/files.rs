//! The files of the tree as they are now: their text for those who read code, their folders for those who watch.
//!
//! What a scan leaves out is not readable here either, whatever its path is made to look like. Must not read the index.

use std::path::{Component, Path, PathBuf};

use super::Engine;
use crate::chunk::Source;
use crate::error::{Error, ErrorKind, IoContext, Result};
use crate::request::SourceText;
use crate::scan::{self, decode};

impl Engine {
    /// The text of the file `path`, relative to the root and `/`-separated, as it is now.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] for a path that is no plain relative one or names a folder, [`ErrorKind::NotFound`] where there
    /// is no such file, [`ErrorKind::Forbidden`] for one that is not searched or holds no text, [`ErrorKind::Io`] when it
    /// cannot be read.
    pub fn read(&self, path: &str) -> Result<SourceText> {
        let path = plain(path)?;
        if let Some(remote) = &self.remote {
            return self.read_published(remote, &path);
        }
        // Links on the way are refused by the same rules, so nothing outside the root is reached.
        let why = scan::why(&self.scan, &path);
        if !why.searched {
            return Err(match why.reason.as_deref() {
                Some("missing") => missing(&path),
                _ => Error::new(
                    ErrorKind::Forbidden,
                    format!("{path} is not searched: {}", why.rule),
                )
                .with_hint("only files that are searched can be read"),
            });
        }
        let full = self.scan.root.join(&path);
        let metadata = full.symlink_metadata().at("read", &full)?;
        if metadata.is_dir() {
            return Err(Error::usage(format!("{path} is a folder")).with_hint("name a file in it"));
        }
        let limit = self.scan.read_limit(metadata.len());
        let bytes = scan::read_regular(&full, limit).at("read", &full)?;
        let text = decode::decode(&bytes)
            .ok_or_else(|| Error::new(ErrorKind::Forbidden, format!("{path} holds no text")))?;
        let source = Source::of(&path, &text);
        let (language, kind) = (source.language.to_owned(), source.kind);
        Ok(SourceText { language, kind, text: text.into_owned(), path })
    }

    /// The folders that a scan looks into, absolute.
    ///
    /// # Errors
    /// [`ErrorKind::Bug`] where no thread can be started.
    pub fn folders(&self) -> Result<Vec<PathBuf>> {
        if self.remote.is_some() {
            return Ok(Vec::new());
        }
        Ok(self.pools.refreshes()?.install(|| scan::folders(&self.scan)))
    }
}

/// The path with nothing in it but names.
fn plain(path: &str) -> Result<String> {
    let refused = |what: &str| {
        Err(Error::usage(format!("{what}: {path:?}"))
            .with_hint("name files as results show them: src/config.rs"))
    };
    if path.contains(['\0', '\\']) && (cfg!(windows) || path.contains('\0')) {
        return refused("not a path below the root");
    }
    let mut names = Vec::new();
    for component in Path::new(path).components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => names.extend(name.to_str()),
            _ => return refused("not a path below the root"),
        }
    }
    match names.is_empty() {
        true => refused("not a file"),
        false => Ok(names.join("/")),
    }
}

fn missing(path: &str) -> Error {
    Error::new(ErrorKind::NotFound, format!("there is no file {path}"))
        .with_hint("name files as results show them: src/config.rs")
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;

//! One error type for the library, with a kind that callers map to exit codes and statuses.
//!
//! The message says what happened; the hint, kept apart, says what to do about it. Trouble with one
//! source file is never an `Error`: it is a [`crate::Problem`] and the work goes on.

use std::fmt;
use std::path::{Path, PathBuf};

/// What sort of trouble an [`Error`] is. The kind decides exit code, HTTP status and MCP code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The caller asked for something that cannot be done as asked (bad glob, empty question).
    Usage,
    /// There is no index yet and the caller forbade making one.
    NotIndexed,
    /// The index folder is damaged, foreign, or of an unknown format.
    IndexFormat,
    /// Another process is writing this index and did not finish in time.
    Busy,
    /// A model's files are missing, damaged or at odds with each other, or its output is no vector.
    Model,
    /// The index was made with another model than the one that asks; vectors of two models are never compared.
    ModelMismatch,
    /// A download could not be made: no network, a refusing server, a broken transfer.
    Network,
    /// What was named is not there.
    NotFound,
    /// What was named is there but is not searched: ignored, sensitive, outside the root, no text.
    Forbidden,
    /// The operating system refused (missing root, no space, read-only folder).
    Io,
    /// The caller wished for an early end.
    Cancelled,
    /// A defect of this program.
    Bug,
}

/// An error of the library: kind, message, and a separate hint.
#[derive(Debug, Clone)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
}

/// The library's result type.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of `kind` with its one-line message.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), hint: None }
    }

    /// A mistake in what the caller asked for.
    pub fn usage(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Usage, message)
    }

    /// A damaged, foreign or unknown index.
    pub fn index_format(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::IndexFormat, message)
    }

    /// A model that cannot be used as it lies there.
    pub fn model(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Model, message)
    }

    /// A download that could not be made.
    pub fn network(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Network, message)
    }

    /// A defect of this program.
    pub fn bug(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Bug, message)
    }

    /// An operating system error while doing `action` to `path`.
    pub fn io(action: &str, path: &Path, source: &std::io::Error) -> Self {
        let error =
            Error::new(ErrorKind::Io, format!("cannot {action} {}: {source}", path.display()));
        match source.kind() {
            std::io::ErrorKind::StorageFull => {
                error.with_hint("free some space, or move the index with --index-dir DIR")
            }
            _ => error,
        }
    }

    /// The same error with advice on what to do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What sort of trouble this is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Advice on what to do, where there is any.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Adds the path and the action to an operating system error.
pub(crate) trait IoContext<T> {
    /// Turns an `io::Error` into an [`Error`] that names the action and the path.
    fn at(self, action: &str, path: impl Into<PathBuf>) -> Result<T>;
}

impl<T> IoContext<T> for std::io::Result<T> {
    fn at(self, action: &str, path: impl Into<PathBuf>) -> Result<T> {
        self.map_err(|source| Error::io(action, &path.into(), &source))
    }
}

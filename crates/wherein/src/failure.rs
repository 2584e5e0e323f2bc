//! Why a command stopped early: an error to report, or a reader that has seen enough.
//!
//! `wherein x | head -1` closes the pipe on purpose; that must not look like an error.

use wherein_engine::{Error, ErrorKind};

/// What ends a command before its time.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something to tell the user.
    Error(Error),
    /// Nobody reads standard output any more.
    ClosedPipe,
}

/// The result of everything that prints.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Error(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Failure::ClosedPipe;
        }
        Failure::Error(Error::new(
            ErrorKind::Io,
            format!("cannot write to standard output: {error}"),
        ))
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        match error.io_error_kind() {
            Some(kind) => std::io::Error::from(kind).into(),
            None => Failure::Error(Error::bug(format!("cannot write JSON: {error}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn a_closed_pipe_is_no_error() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(matches!(failure, Failure::ClosedPipe));
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::StorageFull));
        assert!(matches!(failure, Failure::Error(error) if error.kind() == ErrorKind::Io));
    }
}

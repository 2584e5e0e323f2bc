//! Why a request is not answered: an error of the engine, or a limit of the server. One table gives each its kind, its
//! HTTP status and its title.
//!
//! Must not word the answer of a front: HTTP and MCP do that.

use std::fmt;
use std::time::Duration;

use wherein_engine::{Error, ErrorKind};

/// Why a request is not answered.
#[derive(Debug, Clone)]
pub(crate) enum Refusal {
    /// The engine says so.
    Engine(Error),
    /// Too many questions wait already.
    TooMany {
        /// When it is worth trying again.
        retry_after: Duration,
    },
    /// It took longer than anybody waits.
    Deadline,
    /// No token, or a wrong one.
    Unauthorized,
    /// The caller went away or took its question back.
    Cancelled,
}

/// What requests are answered with.
pub(crate) type Outcome<T> = Result<T, Refusal>;

impl Refusal {
    /// Its name in JSON.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Refusal::Engine(error) => wherein_wire::kind_name(error.kind()),
            Refusal::TooMany { .. } => "too_many",
            Refusal::Deadline => "deadline",
            Refusal::Unauthorized => "unauthorized",
            Refusal::Cancelled => "cancelled",
        }
    }

    /// Its HTTP status.
    pub(crate) fn status(&self) -> u16 {
        match self {
            Refusal::Engine(error) => status_of(error.kind()),
            Refusal::TooMany { .. } => 429,
            Refusal::Deadline => 504,
            Refusal::Unauthorized => 401,
            // What others answer with when the client has closed its side.
            Refusal::Cancelled => 499,
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Refusal::Engine(error) => error.hint().map(str::to_owned),
            Refusal::TooMany { .. } => Some("ask again after the time in Retry-After".to_owned()),
            Refusal::Deadline => Some("narrow the question to fewer files".to_owned()),
            Refusal::Unauthorized => {
                Some("send the token of the server as `Authorization: Bearer TOKEN`".to_owned())
            }
            Refusal::Cancelled => None,
        }
    }
}

/// The HTTP status of an error of the engine.
fn status_of(kind: ErrorKind) -> u16 {
    match kind {
        ErrorKind::Usage => 400,
        ErrorKind::Forbidden => 403,
        ErrorKind::NotIndexed | ErrorKind::NotFound => 404,
        ErrorKind::ModelMismatch => 409,
        ErrorKind::Model => 422,
        ErrorKind::Network => 502,
        ErrorKind::Busy => 503,
        // A kind newer than this table is an error of the server all the same.
        _ => 500,
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Engine(error) => error.fmt(f),
            Refusal::TooMany { .. } => f.write_str("too many questions are waiting"),
            Refusal::Deadline => f.write_str("the question took too long"),
            Refusal::Unauthorized => f.write_str("this server wants a token"),
            Refusal::Cancelled => f.write_str("the question was taken back"),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error.kind() {
            ErrorKind::Cancelled => Refusal::Cancelled,
            _ => Refusal::Engine(error),
        }
    }
}

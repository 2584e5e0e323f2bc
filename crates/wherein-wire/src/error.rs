//! The error object that every JSON front answers with.
//!
//! It carries the kind by name so that a program can branch on it; exit codes and statuses are the
//! business of the front that shows it.

use serde::Serialize;
use wherein_engine::{Error, ErrorKind};

/// `{"error": {"kind", "message", "hint"}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorObject {
    /// What went wrong.
    pub error: ErrorBody,
}

/// The inside of an [`ErrorObject`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorBody {
    /// `usage`, `not_indexed`, `index_format`, `busy`, `model`, `model_mismatch`, `network`, `not_found`, `forbidden`, `io`, `cancelled`, `bug`, or `other` for a kind newer than this contract.
    pub kind: &'static str,
    /// What happened, in one line.
    pub message: String,
    /// What to do about it; `null` where nobody knows.
    pub hint: Option<String>,
}

impl From<&Error> for ErrorObject {
    fn from(error: &Error) -> Self {
        ErrorObject {
            error: ErrorBody {
                kind: kind_name(error.kind()),
                message: error.to_string(),
                hint: error.hint().map(str::to_owned),
            },
        }
    }
}

/// The name of a kind in JSON.
pub fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Usage => "usage",
        ErrorKind::NotIndexed => "not_indexed",
        ErrorKind::IndexFormat => "index_format",
        ErrorKind::Busy => "busy",
        ErrorKind::Model => "model",
        ErrorKind::ModelMismatch => "model_mismatch",
        ErrorKind::Network => "network",
        ErrorKind::NotFound => "not_found",
        ErrorKind::Forbidden => "forbidden",
        ErrorKind::Io => "io",
        ErrorKind::Cancelled => "cancelled",
        ErrorKind::Bug => "bug",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_kind_message_and_hint() {
        let error = Error::usage("the question is empty").with_hint("ask something");
        let json = serde_json::to_string(&ErrorObject::from(&error)).unwrap();
        assert_eq!(
            json,
            r#"{"error":{"kind":"usage","message":"the question is empty","hint":"ask something"}}"#
        );
    }

    #[test]
    fn no_hint_is_null() {
        let json = serde_json::to_string(&ErrorObject::from(&Error::bug("boom"))).unwrap();
        assert_eq!(json, r#"{"error":{"kind":"bug","message":"boom","hint":null}}"#);
    }
}

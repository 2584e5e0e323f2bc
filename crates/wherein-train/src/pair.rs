//! The noun "pair": a question and the code that answers it, mined from one place.
//!
//! Kept as one JSON object a line, so that a file can be read by eye. Must not know how pairs are found.

use serde::{Deserialize, Serialize};

/// Where a pair comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PairKind {
    /// Doc comment → the code without it.
    Doc,
    /// Name split into words → the code without it.
    Name,
    /// Comment → the lines below.
    Inline,
    /// Test name → the test without it, or the function that it calls.
    Test,
    /// Heading or sentence → the block of code that follows.
    Prose,
    /// Subject of a commit → what it changed.
    Commit,
}

impl PairKind {
    pub(crate) const ALL: [PairKind; 6] = [
        PairKind::Doc,
        PairKind::Name,
        PairKind::Inline,
        PairKind::Test,
        PairKind::Prose,
        PairKind::Commit,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            PairKind::Doc => "doc",
            PairKind::Name => "name",
            PairKind::Inline => "inline",
            PairKind::Test => "test",
            PairKind::Prose => "prose",
            PairKind::Commit => "commit",
        }
    }
}

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pair {
    pub(crate) kind: PairKind,
    pub(crate) language: String,
    pub(crate) question: String,
    /// The line that stands in front of the code: its path, what it is and its name, as far as the question does not give it away.
    pub(crate) head: String,
    pub(crate) text: String,
}

//! What search hands out: candidates, hits and what their scores are made of.
//!
//! Core types like all of `model`: plain data, which nothing here computes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Kind;
use crate::symbol::Symbol;

/// A chunk proposed by one retriever, with its rank and raw score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Position of the file in the generation's file table.
    pub file_idx: u32,
    /// First line of the chunk, 1-based.
    pub start_line: u32,
    /// Last line of the chunk, inclusive.
    pub end_line: u32,
    /// The retriever's own score, higher is better.
    pub score: f32,
    /// Which segment of the generation holds it.
    pub segment_idx: u32,
    /// Its document number in that segment.
    pub doc: u32,
}

/// What a term of the question gave to a hit.
#[derive(Debug, Clone, PartialEq)]
pub struct TermScore {
    /// The term, as the tokenizer made it.
    pub term: String,
    /// The field that gave most of it: `words`, `compounds`, `names`, `docs`, `context` or `path`.
    pub field: &'static str,
    /// Its BM25 contribution.
    pub score: f32,
}

/// One feature of the ranking at a hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feature {
    /// Its name, see docs/ranking.md.
    pub name: &'static str,
    /// Its value.
    pub value: f32,
    /// What it adds to the score.
    pub score: f32,
}

/// A place whose text is that of a hit, or nearly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// How sure an answer is that its first hits are what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Nothing is close: what is listed is the nearest there is.
    Low,
    /// The answer may be among the hits.
    Fair,
    /// The answer is most likely among the hits.
    High,
}

impl Confidence {
    /// The name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Fair => "fair",
            Confidence::High => "high",
        }
    }
}

/// The parts that a hit's score is made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoreParts {
    /// Place in the keyword list, 1-based.
    pub lexical_rank: Option<u32>,
    /// Place in the vector list, 1-based.
    pub dense_rank: Option<u32>,
    /// BM25 score.
    pub lexical: Option<f32>,
    /// Cosine similarity.
    pub dense: Option<f32>,
    /// What else the score is made of, by name: with the ranking each group of features (`words`, `meaning`, `file`, `names`,
    /// `kind`, `shape`) and what earlier hits of the same file took away; otherwise the factors that were applied.
    pub boosts: BTreeMap<&'static str, f32>,
    /// Contribution of each term, when an explanation was asked for.
    pub terms: Vec<TermScore>,
    /// Each feature of the ranking, when an explanation was asked for.
    pub features: Vec<Feature>,
    /// Why the hit stands where it stands, in words, when an explanation was asked for.
    pub reasons: Vec<String>,
}

/// One line of a snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnippetLine {
    /// Line number in the file, 1-based.
    pub number: u32,
    /// The line without its line ending.
    pub text: String,
    /// Byte ranges of `text` that match the question.
    pub highlights: Vec<Range<usize>>,
}

/// What the user gets: a place, why it is there, and a few lines of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// 1-based byte column of the first match on the first line; 1 for ranked hits.
    pub column: u32,
    /// The file's role.
    pub kind: Kind,
    /// The file's language, lower case; empty when unknown.
    pub language: String,
    /// The symbol, where the profile knows one.
    pub symbol: Option<Symbol>,
    /// The final score, higher is better; 0 for exact and regex hits.
    pub score: f32,
    /// What the score is made of.
    pub parts: ScoreParts,
    /// Other places with the same text, or nearly the same, that share this one's place in the list.
    pub copies: Vec<Copy>,
    /// The lines to show.
    pub snippet: Vec<SnippetLine>,
}

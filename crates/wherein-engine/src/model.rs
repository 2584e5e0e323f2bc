//! The nouns that the stages hand to one another, and nothing else.
//!
//! Core types: they do not serialise to the outside (that is `wherein-wire`) and hold no index file
//! names (that is `store`).

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

mod hit;

pub use hit::{Candidate, Confidence, Copy, Feature, Hit, ScoreParts, SnippetLine, TermScore};

/// The label that every result carries: what role a file plays in its project.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Kind {
    /// Code that does the work.
    Source,
    /// Code that checks the work.
    Test,
    /// Prose for people, examples and changelogs included.
    Docs,
    /// Settings, manifests, build and CI files.
    Config,
    /// Written by a program: generated, minified or vendored bundles.
    Generated,
}

impl Kind {
    /// Every kind, in the order of the enum.
    pub const ALL: [Kind; 5] =
        [Kind::Source, Kind::Test, Kind::Docs, Kind::Config, Kind::Generated];

    /// The name used on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Source => "source",
            Kind::Test => "test",
            Kind::Docs => "docs",
            Kind::Config => "config",
            Kind::Generated => "generated",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| {
            crate::Error::usage(format!("'{text}' is not a kind"))
                .with_hint("kinds are source, test, docs, config and generated")
        })
    }
}

/// How files are cut into chunks.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize,
)]
pub enum Profile {
    /// About 700 tokens of whole lines with an overlap of 80: exact, see `chunk::lines`.
    Lines,
    /// Functions and types as the syntax tree has them, every line once: see `chunk::symbols`.
    #[default]
    Symbols,
}

impl Profile {
    /// The name used on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Profile::Lines => "lines",
            Profile::Symbols => "symbols",
        }
    }
}

impl FromStr for Profile {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<Profile> {
        match text {
            "lines" => Ok(Profile::Lines),
            "symbols" => Ok(Profile::Symbols),
            _ => Err(crate::Error::usage(format!("'{text}' is not a chunk profile"))
                .with_hint("the profiles are symbols and lines")),
        }
    }
}

/// How a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Ranked by words and by meaning, both lists fused; by words alone where no model is at hand.
    #[default]
    Hybrid,
    /// Ranked by the words and identifiers of the question.
    Keyword,
    /// Ranked by meaning alone: the cosine of the question's vector and each chunk's.
    Semantic,
    /// Every line that holds the text, as `grep -rnF` finds it.
    Exact,
    /// Every line that matches the regular expression, as `grep -rnE` finds it.
    Regex,
}

impl Mode {
    /// Every mode of this version.
    pub const ALL: [Mode; 5] =
        [Mode::Hybrid, Mode::Keyword, Mode::Semantic, Mode::Exact, Mode::Regex];

    /// Whether hits are ranked, as opposed to listed line by line.
    pub fn is_ranked(self) -> bool {
        matches!(self, Mode::Hybrid | Mode::Keyword | Mode::Semantic)
    }

    /// Whether the question is compared by meaning, which needs a model.
    pub fn needs_model(self) -> bool {
        matches!(self, Mode::Hybrid | Mode::Semantic)
    }

    /// The name used on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Hybrid => "hybrid",
            Mode::Keyword => "keyword",
            Mode::Semantic => "semantic",
            Mode::Exact => "exact",
            Mode::Regex => "regex",
        }
    }
}

impl FromStr for Mode {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.as_str() == text).ok_or_else(|| {
            crate::Error::usage(format!("'{text}' is not a mode"))
                .with_hint("modes are hybrid, keyword, semantic, exact and regex")
        })
    }
}

/// How the two lists of hybrid mode become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FusionMethod {
    /// Reciprocal rank fusion: only places count (Cormack, Clarke & Buettcher, SIGIR 2009).
    Rrf,
    /// Each list's scores stretched to 0..1, then added.
    MinMax,
    /// Reciprocal rank fusion by the server that holds a published index: one request, and no ranking beyond it.
    Server,
}

impl FusionMethod {
    /// Every method.
    pub const ALL: [FusionMethod; 3] =
        [FusionMethod::Rrf, FusionMethod::MinMax, FusionMethod::Server];

    /// The name used on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            FusionMethod::Rrf => "rrf",
            FusionMethod::MinMax => "minmax",
            FusionMethod::Server => "server",
        }
    }
}

impl FromStr for FusionMethod {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<FusionMethod> {
        FusionMethod::ALL.into_iter().find(|method| method.as_str() == text).ok_or_else(|| {
            crate::Error::usage(format!("'{text}' is not a way to fuse two lists"))
                .with_hint("the ways are rrf, minmax and, for a published index, server")
        })
    }
}

/// Fusion with its constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fusion {
    /// How the lists become one.
    pub method: FusionMethod,
    /// The constant of reciprocal rank fusion: a place is worth 1 / (k + rank).
    pub k: f32,
    /// How many of each list take part.
    pub depth: usize,
    /// What the keyword list counts for; the two weights need not sum to 1.
    pub keyword_weight: f32,
    /// What the list by meaning counts for.
    pub semantic_weight: f32,
}

impl Default for Fusion {
    /// Min–max over the first 30 of each list, both alike: chosen on the suites (docs/decisions.md). With `rrf` these are the
    /// constants of the published measurement, k = 60 over the first 30.
    fn default() -> Fusion {
        Fusion {
            method: FusionMethod::MinMax,
            k: 60.0,
            depth: 30,
            keyword_weight: 1.0,
            semantic_weight: 1.0,
        }
    }
}

/// How the best lines of a chunk count beside the chunk as a whole, with a model that is a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestLines {
    /// How many candidates of each list are read again.
    pub n_candidates: usize,
    /// Lines that are compared at once.
    pub window_lines: usize,
    /// The part of the score that the best lines are; the rest is that of the whole chunk.
    pub mix: f32,
}

impl Default for BestLines {
    /// Chosen on questions about the development repositories of the built-in model: docs/decisions.md.
    fn default() -> BestLines {
        BestLines { n_candidates: 150, window_lines: 5, mix: 0.7 }
    }
}

/// How the first places of a proposal are compared again, with a model that is no table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touched {
    /// How many places are compared; none where this is 0.
    pub n_places: usize,
    /// The most lines that are compared at once: what is longer is cut, and its best part counts.
    pub half_lines: u32,
    /// About how many tokens are compared, estimated from the text; known ones count, too.
    pub n_tokens: usize,
    /// The part of the score that likeness is; the rest is the proposal's.
    pub weight: f32,
}

impl Default for Touched {
    fn default() -> Touched {
        Touched { n_places: 80, half_lines: 20, n_tokens: 6_000, weight: 0.5 }
    }
}

/// How the components of vectors are kept.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize,
)]
pub enum VectorEncoding {
    /// One signed byte a component and one scale a vector: a quarter of the room and of the time to scan.
    Int8,
    /// Four bytes a component: exactly what the model gave.
    #[default]
    F32,
}

impl VectorEncoding {
    /// Every encoding.
    pub const ALL: [VectorEncoding; 2] = [VectorEncoding::Int8, VectorEncoding::F32];

    /// The name used on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            VectorEncoding::Int8 => "int8",
            VectorEncoding::F32 => "f32",
        }
    }
}

impl FromStr for VectorEncoding {
    type Err = crate::Error;

    fn from_str(text: &str) -> crate::Result<VectorEncoding> {
        VectorEncoding::ALL.into_iter().find(|known| known.as_str() == text).ok_or_else(|| {
            crate::Error::usage(format!("'{text}' is not a way to keep vectors"))
                .with_hint("the ways are int8 and f32")
        })
    }
}

/// Why a file or folder was not searched.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[non_exhaustive]
pub enum SkipReason {
    /// An ignore file says so (`.gitignore`, `.ignore`, `.whereinignore`, git's own excludes).
    Ignored,
    /// A folder that a built-in rule leaves out (`node_modules`, `.git` and the like).
    ExcludedDir,
    /// A lockfile by its full name.
    Lockfile,
    /// An SVG picture.
    Svg,
    /// Looks like a secret: keys, credentials, `.env`.
    Sensitive,
    /// Larger than the limit (1,000,000 bytes unless set).
    TooLarge,
    /// Holds a NUL byte in its first 512 bytes and is not UTF-16 text.
    Binary,
    /// A symbolic link; what it points to is searched where it really lies.
    Symlink,
    /// Another working tree of the same repository, found inside this one.
    NestedWorktree,
    /// Neither a file nor a folder (socket, pipe, device).
    Special,
    /// The operating system would not let it be read.
    Unreadable,
}

impl SkipReason {
    /// Every reason, in the order that they are listed to people.
    pub const ALL: [SkipReason; 11] = [
        SkipReason::Ignored,
        SkipReason::ExcludedDir,
        SkipReason::Binary,
        SkipReason::TooLarge,
        SkipReason::Lockfile,
        SkipReason::Svg,
        SkipReason::Sensitive,
        SkipReason::Symlink,
        SkipReason::NestedWorktree,
        SkipReason::Special,
        SkipReason::Unreadable,
    ];

    /// The key used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            SkipReason::Ignored => "ignored",
            SkipReason::ExcludedDir => "excluded_dir",
            SkipReason::Lockfile => "lockfile",
            SkipReason::Svg => "svg",
            SkipReason::Sensitive => "sensitive",
            SkipReason::TooLarge => "too_large",
            SkipReason::Binary => "binary",
            SkipReason::Symlink => "symlink",
            SkipReason::NestedWorktree => "nested_worktree",
            SkipReason::Special => "special",
            SkipReason::Unreadable => "unreadable",
        }
    }
}

/// How many files and folders were not searched, by reason. A folder that was not entered counts once.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SkipCounts(BTreeMap<SkipReason, u64>);

impl SkipCounts {
    /// Counts one more for `reason`.
    pub fn add(&mut self, reason: SkipReason) {
        *self.0.entry(reason).or_default() += 1;
    }

    /// Adds the counts of another scan.
    pub fn merge(&mut self, other: &SkipCounts) {
        for (reason, count) in &other.0 {
            *self.0.entry(*reason).or_default() += count;
        }
    }

    /// How many were skipped for `reason`.
    pub fn get(&self, reason: SkipReason) -> u64 {
        self.0.get(&reason).copied().unwrap_or(0)
    }

    /// Every reason with its count, zeros included, in listing order.
    pub fn iter(&self) -> impl Iterator<Item = (SkipReason, u64)> + '_ {
        SkipReason::ALL.into_iter().map(|reason| (reason, self.get(reason)))
    }

    /// How many were skipped in all.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }
}

/// One file's trouble: reported, never fatal.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Problem {
    /// Path relative to the root, `/`-separated.
    pub path: String,
    /// What is wrong, in one line.
    pub reason: String,
}

/// A run of whole lines of one file: 1-based, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The text of those lines, without the final newline.
    pub text: &'a str,
}

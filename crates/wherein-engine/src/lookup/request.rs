//! What look-ups take and give.

use crate::model::{Kind, SkipCounts};
use crate::request::Filter;
use crate::symbol::Symbol;

/// Asks for symbols by name.
#[derive(Debug, Clone)]
pub struct SymbolRequest {
    /// The name, or a part of it; parents may stand in front (`Session::send`, `Session.send`).
    pub name: String,
    /// Which files and kinds of symbols may answer.
    pub filter: Filter,
    /// The most symbols to return.
    pub limit: usize,
}

/// How a symbol's name relates to the one asked for, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameMatch {
    /// The same.
    Exact,
    /// The same but for case and what separates its parts.
    Folded,
    /// It begins so.
    Prefix,
    /// One of its parts begins so.
    Part,
    /// The same but for one typing error.
    Typo,
}

impl NameMatch {
    /// The name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            NameMatch::Exact => "exact",
            NameMatch::Folded => "folded",
            NameMatch::Prefix => "prefix",
            NameMatch::Part => "part",
            NameMatch::Typo => "typo",
        }
    }
}

/// One symbol and where it stands.
#[derive(Debug, Clone)]
pub struct FoundSymbol {
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// The file's role.
    pub kind: Kind,
    /// The file's language.
    pub language: String,
    /// The symbol.
    pub symbol: Symbol,
    /// How its name relates to the one asked for.
    pub matched: NameMatch,
}

/// The answer to a [`SymbolRequest`].
#[derive(Debug, Clone)]
pub struct SymbolAnswer {
    /// The name as asked.
    pub name: String,
    /// The generation that answered.
    pub generation: u64,
    /// Best match first; shorter names, then path and line.
    pub symbols: Vec<FoundSymbol>,
    /// How many were found before the limit.
    pub n_matches: u64,
    /// Stages that were dropped, in words.
    pub degraded: Vec<String>,
    /// What was not searched, by reason.
    pub skipped: SkipCounts,
}

/// Asks where a name is used.
#[derive(Debug, Clone)]
pub struct UsageRequest {
    /// The name as code writes it; of a qualified name the last part.
    pub name: String,
    /// Which files may answer.
    pub filter: Filter,
    /// The most lines to return; `None` returns all.
    pub limit: Option<usize>,
    /// Whether lines are given, too, where the name stands in comments and strings alone.
    pub comments: bool,
}

/// As what a name is used in a line, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UsageKind {
    /// It is called.
    Call,
    /// It stands in code.
    Mention,
    /// It stands in a comment or a string literal.
    Text,
}

impl UsageKind {
    /// The name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            UsageKind::Call => "call",
            UsageKind::Mention => "mention",
            UsageKind::Text => "text",
        }
    }
}

/// One line that uses a name.
#[derive(Debug, Clone)]
pub struct FoundUsage {
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// The file's role.
    pub file_kind: Kind,
    /// The file's language.
    pub language: String,
    /// The line, 1-based.
    pub line: u32,
    /// As what.
    pub usage: UsageKind,
    /// The function or type around it.
    pub inside: Option<String>,
    /// The line's text.
    pub text: String,
}

/// The answer to a [`UsageRequest`].
#[derive(Debug, Clone)]
pub struct UsageAnswer {
    /// The name as asked.
    pub name: String,
    /// The generation that answered.
    pub generation: u64,
    /// Calls, then mentions, then text; each by path and line.
    pub usages: Vec<FoundUsage>,
    /// How many lines were found before the limit.
    pub n_matches: u64,
    /// Lines that define the name, which are left out.
    pub n_definitions: u64,
    /// Stages that were dropped, in words.
    pub degraded: Vec<String>,
    /// What was not searched, by reason.
    pub skipped: SkipCounts,
}

/// Asks for the symbols of files.
#[derive(Debug, Clone, Default)]
pub struct OutlineRequest {
    /// Which files, all where no path is named, and which kinds of symbols.
    pub filter: Filter,
}

/// The symbols of one file.
#[derive(Debug, Clone)]
pub struct FileOutline {
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// The file's language.
    pub language: String,
    /// The file's role.
    pub kind: Kind,
    /// In line order; an enclosing symbol precedes what it encloses.
    pub symbols: Vec<Symbol>,
    /// Why it has none although its language has symbols.
    pub fallback: Option<String>,
}

/// The answer to an [`OutlineRequest`].
#[derive(Debug, Clone)]
pub struct Outline {
    /// The generation that answered.
    pub generation: u64,
    /// In path order.
    pub files: Vec<FileOutline>,
    /// Stages that were dropped, in words.
    pub degraded: Vec<String>,
    /// What was not searched, by reason.
    pub skipped: SkipCounts,
}

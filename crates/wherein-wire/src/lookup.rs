//! Look-ups by name: symbols, usages and outlines, one object an answer and one item a line with `--jsonl`.
//!
//! Shapes and key names are a contract, as those of the search result are.

use serde::Serialize;
use wherein_engine as engine;

use crate::counts::Counts;
use crate::number::tenths;
use crate::repository::AskedRepository;
use crate::search::SearchMeta;
use crate::symbol::Symbol;

/// The symbols of a name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SymbolResult {
    /// The name as asked.
    pub name: String,
    /// The generation that answered.
    pub generation: u64,
    /// Milliseconds, freshness check included.
    pub elapsed_ms: f64,
    /// How many symbols matched before the limit.
    pub n_matches: u64,
    /// The repositories that answered; absent where none was named. With several, `generation` is 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repositories: Vec<AskedRepository>,
    /// Best match first; shorter names, then path and line.
    pub symbols: Vec<FoundSymbol>,
    /// Stages that were dropped, in words.
    pub degraded: Vec<String>,
    /// What was not searched, by reason, zeros included.
    pub skipped: Counts,
}

impl SymbolResult {
    /// The wire form of `answer`.
    pub fn new(answer: engine::SymbolAnswer, meta: SearchMeta) -> Self {
        let engine::SymbolAnswer { name, generation, symbols, n_matches, degraded, skipped } =
            answer;
        SymbolResult {
            name,
            generation,
            elapsed_ms: elapsed_ms(meta),
            n_matches,
            repositories: Vec::new(),
            symbols: symbols.into_iter().map(FoundSymbol::from).collect(),
            degraded,
            skipped: Counts::from(&skipped),
        }
    }
}

/// One symbol and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FoundSymbol {
    /// The repository's name; absent where the question was not asked of repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// First line, decorators included, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The line of its name.
    pub name_line: u32,
    /// The language, lower case; empty when unknown.
    pub language: String,
    /// The file's role: `source`, `test`, `docs`, `config` or `generated`.
    pub kind: &'static str,
    /// How its name relates to the one asked for: `exact`, `folded`, `prefix`, `part` or `typo`.
    pub matched: &'static str,
    /// The symbol.
    pub symbol: Symbol,
}

impl From<engine::FoundSymbol> for FoundSymbol {
    fn from(found: engine::FoundSymbol) -> Self {
        let engine::FoundSymbol { path, kind, language, symbol, matched } = found;
        FoundSymbol {
            repository: None,
            path,
            start_line: symbol.start_line,
            end_line: symbol.end_line,
            name_line: symbol.name_line,
            language,
            kind: kind.as_str(),
            matched: matched.as_str(),
            symbol: Symbol::from(symbol),
        }
    }
}

/// Where a name is used.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsageResult {
    /// The name as asked.
    pub name: String,
    /// The generation that answered.
    pub generation: u64,
    /// Milliseconds, freshness check included.
    pub elapsed_ms: f64,
    /// How many lines use it before the limit.
    pub n_matches: u64,
    /// How many lines define it; they are not among the usages.
    pub n_definitions: u64,
    /// The repositories that answered; absent where none was named. With several, `generation` is 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repositories: Vec<AskedRepository>,
    /// Calls, then mentions, then comments and strings; each by path and line.
    pub usages: Vec<FoundUsage>,
    /// Stages that were dropped, in words.
    pub degraded: Vec<String>,
    /// What was not searched, by reason, zeros included.
    pub skipped: Counts,
}

impl UsageResult {
    /// The wire form of `answer`.
    pub fn new(answer: engine::UsageAnswer, meta: SearchMeta) -> Self {
        let engine::UsageAnswer {
            name,
            generation,
            usages,
            n_matches,
            n_definitions,
            degraded,
            skipped,
        } = answer;
        UsageResult {
            name,
            generation,
            elapsed_ms: elapsed_ms(meta),
            n_matches,
            n_definitions,
            repositories: Vec::new(),
            usages: usages.into_iter().map(FoundUsage::from).collect(),
            degraded,
            skipped: Counts::from(&skipped),
        }
    }
}

/// One line that uses a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FoundUsage {
    /// The repository's name; absent where the question was not asked of repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// The line, 1-based.
    pub line: u32,
    /// As what: `call`, `mention`, or `text` in comments and strings.
    pub usage: &'static str,
    /// The language, lower case; empty when unknown.
    pub language: String,
    /// The file's role: `source`, `test`, `docs`, `config` or `generated`.
    pub kind: &'static str,
    /// The function or type around it, by its qualified name; `null` where there is none.
    pub inside: Option<String>,
    /// The line's text.
    pub text: String,
}

impl From<engine::FoundUsage> for FoundUsage {
    fn from(found: engine::FoundUsage) -> Self {
        let engine::FoundUsage { path, file_kind, language, line, usage, inside, text } = found;
        FoundUsage {
            repository: None,
            path,
            line,
            usage: usage.as_str(),
            language,
            kind: file_kind.as_str(),
            inside,
            text,
        }
    }
}

/// The symbols of files.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutlineResult {
    /// The generation that answered.
    pub generation: u64,
    /// Milliseconds, freshness check included.
    pub elapsed_ms: f64,
    /// The repositories that answered; absent where none was named. With several, `generation` is 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repositories: Vec<AskedRepository>,
    /// In path order; files without symbols, too.
    pub files: Vec<FileOutline>,
    /// Stages that were dropped, in words.
    pub degraded: Vec<String>,
    /// What was not searched, by reason, zeros included.
    pub skipped: Counts,
}

impl OutlineResult {
    /// The wire form of `outline`.
    pub fn new(outline: engine::Outline, meta: SearchMeta) -> Self {
        let engine::Outline { generation, files, degraded, skipped } = outline;
        OutlineResult {
            generation,
            elapsed_ms: elapsed_ms(meta),
            repositories: Vec::new(),
            files: files.into_iter().map(FileOutline::from).collect(),
            degraded,
            skipped: Counts::from(&skipped),
        }
    }
}

/// The symbols of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FileOutline {
    /// The repository's name; absent where the question was not asked of repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// The language, lower case; empty when unknown.
    pub language: String,
    /// The file's role: `source`, `test`, `docs`, `config` or `generated`.
    pub kind: &'static str,
    /// Why it has no symbols although its language has them; `null` otherwise.
    pub fallback: Option<String>,
    /// In line order; an enclosing symbol precedes what it encloses.
    pub symbols: Vec<Symbol>,
}

impl From<engine::FileOutline> for FileOutline {
    fn from(file: engine::FileOutline) -> Self {
        let engine::FileOutline { path, language, kind, symbols, fallback } = file;
        FileOutline {
            repository: None,
            path,
            language,
            kind: kind.as_str(),
            fallback,
            symbols: symbols.into_iter().map(Symbol::from).collect(),
        }
    }
}

fn elapsed_ms(meta: SearchMeta) -> f64 {
    let SearchMeta { elapsed, highlights: _ } = meta;
    tenths(elapsed.as_secs_f64() * 1000.0)
}

#[cfg(test)]
#[path = "lookup_tests.rs"]
mod tests;

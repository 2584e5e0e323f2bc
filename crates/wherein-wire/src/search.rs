//! The search result: one object for an answer, and the hit that `--jsonl` prints a line of.
//!
//! Shapes and key names are a contract (`"hits"`, `"start_line"` …): renaming one breaks programs.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use wherein_engine as engine;

use crate::counts::Counts;
use crate::number::{Score, tenths};
use crate::repository::AskedRepository;
use crate::symbol::Symbol;

/// What the front knows about an answer and the engine does not.
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchMeta {
    /// How long the question took, freshness check included.
    pub elapsed: Duration,
    /// Whether hits say where the terms of the question stand in their snippets.
    pub highlights: bool,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SearchResult {
    /// The question as asked.
    pub query: String,
    /// The mode that answered: `hybrid`, `keyword`, `semantic`, `exact` or `regex`.
    pub mode: &'static str,
    /// The model whose vectors proposed places; `null` where none did.
    pub model: Option<String>,
    /// What another look at the first places did; left out where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reranked: Option<Reranked>,
    /// How sure the ranking is that an answer is among the first hits: `high`, `fair` or `low`; left out where none was at
    /// work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<&'static str>,
    /// The generation that answered.
    pub generation: u64,
    /// Milliseconds, freshness check included.
    pub elapsed_ms: f64,
    /// How many places matched before the limit.
    pub n_matches: u64,
    /// The repositories that answered; absent where none was named. With several, `generation` is 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repositories: Vec<AskedRepository>,
    /// Best first; by path and line in exact and regex mode.
    pub hits: Vec<Hit>,
    /// Stages that were dropped, in words.
    pub degraded: Vec<String>,
    /// What was not searched, by reason, zeros included.
    pub skipped: Counts,
}

impl SearchResult {
    /// The wire form of `answer`.
    pub fn new(answer: engine::Answer, meta: SearchMeta) -> Self {
        let engine::Answer {
            query,
            mode,
            model,
            reranked,
            confidence,
            generation,
            hits,
            n_matches,
            degraded,
            skipped,
        } = answer;
        let SearchMeta { elapsed, highlights } = meta;
        let hit = |hit: engine::Hit| {
            let marked = if highlights { Highlight::all(&hit.snippet) } else { Vec::new() };
            Hit { highlights: marked, ..Hit::from(hit) }
        };
        SearchResult {
            query,
            mode: mode.as_str(),
            model,
            reranked: reranked.map(Reranked::from),
            confidence: confidence.map(engine::Confidence::as_str),
            generation,
            elapsed_ms: tenths(elapsed.as_secs_f64() * 1000.0),
            n_matches,
            repositories: Vec::new(),
            hits: hits.into_iter().map(hit).collect(),
            degraded,
            skipped: Counts::from(&skipped),
        }
    }
}

/// What a model that embeds only what questions touch did for an answer, and how much of the tree it knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reranked {
    /// The model that compared the first places again.
    pub model: String,
    /// Places that were compared.
    pub places: u64,
    /// Parts of them that were embedded for this answer.
    pub embedded: u64,
    /// Parts of them whose vectors were known.
    pub cached: u64,
    /// Chunks of the tree that have vectors of this model.
    pub vectors: u64,
    /// Chunks of the tree.
    pub chunks: u64,
}

impl From<engine::Reranked> for Reranked {
    fn from(reranked: engine::Reranked) -> Self {
        let engine::Reranked { model, n_places, n_embedded, n_cached, n_vectors, n_chunks } =
            reranked;
        Reranked {
            model,
            places: n_places,
            embedded: n_embedded,
            cached: n_cached,
            vectors: n_vectors,
            chunks: n_chunks,
        }
    }
}

/// One place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Hit {
    /// The repository's name; absent where the question was not asked of repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// 1-based byte column of the first match on the first line; 1 for ranked hits.
    pub column: u32,
    /// The language, lower case; empty when unknown.
    pub language: String,
    /// The file's role: `source`, `test`, `docs`, `config` or `generated`.
    pub kind: &'static str,
    /// The symbol, where the profile knows one.
    pub symbol: Option<Symbol>,
    /// The final score, higher is better; 0 for exact and regex hits.
    pub score: Score,
    /// What the score is made of.
    pub parts: Parts,
    /// Other places with the same text, or nearly, that share this hit's place in the list; left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<Copy>,
    /// Number of the snippet's first line; `null` when there is no snippet.
    pub snippet_start_line: Option<u32>,
    /// The lines to show, joined with `\n`.
    pub snippet: String,
    /// Where the terms of the question stand in the snippet; left out where nobody asked for them or there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub highlights: Vec<Highlight>,
}

/// Where a term of the question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Highlight {
    /// The line of the file, 1-based.
    pub line: u32,
    /// Where it begins in the line, in UTF-16 code units, as scripts of pages count.
    pub start: u32,
    /// Where it ends, exclusive.
    pub end: u32,
}

impl Highlight {
    fn all(snippet: &[engine::SnippetLine]) -> Vec<Highlight> {
        let marks = |line: &engine::SnippetLine| {
            let units = |n_bytes: usize| {
                line.text.get(..n_bytes).map_or(0, |text| text.encode_utf16().count()) as u32
            };
            let number = line.number;
            let mark = |range: &std::ops::Range<usize>| Highlight {
                line: number,
                start: units(range.start),
                end: units(range.end),
            };
            line.highlights.iter().map(mark).collect::<Vec<_>>()
        };
        snippet.iter().flat_map(marks).collect()
    }
}

impl From<engine::Hit> for Hit {
    fn from(hit: engine::Hit) -> Self {
        let engine::Hit {
            path,
            start_line,
            end_line,
            column,
            kind,
            language,
            symbol,
            score,
            parts,
            copies,
            snippet,
        } = hit;
        let (snippet_start_line, snippet) = join_lines(snippet);
        Hit {
            repository: None,
            path,
            start_line,
            end_line,
            column,
            language,
            kind: kind.as_str(),
            symbol: symbol.map(Symbol::from),
            score: Score(score),
            parts: Parts::from(parts),
            copies: copies.into_iter().map(Copy::from).collect(),
            snippet_start_line,
            snippet,
            highlights: Vec::new(),
        }
    }
}

/// A place whose text is that of a hit, or nearly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Copy {
    /// Path relative to the searched root, `/`-separated.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

impl From<engine::Copy> for Copy {
    fn from(copy: engine::Copy) -> Self {
        let engine::Copy { path, start_line, end_line } = copy;
        Copy { path, start_line, end_line }
    }
}

/// The snippet as one string, with the number of its first line.
fn join_lines(lines: Vec<engine::SnippetLine>) -> (Option<u32>, String) {
    let first = lines.first().map(|line| line.number);
    let texts: Vec<String> = lines
        .into_iter()
        .map(|line| {
            // Numbers follow from the first line; highlights are for terminals.
            let engine::SnippetLine { number: _, text, highlights: _ } = line;
            text
        })
        .collect();
    (first, texts.join("\n"))
}

/// The parts of a score. Parts that had no say are left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Parts {
    /// Place in the keyword list, 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lexical_rank: Option<u32>,
    /// Place in the vector list, 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_rank: Option<u32>,
    /// BM25 score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lexical: Option<Score>,
    /// Cosine similarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense: Option<Score>,
    /// What else the score is made of, by name: what each group of features gives, or factors that were applied.
    pub boosts: BTreeMap<&'static str, Score>,
    /// What each term of the question gave, when an explanation was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Term>,
    /// Each feature of the ranking that is not 0, when an explanation was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<Feature>,
    /// Why the hit stands where it stands, in words, when an explanation was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

/// One feature of the ranking at a hit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Feature {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: Score,
    /// What it adds to the score.
    pub score: Score,
}

impl From<engine::Feature> for Feature {
    fn from(feature: engine::Feature) -> Self {
        let engine::Feature { name, value, score } = feature;
        Feature { name, value: Score(value), score: Score(score) }
    }
}

impl From<engine::ScoreParts> for Parts {
    fn from(parts: engine::ScoreParts) -> Self {
        let engine::ScoreParts {
            lexical_rank,
            dense_rank,
            lexical,
            dense,
            boosts,
            terms,
            features,
            reasons,
        } = parts;
        Parts {
            lexical_rank,
            dense_rank,
            lexical: lexical.map(Score),
            dense: dense.map(Score),
            boosts: boosts.into_iter().map(|(name, factor)| (name, Score(factor))).collect(),
            terms: terms.into_iter().map(Term::from).collect(),
            features: features.into_iter().map(Feature::from).collect(),
            reasons,
        }
    }
}

/// What one term gave to a hit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Term {
    /// The term, as the tokenizer made it.
    pub term: String,
    /// The field that it matched.
    pub field: &'static str,
    /// Its BM25 contribution.
    pub score: Score,
}

impl From<engine::TermScore> for Term {
    fn from(term: engine::TermScore) -> Self {
        let engine::TermScore { term, field, score } = term;
        Term { term, field, score: Score(score) }
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;

//! The read story: a question and one immutable generation → hits.
//!
//! `search` tells it in one function: query, filter, retrieve, look again, rank, present. Same generation and same question
//! give the same order, on any machine and thread count.

mod best_lines;
mod coverage;
mod dense;
mod explain;
mod filter;
mod fuse;
mod grep;
mod lexical;
mod literal;
mod places;
mod query;
mod question;
mod rank;
mod remarks;
mod snippet;
mod symbols;
mod touched;

use std::path::Path;

use crate::embed::{self, TermTable};
use crate::error::{Error, Result};
use crate::model::{Candidate, Fusion, Hit, Mode, SkipCounts};
use crate::request::{Answer, SearchRequest};
use crate::store::Generation;
pub(crate) use coverage::count as count_touched;
pub(crate) use filter::allowed_files;
pub(crate) use grep::word_lines;
pub(crate) use snippet::read_text;
pub(crate) use touched::Reranker;

/// Hits of a ranked mode where the request sets no limit.
const DEFAULT_LIMIT: usize = 10;

/// What a search reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corpus<'a> {
    pub(crate) root: &'a Path,
    pub(crate) generation: &'a Generation,
}

/// A question's vector, made by the model whose vectors the generation holds.
#[derive(Debug, Clone)]
pub(crate) struct Meaning<'m> {
    pub(crate) model: String,
    /// Zeros where the model knows nothing of the question: then nothing is found by meaning.
    pub(crate) vector: Vec<f32>,
    /// Of a model that is nothing else.
    pub(crate) table: Option<&'m TermTable>,
}

/// Hits with what is said of them.
#[derive(Debug, Default)]
struct Found {
    hits: Vec<Hit>,
    n_matches: u64,
    outcome: touched::Outcome,
}

/// Answers `request`; by words alone where there is neither `meaning` nor `reranker`. Freshness, skip counts and refresh notices are the caller's.
pub(crate) fn search(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    meaning: Option<&Meaning<'_>>,
    reranker: Option<&Reranker<'_>>,
) -> Result<Answer> {
    let allowed = filter::allowed_files(corpus.generation, &request.filter)?;
    let mut degraded = Vec::new();
    let Found { hits, n_matches, outcome } = match request.mode {
        Mode::Keyword | Mode::Hybrid | Mode::Semantic => {
            let query = query::parse(&request.text);
            let mentioned = places::mentioned(corpus.generation, &query.question);
            degraded = remarks::of(&query.question, &mentioned, meaning);
            ranked(corpus, request, (&query, &mentioned), (meaning, reranker), &allowed)?
        }
        Mode::Exact | Mode::Regex => Found::of(grep::search(corpus, request, &allowed)?),
    };
    Ok(Answer {
        query: request.text.clone(),
        mode: match request.mode {
            Mode::Hybrid if meaning.is_none() && outcome.reranked.is_none() => Mode::Keyword,
            mode => mode,
        },
        model: meaning.map(|meaning| meaning.model.clone()),
        reranked: outcome.reranked,
        generation: corpus.generation.manifest.generation,
        hits,
        n_matches,
        degraded: degraded.into_iter().chain(outcome.degraded).collect(),
        skipped: SkipCounts::default(),
    })
}

impl Found {
    fn of((hits, n_matches): (Vec<Hit>, u64)) -> Found {
        Found { hits, n_matches, ..Found::default() }
    }
}

/// Ranked by words, by meaning, or by both: retrieve, look again at the best lines, fuse, rank, compare the first again,
/// present.
fn ranked(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    (query, mentioned): (&query::Query, &places::Mentioned),
    (meaning, reranker): (Option<&Meaning<'_>>, Option<&Reranker<'_>>),
    allowed: &[bool],
) -> Result<Found> {
    let literal = literal::Literals::find(corpus, &query.literals, allowed)?;
    if query.is_empty() && query.literals.len() < 2 && meaning.is_none() {
        return literal.hits(corpus, request, allowed).map(Found::of);
    }
    let accepts = |file_idx: usize, start: u32, end: u32| {
        allowed[file_idx]
            && literal.accepts(file_idx, start, end)
            && symbols::has_kind(corpus.generation, &request.filter, file_idx, (start, end))
    };
    let terms = lexical::resolve(corpus.generation, query)?;
    let gate = lexical::Gate { accepts: &accepts, without_terms: !query.literals.is_empty() };
    let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
    let mut by_words = match request.mode {
        Mode::Semantic => Vec::new(),
        _ => lexical::retrieve(corpus.generation, &terms, &gate)?,
    };
    let by_meaning = match meaning {
        Some(meaning) => dense::retrieve(corpus.generation, &meaning.vector, &accepts, limit)?,
        None => Vec::new(),
    };
    let mut by_meaning = look_again(corpus, request, query, meaning, (&by_words, by_meaning))?;
    if request.mode != Mode::Semantic {
        let lists = [&mut by_words, &mut by_meaning];
        places::lead(corpus.generation, &query.question, mentioned, &accepts, lists);
    }
    let lists = fuse::Lists { by_words: &by_words, by_meaning: &by_meaning };
    let usual = meaning
        .and_then(|meaning| meaning.table)
        .map_or_else(Fusion::default, |_| Fusion::OF_TABLE);
    let fusion = request.fusion.unwrap_or(usual);
    let depth = touched::depth(reranker, limit);
    let wanted = rank::Wanted { mode: request.mode, fusion, limit: depth };
    let ranked = rank::rank(corpus.generation, query, &lists, wanted);
    let n_matches = by_words.len().max(by_meaning.len()) as u64;
    let mut hits = rank::present(corpus.generation, query, &request.filter, ranked)?;
    let outcome = touched::rerank(corpus, reranker, &mut hits, limit)?;
    if request.explain {
        explain::explain(corpus.generation, &terms, &mut hits)?;
    }
    if request.snippets {
        let mut marker = snippet::Marker::new(query, &terms);
        snippet::fill(corpus, &mut marker, request.context, &mut hits);
    }
    let hits = hits.into_iter().map(|ranked| ranked.hit).collect();
    Ok(Found { hits, n_matches, outcome })
}

/// The list by meaning with its first candidates, and those of the list by words, judged by their best lines.
fn look_again(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    query: &query::Query,
    meaning: Option<&Meaning<'_>>,
    (by_words, by_meaning): (&[Candidate], Vec<Candidate>),
) -> Result<Vec<Candidate>> {
    let has_meaning = |meaning: &&Meaning<'_>| embed::has_meaning(&meaning.vector);
    let stage = meaning
        .filter(has_meaning)
        .and_then(|meaning| best_lines::Stage::of(corpus, meaning, request.best_lines));
    let Some(stage) = stage else {
        return Ok(by_meaning);
    };
    let n = request.best_lines.n_candidates;
    if request.mode == Mode::Semantic {
        let n = by_meaning.len().min(2 * n);
        return stage.rescore(&by_meaning, &by_meaning[..n], &[]);
    }
    let first = |list: &[Candidate]| rank::first(corpus.generation, query, list, n);
    stage.rescore(&by_meaning, &first(&by_meaning), &first(by_words))
}

/// Refuses what cannot be asked.
pub(crate) fn check(request: &SearchRequest) -> Result<()> {
    // White space asks nothing of a ranked mode; to `grep` a tab is a text like any other.
    let asked = match request.mode {
        mode if mode.is_ranked() => request.text.trim(),
        _ => request.text.as_str(),
    };
    if asked.is_empty() {
        return Err(Error::usage("the question is empty")
            .with_hint(r#"ask for something: wherein "parse the config file""#));
    }
    if request.text.len() > SearchRequest::MAX_BYTES {
        let n_bytes = request.text.len();
        return Err(Error::usage(format!("the question has {n_bytes} bytes"))
            .with_hint("the most is 65,536; ask with the few lines that matter"));
    }
    if !request.mode.is_ranked() && !request.filter.symbol_kinds.is_empty() {
        return Err(Error::usage("lines have no symbols")
            .with_hint("filter by kind of symbol in the modes hybrid, keyword and semantic"));
    }
    if request.limit == Some(0) {
        return Err(Error::usage("a limit of 0 asks for nothing").with_hint("give -k 1 or more"));
    }
    Ok(())
}

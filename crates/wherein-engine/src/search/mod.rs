//! The read story: a question and one immutable generation → hits.
//!
//! `search` tells it in one function: query, filter, retrieve, rank, present. Same generation and same question
//! give the same order, on any machine and thread count.

mod explain;
mod filter;
mod grep;
mod lexical;
mod literal;
mod query;
mod rank;
mod snippet;

use std::path::Path;

use crate::error::{Error, Result};
use crate::model::{Hit, Mode, SkipCounts};
use crate::request::{Answer, SearchRequest};
use crate::store::Generation;

/// Hits of a ranked mode where the request sets no limit.
const DEFAULT_LIMIT: usize = 10;

/// What a search reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corpus<'a> {
    pub(crate) root: &'a Path,
    pub(crate) generation: &'a Generation,
}

/// Answers `request`. Freshness, skip counts and refresh notices are the caller's.
pub(crate) fn search(corpus: Corpus<'_>, request: &SearchRequest) -> Result<Answer> {
    check(request)?;
    let allowed = filter::allowed_files(corpus.generation, &request.filter)?;
    let (hits, n_matches) = match request.mode {
        Mode::Keyword | Mode::Hybrid | Mode::Semantic => keyword(corpus, request, &allowed)?,
        Mode::Exact | Mode::Regex => grep::search(corpus, request, &allowed)?,
    };
    Ok(Answer {
        query: request.text.clone(),
        mode: request.mode,
        model: None,
        generation: corpus.generation.manifest.generation,
        hits,
        n_matches,
        degraded: Vec::new(),
        skipped: SkipCounts::default(),
    })
}

/// Ranked by words and identifiers.
fn keyword(
    corpus: Corpus<'_>,
    request: &SearchRequest,
    allowed: &[bool],
) -> Result<(Vec<Hit>, u64)> {
    let query = query::parse(&request.text);
    let literal = literal::Literals::find(corpus, &query.literals, allowed)?;
    if query.is_empty() && query.literals.len() < 2 {
        return literal.hits(corpus, request, allowed);
    }
    let terms = lexical::resolve(corpus.generation, &query)?;
    let accepts = |file_idx: usize, start: u32, end: u32| {
        allowed[file_idx] && literal.accepts(file_idx, start, end)
    };
    let gate = lexical::Gate { accepts: &accepts, without_terms: !query.literals.is_empty() };
    let found = lexical::retrieve(corpus.generation, &terms, &gate)?;
    let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
    let ranked = rank::rank(corpus.generation, &query, &terms, &found, limit);
    let mut hits = rank::present(corpus.generation, ranked);
    if request.explain {
        explain::explain(corpus.generation, &terms, &mut hits)?;
    }
    if request.snippets {
        let mut marker = snippet::Marker::new(&query, &terms);
        snippet::fill(corpus, &mut marker, request.context, &mut hits);
    }
    Ok((hits.into_iter().map(|ranked| ranked.hit).collect(), found.len() as u64))
}

fn check(request: &SearchRequest) -> Result<()> {
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
    if request.limit == Some(0) {
        return Err(Error::usage("a limit of 0 asks for nothing").with_hint("give -k 1 or more"));
    }
    Ok(())
}

//! What a question needs of an index whose files lie elsewhere, before any of them is there.
//!
//! Must not need a file.

use super::lexical::{self, WeightedTerm};
use super::{filter, places, query, rank};
use crate::error::Result;
use crate::model::{Candidate, Mode};
use crate::published::CandidateFilter;
use crate::request::SearchRequest;
use crate::store::Generation;

/// What to ask a collection for.
pub(crate) struct Wanted {
    /// The terms of the question that some chunk has, or what stands in for them.
    pub(crate) terms: Vec<WeightedTerm>,
    /// Positions of the files that it names.
    pub(crate) mentioned: Vec<usize>,
    /// One flag for each file of the table.
    pub(crate) allowed: Vec<bool>,
    /// The same as a condition.
    pub(crate) filter: CandidateFilter,
    /// Whether parts of the question are quoted.
    pub(crate) has_literals: bool,
}

/// The candidates of a list whose files a search reads: those that it may propose, look at again, or show.
pub(crate) fn looked_at(
    generation: &Generation,
    request: &SearchRequest,
    list: &[Candidate],
) -> Vec<Candidate> {
    let n_shown = request.limit.unwrap_or(super::DEFAULT_LIMIT) + 2 * super::copies::SPARE;
    let n_proposed = request.best_lines.n_candidates + MARGIN;
    match request.mode {
        // By the plain cosine, whatever kind a file is of.
        Mode::Semantic => {
            let n = n_shown.max(2 * request.best_lines.n_candidates);
            list.iter().take(n).copied().collect()
        }
        _ => rank::first(generation, &query::parse(&request.text), list, n_shown.max(n_proposed)),
    }
}

/// How many more are looked at than are proposed: the order of a server by words is nearly that of the ranking.
const MARGIN: usize = 50;

/// What `request` needs of a generation.
pub(crate) fn wanted(generation: &Generation, request: &SearchRequest) -> Result<Wanted> {
    let allowed = filter::allowed_files(generation, &request.filter)?;
    let filter = filter::pushed(generation, &request.filter)?;
    let query = query::parse(&request.text);
    let terms = lexical::resolve(generation, &query)?;
    let mentioned = places::mentioned(generation, &query.question).files.into_iter();
    let mentioned = mentioned.map(|(file_idx, _)| file_idx).collect();
    let has_literals = !query.literals.is_empty();
    Ok(Wanted { terms, mentioned, allowed, filter, has_literals })
}

/// The terms of a question as they are, where nobody knows yet which of them there are.
pub(crate) fn unresolved(text: &str) -> Vec<WeightedTerm> {
    let terms = query::parse(text).terms.into_iter();
    let plain = |term: query::QueryTerm| WeightedTerm {
        text: term.text,
        channel: term.channel,
        weight: term.weight,
        plain: term.weight,
        word: None,
    };
    terms.map(plain).collect()
}

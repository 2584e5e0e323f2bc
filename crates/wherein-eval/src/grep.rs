//! Counts the lines that `grep -i -F TEXT` finds in the files that are searched.
//!
//! The engine's exact mode does the search, so that grep and the ranked modes see the same files. Nothing
//! here ranks.

use wherein_engine::{Engine, Filter, Mode, SearchRequest};

use crate::suite::{GrepCounts, Question};

/// Counts the lines of a question's phrase and word.
pub(crate) fn counts(
    engine: &Engine,
    filter: &Filter,
    question: &Question,
) -> wherein_engine::Result<GrepCounts> {
    let count = |text: &Option<String>| match text.as_deref() {
        None | Some("") => Ok(None),
        Some(text) => n_lines(engine, filter, text).map(Some),
    };
    Ok(GrepCounts { phrase: count(&question.grep_phrase)?, word: count(&question.grep_word)? })
}

fn n_lines(engine: &Engine, filter: &Filter, text: &str) -> wherein_engine::Result<u64> {
    let request = SearchRequest {
        mode: Mode::Exact,
        filter: filter.clone(),
        // The count is wanted, not the places; `n_matches` is taken before the limit.
        limit: Some(1),
        ignore_case: true,
        snippets: false,
        ..SearchRequest::new(text)
    };
    engine.search(&request).map(|answer| answer.n_matches)
}

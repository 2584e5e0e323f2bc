//! Quoted parts of a question: every result contains them, or there is none.
//!
//! Looked for in the files as they are now, case included, like `grep -F`.

use std::collections::BTreeMap;

use super::{Corpus, DEFAULT_LIMIT, grep};
use crate::error::Result;
use crate::model::{Hit, Mode};
use crate::request::SearchRequest;

/// For each literal, the lines of each file that hold it.
#[derive(Debug, Default)]
pub(super) struct Literals {
    lines: Vec<BTreeMap<usize, Vec<u32>>>,
    texts: Vec<String>,
}

impl Literals {
    /// Looks for them; `request` says who may end that early.
    pub(super) fn find(
        corpus: Corpus<'_>,
        request: &SearchRequest,
        texts: &[String],
        allowed: &[bool],
    ) -> Result<Literals> {
        let wish = request.cancel.as_ref();
        let lines: Result<Vec<_>> =
            texts.iter().map(|text| grep::lines_with(corpus, text, allowed, wish)).collect();
        Ok(Literals { lines: lines?, texts: texts.to_vec() })
    }

    /// Whether each literal stands somewhere on these lines of the file.
    pub(super) fn accepts(&self, file_idx: usize, start: u32, end: u32) -> bool {
        self.lines.iter().all(|by_file| {
            let lines = by_file.get(&file_idx).map_or(&[][..], Vec::as_slice);
            lines.iter().any(|line| (start..=end).contains(line))
        })
    }

    /// The lines themselves: the answer to a question that is nothing but punctuation in quotes.
    pub(super) fn hits(
        &self,
        corpus: Corpus<'_>,
        request: &SearchRequest,
        allowed: &[bool],
    ) -> Result<(Vec<Hit>, u64)> {
        let [text] = self.texts.as_slice() else {
            return Ok((Vec::new(), 0));
        };
        let exact = SearchRequest {
            text: text.clone(),
            mode: Mode::Exact,
            limit: Some(request.limit.unwrap_or(DEFAULT_LIMIT)),
            ignore_case: false,
            ..request.clone()
        };
        grep::search(corpus, &exact, allowed)
    }
}

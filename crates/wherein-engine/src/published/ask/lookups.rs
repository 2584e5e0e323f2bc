//! What look-ups of names and files need of a published index: the files that have what is asked for. Must not rank.

use super::{Remote, position, without_files};
use crate::error::Result;
use crate::published::CandidateQuestion;
use crate::request::SearchRequest;
use crate::search;
use crate::store::Generation;

impl Remote {
    /// The files at these positions of the file table, whatever was asked.
    pub(crate) fn files(
        &self,
        choose: &dyn Fn(&Generation) -> Result<Vec<usize>>,
    ) -> Result<(Generation, Vec<String>)> {
        self.at_last(|opened| {
            let files = choose(&without_files(&opened.catalogue))?;
            self.with_files(opened, files, self.end())
        })
    }

    /// The positions of the files that define one of these names, by their tokens, and whether there may be more.
    pub(crate) fn defining(
        &self,
        bare: &Generation,
        (name, tokens): (&str, &[String]),
        limit: usize,
    ) -> Result<(Vec<usize>, bool)> {
        let paths = self.collection.defining(&self.ask.repository, (name, tokens), limit)?;
        let files = paths.iter().filter_map(|path| position(bare, path)).collect();
        Ok((files, paths.len() >= limit))
    }

    /// The positions of the files of the first `limit` chunks that have the terms of a text, and whether there may be more.
    pub(crate) fn having(
        &self,
        bare: &Generation,
        request: &SearchRequest,
        limit: usize,
    ) -> Result<(Vec<usize>, bool)> {
        let wanted = search::wanted(bare, request)?;
        let sparse = self.ask.sparse.question(&request.text, &wanted.terms)?;
        let mut filter = wanted.filter;
        filter.repositories = vec![self.ask.repository.clone()];
        let question = CandidateQuestion {
            sparse: Some(sparse).filter(|sparse| !sparse.is_empty()),
            limit,
            filter,
            deadline: self.ask.deadline,
            ..CandidateQuestion::default()
        };
        if question.sparse.is_none() {
            return Ok((Vec::new(), false));
        }
        let found = self.collection.candidates(&question)?.by_words;
        let files = found.iter().filter_map(|found| position(bare, &found.path)).collect();
        Ok((files, found.len() >= limit))
    }
}

//! Why a place is not higher for a question: finds the place in the index, then lets the search tell.
//!
//! Must not rank: `search/why_not.rs` follows the road of a search.

use std::path::Path;

use super::Engine;
use crate::error::{Error, Result};
use crate::request::{SearchRequest, Why, WhyPlace};
use crate::search::{self, Asked};

impl Engine {
    /// Says where a place stands for a question, and why it is not higher. `path` is absolute or relative to the root;
    /// `lines` are 1-based and inclusive, and without them the best chunk of the file is meant. The limit of the request
    /// does not matter.
    ///
    /// # Errors
    /// Those of [`Engine::search`]; [`crate::ErrorKind::Usage`] for a file that is not there, a folder, a line past the end
    /// or one that no chunk covers.
    pub fn why_not(
        &self,
        request: &SearchRequest,
        path: &Path,
        lines: Option<(u32, u32)>,
    ) -> Result<WhyPlace> {
        search::check(request)?;
        let why = self.why(path)?;
        let parts = why.path.split('/').filter(|part| !part.is_empty() && *part != ".");
        let path = parts.collect::<Vec<_>>().join("/");
        let (generation, epoch, crew) = self.at_hand()?;
        let files = &generation.manifest.files;
        let found = files.iter().position(|entry| entry.path.text == path);
        let known = found.filter(|at| generation.source_file(*at).is_some());
        let mut told = match known {
            None => search::not_searched(request, &path, lines, self.hidden(&why, &path)?),
            Some(file_idx) => {
                let corpus = self.corpus(&generation, &epoch, &crew);
                let (meaning, lack) = self.meaning(&generation, request)?;
                let (reranker, trouble) = self.reranker(request)?;
                let asked = Asked { path: &path, file_idx, lines };
                let (by_meaning, by_touch) = (meaning.as_ref(), reranker.as_ref());
                let mut told = search::why_not(corpus, request, asked, by_meaning, by_touch)?;
                told.degraded.extend(lack.into_iter().chain(trouble));
                told
            }
        };
        if !generation.manifest.complete {
            told.degraded.push("the first index is not finished".to_owned());
        }
        Ok(told)
    }

    /// Why the index does not have a file.
    fn hidden(&self, why: &Why, path: &str) -> Result<String> {
        if why.reason.as_deref() == Some("missing") {
            return Err(Error::usage(format!("there is no file {path}"))
                .with_hint("name a file as results show it, with a line: src/config.rs:12"));
        }
        if self.scan.root.join(path).is_dir() {
            return Err(Error::usage(format!("{path} is a folder"))
                .with_hint("name a file, or one of its lines: src/config.rs:12"));
        }
        Ok(match why.searched {
            true => "the index does not have it yet; ask without --no-refresh".to_owned(),
            false => format!("it is not searched: {}", why.rule),
        })
    }
}

//! The facade: one engine per root. Thin; each method tells which stage does the work.

use std::path::Path;

use crate::error::Result;
use crate::request::{Answer, EngineOptions, Event, RefreshReport, SearchRequest, Status, Why};

/// A folder that can be searched, with its index.
#[derive(Debug)]
pub struct Engine {
    options: EngineOptions,
}

impl Engine {
    /// Opens the engine for one root. Makes no index; fails when the root is missing or unreadable.
    pub fn open(options: EngineOptions) -> Result<Engine> {
        Ok(Engine { options })
    }
    /// The canonical root.
    pub fn root(&self) -> &Path {
        &self.options.root
    }
    /// Makes the index true to the tree. `progress` may be called from several threads.
    pub fn refresh(&self, _progress: &(dyn Fn(Event) + Sync)) -> Result<RefreshReport> {
        Err(crate::Error::bug("not built yet"))
    }
    /// Answers from the current generation.
    pub fn search(&self, _request: &SearchRequest) -> Result<Answer> {
        Err(crate::Error::bug("not built yet"))
    }
    /// The state of the index, compared with the tree.
    pub fn status(&self) -> Result<Status> {
        Err(crate::Error::bug("not built yet"))
    }
    /// Says which rule decides whether `path` (absolute or relative to the root) is searched.
    pub fn why(&self, _path: &Path) -> Result<Why> {
        Err(crate::Error::bug("not built yet"))
    }
    /// Removes the index folder of this root.
    pub fn remove_index(&self) -> Result<()> {
        Err(crate::Error::bug("not built yet"))
    }
}

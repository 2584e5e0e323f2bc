//! What an evaluation is told: which suite, of which code, and how. Plain data.

use std::path::PathBuf;
use std::sync::Arc;

use wherein_engine::{Embedder, Engine, Event, Fusion, Mode, Profile, VectorEncoding};

use crate::checkout::Checkouts;

/// What to ask, of which code, and how.
#[derive(Debug, Clone)]
pub struct EvalOptions {
    /// The suite's file.
    pub suite: PathBuf,
    /// Where the repositories lie.
    pub checkouts: Checkouts,
    /// The folder that holds index folders; indexes with vectors lie below its `eval`.
    pub index_base: PathBuf,
    /// How questions are answered.
    pub mode: Mode,
    /// How files are cut.
    pub profile: Profile,
    /// Folders, files or globs, relative to each repository's root, that alone may answer; empty for all.
    pub paths: Vec<String>,
    /// Where to write the results, one line a question.
    pub results: Option<PathBuf>,
    /// What compares meanings; none for the modes that go by words.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// What compares the first places again, embedding only those; none for the modes without it.
    pub reranker: Option<Arc<dyn Embedder>>,
    /// How vectors are kept; none for what is usual for the model.
    pub encoding: Option<VectorEncoding>,
    /// How hybrid mode makes one list of two.
    pub fusion: Option<Fusion>,
    /// Worker threads; none takes one per core.
    pub threads: Option<usize>,
    /// Where indexes are kept instead of their folders; none asks the folders.
    pub elsewhere: Option<Arc<dyn Elsewhere>>,
}

/// A place that takes the index of a repository and answers in its stead.
pub trait Elsewhere: std::fmt::Debug + Send + Sync {
    /// An engine that answers from there what `engine`, whose index is true to its tree, would answer.
    ///
    /// # Errors
    /// Those of the place.
    fn take(
        &self,
        engine: Engine,
        repository: &str,
        events: &(dyn Fn(Event) + Sync),
    ) -> wherein_engine::Result<Engine>;
}

impl EvalOptions {
    /// The engine's defaults, for a suite, its checkouts and a folder for indexes.
    pub fn new(suite: PathBuf, checkouts: Checkouts, index_base: PathBuf) -> EvalOptions {
        EvalOptions {
            suite,
            checkouts,
            index_base,
            mode: Mode::default(),
            profile: Profile::default(),
            paths: Vec::new(),
            results: None,
            embedder: None,
            reranker: None,
            encoding: None,
            fusion: None,
            threads: None,
            elsewhere: None,
        }
    }
}

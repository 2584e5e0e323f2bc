//! The generation that questions are answered from: kept between them, and opened anew once this engine has committed
//! another.
//!
//! A refresh that is under way commits several times, and the next question answers from the last of them. Must not read
//! the manifest for a question where nothing was committed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::Result;
use crate::model::SkipCounts;
use crate::store::Generation;

/// What is kept between calls.
#[derive(Debug, Default)]
pub(super) struct Opened {
    kept: Mutex<Kept>,
    /// Held while a generation is opened, so that those who ask meanwhile do not open it as well.
    opening: Mutex<()>,
    /// What this engine has committed or removed so far.
    n_commits: AtomicU64,
}

#[derive(Debug, Default)]
struct Kept {
    generation: Option<Arc<Generation>>,
    /// How many commits it has seen: with fewer than there are it is not the last.
    as_of: u64,
    /// What the last scan left out.
    skipped: Option<SkipCounts>,
}

impl Opened {
    /// How many commits there are: what is read from here on has seen them.
    pub(super) fn n_commits(&self) -> u64 {
        self.n_commits.load(Ordering::Acquire)
    }

    /// Counts a commit; the count with it.
    pub(super) fn count_commit(&self) -> u64 {
        self.n_commits.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// The last generation, which `open` opens where it is not at hand.
    pub(super) fn get(&self, open: impl FnOnce() -> Result<Generation>) -> Result<Arc<Generation>> {
        if let Some(last) = self.last() {
            return Ok(last);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = self.last() {
            return Ok(last);
        }
        let as_of = self.n_commits();
        Ok(self.put(open()?, as_of))
    }

    fn last(&self) -> Option<Arc<Generation>> {
        let kept = self.kept();
        kept.generation.as_ref().filter(|_| kept.as_of == self.n_commits()).map(Arc::clone)
    }

    /// Keeps a generation that has seen `as_of` commits, unless a later one is kept; gives what is kept.
    pub(super) fn put(&self, generation: Generation, as_of: u64) -> Arc<Generation> {
        let mut kept = self.kept();
        if let Some(known) = kept.generation.clone() {
            // The one that was read first has worked out more; a later one is another's.
            let is_same = known.manifest == generation.manifest;
            if is_same || kept.as_of > as_of {
                kept.as_of = kept.as_of.max(as_of);
                return known;
            }
        }
        let generation = Arc::new(generation);
        (kept.generation, kept.as_of) = (Some(Arc::clone(&generation)), as_of);
        generation
    }

    /// Lets go of what is kept, which is gone or about to go.
    pub(super) fn forget(&self) {
        self.count_commit();
        self.kept().generation = None;
    }

    /// What the last scan left out; `None` before there was one.
    pub(super) fn skipped(&self) -> Option<SkipCounts> {
        self.kept().skipped.clone()
    }

    pub(super) fn set_skipped(&self, skipped: SkipCounts) {
        self.kept().skipped = Some(skipped);
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

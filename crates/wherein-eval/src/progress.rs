//! What is said of a long evaluation while it runs. Data only.

use wherein_engine::Event;

/// One step of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A repository's index is brought up to date.
    Index(Event),
    /// Answers so far.
    Asked {
        /// Answers that there are.
        n_done: usize,
        /// Answers that there will be.
        n_total: usize,
    },
}

/// Takes steps, from any thread.
pub type OnStep<'a> = &'a (dyn Fn(Step) + Sync);

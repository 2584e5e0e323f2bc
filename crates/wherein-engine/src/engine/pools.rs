//! The threads of an engine: one pool for questions, another for refreshes, each started when it is first needed.
//!
//! In one pool a question would wait for what a refresh has handed out before it. Must not start a thread for an engine
//! that is only opened.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};

/// More threads than this are never started.
const MAX_THREADS: usize = 128;

/// The pools of one engine.
#[derive(Debug)]
pub(super) struct Pools {
    n_threads: usize,
    questions: OnceLock<ThreadPool>,
    refreshes: OnceLock<ThreadPool>,
}

impl Pools {
    /// Pools of so many threads each; `None` takes one per core.
    pub(super) fn new(n_threads: Option<usize>) -> Pools {
        // 0 takes one per core; thousands only fight for the same cores.
        let n_threads = n_threads.unwrap_or(0).min(MAX_THREADS);
        Pools { n_threads, questions: OnceLock::new(), refreshes: OnceLock::new() }
    }

    /// For whatever answers somebody who waits.
    pub(super) fn questions(&self) -> Result<&ThreadPool> {
        self.started(&self.questions)
    }

    /// For whatever makes an index true to its tree, or compares the two.
    pub(super) fn refreshes(&self) -> Result<&ThreadPool> {
        self.started(&self.refreshes)
    }

    fn started<'p>(&self, pool: &'p OnceLock<ThreadPool>) -> Result<&'p ThreadPool> {
        if let Some(pool) = pool.get() {
            return Ok(pool);
        }
        let started = ThreadPoolBuilder::new().num_threads(self.n_threads).build();
        let started = started.map_err(|e| Error::bug(format!("cannot start threads: {e}")))?;
        Ok(pool.get_or_init(|| started))
    }
}

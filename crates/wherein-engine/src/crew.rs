//! Who does the work: one pool of threads for questions, another for refreshes, each started when it is first needed.
//!
//! In one pool a question would wait for what a refresh has handed out before it. And a question that is not alone works on
//! the thread that asks: to share out small pieces costs more than they do. Must not change what is found.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};

/// More threads than this are never started.
const MAX_THREADS: usize = 128;

/// The threads of one engine.
#[derive(Debug)]
pub(crate) struct Pools {
    n_threads: usize,
    questions: OnceLock<ThreadPool>,
    refreshes: OnceLock<ThreadPool>,
    /// Questions that are being answered.
    n_asked: AtomicUsize,
}

impl Pools {
    /// Pools of so many threads each; `None` takes one per core.
    pub(crate) fn new(n_threads: Option<usize>) -> Pools {
        // 0 takes one per core; thousands only fight for the same cores.
        let n_threads = n_threads.unwrap_or(0).min(MAX_THREADS);
        let (questions, refreshes) = (OnceLock::new(), OnceLock::new());
        Pools { n_threads, questions, refreshes, n_asked: AtomicUsize::new(0) }
    }

    /// For whatever answers somebody who waits.
    pub(crate) fn questions(&self) -> Result<&ThreadPool> {
        self.started(&self.questions)
    }

    /// For whatever makes an index true to its tree, or compares the two.
    pub(crate) fn refreshes(&self) -> Result<&ThreadPool> {
        self.started(&self.refreshes)
    }

    /// Those who work on one question, until the value is dropped.
    pub(crate) fn crew(&self) -> Crew<'_> {
        let is_alone = self.n_asked.fetch_add(1, Ordering::Relaxed) == 0 && self.n_threads != 1;
        Crew { pools: self, is_alone }
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

/// Those who work on one question: all threads where it came alone, else the one that asks.
#[derive(Debug)]
pub(crate) struct Crew<'a> {
    pools: &'a Pools,
    is_alone: bool,
}

impl Crew<'_> {
    /// What `work` makes of each item, in their order. Items are shared out where there are at least `worth` of them.
    pub(crate) fn map<T, R>(
        &self,
        items: &[T],
        worth: usize,
        work: impl Fn(&T) -> R + Sync + Send,
    ) -> Vec<R>
    where
        T: Sync,
        R: Send,
    {
        // Without threads the work is done all the same.
        let pool = (self.is_alone && items.len() >= worth.max(2)).then(|| self.pools.questions());
        match pool {
            Some(Ok(pool)) => pool.install(|| items.par_iter().with_max_len(1).map(work).collect()),
            _ => items.iter().map(work).collect(),
        }
    }
}

impl Drop for Crew<'_> {
    fn drop(&mut self) {
        self.pools.n_asked.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_works_the_order_stays() {
        let pools = Pools::new(Some(3));
        let numbers: Vec<u64> = (0..1000).collect();
        let squares: Vec<u64> = numbers.iter().map(|n| n * n).collect();
        let first = pools.crew();
        assert_eq!(first.map(&numbers, 2, |n| n * n), squares);
        assert!(pools.questions.get().is_some());
        let second = pools.crew();
        assert!(first.is_alone && !second.is_alone, "who comes second works alone");
        assert_eq!(second.map(&numbers, 2, |n| n * n), squares);
        drop((first, second));
        assert!(pools.crew().is_alone);
        assert!(!Pools::new(Some(1)).crew().is_alone);
    }
}

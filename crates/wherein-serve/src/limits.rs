//! How many questions run at once and how many may wait: what keeps a server quick under a flood.
//!
//! A question that finds the queue full is refused at once, with the time after which it is worth trying again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wherein_engine::Cancel;

use crate::refusal::{Outcome, Refusal};
use crate::runtime::blocking;

/// When a refused question is worth trying again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How much a server does at once.
#[derive(Debug)]
pub(crate) struct Limits {
    running: Arc<Semaphore>,
    n_waiting: AtomicUsize,
    max_waiting: usize,
    deadline: Duration,
}

impl Limits {
    /// So many questions at once, or one per core, as many more waiting as `max_waiting`, none longer than `deadline`.
    pub(crate) fn new(n_running: Option<usize>, max_waiting: usize, deadline: Duration) -> Limits {
        let per_core = || std::thread::available_parallelism().map_or(2, usize::from);
        let n_running = n_running.unwrap_or_else(per_core);
        let running = Arc::new(Semaphore::new(n_running.max(1)));
        Limits { running, n_waiting: AtomicUsize::new(0), max_waiting, deadline }
    }

    /// Runs `work`, which blocks, when its turn comes; it is cancelled where nobody waits for it any longer.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Cancel) -> wherein_engine::Result<T> + Send + 'static,
    ) -> Outcome<T> {
        let cancel = Cancel::new();
        let raised = Raise(cancel.clone());
        let answered = tokio::time::timeout(self.deadline, async {
            let turn = self.turn().await?;
            let run = blocking("the search", move || {
                let done = work(cancel);
                drop(turn);
                done
            });
            Ok(run.await?)
        });
        let answered = answered.await.unwrap_or(Err(Refusal::Deadline));
        drop(raised);
        answered
    }

    async fn turn(&self) -> Outcome<OwnedSemaphorePermit> {
        if let Ok(turn) = Arc::clone(&self.running).try_acquire_owned() {
            return Ok(turn);
        }
        let waiting = Waiting::of(self)?;
        let turn = Arc::clone(&self.running).acquire_owned().await;
        drop(waiting);
        turn.map_err(|_| Refusal::Cancelled)
    }
}

/// One that waits; counted for as long as it lives, however its waiting ends.
struct Waiting<'l>(&'l AtomicUsize);

impl<'l> Waiting<'l> {
    fn of(limits: &'l Limits) -> Outcome<Waiting<'l>> {
        let n = limits.n_waiting.fetch_add(1, Ordering::SeqCst);
        let waiting = Waiting(&limits.n_waiting);
        match n < limits.max_waiting {
            true => Ok(waiting),
            false => Err(Refusal::TooMany { retry_after: RETRY_AFTER }),
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Cancels what runs when it goes, in whatever way.
struct Raise(Cancel);

impl Drop for Raise {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap()
    }

    #[test]
    fn a_full_queue_refuses_at_once_and_recovers() {
        runtime().block_on(async {
            let limits = Arc::new(Limits::new(Some(1), 1, Duration::from_secs(10)));
            let (go, wait) = std::sync::mpsc::channel::<()>();
            let busy = Arc::clone(&limits);
            let first =
                tokio::spawn(async move { busy.run(move |_| Ok(wait.recv().is_ok())).await });
            while limits.running.available_permits() > 0 {
                tokio::task::yield_now().await;
            }
            let next = Arc::clone(&limits);
            let second = tokio::spawn(async move { next.run(|_| Ok(2)).await });
            while limits.n_waiting.load(Ordering::SeqCst) == 0 {
                tokio::task::yield_now().await;
            }
            let refused = limits.run(|_| Ok(3)).await.unwrap_err();
            assert!(matches!(refused, Refusal::TooMany { .. }), "{refused:?}");
            go.send(()).unwrap();
            assert!(first.await.unwrap().unwrap());
            assert_eq!(second.await.unwrap().unwrap(), 2);
            assert_eq!(limits.run(|_| Ok(4)).await.unwrap(), 4);
        });
    }

    #[test]
    fn who_waits_too_long_is_told_and_the_work_too() {
        runtime().block_on(async {
            let limits = Limits::new(Some(1), 1, Duration::from_millis(20));
            let (told, heard) = std::sync::mpsc::channel();
            let work = move |cancel: Cancel| {
                while !cancel.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let _ = told.send(());
                Ok(())
            };
            assert!(matches!(limits.run(work).await, Err(Refusal::Deadline)));
            heard.recv_timeout(Duration::from_secs(10)).unwrap();
        });
    }
}

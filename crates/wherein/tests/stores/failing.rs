//! A collection that breaks off after so many writes, as a process does that is killed, or in which somebody else is at work.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use wherein_engine::{
    CandidateQuestion, Candidates, Collection, Error, Guard, Head, Point, PointId, Result,
};

/// Lets a number of writes through to another collection.
#[derive(Debug)]
pub(crate) struct Failing {
    inner: Arc<dyn Collection>,
    n_left: AtomicU64,
    n_writes: AtomicU64,
    /// What somebody else publishes once the first points are written.
    other: Option<Head>,
}

impl Failing {
    /// One that breaks off after `n` writes: points, commits and removed points each are one.
    pub(crate) fn after(n: u64, inner: &Arc<dyn Collection>) -> Failing {
        let inner = Arc::clone(inner);
        Failing { inner, n_left: AtomicU64::new(n), n_writes: AtomicU64::new(0), other: None }
    }

    /// One in which somebody else publishes `head` meanwhile.
    pub(crate) fn overtaken_by(head: Head, inner: &Arc<dyn Collection>) -> Failing {
        Failing { other: Some(head), ..Failing::after(u64::MAX, inner) }
    }

    /// Writes that went through.
    pub(crate) fn n_writes(&self) -> u64 {
        self.n_writes.load(Ordering::SeqCst)
    }

    /// Takes one write.
    fn take(&self) -> bool {
        let less = |n: u64| n.checked_sub(1);
        let taken = self.n_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok();
        self.n_writes.fetch_add(u64::from(taken), Ordering::SeqCst);
        taken
    }

    fn broken<T>() -> Result<T> {
        Err(Error::network("the test pulled the plug"))
    }
}

impl Collection for Failing {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn guard(&self) -> Result<Option<Guard>> {
        self.inner.guard()
    }

    fn create(&self, guard: &Guard) -> Result<()> {
        if self.take() { self.inner.create(guard) } else { Failing::broken() }
    }

    fn heads(&self) -> Result<Vec<Head>> {
        self.inner.heads()
    }

    fn n_repositories(&self) -> Result<u64> {
        self.inner.n_repositories()
    }

    fn head(&self, repository: &str) -> Result<Option<Head>> {
        self.inner.head(repository)
    }

    fn present(&self, repository: &str) -> Result<HashMap<PointId, u64>> {
        self.inner.present(repository)
    }

    fn upsert(
        &self,
        points: &mut (dyn Iterator<Item = Point> + Send),
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<u64> {
        let is_over = AtomicBool::new(false);
        let mut some = std::iter::from_fn(|| {
            let point = points.next()?;
            let is_through = self.take();
            is_over.store(!is_through, Ordering::SeqCst);
            is_through.then_some(point)
        });
        let n_written = self.inner.upsert(&mut some, done)?;
        if let Some(head) = &self.other {
            self.inner.commit(head)?;
        }
        if is_over.into_inner() { Failing::broken() } else { Ok(n_written) }
    }

    fn commit(&self, head: &Head) -> Result<()> {
        if self.take() { self.inner.commit(head) } else { Failing::broken() }
    }

    fn delete(&self, repository: &str, ids: &[PointId]) -> Result<()> {
        let n_through = ids.iter().take_while(|_| self.take()).count();
        self.inner.delete(repository, &ids[..n_through])?;
        if n_through < ids.len() { Failing::broken() } else { Ok(()) }
    }

    fn forget(&self, repository: &str) -> Result<()> {
        if self.take() { self.inner.forget(repository) } else { Failing::broken() }
    }

    fn candidates(&self, question: &CandidateQuestion) -> Result<Candidates> {
        self.inner.candidates(question)
    }

    fn blobs(&self, ids: &[PointId], deadline: Option<Duration>) -> Result<Vec<Option<Vec<u8>>>> {
        self.inner.blobs(ids, deadline)
    }

    fn defining(
        &self,
        repository: &str,
        wanted: (&str, &[String]),
        limit: usize,
    ) -> Result<Vec<String>> {
        self.inner.defining(repository, wanted, limit)
    }

    fn vectors(&self, ids: &[PointId]) -> Result<Vec<Option<Vec<f32>>>> {
        self.inner.vectors(ids)
    }
}

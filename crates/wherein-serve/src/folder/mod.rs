//! One served folder: its engine, its keeper, and what is known of it from outside.
//!
//! Questions ask [`Folder::freshen`] first. It answers at once where file events say that nothing changed, and has the
//! keeper refresh otherwise; many questions share one refresh. Must not hold a writer lock beyond one refresh.

mod keeper;
mod state;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio::sync::watch as channel;
use wherein_engine::{Error, ErrorKind};
use wherein_wire as wire;

pub(crate) use state::Snapshot;

use crate::port::{Opened, Opener};
use crate::refusal::{Outcome, Refusal};
use watch::Changes;

/// A served folder.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) root: PathBuf,
    opener: Arc<dyn Opener>,
    opened: RwLock<Arc<Opened>>,
    state: channel::Sender<Snapshot>,
    work: Mutex<Work>,
    wake: Condvar,
    done: channel::Sender<Done>,
    /// What file events told, where files are watched.
    changes: RwLock<Option<Arc<Changes>>>,
}

/// What the keeper is to do.
#[derive(Debug, Default)]
struct Work {
    /// Refreshes that were asked for: whoever asks takes the next number.
    asked: u64,
    /// Whether the next one throws the index away first.
    rebuild: bool,
    /// When file events began and ended last, since the last refresh.
    changed: Option<(Instant, Instant)>,
    closing: bool,
}

/// What the keeper has done.
#[derive(Debug, Clone, Default)]
struct Done {
    /// All refreshes asked for up to this number.
    number: u64,
    /// Why the last one failed.
    error: Option<Error>,
    /// Refreshes so far, those included that nobody asked for.
    n_refreshes: u64,
}

/// How far an index can be trusted to be true to the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// It is.
    Fresh,
    /// A refresh has not ended in time; how far it is, in words.
    Late(String),
}

impl Folder {
    /// Opens `root` and begins to keep its index true, with file events where `watches`.
    pub(crate) fn start(
        opener: Arc<dyn Opener>,
        root: PathBuf,
        watches: bool,
    ) -> wherein_engine::Result<Arc<Folder>> {
        let opened = opener.open(&root)?;
        let folder = Arc::new(Folder {
            id: id_of(&root),
            name: name_of(&root),
            root,
            opener,
            opened: RwLock::new(Arc::new(opened)),
            state: channel::channel(Snapshot::default()).0,
            work: Mutex::default(),
            wake: Condvar::new(),
            done: channel::channel(Done::default()).0,
            changes: RwLock::default(),
        });
        keeper::start(Arc::clone(&folder), watches)?;
        Ok(folder)
    }

    /// What answers now.
    pub(crate) fn opened(&self) -> Arc<Opened> {
        Arc::clone(&self.opened.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until the index is true to the tree as it was at this call, but no longer than `patience`.
    pub(crate) async fn freshen(&self, patience: Duration) -> Outcome<Freshness> {
        if let Some(changes) = self.changes()
            && changes.is_clean().await
        {
            return Ok(Freshness::Fresh);
        }
        let number = self.ask(false);
        self.wait_for(number, patience).await
    }

    /// Waits until the refresh with this number has ended.
    pub(crate) async fn wait_for(&self, number: u64, patience: Duration) -> Outcome<Freshness> {
        let mut done = self.done.subscribe();
        let ended = done.wait_for(|done| done.number >= number);
        match tokio::time::timeout(patience, ended).await {
            Ok(Ok(done)) => match done.error.clone() {
                None => Ok(Freshness::Fresh),
                // Another process is at it: what it has committed answers.
                Some(error) if error.kind() == ErrorKind::Busy => {
                    Ok(Freshness::Late(error.to_string()))
                }
                Some(error) => Err(Refusal::Engine(error)),
            },
            Ok(Err(_)) => Err(Refusal::Cancelled),
            Err(_) => Ok(Freshness::Late(self.snapshot().told())),
        }
    }

    /// Asks for a refresh; the number to wait for.
    pub(crate) fn ask(&self, rebuild: bool) -> u64 {
        let mut work = self.work();
        work.asked += 1;
        work.rebuild |= rebuild;
        self.wake.notify_all();
        work.asked
    }

    /// Stops keeping it; a refresh that runs ends by itself.
    pub(crate) fn close(&self) {
        self.work().closing = true;
        self.wake.notify_all();
        // Those who follow it learn that it is gone.
        self.state.send_modify(|_| ());
    }

    /// As it is now.
    pub(crate) fn snapshot(&self) -> Snapshot {
        self.state.borrow().clone()
    }

    /// Told of each change of the snapshot.
    pub(crate) fn subscribe(&self) -> channel::Receiver<Snapshot> {
        self.state.subscribe()
    }

    /// As the contract tells it.
    pub(crate) fn wire(&self) -> wire::Folder {
        self.snapshot().wire(&self.id, &self.name, &self.root.to_string_lossy())
    }

    /// Whether it is kept no longer.
    pub(crate) fn is_closed(&self) -> bool {
        self.work().closing
    }

    /// How often it was refreshed.
    pub(crate) fn n_refreshes(&self) -> u64 {
        self.done.borrow().n_refreshes
    }

    fn changes(&self) -> Option<Arc<Changes>> {
        self.changes.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// File events came in.
    fn changed(&self) {
        let now = Instant::now();
        let mut work = self.work();
        let first = work.changed.map_or(now, |(first, _)| first);
        work.changed = Some((first, now));
        self.wake.notify_all();
    }
}

/// The last name of a root.
fn name_of(root: &Path) -> String {
    root.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// What requests name a root by: readable, and different for different roots.
fn id_of(root: &Path) -> String {
    let mut id: String = name_of(root)
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(32)
        .collect();
    let hash = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    id.push('-');
    id.push_str(&hash[..8]);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plain_stable_and_apart() {
        let id = id_of(Path::new("/srv/me/My Project.rs"));
        assert!(id.starts_with("my-project-rs-"), "{id}");
        assert_eq!(id, id_of(Path::new("/srv/me/My Project.rs")));
        assert_ne!(id, id_of(Path::new("/srv/you/My Project.rs")));
        assert!(id_of(Path::new("/")).starts_with("root-"));
    }
}

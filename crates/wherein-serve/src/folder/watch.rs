//! File events of a tree: whether anything changed, and whether all that changed so far has been told.
//!
//! On Linux each folder that a scan looks into is watched by itself, so that ignored ones (`node_modules`, `target`) cost
//! nothing; elsewhere the root is watched as a whole and events of other folders are left out. What cannot be watched is
//! said in words and never silent. Must not read the index or decide when to refresh.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Config, Event, EventKindMask, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::watch;

/// How long the system may take to tell of what has happened already, before the tree is looked through instead.
const TELL_WITHIN: Duration = Duration::from_millis(250);

/// After more removals and renames than this all watches are set anew.
const MAX_LEFT: usize = 4096;

/// What file events have told so far.
#[derive(Debug)]
pub(super) struct Changes {
    /// Something changed since this was taken.
    dirty: AtomicBool,
    /// What was taken is being looked after: the index is not true yet.
    pending: AtomicBool,
    /// Folders may have come or gone: what is watched has to be looked through.
    moved: AtomicBool,
    /// Events may have been lost.
    lost: AtomicBool,
    /// What was removed or renamed: watches of folders there have ended, or follow them elsewhere.
    left: Mutex<HashSet<PathBuf>>,
    /// The folders that matter.
    folders: RwLock<HashSet<PathBuf>>,
    /// Our own folder: a file in it, and its event comes after all events that came before.
    beacons: tempfile::TempDir,
    lit: AtomicU64,
    seen: watch::Sender<u64>,
}

impl Changes {
    fn new() -> std::io::Result<Changes> {
        Ok(Changes {
            dirty: AtomicBool::new(true),
            pending: AtomicBool::new(false),
            moved: AtomicBool::new(true),
            lost: AtomicBool::new(false),
            left: Mutex::default(),
            folders: RwLock::default(),
            beacons: tempfile::Builder::new().prefix("wherein-watch-").tempdir()?,
            lit: AtomicU64::new(0),
            seen: watch::channel(0).0,
        })
    }

    /// Whether the index is true to the tree as it is at this call: waits until the system has told all that happened
    /// before. `false` when in doubt.
    pub(super) async fn is_clean(&self) -> bool {
        if !self.is_settled() {
            return false;
        }
        let number = self.lit.fetch_add(1, Ordering::SeqCst) + 1;
        let beacon = self.beacons.path().join(number.to_string());
        let mut seen = self.seen.subscribe();
        if std::fs::File::create(&beacon).is_err() {
            return false;
        }
        let told = seen.wait_for(|seen| *seen >= number);
        let is_told = tokio::time::timeout(TELL_WITHIN, told).await.is_ok_and(|told| told.is_ok());
        let _ = std::fs::remove_file(&beacon);
        is_told && self.is_settled()
    }

    fn is_settled(&self) -> bool {
        !self.dirty.load(Ordering::SeqCst) && !self.pending.load(Ordering::SeqCst)
    }

    /// Whatever has changed is looked after from now on.
    pub(super) fn take(&self) {
        // In this order: at no moment may it look as if nothing had changed.
        self.pending.store(true, Ordering::SeqCst);
        self.dirty.store(false, Ordering::SeqCst);
    }

    /// What was taken was looked after, or has to be once more.
    pub(super) fn settle(&self, is_done: bool) {
        if !is_done {
            self.dirty.store(true, Ordering::SeqCst);
        }
        self.pending.store(false, Ordering::SeqCst);
    }

    /// Takes an event in; whether it matters.
    fn event(&self, event: &Event) -> bool {
        if event.need_rescan() {
            self.lost.store(true, Ordering::SeqCst);
            self.moved.store(true, Ordering::SeqCst);
            self.dirty.store(true, Ordering::SeqCst);
            return true;
        }
        let (own, others): (Vec<_>, Vec<_>) =
            event.paths.iter().partition(|path| path.starts_with(self.beacons.path()));
        for path in &own {
            self.saw(path);
        }
        if !is_change(event.kind) || others.is_empty() || !self.matters(&others) {
            return false;
        }
        if may_move(event.kind, &others) {
            self.moved.store(true, Ordering::SeqCst);
            self.leave(&others);
        }
        self.dirty.store(true, Ordering::SeqCst);
        true
    }

    fn leave(&self, paths: &[&PathBuf]) {
        let mut left = self.left();
        left.extend(paths.iter().copied().cloned());
        if left.len() > MAX_LEFT {
            left.clear();
            self.lost.store(true, Ordering::SeqCst);
        }
    }

    fn left(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn saw(&self, beacon: &Path) {
        let number: Option<u64> = beacon.file_name().and_then(|name| name.to_str()?.parse().ok());
        if let Some(number) = number {
            self.seen.send_if_modified(|seen| {
                let is_newer = number > *seen;
                *seen = number.max(*seen);
                is_newer
            });
        }
    }

    /// Whether a change of one of these can change what is indexed.
    fn matters(&self, paths: &[&PathBuf]) -> bool {
        let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        let is_known = |path: &Path| folders.contains(path);
        folders.is_empty()
            || paths.iter().any(|path| is_known(path) || path.parent().is_some_and(is_known))
    }
}

/// Whether an event of this kind changes anything: reading does not.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    }
}

/// Whether folders may have come or gone, or the rules that say which ones matter.
fn may_move(kind: EventKind, paths: &[&PathBuf]) -> bool {
    let is_rule = |path: &&PathBuf| {
        path.file_name().is_some_and(|name| {
            name == ".gitignore"
                || name == ".ignore"
                || name == ".whereinignore"
                || name == "exclude"
        })
    };
    match kind {
        EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_)) | EventKind::Remove(_) => {
            paths.iter().any(|path| is_rule(path) || path.is_dir() || !path.exists())
        }
        _ => paths.iter().any(is_rule),
    }
}

/// Watches one tree for as long as it lives.
#[derive(Debug)]
pub(super) struct Watcher {
    inner: RecommendedWatcher,
    watched: HashSet<PathBuf>,
    changes: Arc<Changes>,
}

impl Watcher {
    /// Begins to watch nothing yet; `on_change` is called from another thread.
    pub(super) fn new(on_change: impl Fn() + Send + 'static) -> Result<Watcher, String> {
        let changes = Arc::new(Changes::new().map_err(|e| format!("cannot watch files: {e}"))?);
        let told = Arc::clone(&changes);
        let handle = move |event: notify::Result<Event>| {
            let matters = match event {
                Ok(event) => told.event(&event),
                Err(_) => {
                    told.event(&Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan))
                }
            };
            if matters {
                on_change();
            }
        };
        // Reading a file is no event: a search reads hundreds.
        let kinds = EventKindMask::CORE | EventKindMask::ACCESS_CLOSE;
        let config = Config::default().with_event_kinds(kinds).with_follow_symlinks(false);
        let mut inner = RecommendedWatcher::new(handle, config).map_err(|error| said(&error))?;
        inner
            .watch(changes.beacons.path(), RecursiveMode::NonRecursive)
            .map_err(|error| said(&error))?;
        Ok(Watcher { inner, watched: HashSet::new(), changes })
    }

    pub(super) fn changes(&self) -> Arc<Changes> {
        Arc::clone(&self.changes)
    }

    /// Watches what a scan looks into now, where that may have changed. To be called before the tree is read: what changes
    /// afterwards is told.
    pub(super) fn follow(
        &mut self,
        root: &Path,
        folders: impl FnOnce() -> wherein_engine::Result<Vec<PathBuf>>,
    ) -> Result<(), String> {
        if self.changes.lost.swap(false, Ordering::SeqCst) {
            self.forget();
        }
        if !self.changes.moved.swap(false, Ordering::SeqCst) {
            return Ok(());
        }
        let folders = folders().map_err(|error| format!("cannot watch files: {error}"))?;
        let mut wanted: HashSet<PathBuf> = folders.into_iter().collect();
        // Rules that stand outside the tree that is scanned.
        wanted.extend(Some(root.join(".git").join("info")).filter(|info| info.is_dir()));
        let followed = match cfg!(any(target_os = "linux", target_os = "android")) {
            true => self.each(&wanted),
            false => self.whole(root),
        };
        *self.changes.folders.write().unwrap_or_else(PoisonError::into_inner) = wanted;
        followed
    }

    /// Watches each folder by itself.
    fn each(&mut self, wanted: &HashSet<PathBuf>) -> Result<(), String> {
        let left = std::mem::take(&mut *self.changes.left());
        // A folder that was replaced by another of its name needs a new watch.
        let is_left = |folder: &PathBuf| folder.ancestors().any(|above| left.contains(above));
        let is_old = |folder: &&PathBuf| !wanted.contains(*folder) || is_left(folder);
        let old: Vec<PathBuf> = self.watched.iter().filter(is_old).cloned().collect();
        for folder in old {
            // The system may have dropped it by itself.
            let _ = self.inner.unwatch(&folder);
            self.watched.remove(&folder);
        }
        let new: Vec<PathBuf> = wanted.difference(&self.watched).cloned().collect();
        for folder in new {
            match self.inner.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(folder);
                }
                Err(error) if is_gone(&error) => self.changes.moved.store(true, Ordering::SeqCst),
                Err(error) => return Err(said(&error)),
            }
        }
        Ok(())
    }

    /// Watches the root with all below.
    fn whole(&mut self, root: &Path) -> Result<(), String> {
        if self.watched.insert(root.to_path_buf()) {
            self.inner.watch(root, RecursiveMode::Recursive).map_err(|error| said(&error))?;
        }
        Ok(())
    }

    /// Drops all watches, to set them anew.
    fn forget(&mut self) {
        for folder in self.watched.drain() {
            let _ = self.inner.unwatch(&folder);
        }
    }
}

fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound => true,
        notify::ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

/// Why files cannot be watched, with what helps.
fn said(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the system's limit of watched folders is reached (fs.inotify.max_user_watches): each \
             question looks for changes instead"
                .to_owned()
        }
        notify::ErrorKind::Io(error) if error.raw_os_error() == Some(24) => {
            "the system's limit of watchers is reached (fs.inotify.max_user_instances): each question \
             looks for changes instead"
                .to_owned()
        }
        _ => format!("cannot watch files ({error}): each question looks for changes instead"),
    }
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;

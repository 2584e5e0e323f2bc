//! The thread that keeps one index true: it waits for file events or for somebody who asks, and refreshes.
//!
//! Events are gathered until they pause, so that a branch switch of thousands of files is one refresh; a question does not
//! wait for the pause. Where files cannot be watched, the tree is looked through again and again, and the folder says why.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use wherein_engine::{Engine, Error, ErrorKind, RefreshReport, Result};
use wherein_wire::{FolderState, FolderSummary, FolderWatch};

use super::state::Meter;
use super::watch::Watcher;
use super::{Done, Folder};

/// A pause in events this long ends their gathering.
const PAUSE: Duration = Duration::from_millis(150);
/// Events are gathered no longer than this.
const GATHER: Duration = Duration::from_secs(2);
/// Watched trees are looked through this often all the same: no system promises every event.
const LOOK_AGAIN: Duration = Duration::from_secs(300);
/// Trees that cannot be watched are looked through this often, or less where a look takes long.
const LOOK: Duration = Duration::from_secs(5);
/// The share of its time that looking may take: one part in this many.
const LOOK_SHARE: u32 = 20;

/// Starts the keeper of `folder`.
pub(super) fn start(folder: Arc<Folder>, watches: bool) -> Result<()> {
    let keeper = std::thread::Builder::new().name(format!("keep {}", folder.name));
    let started = keeper.spawn(move || Keeper::new(folder, watches).run());
    started.map(drop).map_err(|error| Error::bug(format!("cannot start a thread: {error}")))
}

struct Keeper {
    folder: Arc<Folder>,
    /// Whether files are to be watched.
    watches: bool,
    watcher: Option<Watcher>,
    /// Whether the root was gone when it was looked for last.
    is_gone: bool,
    /// How long the last refresh took.
    took: Duration,
    generation: u64,
}

/// What ends a wait.
enum Call {
    /// Somebody asks, or events have paused.
    Refresh {
        number: u64,
        rebuild: bool,
    },
    Close,
}

impl Keeper {
    fn new(folder: Arc<Folder>, watches: bool) -> Keeper {
        Keeper {
            folder,
            watches,
            watcher: None,
            is_gone: false,
            took: Duration::ZERO,
            generation: 0,
        }
    }

    fn run(mut self) {
        self.watch();
        while let Call::Refresh { number, rebuild } = self.wait() {
            self.follow();
            let started = Instant::now();
            let refreshed = self.refresh(rebuild);
            self.took = started.elapsed();
            self.publish(number, refreshed);
        }
    }

    /// Begins to watch, or says why not.
    fn watch(&mut self) {
        if !self.watches {
            let note = Some("not asked to: each question looks for changes".to_owned());
            self.tell(FolderWatch { active: false, note });
            return;
        }
        let folder = Arc::downgrade(&self.folder);
        let on_change = move || {
            if let Some(folder) = folder.upgrade() {
                folder.changed();
            }
        };
        match Watcher::new(on_change) {
            Ok(watcher) => {
                self.watcher = Some(watcher);
                self.tell(FolderWatch { active: true, note: None });
            }
            Err(note) => self.give_up(note),
        }
    }

    /// Has the watcher follow the tree, before the tree is read.
    fn follow(&mut self) {
        if self.is_gone && self.folder.root.is_dir() {
            self.is_gone = false;
            self.watch();
        }
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        let opened = self.folder.opened();
        match watcher.follow(&self.folder.root, || opened.engine.folders()) {
            Ok(()) => self.set_changes(),
            Err(note) => self.give_up(note),
        }
    }

    /// Nobody watches from now on.
    fn give_up(&mut self, note: String) {
        self.watcher = None;
        self.set_changes();
        self.tell(FolderWatch { active: false, note: Some(note) });
    }

    fn set_changes(&self) {
        let changes = self.watcher.as_ref().map(Watcher::changes);
        *self.folder.changes.write().unwrap_or_else(PoisonError::into_inner) = changes;
    }

    fn tell(&self, watch: FolderWatch) {
        self.folder.state.send_modify(|snapshot| snapshot.watch = watch);
    }

    /// Waits for the next refresh that is due.
    fn wait(&self) -> Call {
        let began = Instant::now();
        let idle = match (&self.watcher, self.watches) {
            (Some(_), _) => Some(LOOK_AGAIN),
            (None, true) => Some(LOOK.max(self.took * LOOK_SHARE)),
            (None, false) => None,
        };
        let mut work = self.folder.work();
        loop {
            if work.closing {
                return Call::Close;
            }
            let due = match work.changed {
                _ if work.asked > self.folder.done.borrow().number => Some(began),
                Some((first, last)) => Some((last + PAUSE).min(first + GATHER)),
                None => idle.map(|idle| began + idle),
            };
            let now = Instant::now();
            if due.is_some_and(|due| due <= now) {
                work.changed = None;
                let rebuild = std::mem::take(&mut work.rebuild);
                return Call::Refresh { number: work.asked, rebuild };
            }
            let left = due.map_or(LOOK_AGAIN, |due| due - now);
            let waited = self.folder.wake.wait_timeout(work, left);
            work = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Makes the index true; once more with what the folder is opened with now, where another process changed its model.
    fn refresh(&mut self, rebuild: bool) -> Result<RefreshReport> {
        if let Some(changes) = self.folder.changes() {
            changes.take();
        }
        let refreshed = self.once(&self.folder.opened().engine, rebuild);
        let is_stale = match &refreshed {
            Err(error) => error.kind() == ErrorKind::ModelMismatch,
            // Somebody else's generation may be of another model.
            Ok(report) => {
                report.generation != self.generation
                    && self.folder.opener.models(&self.folder.root) != self.folder.opened().models
            }
        };
        if !is_stale {
            return refreshed;
        }
        let opened = self.folder.opener.open(&self.folder.root)?;
        *self.folder.opened.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(opened);
        self.once(&self.folder.opened().engine, false)
    }

    fn once(&self, engine: &Engine, rebuild: bool) -> Result<RefreshReport> {
        let meter = Mutex::new(Meter::default());
        let state = &self.folder.state;
        let progress = |event| {
            meter.lock().unwrap_or_else(PoisonError::into_inner).event(event, state);
        };
        match rebuild {
            true => engine.rebuild(&progress),
            false => engine.refresh(&progress),
        }
    }

    /// Tells those who wait, then what the index holds now.
    fn publish(&mut self, number: u64, refreshed: Result<RefreshReport>) {
        let error = refreshed.as_ref().err().cloned();
        if let Some(changes) = self.folder.changes() {
            changes.settle(error.is_none());
        }
        self.folder.state.send_modify(|snapshot| {
            snapshot.progress = None;
            snapshot.error.clone_from(&error);
            snapshot.state = if error.is_some() { FolderState::Failed } else { FolderState::Ready };
            if error.is_none() {
                snapshot.checked = Some(SystemTime::now());
            }
        });
        self.folder.done.send_modify(|done| {
            *done = Done { number, error, n_refreshes: done.n_refreshes + 1 };
        });
        let Ok(report) = refreshed else {
            self.pause_after_failure();
            return;
        };
        let is_known = self.folder.snapshot().summary.is_some();
        if report.generation != self.generation || !is_known {
            self.generation = report.generation;
            self.summarise(&report);
        }
    }

    /// A root that is gone may come back as another folder of the same name, which has to be watched anew.
    fn pause_after_failure(&mut self) {
        if self.watcher.is_some() && !self.folder.root.is_dir() {
            (self.watcher, self.is_gone) = (None, true);
            self.set_changes();
            let note = Some("the folder is gone: it is looked for again and again".to_owned());
            self.tell(FolderWatch { active: false, note });
        }
    }

    fn summarise(&self, report: &RefreshReport) {
        if let Ok(status) = self.folder.opened().engine.status_after(report) {
            let summary = Arc::new(FolderSummary::from(status));
            self.folder.state.send_modify(|snapshot| snapshot.summary = Some(summary));
        }
    }
}

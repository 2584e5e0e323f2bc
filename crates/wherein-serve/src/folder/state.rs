//! What is known of a folder from outside: state, progress, summary. Published as one value, so that whoever looks sees
//! things that belong together.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::watch;
use wherein_engine::{Error, Event};
use wherein_wire as wire;
use wherein_wire::{FolderProgress, FolderState, FolderSummary, FolderWatch};

/// Bars need no more.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// A folder as it was at one moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Snapshot {
    pub(crate) state: FolderState,
    pub(crate) progress: Option<FolderProgress>,
    pub(crate) watch: FolderWatch,
    pub(crate) checked: Option<SystemTime>,
    pub(crate) error: Option<Error>,
    pub(crate) summary: Option<Arc<FolderSummary>>,
}

impl Snapshot {
    /// The contract's form.
    pub(crate) fn wire(&self, id: &str, name: &str, root: &str) -> wire::Folder {
        let unix = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).ok();
        wire::Folder {
            id: id.to_owned(),
            name: name.to_owned(),
            root: root.to_owned(),
            state: self.state,
            progress: self.progress.clone(),
            watch: self.watch.clone(),
            checked_ms: self.checked.and_then(unix).map(|since| since.as_millis() as u64),
            error: self.error.as_ref().map(|error| wire::ErrorObject::from(error).error),
            summary: self.summary.as_deref().cloned(),
        }
    }

    /// How far a first index is, in words.
    pub(crate) fn told(&self) -> String {
        match (&self.progress, self.state) {
            (Some(progress), _) if progress.total > 0 => {
                format!("indexing, {} %", progress.percent)
            }
            (_, FolderState::Waiting) => {
                "waiting for another process that writes the index".to_owned()
            }
            _ => "indexing".to_owned(),
        }
    }
}

/// Turns the events of a refresh into progress, not more often than anybody looks.
#[derive(Debug)]
pub(super) struct Meter {
    progress: FolderProgress,
    published: Option<Instant>,
}

impl Default for Meter {
    fn default() -> Meter {
        let progress = FolderProgress { stage: "scanning", done: 0, total: 0, percent: 0 };
        Meter { progress, published: None }
    }
}

impl Meter {
    /// Takes an event in, and publishes what changed.
    pub(super) fn event(&mut self, event: Event, state: &watch::Sender<Snapshot>) {
        let progress = &mut self.progress;
        match event {
            Event::WaitingForWriter => {
                state.send_modify(|snapshot| snapshot.state = FolderState::Waiting);
                return;
            }
            Event::Planned { n_bytes, .. } => {
                (progress.stage, progress.done, progress.total) = ("files", 0, n_bytes);
            }
            Event::Indexed { n_bytes, .. } => progress.done = n_bytes,
            Event::EmbedPlanned { n_chunks } => {
                (progress.stage, progress.done, progress.total) = ("embedding", 0, n_chunks);
            }
            Event::Embedded { n_chunks } => progress.done = n_chunks,
            _ => return,
        }
        let of_total = |done: u64| done.min(progress.total) * 100 / progress.total.max(1);
        progress.percent = of_total(progress.done) as u32;
        if self.published.is_none_or(|at| at.elapsed() >= PROGRESS_EVERY) {
            self.published = Some(Instant::now());
            let progress = self.progress.clone();
            state.send_modify(|snapshot| {
                // Nothing to do is no work: most refreshes find nothing.
                if progress.total > 0 {
                    snapshot.state = FolderState::Indexing;
                    snapshot.progress = Some(progress);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_of_a_hundred_and_nothing_to_do_is_no_progress() {
        let (state, _) = watch::channel(Snapshot::default());
        let mut meter = Meter::default();
        meter.event(Event::Planned { n_files: 0, n_bytes: 0 }, &state);
        assert_eq!(state.borrow().state, FolderState::Waiting);
        let mut meter = Meter::default();
        meter.event(Event::Planned { n_files: 2, n_bytes: 50 }, &state);
        assert_eq!(state.borrow().told(), "indexing, 0 %");
        meter.published = None;
        meter.event(Event::Indexed { n_files: 1, n_bytes: 20 }, &state);
        assert_eq!(state.borrow().told(), "indexing, 40 %");
    }
}

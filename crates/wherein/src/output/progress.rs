//! Progress of indexing, embedding and fetching: a bar on standard error, on terminals only, and only when it takes a while.
//!
//! A refresh that ends at once shows nothing. It must not write to standard output.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use wherein_engine::Event;

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(150);

/// A bar that appears when there is something to wait for.
pub(crate) struct Progress {
    wanted: bool,
    started: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    n_bytes: u64,
    n_chunks: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar that is shown unless the user is quiet or nobody watches.
    pub(crate) fn new(quiet: bool) -> Progress {
        Progress {
            wanted: !quiet && std::io::stderr().is_terminal(),
            started: Instant::now(),
            state: Mutex::default(),
        }
    }

    /// Takes an event of the engine, from any thread.
    pub(crate) fn event(&self, event: Event) {
        if !self.wanted {
            return;
        }
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        match event {
            Event::WaitingForWriter => {
                let bar = ProgressBar::new_spinner();
                bar.set_message("waiting for another wherein that is indexing this folder");
                bar.enable_steady_tick(Duration::from_millis(100));
                state.replace(Some(bar));
            }
            Event::Planned { n_bytes, .. } => {
                state.n_bytes = n_bytes;
                state.replace(None);
            }
            Event::Indexed { n_bytes, .. } if self.started.elapsed() > PATIENCE => {
                state.show(n_bytes);
            }
            Event::EmbedPlanned { n_chunks } => {
                state.n_chunks = n_chunks;
                state.replace(None);
            }
            Event::Embedded { n_chunks } if self.started.elapsed() > PATIENCE => {
                state.show_embedded(n_chunks);
            }
            Event::Published { n_points } if self.started.elapsed() > PATIENCE => {
                state.show_published(n_points);
            }
            _ => {}
        }
    }

    /// That a repository is being fetched.
    pub(crate) fn fetching(&self, name: &str) {
        self.spin(format!("fetching {name}"));
    }

    /// That another process is fetching it.
    pub(crate) fn waiting(&self, name: &str) {
        self.spin(format!("waiting for another wherein that is fetching {name}"));
    }

    fn spin(&self, message: String) {
        if !self.wanted {
            return;
        }
        if let Ok(mut state) = self.state.lock() {
            let bar = ProgressBar::new_spinner();
            bar.set_message(message);
            bar.enable_steady_tick(Duration::from_millis(100));
            state.replace(Some(bar));
        }
    }

    /// Takes how far a file of a model has come.
    pub(crate) fn fetched(&self, path: &str, n_bytes: u64, size: Option<u64>) {
        if !self.wanted {
            return;
        }
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        if state.bar.as_ref().is_none_or(|bar| bar.prefix() != path) {
            let template = match size {
                Some(_) => "{prefix} {wide_bar} {bytes}/{total_bytes} ({eta})",
                None => "{prefix} {bytes}",
            };
            let bar = ProgressBar::new(size.unwrap_or(0)).with_style(style(template));
            state.replace(Some(bar.with_prefix(path.to_owned())));
        }
        if let Some(bar) = &state.bar {
            bar.set_position(n_bytes);
        }
    }

    /// Counts questions instead of bytes.
    pub(crate) fn count(&self, done: usize, total: usize) {
        if !self.wanted {
            return;
        }
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        let bar = state.bar.get_or_insert_with(|| {
            ProgressBar::new(0).with_style(style("{prefix} {wide_bar} {pos}/{len}"))
        });
        bar.set_prefix("asking");
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    }

    /// Counts the repositories that have answered, once that takes a while.
    pub(crate) fn asked(&self, done: usize, total: usize) {
        if self.started.elapsed() > PATIENCE {
            self.count(done, total);
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Ok(mut state) = self.state.lock() {
            state.replace(None);
        }
    }
}

impl State {
    fn replace(&mut self, bar: Option<ProgressBar>) {
        if let Some(old) = std::mem::replace(&mut self.bar, bar) {
            old.finish_and_clear();
        }
    }

    fn show(&mut self, n_bytes: u64) {
        let total = self.n_bytes;
        let bar = self.bar.get_or_insert_with(|| {
            ProgressBar::new(total).with_style(style("{prefix} {wide_bar} {bytes}/{total_bytes}"))
        });
        bar.set_prefix("indexing");
        bar.set_position(n_bytes);
    }

    fn show_embedded(&mut self, n_chunks: u64) {
        if self.bar.is_none() {
            let style = style("{prefix} {wide_bar} {pos}/{len} ({eta})");
            let bar = ProgressBar::new(self.n_chunks).with_style(style).with_prefix("embedding");
            // What is done already came at once, from the cache: it tells nothing of the time that the rest takes.
            bar.set_position(n_chunks);
            bar.reset_eta();
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(n_chunks);
        }
    }
}

impl State {
    fn show_published(&mut self, n_points: u64) {
        let bar = self.bar.get_or_insert_with(|| {
            ProgressBar::new_spinner().with_style(style("publishing {pos} points ({per_sec})"))
        });
        bar.set_position(n_points);
    }
}

/// The template, or the plain bar should it ever be wrong.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

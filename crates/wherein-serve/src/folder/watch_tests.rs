//! Real trees and real events: nothing that happened before a question may be missed by it.

use std::sync::mpsc;
use std::time::Instant;

use super::*;

/// Longer waits mean that something hangs.
const HANGS: Duration = Duration::from_secs(30);

struct Watched {
    root: tempfile::TempDir,
    watcher: Watcher,
    runtime: tokio::runtime::Runtime,
    heard: mpsc::Receiver<()>,
}

impl Watched {
    fn new() -> Watched {
        let (told, heard) = mpsc::channel();
        let watcher = Watcher::new(move || {
            let _ = told.send(());
        })
        .unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut watched = Watched { root: tempfile::tempdir().unwrap(), watcher, runtime, heard };
        watched.look();
        watched
    }

    /// Looks until nothing new is told: one write is several events.
    fn look_until_clean(&mut self) {
        let started = Instant::now();
        while !self.is_clean() {
            assert!(started.elapsed() < HANGS);
            self.look();
        }
    }

    /// Looks through the tree as a keeper does.
    fn look(&mut self) {
        let root = self.root.path().to_path_buf();
        let folders = || {
            let mut folders = vec![root.clone()];
            let mut at = 0;
            while let Some(folder) = folders.get(at).cloned() {
                let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
                folders.extend(
                    entries
                        .map(|e| e.path())
                        .filter(|path| path.is_dir() && !path.ends_with("ignored")),
                );
                at += 1;
            }
            Ok(folders)
        };
        self.watcher.changes.take();
        self.watcher.follow(&root, folders).unwrap();
        self.watcher.changes.settle(true);
    }

    fn is_clean(&self) -> bool {
        self.runtime.block_on(self.watcher.changes.is_clean())
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn what_changed_before_is_known_at_once() {
    let mut watched = Watched::new();
    for round in 0..200 {
        assert!(watched.is_clean(), "{round}");
        watched.write("a.txt", &round.to_string());
        assert!(!watched.is_clean(), "{round}");
        watched.look_until_clean();
    }
}

#[test]
fn reading_is_no_change_and_neither_is_what_is_ignored() {
    let mut watched = Watched::new();
    watched.write("a.txt", "a");
    std::fs::create_dir(watched.root.path().join("ignored")).unwrap();
    watched.look_until_clean();
    std::fs::read(watched.root.path().join("a.txt")).unwrap();
    watched.write("ignored/b.txt", "b");
    assert!(watched.is_clean());
}

#[test]
fn an_index_that_is_being_made_is_not_true_yet() {
    let watched = Watched::new();
    watched.watcher.changes.take();
    assert!(!watched.is_clean());
    watched.watcher.changes.settle(true);
    assert!(watched.is_clean());
    watched.watcher.changes.take();
    watched.watcher.changes.settle(false);
    assert!(!watched.is_clean());
}

#[test]
fn folders_that_come_move_and_come_again_are_followed() {
    let mut watched = Watched::new();
    watched.write("one/two/a.txt", "a");
    assert!(!watched.is_clean());
    watched.look_until_clean();
    watched.write("one/two/a.txt", "b");
    assert!(!watched.is_clean());
    let (one, other) = (watched.root.path().join("one"), watched.root.path().join("other"));
    std::fs::rename(&one, &other).unwrap();
    assert!(!watched.is_clean());
    watched.look_until_clean();
    watched.write("other/two/a.txt", "c");
    assert!(!watched.is_clean());
    std::fs::remove_dir_all(&other).unwrap();
    watched.look_until_clean();
    watched.write("other/two/a.txt", "d");
    watched.look_until_clean();
    watched.write("other/two/a.txt", "e");
    assert!(!watched.is_clean());
}

#[test]
fn whoever_listens_is_told() {
    let watched = Watched::new();
    let started = Instant::now();
    watched.write("a.txt", "a");
    watched.heard.recv_timeout(HANGS).unwrap();
    assert!(started.elapsed() < HANGS);
}

#[test]
fn a_limit_of_the_system_is_said_with_its_name() {
    let full = said(&notify::Error::new(notify::ErrorKind::MaxFilesWatch));
    assert!(full.contains("max_user_watches"), "{full}");
    let many = said(&notify::Error::io(std::io::Error::from_raw_os_error(24)));
    assert!(many.contains("max_user_instances"), "{many}");
}

#[test]
fn lost_events_are_looked_for() {
    let mut watched = Watched::new();
    let lost = Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan);
    assert!(watched.watcher.changes.event(&lost));
    assert!(!watched.is_clean());
    watched.look_until_clean();
    watched.write("a.txt", "a");
    assert!(!watched.is_clean());
}

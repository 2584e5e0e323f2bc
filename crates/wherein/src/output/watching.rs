//! What `wherein watch` tells: a line when an index has changed, when it cannot be kept, and when files are not watched.

use std::collections::BTreeMap;

use wherein_wire::{Folder, FolderState};

use super::printer::{to_stderr, to_stdout};

/// Tells each thing once.
pub(crate) struct Teller {
    quiet: bool,
    jsonl: bool,
    told: BTreeMap<String, String>,
}

impl Teller {
    pub(crate) fn new(quiet: bool, jsonl: bool) -> Teller {
        Teller { quiet, jsonl, told: BTreeMap::new() }
    }

    /// Tells of a folder, where it is in another state than before.
    pub(crate) fn tell(&mut self, folder: &Folder) {
        let line = match self.jsonl {
            true => serde_json::to_string(folder).ok(),
            false => line(folder),
        };
        let Some(line) = line.filter(|line| self.told.get(&folder.id) != Some(line)) else {
            return;
        };
        if self.jsonl {
            // A reader that is gone ends nothing: indexes are kept all the same.
            let _ = to_stdout(format!("{line}\n").as_bytes());
        } else if !self.quiet {
            to_stderr(&format!("wherein: {line}"));
        }
        self.told.insert(folder.id.clone(), line);
    }
}

/// What is worth a line; progress is not.
fn line(folder: &Folder) -> Option<String> {
    let root = &folder.root;
    match (&folder.error, folder.state, &folder.summary) {
        (Some(error), FolderState::Failed, _) => {
            let hint = error.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
            Some(format!("{root}: {}{hint}", error.message))
        }
        (_, FolderState::Ready, Some(summary)) => {
            let unwatched = match &folder.watch.note {
                Some(note) if !folder.watch.active => format!("; {note}"),
                _ => String::new(),
            };
            Some(format!(
                "{root}: generation {}, {} files, {} chunks{unwatched}",
                summary.generation, summary.files, summary.chunks
            ))
        }
        _ => None,
    }
}

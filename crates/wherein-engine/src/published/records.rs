//! Records that were fetched, kept for the next question as long as there is room.
//!
//! A record never changes under its key, so what is kept is true for ever. Must not fetch.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::store::{FileRecord, RecordKey};

/// Records by key; those that were not asked for longest give way.
#[derive(Debug)]
pub(super) struct Records {
    most_bytes: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    by_key: HashMap<RecordKey, (Arc<FileRecord>, u64)>,
    n_bytes: usize,
    clock: u64,
}

impl Records {
    pub(super) fn new(most_bytes: usize) -> Records {
        Records { most_bytes, kept: Mutex::default() }
    }

    /// Memory in use, about.
    pub(super) fn n_bytes(&self) -> usize {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).n_bytes
    }

    /// Those that are at hand, in the order of the keys.
    pub(super) fn get(&self, keys: &[RecordKey]) -> Vec<Option<Arc<FileRecord>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clock += 1;
        let now = kept.clock;
        let mut find = |key: &RecordKey| {
            let (record, used) = kept.by_key.get_mut(key)?;
            *used = now;
            Some(Arc::clone(record))
        };
        keys.iter().map(&mut find).collect()
    }

    /// Keeps a record.
    pub(super) fn put(&self, key: RecordKey, record: &Arc<FileRecord>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = kept.clock;
        if kept.by_key.insert(key, (Arc::clone(record), now)).is_none() {
            kept.n_bytes += record.n_bytes();
        }
        if kept.n_bytes > self.most_bytes {
            kept.make_room(self.most_bytes / 4 * 3);
        }
    }
}

impl Kept {
    fn make_room(&mut self, most_bytes: usize) {
        let mut by_age: Vec<(u64, RecordKey)> =
            self.by_key.iter().map(|(key, (_, used))| (*used, *key)).collect();
        by_age.sort_unstable();
        for (_, key) in by_age {
            if self.n_bytes <= most_bytes {
                break;
            }
            if let Some((record, _)) = self.by_key.remove(&key) {
                self.n_bytes -= record.n_bytes();
            }
        }
    }
}

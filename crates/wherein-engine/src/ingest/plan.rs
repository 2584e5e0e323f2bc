//! The tree compared with a manifest: which files to read, which are gone.
//!
//! Unsettled files (changed within two seconds of the last scan) are hashed here, so that a question asked
//! right after an edit neither misses it nor rewrites the index for nothing. Must not write.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::error::Result;
use crate::model::SkipReason;
use crate::scan::{self, Found, ScanOptions, ScanSummary};
use crate::store::{FileEntry, FileState, Manifest, content_hash};

/// What a refresh has to do.
#[derive(Debug)]
pub(crate) struct Plan {
    /// New files and files whose content may have changed, sorted by path.
    pub(crate) candidates: Vec<Found>,
    /// Positions in the manifest of files that are gone.
    pub(crate) gone: Vec<usize>,
    /// Files that were too young to trust but proved unchanged.
    pub(crate) unsettled: usize,
    pub(crate) summary: ScanSummary,
    pub(crate) started_at_ns: i64,
}

impl Plan {
    pub(crate) fn is_empty(&self, manifest: &Manifest) -> bool {
        manifest.complete && self.candidates.is_empty() && self.gone.is_empty()
    }
}

/// Scans the tree and compares it with `manifest`.
pub(crate) fn compare(options: &ScanOptions, manifest: &Manifest) -> Result<Plan> {
    let started_at_ns = scan::now_ns();
    let seen: Vec<AtomicBool> = manifest.files.iter().map(|_| AtomicBool::new(false)).collect();
    let suspects: Mutex<Vec<(Found, Option<usize>)>> = Mutex::default();
    let summary = scan::scan(options, &|found| {
        let position = manifest.position(&found.path);
        if let Some(flag) = position.and_then(|i| seen.get(i)) {
            flag.store(true, Ordering::Relaxed);
        }
        if !position.is_some_and(|i| is_trusted(manifest, &manifest.files[i], &found)) {
            suspects.lock().unwrap_or_else(PoisonError::into_inner).push((found, position));
        }
    })?;
    let suspects = suspects.into_inner().unwrap_or_else(PoisonError::into_inner);
    let n_suspects = suspects.len();
    let mut candidates: Vec<Found> = suspects
        .into_par_iter()
        .filter(|(found, position)| {
            !position.is_some_and(|i| has_same_content(options, manifest, i, found))
        })
        .map(|(found, _)| found)
        .collect();
    candidates.sort_by(|a, b| a.path.cmp(&b.path));
    let gone = (0..seen.len()).filter(|i| !seen[*i].load(Ordering::Relaxed)).collect();
    let unsettled = n_suspects - candidates.len();
    Ok(Plan { candidates, gone, unsettled, summary, started_at_ns })
}

/// Equal fingerprints are believed only of files that had settled when they were indexed, and that could be
/// read then.
fn is_trusted(manifest: &Manifest, entry: &FileEntry, found: &Found) -> bool {
    entry.fingerprint == found.fingerprint
        && found.fingerprint.is_settled(manifest.scanned_at_ns)
        && !is_unreadable(entry)
}

/// Reads an unsettled file whose fingerprint is unchanged; any other suspect is left to the builder.
fn has_same_content(options: &ScanOptions, manifest: &Manifest, i: usize, found: &Found) -> bool {
    let entry = &manifest.files[i];
    entry.fingerprint == found.fingerprint
        && match scan::read_regular(
            &found.path.under(&options.root),
            options.read_limit(found.fingerprint.n_bytes),
        ) {
            Ok(bytes) => content_hash(&bytes) == entry.hash,
            // Still unreadable: nothing to write.
            Err(_) => is_unreadable(entry),
        }
}

fn is_unreadable(entry: &FileEntry) -> bool {
    entry.state == FileState::Skipped(SkipReason::Unreadable)
}

//! Working trees of one repository share what they can: a new one begins with the index of a relative.
//!
//! Segments are immutable, so they are shared by hard links; files whose content hash is the same keep their
//! entry, and the rest is indexed. Ten worktrees so take little more room than one. A failed attempt only means
//! that the index is made from nothing.

use std::path::Path;

use super::layout::IndexDir;
use super::manifest::{self, Identity, Manifest};

/// Notes which working tree family the index belongs to.
pub(crate) fn note(dir: &IndexDir, family: &str) {
    if std::fs::read_to_string(dir.family()).is_ok_and(|known| known == family) {
        return;
    }
    // Without the note the next worktree starts from nothing, no more.
    let _ = std::fs::write(dir.family(), family);
}

/// A manifest to start from, taken from the largest index of the same family below `index_base`. Its segments
/// are linked into `dir`; the caller holds the lock of `dir`.
pub(crate) fn adopt(
    dir: &IndexDir,
    index_base: &Path,
    root: &Path,
    identity: &Identity,
    family: &str,
) -> Option<Manifest> {
    let mut relatives: Vec<(IndexDir, Manifest)> = IndexDir::all(index_base)
        .filter(|other| other.path() != dir.path())
        .filter(|other| std::fs::read_to_string(other.family()).is_ok_and(|f| f == family))
        .filter_map(|other| manifest::read(&other).ok().flatten().map(|m| (other, m)))
        .filter(|(_, manifest)| manifest.identity == *identity)
        .collect();
    relatives.sort_by_key(|(_, manifest)| std::cmp::Reverse(manifest.files.len()));
    relatives.into_iter().find_map(|(other, manifest)| {
        link(&other, dir, &manifest)?;
        Some(Manifest {
            generation: 0,
            complete: false,
            root: root.to_string_lossy().into_owned(),
            // Nothing is trusted by its times: every file is read and its hash compared.
            scanned_at_ns: 0,
            ..manifest
        })
    })
}

/// Links every segment; `None` where one is gone or the file system has no links.
fn link(from: &IndexDir, to: &IndexDir, manifest: &Manifest) -> Option<()> {
    for segment in &manifest.segments {
        let target = to.segment(segment.id);
        let _ = std::fs::remove_file(&target);
        std::fs::hard_link(from.segment(segment.id), target).ok()?;
    }
    for segment in manifest.vectors.iter().flat_map(|set| &set.segments) {
        let target = to.vector_segment(segment.id);
        let _ = std::fs::remove_file(&target);
        std::fs::hard_link(from.vector_segment(segment.id), target).ok()?;
    }
    Some(())
}

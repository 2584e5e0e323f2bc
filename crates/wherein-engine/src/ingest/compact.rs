//! Keeps the number of segments small and dead chunks few.
//!
//! Small segments are merged first, so the work stays in proportion to what changed. A segment without live
//! chunks is only forgotten. Must not lose a live chunk: liveness is what the manifest says.

use crate::error::Result;
use crate::store::{self, FileState, Generation, IndexDir, Manifest, SegmentEntry, live_chunks};

/// More segments than this are merged.
const MAX_SEGMENTS: usize = 10;
/// How many are left after a merge, at most.
const MERGED_SEGMENTS: usize = 5;
/// A merge is built in memory: segments beyond this size in bytes are left as they are.
const MAX_MERGE_BYTES: u64 = 96 << 20;

/// Merges segments of `manifest` where there are too many or too many dead chunks.
pub(crate) fn compact(dir: &IndexDir, manifest: &mut Manifest) -> Result<()> {
    let live = live_chunks(manifest);
    let mut counts = live.iter();
    manifest.segments.retain(|_| counts.next().is_some_and(|n| *n > 0));
    let chosen = choose(manifest);
    if chosen.is_empty() {
        return Ok(());
    }
    let new_id = manifest.next_segment_id;
    manifest.next_segment_id += 1;
    let merged = merge(dir, manifest, &chosen, new_id)?;
    manifest.segments.retain(|segment| !chosen.contains(&segment.id));
    for file in &mut manifest.files {
        if let FileState::Indexed(indexed) = &mut file.state
            && chosen.contains(&indexed.segment_id)
        {
            indexed.segment_id = new_id;
        }
    }
    manifest.segments.push(merged);
    Ok(())
}

/// The segments to merge: the smallest when there are too many, and any that is mostly dead.
fn choose(manifest: &Manifest) -> Vec<u32> {
    let mut by_size: Vec<(SegmentEntry, u64)> =
        manifest.segments.iter().cloned().zip(live_chunks(manifest)).collect();
    by_size.sort_by_key(|(segment, live)| (*live, segment.id));
    let n_surplus = match by_size.len() > MAX_SEGMENTS {
        true => by_size.len() - MERGED_SEGMENTS + 1,
        false => 0,
    };
    let mut chosen = Vec::new();
    let mut n_bytes = 0;
    for (i, (segment, live)) in by_size.iter().enumerate() {
        let mostly_dead = live * 2 < u64::from(segment.n_docs);
        if (i < n_surplus || mostly_dead) && n_bytes + segment.pack.n_bytes <= MAX_MERGE_BYTES {
            n_bytes += segment.pack.n_bytes;
            chosen.push(segment.id);
        }
    }
    // One healthy segment alone gains nothing from being copied.
    let lone =
        |id: &u32| by_size.iter().any(|(s, live)| s.id == *id && live * 2 >= u64::from(s.n_docs));
    if chosen.len() == 1 && chosen.iter().all(lone) {
        chosen.clear();
    }
    chosen
}

fn merge(dir: &IndexDir, manifest: &Manifest, chosen: &[u32], new_id: u32) -> Result<SegmentEntry> {
    let generation = Generation::of(dir, manifest.clone())?;
    let parts: Vec<_> = generation.segments.iter().filter(|s| chosen.contains(&s.id)).collect();
    let is_live = |part: usize, doc: u32| generation.is_live(parts[part], doc);
    store::merge(dir, &parts, &is_live, new_id)
}

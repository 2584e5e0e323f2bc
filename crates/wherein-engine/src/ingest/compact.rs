//! Keeps the number of segments small and dead chunks few.
//!
//! Small segments are merged first, so the work stays in proportion to what changed. A segment without live
//! chunks is only forgotten. Must not lose a live chunk: liveness is what the manifest says.

use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::store::{
    self, FileState, Generation, IndexDir, Manifest, SegmentEntry, VectorEntry, VectorRow,
    VectorSegment, live_chunks,
};

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
    let part = |(segment, n_live): (&SegmentEntry, u64)| Part {
        id: segment.id,
        n_live,
        n_all: segment.n_docs.into(),
        n_bytes: segment.pack.n_bytes,
    };
    let chosen = choose(manifest.segments.iter().zip(live_chunks(manifest)).map(part).collect());
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

/// What decides whether a segment is merged.
#[derive(Debug, Clone, Copy)]
struct Part {
    id: u32,
    n_live: u64,
    n_all: u64,
    n_bytes: u64,
}

impl Part {
    fn is_mostly_dead(self) -> bool {
        self.n_live * 2 < self.n_all
    }
}

/// The segments to merge: the smallest when there are too many, and any that is mostly dead.
fn choose(mut parts: Vec<Part>) -> Vec<u32> {
    parts.sort_by_key(|part| (part.n_live, part.id));
    let n_surplus = match parts.len() > MAX_SEGMENTS {
        true => parts.len() - MERGED_SEGMENTS + 1,
        false => 0,
    };
    let mut chosen = Vec::new();
    let mut n_bytes = 0;
    for (i, part) in parts.iter().enumerate() {
        if (i < n_surplus || part.is_mostly_dead()) && n_bytes + part.n_bytes <= MAX_MERGE_BYTES {
            n_bytes += part.n_bytes;
            chosen.push(*part);
        }
    }
    // One healthy segment alone gains nothing from being copied.
    if let [lone] = chosen.as_slice()
        && !lone.is_mostly_dead()
    {
        chosen.clear();
    }
    chosen.into_iter().map(|part| part.id).collect()
}

/// The same for vector segments.
pub(crate) fn compact_vectors(dir: &IndexDir, manifest: &mut Manifest) -> Result<()> {
    let live = live_vectors(manifest);
    let Some(set) = &mut manifest.vectors else {
        return Ok(());
    };
    let n_live = |id: u32| live.get(&id).copied().unwrap_or(0);
    set.segments.retain(|segment| n_live(segment.id) > 0);
    let part = |segment: &VectorEntry| Part {
        id: segment.id,
        n_live: n_live(segment.id),
        n_all: segment.n_rows.into(),
        n_bytes: segment.pack.n_bytes,
    };
    let chosen = choose(set.segments.iter().map(part).collect());
    if chosen.is_empty() {
        return Ok(());
    }
    let merged = merge_chosen_vectors(dir, manifest, &chosen)?;
    for file in &mut manifest.files {
        if let FileState::Indexed(indexed) = &mut file.state
            && indexed.vector_id.is_some_and(|id| chosen.contains(&id))
        {
            indexed.vector_id = Some(merged.id);
        }
    }
    if let Some(set) = &mut manifest.vectors {
        set.segments.retain(|segment| !chosen.contains(&segment.id));
        set.segments.push(merged);
    }
    Ok(())
}

/// Rows of current files in each vector segment, by its number.
fn live_vectors(manifest: &Manifest) -> HashMap<u32, u64> {
    let mut live = HashMap::new();
    for (_, indexed) in manifest.source_files() {
        if let Some(id) = indexed.vector_id {
            *live.entry(id).or_default() += u64::from(indexed.n_chunks);
        }
    }
    live
}

fn merge_chosen_vectors(
    dir: &IndexDir,
    manifest: &mut Manifest,
    chosen: &[u32],
) -> Result<VectorEntry> {
    let Some(set) = &manifest.vectors else {
        return Err(Error::bug("vectors without a set"));
    };
    let by_file: HashMap<u32, u32> =
        manifest.source_files().filter_map(|(_, i)| Some((i.file_id, i.vector_id?))).collect();
    let open = |entry: &VectorEntry| VectorSegment::open(dir, entry, set);
    let wanted = set.segments.iter().filter(|entry| chosen.contains(&entry.id));
    let parts: Vec<VectorSegment> = wanted.map(open).collect::<Result<_>>()?;
    let is_live =
        |part: &VectorSegment, row: VectorRow| by_file.get(&row.file_id) == Some(&part.id);
    let merged = store::merge_vectors(dir, set, &parts, &is_live, manifest.next_vector_id)?;
    manifest.next_vector_id += 1;
    Ok(merged)
}

fn merge(dir: &IndexDir, manifest: &Manifest, chosen: &[u32], new_id: u32) -> Result<SegmentEntry> {
    let generation = Generation::of(dir, manifest.clone())?;
    let parts: Vec<_> = generation.segments.iter().filter(|s| chosen.contains(&s.id)).collect();
    let is_live = |part: usize, doc: u32| generation.is_live(parts[part], doc);
    store::merge(dir, &parts, &is_live, new_id)
}

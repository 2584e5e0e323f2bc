//! The write story: make the index true to the tree.
//!
//! `ingest` tells it in one function: scan, compare, lock, build, compact, commit, collect. Must not write
//! when nothing changed, and must not hold the lock while only reading.

mod build;
mod compact;
mod embed;
mod guard;
mod plan;
mod record;
mod rows;
mod usages;

use std::sync::Arc;
use std::time::Duration;

use crate::error::{ErrorKind, Result};
use crate::model::{Problem, Profile, SkipCounts};
use crate::request::{EngineOptions, Event, RefreshReport};
use crate::scan::{self, ScanOptions, ScanSummary};
use crate::store::{self, Generation, Identity, IndexDir, Manifest, Work};
use crate::{chunk, syntax, tokenize};
pub(crate) use embed::{EmbedJob, EmbedReport, embed, has_work, passages};
pub(crate) use guard::{Wanted, check_model, forget_vectors, remember};
use plan::Plan;

/// How long a question waits for another writer before it answers from what there is.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long it waits where there is nothing to answer from: as long as it takes.
const NO_END: Duration = Duration::from_secs(60 * 60 * 24);

/// What a refresh works with.
#[derive(Debug)]
pub(crate) struct Ingest<'a> {
    pub(crate) scan: ScanOptions,
    pub(crate) profile: Profile,
    pub(crate) n_threads: usize,
    pub(crate) commit_every: Duration,
    pub(crate) dir: &'a IndexDir,
    pub(crate) wanted: Option<Wanted<'a>>,
    pub(crate) progress: Progress<'a>,
}

/// The one way out for progress.
#[derive(Clone, Copy)]
pub(crate) struct Progress<'a>(pub(crate) &'a (dyn Fn(Event) + Sync));

impl std::fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Progress")
    }
}

/// The identity of the index that these options ask for.
pub(crate) fn identity(options: &EngineOptions) -> Identity {
    Identity {
        profile: options.profile,
        scan_version: scan::SCAN_VERSION,
        chunker_version: chunk::CHUNKER_VERSION,
        syntax_version: syntax::SYNTAX_VERSION,
        tokenizer_version: tokenize::TOKENIZER_VERSION,
        include_sensitive: options.include_sensitive,
        max_file_bytes: options.max_file_bytes,
    }
}

/// Makes the index true to the tree; returns what was done and the generation to answer from.
pub(crate) fn ingest(
    job: &Ingest<'_>,
    identity: &Identity,
) -> Result<(RefreshReport, Option<Generation>)> {
    let (current, mut rebuilt) = load(job, identity)?;
    let plan = plan::compare(&job.scan, &current.manifest)?;
    if plan.is_empty(&current.manifest) && rebuilt.is_none() {
        restamp(job, &current.manifest, &plan)?;
        return Ok((report(&current, &plan, rebuilt), Some(current)));
    }
    let patience = if current.manifest.generation == 0 { NO_END } else { PATIENCE };
    let waiting = || (job.progress.0)(Event::WaitingForWriter);
    let Some(_lock) = store::lock(job.dir, Work::Write, patience, waiting)? else {
        let mut report = report(&current, &plan, rebuilt);
        report.degraded.push("another process is still writing this index".to_owned());
        return Ok((report, Some(current)));
    };
    // Another writer may have done the work while this one waited.
    let seen = current.manifest.generation;
    let (mut current, again) = load(job, identity)?;
    rebuilt = again;
    let adopted = adopt(job, &current, identity)?;
    let is_same = adopted.is_none() && current.manifest.generation == seen;
    current = adopted.unwrap_or(current);
    let plan = match is_same {
        true => plan,
        false => plan::compare(&job.scan, &current.manifest)?,
    };
    if plan.is_empty(&current.manifest) && rebuilt.is_none() {
        return Ok((report(&current, &plan, rebuilt), Some(current)));
    }
    write(job, current, &plan, rebuilt)
}

/// The part under the lock: build what changed, compact, commit, collect.
fn write(
    job: &Ingest<'_>,
    current: Generation,
    plan: &Plan,
    rebuilt: Option<String>,
) -> Result<(RefreshReport, Option<Generation>)> {
    collect(job, &current.manifest)?;
    drop((current.segments, current.vectors));
    let mut old = Arc::unwrap_or_clone(current.manifest);
    let inline = job.wanted.and_then(|wanted| wanted.inline(&mut old));
    let mut built = build::build(job, &old, plan, inline)?;
    built.manifest.complete = true;
    built.manifest.scanned_at_ns = plan.started_at_ns;
    built.manifest.skipped = plan.summary.skipped.clone();
    built.manifest.problems = problems(&built.manifest, &plan.summary);
    compact::compact(job.dir, &mut built.manifest)?;
    compact::compact_vectors(job.dir, &mut built.manifest)?;
    built.manifest.generation += 1;
    store::commit(job.dir, &built.manifest)?;
    (job.progress.0)(Event::Committed { generation: built.manifest.generation });
    if let Some(family) = scan::family(&job.scan.root) {
        store::note(job.dir, &family);
    }
    collect(job, &built.manifest)?;
    let generation = Generation::of(job.dir, built.manifest)?;
    let mut report = report(&generation, plan, rebuilt);
    (report.added, report.changed, report.removed) = (built.added, built.changed, built.removed);
    report.embedded = built.embedded;
    Ok((report, Some(generation)))
}

/// Removes segments that neither `manifest` nor the generation on disk names: an index that is being made anew
/// leaves the old one whole until its first commit.
fn collect(job: &Ingest<'_>, manifest: &Manifest) -> Result<()> {
    let committed = store::read(job.dir).ok().flatten();
    let named = committed.iter().chain([manifest]);
    let segments: Vec<u32> = named.clone().flat_map(|m| &m.segments).map(|s| s.id).collect();
    let sets = named.filter_map(|manifest| manifest.vectors.as_ref());
    let vectors: Vec<u32> = sets.flat_map(|set| &set.segments).map(|s| s.id).collect();
    job.dir.remove_segments_except(&segments, &vectors)
}

/// For the first index of a working tree: a relative's index to start from.
fn adopt(
    job: &Ingest<'_>,
    current: &Generation,
    identity: &Identity,
) -> Result<Option<Generation>> {
    if current.manifest.generation > 0 {
        return Ok(None);
    }
    let (root, index_base) = (&job.scan.root, &job.scan.index_base);
    let manifest = scan::family(root)
        .and_then(|family| store::adopt(job.dir, index_base, root, identity, &family));
    let Some(mut manifest) = manifest else {
        return Ok(None);
    };
    // Nobody chose a model for this tree by choosing one for another.
    manifest.reranker = None;
    let is_other =
        |wanted: Wanted<'_>| check_model(&manifest, wanted.model.identity(), false).is_err();
    if job.wanted.is_some_and(is_other) {
        manifest.drop_vectors();
    }
    Generation::of(job.dir, manifest).map(Some)
}

/// The current generation, or an empty one with the reason where the old one cannot be used.
fn load(job: &Ingest<'_>, identity: &Identity) -> Result<(Generation, Option<String>)> {
    let empty = || Generation::of(job.dir, Manifest::empty(&job.scan.root, identity.clone()));
    match Generation::open(job.dir) {
        Ok(None) => Ok((empty()?, None)),
        Ok(Some(generation)) if generation.manifest.identity == *identity => Ok((generation, None)),
        Ok(Some(old)) => {
            let old = Arc::unwrap_or_clone(old.manifest);
            let mut fresh = Manifest::empty(&job.scan.root, identity.clone());
            fresh.generation = old.generation;
            // Segment numbers go on, so that no file of the old index is overwritten before the commit.
            fresh.next_segment_id = old.next_segment_id;
            fresh.next_vector_id = old.next_vector_id;
            // The vectors are found in the cache again, as long as it is known whose they are.
            fresh.vectors = old.vectors;
            if let Some(set) = &mut fresh.vectors {
                set.segments.clear();
            }
            fresh.words_only = old.words_only;
            fresh.reranker = old.reranker;
            let fresh = Generation::of(job.dir, fresh)?;
            Ok((fresh, Some("the index was made with other settings".to_owned())))
        }
        Err(e) if e.kind() == ErrorKind::IndexFormat && !store::is_foreign_format(job.dir) => {
            Ok((empty()?, Some(e.to_string())))
        }
        Err(e) => Err(e),
    }
}

/// Files that were too young to trust and proved unchanged are trusted from now on. Saves work only, so a
/// busy lock or a read-only folder is no trouble.
fn restamp(job: &Ingest<'_>, current: &Manifest, plan: &Plan) -> Result<()> {
    if plan.unsettled == 0 || plan.started_at_ns - current.scanned_at_ns < 2_000_000_000 {
        return Ok(());
    }
    let Ok(Some(_lock)) = store::lock(job.dir, Work::Write, Duration::ZERO, || {}) else {
        return Ok(());
    };
    let now = store::read(job.dir)?.map_or(0, |manifest| manifest.generation);
    if now == current.generation {
        let mut stamped = current.clone();
        stamped.scanned_at_ns = plan.started_at_ns;
        let _ = store::commit(job.dir, &stamped);
    }
    Ok(())
}

fn report(generation: &Generation, plan: &Plan, rebuilt: Option<String>) -> RefreshReport {
    let manifest = &generation.manifest;
    let mut skipped = plan.summary.skipped.clone();
    skipped.merge(&manifest.content_skips());
    let problems = problems(manifest, &plan.summary);
    RefreshReport { rebuilt, ..report_of(manifest, skipped, problems) }
}

/// What an index holds, as a refresh that did nothing reports it.
pub(crate) fn report_of(
    manifest: &Manifest,
    skipped: SkipCounts,
    problems: Vec<Problem>,
) -> RefreshReport {
    RefreshReport {
        generation: manifest.generation,
        n_files: manifest.source_files().count() as u64,
        n_chunks: manifest.n_chunks(),
        n_vectors: manifest.n_vectors(),
        skipped,
        problems,
        ..RefreshReport::default()
    }
}

/// What this scan saw, and the files that could not be read when they were last tried. A file that is too
/// large changes no generation, so the problems of the manifest may be older than the tree.
fn problems(manifest: &Manifest, summary: &ScanSummary) -> Vec<Problem> {
    let mut problems = manifest.content_problems();
    problems.extend(summary.problems.iter().cloned());
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    problems
}

/// The tree beside a generation.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// Whether they differ.
    pub(crate) is_stale: bool,
    pub(crate) skipped: SkipCounts,
    pub(crate) problems: Vec<Problem>,
}

/// Compares the tree with the generation, without changing anything.
pub(crate) fn compare(scan: &ScanOptions, manifest: &Manifest) -> Result<Comparison> {
    let plan = plan::compare(scan, manifest)?;
    let mut skipped = plan.summary.skipped.clone();
    skipped.merge(&manifest.content_skips());
    let problems = problems(manifest, &plan.summary);
    Ok(Comparison { is_stale: !plan.is_empty(manifest), skipped, problems })
}

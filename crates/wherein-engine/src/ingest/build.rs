//! Changed files → segments, on several threads, committed as they are finished.
//!
//! File ids follow path order, so the result does not depend on the number of threads. A killed process
//! loses at most the segments under construction. Must not touch files that did not change.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::Ingest;
use super::embed::head_of;
use super::plan::Plan;
use super::record::Filler;
use super::rows::RowWriter;
use crate::chunk::{self, Chunker};
use crate::embed::TermTable;
use crate::error::{Error, Result};
use crate::model::{Problem, SkipReason, VectorEncoding};
use crate::request::Event;
use crate::scan::{self, Found, decode};
use crate::store::{
    self, FileEntry, FileState, Indexed, Manifest, SegmentBuilder, SegmentEntry, VectorEntry,
    VectorRow, content_hash,
};

/// A segment is closed when its builder uses this much memory.
const SEGMENT_MEMORY: usize = 80 << 20;
/// Fewer changed bytes than this are not worth a second thread and its second segment.
const BYTES_PER_THREAD: u64 = 128 << 10;

/// What a build did.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) manifest: Manifest,
    pub(crate) added: u64,
    pub(crate) changed: u64,
    pub(crate) removed: u64,
    /// Chunks whose rows were written beside their records.
    pub(crate) embedded: u64,
}

/// The table whose rows are written beside the records, and how they are kept.
pub(super) type Inline<'a> = Option<(&'a TermTable, VectorEncoding)>;

/// A finished segment and the entries of the files in it; entries without chunks need no segment.
#[derive(Debug, Default)]
struct Batch {
    segment: Option<SegmentEntry>,
    vectors: Option<VectorEntry>,
    entries: Vec<(FileEntry, Option<String>)>,
    problems: Vec<Problem>,
    vanished: Vec<usize>,
}

/// Indexes the candidates of `plan` on top of `old`, which is ready for the rows of `inline`.
pub(crate) fn build(
    job: &Ingest<'_>,
    old: &Manifest,
    plan: &Plan,
    inline: Inline<'_>,
) -> Result<Built> {
    let n_bytes = plan.candidates.iter().map(|found| found.fingerprint.n_bytes).sum();
    let n_files = plan.candidates.len() as u64;
    (job.progress.0)(Event::Planned { n_files, n_bytes });
    let shared = Shared {
        job,
        old,
        plan,
        inline,
        next: AtomicUsize::new(0),
        next_segment_id: AtomicU32::new(old.next_segment_id),
        next_vector_id: AtomicU32::new(old.next_vector_id),
        n_rows: AtomicU64::new(0),
        files_done: AtomicU64::new(0),
        bytes_done: AtomicU64::new(0),
        started: Instant::now(),
        manifest: Mutex::new(start(old, plan)),
    };
    let useful = usize::try_from(n_bytes / BYTES_PER_THREAD).unwrap_or(usize::MAX);
    let n_threads = job.n_threads.min(useful).max(1);
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads).map(|_| scope.spawn(|| shared.work())).collect();
        let crashed = || Err(Error::bug("an indexing thread panicked"));
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| crashed())).collect()
    });
    results.into_iter().collect::<Result<()>>()?;
    let mut manifest = shared.manifest.into_inner().unwrap_or_else(PoisonError::into_inner);
    manifest.next_segment_id = shared.next_segment_id.into_inner();
    manifest.next_vector_id = shared.next_vector_id.into_inner();
    let embedded = shared.n_rows.into_inner();
    Ok(Built { embedded, ..count(old, plan, manifest) })
}

/// The old manifest without the files that are gone.
fn start(old: &Manifest, plan: &Plan) -> Manifest {
    let mut manifest = old.clone();
    let mut gone = plan.gone.iter().copied().peekable();
    let mut position = 0;
    manifest.files.retain(|_| {
        let is_gone = gone.next_if_eq(&position).is_some();
        position += 1;
        !is_gone
    });
    manifest.complete = false;
    // Files that could not be read keep their problem until they are tried again.
    manifest.problems = manifest.content_problems();
    manifest.problems.retain(|problem| {
        let at = |found: &Found| found.path.text.as_str().cmp(problem.path.as_str());
        plan.candidates.binary_search_by(at).is_err()
    });
    manifest.next_file_id = old.next_file_id + plan.candidates.len() as u32;
    manifest
}

fn count(old: &Manifest, plan: &Plan, manifest: Manifest) -> Built {
    let (mut added, mut changed, mut vanished) = (0, 0, 0);
    for found in &plan.candidates {
        let before = hash_of(old, found);
        let after = hash_of(&manifest, found);
        match (before, after) {
            (None, Some(_)) => added += 1,
            (Some(b), Some(a)) if a != b => changed += 1,
            (Some(_), None) => vanished += 1,
            _ => {}
        }
    }
    let gone = plan.gone.iter().filter(|i| old.files[**i].indexed().is_some()).count() as u64;
    Built { manifest, added, changed, removed: gone + vanished, embedded: 0 }
}

/// The hash of a file that is searched; files that were read and left out count as not there.
fn hash_of(manifest: &Manifest, found: &Found) -> Option<store::ContentHash> {
    let entry = &manifest.files[manifest.position(&found.path)?];
    entry.indexed().map(|_| entry.hash)
}

struct Shared<'a> {
    job: &'a Ingest<'a>,
    old: &'a Manifest,
    plan: &'a Plan,
    inline: Inline<'a>,
    next: AtomicUsize,
    next_segment_id: AtomicU32,
    next_vector_id: AtomicU32,
    n_rows: AtomicU64,
    files_done: AtomicU64,
    bytes_done: AtomicU64,
    started: Instant,
    manifest: Mutex<Manifest>,
}

impl Shared<'_> {
    /// One thread: takes files until there are none, closing segments on the way.
    fn work(&self) -> Result<()> {
        let mut worker = Worker::new(self.inline)?;
        loop {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(found) = self.plan.candidates.get(i) else {
                break;
            };
            worker.take(self, i, found)?;
            self.tell(found);
            if worker.is_due(self) {
                worker.close(self, true)?;
            }
        }
        worker.close(self, false)
    }

    fn tell(&self, found: &Found) {
        let n_files = self.files_done.fetch_add(1, Ordering::Relaxed) + 1;
        let n_bytes = found.fingerprint.n_bytes;
        let n_bytes = self.bytes_done.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes;
        (self.job.progress.0)(Event::Indexed { n_files, n_bytes });
    }

    /// Enters a batch in the manifest; with `commit`, the work so far becomes a generation.
    fn enter(&self, batch: Batch, commit: bool) -> Result<()> {
        let mut manifest = self.manifest.lock().unwrap_or_else(PoisonError::into_inner);
        manifest.segments.extend(batch.segment);
        if let Some(set) = &mut manifest.vectors {
            set.segments.extend(batch.vectors);
        }
        manifest.problems.extend(batch.problems);
        for i in batch.vanished {
            if let Some(position) = manifest.position(&self.plan.candidates[i].path) {
                manifest.files.remove(position);
            }
        }
        enter_files(&mut manifest, batch.entries);
        if commit {
            manifest.generation += 1;
            manifest.next_segment_id = self.next_segment_id.load(Ordering::Relaxed);
            manifest.next_vector_id = self.next_vector_id.load(Ordering::Relaxed);
            store::commit(self.job.dir, &manifest)?;
            (self.job.progress.0)(Event::Committed { generation: manifest.generation });
        }
        Ok(())
    }
}

/// Replaces and adds entries, keeping path order.
fn enter_files(manifest: &mut Manifest, entries: Vec<(FileEntry, Option<String>)>) {
    let n_known = manifest.files.len();
    for (mut entry, language) in entries {
        if let (FileState::Indexed(indexed), Some(name)) = (&mut entry.state, language) {
            indexed.language = manifest.language_idx(&name);
        }
        // New entries go behind the sorted ones, where a search would lose its way among them.
        let known = &manifest.files[..n_known];
        match known.binary_search_by(|known| known.path.cmp(&entry.path)) {
            Ok(position) => manifest.files[position] = entry,
            Err(_) => manifest.files.push(entry),
        }
    }
    manifest.files.sort_by(|a, b| a.path.cmp(&b.path));
}

/// The state of one thread.
struct Worker<'a> {
    builder: SegmentBuilder,
    chunker: Chunker,
    filler: Filler,
    rows: Option<RowWriter<'a>>,
    batch: Batch,
    opened: Instant,
}

impl<'a> Worker<'a> {
    fn new(inline: Inline<'a>) -> Result<Worker<'a>> {
        Ok(Worker {
            builder: SegmentBuilder::new()?,
            chunker: Chunker::default(),
            filler: Filler::default(),
            rows: inline.map(RowWriter::new),
            batch: Batch::default(),
            opened: Instant::now(),
        })
    }

    /// Whether to close the segment: it is large, or a killed process would lose too much.
    ///
    /// What counts as too much grows with what is done, as each segment costs its own dictionary: half of the work.
    fn is_due(&self, shared: &Shared<'_>) -> bool {
        let patience = shared.job.commit_every.max(shared.started.elapsed() / 2);
        !self.builder.is_empty()
            && (self.builder.n_bytes_in_memory() > SEGMENT_MEMORY
                || self.opened.elapsed() > patience)
    }

    /// Reads one file and enters what becomes of it.
    fn take(&mut self, shared: &Shared<'_>, i: usize, found: &Found) -> Result<()> {
        let scan = &shared.job.scan;
        let limit = scan.read_limit(found.fingerprint.n_bytes);
        let bytes = match scan::read_regular(&found.path.under(&scan.root), limit) {
            Ok(bytes) => bytes,
            // Larger than its size said: it grew, or its size is made up, as in `/proc`.
            Err(e) if e.kind() == std::io::ErrorKind::FileTooLarge => {
                self.skip(found, SkipReason::TooLarge);
                return Ok(());
            }
            // A folder now: its files are found by the next scan.
            Err(e) if scan::is_gone(&e) || e.kind() == std::io::ErrorKind::IsADirectory => {
                self.batch.vanished.push(i);
                return Ok(());
            }
            Err(e) => return self.unreadable(found, &e),
        };
        let hash = content_hash(&bytes);
        let old = shared.old.position(&found.path).map(|p| &shared.old.files[p]);
        let (state, language) = match old.filter(|entry| entry.hash == hash) {
            Some(entry) => (entry.state.clone(), None),
            None => self.index(shared, i, found, &bytes)?,
        };
        let entry =
            FileEntry { path: found.path.clone(), fingerprint: found.fingerprint, hash, state };
        self.batch.entries.push((entry, language));
        Ok(())
    }

    /// A file that may not be read is a problem, tried again at each refresh.
    fn unreadable(&mut self, found: &Found, error: &std::io::Error) -> Result<()> {
        let reason = error.to_string();
        self.batch.problems.push(Problem { path: found.path.text.clone(), reason });
        self.skip(found, SkipReason::Unreadable);
        Ok(())
    }

    /// A file whose content is not known.
    fn skip(&mut self, found: &Found, reason: SkipReason) {
        let entry = FileEntry {
            path: found.path.clone(),
            fingerprint: found.fingerprint,
            hash: [0; 16],
            state: FileState::Skipped(reason),
        };
        self.batch.entries.push((entry, None));
    }

    fn index(
        &mut self,
        shared: &Shared<'_>,
        i: usize,
        found: &Found,
        bytes: &[u8],
    ) -> Result<(FileState, Option<String>)> {
        let Some(text) = decode::decode(bytes) else {
            return Ok((FileState::Skipped(SkipReason::Binary), None));
        };
        let path = found.path.text.as_str();
        if !shared.job.scan.include_sensitive && scan::is_private_key(path, bytes) {
            return Ok((FileState::Skipped(SkipReason::Sensitive), None));
        }
        let source = chunk::Source::of(path, &text);
        let cuts = self.chunker.cut(shared.job.profile, &source);
        let file_id = shared.old.next_file_id + i as u32;
        let symbols = cuts.syntax.symbols.iter().map(|node| &node.symbol);
        self.builder.begin_file(file_id, symbols)?;
        self.filler.begin_file(path);
        let mut n_words = 0;
        for cut in &cuts.chunks {
            n_words += self.filler.fill(&source, &cuts, cut, self.rows.as_mut());
            self.builder.add(&self.filler.record)?;
            if let Some(rows) = &mut self.rows {
                let (head, signature) = head_of(path, source.language, &cuts, cut);
                rows.head(&head, signature);
                let (start_line, end_line) = (cut.chunk.start_line, cut.chunk.end_line);
                rows.end_row(VectorRow { file_id, start_line, end_line });
            }
        }
        let indexed = Indexed {
            file_id,
            // Filled in when the segment is closed and has a number.
            segment_id: u32::MAX,
            language: 0,
            kind: source.kind,
            n_chunks: cuts.chunks.len() as u32,
            vector_id: None,
            n_words,
            fallback: cuts.syntax.fallback,
        };
        Ok((FileState::Indexed(indexed), Some(source.language.to_owned())))
    }

    /// Writes the open segment and enters the batch.
    fn close(&mut self, shared: &Shared<'_>, commit: bool) -> Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        self.opened = Instant::now();
        if !self.builder.is_empty() {
            let id = shared.next_segment_id.fetch_add(1, Ordering::Relaxed);
            let builder = std::mem::replace(&mut self.builder, SegmentBuilder::new()?);
            batch.segment = Some(builder.finish(shared.job.dir, id)?);
            batch.vectors = self.close_rows(shared)?;
            let vector_id = batch.vectors.as_ref().map(|entry| entry.id);
            for (entry, _) in &mut batch.entries {
                if let FileState::Indexed(indexed) = &mut entry.state
                    && indexed.segment_id == u32::MAX
                {
                    indexed.segment_id = id;
                    indexed.vector_id = vector_id.filter(|_| indexed.n_chunks > 0);
                }
            }
        }
        shared.enter(batch, commit)
    }

    /// Writes the rows of the chunks of the open segment.
    fn close_rows(&mut self, shared: &Shared<'_>) -> Result<Option<VectorEntry>> {
        let Some(rows) = self.rows.as_mut().filter(|rows| rows.n_rows() > 0) else {
            return Ok(None);
        };
        shared.n_rows.fetch_add(rows.n_rows() as u64, Ordering::Relaxed);
        let id = shared.next_vector_id.fetch_add(1, Ordering::Relaxed);
        rows.finish(shared.job.dir, id).map(Some)
    }
}

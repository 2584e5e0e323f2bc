//! Chunks without a vector → vectors, committed as they are finished, while questions and refreshes go on.
//!
//! The write lock is held only for each commit: in between the tree may be indexed anew, and what was embedded of
//! a file that changed meanwhile is dropped (the cache keeps it). Source comes first: it answers most questions.
//! Must not embed what another process is embedding.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::guard::{Wanted, check_model};
use super::{Ingest, NO_END, collect, compact};
use crate::chunk;
use crate::embed::{Embeddings, Role, VectorCache, head};
use crate::error::{Error, ErrorKind, Result};
use crate::request::Event;
use crate::scan::{self, decode};
use crate::store::{
    self, FileEntry, FileState, Indexed, Manifest, VectorBuilder, VectorRow, Work, content_hash,
};

/// Bytes of text that are read before they are embedded: enough to sort by length, few enough that a question with
/// little time finishes some files.
const WINDOW_BYTES: usize = 256 << 10;
/// Rows that are held before they are committed.
const MAX_ROWS: usize = 10_000;

/// How to embed.
#[derive(Debug)]
pub(crate) struct EmbedJob<'a> {
    pub(crate) ingest: &'a Ingest<'a>,
    pub(crate) wanted: Wanted<'a>,
    pub(crate) within: Option<Duration>,
}

/// What was done.
#[derive(Debug, Default)]
pub(crate) struct EmbedReport {
    pub(crate) n_embedded: u64,
    pub(crate) n_cached: u64,
}

/// The text that a model is given for a chunk: its head, then its lines.
fn passage(path: &str, language: &str, cuts: &chunk::Cuts<'_>, cut: &chunk::Cut<'_>) -> String {
    let text = cut.chunk.text;
    match head_of(path, language, cuts, cut) {
        (head, Some(signature)) => format!("{head}\n{signature}\n{text}"),
        (head, None) => format!("{head}\n{text}"),
    }
}

/// What stands before a chunk's lines: the path carries meaning, too, and with symbols so does what it is. A window of
/// something longer begins with its signature.
pub(super) fn head_of<'c>(
    path: &str,
    language: &str,
    cuts: &'c chunk::Cuts<'_>,
    cut: &chunk::Cut<'_>,
) -> (String, Option<&'c str>) {
    let symbol = cut.symbol.map(|idx| &cuts.syntax.symbols[idx].symbol);
    let goes_on = symbol.filter(|symbol| cut.chunk.start_line > symbol.name_line);
    (head(path, language, symbol), goes_on.map(|symbol| symbol.signature.as_str()))
}

/// Embeds every chunk of the current generation that has no vector, until all are done or time is up. `cache` is asked
/// for when there is something to embed and the model is no table: an index that has all its vectors needs none. `None` where nothing was tried, so that
/// the generation at hand is still the one to answer from.
pub(crate) fn embed<'c>(
    job: &EmbedJob<'_>,
    cache: &dyn Fn() -> Result<&'c VectorCache>,
) -> Result<Option<EmbedReport>> {
    let Some(manifest) = store::read(job.ingest.dir)? else {
        return Ok(None);
    };
    check_model(&manifest, job.wanted.model.identity(), job.wanted.replace)?;
    if !has_work(&job.wanted, &manifest) {
        return Ok(None);
    }
    let patience = if job.within.is_none() { NO_END } else { Duration::ZERO };
    let waiting = || (job.ingest.progress.0)(Event::WaitingForWriter);
    let lock = match store::lock(job.ingest.dir, Work::Embed, patience, waiting) {
        // A question goes on with the vectors that there are, as in a folder that may only be read.
        Err(_) if job.within.is_some() => None,
        lock => lock?,
    };
    let Some(_lock) = lock else {
        return Ok(None);
    };
    let cache = match cache() {
        _ if job.wanted.model.table().is_some() => None,
        Err(_) if job.within.is_some() => return Ok(None),
        cache => Some(cache?),
    };
    let mut run = Run::new(job, Embeddings { model: job.wanted.model, cache });
    while run.round()? {}
    Ok(Some(EmbedReport { n_embedded: run.n_embedded, n_cached: run.n_cached }))
}

/// Whether chunks of `manifest` lack the vectors that are wanted.
pub(crate) fn has_work(wanted: &Wanted<'_>, manifest: &Manifest) -> bool {
    let is_pending = |indexed: &Indexed| indexed.vector_id.is_none() && indexed.n_chunks > 0;
    wanted.needs_set(manifest) || manifest.source_files().any(|(_, indexed)| is_pending(indexed))
}

/// Chunks of some files, ready to be embedded.
#[derive(Debug, Default)]
struct Window {
    files: Vec<WindowFile>,
    texts: Vec<String>,
}

#[derive(Debug)]
struct WindowFile {
    file_id: u32,
    /// The lines of its chunks, in order.
    lines: Vec<(u32, u32)>,
}

/// Rows of files that are done.
#[derive(Debug, Default)]
struct Done {
    file_ids: HashSet<u32>,
    rows: Vec<(VectorRow, Vec<f32>)>,
}

impl Done {
    fn add(&mut self, file: &WindowFile, vectors: Vec<Vec<f32>>) {
        let file_id = file.file_id;
        self.file_ids.insert(file_id);
        let row = |(start_line, end_line)| VectorRow { file_id, start_line, end_line };
        self.rows.extend(file.lines.iter().copied().map(row).zip(vectors));
    }
}

struct Run<'a> {
    job: &'a EmbedJob<'a>,
    embeddings: Embeddings<'a>,
    started: Instant,
    /// Files that were tried in this run, with or without success.
    tried: HashSet<u32>,
    n_planned: Option<u64>,
    n_done: u64,
    n_embedded: u64,
    n_cached: u64,
}

impl<'a> Run<'a> {
    fn new(job: &'a EmbedJob<'a>, embeddings: Embeddings<'a>) -> Run<'a> {
        Run {
            job,
            embeddings,
            started: Instant::now(),
            tried: HashSet::new(),
            n_planned: None,
            n_done: 0,
            n_embedded: 0,
            n_cached: 0,
        }
    }

    fn is_time_up(&self) -> bool {
        self.job.within.is_some_and(|within| self.started.elapsed() >= within)
    }

    /// Embeds files of the generation as it is now until it is time to commit; `false` when nothing is left to do.
    fn round(&mut self) -> Result<bool> {
        let Some(manifest) = store::read(self.job.ingest.dir)? else {
            return Ok(false);
        };
        let mut pending = self.pending(&manifest);
        // An index without chunks still says which model it is for.
        if pending.is_empty() && !self.job.wanted.needs_set(&manifest) {
            return Ok(false);
        }
        pending.sort_by(|(a, x), (b, y)| x.kind.cmp(&y.kind).then_with(|| a.path.cmp(&b.path)));
        self.tell_plan(&pending);
        let round = Instant::now();
        let mut queue = pending.into_iter();
        let mut done = Done::default();
        let is_due = |done: &Done| {
            done.rows.len() > MAX_ROWS || round.elapsed() > self.job.ingest.commit_every
        };
        while !is_due(&done) && !self.is_time_up() {
            let Some(window) = self.next_window(&mut queue) else {
                break;
            };
            self.embed(&window, &mut done)?;
        }
        if !done.rows.is_empty() || self.job.wanted.needs_set(&manifest) {
            self.commit(&done)?;
        }
        Ok(!self.is_time_up())
    }

    /// Some files of the queue, read; `None` at its end.
    fn next_window<'m>(
        &mut self,
        queue: &mut impl Iterator<Item = (&'m FileEntry, &'m Indexed)>,
    ) -> Option<Window> {
        let mut window = Window::default();
        let mut n_bytes = 0;
        while n_bytes < WINDOW_BYTES {
            let Some((entry, indexed)) = queue.next() else {
                break;
            };
            self.tried.insert(indexed.file_id);
            if let Some((file, texts)) = self.read(entry, indexed) {
                n_bytes += texts.iter().map(String::len).sum::<usize>();
                window.files.push(file);
                window.texts.extend(texts);
            }
        }
        (!window.files.is_empty()).then_some(window)
    }

    fn pending<'m>(&self, manifest: &'m Manifest) -> Vec<(&'m FileEntry, &'m Indexed)> {
        let anew = self.job.wanted.needs_set(manifest);
        let wanted = |indexed: &Indexed| {
            indexed.n_chunks > 0
                && (anew || indexed.vector_id.is_none())
                && !self.tried.contains(&indexed.file_id)
        };
        manifest.source_files().filter(|(_, indexed)| wanted(indexed)).collect()
    }

    fn tell_plan(&mut self, pending: &[(&FileEntry, &Indexed)]) {
        if self.n_planned.is_none() {
            let n_chunks = pending.iter().map(|(_, indexed)| u64::from(indexed.n_chunks)).sum();
            self.n_planned = Some(n_chunks);
            (self.job.ingest.progress.0)(Event::EmbedPlanned { n_chunks });
        }
    }

    /// The chunks of a file as they were indexed; `None` where the file is another by now.
    fn read(&self, entry: &FileEntry, indexed: &Indexed) -> Option<(WindowFile, Vec<String>)> {
        let chunks = passages(self.job.ingest, entry)?;
        let (lines, texts): (Vec<_>, Vec<_>) = chunks.into_iter().unzip();
        let is_same = lines.len() == indexed.n_chunks as usize;
        is_same.then_some((WindowFile { file_id: indexed.file_id, lines }, texts))
    }

    /// Embeds a window; files that were not finished when time was up are left out.
    fn embed(&mut self, window: &Window, done: &mut Done) -> Result<()> {
        let texts: Vec<&str> = window.texts.iter().map(String::as_str).collect();
        let (started, within) = (self.started, self.job.within);
        let (progress, n_done) = (self.job.ingest.progress, &mut self.n_done);
        let mut go_on = |n_more: u64| {
            *n_done += n_more;
            (progress.0)(Event::Embedded { n_chunks: *n_done });
            within.is_none_or(|within| started.elapsed() < within)
        };
        let embedded = self.embeddings.embed(Role::Passage, &texts, &mut go_on)?;
        self.n_embedded += embedded.n_embedded;
        self.n_cached += embedded.n_cached;
        let mut vectors = embedded.vectors.into_iter();
        for file in &window.files {
            let own: Vec<Option<Vec<f32>>> = vectors.by_ref().take(file.lines.len()).collect();
            if let Some(own) = own.into_iter().collect::<Option<Vec<Vec<f32>>>>() {
                done.add(file, own);
            }
        }
        Ok(())
    }

    /// Makes the rows part of the generation that is current now.
    fn commit(&self, done: &Done) -> Result<()> {
        let ingest = self.job.ingest;
        let Some(_lock) = store::lock(ingest.dir, Work::Write, NO_END, || {})? else {
            return Ok(());
        };
        let Some(mut manifest) = store::read(ingest.dir)? else {
            return Err(Error::new(
                ErrorKind::NotIndexed,
                "the index was removed while it was embedded",
            )
            .with_hint("what was embedded is kept; run again: wherein index"));
        };
        self.job.wanted.begin_set(&mut manifest);
        self.enter(&mut manifest, done)?;
        compact::compact_vectors(ingest.dir, &mut manifest)?;
        manifest.generation += 1;
        store::commit(ingest.dir, &manifest)?;
        (ingest.progress.0)(Event::Committed { generation: manifest.generation });
        collect(ingest, &manifest)
    }

    fn enter(&self, manifest: &mut Manifest, done: &Done) -> Result<()> {
        let Some(set) = &mut manifest.vectors else {
            return Ok(());
        };
        let id = manifest.next_vector_id;
        let mut present = HashSet::new();
        for entry in &mut manifest.files {
            if let FileState::Indexed(indexed) = &mut entry.state
                && done.file_ids.contains(&indexed.file_id)
            {
                indexed.vector_id = Some(id);
                present.insert(indexed.file_id);
            }
        }
        let mut builder = VectorBuilder::new(set.encoding);
        let live = done.rows.iter().filter(|(row, _)| present.contains(&row.file_id));
        live.for_each(|(row, vector)| builder.add(*row, vector));
        if builder.n_rows() > 0 {
            set.segments.push(builder.finish(self.job.ingest.dir, id)?);
            manifest.next_vector_id += 1;
        }
        Ok(())
    }
}

/// The lines and the text of each chunk of a file; `None` where it is not the file that was indexed.
pub(crate) fn passages(
    ingest: &Ingest<'_>,
    entry: &FileEntry,
) -> Option<Vec<((u32, u32), String)>> {
    let limit = ingest.scan.read_limit(entry.fingerprint.n_bytes);
    let bytes = scan::read_regular(&entry.path.under(&ingest.scan.root), limit).ok()?;
    if content_hash(&bytes) != entry.hash {
        return None;
    }
    let text = decode::decode(&bytes)?;
    let path = entry.path.text.as_str();
    let source = chunk::Source::of(path, &text);
    let cuts = chunk::Chunker::default().cut(ingest.profile, &source);
    let of = |cut: &chunk::Cut<'_>| {
        let lines = (cut.chunk.start_line, cut.chunk.end_line);
        (lines, passage(path, source.language, &cuts, cut))
    };
    Some(cuts.chunks.iter().map(of).collect())
}

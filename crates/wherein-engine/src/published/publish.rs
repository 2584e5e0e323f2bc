//! The write story: an index becomes true in a collection.
//!
//! `publish` tells it in one function: check the guard, see what is there, write what is missing, then the catalogue, then
//! the head, then remove what nothing names. A run that is killed loses nothing that was written, and readers go on with the
//! publication before: what it names is removed only after the next one is visible. Only what filters ask of a chunk whose
//! text is the same (its lines, its kind) is ahead of the head for that while.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::ask::version;
use super::guard::{Guard, SparseEncoder};
use super::point::{ChunkPoint, Point, PointId, blob, chunk_ids};
use super::{Collection, Head};
use crate::embed::{Role, has_meaning};
use crate::error::{Error, ErrorKind, Result};
use crate::model::Problem;
use crate::request::Event;
use crate::search::CodeTerms;
use crate::sparse::SparseVector;
use crate::store::{
    About, Catalogue, FileRecord, Generation, RecordKey, each_record, record_without_chunks,
};
use crate::tokenize::Tokenizer;

/// Points on their way from who makes them to who writes them.
const IN_FLIGHT: usize = 512;
/// Bytes of one part of a catalogue.
const PART_BYTES: usize = 512 << 10;
/// Ids removed at once.
const DELETED_AT_ONCE: usize = 1000;

/// How a repository is published.
#[derive(Debug, Clone)]
pub struct PublishOptions {
    /// The name of the repository in the collection.
    pub repository: String,
    /// Where it comes from, without credentials.
    pub origin: String,
    /// What makes its sparse vectors.
    pub sparse: SparseEncoder,
    /// Whether a repository of that name from elsewhere is replaced, and every point is written, even one that is there.
    pub replace: bool,
    /// Folders, files or globs that stay on this machine.
    pub exclude: Vec<String>,
}

/// What one publication did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PublishReport {
    /// Source files that are published now.
    pub n_files: u64,
    /// Chunks that are published now.
    pub n_chunks: u64,
    /// Chunks with a dense vector.
    pub n_vectors: u64,
    /// Points that were written.
    pub n_written: u64,
    /// Points that were there already, as they should be.
    pub n_kept: u64,
    /// Points that were removed.
    pub n_removed: u64,
    /// Files that could not be published, with why.
    pub problems: Vec<Problem>,
}

/// What is published, and how.
#[derive(Clone, Copy)]
pub(crate) struct Publication<'a> {
    pub(crate) generation: &'a Generation,
    pub(crate) collection: &'a dyn Collection,
    pub(crate) options: &'a PublishOptions,
    /// What the collection is made for where it is made now.
    pub(crate) wanted: &'a Guard,
    /// The text of a file as it was indexed; `None` where it has changed since.
    pub(crate) text: &'a (dyn Fn(usize) -> Option<String> + Sync),
    pub(crate) progress: &'a (dyn Fn(Event) + Sync),
}

/// Makes a generation visible in a collection.
pub(crate) fn publish(job: &Publication<'_>) -> Result<PublishReport> {
    let guard = guarded(job)?;
    let name = &job.options.repository;
    let before = head_before(job)?;
    let present = job.collection.present(name)?;
    let mut made = write(job, &guard, &present)?;
    let head = head(job, &mut made)?;
    let parts = std::mem::take(&mut made.parts);
    made.report.n_written += upsert_missing(job, parts, &present)?;
    check_alone(job, before.as_ref())?;
    job.collection.commit(&head)?;
    let stale: Vec<PointId> =
        present.keys().filter(|id| !made.wanted.contains(*id)).copied().collect();
    for some in stale.chunks(DELETED_AT_ONCE) {
        job.collection.delete(name, some)?;
    }
    made.report.n_kept = made.wanted.len() as u64 - made.report.n_written;
    made.report.n_removed = stale.len() as u64;
    (made.report.n_files, made.report.n_chunks) = (head.n_files, head.n_chunks);
    made.report.n_vectors = head.n_vectors;
    Ok(made.report)
}

/// The guard of the collection, which is made where it is missing.
fn guarded(job: &Publication<'_>) -> Result<Guard> {
    let guard = match job.collection.guard()? {
        Some(guard) => guard,
        None => {
            let mut fresh = job.wanted.clone();
            if let SparseEncoder::Code(_) = job.options.sparse {
                // Measured on what is there when the collection is made; it stays, so that vectors stay comparable.
                let mean =
                    job.generation.n_words as f64 / (job.generation.n_chunks as f64).max(1.0);
                if let Some(bm25) = &mut fresh.sparse.bm25 {
                    bm25.average_length = mean.max(1.0).round();
                }
            }
            job.collection.create(&fresh)?;
            // Somebody else may have made it meanwhile, for something else.
            job.collection.guard()?.unwrap_or(fresh)
        }
    };
    guard.check(job.wanted, &job.collection.name())?;
    Ok(guard)
}

/// What is published already. A repository of the same name from elsewhere is not written over unasked.
fn head_before(job: &Publication<'_>) -> Result<Option<Head>> {
    let name = &job.options.repository;
    let Some(head) = job.collection.head(name)? else { return Ok(None) };
    if job.options.replace || head.origin == job.options.origin {
        return Ok(Some(head));
    }
    let collection = job.collection.name();
    Err(Error::usage(format!(
        "{collection} has a repository {name} from {}, not from {}",
        head.origin, job.options.origin
    ))
    .with_hint("choose another name with --repo-name, or replace it: index --rebuild, store migrate --replace"))
}

/// Somebody who published meanwhile, on another machine, has removed what their publication does not name, and this one may
/// count on it.
fn check_alone(job: &Publication<'_>, before: Option<&Head>) -> Result<()> {
    let name = &job.options.repository;
    let now = job.collection.head(name)?;
    if now.as_ref() == before {
        return Ok(());
    }
    let message = format!("somebody else has published {name} meanwhile");
    Err(Error::new(ErrorKind::Busy, message)
        .with_hint("run it again: it writes only what is missing now"))
}

/// What was made on the way.
#[derive(Default)]
struct Made {
    report: PublishReport,
    /// Every point that the publication is made of.
    wanted: HashSet<PointId>,
    /// Where the record of each file is kept.
    records: HashMap<usize, RecordKey>,
    parts: Vec<Point>,
}

/// Writes every chunk and record that is not there as it should be.
fn write(job: &Publication<'_>, guard: &Guard, present: &HashMap<PointId, u64>) -> Result<Made> {
    let (sender, receiver) = mpsc::sync_channel::<Point>(IN_FLIGHT);
    std::thread::scope(|scope| {
        let maker = scope.spawn(move || {
            let mut made = Made::default();
            let Made { wanted, records, report, .. } = &mut made;
            let mut send = |point: Point| {
                let is_new = wanted.insert(point.id());
                let is_there = is_there(job, &point, present);
                // Nobody receives where writing failed; that error is told.
                is_new && !is_there && sender.send(point).is_err()
            };
            let rows = job.generation.rows_by_file()?;
            for position in 0..job.generation.segments.len() {
                let mut file = FileMaker::new(job, guard, (position, &rows))?;
                file.each(&mut send, (records, &mut report.problems))?;
            }
            without_chunks(job, &mut send, records)?;
            Ok(made)
        });
        let mut points = receiver.into_iter();
        let written = job.collection.upsert(&mut points, &|n_points| {
            (job.progress)(Event::Published { n_points });
        });
        drop(points);
        let made = maker.join().unwrap_or_else(|_| Err(Error::bug("a publishing thread panicked")));
        let n_written = written?;
        let mut made: Made = made?;
        made.report.n_written = n_written;
        Ok(made)
    })
}

/// Whether a point need not be written. Who replaces a repository does not trust what lies there.
fn is_there(job: &Publication<'_>, point: &Point, present: &HashMap<PointId, u64>) -> bool {
    !job.options.replace && present.get(&point.id()) == Some(&point.digest())
}

/// The records of files in which there is nothing to find, but which are read and searched as text.
fn without_chunks(
    job: &Publication<'_>,
    send: Send<'_>,
    records: &mut HashMap<usize, RecordKey>,
) -> Result<()> {
    for file_idx in 0..job.generation.manifest.files.len() {
        let Some((entry, indexed)) = job.generation.source_file(file_idx) else { continue };
        // One that has changed is as good as before: nothing of it can be found.
        let text = if indexed.n_chunks == 0 { (job.text)(file_idx) } else { None };
        let Some(text) = text else { continue };
        let path = &entry.path.text;
        let seen = (entry.hash, entry.fingerprint.n_bytes);
        let about = About::of(path, seen, job.generation.language(indexed), indexed);
        let bytes = record_without_chunks(&about, &text)?;
        let point = blob(&job.options.repository, path, bytes);
        records.insert(file_idx, point.id);
        if send(Point::Blob(point)) {
            break;
        }
    }
    Ok(())
}

fn upsert_missing(
    job: &Publication<'_>,
    points: Vec<Point>,
    present: &HashMap<PointId, u64>,
) -> Result<u64> {
    let is_missing = |point: &Point| !is_there(job, point, present);
    job.collection.upsert(&mut points.into_iter().filter(is_missing), &|_| ())
}

/// The head of what was made, with the catalogue cut into parts.
fn head(job: &Publication<'_>, made: &mut Made) -> Result<Head> {
    let (name, generation) = (&job.options.repository, job.generation);
    let n_files = generation.manifest.files.len();
    let records: Vec<RecordKey> =
        (0..n_files).map(|idx| made.records.get(&idx).copied().unwrap_or(0)).collect();
    let catalogue = Catalogue::encode(generation, name, &records)?;
    let mut parts = Vec::new();
    for part in catalogue.chunks(PART_BYTES) {
        let point = Point::Blob(blob(name, "", part.to_vec()));
        parts.push(point.id());
        made.wanted.insert(point.id());
        made.parts.push(point);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Head {
        repository: name.clone(),
        origin: job.options.origin.clone(),
        version: version(&catalogue),
        parts,
        n_files: generation.manifest.source_files().count() as u64,
        n_chunks: generation.n_chunks,
        n_vectors: generation.manifest.n_vectors(),
        published_ms: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
    })
}

/// Makes the points of the files of one segment.
struct FileMaker<'a> {
    job: &'a Publication<'a>,
    position: usize,
    /// By document, where the profile makes vectors of terms.
    terms: Option<Vec<SparseVector>>,
    /// The rows of vectors of each file.
    rows: &'a [Vec<(u32, u32)>],
    tokenizer: Tokenizer,
}

/// Takes a point; says whether nobody wants more.
type Send<'s> = &'s mut dyn FnMut(Point) -> bool;

impl<'a> FileMaker<'a> {
    fn new(
        job: &'a Publication<'a>,
        guard: &Guard,
        (position, rows): (usize, &'a [Vec<(u32, u32)>]),
    ) -> Result<FileMaker<'a>> {
        let terms = match (&job.options.sparse, guard.sparse.bm25) {
            (SparseEncoder::Code(_), Some(bm25)) => {
                let segment = &job.generation.segments[position];
                Some(CodeTerms::passages(segment, bm25)?)
            }
            _ => None,
        };
        Ok(FileMaker { job, position, terms, rows, tokenizer: Tokenizer::default() })
    }

    fn each(
        &mut self,
        send: Send<'_>,
        (records, problems): (&mut HashMap<usize, RecordKey>, &mut Vec<Problem>),
    ) -> Result<()> {
        let (generation, position) = (self.job.generation, self.position);
        let mut is_over = false;
        each_record(generation, position, &mut |file_idx, record_of| {
            let Some((entry, indexed)) = generation.source_file(file_idx).filter(|_| !is_over)
            else {
                return Ok(());
            };
            let path = entry.path.text.clone();
            let Some(text) = (self.job.text)(file_idx) else {
                let reason = "changed while it was published: the next refresh takes it".to_owned();
                problems.push(Problem { path, reason });
                return Ok(());
            };
            let seen = (entry.hash, entry.fingerprint.n_bytes);
            let about = About::of(&path, seen, generation.language(indexed), indexed);
            let bytes = record_of(about, &text)?;
            // What is longer than any record may be is refused by every reader, too.
            let Ok(record) = FileRecord::decode(&bytes) else {
                problems.push(Problem { path, reason: "too large to be published".to_owned() });
                return Ok(());
            };
            let point = blob(&self.job.options.repository, &path, bytes);
            records.insert(file_idx, point.id);
            is_over = send(Point::Blob(point));
            for chunk in self.chunks(file_idx, &record)? {
                is_over |= send(Point::Chunk(Box::new(chunk)));
            }
            Ok(())
        })
    }

    /// The chunks of one file.
    fn chunks(&mut self, file_idx: usize, record: &FileRecord) -> Result<Vec<ChunkPoint>> {
        let repository = &self.job.options.repository;
        let Some((_, docs)) = self.job.generation.docs_of(file_idx)? else {
            return Ok(Vec::new());
        };
        let passages = self.passages(record)?;
        let dense = self.dense(file_idx)?;
        let symbols = record.symbols(0);
        let file = symbols.file(0)?;
        let ids = chunk_ids(repository, record);
        let mut chunks = Vec::new();
        for ((own, doc), id) in (0..record.n_chunks()).zip(docs).zip(ids) {
            let (start_line, end_line) = record.lines(own);
            let sparse = match (&self.terms, passages.get(own as usize)) {
                (Some(terms), _) => terms[doc as usize].clone(),
                (None, passage) => passage.cloned().unwrap_or_default(),
            };
            let mut point = ChunkPoint {
                id,
                digest: 0,
                repository: repository.clone(),
                path: record.about.path.clone(),
                start_line,
                end_line,
                language: record.about.language.clone(),
                kind: record.about.kind,
                symbol_kinds: Vec::new(),
                names: Vec::new(),
                name_tokens: Vec::new(),
                dense: dense.get(&(start_line, end_line)).cloned(),
                sparse,
            };
            if let Some(file) = &file {
                for row in symbols.held_by(file, (start_line, end_line))? {
                    if !point.symbol_kinds.contains(&row.kind) {
                        point.symbol_kinds.push(row.kind);
                    }
                    if (start_line..=end_line).contains(&row.name_line) {
                        self.name(&mut point, &symbols.symbol(row)?);
                    }
                }
            }
            chunks.push(point.sealed());
        }
        Ok(chunks)
    }

    fn name(&mut self, point: &mut ChunkPoint, symbol: &crate::symbol::Symbol) {
        if !point.names.contains(&symbol.name) {
            point.names.push(symbol.name.clone());
        }
        let route = symbol.route.as_ref().map(ToString::to_string);
        for name in [Some(symbol.name.clone()), route].into_iter().flatten() {
            self.tokenizer.suffixes(&name, |suffix| {
                if !point.name_tokens.iter().any(|known| known == suffix) {
                    point.name_tokens.push(suffix.to_owned());
                }
            });
        }
    }

    /// The sparse vectors of a profile that reads text.
    fn passages(&self, record: &FileRecord) -> Result<Vec<SparseVector>> {
        let SparseEncoder::Text(embedder) = &self.job.options.sparse else {
            return Ok(Vec::new());
        };
        let texts: Vec<&str> = record.spans().collect();
        embedder.embed(Role::Passage, &texts)
    }

    /// The vectors of a file's chunks, by their lines.
    fn dense(&self, file_idx: usize) -> Result<HashMap<(u32, u32), Vec<f32>>> {
        let mut found = HashMap::new();
        for (segment, row) in self.rows.get(file_idx).into_iter().flatten() {
            let rows = &self.job.generation.vectors[*segment as usize];
            let vector = rows.vector(*row as usize)?;
            if has_meaning(&vector) {
                let row = rows.row(*row as usize)?;
                found.insert((row.start_line, row.end_line), vector);
            }
        }
        Ok(found)
    }
}

//! The read story: a question → the part of a published index that can answer it, as a generation.
//!
//! `Remote::for_question` tells it in one function: what is published, what the question asks for, which chunks the
//! collection proposes, the records of their files. What is made of that is the search's. Must not rank.

mod lookups;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::guard::{Guard, SparseEncoder};
use super::point::{blob, chunk_ids};
use super::records::Records;
use super::{CandidateQuestion, Candidates, Collection, FoundChunk, Head};
use crate::error::{Error, ErrorKind, Result};
use crate::model::{Candidate, FusionMethod, Mode};
use crate::request::SearchRequest;
use crate::scan::RelPath;
use crate::search::{self, CodeTerms, NO_DOC, Wanted};
use crate::store::{
    Catalogue, FileRecord, Generation, IndexDir, Published, RecordKey, Segment, keep_catalogue,
};

/// Candidates of each list where every vector is compared: as many as a local index keeps, so that what sinks, because it is
/// a test, is replaced.
const ALL_CANDIDATES: usize = search::DEPTH;
/// The same otherwise: a server takes a fifth of the time, and the first ten seldom differ.
const FEW_CANDIDATES: usize = 150;
/// How long the number of repositories is believed: it only says whether rare terms are counted as they should be.
const COUNT_LIFE: Duration = Duration::from_secs(60);
/// How long a head is believed to be the last: a server that answers many questions does not ask for it each time.
const HEAD_LIFE: Duration = Duration::from_secs(1);
/// Records that are fetched at once where all are wanted.
const AT_ONCE: usize = 256;
/// Files that are read for the quoted parts of a question, beside those that a collection proposes.
const MAX_QUOTED: usize = 2000;
/// Bytes of source that are read for one answer: all of it is held until the answer is made.
const MAX_READ_BYTES: u64 = 1 << 30;

/// How a published repository is asked.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) repository: String,
    pub(crate) sparse: SparseEncoder,
    /// Whether every vector is compared.
    pub(crate) exact: bool,
    /// The time that the collection has for one question.
    pub(crate) deadline: Option<Duration>,
    /// Records that are kept, in bytes.
    pub(crate) cache_bytes: usize,
    /// Where fetched catalogues are kept.
    pub(crate) index_base: PathBuf,
}

/// A published repository.
#[derive(Debug)]
pub(crate) struct Remote {
    collection: Arc<dyn Collection>,
    ask: Ask,
    opened: Mutex<Option<Opened>>,
    /// Of the whole collection, and when they were counted.
    n_repositories: Mutex<Option<(u64, Instant)>>,
    records: Records,
}

/// What is known of what is published.
#[derive(Debug, Clone)]
struct Opened {
    head: Head,
    catalogue: Arc<Catalogue>,
    seen: Instant,
}

impl Remote {
    /// Checks that the collection is one that `wanted` may be compared with. Fetches nothing of the repository.
    pub(crate) fn open(
        collection: Arc<dyn Collection>,
        wanted: Option<&Guard>,
        ask: Ask,
    ) -> Result<Remote> {
        let guard = collection.guard()?.ok_or_else(|| nothing_there(&*collection))?;
        if let Some(wanted) = wanted {
            guard.check(wanted, &collection.name())?;
        }
        let records = Records::new(ask.cache_bytes);
        let (opened, n_repositories) = (Mutex::default(), Mutex::default());
        Ok(Remote { collection, ask, opened, n_repositories, records })
    }

    /// The collection.
    pub(crate) fn collection(&self) -> &dyn Collection {
        &*self.collection
    }

    /// What the repository's head says.
    pub(crate) fn head(&self) -> Result<Head> {
        Ok(self.opened(true)?.head)
    }

    /// Records that are kept, in bytes.
    pub(crate) fn cached_bytes(&self) -> usize {
        self.records.n_bytes()
    }

    /// The repository without any file: what there is, and what its terms count for.
    pub(crate) fn bare(&self) -> Result<Generation> {
        Ok(without_files(&self.opened(true)?.catalogue))
    }

    /// What may answer a question, and what is missing of it, in words.
    pub(crate) fn for_question(
        &self,
        request: &SearchRequest,
        vector: Option<&[f32]>,
    ) -> Result<(Generation, Vec<String>)> {
        self.at_last(|opened| {
            let end = self.end();
            let bare = without_files(&opened.catalogue);
            let wanted = search::wanted(&bare, request)?;
            let all = wanted.allowed.iter().enumerate().filter(|(_, allowed)| **allowed);
            let mut files: Vec<usize> = all.map(|(idx, _)| idx).collect();
            if !request.mode.is_ranked() || files.is_empty() {
                return self.with_files(opened, files, end);
            }
            let mut candidates = self.candidates(request, &wanted, (vector, end))?;
            let mut said = std::mem::take(&mut candidates.degraded);
            self.weigh_again(&wanted, &mut candidates.by_words);
            let Candidates { by_words, by_meaning, fused, .. } = &candidates;
            let looked_at = [by_words, by_meaning, fused].map(|list| {
                let places: Vec<Candidate> =
                    list.iter().filter_map(|found| placed(&bare, found)).collect();
                search::looked_at(&bare, request, &places)
            });
            // What is quoted may stand where no word of the question does.
            if !wanted.has_literals || files.len() > MAX_QUOTED {
                let proposed = looked_at.iter().flatten().map(|c| c.file_idx as usize);
                files = proposed.chain(wanted.mentioned.iter().copied()).collect();
                if wanted.has_literals {
                    said.push(QUOTED.to_owned());
                }
            }
            let (mut generation, mut degraded) = self.with_files(opened, files, end)?;
            let is_server = is_fused_by_server(request);
            let by_server = is_server.then(|| {
                let mut served = self.located(&generation, fused);
                served.retain(|place| wanted.allowed[place.file_idx as usize]);
                served
            });
            let by_meaning = self.located(&generation, by_meaning);
            if let Some(published) = &mut generation.published {
                (published.by_meaning, published.by_server) = (by_meaning, by_server);
            }
            degraded.splice(0..0, said);
            Ok((generation, degraded))
        })
    }

    fn candidates(
        &self,
        request: &SearchRequest,
        wanted: &Wanted,
        (vector, end): (Option<&[f32]>, Option<Instant>),
    ) -> Result<Candidates> {
        let sparse = match request.mode {
            Mode::Semantic => None,
            _ => Some(self.ask.sparse.question(&request.text, &wanted.terms)?),
        };
        let sparse = sparse.filter(|sparse| !sparse.is_empty());
        let dense = vector.filter(|_| request.mode.needs_model()).map(<[f32]>::to_vec);
        if sparse.is_none() && dense.is_none() {
            return Ok(Candidates::default());
        }
        let mut filter = wanted.filter.clone();
        filter.repositories = vec![self.ask.repository.clone()];
        let fuse = is_fused_by_server(request)
            .then(|| request.fusion.map_or(60, |fusion| fusion.k.max(1.0) as u32));
        self.collection.candidates(&CandidateQuestion {
            sparse,
            dense,
            limit: if self.ask.exact { ALL_CANDIDATES } else { FEW_CANDIDATES }
                .max(request.limit.unwrap_or(0)),
            filter,
            with_sparse: fuse.is_none() && self.is_weighed_again()?,
            exact: self.ask.exact,
            fuse,
            deadline: left(end),
        })
    }

    /// Whether what is found by words has to be weighed again: not where the repository is the whole collection.
    fn is_weighed_again(&self) -> Result<bool> {
        if !matches!(self.ask.sparse, SparseEncoder::Code(_)) {
            return Ok(false);
        }
        let mut known = self.n_repositories.lock().unwrap_or_else(PoisonError::into_inner);
        let (n, _) = match known.filter(|(_, seen)| seen.elapsed() < COUNT_LIFE) {
            Some(counted) => counted,
            None => *known.insert((self.collection.n_repositories()?, Instant::now())),
        };
        Ok(n > 1)
    }

    /// Orders what was found by words as the repository alone would, where it came with its terms: a server may count how rare
    /// a term is in the whole collection.
    fn weigh_again(&self, wanted: &Wanted, found: &mut [FoundChunk]) {
        let weights = CodeTerms::weights(&wanted.terms);
        for chunk in found.iter_mut() {
            chunk.score = chunk.sparse.as_ref().map_or(chunk.score, |own| weights.dot(own));
        }
        found.sort_by(|a, b| {
            let place = (&a.path, a.start_line).cmp(&(&b.path, b.start_line));
            b.score.total_cmp(&a.score).then(place)
        });
    }

    /// The repository with the files at these positions, and what is missing of them, in words.
    fn with_files(
        &self,
        opened: &Opened,
        mut files: Vec<usize>,
        end: Option<Instant>,
    ) -> Result<(Generation, Vec<String>)> {
        files.sort_unstable();
        files.dedup();
        let catalogue = &opened.catalogue;
        let mut n_bytes = 0_u64;
        files.retain(|idx| {
            let entry = catalogue.manifest.files.get(*idx);
            let source = entry.filter(|entry| entry.indexed().is_some());
            n_bytes = n_bytes.saturating_add(source.map_or(0, |entry| entry.fingerprint.n_bytes));
            source.is_some()
        });
        if n_bytes > MAX_READ_BYTES {
            return Err(too_much(&self.ask.repository, n_bytes));
        }
        let n_wanted = files.len();
        // What changed while it was published has no record.
        files.retain(|idx| catalogue.records[*idx] != 0);
        let mut n_missing = n_wanted - files.len();
        let keys: Vec<RecordKey> = files.iter().map(|idx| catalogue.records[*idx]).collect();
        let mut segments = Vec::with_capacity(files.len());
        for (files, keys) in files.chunks(AT_ONCE).zip(keys.chunks(AT_ONCE)) {
            for (idx, record) in files.iter().zip(self.fetch(keys, left(end))?) {
                match record {
                    Some(record) => segments.push(Segment::of_record(record, *idx as u32)),
                    None => n_missing += 1,
                }
            }
        }
        let degraded = (n_missing > 0).then(|| {
            format!("{n_missing} published files are missing or damaged: publish the repository again, at last with --rebuild")
        });
        let statistics = Arc::clone(&catalogue.statistics);
        let published = Published { statistics, ..Published::default() };
        let generation = Generation::published(catalogue, segments, published);
        Ok((generation, degraded.into_iter().collect()))
    }

    /// Found chunks as candidates, ties in the order of a local index. A chunk is known by its id, not by its lines: what a
    /// publication under way has moved stands where it stood, and what it has added is not there yet.
    fn located(&self, generation: &Generation, found: &[FoundChunk]) -> Vec<Candidate> {
        let locate = |found: &FoundChunk| {
            let file_idx = position(generation, &found.path)?;
            let (segment_idx, _) = generation.docs_of(file_idx).ok()??;
            let record = generation.segments[segment_idx].record()?;
            let ids = record.keys(|record| chunk_ids(&self.ask.repository, record));
            let doc = ids.iter().position(|id| *id == found.id)?;
            let (start_line, end_line) = record.lines(doc as u32);
            let (file_idx, score) = (file_idx as u32, found.score);
            let (segment_idx, doc) = (NO_DOC, NO_DOC);
            Some(Candidate { file_idx, start_line, end_line, score, segment_idx, doc })
        };
        let mut candidates: Vec<Candidate> = found.iter().filter_map(locate).collect();
        candidates.sort_by(|a, b| {
            let place = (a.file_idx, a.start_line).cmp(&(b.file_idx, b.start_line));
            b.score.total_cmp(&a.score).then(place)
        });
        candidates
    }

    /// Records in the order of their keys: from memory, or from the collection.
    fn fetch(
        &self,
        keys: &[RecordKey],
        deadline: Option<Duration>,
    ) -> Result<Vec<Option<Arc<FileRecord>>>> {
        let mut records = self.records.get(keys);
        let missing: Vec<usize> = (0..keys.len()).filter(|at| records[*at].is_none()).collect();
        if missing.is_empty() {
            return Ok(records);
        }
        let wanted: Vec<RecordKey> = missing.iter().map(|at| keys[*at]).collect();
        let blobs = self.collection.blobs(&wanted, deadline)?;
        for ((at, key), blob) in missing.into_iter().zip(wanted).zip(blobs) {
            let Some(record) = blob.and_then(|bytes| self.sound(key, bytes)) else { continue };
            self.records.put(key, &record);
            records[at] = Some(record);
        }
        Ok(records)
    }

    /// A record as it was published; `None` for one that is damaged or another's.
    fn sound(&self, key: RecordKey, bytes: Vec<u8>) -> Option<Arc<FileRecord>> {
        let record = FileRecord::decode(&bytes).ok()?;
        let named = blob(&self.ask.repository, &record.about.path, bytes);
        (named.id == key).then(|| Arc::new(record))
    }

    /// What is published now.
    pub(super) fn last(&self) -> Result<(Head, Arc<Catalogue>)> {
        let Opened { head, catalogue, .. } = self.opened(true)?;
        Ok((head, catalogue))
    }

    /// The records of the files at these positions, in order.
    pub(super) fn records_of(
        &self,
        catalogue: &Catalogue,
        files: &[usize],
    ) -> Result<Vec<Option<Arc<FileRecord>>>> {
        let keys: Vec<RecordKey> = files.iter().map(|idx| catalogue.records[*idx]).collect();
        self.fetch(&keys, self.ask.deadline)
    }

    /// Works on what is published, once more where that was replaced meanwhile and files of it are gone.
    fn at_last<T>(
        &self,
        work: impl Fn(&Opened) -> Result<(T, Vec<String>)>,
    ) -> Result<(T, Vec<String>)> {
        let opened = self.opened(false)?;
        let done = work(&opened)?;
        if done.1.is_empty() {
            return Ok(done);
        }
        let now = self.opened(true)?;
        if now.head.version == opened.head.version {
            return Ok(done);
        }
        work(&now)
    }

    fn opened(&self, is_last_wanted: bool) -> Result<Opened> {
        let known = self.lock().clone();
        let life = if is_last_wanted { HEAD_LIFE / 10 } else { HEAD_LIFE };
        if let Some(opened) = known.as_ref().filter(|opened| opened.seen.elapsed() < life) {
            return Ok(opened.clone());
        }
        let repository = &self.ask.repository;
        let head = self.collection.head(repository)?.ok_or_else(|| self.not_published())?;
        let seen = Instant::now();
        let opened = match known.filter(|opened| opened.head.version == head.version) {
            Some(known) => Opened { head, seen, ..known },
            None => match self.catalogue(&head) {
                Ok(catalogue) => Opened { catalogue, head, seen },
                // It may have been replaced since its head was read.
                Err(error) => {
                    let now = self.collection.head(repository)?;
                    let now = now.filter(|now| now.version != head.version).ok_or(error)?;
                    Opened { catalogue: self.catalogue(&now)?, head: now, seen }
                }
            },
        };
        *self.lock() = Some(opened.clone());
        Ok(opened)
    }

    /// The catalogue that a head names: as another process left it, else fetched.
    fn catalogue(&self, head: &Head) -> Result<Arc<Catalogue>> {
        let path = IndexDir::catalogue(&self.ask.index_base, &head.version);
        let kept = std::fs::read(&path).ok().filter(|bytes| version(bytes) == head.version);
        if let Some(known) = kept.and_then(|bytes| Catalogue::decode(&bytes).ok()) {
            return Ok(Arc::new(known));
        }
        let bytes = self.fetched_catalogue(head)?;
        let catalogue = Catalogue::decode(&bytes)?.checked()?;
        // A version is also a file name.
        if version(&bytes) == head.version {
            keep_catalogue(&path, &bytes);
        }
        Ok(Arc::new(catalogue))
    }

    fn fetched_catalogue(&self, head: &Head) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for part in self.collection.blobs(&head.parts, None)? {
            bytes.extend(part.ok_or_else(|| {
                Error::index_format(format!(
                    "a part of the catalogue of {} is gone",
                    head.repository
                ))
                .with_hint("publish the repository again, at last with --rebuild")
            })?);
        }
        Ok(bytes)
    }

    /// When a question that begins now has to be answered.
    fn end(&self) -> Option<Instant> {
        self.ask.deadline.and_then(|deadline| Instant::now().checked_add(deadline))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Opened>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn not_published(&self) -> Error {
        let (repository, name) = (&self.ask.repository, self.collection.name());
        let names: Vec<String> = match self.collection.heads() {
            Ok(heads) => heads.into_iter().map(|head| head.repository).take(5).collect(),
            Err(_) => Vec::new(),
        };
        let hint = match names.is_empty() {
            true => "publish it with: wherein index --store …".to_owned(),
            false => format!("it has, among others: {}", names.join(", ")),
        };
        Error::new(ErrorKind::NotIndexed, format!("{name} has no repository {repository}"))
            .with_hint(hint)
    }
}

/// What is said where quoted parts were not looked for everywhere.
const QUOTED: &str = "quoted parts were looked for only in the files that the server proposed: narrow the question down by path, or ask for them with --exact";

/// What is left of the time until `end`: a little at least, so that a late answer is told as such.
fn left(end: Option<Instant>) -> Option<Duration> {
    let left = |end: Instant| end.saturating_duration_since(Instant::now());
    end.map(|end| left(end).max(Duration::from_millis(1)))
}

fn too_much(repository: &str, n_bytes: u64) -> Error {
    let n_mb = n_bytes >> 20;
    Error::usage(format!("that would read {n_mb} MB of {repository} from the collection"))
        .with_hint("narrow it down by path, language or kind, or ask the index of a folder")
}

/// What tells catalogues apart.
pub(super) fn version(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().as_str()[..16].to_owned()
}

/// Whether the list of the server is to be shown as it is.
fn is_fused_by_server(request: &SearchRequest) -> bool {
    request.mode == Mode::Hybrid
        && request.fusion.is_some_and(|fusion| fusion.method == FusionMethod::Server)
}

fn nothing_there(collection: &dyn Collection) -> Error {
    let name = collection.name();
    Error::new(ErrorKind::NotIndexed, format!("there is no collection {name}"))
        .with_hint("publish a repository with: wherein index --store …")
}

fn without_files(catalogue: &Arc<Catalogue>) -> Generation {
    let statistics = Arc::clone(&catalogue.statistics);
    Generation::published(catalogue, Vec::new(), Published { statistics, ..Published::default() })
}

fn position(generation: &Generation, path: &str) -> Option<usize> {
    generation.manifest.position(&RelPath { text: path.to_owned(), raw: None })
}

/// Where a chunk was found, as a candidate; `None` where its file is no longer published.
fn placed(bare: &Generation, found: &FoundChunk) -> Option<Candidate> {
    let file_idx = position(bare, &found.path)? as u32;
    let FoundChunk { start_line, end_line, score, .. } = *found;
    Some(Candidate { file_idx, start_line, end_line, score, segment_idx: NO_DOC, doc: NO_DOC })
}

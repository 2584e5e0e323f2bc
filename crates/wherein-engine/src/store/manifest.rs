//! The manifest: one file that says what a generation is made of. Replacing it is the commit.
//!
//! Layout: magic, format number, length, postcard body, first 16 bytes of its blake3 hash. A wrong hash or a
//! short file is damage; a format number that is not known is refused by name, never guessed at. What format 5 added stands
//! behind the body, so that one of format 4 is read as one without it.

use std::io::Write;
use std::path::Path;

use super::layout::{FORMAT, IndexDir, OLDEST_FORMAT};
use super::pack;
use super::vectors::VectorEntry;
use crate::embed::ModelIdentity;
use crate::error::{Error, IoContext, Result};
use crate::model::{Kind, Problem, Profile, SkipCounts, SkipReason, VectorEncoding};
use crate::scan::{Fingerprint, RelPath};
use crate::syntax::Fallback;

const MAGIC: &[u8; 8] = b"WHEREIN\0";
const HEADER_BYTES: usize = 8 + 4 + 8;
const HASH_BYTES: usize = 16;

/// The first 16 bytes of a blake3 hash.
pub(crate) type ContentHash = [u8; HASH_BYTES];

/// The hash that decides whether two contents are the same.
pub(crate) fn content_hash(bytes: &[u8]) -> ContentHash {
    let mut short = [0; HASH_BYTES];
    short.copy_from_slice(&blake3::hash(bytes).as_bytes()[..HASH_BYTES]);
    short
}

/// Everything that makes two indexes of one tree differ; another identity means another index.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Identity {
    pub(crate) profile: Profile,
    pub(crate) scan_version: u32,
    pub(crate) chunker_version: u32,
    pub(crate) syntax_version: u32,
    pub(crate) tokenizer_version: u32,
    pub(crate) include_sensitive: bool,
    pub(crate) max_file_bytes: u64,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum FileState {
    /// Its chunks stand in a segment under `file_id`.
    Indexed(Indexed),
    /// It was read once and left out.
    Skipped(SkipReason),
}

/// A source file's entry.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Indexed {
    /// The number that its chunks carry; never used twice in one index.
    pub(crate) file_id: u32,
    /// The segment that holds its chunks.
    pub(crate) segment_id: u32,
    /// Position in [`Manifest::languages`].
    pub(crate) language: u16,
    pub(crate) kind: Kind,
    pub(crate) n_chunks: u32,
    /// The vector segment that holds a row for each of its chunks; `None` until they are embedded.
    pub(crate) vector_id: Option<u32>,
    /// Words over all its chunks, for the mean length that BM25 needs.
    pub(crate) n_words: u64,
    /// Why it was cut by lines although its language has symbols.
    pub(crate) fallback: Option<Fallback>,
}

/// One file that passed the path rules.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct FileEntry {
    pub(crate) path: RelPath,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) hash: ContentHash,
    pub(crate) state: FileState,
}

impl FileEntry {
    /// The source file's entry, where it was not skipped.
    pub(crate) fn indexed(&self) -> Option<&Indexed> {
        match &self.state {
            FileState::Indexed(indexed) => Some(indexed),
            FileState::Skipped(_) => None,
        }
    }
}

/// One immutable segment file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct SegmentEntry {
    pub(crate) id: u32,
    /// Chunks in it, those of gone files included.
    pub(crate) n_docs: u32,
    /// Its length and seal; others mean damage or a file of another index.
    pub(crate) pack: pack::Identity,
}

/// The vectors of a generation: made by one model, kept in one encoding.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct VectorSet {
    pub(crate) model: ModelIdentity,
    pub(crate) encoding: VectorEncoding,
    pub(crate) segments: Vec<VectorEntry>,
}

/// A generation, whole.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Manifest {
    pub(crate) generation: u64,
    /// Whether every file of the tree is in it; false while a first index is under way.
    pub(crate) complete: bool,
    pub(crate) root: String,
    pub(crate) identity: Identity,
    /// When the scan behind it began, in nanoseconds since 1970.
    pub(crate) scanned_at_ns: i64,
    pub(crate) next_file_id: u32,
    pub(crate) next_segment_id: u32,
    pub(crate) languages: Vec<String>,
    /// Sorted by path.
    pub(crate) files: Vec<FileEntry>,
    pub(crate) segments: Vec<SegmentEntry>,
    pub(crate) next_vector_id: u32,
    /// `None` for a keyword index.
    pub(crate) vectors: Option<VectorSet>,
    /// Whether somebody wanted it without vectors, so that none are made unasked.
    pub(crate) words_only: bool,
    /// The model that compares the first places of a question again; behind the body, see [`encode`].
    #[serde(skip)]
    pub(crate) reranker: Option<ModelIdentity>,
    /// What the scan left out by path; content skips stand in `files`.
    pub(crate) skipped: SkipCounts,
    pub(crate) problems: Vec<Problem>,
}

impl Manifest {
    /// The state before the first commit.
    pub(crate) fn empty(root: &Path, identity: Identity) -> Manifest {
        Manifest {
            generation: 0,
            complete: false,
            root: root.to_string_lossy().into_owned(),
            identity,
            scanned_at_ns: 0,
            next_file_id: 0,
            next_segment_id: 0,
            languages: Vec::new(),
            files: Vec::new(),
            segments: Vec::new(),
            next_vector_id: 0,
            vectors: None,
            words_only: false,
            reranker: None,
            skipped: SkipCounts::default(),
            problems: Vec::new(),
        }
    }

    /// The position of a path in `files`.
    pub(crate) fn position(&self, path: &RelPath) -> Option<usize> {
        self.files.binary_search_by(|entry| entry.path.cmp(path)).ok()
    }

    /// The number of a language, which is entered where it is new.
    pub(crate) fn language_idx(&mut self, name: &str) -> u16 {
        let found = self.languages.iter().position(|known| known == name);
        let idx = found.unwrap_or_else(|| {
            self.languages.push(name.to_owned());
            self.languages.len() - 1
        });
        u16::try_from(idx).unwrap_or(u16::MAX)
    }

    /// The source files, in path order.
    pub(crate) fn source_files(&self) -> impl Iterator<Item = (&FileEntry, &Indexed)> {
        self.files.iter().filter_map(|entry| Some((entry, entry.indexed()?)))
    }

    /// Chunks that have a vector.
    pub(crate) fn n_vectors(&self) -> u64 {
        let with = self.source_files().filter(|(_, indexed)| indexed.vector_id.is_some());
        with.map(|(_, indexed)| u64::from(indexed.n_chunks)).sum()
    }

    /// Chunks of all source files.
    pub(crate) fn n_chunks(&self) -> u64 {
        self.source_files().map(|(_, indexed)| u64::from(indexed.n_chunks)).sum()
    }

    /// Forgets all vectors; their files are collected with the next commit.
    pub(crate) fn drop_vectors(&mut self) {
        self.vectors = None;
        for entry in &mut self.files {
            if let FileState::Indexed(indexed) = &mut entry.state {
                indexed.vector_id = None;
            }
        }
    }

    /// The problems of files that could not be read or parsed, as opposed to those that a scan sees.
    pub(crate) fn content_problems(&self) -> Vec<Problem> {
        let is_unreadable =
            |entry: &&FileEntry| entry.state == FileState::Skipped(SkipReason::Unreadable);
        let unreadable: std::collections::HashSet<&str> =
            self.files.iter().filter(is_unreadable).map(|entry| entry.path.text.as_str()).collect();
        let problems = self.problems.iter();
        let unreadable = problems.filter(|problem| unreadable.contains(problem.path.as_str()));
        let unparsed = self.source_files().filter_map(|(entry, indexed)| {
            let why = indexed.fallback.filter(|why| why.is_problem())?;
            Some(Problem { path: entry.path.text.clone(), reason: why.to_string() })
        });
        unreadable.cloned().chain(unparsed).collect()
    }

    /// Path and content skips together.
    pub(crate) fn all_skips(&self) -> SkipCounts {
        let mut counts = self.content_skips();
        counts.merge(&self.skipped);
        counts
    }

    /// Files that were read once and left out, by reason.
    pub(crate) fn content_skips(&self) -> SkipCounts {
        let mut counts = SkipCounts::default();
        for entry in &self.files {
            if let FileState::Skipped(reason) = entry.state {
                counts.add(reason);
            }
        }
        counts
    }
}

/// Reads the committed manifest; `None` where nothing was ever committed.
pub(crate) fn read(dir: &IndexDir) -> Result<Option<Manifest>> {
    let path = dir.manifest();
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(e) if crate::scan::is_gone(&e) => return Ok(None),
        Err(e) => return Err(e).at("read", path),
    };
    decode(&bytes).map(Some).map_err(|what| {
        let message = format!("{what}: {}", path.display());
        Error::index_format(message).with_hint("run: wherein index --rebuild")
    })
}

/// Makes `manifest` the current generation: written beside the old one, then renamed over it.
pub(crate) fn commit(dir: &IndexDir, manifest: &Manifest) -> Result<()> {
    let path = dir.manifest();
    let temporary = path.with_extension("tmp");
    let write = || -> std::io::Result<()> {
        let body = encode(manifest).map_err(std::io::Error::other)?;
        let mut file = std::fs::File::create(&temporary)?;
        file.write_all(MAGIC)?;
        file.write_all(&FORMAT.to_le_bytes())?;
        file.write_all(&(body.len() as u64).to_le_bytes())?;
        file.write_all(&body)?;
        file.write_all(&content_hash(&body))?;
        file.flush()?;
        std::fs::rename(&temporary, &path)
    };
    write().at("write", path).inspect_err(|_| {
        let _ = std::fs::remove_file(&temporary);
    })
}

/// The manifest, then what formats after the fourth added.
fn encode(manifest: &Manifest) -> postcard::Result<Vec<u8>> {
    let mut body = postcard::to_stdvec(manifest)?;
    body.extend(postcard::to_stdvec(&manifest.reranker)?);
    Ok(body)
}

fn decode(bytes: &[u8]) -> std::result::Result<Manifest, String> {
    let damaged = || "the index manifest is damaged".to_owned();
    if bytes.len() < HEADER_BYTES || bytes[..8] != *MAGIC {
        return Err(damaged());
    }
    let format = u32::from_le_bytes(bytes[8..12].try_into().map_err(|_| damaged())?);
    if !is_known(format) {
        return Err(format!("the index has format {format}, this version reads {FORMAT}"));
    }
    let length = u64::from_le_bytes(bytes[12..20].try_into().map_err(|_| damaged())?);
    let rest = &bytes[HEADER_BYTES..];
    let length = usize::try_from(length).map_err(|_| damaged())?;
    if rest.len() != length.saturating_add(HASH_BYTES) {
        return Err(damaged());
    }
    let (body, hash) = rest.split_at(length);
    if content_hash(body) != *hash {
        return Err(damaged());
    }
    let (mut manifest, added) =
        postcard::take_from_bytes::<Manifest>(body).map_err(|_| damaged())?;
    if format > OLDEST_FORMAT {
        manifest.reranker = postcard::from_bytes(added).map_err(|_| damaged())?;
    }
    Ok(manifest)
}

fn is_known(format: u32) -> bool {
    (OLDEST_FORMAT..=FORMAT).contains(&format)
}

/// Whether an error of [`read`] means a format of another version rather than damage.
pub(crate) fn is_foreign_format(dir: &IndexDir) -> bool {
    std::fs::read(dir.manifest()).is_ok_and(|bytes| {
        let format = bytes.get(8..12).and_then(|four| four.try_into().ok());
        let format = format.map(u32::from_le_bytes);
        bytes.starts_with(MAGIC) && format.is_some_and(|format| !is_known(format))
    })
}

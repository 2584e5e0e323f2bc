//! A generation opened for reading: the manifest and its segments, held for as long as anyone asks.
//!
//! Immutable, so several questions and a writer may go on at once.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::catalogue::Catalogue;
use super::file_record::FileRecord;
use super::layout::IndexDir;
use super::manifest::{self, FileEntry, Indexed, Manifest};
use super::segment::Segment;
use super::statistics::Statistics;
use super::symbols::{FileRow, SymbolTable};
use super::vectors::VectorSegment;
use crate::error::{ErrorKind, Result};
use crate::model::Candidate;

/// How often opening is tried again when a writer collects segments between two reads.
const TRIES: u32 = 5;
/// Marks a file id that no current file has.
pub(crate) const NOBODY: u32 = u32::MAX;

/// One committed state of an index.
#[derive(Debug)]
pub(crate) struct Generation {
    pub(crate) manifest: Arc<Manifest>,
    /// Those of a published generation hold one file each, and only files that may answer the question at hand.
    pub(crate) segments: Vec<Segment>,
    pub(crate) vectors: Vec<VectorSegment>,
    /// File id → position in the file table.
    by_file_id: Arc<[u32]>,
    /// Of a generation whose files lie elsewhere.
    pub(crate) published: Option<Published>,
    /// Live chunks.
    pub(crate) n_chunks: u64,
    /// Words over all live chunks.
    pub(crate) n_words: u64,
    /// Live chunks of each segment, counted once: every question asks.
    n_live: Vec<u64>,
    /// For each segment the live chunks, worked out when first asked for.
    live: Vec<OnceLock<Live>>,
    /// For each vector segment the file of each row, worked out when first asked for.
    vector_files: Vec<OnceLock<Vec<u32>>>,
}

/// What is known of a generation whose files lie elsewhere, and what was found there.
#[derive(Debug, Default)]
pub(crate) struct Published {
    pub(crate) statistics: Arc<Statistics>,
    /// The chunks closest to the question, best first.
    pub(crate) by_meaning: Vec<Candidate>,
    /// Both lists as the server fused them, where that was asked for.
    pub(crate) by_server: Option<Vec<Candidate>>,
}

/// Which chunks of a segment count.
#[derive(Debug)]
pub(crate) enum Live {
    All,
    /// One flag a chunk.
    Some(Vec<bool>),
}

impl Live {
    pub(crate) fn has(&self, doc: u32) -> bool {
        match self {
            Live::All => true,
            Live::Some(flags) => flags.get(doc as usize).copied().unwrap_or(false),
        }
    }
}

impl Generation {
    /// Opens the current generation; `None` where there is none.
    pub(crate) fn open(dir: &IndexDir) -> Result<Option<Generation>> {
        let mut tries = 0;
        loop {
            let Some(manifest) = manifest::read(dir)? else {
                return Ok(None);
            };
            let number = manifest.generation;
            match Generation::of(dir, manifest) {
                Ok(generation) => return Ok(Some(generation)),
                Err(e) => {
                    tries += 1;
                    let moved_on = manifest::read(dir)?.is_some_and(|m| m.generation != number);
                    if tries == TRIES || !moved_on || e.kind() != ErrorKind::IndexFormat {
                        return Err(e);
                    }
                }
            }
        }
    }

    /// Opens the segments that `manifest` names.
    pub(crate) fn of(dir: &IndexDir, manifest: Manifest) -> Result<Generation> {
        let segments: Result<Vec<Segment>> =
            manifest.segments.iter().map(|entry| Segment::open(dir, entry)).collect();
        let mut by_file_id = vec![NOBODY; manifest.next_file_id as usize];
        let (mut n_chunks, mut n_words) = (0, 0);
        for (idx, entry) in manifest.files.iter().enumerate() {
            let Some(indexed) = entry.indexed() else {
                continue;
            };
            n_chunks += u64::from(indexed.n_chunks);
            n_words += indexed.n_words;
            if let Some(slot) = by_file_id.get_mut(indexed.file_id as usize) {
                *slot = idx as u32;
            }
        }
        let set = manifest.vectors.as_ref();
        let vectors: Result<Vec<VectorSegment>> = set
            .into_iter()
            .flat_map(|set| set.segments.iter().map(move |entry| (set, entry)))
            .map(|(set, entry)| VectorSegment::open(dir, entry, set))
            .collect();
        let vectors = vectors?;
        let vector_files = vectors.iter().map(|_| OnceLock::new()).collect();
        let live = manifest.segments.iter().map(|_| OnceLock::new()).collect();
        let n_live = live_chunks(&manifest);
        let segments = segments?;
        Ok(Generation {
            segments,
            vectors,
            manifest: Arc::new(manifest),
            by_file_id: by_file_id.into(),
            published: None,
            n_chunks,
            n_words,
            n_live,
            live,
            vector_files,
        })
    }

    /// A generation that was published, with the files that may answer, in the order of the file table.
    pub(crate) fn published(
        catalogue: &Catalogue,
        segments: Vec<Segment>,
        published: Published,
    ) -> Generation {
        let n_live = segments.iter().map(|segment| u64::from(segment.n_docs)).collect();
        let live = segments.iter().map(|_| OnceLock::from(Live::All)).collect();
        Generation {
            manifest: Arc::clone(&catalogue.manifest),
            by_file_id: Arc::clone(&catalogue.positions),
            segments,
            vectors: Vec::new(),
            published: Some(published),
            n_chunks: catalogue.n_chunks,
            n_words: catalogue.n_words,
            n_live,
            live,
            vector_files: Vec::new(),
        }
    }

    /// The text of a file that came with its record; `None` for others, and where files lie in a tree.
    pub(crate) fn text(&self, file_idx: usize) -> Option<&str> {
        self.published.as_ref()?;
        let (_, indexed) = self.source_file(file_idx)?;
        self.segments[self.position_of(indexed.segment_id)?].record().map(FileRecord::text)
    }

    /// The position of a segment.
    fn position_of(&self, segment_id: u32) -> Option<usize> {
        match self.published {
            // There are hundreds, in the order of their numbers.
            Some(_) => self.segments.binary_search_by_key(&segment_id, |s| s.id).ok(),
            None => self.segments.iter().position(|segment| segment.id == segment_id),
        }
    }

    /// The live chunks of the segment at `position`.
    pub(crate) fn live(&self, position: usize) -> &Live {
        self.live[position].get_or_init(|| {
            let segment = &self.segments[position];
            if self.n_live[position] == u64::from(segment.n_docs) {
                return Live::All;
            }
            Live::Some((0..segment.n_docs).map(|doc| self.is_live(segment, doc)).collect())
        })
    }

    /// The position of a chunk's file in the file table; `None` where the file is gone or was changed.
    pub(crate) fn file_idx(&self, file_id: u32) -> Option<usize> {
        let idx = *self.by_file_id.get(file_id as usize)?;
        (idx != NOBODY).then_some(idx as usize)
    }

    /// Whether a chunk of `segment` belongs to a current file. A file's old chunks are dead at once, and
    /// those that a killed build left behind never were alive.
    pub(crate) fn is_live(&self, segment: &Segment, doc: u32) -> bool {
        let entry = self.file_idx(segment.file_id(doc)).and_then(|idx| self.source_file(idx));
        entry.is_some_and(|(_, indexed)| indexed.segment_id == segment.id)
    }

    /// For each row of the vector segment at `position` its position in the file table, or [`NOBODY`] where
    /// the file is gone, was changed, or has its vectors elsewhere.
    pub(crate) fn vector_files(&self, position: usize) -> Result<&[u32]> {
        if let Some(files) = self.vector_files[position].get() {
            return Ok(files);
        }
        let segment = &self.vectors[position];
        let mut files = Vec::with_capacity(segment.n_rows());
        let mut last = (NOBODY, NOBODY);
        for row in segment.rows(0, segment.n_rows())?.iter() {
            if row.file_id != last.0 || files.is_empty() {
                let idx = self.file_idx(row.file_id);
                let is_here = |idx: &usize| {
                    self.source_file(*idx).is_some_and(|(_, i)| i.vector_id == Some(segment.id))
                };
                last = (row.file_id, idx.filter(is_here).map_or(NOBODY, |idx| idx as u32));
            }
            files.push(last.1);
        }
        Ok(self.vector_files[position].get_or_init(|| files))
    }

    /// For each file of the table the vector segment and the rows that are its own.
    pub(crate) fn rows_by_file(&self) -> Result<Vec<Vec<(u32, u32)>>> {
        let mut rows = vec![Vec::new(); self.manifest.files.len()];
        for position in 0..self.vectors.len() {
            for (row, file_idx) in (0..).zip(self.vector_files(position)?) {
                if let Some(own) = rows.get_mut(*file_idx as usize) {
                    own.push((position as u32, row));
                }
            }
        }
        Ok(rows)
    }

    /// The entry of a live source file.
    pub(crate) fn source_file(&self, file_idx: usize) -> Option<(&FileEntry, &Indexed)> {
        let entry = self.manifest.files.get(file_idx)?;
        Some((entry, entry.indexed()?))
    }

    /// The symbols of a file's segment and which of them are the file's; `None` where it has no chunks.
    pub(crate) fn symbols_of(&self, file_idx: usize) -> Result<Option<(&SymbolTable, FileRow)>> {
        let found = self.file_row(file_idx)?;
        Ok(found.map(|(position, file)| (&self.segments[position].symbols, file)))
    }

    /// The position of the segment that holds a file's chunks, and which documents they are; `None` where it has none.
    pub(crate) fn docs_of(&self, file_idx: usize) -> Result<Option<(usize, Range<u32>)>> {
        Ok(self.file_row(file_idx)?.map(|(position, file)| (position, file.docs)))
    }

    fn file_row(&self, file_idx: usize) -> Result<Option<(usize, FileRow)>> {
        let Some((_, indexed)) = self.source_file(file_idx) else {
            return Ok(None);
        };
        let Some(position) = self.position_of(indexed.segment_id) else {
            return Ok(None);
        };
        let file = self.segments[position].symbols.file(indexed.file_id)?;
        Ok(file.map(|file| (position, file)))
    }

    /// The language of a source file.
    pub(crate) fn language(&self, indexed: &Indexed) -> &str {
        self.manifest.languages.get(usize::from(indexed.language)).map_or("", String::as_str)
    }
}

/// Live chunks of each segment of a manifest, in its order.
pub(crate) fn live_chunks(manifest: &Manifest) -> Vec<u64> {
    let mut counts = vec![0; manifest.segments.len()];
    for (_, indexed) in manifest.source_files() {
        let position = manifest.segments.iter().position(|s| s.id == indexed.segment_id);
        if let Some(count) = position.and_then(|i| counts.get_mut(i)) {
            *count += u64::from(indexed.n_chunks);
        }
    }
    counts
}

/// Whether `root` has an index below `index_base`.
pub(crate) fn has_index(index_base: &Path, root: &Path) -> bool {
    IndexDir::of(index_base, root).has_manifest()
}

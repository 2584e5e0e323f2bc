//! One segment opened for reading, wherever it lies: in its pack, or in the record of a single file.
//!
//! Those who search see terms, chunks and symbols, and not what holds them. Must not score, and must not know which
//! chunks are live.

use std::sync::Arc;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::TermInfo;

use super::TextField;
use super::alike::Alike;
use super::packed::Packed;
use crate::error::{Error, Result};
use crate::store::file_record::{FileRecord, TermEntry};
use crate::store::layout::IndexDir;
use crate::store::manifest::SegmentEntry;
use crate::store::pack::PackDirectory;
use crate::store::symbols::SymbolTable;

/// Terms of a dictionary.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Match<'a> {
    /// One.
    Whole(&'a str),
    /// All that begin so.
    BeginsWith(&'a str),
    /// All within one typing error.
    Alike(&'a Alike),
}

/// Where a chunk lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DocPlace {
    pub(crate) file_id: u32,
    /// 1-based, inclusive.
    pub(crate) lines: (u32, u32),
}

/// One segment.
pub(crate) struct Segment {
    pub(crate) id: u32,
    pub(crate) n_docs: u32,
    pub(crate) symbols: SymbolTable,
    source: Source,
}

enum Source {
    Packed(Box<Packed>),
    /// A single file.
    Record {
        record: Arc<FileRecord>,
        file_id: u32,
    },
}

impl std::fmt::Debug for Segment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Segment").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Segment {
    /// Opens a segment; damage is an [`crate::ErrorKind::IndexFormat`] error that names the file.
    pub(crate) fn open(dir: &IndexDir, entry: &SegmentEntry) -> Result<Segment> {
        let path = dir.segment(entry.id);
        let pack = PackDirectory::open(&path, entry.pack).map_err(|e| {
            Error::index_format(format!("{e}: {}", path.display()))
                .with_hint("run: wherein index --rebuild")
        })?;
        Segment::open_pack(pack, entry).map_err(|e| {
            Error::index_format(format!("the segment is damaged ({e}): {}", path.display()))
                .with_hint("run: wherein index --rebuild")
        })
    }

    fn open_pack(pack: PackDirectory, entry: &SegmentEntry) -> tantivy::Result<Segment> {
        let symbols = SymbolTable::open(&pack)?;
        let source = Source::Packed(Box::new(Packed::open(pack, entry.n_docs)?));
        Ok(Segment { id: entry.id, n_docs: entry.n_docs, symbols, source })
    }

    /// The segment of a single file, whose number in the file table is also that of the segment.
    pub(crate) fn of_record(record: Arc<FileRecord>, file_id: u32) -> Segment {
        let symbols = record.symbols(file_id);
        let n_docs = record.n_chunks();
        Segment { id: file_id, n_docs, symbols, source: Source::Record { record, file_id } }
    }

    /// The pack, for who merges segments.
    pub(super) fn packed(&self) -> Result<&Packed> {
        match &self.source {
            Source::Packed(packed) => Ok(packed),
            Source::Record { .. } => Err(Error::bug("a segment without a pack was merged")),
        }
    }

    /// The record of the only file of this segment, where it is one.
    pub(crate) fn record(&self) -> Option<&FileRecord> {
        match &self.source {
            Source::Packed(_) => None,
            Source::Record { record, .. } => Some(record),
        }
    }

    fn place(&self, doc: u32) -> DocPlace {
        match &self.source {
            Source::Packed(packed) => packed.place(doc),
            Source::Record { record, file_id } => {
                DocPlace { file_id: *file_id, lines: record.lines(doc) }
            }
        }
    }

    pub(crate) fn file_id(&self, doc: u32) -> u32 {
        self.place(doc).file_id
    }

    /// The lines of a chunk, 1-based and inclusive.
    pub(crate) fn lines(&self, doc: u32) -> (u32, u32) {
        self.place(doc).lines
    }

    /// Where each chunk lies.
    pub(crate) fn places(&self) -> impl Fn(u32) -> DocPlace {
        let known = match &self.source {
            Source::Packed(packed) => packed.places(),
            Source::Record { .. } => None,
        };
        move |doc| {
            let at_hand = known.and_then(|places| places.get(doc as usize));
            at_hand.copied().unwrap_or_else(|| self.place(doc))
        }
    }

    /// Chunks that have a term, those of gone files included.
    pub(crate) fn doc_freq(&self, field: TextField, text: &str) -> Result<u32> {
        match &self.source {
            Source::Packed(packed) => packed.doc_freq(field, text),
            Source::Record { record, .. } => Ok(record.term(field, text).map_or(0, |t| t.n_docs())),
        }
    }

    /// The chunks that have a term, in order, with how often it stands in each.
    pub(crate) fn each_posting(
        &self,
        field: TextField,
        text: &str,
        mut visit: impl FnMut(u32, u32),
    ) -> Result<()> {
        match &self.source {
            Source::Packed(packed) => packed.each_posting(field, text, visit),
            Source::Record { record, .. } => {
                if let Some(term) = record.term(field, text) {
                    term.each(&mut |doc, freq, _| {
                        visit(doc, freq);
                        true
                    });
                }
                Ok(())
            }
        }
    }

    /// Every term that fits, in the order of its bytes; `visit` says whether to go on.
    pub(crate) fn each_term(
        &self,
        field: TextField,
        wanted: &Match<'_>,
        visit: &mut dyn FnMut(&str, &TermPostings<'_>) -> Result<bool>,
    ) -> Result<()> {
        match &self.source {
            Source::Packed(packed) => packed.each_term(field, wanted, &mut |term, info| {
                visit(term, &TermPostings::Packed { packed, field, info })
            }),
            Source::Record { record, .. } => {
                for (text, term) in record.terms(field, wanted) {
                    if !visit(text, &TermPostings::Record(term))? {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    /// The number of terms of each chunk in a field that has lengths, coded in one byte.
    pub(crate) fn lengths(&self, field: TextField) -> Result<FieldLengths<'_>> {
        Ok(match &self.source {
            Source::Packed(packed) => FieldLengths::Packed(packed.lengths(field)?),
            Source::Record { record, .. } => FieldLengths::Record(record.lengths(field)),
        })
    }
}

/// Where a term stands.
pub(crate) enum TermPostings<'a> {
    Packed { packed: &'a Packed, field: TextField, info: &'a TermInfo },
    Record(TermEntry<'a>),
}

impl TermPostings<'_> {
    /// Its chunks, in order, with how often it stands in each and where; a field that does not keep places gives none.
    /// `visit` says whether to go on.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(u32, u32, &[u32]) -> bool) -> Result<()> {
        match self {
            TermPostings::Packed { packed, field, info } => packed.each_doc(*field, info, visit),
            TermPostings::Record(term) => {
                term.each(visit);
                Ok(())
            }
        }
    }
}

/// Coded lengths of chunks.
pub(crate) enum FieldLengths<'a> {
    Packed(FieldNormReader),
    Record(&'a [u8]),
}

impl FieldLengths<'_> {
    /// The code of a chunk's length.
    pub(crate) fn code(&self, doc: u32) -> u8 {
        match self {
            FieldLengths::Packed(reader) => reader.fieldnorm_id(doc),
            FieldLengths::Record(codes) => codes.get(doc as usize).copied().unwrap_or(0),
        }
    }
}

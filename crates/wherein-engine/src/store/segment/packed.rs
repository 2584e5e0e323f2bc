//! A segment in its pack: tantivy's dictionaries, postings and columns, opened for reading.
//!
//! Must not score, and must not know which chunks are live.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use tantivy::columnar::ColumnValues;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::SegmentReader as TantivyReader;
use tantivy::postings::{BlockSegmentPostings, Postings, TermInfo};
use tantivy::schema::{Field as SchemaField, IndexRecordOption};
use tantivy::{DocSet, Index, InvertedIndexReader, TERMINATED};

use super::reader::{DocPlace, Match};
use super::{END, FILE, START, TEXTS, TextField, index_trouble, io_trouble};
use crate::error::Result;
use crate::store::pack::PackDirectory;

/// Postings and columns of one pack.
pub(crate) struct Packed {
    pub(in crate::store) segment: tantivy::Segment,
    reader: TantivyReader,
    /// In the order of [`TextField`]: every term of a question asks for several.
    fields: [SchemaField; TEXTS.len()],
    dictionaries: [OnceLock<Arc<InvertedIndexReader>>; TEXTS.len()],
    file: Arc<dyn ColumnValues<u64>>,
    start: Arc<dyn ColumnValues<u64>>,
    end: Arc<dyn ColumnValues<u64>>,
    n_scans: AtomicU32,
    places: OnceLock<Box<[DocPlace]>>,
    n_docs: u32,
}

impl Packed {
    pub(super) fn open(pack: PackDirectory, n_docs: u32) -> tantivy::Result<Packed> {
        let index = Index::open(pack)?;
        let segment = index.searchable_segments()?.into_iter().next().ok_or_else(|| {
            tantivy::TantivyError::InternalError("no segment in the pack".to_owned())
        })?;
        let reader = TantivyReader::open(&segment)?;
        let column = |name| reader.fast_fields().u64(name).map(|c| c.first_or_default_col(0));
        let mut fields = [SchemaField::from_field_id(0); TEXTS.len()];
        for (field, name) in fields.iter_mut().zip(TEXTS) {
            *field = index.schema().get_field(name)?;
        }
        Ok(Packed {
            file: column(FILE)?,
            start: column(START)?,
            end: column(END)?,
            n_scans: AtomicU32::new(0),
            places: OnceLock::new(),
            fields,
            dictionaries: Default::default(),
            segment,
            reader,
            n_docs,
        })
    }

    pub(super) fn place(&self, doc: u32) -> DocPlace {
        let lines = (self.start.get_val(doc) as u32, self.end.get_val(doc) as u32);
        DocPlace { file_id: self.file.get_val(doc) as u32, lines }
    }

    /// Where each chunk lies, at hand from the second time on: a single question looks at few of them.
    pub(super) fn places(&self) -> Option<&[DocPlace]> {
        let is_first = self.n_scans.fetch_add(1, Ordering::Relaxed) == 0;
        let all = || (0..self.n_docs).map(|doc| self.place(doc)).collect();
        (!is_first).then(|| &**self.places.get_or_init(all))
    }

    /// The dictionary and postings of one field.
    fn postings(&self, field: TextField) -> Result<&InvertedIndexReader> {
        let known = &self.dictionaries[field as usize];
        if let Some(index) = known.get() {
            return Ok(index);
        }
        let index = self.reader.inverted_index(self.field(field)).map_err(|e| index_trouble(&e))?;
        Ok(known.get_or_init(|| index))
    }

    pub(super) fn lengths(&self, field: TextField) -> Result<FieldNormReader> {
        let field = self.field(field);
        self.reader.get_fieldnorms_reader(field).map_err(|e| index_trouble(&e))
    }

    fn term(&self, field: TextField, text: &str) -> tantivy::Term {
        tantivy::Term::from_field_text(self.field(field), text)
    }

    fn field(&self, field: TextField) -> SchemaField {
        self.fields[field as usize]
    }

    fn open_postings(&self, field: TextField, text: &str) -> Result<Option<BlockSegmentPostings>> {
        let term = self.term(field, text);
        self.postings(field)?
            .read_block_postings(&term, IndexRecordOption::WithFreqs)
            .map_err(|e| io_trouble(&e))
    }

    pub(super) fn doc_freq(&self, field: TextField, text: &str) -> Result<u32> {
        Ok(self.open_postings(field, text)?.map_or(0, |postings| postings.doc_freq()))
    }

    pub(super) fn each_posting(
        &self,
        field: TextField,
        text: &str,
        mut visit: impl FnMut(u32, u32),
    ) -> Result<()> {
        let Some(mut postings) = self.open_postings(field, text)? else {
            return Ok(());
        };
        while postings.block_len() > 0 {
            for (doc, freq) in postings.docs().iter().zip(postings.freqs()) {
                visit(*doc, *freq);
            }
            postings.advance();
        }
        Ok(())
    }

    /// Every term that fits, in the order of its bytes, with what its postings are read by; `visit` says whether to go on.
    pub(super) fn each_term(
        &self,
        field: TextField,
        wanted: &Match<'_>,
        visit: &mut dyn FnMut(&str, &TermInfo) -> Result<bool>,
    ) -> Result<()> {
        let index = self.postings(field)?;
        match wanted {
            Match::Whole(text) => {
                let info = index.get_term_info(&self.term(field, text));
                if let Some(info) = info.map_err(|e| index_trouble(&e.into()))? {
                    visit(text, &info)?;
                }
            }
            Match::BeginsWith(prefix) => {
                let stream = index.terms().range().ge(prefix.as_bytes()).into_stream();
                let mut stream = stream.map_err(|e| io_trouble(&e))?;
                while stream.advance() && stream.key().starts_with(prefix.as_bytes()) {
                    if !visit(text_of(stream.key()), stream.value())? {
                        break;
                    }
                }
            }
            Match::Alike(alike) => {
                let stream = index.terms().search(*alike).into_stream();
                let mut stream = stream.map_err(|e| io_trouble(&e))?;
                while stream.advance() && visit(text_of(stream.key()), stream.value())? {}
            }
        }
        Ok(())
    }

    /// The chunks of a term that was found, in order, with how often it stands in each and where; both are empty in a
    /// field that does not keep them.
    pub(super) fn each_doc(
        &self,
        field: TextField,
        info: &TermInfo,
        visit: &mut dyn FnMut(u32, u32, &[u32]) -> bool,
    ) -> Result<()> {
        let option = match field {
            TextField::Usages => IndexRecordOption::WithFreqsAndPositions,
            TextField::Suffixes => IndexRecordOption::Basic,
            _ => IndexRecordOption::WithFreqs,
        };
        let postings = self.postings(field)?.read_postings_from_terminfo(info, option);
        let mut postings = postings.map_err(|e| io_trouble(&e))?;
        let mut positions = Vec::new();
        while postings.doc() != TERMINATED {
            if field == TextField::Usages {
                postings.positions(&mut positions);
            }
            if !visit(postings.doc(), postings.term_freq(), &positions) {
                break;
            }
            postings.advance();
        }
        Ok(())
    }
}

/// Terms are texts; what is none came of a damaged file and is like no other.
fn text_of(key: &[u8]) -> &str {
    std::str::from_utf8(key).unwrap_or_default()
}

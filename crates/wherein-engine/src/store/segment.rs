//! One segment: the postings of a run of chunks, written once.
//!
//! tantivy keeps term dictionary, postings and columns; scoring is ours (`search::lexical`). Liveness is not
//! recorded here: a chunk counts while its file's entry in the manifest names this segment and its file id.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use tantivy::columnar::ColumnValues;
use tantivy::directory::{OwnedBytes, RamDirectory};
use tantivy::fastfield::AliveBitSet;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::SegmentReader as TantivyReader;
use tantivy::indexer::merge_filtered_segments;
use tantivy::schema::{
    Field as SchemaField, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{Directory, Index, InvertedIndexReader, SingleSegmentIndexWriter, TantivyDocument};

use super::layout::IndexDir;
use super::manifest::SegmentEntry;
use super::pack::{self, PackDirectory};
use super::symbols::{self, OwnParts, SymbolBuilder, SymbolTable};
use super::terms::{PLACES, TERMS, tokenizers};
use crate::error::{Error, IoContext, Result};
use crate::symbol::Symbol;

/// The field of words and parts: what document length is counted in.
const WORDS: &str = "words";
const COMPOUNDS: &str = "compounds";
const PATH: &str = "path";
const NAMES: &str = "names";
const CONTEXT: &str = "context";
const DOCS: &str = "docs";
const SUFFIXES: &str = "suffixes";
const USAGES: &str = "usages";
const FILE: &str = "file";
const START: &str = "start";
const END: &str = "end";

/// tantivy's arena is asked to stay below this; it grows past it only within one document.
const WRITER_BUDGET: usize = 256 << 20;

/// The columns in the order of [`Record`], then the numbers.
const TEXTS: [&str; 8] = [WORDS, COMPOUNDS, PATH, NAMES, CONTEXT, DOCS, SUFFIXES, USAGES];
const NUMBERS: [&str; 3] = [FILE, START, END];

/// One chunk as the segment stores it; terms are separated by `\n`.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    pub(crate) words: String,
    pub(crate) compounds: String,
    pub(crate) path_terms: String,
    /// Words and compounds of the names that it defines.
    pub(crate) names: String,
    /// Words about it: language, kind of symbol, parents, module, route.
    pub(crate) context: String,
    /// Words of its doc comments.
    pub(crate) docs: String,
    /// Each name that it defines, whole and from each of its parts on, in lower case without separators.
    pub(crate) suffixes: String,
    /// Identifiers as written with their places, see [`super::Usage`].
    pub(crate) usages: String,
}

/// The searchable fields, in the order of [`TEXTS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TextField {
    Words,
    Compounds,
    Path,
    Names,
    Context,
    Docs,
    Suffixes,
    Usages,
}

impl TextField {
    /// Its name in the index and in explanations.
    pub(crate) fn name(self) -> &'static str {
        match self {
            TextField::Words => WORDS,
            TextField::Compounds => COMPOUNDS,
            TextField::Path => PATH,
            TextField::Names => NAMES,
            TextField::Context => CONTEXT,
            TextField::Docs => DOCS,
            TextField::Suffixes => SUFFIXES,
            TextField::Usages => USAGES,
        }
    }
}

fn schema() -> Schema {
    let mut builder = Schema::builder();
    for name in TEXTS {
        let (tokenizer, option) = match name {
            USAGES => (PLACES, IndexRecordOption::WithFreqsAndPositions),
            SUFFIXES => (TERMS, IndexRecordOption::Basic),
            _ => (TERMS, IndexRecordOption::WithFreqs),
        };
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            .set_index_option(option)
            .set_fieldnorms(matches!(name, WORDS | NAMES | DOCS));
        builder.add_text_field(name, TextOptions::default().set_indexing_options(indexing));
    }
    for column in NUMBERS {
        builder.add_u64_field(column, NumericOptions::default().set_fast());
    }
    builder.build()
}

/// Builds one segment in memory and writes it as one file.
pub(crate) struct SegmentBuilder {
    ram: RamDirectory,
    writer: SingleSegmentIndexWriter,
    fields: [SchemaField; TEXTS.len()],
    numbers: [SchemaField; NUMBERS.len()],
    symbols: SymbolBuilder,
    file_id: u32,
    n_docs: u32,
}

impl std::fmt::Debug for SegmentBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SegmentBuilder").field("n_docs", &self.n_docs).finish_non_exhaustive()
    }
}

impl SegmentBuilder {
    pub(crate) fn new() -> Result<SegmentBuilder> {
        let schema = schema();
        let field = |name: &str| schema.get_field(name).map_err(|e| index_trouble(&e));
        let mut fields = [SchemaField::from_field_id(0); TEXTS.len()];
        for (slot, name) in fields.iter_mut().zip(TEXTS) {
            *slot = field(name)?;
        }
        let mut numbers = [SchemaField::from_field_id(0); NUMBERS.len()];
        for (slot, name) in numbers.iter_mut().zip(NUMBERS) {
            *slot = field(name)?;
        }
        let ram = RamDirectory::create();
        let writer = Index::builder()
            .schema(schema)
            .tokenizers(tokenizers())
            .single_segment_index_writer(ram.clone(), WRITER_BUDGET)
            .map_err(|e| index_trouble(&e))?;
        let symbols = SymbolBuilder::default();
        Ok(SegmentBuilder { ram, writer, fields, numbers, symbols, file_id: 0, n_docs: 0 })
    }

    /// Bytes of memory in use.
    pub(crate) fn n_bytes_in_memory(&self) -> usize {
        self.writer.mem_usage() + self.symbols.n_bytes()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.n_docs == 0
    }

    /// Begins a file; its chunks follow.
    pub(crate) fn begin_file<'s>(
        &mut self,
        file_id: u32,
        symbols: impl Iterator<Item = &'s Symbol>,
    ) -> Result<()> {
        self.file_id = file_id;
        self.symbols.begin_file(file_id, symbols)
    }

    pub(crate) fn add(&mut self, record: &Record) -> Result<()> {
        let texts = [
            &record.words,
            &record.compounds,
            &record.path_terms,
            &record.names,
            &record.context,
            &record.docs,
            &record.suffixes,
            &record.usages,
        ];
        let mut document = TantivyDocument::default();
        for (field, text) in self.fields.into_iter().zip(texts) {
            if !text.is_empty() {
                document.add_text(field, text);
            }
        }
        let numbers = [self.file_id, record.start_line, record.end_line];
        for (field, number) in self.numbers.into_iter().zip(numbers) {
            document.add_u64(field, number.into());
        }
        self.n_docs += 1;
        self.symbols.add_chunks(1);
        self.writer.add_document(document).map_err(|e| index_trouble(&e))
    }

    /// Writes the segment as `id` of the index folder.
    pub(crate) fn finish(self, dir: &IndexDir, id: u32) -> Result<SegmentEntry> {
        let index = self.writer.finalize().map_err(|e| index_trouble(&e))?;
        write_pack(&index, &self.ram, self.symbols.finish(), dir, id)
    }
}

fn write_pack(
    index: &Index,
    ram: &RamDirectory,
    own: OwnParts,
    dir: &IndexDir,
    id: u32,
) -> Result<SegmentEntry> {
    let meta = index.load_metas().map_err(|e| index_trouble(&e))?;
    let n_docs = meta.segments.iter().map(|segment| segment.max_doc()).sum();
    let mut names: Vec<PathBuf> = meta.list_segment_files().into_iter().collect();
    names.push("meta.json".into());
    names.sort();
    let mut files: Vec<(String, OwnedBytes)> = Vec::new();
    for name in names {
        // Components that the schema does not use have no file.
        if let Ok(file) = ram.open_read(&name) {
            let bytes = file.read_bytes().at("read", &name)?;
            files.push((name.to_string_lossy().into_owned(), bytes));
        }
    }
    files.extend(own);
    let path = dir.segment(id);
    let pack = pack::write(&path, &files).at("write", &path)?;
    Ok(SegmentEntry { id, n_docs, pack })
}

/// Merges segments into one, keeping the chunks that `is_live` accepts by (segment position, document).
pub(crate) fn merge(
    dir: &IndexDir,
    parts: &[&Segment],
    is_live: &dyn Fn(usize, u32) -> bool,
    id: u32,
) -> Result<SegmentEntry> {
    let segments: Vec<_> = parts.iter().map(|part| part.segment.clone()).collect();
    let alive = parts.iter().enumerate().map(|(i, part)| alive_bits(part, &|doc| is_live(i, doc)));
    let ram = RamDirectory::create();
    let settings = tantivy::IndexSettings::default();
    let merged = merge_filtered_segments(&segments, settings, alive.collect(), ram.clone())
        .map_err(|e| index_trouble(&e))?;
    let tables: Vec<&SymbolTable> = parts.iter().map(|part| &part.symbols).collect();
    write_pack(&merged, &ram, symbols::merge(&tables, is_live)?, dir, id)
}

fn alive_bits(part: &Segment, is_live: &dyn Fn(u32) -> bool) -> Option<AliveBitSet> {
    let mut bits = tantivy::BitSet::with_max_value(part.n_docs);
    for doc in (0..part.n_docs).filter(|doc| is_live(*doc)) {
        bits.insert(doc);
    }
    let mut bytes = Vec::new();
    tantivy::fastfield::write_alive_bitset(&bits, &mut bytes).ok()?;
    Some(AliveBitSet::open(OwnedBytes::new(bytes)))
}

/// One segment opened for reading.
pub(crate) struct Segment {
    pub(crate) id: u32,
    pub(crate) n_docs: u32,
    pub(crate) symbols: SymbolTable,
    segment: tantivy::Segment,
    reader: TantivyReader,
    /// In the order of [`TextField`]: every term of a question asks for several.
    fields: [SchemaField; TEXTS.len()],
    dictionaries: [OnceLock<Arc<InvertedIndexReader>>; TEXTS.len()],
    file: Arc<dyn ColumnValues<u64>>,
    start: Arc<dyn ColumnValues<u64>>,
    end: Arc<dyn ColumnValues<u64>>,
    n_scans: AtomicU32,
    places: OnceLock<Box<[DocPlace]>>,
}

/// Where a chunk lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DocPlace {
    pub(crate) file_id: u32,
    /// 1-based, inclusive.
    pub(crate) lines: (u32, u32),
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
        Ok(Segment {
            id: entry.id,
            n_docs: entry.n_docs,
            symbols,
            file: column(FILE)?,
            start: column(START)?,
            end: column(END)?,
            n_scans: AtomicU32::new(0),
            places: OnceLock::new(),
            fields,
            dictionaries: Default::default(),
            segment,
            reader,
        })
    }

    pub(crate) fn file_id(&self, doc: u32) -> u32 {
        self.file.get_val(doc) as u32
    }

    /// Where each chunk lies, at hand from the second time on: a single question looks at few of them.
    pub(crate) fn places(&self) -> impl Fn(u32) -> DocPlace {
        let of_columns = |doc| DocPlace { file_id: self.file_id(doc), lines: self.lines(doc) };
        let is_first = self.n_scans.fetch_add(1, Ordering::Relaxed) == 0;
        let all = || (0..self.n_docs).map(of_columns).collect();
        let known = (!is_first).then(|| self.places.get_or_init(all));
        move |doc| {
            let at_hand = known.and_then(|places| places.get(doc as usize));
            at_hand.copied().unwrap_or_else(|| of_columns(doc))
        }
    }

    /// The lines of a chunk, 1-based and inclusive.
    pub(crate) fn lines(&self, doc: u32) -> (u32, u32) {
        (self.start.get_val(doc) as u32, self.end.get_val(doc) as u32)
    }

    /// The dictionary and postings of one field.
    pub(crate) fn postings(&self, field: TextField) -> Result<&InvertedIndexReader> {
        let known = &self.dictionaries[field as usize];
        if let Some(index) = known.get() {
            return Ok(index);
        }
        let index = self.reader.inverted_index(self.field(field)).map_err(|e| index_trouble(&e))?;
        Ok(known.get_or_init(|| index))
    }

    /// The number of terms of each chunk in a field that has lengths, coded in one byte.
    pub(crate) fn lengths(&self, field: TextField) -> Result<FieldNormReader> {
        let field = self.field(field);
        self.reader.get_fieldnorms_reader(field).map_err(|e| index_trouble(&e))
    }

    /// The dictionary key of a term of `field`.
    pub(crate) fn term(&self, field: TextField, text: &str) -> tantivy::Term {
        tantivy::Term::from_field_text(self.field(field), text)
    }

    fn field(&self, field: TextField) -> SchemaField {
        self.fields[field as usize]
    }
}

/// Trouble inside tantivy while an intact file is read means a damaged file.
pub(crate) fn index_trouble(error: &tantivy::TantivyError) -> Error {
    match error {
        tantivy::TantivyError::IoError(e) if e.kind() == std::io::ErrorKind::StorageFull => {
            Error::new(crate::ErrorKind::Io, format!("cannot write the index: {e}"))
                .with_hint("free some space, or move the index with --index-dir DIR")
        }
        _ => Error::index_format(format!("the index is damaged: {error}"))
            .with_hint("run: wherein index --rebuild"),
    }
}

/// The same for trouble that a read tells as one of input and output.
pub(crate) fn io_trouble(error: &std::io::Error) -> Error {
    index_trouble(&tantivy::TantivyError::InternalError(error.to_string()))
}

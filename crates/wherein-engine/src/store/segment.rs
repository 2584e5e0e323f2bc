//! One segment: the postings of a run of chunks, written once.
//!
//! tantivy keeps term dictionary, postings and columns; scoring is ours (`search::lexical`). Liveness is not
//! recorded here: a chunk counts while its file's entry in the manifest names this segment and its file id.

use std::path::PathBuf;

use tantivy::directory::{OwnedBytes, RamDirectory};
use tantivy::fastfield::AliveBitSet;
use tantivy::indexer::merge_filtered_segments;
use tantivy::schema::{
    Field as SchemaField, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{Directory, Index, SingleSegmentIndexWriter, TantivyDocument};

use super::layout::IndexDir;
use super::manifest::SegmentEntry;
use super::pack;
use super::symbols::{self, OwnParts, SymbolBuilder, SymbolTable};
use super::terms::{PLACES, TERMS, tokenizers};
use crate::error::{Error, IoContext, Result};
use crate::symbol::Symbol;

mod alike;
mod packed;
mod reader;

pub(crate) use alike::Alike;
pub(crate) use reader::{FieldLengths, Match, Segment};

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

impl Record {
    /// The terms of a field.
    pub(crate) fn field_mut(&mut self, field: TextField) -> &mut String {
        match field {
            TextField::Words => &mut self.words,
            TextField::Compounds => &mut self.compounds,
            TextField::Path => &mut self.path_terms,
            TextField::Names => &mut self.names,
            TextField::Context => &mut self.context,
            TextField::Docs => &mut self.docs,
            TextField::Suffixes => &mut self.suffixes,
            TextField::Usages => &mut self.usages,
        }
    }
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
    /// Every field, in the order of the enum.
    pub(crate) const ALL: [TextField; TEXTS.len()] = [
        TextField::Words,
        TextField::Compounds,
        TextField::Path,
        TextField::Names,
        TextField::Context,
        TextField::Docs,
        TextField::Suffixes,
        TextField::Usages,
    ];

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
    let packed: Result<Vec<_>> = parts.iter().map(|part| part.packed()).collect();
    let segments: Vec<_> = packed?.iter().map(|packed| packed.segment.clone()).collect();
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

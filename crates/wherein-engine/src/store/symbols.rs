//! The symbols of a segment's files: rows beside the postings, in the same file.
//!
//! Three parts: `files` (which chunks and symbols a file has, by file id), `rows` (lines and kind of each symbol, for
//! filters) and `texts` (all of each symbol, for people). Symbols of a file stand in line order; which of them a chunk
//! holds follows from its lines. Must not judge which files count: that is the manifest's.

use std::io;
use std::ops::{Range, RangeInclusive};
use std::sync::OnceLock;

use tantivy::HasLen;
use tantivy::directory::{FileHandle, OwnedBytes};

use super::pack::{PackDirectory, damaged};
use super::seal::Piece;
use crate::error::{Error, Result};
use crate::symbol::{Symbol, SymbolKind};

const FILES: &str = "symbols.files";
const ROWS: &str = "symbols.rows";
const TEXTS: &str = "symbols.texts";
const FILE_BYTES: usize = 20;
const ROW_BYTES: usize = 24;

/// The parts as they are written: name and bytes.
pub(super) type OwnParts = [(String, OwnedBytes); 3];

/// What a file has in its segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileRow {
    pub(crate) file_id: u32,
    /// Its chunks, by document number.
    pub(crate) docs: Range<u32>,
    /// Its symbols, by row.
    pub(crate) symbols: Range<u32>,
}

/// A symbol without its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SymbolRow {
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    pub(crate) name_line: u32,
    pub(crate) kind: SymbolKind,
    text_at: u32,
    text_len: u32,
}

/// Gathers rows while a segment is built.
#[derive(Debug, Default)]
pub(super) struct SymbolBuilder {
    files: Vec<FileRow>,
    rows: Vec<u8>,
    texts: Vec<u8>,
}

impl SymbolBuilder {
    /// Begins a file with all its symbols; its chunks follow.
    pub(super) fn begin_file<'s>(
        &mut self,
        file_id: u32,
        symbols: impl Iterator<Item = &'s Symbol>,
    ) -> Result<()> {
        self.open(file_id);
        for symbol in symbols {
            let text = postcard::to_stdvec(symbol).map_err(|e| Error::bug(e.to_string()))?;
            let lines = [symbol.start_line, symbol.end_line, symbol.name_line];
            self.add(lines, symbol.kind, &text);
        }
        Ok(())
    }

    fn open(&mut self, file_id: u32) {
        let (doc, symbol) = (self.n_docs(), self.n_symbols());
        self.files.push(FileRow { file_id, docs: doc..doc, symbols: symbol..symbol });
    }

    /// Counts `n` more chunks of the file.
    pub(super) fn add_chunks(&mut self, n: u32) {
        if let Some(file) = self.files.last_mut() {
            file.docs.end += n;
        }
    }

    /// The next symbol of the file.
    fn add(&mut self, lines: [u32; 3], kind: SymbolKind, text: &[u8]) {
        let place = [kind as u32, self.texts.len() as u32, text.len() as u32];
        for number in lines.into_iter().chain(place) {
            self.rows.extend(number.to_le_bytes());
        }
        self.texts.extend(text);
        if let Some(file) = self.files.last_mut() {
            file.symbols.end += 1;
        }
    }

    fn n_symbols(&self) -> u32 {
        (self.rows.len() / ROW_BYTES) as u32
    }

    fn n_docs(&self) -> u32 {
        self.files.last().map_or(0, |file| file.docs.end)
    }

    /// Bytes of memory in use.
    pub(super) fn n_bytes(&self) -> usize {
        self.rows.len() + self.texts.len()
    }

    /// The parts as they are written.
    pub(super) fn finish(mut self) -> OwnParts {
        self.files.retain(|file| !file.docs.is_empty());
        self.files.sort_by_key(|file| file.file_id);
        let numbers = |file: &FileRow| {
            [file.file_id, file.docs.start, file.docs.end, file.symbols.start, file.symbols.end]
        };
        let files = self.files.iter().flat_map(numbers).flat_map(u32::to_le_bytes).collect();
        let part = |name: &str, bytes: Vec<u8>| (name.to_owned(), OwnedBytes::new(bytes));
        [part(FILES, files), part(ROWS, self.rows), part(TEXTS, self.texts)]
    }
}

/// The rows and texts of one file's symbols, as they are written.
#[derive(Debug, Default)]
pub(crate) struct SymbolParts {
    pub(crate) rows: Vec<u8>,
    pub(crate) texts: Vec<u8>,
}

/// The symbols of a segment opened for reading.
#[derive(Debug)]
pub(crate) struct SymbolTable {
    files: Piece,
    rows: Piece,
    texts: Piece,
    /// Read whole when first asked for.
    file_rows: OnceLock<OwnedBytes>,
}

impl SymbolTable {
    pub(super) fn open(pack: &PackDirectory) -> io::Result<SymbolTable> {
        let part = |name: &str| pack.get(name.as_ref()).ok_or_else(damaged);
        Ok(SymbolTable {
            files: part(FILES)?,
            rows: part(ROWS)?,
            texts: part(TEXTS)?,
            file_rows: OnceLock::new(),
        })
    }

    /// The table of a single file, whose rows and texts are given.
    pub(super) fn of_file(
        file_id: u32,
        n_docs: u32,
        rows: OwnedBytes,
        texts: OwnedBytes,
    ) -> SymbolTable {
        let n_symbols = (rows.len() / ROW_BYTES) as u32;
        let numbers = [file_id, 0, n_docs, 0, n_symbols];
        let files: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
        SymbolTable {
            files: Piece::plain(OwnedBytes::empty()),
            rows: Piece::plain(rows),
            texts: Piece::plain(texts),
            file_rows: OnceLock::from(OwnedBytes::new(files)),
        }
    }

    /// What a file has here, apart from the others.
    pub(super) fn parts(&self, file_id: u32) -> Result<SymbolParts> {
        let Some(file) = self.file(file_id)? else {
            return Ok(SymbolParts::default());
        };
        let mut own = SymbolBuilder::default();
        own.copy(self, &file)?;
        Ok(SymbolParts { rows: own.rows, texts: own.texts })
    }

    /// Every symbol of a file, in line order.
    pub(crate) fn symbols_of(&self, file: &FileRow) -> Result<Vec<Symbol>> {
        self.rows(file.symbols.clone())?.into_iter().map(|row| self.symbol(row)).collect()
    }

    /// What a file has here; `None` where it has no chunk.
    pub(crate) fn file(&self, file_id: u32) -> Result<Option<FileRow>> {
        let bytes = self.file_bytes()?;
        let n_files = bytes.len() / FILE_BYTES;
        let id = |idx: usize| numbers::<5>(&bytes[idx * FILE_BYTES..])[0];
        let (mut low, mut high) = (0, n_files);
        while low < high {
            let middle = low.midpoint(high);
            if id(middle) < file_id { low = middle + 1 } else { high = middle }
        }
        let is_it = low < n_files && id(low) == file_id;
        Ok(is_it.then(|| file_row(&bytes[low * FILE_BYTES..])))
    }

    /// Every file that has chunks here, by file id.
    pub(crate) fn files(&self) -> Result<Vec<FileRow>> {
        Ok(self.file_bytes()?.chunks_exact(FILE_BYTES).map(file_row).collect())
    }

    fn file_bytes(&self) -> Result<&OwnedBytes> {
        if let Some(bytes) = self.file_rows.get() {
            return Ok(bytes);
        }
        let bytes = self.files.read().map_err(|e| broken(&e))?;
        Ok(self.file_rows.get_or_init(|| bytes))
    }

    /// The rows of some symbols.
    pub(crate) fn rows(&self, range: Range<u32>) -> Result<Vec<SymbolRow>> {
        let bytes =
            read(&self.rows, range.start as usize * ROW_BYTES..range.end as usize * ROW_BYTES)?;
        bytes.chunks_exact(ROW_BYTES).map(symbol_row).collect()
    }

    /// The rows of a file's symbols whose names stand in these lines.
    pub(crate) fn named_in(
        &self,
        file: &FileRow,
        lines: RangeInclusive<u32>,
    ) -> Result<Vec<SymbolRow>> {
        let mut rows = self.rows(file.symbols.clone())?;
        rows.retain(|row| lines.contains(&row.name_line));
        Ok(rows)
    }

    /// The rows of a file's symbols that are named in these lines; where there is none, that of the one that they lie in.
    pub(crate) fn held_by(
        &self,
        file: &FileRow,
        (start, end): (u32, u32),
    ) -> Result<Vec<SymbolRow>> {
        let mut rows = self.named_in(file, start..=end)?;
        if rows.is_empty() {
            // The innermost one around, which is the last of those that begin before.
            let around = |row: &&SymbolRow| row.start_line <= start && row.end_line >= end;
            rows.extend(self.rows(file.symbols.clone())?.iter().rfind(around));
        }
        Ok(rows)
    }

    /// A symbol, whole.
    pub(crate) fn symbol(&self, row: SymbolRow) -> Result<Symbol> {
        postcard::from_bytes(&self.text(row)?).map_err(|_| broken(&damaged()))
    }

    fn text(&self, row: SymbolRow) -> Result<OwnedBytes> {
        let at = row.text_at as usize;
        read(&self.texts, at..at + row.text_len as usize)
    }
}

/// Copies the files that `is_live` accepts, part after part, as the postings are merged.
pub(super) fn merge(
    parts: &[&SymbolTable],
    is_live: &dyn Fn(usize, u32) -> bool,
) -> Result<OwnParts> {
    let mut merged = SymbolBuilder::default();
    for (i, part) in parts.iter().enumerate() {
        let mut files = part.files()?;
        files.sort_by_key(|file| file.docs.start);
        for file in files.into_iter().filter(|file| is_live(i, file.docs.start)) {
            merged.copy(part, &file)?;
        }
    }
    Ok(merged.finish())
}

impl SymbolBuilder {
    fn copy(&mut self, from: &SymbolTable, file: &FileRow) -> Result<()> {
        self.open(file.file_id);
        self.add_chunks(file.docs.len() as u32);
        for row in from.rows(file.symbols.clone())? {
            self.add([row.start_line, row.end_line, row.name_line], row.kind, &from.text(row)?);
        }
        Ok(())
    }
}

fn numbers<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut numbers = [0; N];
    for (number, four) in numbers.iter_mut().zip(bytes.chunks_exact(4)) {
        *number = u32::from_le_bytes(four.try_into().unwrap_or_default());
    }
    numbers
}

fn file_row(bytes: &[u8]) -> FileRow {
    let [file_id, first_doc, end_doc, first_symbol, end_symbol] = numbers(bytes);
    FileRow { file_id, docs: first_doc..end_doc, symbols: first_symbol..end_symbol }
}

fn symbol_row(bytes: &[u8]) -> Result<SymbolRow> {
    let [start_line, end_line, name_line, kind, text_at, text_len] = numbers(bytes);
    let kind = SymbolKind::ALL.get(kind as usize).copied().ok_or_else(|| broken(&damaged()))?;
    Ok(SymbolRow { start_line, end_line, name_line, kind, text_at, text_len })
}

fn read(piece: &Piece, range: Range<usize>) -> Result<OwnedBytes> {
    if range.start > range.end || range.end > piece.len() {
        return Err(broken(&damaged()));
    }
    piece.read_bytes(range).map_err(|e| broken(&e))
}

fn broken(error: &io::Error) -> Error {
    Error::index_format(format!("the symbols of the index are damaged: {error}"))
        .with_hint("run: wherein index --rebuild")
}

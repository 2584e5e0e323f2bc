//! All that an index has of one source file, in one piece that can be kept anywhere: its text, its chunks, the postings
//! of its terms and its symbols.
//!
//! A published index is made of these: whoever asks fetches the records of the files that may answer and ranks them with
//! the very code that ranks a local index; whoever moves an index back writes segments from them. Records come from
//! elsewhere, so nothing in one is trusted: what does not fit is an error or absent, never a panic.
//!
//! Layout: sections, see [`sections`]; the postings by the checksum of their term, see [`postings`].

mod build;
mod postings;
mod restore;
mod sections;

use std::sync::OnceLock;

use tantivy::directory::OwnedBytes;

use super::catalogue::RecordKey;
use super::manifest::{ContentHash, Indexed};
use super::segment::{Match, TextField};
use super::symbols::SymbolTable;
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::syntax::Fallback;
pub(crate) use build::{each_record, record_without_chunks};
use postings::Postings;
pub(crate) use postings::TermEntry;
use sections::Sections;

/// The number of this layout: the first byte of every record.
pub(crate) const RECORD_FORMAT: u8 = 1;
/// A record above this many bytes, unpacked, is refused: a scan reads no file that makes one.
const MAX_BYTES: usize = 256 << 20;
/// The fields that have lengths, in the order of their sections.
const WITH_LENGTHS: [TextField; 3] = [TextField::Words, TextField::Names, TextField::Docs];

/// What is said of a file beside its text.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct About {
    pub(crate) path: String,
    pub(crate) hash: ContentHash,
    /// Bytes of the file as it lay in the tree.
    pub(crate) n_bytes: u64,
    pub(crate) language: String,
    pub(crate) kind: Kind,
    pub(crate) n_words: u64,
    pub(crate) fallback: Option<Fallback>,
}

impl About {
    /// What a manifest says of the file, but for where it lies.
    pub(crate) fn of(
        path: &str,
        (hash, n_bytes): (ContentHash, u64),
        language: &str,
        indexed: &Indexed,
    ) -> About {
        About {
            path: path.to_owned(),
            hash,
            n_bytes,
            language: language.to_owned(),
            kind: indexed.kind,
            n_words: indexed.n_words,
            fallback: indexed.fallback,
        }
    }
}

/// One file, opened for reading.
pub(crate) struct FileRecord {
    pub(crate) about: About,
    bytes: OwnedBytes,
    sections: Sections,
    n_chunks: u32,
    keys: OnceLock<Vec<RecordKey>>,
}

impl std::fmt::Debug for FileRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileRecord").field("path", &self.about.path).finish_non_exhaustive()
    }
}

impl FileRecord {
    /// Opens a record as [`RecordBuilder::finish`] wrote it.
    ///
    /// # Errors
    /// [`crate::ErrorKind::IndexFormat`] where it is of another format or damaged.
    pub(crate) fn decode(packed: &[u8]) -> Result<FileRecord> {
        let bytes = sections::unpack(packed, MAX_BYTES).ok_or_else(damaged)?;
        let sections = Sections::read(&bytes).ok_or_else(damaged)?;
        let section = |range: std::ops::Range<usize>| &bytes[range];
        let about: About =
            postcard::from_bytes(section(sections.about())).map_err(|_| damaged())?;
        std::str::from_utf8(section(sections.text())).map_err(|_| damaged())?;
        let n_chunks = sections.chunks().len() / 8;
        let has_lengths = (0..WITH_LENGTHS.len()).all(|at| sections.lengths(at).len() == n_chunks);
        let (hashes, offsets) = (sections.hashes().len(), sections.offsets().len());
        if !sections.chunks().len().is_multiple_of(8)
            || !has_lengths
            || hashes != offsets
            || !hashes.is_multiple_of(4)
        {
            return Err(damaged());
        }
        let n_chunks = u32::try_from(n_chunks).map_err(|_| damaged())?;
        let record = FileRecord {
            about,
            bytes: OwnedBytes::new(bytes),
            sections,
            n_chunks,
            keys: OnceLock::new(),
        };
        let n_lines = u32::try_from(record.text().len()).unwrap_or(u32::MAX).saturating_add(1);
        let fits = |(first, last): (u32, u32)| 1 <= first && first <= last && last <= n_lines;
        match record.postings().is_in_order() && (0..n_chunks).all(|doc| fits(record.lines(doc))) {
            true => Ok(record),
            false => Err(damaged()),
        }
    }

    /// Memory in use.
    pub(crate) fn n_bytes(&self) -> usize {
        self.bytes.len() + size_of::<RecordKey>() * self.n_chunks as usize + 400
    }

    /// What its chunks are kept under, worked out by `make` when first asked for.
    pub(crate) fn keys(&self, make: impl FnOnce(&FileRecord) -> Vec<RecordKey>) -> &[RecordKey] {
        self.keys.get_or_init(|| make(self))
    }

    pub(crate) fn n_chunks(&self) -> u32 {
        self.n_chunks
    }

    fn section(&self, range: std::ops::Range<usize>) -> &[u8] {
        &self.bytes[range]
    }

    /// The text as it was indexed.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(self.section(self.sections.text())).unwrap_or_default()
    }

    /// The lines of each chunk, newlines included.
    pub(crate) fn spans(&self) -> impl Iterator<Item = &str> {
        let text = self.text();
        let mut begins = vec![0];
        begins.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        (0..self.n_chunks).map(move |doc| {
            let (first, last) = self.lines(doc);
            let begin = |line: usize| begins.get(line).copied().unwrap_or(text.len());
            let start = begin((first as usize).saturating_sub(1));
            &text[start..begin(last as usize).max(start)]
        })
    }

    /// The lines from `first` to `last`, newlines included.
    #[cfg(test)]
    fn span(&self, first: u32, last: u32) -> &str {
        let text = self.text();
        let begin = |line: u32| match line.checked_sub(2) {
            None => 0,
            Some(n) => memchr::memchr_iter(b'\n', text.as_bytes())
                .nth(n as usize)
                .map_or(text.len(), |at| at + 1),
        };
        let start = begin(first);
        &text[start..begin(last.saturating_add(1)).max(start)]
    }

    /// First and last line of a chunk, 1-based and inclusive; zeros for one that is not there.
    pub(crate) fn lines(&self, doc: u32) -> (u32, u32) {
        let chunks = self.section(self.sections.chunks());
        let number = |at: usize| postings::number(chunks, 2 * doc as usize + at).unwrap_or(0);
        (number(0), number(1))
    }

    /// The coded lengths of the chunks in a field; none for a field that has no lengths.
    pub(crate) fn lengths(&self, field: TextField) -> &[u8] {
        let at = WITH_LENGTHS.iter().position(|known| *known == field);
        at.map_or(&[], |at| self.section(self.sections.lengths(at)))
    }

    fn postings(&self) -> Postings<'_> {
        Postings {
            hashes: self.section(self.sections.hashes()),
            offsets: self.section(self.sections.offsets()),
            entries: self.section(self.sections.entries()),
            n_docs: self.n_chunks,
        }
    }

    /// Where a term stands in a field.
    pub(crate) fn term(&self, field: TextField, text: &str) -> Option<TermEntry<'_>> {
        self.postings().find(field, text)
    }

    /// Every term of a field that fits, in the order of its bytes.
    pub(crate) fn terms(&self, field: TextField, wanted: &Match<'_>) -> Vec<(&str, TermEntry<'_>)> {
        match wanted {
            Match::Whole(text) => {
                let found = self.postings().entry(text);
                found
                    .and_then(|entry| Some((entry.text, entry.field(field)?)))
                    .into_iter()
                    .collect()
            }
            Match::BeginsWith(prefix) => self.matching(field, |text| text.starts_with(prefix)),
            Match::Alike(alike) => self.matching(field, |text| alike.has(text)),
        }
    }

    fn matching(
        &self,
        field: TextField,
        fits: impl Fn(&str) -> bool,
    ) -> Vec<(&str, TermEntry<'_>)> {
        let entries = self.postings().entries().filter(|entry| fits(entry.text));
        let mut found: Vec<_> =
            entries.filter_map(|entry| Some((entry.text, entry.field(field)?))).collect();
        found.sort_by_key(|(text, _)| *text);
        found
    }

    /// The symbols, as those of the only file of a segment.
    pub(crate) fn symbols(&self, file_id: u32) -> SymbolTable {
        let part = |range: std::ops::Range<usize>| self.bytes.slice(range);
        let (rows, texts) = (part(self.sections.rows()), part(self.sections.symbol_texts()));
        SymbolTable::of_file(file_id, self.n_chunks, rows, texts)
    }
}

fn damaged() -> Error {
    Error::index_format("a published file is damaged or of another version")
        .with_hint("publish it again with: wherein index --rebuild --store …")
}

#[cfg(test)]
mod tests;

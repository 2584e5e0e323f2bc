//! A model that is a table: a text's vector is the weighted sum of the vectors of its words.
//!
//! The table is read where it lies: nothing is built when it is opened, so that it is ready at once however large it
//! is. Words that it does not know are put together from the pieces of a few letters that it does know. All sums run in
//! one fixed order without fused or library functions, so a vector is the same on every machine. Must not read files.

use std::borrow::Cow;

use super::bag::Bag;
use crate::error::{Error, Result};
use crate::tokenize::TOKENIZER_VERSION;

const MAGIC: &[u8; 8] = b"WHTABLE1";
const HEADER_BYTES: usize = 64;
/// Slots are at least this many times the terms: a look-up ends after two or three.
const SLOTS_PER_TERM: usize = 2;
/// Letters of the shortest and the longest piece of a word.
const PIECE_LETTERS: std::ops::RangeInclusive<usize> = 3..=5;
/// Words longer than this, and those with digits, are data more often than language: they have no pieces.
const MAX_PIECED_BYTES: usize = 24;

/// The vectors of terms, as rows of whole numbers with one scale each.
///
/// Layout, little-endian: a header of 64 bytes; a 64-bit hash a term; slots of 32 bits that lead from a hash to its term;
/// a 32-bit float a row; the rows, one signed byte a component.
pub struct TermTable {
    bytes: Cow<'static, [u8]>,
    dimensions: usize,
    n_terms: usize,
    n_slots: usize,
    head_weight: f32,
}

impl std::fmt::Debug for TermTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TermTable")
            .field("n_terms", &self.n_terms)
            .field("dimensions", &self.dimensions)
            .finish_non_exhaustive()
    }
}

impl TermTable {
    /// A table in memory or linked into the program.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Model`] when it is no table, is cut short, or was made for another tokenizer.
    pub fn open(bytes: impl Into<Cow<'static, [u8]>>) -> Result<TermTable> {
        let bytes = bytes.into();
        let damaged = || Error::model("the table of terms is damaged");
        if bytes.len() < HEADER_BYTES || &bytes[..8] != MAGIC {
            return Err(damaged());
        }
        let number = |at: usize| u32_at(&bytes, at) as usize;
        let tokenizer = number(8);
        if tokenizer != TOKENIZER_VERSION as usize {
            return Err(Error::model(format!(
                "the table of terms was made for tokenizer {tokenizer}, and this is tokenizer {TOKENIZER_VERSION}"
            )));
        }
        let (dimensions, n_terms, n_slots) = (number(12), number(16), number(20));
        let head_weight = f32::from_bits(u32_at(&bytes, 24));
        let table = TermTable { dimensions, n_terms, n_slots, head_weight, bytes };
        let plausible = dimensions > 0 && n_slots.is_power_of_two() && n_slots > n_terms;
        let fits = plausible && table.rows_at() + n_terms * dimensions == table.bytes.len();
        if fits && head_weight.is_finite() { Ok(table) } else { Err(damaged()) }
    }

    /// Components of a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Rows: words and pieces of words.
    pub fn n_terms(&self) -> usize {
        self.n_terms
    }

    /// How often a word of a passage's head (its path and names) counts, beside once for a word of its text.
    pub fn head_weight(&self) -> f32 {
        self.head_weight
    }

    /// The file itself.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Enters a word of the tokenizer into `bag`, as often as `weight` says.
    pub fn enter(&self, word: &str, weight: f32, bag: &mut Bag) {
        match self.find(term_hash(word)) {
            Some(row) => bag.enter_known(row, weight),
            None => self.enter_pieces(word, weight, bag),
        }
    }

    fn enter_pieces(&self, word: &str, weight: f32, bag: &mut Bag) {
        let mut rows = [0; MAX_PIECED_BYTES * 3];
        let mut n = 0;
        self.find_pieces(word, |row| {
            rows[n] = row;
            n += 1;
        });
        for row in &rows[..n] {
            bag.enter_piece(*row, weight / n as f32);
        }
    }

    /// Calls `emit` with the row of each piece of a word that has one.
    pub(super) fn find_pieces(&self, word: &str, mut emit: impl FnMut(u32)) {
        pieces(word, |hash| {
            if let Some(row) = self.find(hash) {
                emit(row);
            }
        });
    }

    /// The row of a term.
    pub(super) fn find(&self, hash: u64) -> Option<u32> {
        let mut slot = hash as usize & (self.n_slots - 1);
        // A table that was written well has empty slots; one that was not must not hold a look-up forever.
        for _ in 0..self.n_slots {
            // One more than the row: zero is an empty slot.
            let entry = u32_at(&self.bytes, HEADER_BYTES + self.n_terms * 8 + slot * 4);
            let row = entry.checked_sub(1)?;
            if u64_at(&self.bytes, HEADER_BYTES + row as usize * 8) == hash {
                return Some(row);
            }
            slot = (slot + 1) & (self.n_slots - 1);
        }
        None
    }

    /// The unit vector of what was entered; `None` where nothing was known. Empties the bag.
    pub fn vector(&self, bag: &mut Bag) -> Option<Vec<f32>> {
        let mut sum = vec![0.0_f32; self.dimensions];
        self.sum(bag, &mut sum).then_some(sum)
    }

    /// [`TermTable::vector`] into a buffer of `dimensions` components; whether there is one.
    pub fn sum(&self, bag: &mut Bag, sum: &mut [f32]) -> bool {
        sum.fill(0.0);
        for (row, weight) in bag.drain() {
            let row = row as usize;
            let scale = f32::from_bits(u32_at(&self.bytes, self.scales_at() + row * 4));
            let at = self.rows_at() + row * self.dimensions;
            add_row(sum, weight * scale, &self.bytes[at..at + self.dimensions]);
        }
        normalise(sum)
    }

    fn scales_at(&self) -> usize {
        HEADER_BYTES + self.n_terms * 8 + self.n_slots * 4
    }

    fn rows_at(&self) -> usize {
        self.scales_at() + self.n_terms * 4
    }
}

fn add_row(sum: &mut [f32], weight: f32, row: &[u8]) {
    for (sum, value) in sum.iter_mut().zip(row) {
        *sum += weight * f32::from(*value as i8);
    }
}

/// Makes its length one, summed in sixteen fixed lanes; `false` where it has none.
fn normalise(vector: &mut [f32]) -> bool {
    let mut lanes = [0.0_f32; 16];
    for chunk in vector.chunks(16) {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value * value;
        }
    }
    let length = lanes.iter().sum::<f32>().sqrt();
    if !length.is_finite() || length < 1e-12 {
        return false;
    }
    vector.iter_mut().for_each(|value| *value /= length);
    true
}

/// The hash by which a word is found: 64-bit FNV-1a with its bits mixed, so that the low ones can choose a slot.
pub fn term_hash(word: &str) -> u64 {
    hash_of(0, word.as_bytes())
}

/// Calls `emit` with the hash of each piece of a word of the tokenizer.
pub fn pieces(word: &str, mut emit: impl FnMut(u64)) {
    spell(word, |piece| emit(piece_hash(piece)));
}

/// The hash by which a piece that [`spell`] gave is found.
pub fn piece_hash(piece: &str) -> u64 {
    hash_of(1, piece.as_bytes())
}

/// Calls `emit` with each piece of a word: runs of three to five letters, with marks for its start and its end.
pub fn spell(word: &str, mut emit: impl FnMut(&str)) {
    if word.len() > MAX_PIECED_BYTES || word.bytes().any(|b| b.is_ascii_digit()) {
        return;
    }
    let marked = format!("<{word}>");
    let ends: Vec<usize> = marked.char_indices().map(|(at, _)| at).chain([marked.len()]).collect();
    for letters in PIECE_LETTERS {
        for ends in ends.windows(letters + 1) {
            emit(&marked[ends[0]..ends[letters]]);
        }
    }
}

fn hash_of(kind: u8, bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in [kind].iter().chain(bytes) {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

/// Writes a table, a term after the other.
#[derive(Debug)]
pub struct TermTableBuilder {
    dimensions: usize,
    head_weight: f32,
    hashes: Vec<u64>,
    scales: Vec<f32>,
    rows: Vec<u8>,
}

impl TermTableBuilder {
    /// A table without terms; `head_weight` as in [`TermTable::head_weight`].
    pub fn new(dimensions: usize, head_weight: f32) -> TermTableBuilder {
        TermTableBuilder {
            dimensions,
            head_weight,
            hashes: Vec::new(),
            scales: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Adds the term of `hash` ([`term_hash`] or one of [`pieces`]); a component is its row's number times `scale`.
    pub fn add(&mut self, hash: u64, scale: f32, row: &[i8]) {
        debug_assert_eq!(row.len(), self.dimensions);
        self.hashes.push(hash);
        self.scales.push(scale);
        self.rows.extend(row.iter().map(|value| *value as u8));
    }

    /// The bytes of the table.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Model`] when two terms have one hash.
    pub fn finish(self) -> Result<Vec<u8>> {
        let n_slots = (self.hashes.len() * SLOTS_PER_TERM).max(2).next_power_of_two();
        let mut slots = vec![0_u32; n_slots];
        for (hash, row) in self.hashes.iter().zip(0_u32..) {
            let mut slot = *hash as usize & (n_slots - 1);
            while slots[slot] != 0 {
                if self.hashes[slots[slot] as usize - 1] == *hash {
                    return Err(Error::model("two terms of the table have one hash"));
                }
                slot = (slot + 1) & (n_slots - 1);
            }
            slots[slot] = row + 1;
        }
        let mut bytes = MAGIC.to_vec();
        for number in [TOKENIZER_VERSION as usize, self.dimensions, self.hashes.len(), n_slots] {
            bytes.extend((number as u32).to_le_bytes());
        }
        bytes.extend(self.head_weight.to_le_bytes());
        bytes.resize(HEADER_BYTES, 0);
        bytes.extend(self.hashes.iter().flat_map(|hash| hash.to_le_bytes()));
        bytes.extend(slots.iter().flat_map(|slot| slot.to_le_bytes()));
        bytes.extend(self.scales.iter().flat_map(|scale| scale.to_le_bytes()));
        bytes.extend(self.rows);
        Ok(bytes)
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|eight| eight.try_into().ok()).map_or(0, u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> TermTable {
        let mut builder = TermTableBuilder::new(4, 2.0);
        builder.add(term_hash("read"), 0.5, &[2, 0, 0, 0]);
        builder.add(term_hash("file"), 1.0, &[0, 3, 0, 0]);
        let mut first = None;
        pieces("filed", |hash| {
            first.get_or_insert(hash);
        });
        builder.add(first.unwrap(), 1.0, &[0, 0, 5, 0]);
        TermTable::open(builder.finish().unwrap()).unwrap()
    }

    fn vector(table: &TermTable, words: &[&str]) -> Option<Vec<f32>> {
        let mut bag = Bag::default();
        words.iter().for_each(|word| table.enter(word, 1.0, &mut bag));
        table.vector(&mut bag)
    }

    #[test]
    fn a_vector_is_the_normalised_sum_of_its_words() {
        let table = small();
        let root = 10.0_f32.sqrt();
        assert_eq!(vector(&table, &["read", "file"]).unwrap(), [1.0 / root, 3.0 / root, 0.0, 0.0]);
        assert_eq!(vector(&table, &["file", "file", "file"]).unwrap(), [0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn unknown_words_are_put_together_from_pieces_or_are_nothing() {
        let table = small();
        assert_eq!(vector(&table, &["filed"]).unwrap(), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(vector(&table, &["zebra", "x", "", "日本"]), None);
        let mut bag = Bag::default();
        table.enter("filed", 1.0, &mut bag);
        assert_eq!(bag.n_known(), 0);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let bytes = small().bytes().to_vec();
        for length in 0..bytes.len() {
            assert!(TermTable::open(bytes[..length].to_vec()).is_err(), "{length}");
        }
        for at in 0..24 {
            let mut other = bytes.clone();
            other[at] ^= 0x40;
            assert!(TermTable::open(other).is_err(), "{at}");
        }
    }

    #[test]
    fn a_piece_is_no_word() {
        // The kind of term must not meet the first letter: these two did.
        assert_ne!(piece_hash("est"), term_hash("dst"));
        assert_ne!(piece_hash("est"), term_hash("est"));
    }

    #[test]
    fn two_terms_of_one_hash_are_refused() {
        let mut builder = TermTableBuilder::new(1, 1.0);
        builder.add(7, 1.0, &[1]);
        builder.add(7, 1.0, &[1]);
        assert!(builder.finish().is_err());
    }
}

//! Words of texts → rows of a table, with a memory: code repeats its words, and one that a table does not know as a
//! whole takes dozens of look-ups.
//!
//! The memory holds what the table said and nothing else. Must give exactly what [`TermTable::enter`] gives.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::bag::Bag;
use super::table::{TermTable, term_hash};
use crate::tokenize::{Tokenizer, Word};

/// Words kept in the memory; past it new words are looked up each time.
const MAX_REMEMBERED: usize = 1 << 16;
/// Tell words that are not stemmed yet from terms, and those that never are from both.
const STEMMABLE: u64 = 0x9e37_79b9_7f4a_7c15;
const OPAQUE: u64 = 0xc2b2_ae3d_27d4_eb4f;

/// Enters the words of texts for one table; one per thread.
#[derive(Debug, Default)]
pub(crate) struct Words {
    tokenizer: Tokenizer,
    memory: Memory,
}

impl Words {
    /// Enters the words of a text, each as often as `weight` says.
    pub(crate) fn enter_text(&mut self, table: &TermTable, text: &str, weight: f32, bag: &mut Bag) {
        let Words { tokenizer, memory } = self;
        tokenizer.words(text, |word| memory.enter_word(table, word, weight, bag));
    }

    /// Enters a word of the tokenizer.
    pub(crate) fn enter(&mut self, table: &TermTable, word: &str, weight: f32, bag: &mut Bag) {
        self.memory.enter(table, word, weight, bag);
    }

    /// How many words a text has.
    pub(crate) fn count(&mut self, text: &str) -> usize {
        let mut n_words = 0;
        self.tokenizer.words(text, |_| n_words += 1);
        n_words
    }
}

/// Which rows a word has.
#[derive(Debug, Default)]
struct Memory {
    by_hash: HashMap<u64, Found, BuildHasherDefault<AsItIs>>,
    /// The rows of the pieces of words, end to end.
    pieces: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
enum Found {
    Whole(u32),
    /// Where its pieces begin, and how many there are.
    Pieces(u32, u32),
}

impl Memory {
    /// Enters a term.
    fn enter(&mut self, table: &TermTable, term: &str, weight: f32, bag: &mut Bag) {
        let hash = term_hash(term);
        match self.by_hash.get(&hash).copied().or_else(|| self.look_up(table, term, hash)) {
            Some(found) => self.enter_found(found, weight, bag),
            None => table.enter(term, weight, bag),
        }
    }

    /// Enters a word, which is stemmed only where it is new.
    fn enter_word(&mut self, table: &TermTable, word: Word<'_>, weight: f32, bag: &mut Bag) {
        let hash = word_hash(&word);
        if let Some(found) = self.by_hash.get(&hash) {
            return self.enter_found(*found, weight, bag);
        }
        let term = word.term();
        match self.look_up(table, term, hash) {
            Some(found) => self.enter_found(found, weight, bag),
            None => table.enter(term, weight, bag),
        }
    }

    fn enter_found(&self, found: Found, weight: f32, bag: &mut Bag) {
        match found {
            Found::Whole(row) => bag.enter_known(row, weight),
            Found::Pieces(at, n) => {
                let rows = &self.pieces[at as usize..(at + n) as usize];
                rows.iter().for_each(|row| bag.enter_piece(*row, weight / n as f32));
            }
        }
    }

    /// Asks the table for a term and keeps the answer as `key`; `None` where the memory is full.
    fn look_up(&mut self, table: &TermTable, term: &str, key: u64) -> Option<Found> {
        if self.by_hash.len() >= MAX_REMEMBERED {
            return None;
        }
        let found = table.find(term_hash(term)).map_or_else(
            || {
                let at = self.pieces.len();
                table.find_pieces(term, |row| self.pieces.push(row));
                Found::Pieces(at as u32, (self.pieces.len() - at) as u32)
            },
            Found::Whole,
        );
        self.by_hash.insert(key, found);
        Some(found)
    }
}

/// Tells words apart before they are stemmed.
pub(super) fn word_hash(word: &Word<'_>) -> u64 {
    term_hash(word.folded) ^ if word.is_stemmable() { STEMMABLE } else { OPAQUE }
}

/// The hash of a term needs no further hashing.
#[derive(Debug, Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::table::{TermTableBuilder, pieces};

    #[test]
    fn the_memory_gives_what_the_table_gives() {
        let mut builder = TermTableBuilder::new(3, 1.0);
        builder.add(term_hash("read"), 0.5, &[2, 0, 1]);
        let mut known = std::collections::BTreeSet::new();
        for word in ["file", "unread"] {
            pieces(word, |hash| known.extend([hash]));
        }
        known
            .iter()
            .zip(1..)
            .for_each(|(hash, value)| builder.add(*hash, 0.1, &[value, 7, -value]));
        let table = TermTable::open(builder.finish().unwrap()).unwrap();
        let mut words = Words::default();
        let texts =
            ["reading file", "filing unreadable files zebra", "read reads 12", "", "日本 read"];
        for text in texts {
            for weight in [1.0, 2.5] {
                let (mut by_memory, mut by_table) = (Bag::default(), Bag::default());
                words.enter_text(&table, text, weight, &mut by_memory);
                let mut tokenizer = Tokenizer::default();
                tokenizer.words(text, |word| table.enter(word.term(), weight, &mut by_table));
                assert_eq!(by_memory.n_known(), by_table.n_known());
                assert_eq!(table.vector(&mut by_memory), table.vector(&mut by_table), "{text}");
            }
        }
    }
}

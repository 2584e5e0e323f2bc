//! What a text has of a question's words: which of them stand in it, and how like each the likest of its words is.
//!
//! Likeness is the cosine of two words' vectors in a table, kept for each word that was seen: texts repeat their words.
//! Without a table only the same word counts. Must not depend on the order of the words of a text.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::bag::Bag;
use super::reader::dot;
use super::table::TermTable;
use super::words::{AsItIs, word_hash};
use crate::tokenize::{Tokenizer, Word};

/// Words of a question whose likeness is looked at: those after it only count where they stand.
pub(crate) const MAX_LIKENED: usize = 16;
/// Words of a question that are told apart.
const MAX_ASKED: usize = 64;
/// Different words kept in the memory; further ones are looked at each time.
const MAX_REMEMBERED: usize = 1 << 16;

/// How like each word of the question something is, 255 for the same.
pub(crate) type Likeness = [u8; MAX_LIKENED];

/// What a text has of a question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Which words stand in it, bit by bit.
    pub(crate) words: u64,
    /// How like each word the likest of its words is.
    pub(crate) likeness: Likeness,
}

impl Seen {
    /// Adds what another text has.
    pub(crate) fn merge(&mut self, other: &Seen) {
        self.words |= other.words;
        for (most, like) in self.likeness.iter_mut().zip(other.likeness) {
            *most = (*most).max(like);
        }
    }
}

/// The words of one question, with a memory of the words that were compared with them; one per thread.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    table: Option<&'a TermTable>,
    words: Vec<String>,
    /// Of the first [`MAX_LIKENED`] words; zeros where the table knows nothing of one.
    vectors: Vec<Vec<f32>>,
    seen: HashMap<u64, Seen, BuildHasherDefault<AsItIs>>,
    bag: Bag,
    own: Vec<f32>,
}

impl<'a> Asked<'a> {
    /// For terms of the tokenizer.
    pub(crate) fn new<'w>(
        table: Option<&'a TermTable>,
        words: impl Iterator<Item = &'w str>,
    ) -> Asked<'a> {
        let words: Vec<String> = words.take(MAX_ASKED).map(str::to_owned).collect();
        let mut bag = Bag::default();
        let mut vector = |table: &TermTable, word: &String| {
            table.enter(word, 1.0, &mut bag);
            table.vector(&mut bag).unwrap_or_else(|| vec![0.0; table.dimensions()])
        };
        let likened = words.iter().take(MAX_LIKENED);
        let vectors = table.map_or_else(Vec::new, |table| {
            likened.map(|word| vector(table, word)).collect::<Vec<_>>()
        });
        let own = vec![0.0; table.map_or(0, TermTable::dimensions)];
        Asked { table, words, vectors, seen: HashMap::default(), bag, own }
    }

    /// What a word has of the question.
    pub(crate) fn look(&mut self, word: Word<'_>) -> Seen {
        let hash = word_hash(&word);
        if let Some(seen) = self.seen.get(&hash) {
            return *seen;
        }
        let seen = self.compare(word.term());
        if self.seen.len() < MAX_REMEMBERED {
            self.seen.insert(hash, seen);
        }
        seen
    }

    /// What a text has of the question.
    pub(crate) fn look_at(&mut self, tokenizer: &mut Tokenizer, text: &str) -> Seen {
        let mut seen = Seen::default();
        tokenizer.words(text, |word| seen.merge(&self.look(word)));
        seen
    }

    fn compare(&mut self, term: &str) -> Seen {
        let at = self.words.iter().position(|word| word == term);
        let mut seen = Seen { words: at.map_or(0, |at| 1 << at), likeness: [0; MAX_LIKENED] };
        let is_known = self.table.is_some_and(|table| {
            table.enter(term, 1.0, &mut self.bag);
            table.sum(&mut self.bag, &mut self.own)
        });
        if is_known {
            for (like, vector) in seen.likeness.iter_mut().zip(&self.vectors) {
                *like = (dot(vector, &self.own).clamp(0.0, 1.0) * 255.0) as u8;
            }
        }
        if let Some(like) = at.and_then(|at| seen.likeness.get_mut(at)) {
            *like = u8::MAX;
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::{TermTableBuilder, term_hash};

    fn seen_of(asked: &mut Asked<'_>, text: &str) -> Seen {
        asked.look_at(&mut Tokenizer::default(), text)
    }

    fn table() -> TermTable {
        let mut builder = TermTableBuilder::new(3, 1.0);
        builder.add(term_hash("ship"), 0.5, &[4, 0, 0]);
        builder.add(term_hash("boat"), 0.5, &[3, 3, 0]);
        builder.add(term_hash("tree"), 0.5, &[0, 0, 5]);
        TermTable::open(builder.finish().unwrap()).unwrap()
    }

    #[test]
    fn the_same_word_counts_fully_and_a_like_one_by_its_cosine() {
        let table = table();
        let mut asked = Asked::new(Some(&table), ["ship", "rudder"].into_iter());
        let seen = seen_of(&mut asked, "boats and trees");
        assert_eq!((seen.words, seen.likeness[0], seen.likeness[1]), (0, 180, 0));
        let seen = seen_of(&mut asked, "tree ships rudders");
        assert_eq!((seen.words, seen.likeness[0], seen.likeness[1]), (3, 255, 255));
        assert_eq!(seen_of(&mut asked, "rudders; ships, tree"), seen, "the order says nothing");
    }

    #[test]
    fn without_a_table_only_the_same_word_counts() {
        let mut asked = Asked::new(None, ["ship", "boat"].into_iter());
        let seen = seen_of(&mut asked, "shipping of wood");
        assert_eq!((seen.words, seen.likeness[0], seen.likeness[1]), (1, 255, 0));
    }

    #[test]
    fn more_words_than_are_told_apart_do_no_harm() {
        let words: Vec<String> = (0..200).map(|i| format!("w{i}x")).collect();
        let mut asked = Asked::new(None, words.iter().map(String::as_str));
        assert_eq!(seen_of(&mut asked, "w63x").words, 0);
        asked.words[63] = "late".to_owned();
        assert_eq!(seen_of(&mut asked, "late").words, 1 << 63);
    }
}

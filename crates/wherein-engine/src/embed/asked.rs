//! What a text has of a question's words: which of them stand in it, and how like each the likest of its words is.
//!
//! Texts come as numbers of a lexicon, and what a word has of the question is worked out once. Without a table only the same
//! word counts. Must not depend on the order of the words of a text.

use std::sync::Arc;

use super::lexicon::{Entries, Lexicon};
use super::likeness::{Column, Likenesses};
use super::reader::dot;
use super::table::{TermTable, term_hash};
use crate::crew::Crew;

/// Words of a question whose likeness is looked at: those after it only count where they stand.
pub(crate) const MAX_LIKENED: usize = 16;
/// Words of a question that are told apart.
const MAX_ASKED: usize = 64;
/// New words that are one piece of work for a thread.
const RUN: usize = 512;

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

/// The words of one question beside those of a lexicon.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    lexicon: &'a Lexicon,
    table: Option<&'a TermTable>,
    /// The hashes of the question's words.
    words: Vec<u64>,
    /// Of the first [`MAX_LIKENED`] words, with a table.
    columns: Vec<Arc<Column>>,
    /// For each word of the lexicon its place in `seen`, one more than that; 0 where it was not met.
    places: Vec<u32>,
    seen: Vec<Seen>,
    /// Words that were met and not looked at, which come next in `seen`.
    fresh: Vec<u32>,
}

impl<'a> Asked<'a> {
    /// For terms of the tokenizer.
    pub(crate) fn new<'w>(
        lexicon: &'a Lexicon,
        likenesses: &Likenesses,
        table: Option<&'a TermTable>,
        words: impl Iterator<Item = &'w str>,
    ) -> Asked<'a> {
        let words: Vec<String> = words.take(MAX_ASKED).map(str::to_owned).collect();
        let n_words = lexicon.entries().len();
        let likened = &words[..words.len().min(MAX_LIKENED)];
        let columns =
            table.map_or_else(Vec::new, |table| likenesses.columns(table, likened, n_words));
        let words = words.iter().map(|word| term_hash(word)).collect();
        let (seen, fresh) = (Vec::new(), Vec::new());
        Asked { lexicon, table, words, columns, places: vec![0; n_words], seen, fresh }
    }

    /// Meets the words of a text; [`Asked::catch_up`] looks at those that are new.
    pub(crate) fn meet(&mut self, text: &[u32]) {
        for number in text {
            let at = *number as usize;
            if at >= self.places.len() {
                self.places.resize(at + 1, 0);
            }
            if self.places[at] == 0 {
                self.fresh.push(*number);
                self.places[at] = (self.seen.len() + self.fresh.len()) as u32;
            }
        }
    }

    /// Looks at all words that were met.
    pub(crate) fn catch_up(&mut self, crew: &Crew<'_>) {
        let runs: Vec<&[u32]> = self.fresh.chunks(RUN).collect();
        let looked = crew.map(&runs, 2, |run| self.compare_all(run));
        self.seen.extend(looked.into_iter().flatten());
        self.fresh.clear();
    }

    /// What a text has of the question whose words were all looked at.
    pub(crate) fn of(&self, text: &[u32]) -> Seen {
        let mut all = Seen::default();
        for number in text {
            let place = self.places.get(*number as usize).copied().unwrap_or_default();
            if let Some(seen) = self.seen.get((place as usize).wrapping_sub(1)) {
                all.merge(seen);
            }
        }
        all
    }

    /// What a short text has of the question.
    pub(crate) fn look_at(&mut self, text: &[u32]) -> Seen {
        self.meet(text);
        if !self.fresh.is_empty() {
            let looked = self.compare_all(&self.fresh);
            self.seen.extend(looked);
            self.fresh.clear();
        }
        self.of(text)
    }

    /// Which word of the question stands in each place of a text that does stand there: how many.
    pub(crate) fn n_asked(&self, text: &[u32]) -> usize {
        let is_asked = |number: &&u32| self.of(&[**number]).words != 0;
        text.iter().filter(is_asked).count()
    }

    fn compare_all(&self, words: &[u32]) -> Vec<Seen> {
        let all = self.lexicon.entries();
        words.iter().map(|number| self.compare(&all, *number)).collect()
    }

    fn compare(&self, all: &Entries, number: u32) -> Seen {
        let hash = all.hash(number);
        let at = self.words.iter().position(|word| *word == hash);
        let mut seen = Seen { words: at.map_or(0, |at| 1 << at), likeness: [0; MAX_LIKENED] };
        let mut is_known = true;
        for (like, column) in seen.likeness.iter_mut().zip(&self.columns) {
            let known = column.get(number);
            is_known &= known.is_some();
            *like = known.unwrap_or_default();
        }
        if let Some(table) = self.table.filter(|_| !is_known) {
            self.lexicon.with_vector(table, (all, number), |own| {
                self.work_out(number, own, &mut seen.likeness);
            });
        }
        if let Some(like) = at.and_then(|at| seen.likeness.get_mut(at)) {
            *like = u8::MAX;
        }
        seen
    }

    /// Fills what no column knew of a word, whose vector is `own`.
    fn work_out(&self, number: u32, own: Option<&[f32]>, likeness: &mut Likeness) {
        for (like, column) in likeness.iter_mut().zip(&self.columns) {
            if column.get(number).is_none() {
                let cosine = own.map_or(0.0, |own| dot(&column.vector, own));
                *like = (cosine.clamp(0.0, 1.0) * 255.0) as u8;
                column.set(number, *like);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::{NumberReader, TermTableBuilder};

    /// What texts have of words, whatever was asked before.
    struct Desk {
        lexicon: Lexicon,
        likenesses: Likenesses,
        table: Option<TermTable>,
    }

    impl Desk {
        fn new(table: Option<TermTable>) -> Desk {
            let (lexicon, likenesses) = (Lexicon::new(1 << 20), Likenesses::new(1 << 20));
            Desk { lexicon, likenesses, table }
        }

        fn seen(&self, words: &[&str], text: &str) -> Seen {
            let mut numbers = Vec::new();
            NumberReader::default().read(&self.lexicon, text, &mut numbers);
            let words = words.iter().copied();
            let table = self.table.as_ref();
            Asked::new(&self.lexicon, &self.likenesses, table, words).look_at(&numbers)
        }
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
        let desk = Desk::new(Some(table()));
        let words = ["ship", "rudder"];
        // The second time everything is remembered.
        for _ in 0..2 {
            let seen = desk.seen(&words, "boats and trees");
            assert_eq!((seen.words, seen.likeness[0], seen.likeness[1]), (0, 180, 0));
            let seen = desk.seen(&words, "tree ships rudders");
            assert_eq!((seen.words, seen.likeness[0], seen.likeness[1]), (3, 255, 255));
            assert_eq!(desk.seen(&words, "rudders; ships, tree"), seen, "the order says nothing");
        }
        let seen = desk.seen(&["rudder", "ship"], "boats");
        assert_eq!((seen.words, seen.likeness[0], seen.likeness[1]), (0, 0, 180));
    }

    #[test]
    fn without_a_table_only_the_same_word_counts() {
        let seen = Desk::new(None).seen(&["ship", "boat"], "shipping of wood");
        assert_eq!((seen.words, seen.likeness[0], seen.likeness[1]), (1, 255, 0));
    }

    #[test]
    fn more_words_than_are_told_apart_do_no_harm() {
        let mut words: Vec<String> = (0..200).map(|i| format!("w{i}x")).collect();
        let desk = Desk::new(None);
        let seen = |words: &[String], text: &str| {
            desk.seen(&words.iter().map(String::as_str).collect::<Vec<_>>(), text)
        };
        assert_eq!(seen(&words, "w63x").words, 0);
        words[63] = "late".to_owned();
        assert_eq!(seen(&words, "late").words, 1 << 63);
    }
}

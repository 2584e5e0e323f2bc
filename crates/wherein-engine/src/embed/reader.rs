//! Texts → vectors of a table: which words of a text count, and how often.
//!
//! The one place that says so, for questions, passages and lines alike. Must not guess: a text without a single word
//! that the table knows as a whole has no vector, which is written as zeros.

use super::Role;
use super::bag::Bag;
use super::table::TermTable;
use super::words::Words;

/// Reads texts one after the other, always for the same table; keeps its buffers, so one per thread.
#[derive(Debug, Default)]
pub struct TableReader {
    words: Words,
    bag: Bag,
}

impl TableReader {
    /// The unit vector of a text; zeros where the table knows none of its words. The first line of a passage is its
    /// head, whose words count [`TermTable::head_weight`] times.
    pub fn vector(&mut self, table: &TermTable, role: Role, text: &str) -> Vec<f32> {
        let TableReader { words, bag } = self;
        bag.clear();
        let (head, rest) = match role {
            Role::Passage => text.split_once('\n').unwrap_or((text, "")),
            Role::Question => ("", text),
        };
        words.enter_text(table, head, table.head_weight(), bag);
        words.enter_text(table, rest, 1.0, bag);
        let mut sum = vec![0.0; table.dimensions()];
        known_sum(table, bag, &mut sum);
        sum
    }

    /// How many words a text has.
    pub fn n_words(&mut self, text: &str) -> usize {
        self.words.count(text)
    }
}

/// The unit vector of what was entered into `sum`, zeros where no word was known as a whole: pieces alone say too
/// little. Whether there is one. Empties the bag.
pub(crate) fn known_sum(table: &TermTable, bag: &mut Bag, sum: &mut [f32]) -> bool {
    if bag.n_known() > 0 && table.sum(bag, sum) {
        return true;
    }
    bag.clear();
    sum.fill(0.0);
    false
}

/// The product of two vectors, summed in sixteen fixed lanes: the same on every machine.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for (a, b) in a.chunks(16).zip(b.chunks(16)) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a * b;
        }
    }
    lanes.iter().sum()
}

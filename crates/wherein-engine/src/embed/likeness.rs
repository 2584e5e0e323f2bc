//! How like words of questions and words of texts are, each pair worked out once: questions of one tree share their words.
//!
//! Likeness is the cosine of two words' vectors in a table, in 255ths. Must give for a pair what it gave the first time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::bag::Bag;
use super::table::{TermTable, term_hash};

/// Words of texts in one block of a column.
const BLOCK: usize = 4096;
/// Blocks of a column: words with higher numbers are compared each time.
const BLOCKS: usize = 256;
/// What a column takes beside its blocks: its vector, the places of its blocks.
const COLUMN_BYTES: usize = 6144;

/// Columns by the word of a question.
#[derive(Debug)]
pub(crate) struct Likenesses {
    columns: Mutex<HashMap<u64, Kept>>,
    clock: AtomicU64,
    most_bytes: usize,
}

#[derive(Debug)]
struct Kept {
    column: Arc<Column>,
    used: u64,
}

/// How like one word of a question the words of texts are.
#[derive(Debug)]
pub(crate) struct Column {
    /// Zeros where the table knows nothing of it.
    pub(super) vector: Vec<f32>,
    /// One more than the likeness; 0 where it is not known.
    blocks: Vec<OnceLock<Box<[AtomicU8]>>>,
}

impl Likenesses {
    /// None yet, and never more than about `most_bytes`.
    pub(crate) fn new(most_bytes: usize) -> Likenesses {
        Likenesses { columns: Mutex::default(), clock: AtomicU64::new(0), most_bytes }
    }

    /// The columns of some words of a question, in their order; there are `n_words` words of texts.
    pub(super) fn columns(
        &self,
        table: &TermTable,
        words: &[String],
        n_words: usize,
    ) -> Vec<Arc<Column>> {
        let used = self.clock.fetch_add(1, Ordering::Relaxed);
        let mut columns = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        let found = words.iter().map(|word| {
            let new = || Kept { column: Arc::new(Column::new(table, word)), used };
            let kept = columns.entry(term_hash(word)).or_insert_with(new);
            kept.used = used;
            Arc::clone(&kept.column)
        });
        let found = found.collect();
        let most = self.most_bytes / column_bytes(n_words);
        if columns.len() > most {
            drop_oldest(&mut columns, most - most / 8);
        }
        found
    }

    /// Memory in use at most, where there are `n_words` words of texts.
    pub(crate) fn n_bytes(&self, n_words: usize) -> usize {
        let columns = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        columns.len() * column_bytes(n_words)
    }
}

fn column_bytes(n_words: usize) -> usize {
    COLUMN_BYTES + n_words.min(BLOCK * BLOCKS).next_multiple_of(BLOCK)
}

/// Keeps the `n` that were used last.
fn drop_oldest(columns: &mut HashMap<u64, Kept>, n: usize) {
    let mut used: Vec<u64> = columns.values().map(|kept| kept.used).collect();
    used.sort_unstable_by(|a, b| b.cmp(a));
    // Those of one question are as old as each other, and go together.
    let oldest = used.get(n).copied();
    columns.retain(|_, kept| oldest.is_none_or(|oldest| kept.used > oldest));
}

impl Column {
    fn new(table: &TermTable, word: &str) -> Column {
        let mut bag = Bag::default();
        table.enter(word, 1.0, &mut bag);
        let vector = table.vector(&mut bag).unwrap_or_else(|| vec![0.0; table.dimensions()]);
        Column { vector, blocks: (0..BLOCKS).map(|_| OnceLock::new()).collect() }
    }

    /// What is known of a word.
    pub(super) fn get(&self, number: u32) -> Option<u8> {
        let block = self.blocks.get(number as usize / BLOCK)?.get()?;
        block[number as usize % BLOCK].load(Ordering::Relaxed).checked_sub(1)
    }

    /// Keeps how like a word is.
    pub(super) fn set(&self, number: u32, like: u8) {
        // The most of all has no place left in a byte, and is as good as never met.
        if let (Some(block), Some(kept)) =
            (self.blocks.get(number as usize / BLOCK), like.checked_add(1))
        {
            let block = block.get_or_init(|| (0..BLOCK).map(|_| AtomicU8::new(0)).collect());
            block[number as usize % BLOCK].store(kept, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::TermTableBuilder;

    fn table() -> TermTable {
        let mut builder = TermTableBuilder::new(2, 1.0);
        builder.add(term_hash("ship"), 0.5, &[4, 0]);
        TermTable::open(builder.finish().unwrap()).unwrap()
    }

    #[test]
    fn every_likeness_is_kept_but_the_highest() {
        let column = Column::new(&table(), "ship");
        for like in 0..=u8::MAX {
            let number = u32::from(like) * 40_000;
            assert_eq!(column.get(number), None);
            column.set(number, like);
            let is_kept = like < u8::MAX && number < (BLOCK * BLOCKS) as u32;
            assert_eq!(column.get(number), is_kept.then_some(like), "{like}");
        }
    }

    #[test]
    fn columns_are_bounded_and_those_used_last_are_kept() {
        let (table, n_words) = (table(), 5000);
        let likenesses = Likenesses::new(20 * column_bytes(n_words));
        let ask = |word: &str| likenesses.columns(&table, &[word.to_owned()], n_words).remove(0);
        let first = ask("ship");
        for i in 0..500 {
            ask(&format!("word{i}"));
            assert!(Arc::ptr_eq(&first, &ask("ship")), "asked for all the time");
            assert!(likenesses.n_bytes(n_words) <= 20 * column_bytes(n_words));
        }
    }
}

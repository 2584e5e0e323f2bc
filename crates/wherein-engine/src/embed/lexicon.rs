//! The words that texts were found to have, each under a number, with what a table says of it: kept while an engine is
//! open, so that a text is read once and numbers are compared from then on.
//!
//! Numbers say nothing of their own: answers must not depend on who met a word first. Holds what the table said and nothing
//! else, so that sums are those of [`TermTable::enter`].

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard};

use super::bag::Bag;
use super::table::{TermTable, term_hash};
use super::words::{AsItIs, word_hash};
use crate::tokenize::Tokenizer;

/// Words that a reader remembers; others it looks up in the lexicon each time.
const MAX_REMEMBERED: usize = 1 << 16;
/// What a word takes beside its letters, its pieces and its vector: its entry, its place in the map, and so on.
const WORD_BYTES: usize = 120;

/// Words by number.
#[derive(Debug)]
pub(crate) struct Lexicon {
    all: RwLock<Entries>,
    most_bytes: usize,
    word_bytes: AtomicUsize,
    vector_bytes: AtomicUsize,
}

/// What the lexicon holds, as it is looked at.
#[derive(Debug, Default)]
pub(super) struct Entries {
    by_hash: HashMap<u64, u32, BuildHasherDefault<AsItIs>>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    hash: u64,
    term: Box<str>,
    rows: OnceLock<Rows>,
    vector: OnceLock<Option<Box<[f32]>>>,
}

/// Which rows of the table a word has.
#[derive(Debug)]
enum Rows {
    Whole(u32),
    Pieces(Box<[u32]>),
}

impl Lexicon {
    /// An empty one, which is full at about `most_bytes`.
    pub(crate) fn new(most_bytes: usize) -> Lexicon {
        let (word_bytes, vector_bytes) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Lexicon { all: RwLock::default(), most_bytes, word_bytes, vector_bytes }
    }

    /// Whether another should take its place.
    pub(crate) fn is_full(&self) -> bool {
        self.word_bytes.load(Ordering::Relaxed) > self.most_bytes / 2
    }

    /// Memory in use, about.
    pub(crate) fn n_bytes(&self) -> usize {
        self.word_bytes.load(Ordering::Relaxed) + self.vector_bytes.load(Ordering::Relaxed)
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.entries().len()
    }

    /// All words, as they are now.
    pub(super) fn entries(&self) -> RwLockReadGuard<'_, Entries> {
        self.all.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a term, which is entered where it is new.
    fn number(&self, term: &str) -> u32 {
        let hash = term_hash(term);
        if let Some(number) = self.entries().by_hash.get(&hash) {
            return *number;
        }
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        let next = all.entries.len() as u32;
        let number = *all.by_hash.entry(hash).or_insert(next);
        if number == next {
            let (rows, vector) = (OnceLock::new(), OnceLock::new());
            all.entries.push(Entry { hash, term: term.into(), rows, vector });
            self.word_bytes.fetch_add(WORD_BYTES + term.len(), Ordering::Relaxed);
        }
        number
    }

    /// Enters words into a bag, each as often as `weight` says.
    pub(crate) fn enter(&self, table: &TermTable, words: &[u32], weight: f32, bag: &mut Bag) {
        let all = self.entries();
        for entry in words.iter().filter_map(|number| all.entries.get(*number as usize)) {
            match entry.rows.get_or_init(|| self.rows(table, entry)) {
                Rows::Whole(row) => bag.enter_known(*row, weight),
                Rows::Pieces(rows) => {
                    let share = weight / rows.len() as f32;
                    rows.iter().for_each(|row| bag.enter_piece(*row, share));
                }
            }
        }
    }

    fn rows(&self, table: &TermTable, entry: &Entry) -> Rows {
        if let Some(row) = table.find(entry.hash) {
            return Rows::Whole(row);
        }
        let mut pieces = Vec::new();
        table.find_pieces(&entry.term, |row| pieces.push(row));
        self.word_bytes.fetch_add(4 * pieces.len(), Ordering::Relaxed);
        Rows::Pieces(pieces.into())
    }

    /// Gives `look` the unit vector of a word; `None` where the table knows nothing of it.
    pub(super) fn with_vector<T>(
        &self,
        table: &TermTable,
        (all, number): (&Entries, u32),
        look: impl FnOnce(Option<&[f32]>) -> T,
    ) -> T {
        let Some(entry) = all.entries.get(number as usize) else {
            return look(None);
        };
        if let Some(vector) = entry.vector.get() {
            return look(vector.as_deref());
        }
        let mut bag = Bag::default();
        table.enter(&entry.term, 1.0, &mut bag);
        let vector = table.vector(&mut bag);
        let n_bytes = 4 * table.dimensions();
        if self.vector_bytes.load(Ordering::Relaxed) + n_bytes > self.most_bytes / 2 {
            return look(vector.as_deref());
        }
        self.vector_bytes.fetch_add(n_bytes, Ordering::Relaxed);
        look(entry.vector.get_or_init(|| vector.map(Vec::into_boxed_slice)).as_deref())
    }
}

impl Entries {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The hash of a word's term.
    pub(super) fn hash(&self, number: u32) -> u64 {
        self.entries.get(number as usize).map_or(0, |entry| entry.hash)
    }
}

/// Reads texts as numbers of one lexicon; one per thread.
#[derive(Debug, Default)]
pub(crate) struct NumberReader {
    tokenizer: Tokenizer,
    /// By the word as it is before it is stemmed.
    known: HashMap<u64, u32, BuildHasherDefault<AsItIs>>,
}

impl NumberReader {
    /// Appends the words of a text, in order.
    pub(crate) fn read(&mut self, lexicon: &Lexicon, text: &str, numbers: &mut Vec<u32>) {
        let NumberReader { tokenizer, known } = self;
        tokenizer.words(text, |word| {
            let hash = word_hash(&word);
            let number = known.get(&hash).copied().unwrap_or_else(|| {
                let number = lexicon.number(word.term());
                if known.len() < MAX_REMEMBERED {
                    known.insert(hash, number);
                }
                number
            });
            numbers.push(number);
        });
    }
}

//! English stems with a memory: code repeats its words, so a lookup replaces most of the work.
//!
//! Must only be given folded ASCII words; other scripts pass by it.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use foldhash::fast::RandomState;
use rust_stemmers::{Algorithm, Stemmer as Snowball};

/// Words kept in the memory; past it new words are stemmed each time.
const MAX_REMEMBERED: usize = 1 << 16;
/// Words this short are names (`css`, `ids`) more often than inflected English.
const MIN_LETTERS: usize = 4;

/// The Snowball English stemmer (Porter 2) with a bounded memory.
pub(super) struct Stemmer {
    snowball: Snowball,
    /// Where each word's stem stands in `stems`.
    known: HashMap<Box<str>, Range<u32>, RandomState>,
    stems: String,
    last: String,
}

impl Default for Stemmer {
    fn default() -> Self {
        Stemmer {
            snowball: Snowball::create(Algorithm::English),
            known: HashMap::default(),
            stems: String::new(),
            last: String::new(),
        }
    }
}

impl fmt::Debug for Stemmer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stemmer").field("known", &self.known.len()).finish_non_exhaustive()
    }
}

impl Stemmer {
    /// The stem of a folded ASCII word.
    pub(super) fn stem<'a>(&'a mut self, word: &'a str) -> &'a str {
        if word.len() < MIN_LETTERS {
            return word;
        }
        if let Some(at) = self.known.get(word) {
            return &self.stems[at.start as usize..at.end as usize];
        }
        let stem = self.snowball.stem(word);
        if self.known.len() >= MAX_REMEMBERED {
            self.last.clear();
            self.last.push_str(&stem);
            return &self.last;
        }
        let start = self.stems.len();
        self.stems.push_str(&stem);
        self.known.insert(word.into(), start as u32..self.stems.len() as u32);
        &self.stems[start..]
    }
}

//! English stems with a memory: code repeats its words, so a lookup replaces most of the work.
//!
//! Must only be given folded ASCII words; other scripts pass by it.

use std::collections::HashMap;
use std::fmt;

use rust_stemmers::{Algorithm, Stemmer as Snowball};

/// Words kept in the memory; past it new words are stemmed each time.
const MAX_REMEMBERED: usize = 1 << 16;
/// Words this short are names (`css`, `ids`) more often than inflected English.
const MIN_LETTERS: usize = 4;

/// The Snowball English stemmer (Porter 2) with a bounded memory.
pub(super) struct Stemmer {
    snowball: Snowball,
    known: HashMap<Box<str>, Box<str>>,
    last: String,
}

impl Default for Stemmer {
    fn default() -> Self {
        Stemmer {
            snowball: Snowball::create(Algorithm::English),
            known: HashMap::new(),
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
        if !self.known.contains_key(word) {
            let stem = self.snowball.stem(word);
            if self.known.len() >= MAX_REMEMBERED {
                self.last.clear();
                self.last.push_str(&stem);
                return &self.last;
            }
            self.known.insert(word.into(), stem.into());
        }
        self.known.get(word).map_or(word, |stem| stem)
    }
}

//! Text → the sparse vectors of fastembed's `Qdrant/bm25`, index by index and value by value.
//!
//! A term's weight in a passage is here; how rare it is among all passages is the server's part (`server`), so a passage need not be
//! encoded again when others come. The algorithm is that of fastembed 0.9 (<https://github.com/qdrant/fastembed>), English, with its
//! defaults; the tests hold it to vectors that library made. Must not normalise, fold or split identifiers: what it does not do is as
//! much part of the format.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};

use super::{SparseVector, class, index_of, stop_words};

/// Changes whenever the vector of some text changes; part of a sparse identity. A new major version of the stemmer is such a change.
pub const BM25_VERSION: u32 = 1;

/// Longer words, counted in code points before stemming, are dropped: hashes and data.
const MAX_WORD_CHARS: usize = 40;

/// The constants of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) and the encoder that
/// uses them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bm25 {
    /// How slowly repeats of a term saturate, 0 and up: at 0 they add nothing.
    pub k: f64,
    /// How much the length of a passage counts, 0 (not at all) to 1.
    pub b: f64,
    /// The usual length of a passage, in terms, above 0. A guess that is fixed beforehand, not measured.
    pub average_length: f64,
}

impl Default for Bm25 {
    /// The constants of fastembed: 1.2, 0.75, 256.
    fn default() -> Self {
        Bm25 { k: 1.2, b: 0.75, average_length: 256.0 }
    }
}

impl Bm25 {
    /// The vector of what is searched: for each stem that occurs `n` times among `length` ones,
    /// `n · (k + 1) / (n + k · (1 − b + b · length / average_length))`. Empty where nothing but stop words and signs is in the text.
    pub fn passage(&self, text: &str) -> SparseVector {
        let stems = Stems::of(text);
        let length = stems.length as f64;
        let norm = self.k * (1.0 - self.b + self.b * length / self.average_length);
        let value = |n: u32| (f64::from(n) * (self.k + 1.0) / (f64::from(n) + norm)) as f32;
        // In the order in which stems were first seen: of two with one index the later counts, as in the original.
        let pairs = stems.counts.iter().map(|(index, n)| (*index, value(*n)));
        SparseVector::from_pairs(pairs.collect())
    }

    /// The vector of what is asked: 1.0 for each stem. It has the indices of [`Bm25::passage`] of the same text.
    pub fn question(&self, text: &str) -> SparseVector {
        let counts = Stems::of(text).counts;
        SparseVector::from_pairs(counts.into_iter().map(|(index, _)| (index, 1.0)).collect())
    }
}

/// What is counted of a text.
#[derive(Debug, Default)]
struct Stems {
    /// The index of each stem and how often it occurs, in the order in which they were first seen.
    counts: Vec<(u32, u32)>,
    /// All stems, repeats included.
    length: usize,
}

impl Stems {
    fn of(text: &str) -> Stems {
        let stemmer = Stemmer::create(Algorithm::English);
        let lower = lower_case(text);
        let mut stems = Stems::default();
        let mut of_words: HashMap<&str, Option<usize>, RandomState> = HashMap::default();
        let mut of_stems: HashMap<String, usize, RandomState> = HashMap::default();
        class::each_run(&lower, |word| {
            // Code repeats its words, and most of the time goes into stemming.
            let place = *of_words.entry(word).or_insert_with(|| {
                let stem = (!is_dropped(word)).then(|| stemmer.stem(word))?;
                (!stem.is_empty()).then(|| stems.place(stem.into_owned(), &mut of_stems))
            });
            if let Some(place) = place {
                stems.counts[place].1 += 1;
                stems.length += 1;
            }
        });
        stems
    }

    /// Where a stem is counted.
    fn place(&mut self, stem: String, of_stems: &mut HashMap<String, usize, RandomState>) -> usize {
        *of_stems.entry(stem).or_insert_with_key(|stem| {
            self.counts.push((index_of(stem), 0));
            self.counts.len() - 1
        })
    }
}

/// The words of `text` with blanks between, in lower case by the full rules of Unicode. Those rules look around a letter (a sigma at
/// the end of a word is another), so what is no word has to go before.
fn lower_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut words = String::with_capacity(text.len());
    class::each_run(text, |word| {
        words.push_str(word);
        words.push(' ');
    });
    words.to_lowercase()
}

fn is_dropped(word: &str) -> bool {
    word == "_" || stop_words::is_stop_word(word) || word.chars().nth(MAX_WORD_CHARS).is_some()
}

//! Pairs as numbers: what `fit` learns from, small enough for memory.
//!
//! A word that the table lacks is a number beyond its rows, which stands for the rows of its pieces. Must give the same
//! words as the product does.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wherein_engine::SourceReader;

use crate::manifest::{Manifest, Repository};
use crate::pair::{Pair, PairKind};
use crate::say;
use crate::vocabulary::{Vocabulary, pairs};

/// Lines of a window, as the product cuts them.
pub(crate) const WINDOW_LINES: usize = 5;
/// Windows of a pair at most.
const MAX_WINDOWS: usize = 9;
/// Words of a question at most.
const MAX_QUESTION: usize = 60;

/// All pairs, flat.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Corpus {
    pub(crate) n_rows: u32,
    pub(crate) languages: Vec<String>,
    pub(crate) repositories: Vec<String>,
    /// Whether a repository is kept out of training.
    pub(crate) development: Vec<bool>,
    /// The rows that each number from `n_rows` on stands for.
    pub(crate) composites: Vec<Vec<u32>>,
    pub(crate) pairs: Vec<About>,
    /// Where each list of words ends: question, head, then the windows, pair after pair.
    ends: Vec<u32>,
    words: Vec<u32>,
}

/// What is known of a pair.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct About {
    pub(crate) kind: PairKind,
    pub(crate) language: u16,
    pub(crate) repository: u16,
    /// Its first list.
    first: u32,
    pub(crate) n_windows: u16,
}

/// A row of the table and how much it counts.
pub(crate) type Weighted = (u32, f32);

impl Corpus {
    fn list(&self, at: u32) -> &[u32] {
        let at = at as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.words[start..self.ends[at] as usize]
    }

    pub(crate) fn question(&self, pair: usize) -> &[u32] {
        self.list(self.pairs[pair].first)
    }

    pub(crate) fn head(&self, pair: usize) -> &[u32] {
        self.list(self.pairs[pair].first + 1)
    }

    pub(crate) fn window(&self, pair: usize, idx: usize) -> &[u32] {
        self.list(self.pairs[pair].first + 2 + idx as u32)
    }

    /// Enters words into a bag, each `weight` times.
    pub(crate) fn enter(&self, words: &[u32], weight: f32, bag: &mut Vec<Weighted>) {
        for word in words {
            match word.checked_sub(self.n_rows) {
                None => bag.push((*word, weight)),
                Some(composite) => {
                    let rows = &self.composites[composite as usize];
                    let share = weight / rows.len() as f32;
                    bag.extend(rows.iter().map(|row| (*row, share)));
                }
            }
        }
    }
}

/// Reads what [`run`] wrote.
pub(crate) fn read(work: &Path) -> Result<Corpus> {
    let path = work.join("corpus.bin");
    let bytes = std::fs::read(&path)
        .with_context(|| format!("read {}; run: wherein-train vocabulary", path.display()))?;
    postcard::from_bytes(&bytes).with_context(|| format!("{} is damaged", path.display()))
}

/// Writes the pairs of all repositories as numbers.
pub(crate) fn run(manifest: &Manifest, work: &Path) -> Result<()> {
    let vocabulary = Vocabulary::read(work)?;
    let read: Result<Vec<Vec<Words>>> =
        manifest.repository.par_iter().map(|r| read_one(work, r, &vocabulary)).collect();
    let mut corpus = Corpus { n_rows: vocabulary.terms.len() as u32, ..Corpus::default() };
    let (mut languages, mut composites) = (HashMap::new(), HashMap::new());
    for (repository, pairs) in manifest.repository.iter().zip(read?) {
        let number = corpus.repositories.len() as u16;
        corpus.repositories.push(repository.name.clone());
        corpus.development.push(repository.development);
        for pair in pairs {
            add(&mut corpus, number, pair, &mut languages, &mut composites);
        }
    }
    say(&format!("{} pairs, {} words in them", corpus.pairs.len(), corpus.words.len()));
    std::fs::write(work.join("corpus.bin"), postcard::to_stdvec(&corpus)?)?;
    Ok(())
}

/// A word as a row, or as the rows of its pieces.
#[derive(Debug)]
enum Word {
    Known(u32),
    Composite(Vec<u32>),
}

/// The words of a pair.
struct Words {
    kind: PairKind,
    language: String,
    lists: Vec<Vec<Word>>,
}

fn read_one(work: &Path, repository: &Repository, vocabulary: &Vocabulary) -> Result<Vec<Words>> {
    let mut reader = SourceReader::default();
    let mut all = Vec::new();
    for pair in pairs(work, repository)? {
        let Pair { kind, language, question, head, text } = pair?;
        let mut list = |text: &str| {
            let mut words = Vec::new();
            reader.words(text, |word| match vocabulary.row(word) {
                Some(row) => words.push(Word::Known(row)),
                None => {
                    let rows = vocabulary.pieces(word);
                    if !rows.is_empty() {
                        words.push(Word::Composite(rows));
                    }
                }
            });
            words
        };
        let mut lists = vec![list(&question), list(&head)];
        let lines: Vec<&str> = text.lines().collect();
        let windows = lines.chunks(WINDOW_LINES).map(|window| list(&window.join("\n")));
        lists.extend(windows.filter(|words| !words.is_empty()).take(MAX_WINDOWS));
        let n_known = lists[0].iter().filter(|word| matches!(word, Word::Known(_))).count();
        let n_words: usize = lists[2..].iter().map(Vec::len).sum();
        if (2..=MAX_QUESTION).contains(&n_known) && n_words >= 4 {
            all.push(Words { kind, language, lists });
        }
    }
    Ok(all)
}

fn add(
    corpus: &mut Corpus,
    repository: u16,
    pair: Words,
    languages: &mut HashMap<String, u16>,
    composites: &mut HashMap<Vec<u32>, u32>,
) {
    let next = languages.len() as u16;
    let language = *languages.entry(pair.language.clone()).or_insert(next);
    if language == next {
        corpus.languages.push(pair.language);
    }
    let first = corpus.ends.len() as u32;
    let n_windows = (pair.lists.len() - 2) as u16;
    corpus.pairs.push(About { kind: pair.kind, language, repository, first, n_windows });
    for list in pair.lists {
        for word in list {
            let number = match word {
                Word::Known(row) => row,
                Word::Composite(rows) => {
                    let next = composites.len() as u32;
                    let number = *composites.entry(rows.clone()).or_insert(next);
                    if number == next {
                        corpus.composites.push(rows);
                    }
                    corpus.n_rows + number
                }
            };
            corpus.words.push(number);
        }
        corpus.ends.push(corpus.words.len() as u32);
    }
}

//! Pairs → the words and pieces of words that the table will have, by how widely they are used.
//!
//! Frequencies come from what is learned from, never from a suite: that flatters. Must not look at development
//! repositories either.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use wherein_engine::{SourceReader, piece_hash, pieces, spell, term_hash};

use crate::manifest::{Manifest, Repository};
use crate::mine;
use crate::pair::Pair;
use crate::say;

/// Words of the table at most.
const MAX_WORDS: usize = 42_000;
/// Pieces of words of the table at most.
const MAX_PIECES: usize = 8_000;
/// A word must stand in this many repositories …
const MIN_REPOSITORIES: u32 = 2;
/// … and in this many pairs.
const MIN_PAIRS: u32 = 6;
/// Longer words are data.
const MAX_WORD_BYTES: usize = 24;
/// A piece must stand in this many words that the table lacks.
const MIN_PIECE_WORDS: u32 = 12;

/// A row of the table before it has a vector.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    pub(crate) text: String,
    pub(crate) is_piece: bool,
    /// Occurrences in what is learned from.
    pub(crate) count: u64,
    /// How a stem is mostly spelled.
    pub(crate) form: String,
}

/// The rows of the table, by position.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    pub(crate) terms: Vec<Term>,
    rows: HashMap<u64, u32>,
}

impl Vocabulary {
    fn of(terms: Vec<Term>) -> Result<Vocabulary> {
        let mut rows = HashMap::new();
        for (term, row) in terms.iter().zip(0..) {
            ensure!(
                rows.insert(hash_of(term), row).is_none(),
                "two terms have one hash: {}",
                term.text
            );
        }
        Ok(Vocabulary { terms, rows })
    }

    /// Reads what [`run`] wrote.
    pub(crate) fn read(work: &Path) -> Result<Vocabulary> {
        let path = work.join("vocabulary.tsv");
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("read {}; run: wherein-train vocabulary", path.display()))?;
        let term = |line: &str| -> Option<Term> {
            let mut fields = line.split('\t');
            let (kind, text) = (fields.next()?, fields.next()?.to_owned());
            let (count, form) = (fields.next()?.parse().ok()?, fields.next()?.to_owned());
            Some(Term { text, is_piece: kind == "piece", count, form })
        };
        let terms: Option<Vec<Term>> = text.lines().map(term).collect();
        Vocabulary::of(terms.with_context(|| format!("{} is damaged", path.display()))?)
    }

    /// The row of a word.
    pub(crate) fn row(&self, word: &str) -> Option<u32> {
        self.rows.get(&term_hash(word)).copied()
    }

    /// The rows of the pieces of a word.
    pub(crate) fn pieces(&self, word: &str) -> Vec<u32> {
        let mut rows = Vec::new();
        pieces(word, |hash| rows.extend(self.rows.get(&hash)));
        rows
    }
}

/// The hash by which the table finds a term.
pub(crate) fn hash_of(term: &Term) -> u64 {
    match term.is_piece {
        true => piece_hash(&term.text),
        false => term_hash(&term.text),
    }
}

/// What is known of a word.
#[derive(Debug, Default)]
struct Seen {
    count: u64,
    n_pairs: u32,
    n_repositories: u32,
    forms: HashMap<Box<str>, u32>,
}

type Words = HashMap<Box<str>, Seen>;

/// Writes `vocabulary.tsv`: kind, term, count, spelling.
pub(crate) fn run(manifest: &Manifest, work: &Path) -> Result<()> {
    let learned: Vec<&Repository> = manifest.repository.iter().filter(|r| !r.development).collect();
    let parts: Result<Vec<Words>> = learned.par_iter().map(|r| words_of(work, r)).collect();
    let mut all = Words::new();
    for part in parts? {
        for (word, seen) in part {
            let entry = all.entry(word).or_default();
            entry.count += seen.count;
            entry.n_pairs += seen.n_pairs;
            entry.n_repositories += 1;
            for (form, n) in seen.forms {
                *entry.forms.entry(form).or_default() += n;
            }
        }
    }
    say(&format!("{} repositories, {} different words", learned.len(), all.len()));
    let terms = choose(&all);
    let n_pieces = terms.iter().filter(|term| term.is_piece).count();
    let known: u64 = terms.iter().filter(|term| !term.is_piece).map(|term| term.count).sum();
    let total: u64 = all.values().map(|seen| seen.count).sum();
    say(&format!(
        "{} words and {n_pieces} pieces; the words cover {:.2} % of {total} occurrences",
        terms.len() - n_pieces,
        known as f64 / total as f64 * 100.0
    ));
    write(work, &Vocabulary::of(terms)?)
}

fn words_of(work: &Path, repository: &Repository) -> Result<Words> {
    let mut words = Words::new();
    let mut reader = SourceReader::default();
    let mut in_pair: HashSet<Box<str>> = HashSet::new();
    for pair in pairs(work, repository)? {
        let pair = pair?;
        in_pair.clear();
        for text in [&pair.question, &pair.head, &pair.text] {
            reader.spelled_words(text, |word, spelled| {
                if word.len() > MAX_WORD_BYTES {
                    return;
                }
                let seen = words.entry(word.into()).or_default();
                seen.count += 1;
                if in_pair.insert(word.into()) {
                    seen.n_pairs += 1;
                }
                let form = spelled.to_lowercase();
                *seen.forms.entry(form.into()).or_default() += 1;
            });
        }
    }
    Ok(words)
}

/// The pairs of a repository, as they were mined.
pub(crate) fn pairs(
    work: &Path,
    repository: &Repository,
) -> Result<impl Iterator<Item = Result<Pair>> + use<>> {
    let path = mine::pairs_file(work, repository);
    let file = std::fs::File::open(&path)
        .with_context(|| format!("{} was not mined; run: wherein-train mine", repository.name))?;
    Ok(BufReader::new(file).lines().map(|line| Ok(serde_json::from_str(&line?)?)))
}

fn choose(all: &Words) -> Vec<Term> {
    let is_number = |word: &str| word.len() >= 3 && word.bytes().all(|b| b.is_ascii_digit());
    let mut words: Vec<(&str, &Seen)> = all
        .iter()
        .map(|(word, seen)| (&**word, seen))
        .filter(|(word, seen)| {
            seen.n_repositories >= MIN_REPOSITORIES && seen.n_pairs >= MIN_PAIRS && !is_number(word)
        })
        .collect();
    words.sort_by(|a, b| b.1.n_pairs.cmp(&a.1.n_pairs).then(a.0.cmp(b.0)));
    words.truncate(MAX_WORDS);
    let chosen: HashSet<&str> = words.iter().map(|(word, _)| *word).collect();
    let mut terms: Vec<Term> = words.iter().map(|(word, seen)| term(word, seen)).collect();
    terms.extend(choose_pieces(all, &chosen));
    terms
}

fn term(word: &str, seen: &Seen) -> Term {
    let form = seen.forms.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
    let form = form.map_or(word, |(form, _)| form);
    Term {
        text: word.to_owned(),
        is_piece: false,
        count: seen.count,
        form: form.replace(['\t', '\n'], " "),
    }
}

/// The pieces that most words have which are not chosen.
fn choose_pieces(all: &Words, chosen: &HashSet<&str>) -> Vec<Term> {
    let mut counts: HashMap<String, (u32, u64)> = HashMap::new();
    for (word, seen) in all.iter().filter(|(word, _)| !chosen.contains(&***word)) {
        // Of one place only: more often a slip or data than a word.
        if seen.n_pairs >= 2 {
            spell(word, |piece| {
                let entry = counts.entry(piece.to_owned()).or_default();
                entry.0 += 1;
                entry.1 += seen.count;
            });
        }
    }
    let mut pieces: Vec<(String, (u32, u64))> =
        counts.into_iter().filter(|(_, (n, _))| *n >= MIN_PIECE_WORDS).collect();
    pieces.sort_by(|a, b| b.1.0.cmp(&a.1.0).then(a.0.cmp(&b.0)));
    pieces.truncate(MAX_PIECES);
    let term = |(text, (_, count)): (String, (u32, u64))| {
        let form = text.trim_matches(['<', '>']).to_owned();
        Term { text, is_piece: true, count, form }
    };
    pieces.into_iter().map(term).collect()
}

fn write(work: &Path, vocabulary: &Vocabulary) -> Result<()> {
    let mut text = Vec::new();
    for term in &vocabulary.terms {
        let kind = if term.is_piece { "piece" } else { "word" };
        writeln!(text, "{kind}\t{}\t{}\t{}", term.text, term.count, term.form)?;
    }
    std::fs::write(work.join("vocabulary.tsv"), text)?;
    Ok(())
}

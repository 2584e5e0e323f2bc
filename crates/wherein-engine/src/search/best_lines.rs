//! The first candidates again, by their best few lines: what answers a question is often a few lines of a long chunk,
//! and the mean of all its words hides them.
//!
//! For models that are tables, which are quick enough to embed lines while somebody waits. A candidate that only words
//! proposed gets a meaning, too, so that both lists judge it. Files are read as they were indexed: one that changed
//! since keeps the score of its chunks. Must not depend on the number of threads.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::{Corpus, Meaning, symbols};
use crate::embed::{Bag, TermTable, Words, dot, head, known_sum};
use crate::error::Result;
use crate::model::{BestLines, Candidate};
use crate::scan::{self, Fingerprint, decode};

/// What the first candidates are compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stage<'a> {
    pub(super) corpus: Corpus<'a>,
    pub(super) table: &'a TermTable,
    pub(super) question: &'a [f32],
    pub(super) settings: BestLines,
}

/// A candidate that is scored again.
#[derive(Debug, Clone, Copy)]
struct Again {
    candidate: Candidate,
    /// Its cosine as a whole; `None` where only words proposed it.
    mean: Option<f32>,
}

impl<'a> Stage<'a> {
    /// The stage for a question; `None` where the model is no table or the settings ask for nothing.
    pub(super) fn of(
        corpus: Corpus<'a>,
        meaning: &'a Meaning<'_>,
        settings: BestLines,
    ) -> Option<Stage<'a>> {
        let asks = settings.mix != 0.0 && settings.n_candidates > 0;
        let table = meaning.table.filter(|_| asks)?;
        Some(Stage { corpus, table, question: &meaning.vector, settings })
    }

    /// The list by meaning with those of `first` scored again and in front; the others follow in their order. Those of
    /// `proposed` that it does not hold join it.
    pub(super) fn rescore(
        &self,
        list: &[Candidate],
        first: &[Candidate],
        proposed: &[Candidate],
    ) -> Result<Vec<Candidate>> {
        let again = gather(list, first, proposed);
        let of_files: Vec<&[Again]> =
            again.chunk_by(|a, b| a.candidate.file_idx == b.candidate.file_idx).collect();
        let readers = Readers::default();
        let scored: Result<Vec<Vec<Candidate>>> = of_files
            .into_par_iter()
            .with_max_len(1)
            .map(|of_file| readers.with(self.table, |reader| self.score(reader, of_file)))
            .collect();
        let mut scored: Vec<Candidate> = scored?.into_iter().flatten().collect();
        scored.sort_by(order);
        let done: HashSet<(u32, u32)> = scored.iter().map(key).collect();
        append(&mut scored, list.iter().filter(|candidate| !done.contains(&key(candidate))));
        Ok(scored)
    }

    /// The candidates of one file with their new scores.
    fn score(&self, reader: &mut Reader<'_>, of_file: &[Again]) -> Result<Vec<Candidate>> {
        let Some(first) = of_file.first() else {
            return Ok(Vec::new());
        };
        let file_idx = first.candidate.file_idx as usize;
        let Some(text) = indexed_text(self.corpus, file_idx) else {
            let kept = |again: &Again| Some(Candidate { score: again.mean?, ..again.candidate });
            return Ok(of_file.iter().filter_map(kept).collect());
        };
        let mut scored = Vec::with_capacity(of_file.len());
        let mut lines = Lines::new(&text);
        for Again { candidate, mean } in of_file {
            let own = lines.of(candidate);
            reader.begin(&self.head(candidate)?);
            // Without a single known word it is like nothing.
            let Some(mean) = mean.or_else(|| reader.cosine(self.question, own)) else {
                continue;
            };
            let windows = windows(own, self.settings.window_lines);
            let best = windows.filter_map(|window| reader.cosine(self.question, window));
            let best = best.max_by(f32::total_cmp).unwrap_or(mean);
            let score = (1.0 - self.settings.mix) * mean + self.settings.mix * best;
            scored.push(Candidate { score, ..*candidate });
        }
        Ok(scored)
    }

    /// Where a chunk stands and what it is, as its passage begins.
    fn head(&self, candidate: &Candidate) -> Result<String> {
        let generation = self.corpus.generation;
        let file_idx = candidate.file_idx as usize;
        let Some((entry, indexed)) = generation.source_file(file_idx) else {
            return Ok(String::new());
        };
        let lines = (candidate.start_line, candidate.end_line);
        let symbol = match symbols::of_chunk(generation, file_idx, lines)? {
            Some((table, rows)) => rows.first().map(|row| table.symbol(*row)).transpose()?,
            None => None,
        };
        Ok(head(&entry.path.text, generation.language(indexed), symbol.as_ref()))
    }
}

/// Finds lines of a text, for candidates in line order.
struct Lines<'t> {
    text: &'t str,
    /// Where the line of this number begins.
    at: usize,
    line: u32,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Lines<'t> {
        Lines { text, at: 0, line: 1 }
    }

    /// The lines of a candidate that begins no earlier than the one before it.
    fn of(&mut self, candidate: &Candidate) -> &'t str {
        let n_passed = candidate.start_line.saturating_sub(self.line);
        self.at += n_bytes_of(&self.text[self.at..], n_passed as usize);
        self.line += n_passed;
        let rest = &self.text[self.at..];
        &rest[..n_bytes_of(rest, (candidate.end_line + 1).saturating_sub(self.line) as usize)]
    }
}

/// Bytes of the first `n` lines, newlines included.
fn n_bytes_of(text: &str, n: usize) -> usize {
    match n {
        0 => 0,
        n => memchr::memchr_iter(b'\n', text.as_bytes()).nth(n - 1).map_or(text.len(), |at| at + 1),
    }
}

/// Runs of `n` lines, one after the other.
fn windows(text: &str, n: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (window, after) = rest.split_at(n_bytes_of(rest, n.max(1)));
        rest = after;
        (!window.is_empty()).then_some(window)
    })
}

/// Readers that no thread is using: each remembers the words that it has seen.
#[derive(Default)]
struct Readers<'a>(Mutex<Vec<Reader<'a>>>);

impl<'a> Readers<'a> {
    fn with<T>(&self, table: &'a TermTable, read: impl FnOnce(&mut Reader<'a>) -> T) -> T {
        let readers = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = readers().pop();
        let mut reader = idle.unwrap_or_else(|| Reader::new(table));
        let done = read(&mut reader);
        readers().push(reader);
        done
    }
}

/// Reads lines; one per thread.
struct Reader<'a> {
    table: &'a TermTable,
    words: Words,
    head: Bag,
    bag: Bag,
    sum: Vec<f32>,
}

impl<'a> Reader<'a> {
    fn new(table: &'a TermTable) -> Reader<'a> {
        Reader {
            table,
            words: Words::default(),
            head: Bag::default(),
            bag: Bag::default(),
            sum: vec![0.0; table.dimensions()],
        }
    }

    /// Begins a chunk: its head counts with each of its windows.
    fn begin(&mut self, head: &str) {
        self.head.clear();
        self.words.enter_text(self.table, head, self.table.head_weight(), &mut self.head);
    }

    /// The cosine of the question and some lines; `None` where no word of them is known.
    fn cosine(&mut self, question: &[f32], lines: &str) -> Option<f32> {
        self.bag.clear();
        self.words.enter_text(self.table, lines, 1.0, &mut self.bag);
        if self.bag.n_known() == 0 {
            return None;
        }
        self.bag.extend(&self.head);
        known_sum(self.table, &mut self.bag, &mut self.sum).then(|| dot(question, &self.sum))
    }
}

/// Each candidate of both lists once, by file and line.
fn gather(list: &[Candidate], first: &[Candidate], proposed: &[Candidate]) -> Vec<Again> {
    let means: std::collections::HashMap<(u32, u32), f32> =
        list.iter().map(|candidate| (key(candidate), candidate.score)).collect();
    // Of two copies the one of the keyword list stays, which knows its place in a segment.
    let again = |candidate: &Candidate| Again {
        candidate: *candidate,
        mean: means.get(&key(candidate)).copied(),
    };
    let mut all: Vec<Again> = proposed.iter().chain(first).map(again).collect();
    all.sort_by_key(|again| key(&again.candidate));
    all.dedup_by_key(|again| key(&again.candidate));
    all
}

/// Puts the rest of the list below what was scored again: its scores are of another making, so they are lowered as a
/// whole.
fn append<'c>(scored: &mut Vec<Candidate>, rest: impl Iterator<Item = &'c Candidate> + Clone) {
    let least = scored.last().map_or(f32::INFINITY, |candidate| candidate.score);
    let most = rest.clone().map(|candidate| candidate.score).fold(f32::NEG_INFINITY, f32::max);
    let lowered = (most - least).max(0.0);
    scored.extend(rest.map(|rest| Candidate { score: rest.score - lowered, ..*rest }));
}

fn order(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then_with(|| key(a).cmp(&key(b)))
}

/// Chunks of one file never begin on the same line; files are numbered in the order of their paths.
fn key(candidate: &Candidate) -> (u32, u32) {
    (candidate.file_idx, candidate.start_line)
}

/// The text of a file, where it looks as it did when it was indexed.
fn indexed_text(corpus: Corpus<'_>, file_idx: usize) -> Option<String> {
    let (entry, _) = corpus.generation.source_file(file_idx)?;
    let path = entry.path.under(corpus.root);
    if Fingerprint::of(&path.metadata().ok()?) != entry.fingerprint {
        return None;
    }
    let bytes = scan::read_regular(&path, entry.fingerprint.n_bytes).ok()?;
    match decode::decode(&bytes)? {
        std::borrow::Cow::Owned(text) => Some(text),
        std::borrow::Cow::Borrowed(text) if text.len() == bytes.len() => {
            String::from_utf8(bytes).ok()
        }
        std::borrow::Cow::Borrowed(text) => Some(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(start_line: u32, end_line: u32) -> Candidate {
        Candidate { file_idx: 0, start_line, end_line, score: 0.0, segment_idx: 0, doc: 0 }
    }

    #[test]
    fn lines_are_those_of_the_candidate() {
        let mut lines = Lines::new("one\ntwo\nthree\nfour\nfive");
        let chunks = [(1, 2), (2, 3), (2, 2), (4, 9), (5, 5), (7, 8)];
        let found = chunks.map(|(start, end)| lines.of(&candidate(start, end)));
        assert_eq!(found, ["one\ntwo\n", "two\nthree\n", "two\n", "four\nfive", "five", ""]);
    }

    #[test]
    fn windows_cover_every_line_once() {
        let text = "a\nb\n\nd\ne\nf\ng";
        assert_eq!(windows(text, 3).collect::<Vec<_>>(), ["a\nb\n\n", "d\ne\nf\n", "g"]);
        assert_eq!(windows(text, 0).count(), 7);
        assert_eq!(windows("", 5).count(), 0);
    }

    #[test]
    fn those_that_are_not_scored_again_lie_below_in_their_order() {
        let scored = |score: f32, start_line: u32| Candidate { score, ..candidate(start_line, 9) };
        let mut list = vec![scored(0.5, 1), scored(0.2, 2)];
        append(&mut list, [scored(0.6, 3), scored(0.1, 4)].iter());
        let scores: Vec<f32> = list.iter().map(|candidate| candidate.score).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        let mut low = vec![scored(0.9, 1)];
        append(&mut low, [scored(0.6, 3)].iter());
        assert_eq!(low[1].score, 0.6);
    }
}

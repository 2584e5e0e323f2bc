//! The lines of proposed chunks: what answers a question is often a few lines of a long chunk, and the mean of all its
//! words hides them.
//!
//! For the built-in model and for words alone, which are quick enough to read lines while somebody waits. Files are read
//! as they were indexed: one that changed since gives no lines. Must not depend on the number of threads.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::{Corpus, Meaning, symbols};
use crate::embed::{Asked, Bag, Seen, TermTable, Words, dot, head, known_sum};
use crate::error::Result;
use crate::model::{BestLines, Candidate};
use crate::scan::{self, Fingerprint, decode};
use crate::tokenize::Tokenizer;

/// What chunks are compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stage<'a> {
    pub(super) corpus: Corpus<'a>,
    /// The question's vector and what made it; words alone count without.
    pub(super) meaning: Option<(&'a TermTable, &'a [f32])>,
    /// The question's plain words.
    pub(super) words: &'a [&'a str],
    pub(super) settings: BestLines,
}

/// What the lines of a chunk say.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Lines {
    /// The cosine of the chunk as a whole; 0 where no word of it is known.
    pub(super) mean: f32,
    /// Runs of lines, in order.
    pub(super) windows: Vec<Window>,
}

/// A few lines of a chunk.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Window {
    /// `None` where no word of them is known.
    pub(super) cosine: Option<f32>,
    /// What they have of the question's words.
    pub(super) seen: Seen,
}

impl Lines {
    /// The cosines of the windows, best first.
    pub(super) fn cosines(&self) -> Vec<f32> {
        let mut cosines: Vec<f32> = self.windows.iter().filter_map(|w| w.cosine).collect();
        cosines.sort_by(|a, b| b.total_cmp(a));
        cosines
    }

    /// The cosine of the best window.
    pub(super) fn best(&self) -> f32 {
        let cosines = self.windows.iter().filter_map(|window| window.cosine);
        cosines.max_by(f32::total_cmp).unwrap_or(self.mean)
    }
}

impl<'a> Stage<'a> {
    /// The stage for a question by meaning; `None` where the model is no table or the settings ask for nothing.
    pub(super) fn of(
        corpus: Corpus<'a>,
        meaning: &'a Meaning<'_>,
        settings: BestLines,
    ) -> Option<Stage<'a>> {
        let asks = settings.mix != 0.0 && settings.n_candidates > 0;
        let table = meaning.table.filter(|_| asks)?;
        Some(Stage { corpus, meaning: Some((table, &meaning.vector)), words: &[], settings })
    }

    /// A list by meaning with its first `n` scored again by their best lines, and in front.
    pub(super) fn rescore(&self, list: &[Candidate], n: usize) -> Result<Vec<Candidate>> {
        let (first, rest) = list.split_at(n.min(list.len()));
        let means = first.iter().map(|candidate| (key(candidate), candidate.score)).collect();
        let mix = self.settings.mix;
        let score = |lines: Lines| (1.0 - mix) * lines.mean + mix * lines.best();
        let read = first.iter().zip(self.look(first, &means)?);
        let mut scored: Vec<Candidate> = read
            .map(|(candidate, lines)| {
                let score = lines.map_or(candidate.score, score);
                Candidate { score, ..*candidate }
            })
            .collect();
        scored.sort_by(order);
        append(&mut scored, rest.iter());
        Ok(scored)
    }

    /// What the lines of each candidate say, in their order; `None` for those whose file changed. `means` are known cosines
    /// of whole chunks.
    pub(super) fn look(
        &self,
        pool: &[Candidate],
        means: &HashMap<(u32, u32), f32>,
    ) -> Result<Vec<Option<Lines>>> {
        let mut by_file: Vec<usize> = (0..pool.len()).collect();
        by_file.sort_by_key(|at| key(&pool[*at]));
        let of_files: Vec<&[usize]> =
            by_file.chunk_by(|a, b| pool[*a].file_idx == pool[*b].file_idx).collect();
        let readers = Readers::default();
        let read: Result<Vec<Vec<(usize, Lines)>>> = of_files
            .into_par_iter()
            .with_max_len(1)
            .map(|of_file| readers.with(self, |reader| self.look_at(reader, pool, of_file, means)))
            .collect();
        let mut lines = vec![None; pool.len()];
        read?.into_iter().flatten().for_each(|(at, of_chunk)| lines[at] = Some(of_chunk));
        Ok(lines)
    }

    /// The lines of the candidates of one file, which are given by position in line order.
    fn look_at(
        &self,
        reader: &mut Reader<'_>,
        pool: &[Candidate],
        of_file: &[usize],
        means: &HashMap<(u32, u32), f32>,
    ) -> Result<Vec<(usize, Lines)>> {
        let file_idx = of_file.first().map(|at| pool[*at].file_idx as usize);
        let Some(text) = file_idx.and_then(|file_idx| indexed_text(self.corpus, file_idx)) else {
            return Ok(Vec::new());
        };
        let mut cutter = Cutter::new(&text);
        let mut all = Vec::with_capacity(of_file.len());
        for at in of_file {
            let candidate = &pool[*at];
            let own = cutter.of(candidate);
            if let Some((table, _)) = self.meaning {
                reader.begin(table, &head_of(self.corpus, candidate)?);
            }
            let windows = windows(own, self.settings.window_lines);
            let windows = windows.map(|lines| self.window(reader, lines)).collect();
            let mean = means.get(&key(candidate)).copied();
            let mean = mean.or_else(|| self.whole(reader)).unwrap_or(0.0);
            all.push((*at, Lines { mean, windows }));
        }
        Ok(all)
    }

    /// The cosine of the windows since the last head, all together.
    fn whole(&self, reader: &mut Reader<'_>) -> Option<f32> {
        self.meaning.and_then(|(table, question)| reader.whole(table, question))
    }

    fn window(&self, reader: &mut Reader<'_>, lines: &str) -> Window {
        match self.meaning {
            Some((table, question)) => reader.compare(table, question, lines),
            None => Window { cosine: None, seen: reader.see(lines) },
        }
    }
}

/// Where a chunk stands and what it is, as its passage begins.
pub(super) fn head_of(corpus: Corpus<'_>, candidate: &Candidate) -> Result<String> {
    let generation = corpus.generation;
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

/// Finds lines of a text, for candidates in line order.
struct Cutter<'t> {
    text: &'t str,
    /// Where the line of this number begins.
    at: usize,
    line: u32,
}

impl<'t> Cutter<'t> {
    fn new(text: &'t str) -> Cutter<'t> {
        Cutter { text, at: 0, line: 1 }
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
    fn with<T>(&self, stage: &Stage<'a>, read: impl FnOnce(&mut Reader<'a>) -> T) -> T {
        let readers = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = readers().pop();
        let mut reader = idle.unwrap_or_else(|| Reader::new(stage));
        let done = read(&mut reader);
        readers().push(reader);
        done
    }
}

/// Reads lines; one per thread.
struct Reader<'a> {
    tokenizer: Tokenizer,
    words: Words,
    asked: Asked<'a>,
    head: Bag,
    bag: Bag,
    /// All windows of the chunk, so that none is read twice.
    whole: Bag,
    sum: Vec<f32>,
}

impl<'a> Reader<'a> {
    fn new(stage: &Stage<'a>) -> Reader<'a> {
        let table = stage.meaning.map(|(table, _)| table);
        Reader {
            tokenizer: Tokenizer::default(),
            words: Words::default(),
            asked: Asked::new(table, stage.words.iter().copied()),
            head: Bag::default(),
            bag: Bag::default(),
            whole: Bag::default(),
            sum: vec![0.0; table.map_or(0, TermTable::dimensions)],
        }
    }

    /// Begins a chunk: its head counts with each of its windows.
    fn begin(&mut self, table: &TermTable, head: &str) {
        self.head.clear();
        self.whole.clear();
        self.words.enter_text(table, head, table.head_weight(), &mut self.head);
    }

    /// What some lines have of the question's words.
    fn see(&mut self, lines: &str) -> Seen {
        self.asked.look_at(&mut self.tokenizer, lines)
    }

    /// The same, with the cosine of the question and the lines.
    fn compare(&mut self, table: &TermTable, question: &[f32], lines: &str) -> Window {
        self.bag.clear();
        let seen = self.words.enter_asked(table, lines, &mut self.bag, &mut self.asked);
        self.whole.extend(&self.bag);
        if self.bag.n_known() == 0 {
            return Window { cosine: None, seen };
        }
        self.bag.extend(&self.head);
        let is_known = known_sum(table, &mut self.bag, &mut self.sum);
        Window { cosine: is_known.then(|| dot(question, &self.sum)), seen }
    }

    /// The cosine of the question and all windows since the last head; `None` where no word of them is known.
    fn whole(&mut self, table: &TermTable, question: &[f32]) -> Option<f32> {
        if self.whole.n_known() == 0 {
            return None;
        }
        self.whole.extend(&self.head);
        known_sum(table, &mut self.whole, &mut self.sum).then(|| dot(question, &self.sum))
    }
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
pub(super) fn key(candidate: &Candidate) -> (u32, u32) {
    (candidate.file_idx, candidate.start_line)
}

/// The text of a file, where it looks as it did when it was indexed.
pub(super) fn indexed_text(corpus: Corpus<'_>, file_idx: usize) -> Option<String> {
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
        let mut lines = Cutter::new("one\ntwo\nthree\nfour\nfive");
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

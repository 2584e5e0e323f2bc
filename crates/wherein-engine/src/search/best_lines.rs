//! The lines of proposed chunks: what answers a question is often a few lines of a long chunk, and the mean of all its
//! words hides them.
//!
//! For the built-in model and for words alone, which are quick enough to read lines while somebody waits. Files are read
//! as they were indexed: one that changed since gives no lines. Must not depend on the number of threads.

use std::sync::{Arc, OnceLock};

use foldhash::HashMap;

use super::memory::{FileMemory, Read, Text, Vectors};
use super::{Corpus, Meaning, symbols};
use crate::embed::{Asked, Bag, Seen, TermTable, dot, head, known_sum};
use crate::error::Result;
use crate::model::{BestLines, Candidate};
use crate::scan::{self, Fingerprint, decode};
use crate::store::content_hash;

/// What chunks are compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stage<'a> {
    pub(super) corpus: Corpus<'a>,
    /// The question's vector and what made it; words alone count without.
    pub(super) meaning: Option<(&'a TermTable, &'a [f32])>,
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
    /// The cosine of the second best window.
    pub(super) fn second(&self) -> f32 {
        let (mut best, mut second) = (None, None);
        for cosine in self.windows.iter().filter_map(|window| window.cosine) {
            let is_more =
                |than: Option<f32>| than.is_none_or(|than| cosine.total_cmp(&than).is_gt());
            if is_more(best) {
                (best, second) = (Some(cosine), best);
            } else if is_more(second) {
                second = Some(cosine);
            }
        }
        second.unwrap_or(self.mean)
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
        Some(Stage { corpus, meaning: Some((table, &meaning.vector)), settings })
    }

    /// A list by meaning with its first `n` scored again by their best lines, and in front.
    pub(super) fn rescore(&self, list: &[Candidate], n: usize) -> Result<Vec<Candidate>> {
        let (first, rest) = list.split_at(n.min(list.len()));
        let means = first.iter().map(|candidate| (key(candidate), candidate.score)).collect();
        let mix = self.settings.mix;
        let score = |lines: Lines| (1.0 - mix) * lines.mean + mix * lines.best();
        let mut asked = self.asked([].into_iter());
        let read = first.iter().zip(self.look(&mut asked, first, &means)?);
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

    /// The words of a question, which are the same for its lines and for names.
    pub(super) fn asked<'w>(&self, words: impl Iterator<Item = &'w str>) -> Asked<'a> {
        let epoch = self.corpus.epoch;
        let table = self.meaning.map(|(table, _)| table);
        Asked::new(&epoch.lexicon, &epoch.likenesses, table, words)
    }

    /// What the lines of each candidate say, in their order; `None` for those whose file changed. `means` are known cosines
    /// of whole chunks.
    pub(super) fn look(
        &self,
        asked: &mut Asked<'_>,
        pool: &[Candidate],
        means: &HashMap<(u32, u32), f32>,
    ) -> Result<Vec<Option<Lines>>> {
        let mean_of = |candidate: &Candidate| means.get(&key(candidate)).copied();
        let read = self.read_all(pool, &|candidate| mean_of(candidate).is_none())?;
        read.iter().flatten().for_each(|read| asked.meet(&read.words));
        asked.catch_up(self.corpus.crew);
        let lines = pool.iter().zip(&read).map(|(candidate, read)| {
            let read = read.as_deref()?;
            let windows = self.windows(asked, read);
            let mean = mean_of(candidate).or_else(|| self.whole(read)).unwrap_or(0.0);
            Some(Lines { mean, windows })
        });
        Ok(lines.collect())
    }

    fn windows(&self, asked: &Asked<'_>, read: &Read) -> Vec<Window> {
        let seen = read.runs().map(|run| asked.of(run));
        let vectors = self.meaning.zip(read.vectors.get());
        let Some(((table, question), vectors)) = vectors else {
            return seen.map(|seen| Window { cosine: None, seen }).collect();
        };
        let cosines = vectors.sums.chunks_exact(table.dimensions()).zip(&vectors.known);
        let cosines = cosines.map(|(vector, known)| known.then(|| dot(question, vector)));
        seen.zip(cosines).map(|(seen, cosine)| Window { cosine, seen }).collect()
    }

    /// The cosine of the question and all runs together; `None` where no word of them is known.
    fn whole(&self, read: &Read) -> Option<f32> {
        let (_, question) = self.meaning?;
        read.whole.get()?.as_deref().map(|whole| dot(question, whole))
    }

    /// Each candidate as it was read, in their order; `None` for those whose file changed.
    fn read_all(
        &self,
        pool: &[Candidate],
        needs_whole: &(dyn Fn(&Candidate) -> bool + Sync),
    ) -> Result<Vec<Option<Arc<Read>>>> {
        let mut by_file: Vec<usize> = (0..pool.len()).collect();
        by_file.sort_by_key(|at| key(&pool[*at]));
        let of_files = by_file.chunk_by(|a, b| pool[*a].file_idx == pool[*b].file_idx);
        let mut read = vec![None; pool.len()];
        let mut unknown: Vec<&[usize]> = Vec::new();
        for of_file in of_files {
            match self.recall(pool, of_file, needs_whole) {
                Some(known) => {
                    known.into_iter().zip(of_file).for_each(|(known, at)| read[*at] = Some(known));
                }
                None => unknown.push(of_file),
            }
        }
        let fresh = self.corpus.crew.map(&unknown, 2, |of_file| {
            let own: Vec<Candidate> = of_file.iter().map(|at| pool[*at]).collect();
            self.read(&own, needs_whole)
        });
        for (of_file, fresh) in unknown.into_iter().zip(fresh) {
            fresh?.into_iter().zip(of_file).for_each(|(fresh, at)| read[*at] = Some(fresh));
        }
        Ok(read)
    }

    /// Candidates of one file, given by position, where all that is needed of them is remembered.
    fn recall(
        &self,
        pool: &[Candidate],
        of_file: &[usize],
        needs_whole: &dyn Fn(&Candidate) -> bool,
    ) -> Option<Vec<Arc<Read>>> {
        let Corpus { generation, epoch, .. } = self.corpus;
        let file_idx = pool[*of_file.first()?].file_idx as usize;
        let file = epoch.files.file(generation, file_idx)?;
        file.text()?;
        if !looks_as_indexed(self.corpus, file_idx) {
            // Not worth another thread.
            return None;
        }
        let recall = |at: &usize| {
            let candidate = &pool[*at];
            let chunk = epoch.files.chunk(&file, (candidate.start_line, candidate.end_line));
            let read = chunk.read(self.settings.window_lines)?;
            let has_vectors = self.meaning.is_none() || read.vectors.get().is_some();
            let has_whole =
                self.meaning.is_none() || read.whole.get().is_some() || !needs_whole(candidate);
            (has_vectors && has_whole).then(|| Arc::clone(read))
        };
        of_file.iter().map(recall).collect()
    }

    /// Reads candidates of one file; none where it changed.
    fn read(
        &self,
        own: &[Candidate],
        needs_whole: &dyn Fn(&Candidate) -> bool,
    ) -> Result<Vec<Arc<Read>>> {
        let Corpus { generation, epoch, .. } = self.corpus;
        let Some(file_idx) = own.first().map(|candidate| candidate.file_idx as usize) else {
            return Ok(Vec::new());
        };
        let Some(file) = epoch.files.file(generation, file_idx) else {
            return Ok(Vec::new());
        };
        let Some((text, is_settled)) = indexed_text(self.corpus, file_idx) else {
            return Ok(Vec::new());
        };
        let read = |candidate: &Candidate| {
            let chunk = epoch.files.chunk(&file, (candidate.start_line, candidate.end_line));
            let remembered = || chunk.read(self.settings.window_lines).filter(|_| is_settled);
            let mut runs = None;
            let read = match remembered() {
                Some(known) => Arc::clone(known),
                None => {
                    let fresh = runs.insert(self.runs(candidate, &text));
                    Arc::new(fresh.without_repeats(self.settings.window_lines))
                }
            };
            if is_settled {
                epoch.files.keep_read(&file, &chunk, &read);
            }
            if let Some((table, _)) = self.meaning {
                let is_kept = remembered().is_some_and(|kept| Arc::ptr_eq(kept, &read));
                let counted = is_kept.then_some(&*file);
                let runs = || runs.unwrap_or_else(|| self.runs(candidate, &text));
                self.sum(table, &read, (candidate, needs_whole(candidate)), runs, counted)?;
            }
            Ok(read)
        };
        own.iter().map(read).collect()
    }

    /// The words of a candidate's lines.
    fn runs(&self, candidate: &Candidate, text: &Text) -> Runs {
        let epoch = self.corpus.epoch;
        let own = text.span(candidate.start_line, candidate.end_line);
        let mut runs = Runs::default();
        epoch.with_reader(|reader| {
            for lines in windows(own, self.settings.window_lines) {
                reader.read(&epoch.lexicon, lines, &mut runs.words);
                runs.ends.push(runs.words.len());
            }
        });
        runs
    }

    /// Works out the vectors of what was read; what they take is `counted` with their file where they are remembered.
    fn sum(
        &self,
        table: &TermTable,
        read: &Read,
        (candidate, needs_whole): (&Candidate, bool),
        runs: impl FnOnce() -> Runs,
        counted: Option<&FileMemory>,
    ) -> Result<()> {
        let lacks_whole = needs_whole && read.whole.get().is_none();
        if read.vectors.get().is_some() && !lacks_whole {
            return Ok(());
        }
        let epoch = self.corpus.epoch;
        let mut front = Bag::default();
        let [words] = epoch.numbers([&head_of(self.corpus, candidate)?]);
        epoch.lexicon.enter(table, &words, table.head_weight(), &mut front);
        let add = |run: &[u32], sum: &mut [f32]| self.add(table, &front, run, sum);
        let (dimensions, runs) = (table.dimensions(), runs());
        epoch.files.once(counted, &read.vectors, Vectors::n_bytes, || {
            let mut sums = vec![0.0; dimensions * runs.ends.len()];
            let places = sums.chunks_exact_mut(dimensions);
            let known = runs.each().zip(places).map(|(run, sum)| add(run, sum)).collect();
            Vectors { sums: sums.into(), known }
        });
        if lacks_whole {
            epoch.files.once(
                counted,
                &read.whole,
                |_| 4 * dimensions,
                || {
                    let mut whole = vec![0.0; dimensions];
                    add(&runs.words, &mut whole).then(|| whole.into_boxed_slice())
                },
            );
        }
        Ok(())
    }

    /// The unit vector of some words with what stands in front of them; whether one of them is known as a whole.
    fn add(&self, table: &TermTable, front: &Bag, words: &[u32], sum: &mut [f32]) -> bool {
        let mut bag = Bag::default();
        self.corpus.epoch.lexicon.enter(table, words, 1.0, &mut bag);
        if bag.n_known() == 0 {
            return false;
        }
        bag.extend(front);
        known_sum(table, &mut bag, sum)
    }
}

/// The words of runs of lines, repeats and all.
#[derive(Default)]
struct Runs {
    words: Vec<u32>,
    /// Where the words of each run end.
    ends: Vec<usize>,
}

impl Runs {
    /// The words of each run.
    fn each(&self) -> impl Iterator<Item = &[u32]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.words[start..*end])
    }

    /// What is remembered of them: for what a word has of a question once is enough.
    fn without_repeats(&self, window_lines: usize) -> Read {
        let (mut words, mut ends) = (Vec::new(), Vec::new());
        let mut run = Vec::new();
        for each in self.each() {
            run.extend_from_slice(each);
            run.sort_unstable();
            run.dedup();
            words.append(&mut run);
            ends.push(words.len() as u32);
        }
        let (vectors, whole) = (OnceLock::new(), OnceLock::new());
        Read { window_lines, words: words.into(), ends: ends.into(), vectors, whole }
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

/// Whether a file looks as it did when it was indexed.
fn looks_as_indexed(corpus: Corpus<'_>, file_idx: usize) -> bool {
    if corpus.generation.published.is_some() {
        return corpus.generation.text(file_idx).is_some();
    }
    let entry = corpus.generation.source_file(file_idx).map(|(entry, _)| entry);
    entry.is_some_and(|entry| {
        let metadata = entry.path.under(corpus.root).metadata();
        metadata.is_ok_and(|metadata| Fingerprint::of(&metadata) == entry.fingerprint)
    })
}

/// The text of a file, where it looks as it did when it was indexed, and whether it had settled: then it is remembered.
pub(super) fn indexed_text(corpus: Corpus<'_>, file_idx: usize) -> Option<(Arc<Text>, bool)> {
    let now = scan::now_ns();
    if !looks_as_indexed(corpus, file_idx) {
        return None;
    }
    let file = corpus.epoch.files.file(corpus.generation, file_idx)?;
    if let Some(known) = file.text() {
        return Some((Arc::clone(known), true));
    }
    if let Some(text) = corpus.generation.text(file_idx) {
        let text = Arc::new(Text::new(text.to_owned()));
        corpus.epoch.files.keep_text(&file, &text);
        return Some((text, true));
    }
    let (entry, _) = corpus.generation.source_file(file_idx)?;
    let bytes =
        scan::read_regular(&entry.path.under(corpus.root), entry.fingerprint.n_bytes).ok()?;
    let text = match decode::decode(&bytes)? {
        std::borrow::Cow::Owned(text) => text,
        std::borrow::Cow::Borrowed(text) if text.len() == bytes.len() => {
            String::from_utf8(bytes).ok()?
        }
        std::borrow::Cow::Borrowed(text) => text.to_owned(),
    };
    let text = Arc::new(Text::new(text));
    let is_settled = entry.fingerprint.is_settled(now);
    if is_settled {
        corpus.epoch.files.keep_text(&file, &text);
    }
    Some((text, is_settled))
}

/// The text of a file as it was indexed, for who keeps it elsewhere; `None` where the file has another content by now.
pub(crate) fn indexed_text_of(corpus: Corpus<'_>, file_idx: usize) -> Option<String> {
    let (entry, _) = corpus.generation.source_file(file_idx)?;
    let limit = entry.fingerprint.n_bytes;
    let bytes = scan::read_regular(&entry.path.under(corpus.root), limit).ok()?;
    let is_same = content_hash(&bytes) == entry.hash;
    is_same.then(|| decode::decode(&bytes).map(std::borrow::Cow::into_owned)).flatten()
}

/// The text of a file as it is now; `None` where it cannot be read.
pub(super) fn text_now(corpus: Corpus<'_>, file_idx: usize) -> Option<Arc<Text>> {
    let file = corpus.epoch.files.file(corpus.generation, file_idx);
    let known = file.as_ref().and_then(|file| file.text());
    match known.filter(|_| looks_as_indexed(corpus, file_idx)) {
        Some(known) => Some(Arc::clone(known)),
        None => super::read_text(corpus, file_idx).map(|text| Arc::new(Text::new(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(start_line: u32, end_line: u32) -> Candidate {
        Candidate { file_idx: 0, start_line, end_line, score: 0.0, segment_idx: 0, doc: 0 }
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

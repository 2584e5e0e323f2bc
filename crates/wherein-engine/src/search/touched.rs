//! The first places of a proposal again, compared by a model that is too slow for a whole tree: only what a question
//! touches is embedded, and once.
//!
//! A long place is cut into parts on a grid of its own lines, so that no part depends on the question; the best part
//! counts. How much is compared follows from the texts alone: what earlier questions had embedded changes how long an
//! answer takes, never the answer. Time is a safety net, and where it runs out the answer says so. Must not compare a
//! file that changed since it was indexed, and must not depend on the number of threads.

use std::time::{Duration, Instant};

use super::best_lines::{head_of, indexed_text};
use super::rank::Ranked;
use super::{Corpus, coverage};
use crate::embed::{Embedder, Embeddings, Role, VectorCache, dot};
use crate::error::{Error, ErrorKind, Result};
use crate::model::{Candidate, Touched};
use crate::request::{Cancel, Reranked};

/// Bytes of a part that are read at most: one line may be a whole bundle.
const MAX_PART_BYTES: usize = 4096;
/// Bytes of code that a token has, about.
const TOKEN_BYTES: usize = 3;

/// A model that compares the first places again, with a question.
#[derive(Debug)]
pub(crate) struct Reranker<'a> {
    pub(crate) model: &'a dyn Embedder,
    pub(crate) cache: &'a VectorCache,
    /// The question's vector.
    pub(crate) question: Vec<f32>,
    pub(crate) settings: Touched,
    /// How long it may go on embedding.
    pub(crate) within: Option<Duration>,
    /// Who may end it before that.
    pub(crate) cancel: Option<Cancel>,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) reranked: Option<Reranked>,
    /// What could not be done, in words.
    pub(super) degraded: Option<String>,
}

/// Places beside the question, in their order.
#[derive(Debug, Default)]
struct Compared {
    /// The likeness of the best part of each place; `None` where its file changed, where it lies beyond the tokens, or
    /// where time was up.
    similarities: Vec<Option<f32>>,
    /// Places that lie within the tokens.
    n_within: usize,
    /// Places without all their vectors because time was up.
    n_late: usize,
    n_embedded: u64,
    n_cached: u64,
}

/// The position of a place and its parts.
type Parts = (usize, Vec<String>);

/// How many places have to be proposed for `limit` of them to be shown.
pub(super) fn depth(reranker: Option<&Reranker<'_>>, limit: usize) -> usize {
    reranker.map_or(limit, |reranker| limit.max(reranker.settings.n_places))
}

/// Orders the first of `ranked` by likeness and proposal together. Trouble with the cache leaves the proposal as it is.
pub(super) fn rerank(
    corpus: Corpus<'_>,
    reranker: Option<&Reranker<'_>>,
    ranked: &mut [Ranked],
) -> Result<Outcome> {
    let Some(reranker) = reranker else {
        return Ok(Outcome::default());
    };
    match reranker.order(corpus, ranked) {
        Err(error) if matches!(error.kind(), ErrorKind::Io | ErrorKind::Busy) => {
            Ok(Outcome { degraded: Some(reranker.lacking(&error)), ..Outcome::default() })
        }
        outcome => outcome,
    }
}

impl Reranker<'_> {
    /// What is said where places cannot be compared.
    fn lacking(&self, error: &Error) -> String {
        format!("not compared with {}: {error}", self.model.identity().name)
    }

    fn order(&self, corpus: Corpus<'_>, ranked: &mut [Ranked]) -> Result<Outcome> {
        let n = ranked.len().min(self.settings.n_places);
        let places: Vec<Candidate> = ranked[..n].iter().map(|ranked| ranked.candidate).collect();
        let compared = self.compare(corpus, &places)?;
        let manifest = &corpus.generation.manifest;
        let model = self.model.identity();
        let n_vectors = coverage::count(self.cache, model, corpus.root, manifest)?;
        // Nothing fails from here on: an order is new as a whole, or that of the proposal.
        blend(ranked, &compared, self.settings.weight);
        let late = (compared.n_late > 0).then(|| {
            let (n_late, n) = (compared.n_late, compared.n_within);
            let name = &model.name;
            format!("{n_late} of {n} places could not be compared with {name} in time; ask again")
        });
        let reranked = Reranked {
            model: model.name.clone(),
            n_places: compared.similarities.iter().flatten().count() as u64,
            n_embedded: compared.n_embedded,
            n_cached: compared.n_cached,
            n_vectors,
            n_chunks: corpus.generation.n_chunks,
        };
        Ok(Outcome { reranked: Some(reranked), degraded: late })
    }

    /// Compares places, best proposal first, with the question; what has no vector yet is embedded and kept.
    fn compare(&self, corpus: Corpus<'_>, places: &[Candidate]) -> Result<Compared> {
        let mut parts = self.read(corpus, places)?;
        let n_within = self.n_within(&parts);
        parts.truncate(n_within);
        let texts: Vec<&str> = parts.iter().flatten().flatten().map(String::as_str).collect();
        let started = Instant::now();
        let mut go_on = |_| {
            let is_wished = self.cancel.as_ref().is_none_or(|cancel| !cancel.is_cancelled());
            is_wished && self.within.is_none_or(|within| started.elapsed() < within)
        };
        let embeddings = Embeddings { model: self.model, cache: Some(self.cache) };
        let embedded = embeddings.embed_apart(Role::Passage, &texts, &mut go_on)?;
        let mut vectors = embedded.vectors.into_iter();
        let mut compared = Compared {
            n_within,
            n_embedded: embedded.n_embedded,
            n_cached: embedded.n_cached,
            ..Compared::default()
        };
        let mut whole = Vec::new();
        for (place, parts) in places.iter().zip(&parts) {
            let n_parts = parts.as_ref().map_or(0, Vec::len);
            let own: Vec<Option<Vec<f32>>> = vectors.by_ref().take(n_parts).collect();
            let is_whole = own.iter().all(Option::is_some);
            // A part alone is no measure of the place: the one that is missing may be the better one.
            let best = own.iter().flatten().map(|vector| cosine(&self.question, vector));
            compared.similarities.push(best.max_by(f32::total_cmp).filter(|_| is_whole));
            compared.n_late += usize::from(!is_whole);
            whole.extend((is_whole && n_parts > 0).then_some(*place));
        }
        compared.similarities.resize(places.len(), None);
        coverage::note(self.cache, self.model.identity(), corpus, &whole)?;
        Ok(compared)
    }

    /// How many of the first places are compared, by what their texts take.
    fn n_within(&self, parts: &[Option<Vec<String>>]) -> usize {
        let most = self.model.identity().max_tokens as usize;
        let n_tokens = |text: &String| (text.len() / TOKEN_BYTES + 1).min(most);
        let mut left = self.settings.n_tokens;
        let fits = |parts: &&Option<Vec<String>>| {
            let n: usize = parts.iter().flatten().map(n_tokens).sum();
            let fits = n <= left;
            left = left.saturating_sub(n);
            fits
        };
        // What one place takes alone is bounded by the size of a chunk.
        parts.iter().take_while(fits_after_first(fits)).count()
    }

    /// The parts of each place; `None` for those of files that changed.
    fn read(&self, corpus: Corpus<'_>, places: &[Candidate]) -> Result<Vec<Option<Vec<String>>>> {
        let mut by_file: Vec<usize> = (0..places.len()).collect();
        by_file.sort_by_key(|idx| places[*idx].file_idx);
        let of_files: Vec<&[usize]> =
            by_file.chunk_by(|a, b| places[*a].file_idx == places[*b].file_idx).collect();
        let read = corpus.crew.map(&of_files, 2, |of_file| self.read_file(corpus, places, of_file));
        let read: Result<Vec<Vec<Parts>>> = read.into_iter().collect();
        let mut parts = vec![None; places.len()];
        for (idx, of_place) in read?.into_iter().flatten() {
            parts[idx] = Some(of_place);
        }
        Ok(parts)
    }

    /// The parts of the places of one file, by position; none where it changed.
    fn read_file(
        &self,
        corpus: Corpus<'_>,
        places: &[Candidate],
        of_file: &[usize],
    ) -> Result<Vec<Parts>> {
        let file_idx = of_file.first().map(|idx| places[*idx].file_idx as usize);
        let Some((text, _)) = file_idx.and_then(|file_idx| indexed_text(corpus, file_idx)) else {
            return Ok(Vec::new());
        };
        let parts = |idx: &usize| {
            let place = &places[*idx];
            let lines: Vec<&str> =
                text.lines(place.start_line, place.end_line).map(|(_, line)| line).collect();
            let head = head_of(corpus, place)?;
            let parts = cut(&lines, self.settings.half_lines as usize);
            Ok((*idx, parts.map(|part| passage(&head, &part)).collect()))
        };
        of_file.iter().map(parts).collect()
    }
}

/// Lets the first one through, whatever it takes.
fn fits_after_first<T>(mut fits: impl FnMut(&T) -> bool) -> impl FnMut(&T) -> bool {
    let mut is_first = true;
    move |item| fits(item) | std::mem::take(&mut is_first)
}

/// Lines in equal pieces of at most `most` lines; blank pieces are left out.
fn cut<'l>(lines: &'l [&str], most: usize) -> impl Iterator<Item = String> + 'l {
    let n = lines.len().div_ceil(most.max(1));
    let piece = move |i: usize| lines[i * lines.len() / n..(i + 1) * lines.len() / n].join("\n");
    (0..n).map(piece).filter(|piece| !piece.trim().is_empty())
}

/// The text that the model is given for a part, as for a chunk: its head, then its lines.
fn passage(head: &str, lines: &str) -> String {
    let mut text = format!("{head}\n{lines}");
    text.truncate(text.floor_char_boundary(MAX_PART_BYTES));
    text
}

/// Whatever lengths the vectors have: not every model gives unit vectors.
fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths > 0.0 { dot(a, b) / lengths } else { 0.0 }
}

/// Gives the compared places their new scores and order; the others follow in theirs, below.
fn blend(ranked: &mut [Ranked], compared: &Compared, weight: f32) {
    let n = compared.n_within.min(ranked.len());
    let (first, rest) = ranked.split_at_mut(n);
    let similarities = &compared.similarities[..n];
    let known: Vec<f32> = similarities.iter().flatten().copied().collect();
    if known.is_empty() {
        return;
    }
    let likeness = Range::of(known.iter().copied());
    let proposal = Range::of(first.iter().map(|ranked| ranked.hit.score));
    // What could not be compared is neither like the question nor unlike it.
    let neutral = known.iter().map(|s| likeness.stretch(*s)).sum::<f32>() / known.len() as f32;
    for (Ranked { hit, likeness_rank, .. }, similarity) in first.iter_mut().zip(similarities) {
        let alike = similarity.map_or(neutral, |similarity| likeness.stretch(similarity));
        hit.score = weight * alike + (1.0 - weight) * proposal.stretch(hit.score);
        if let Some(similarity) = similarity {
            hit.parts.boosts.insert("similarity", *similarity);
            let n_liker = known.iter().filter(|known| *known > similarity).count();
            *likeness_rank = u32::try_from(n_liker + 1).ok();
        }
    }
    // Equals stay in the order of the proposal, which ends ties by path and line.
    first.sort_by(|a, b| b.hit.score.total_cmp(&a.hit.score));
    let least = first.last().map_or(0.0, |ranked| ranked.hit.score);
    let most = rest.first().map_or(0.0, |ranked| ranked.hit.score);
    let lowered = (most - least).max(0.0);
    // A difference of floats may end a hair above.
    rest.iter_mut().for_each(|ranked| ranked.hit.score = (ranked.hit.score - lowered).min(least));
}

/// The numbers between which some lie.
#[derive(Debug, Clone, Copy)]
struct Range {
    least: f32,
    most: f32,
}

impl Range {
    fn of(numbers: impl Iterator<Item = f32> + Clone) -> Range {
        Range {
            least: numbers.clone().fold(f32::INFINITY, f32::min),
            most: numbers.fold(f32::NEG_INFINITY, f32::max),
        }
    }

    /// 0 for the least, 1 for the most; 1 for all where they are equal.
    fn stretch(self, number: f32) -> f32 {
        let range = self.most - self.least;
        if range > 0.0 { (number - self.least) / range } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_equal_cover_every_line_and_know_nothing_of_a_question() {
        let text: Vec<String> = (0..97).map(|i| format!("line {i}")).collect();
        let lines: Vec<&str> = text.iter().map(String::as_str).collect();
        for n in 0..lines.len() {
            let parts: Vec<String> = cut(&lines[..n], 20).collect();
            let sizes: Vec<usize> = parts.iter().map(|part| part.lines().count()).collect();
            let (least, most) = (sizes.iter().min(), sizes.iter().max());
            assert!(
                most.is_none_or(|most| *most <= 20 && *most <= least.unwrap() + 1),
                "{sizes:?}"
            );
            let joined = parts.join("\n");
            assert_eq!(joined, lines[..n].join("\n"));
        }
        assert_eq!(cut(&["a", "", " ", "b"], 1).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(cut(&lines, 0).count(), 97);
    }

    #[test]
    fn a_part_is_no_longer_than_what_a_model_reads() {
        assert_eq!(passage("a.rs", "fn a() {}"), "a.rs\nfn a() {}");
        assert!(passage("a.js", &"ü".repeat(1 << 20)).len() <= MAX_PART_BYTES);
    }

    #[test]
    fn scores_are_stretched_and_likeness_has_any_length() {
        let range = Range::of([2.0, 6.0, 4.0].into_iter());
        assert_eq!([2.0, 4.0, 6.0].map(|n| range.stretch(n)), [0.0, 0.5, 1.0]);
        assert_eq!(Range::of([3.0].into_iter()).stretch(3.0), 1.0);
        assert!((cosine(&[2.0, 0.0], &[5.0, 0.0]) - 1.0).abs() < 1e-6);
        assert_eq!(cosine(&[0.0, 0.0], &[5.0, 0.0]), 0.0);
    }
}

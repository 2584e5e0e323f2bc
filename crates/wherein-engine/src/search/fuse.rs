//! Two lists of candidates → one, with the place and score that each list gave kept.
//!
//! Reciprocal rank fusion looks at places only: a score of BM25 and a cosine do not lie on one scale (Cormack,
//! Clarke & Buettcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods", SIGIR
//! 2009). Min–max stretches each list's scores to 0..1 first, which keeps how far apart they are. Must not know
//! what a candidate holds.

use foldhash::{HashMap, HashSet, HashSetExt};

use crate::model::{Candidate, Fusion, FusionMethod};

/// Places beyond this one are not looked up.
pub(super) const DEEPEST: usize = 1000;

/// What the retrievers proposed, each list best first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lists<'a> {
    pub(super) by_words: &'a [Candidate],
    pub(super) by_meaning: &'a [Candidate],
}

/// The place and score that one list gave, the place 1-based.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placed {
    pub(super) rank: u32,
    pub(super) score: f32,
}

/// A candidate of either list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fused {
    pub(super) candidate: Candidate,
    pub(super) by_words: Option<Placed>,
    pub(super) by_meaning: Option<Placed>,
    pub(super) score: f32,
}

impl Fused {
    /// A candidate of a list that stands alone, at its own score.
    pub(super) fn alone(candidate: &Candidate, placed: Placed, by_meaning: bool) -> Fused {
        Fused {
            candidate: *candidate,
            by_words: (!by_meaning).then_some(placed),
            by_meaning: by_meaning.then_some(placed),
            score: candidate.score,
        }
    }
}

/// Both lists as one, best first. Only the first `depth` of each list give a score; what lies beyond follows in the
/// order of the keyword list, then of the other, so that a larger limit never changes what comes first.
pub(super) fn fuse(lists: &Lists<'_>, fusion: &Fusion) -> Vec<Fused> {
    let mut all = union(lists, fusion.depth);
    let words = Scale::of(lists.by_words, fusion.depth);
    let meaning = Scale::of(lists.by_meaning, fusion.depth);
    let is_in = |placed: &Placed| placed.rank as usize <= fusion.depth;
    let value = |placed: Option<Placed>, scale: Scale| {
        placed.filter(is_in).map_or(0.0, |placed| match fusion.method {
            FusionMethod::Rrf | FusionMethod::Server => 1.0 / (fusion.k + placed.rank as f32),
            FusionMethod::MinMax => scale.stretch(placed.score),
        })
    };
    for fused in &mut all {
        fused.score = fusion.keyword_weight * value(fused.by_words, words)
            + fusion.semantic_weight * value(fused.by_meaning, meaning);
    }
    let n_fused =
        all.iter().take_while(|f| [f.by_words, f.by_meaning].iter().flatten().any(is_in)).count();
    all[..n_fused].sort_by(order);
    all
}

pub(super) fn order(a: &Fused, b: &Fused) -> std::cmp::Ordering {
    b.score
        .total_cmp(&a.score)
        .then(a.candidate.file_idx.cmp(&b.candidate.file_idx))
        .then(a.candidate.start_line.cmp(&b.candidate.start_line))
}

/// Every candidate of either list with its places in both, those among the first `depth` of one of them first.
fn union(lists: &Lists<'_>, depth: usize) -> Vec<Fused> {
    let cut = |list: &[Candidate]| list.len().min(depth);
    let (words, more_words) = lists.by_words.split_at(cut(lists.by_words));
    let (meaning, more_meaning) = lists.by_meaning.split_at(cut(lists.by_meaning));
    let mut seen = HashSet::new();
    let all = words.iter().chain(meaning).chain(more_words).chain(more_meaning);
    let once: Vec<Candidate> = all.filter(|c| seen.insert(key(c))).copied().collect();
    let places = Places::of(lists);
    let fused = |candidate: Candidate| {
        let (by_words, by_meaning) = places.find(&candidate);
        Fused { candidate, by_words, by_meaning, score: 0.0 }
    };
    once.into_iter().map(fused).collect()
}

/// The place and score of each candidate in either list.
#[derive(Debug)]
pub(super) struct Places {
    by_words: HashMap<(u32, u32), Placed>,
    by_meaning: HashMap<(u32, u32), Placed>,
}

impl Places {
    /// Both lists by candidate.
    pub(super) fn of(lists: &Lists<'_>) -> Places {
        let placed = |list: &[Candidate]| {
            let of = |(candidate, rank): (&Candidate, u32)| {
                (key(candidate), Placed { rank, score: candidate.score })
            };
            list.iter().take(DEEPEST).zip(1..).map(of).collect()
        };
        Places { by_words: placed(lists.by_words), by_meaning: placed(lists.by_meaning) }
    }

    /// Its place by words and its place by meaning.
    pub(super) fn find(&self, candidate: &Candidate) -> (Option<Placed>, Option<Placed>) {
        let key = key(candidate);
        (self.by_words.get(&key).copied(), self.by_meaning.get(&key).copied())
    }
}

/// Chunks of one file never begin on the same line.
fn key(candidate: &Candidate) -> (u32, u32) {
    (candidate.file_idx, candidate.start_line)
}

/// The scores between which one list's first candidates lie.
#[derive(Debug, Clone, Copy)]
struct Scale {
    least: f32,
    most: f32,
}

impl Scale {
    fn of(list: &[Candidate], depth: usize) -> Scale {
        let scores = || list.iter().take(depth).map(|candidate| candidate.score);
        Scale {
            least: scores().fold(f32::INFINITY, f32::min),
            most: scores().fold(f32::NEG_INFINITY, f32::max),
        }
    }

    /// 0 for the least, 1 for the most; 1 for all where they are equal.
    fn stretch(self, score: f32) -> f32 {
        let range = self.most - self.least;
        if range > 0.0 { (score - self.least) / range } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(scored: &[(u32, f32)]) -> Vec<Candidate> {
        let candidate = |(file_idx, score): &(u32, f32)| Candidate {
            file_idx: *file_idx,
            start_line: 1,
            end_line: 9,
            score: *score,
            segment_idx: 0,
            doc: 0,
        };
        scored.iter().map(candidate).collect()
    }

    /// The published baseline.
    const RRF: Fusion = Fusion {
        method: FusionMethod::Rrf,
        k: 60.0,
        depth: 30,
        keyword_weight: 1.0,
        semantic_weight: 1.0,
    };

    fn fused(words: &[(u32, f32)], meaning: &[(u32, f32)], fusion: &Fusion) -> Vec<(u32, f32)> {
        let (by_words, by_meaning) = (list(words), list(meaning));
        let lists = Lists { by_words: &by_words, by_meaning: &by_meaning };
        fuse(&lists, fusion).iter().map(|fused| (fused.candidate.file_idx, fused.score)).collect()
    }

    #[test]
    fn rrf_is_the_formula() {
        let found = fused(&[(7, 9.0), (3, 8.0), (5, 7.0)], &[(5, 0.9), (7, 0.8), (1, 0.7)], &RRF);
        let wanted = [
            (7, 1.0 / 61.0 + 1.0 / 62.0),
            (5, 1.0 / 63.0 + 1.0 / 61.0),
            (3, 1.0 / 62.0),
            (1, 1.0 / 63.0),
        ];
        assert_eq!(found.len(), wanted.len());
        for ((file, score), (wanted_file, wanted_score)) in found.iter().zip(wanted) {
            assert_eq!(*file, wanted_file, "{found:?}");
            assert!((score - wanted_score).abs() < 1e-7, "{found:?}");
        }
    }

    #[test]
    fn third_and_fifth_beat_first_and_nowhere() {
        // The seed's own example of what fusion is for.
        let words: Vec<(u32, f32)> = [(1, 9.0), (2, 8.0), (3, 7.0)].into();
        let meaning: Vec<(u32, f32)> = (10..14).map(|i| (i, 0.9)).chain([(3, 0.5)]).collect();
        assert_eq!(fused(&words, &meaning, &RRF)[0].0, 3);
    }

    #[test]
    fn what_lies_beyond_the_depth_counts_nothing_but_keeps_its_place() {
        let words: Vec<(u32, f32)> = (0..40).map(|i| (i, 100.0 - i as f32)).collect();
        let meaning = [(35, 0.9), (39, 0.8)];
        let (by_words, by_meaning) = (list(&words), list(&meaning));
        let lists = Lists { by_words: &by_words, by_meaning: &by_meaning };
        let all = fuse(&lists, &RRF);
        assert_eq!(all.len(), 40, "nothing is lost");
        assert!(all[31].score > 0.0 && all[32].score == 0.0);
        let found = all.iter().find(|fused| fused.candidate.file_idx == 35).unwrap();
        assert_eq!(found.by_words.map(|placed| placed.rank), Some(36));
        assert!((found.score - 1.0 / 61.0).abs() < 1e-7);
    }

    #[test]
    fn min_max_stretches_each_list() {
        let minmax = Fusion { method: FusionMethod::MinMax, ..RRF };
        let found = fused(&[(1, 30.0), (2, 20.0), (3, 10.0)], &[(2, 0.5), (4, 0.4)], &minmax);
        assert_eq!(found, [(2, 1.5), (1, 1.0), (3, 0.0), (4, 0.0)]);
        let weighted = Fusion { semantic_weight: 0.25, ..minmax };
        assert_eq!(fused(&[(1, 30.0), (2, 20.0)], &[(2, 0.5)], &weighted), [(1, 1.0), (2, 0.25)]);
    }

    #[test]
    fn equal_scores_are_ordered_by_path() {
        let found = fused(&[(9, 1.0)], &[(4, 1.0)], &RRF);
        assert_eq!(found.iter().map(|(file, _)| *file).collect::<Vec<_>>(), [4, 9]);
    }
}

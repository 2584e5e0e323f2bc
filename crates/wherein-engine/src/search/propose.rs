//! The places that may answer, with all that is known of each: the first of both lists, their features, their order.
//!
//! Must not cut what a limit asks for: what lies beyond the pool follows in the order of the lists.

use foldhash::{HashSet, HashSetExt};

use super::best_lines::{self, Lines, Stage};
use super::features::{self, Facts};
use super::fuse::{self, Fused, Lists, Places};
use super::lexical::WeightedTerm;
use super::query::Query;
use super::rank::{self, Scored};
use super::shape::Shape;
use super::weights::{N_SURE, Ordered, Ranking, Weights};
use super::{Corpus, Meaning, evidence, places, span};
use crate::error::Result;
use crate::model::{BestLines, Candidate, Confidence};
use crate::request::SearchRequest;

/// What is proposed of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) text: &'a str,
    pub(super) query: &'a Query,
    pub(super) terms: &'a [WeightedTerm],
    /// With a model that is a table.
    pub(super) meaning: Option<&'a Meaning<'a>>,
    pub(super) settings: BestLines,
}

/// Places with their features.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) shape: Shape,
    /// By file and line.
    pub(super) candidates: Vec<Candidate>,
    /// Of each candidate, in the order of [`features::FEATURES`].
    pub(super) features: Vec<Vec<f32>>,
    /// What was read of each; `None` where its file changed.
    pub(super) lines: Vec<Option<Lines>>,
    /// Lines of each run that was read.
    window_lines: usize,
    /// Whether the question quotes something.
    is_quoted: bool,
}

impl Pool {
    /// The first of both lists, and `leading` whatever they say.
    pub(super) fn gather(
        corpus: Corpus<'_>,
        question: &Question<'_>,
        lists: &Lists<'_>,
        leading: &[Candidate],
    ) -> Result<Pool> {
        let n = question.settings.n_candidates.max(1);
        let first = |list: &[Candidate]| rank::first(corpus.generation, question.query, list, n);
        let mut candidates = first(lists.by_words);
        candidates.extend(first(lists.by_meaning));
        candidates.extend_from_slice(leading);
        let mut seen = HashSet::new();
        candidates.retain(|candidate| seen.insert(best_lines::key(candidate)));
        candidates.sort_by_key(best_lines::key);
        evidence::locate(corpus.generation, &mut candidates)?;
        let words: Vec<&str> = question.query.words().collect();
        let meaning = question.meaning.and_then(|m| m.table.map(|table| (table, &*m.vector)));
        let stage = Stage { corpus, meaning, settings: question.settings };
        let mut asked = stage.asked(words.iter().copied());
        let means = lists.by_meaning.iter().map(|c| (best_lines::key(c), c.score)).collect();
        let lines = stage.look(&mut asked, &candidates, &means)?;
        let evidence = evidence::gather(corpus.generation, question.terms, &candidates)?;
        let facts = Facts {
            corpus,
            query: question.query,
            terms: question.terms,
            pool: &candidates,
            evidence: &evidence,
            lines: &lines,
            settings: question.settings,
        };
        let features =
            features::compute(&facts, &mut asked)?.iter().map(|row| row.values()).collect();
        let shape = Shape::of(question.text, question.query);
        let window_lines = question.settings.window_lines;
        let is_quoted = !question.query.literals.is_empty();
        Ok(Pool { shape, candidates, features, lines, window_lines, is_quoted })
    }

    /// The lines to show of a candidate: all where something was quoted, which must not be cut away.
    fn shown(&self, at: usize) -> (u32, u32) {
        let lines = self.lines[at].as_ref().filter(|_| !self.is_quoted);
        span::narrow(&self.candidates[at], lines, self.window_lines)
    }

    /// The order that `weights` give.
    pub(super) fn order(&self, weights: &Weights) -> Vec<Ordered> {
        let files: Vec<u32> = self.candidates.iter().map(|c| c.file_idx).collect();
        weights.order(self.shape, &files, &self.features)
    }
}

/// How many places of the list by words matter where `depth` are wanted: those that may be proposed, those whose place is
/// shown, and what follows the pool.
pub(super) fn reach(request: &SearchRequest, depth: usize) -> usize {
    let n_pool = 2 * request.best_lines.n_candidates + places::MAX_LEADING;
    rank::DEPTH.max(fuse::DEEPEST).max(depth.saturating_add(n_pool))
}

/// The weights that fit a question.
pub(super) fn weights_for(question: &Question<'_>) -> Result<&'static Weights> {
    let ranking = Ranking::usual()?;
    Ok(if question.meaning.is_some() { &ranking.hybrid } else { &ranking.keyword })
}

/// The first `depth` of what may answer, best first, and how sure that is; all that was weighed in any case.
pub(super) fn rank(
    corpus: Corpus<'_>,
    question: &Question<'_>,
    lists: &Lists<'_>,
    leading: &[Candidate],
    depth: usize,
) -> Result<(Vec<Scored>, Confidence)> {
    let mut pool = Pool::gather(corpus, question, lists, leading)?;
    let weights = weights_for(question)?;
    let ordered = pool.order(weights);
    let first: Vec<&[f32]> =
        ordered.iter().take(N_SURE).map(|one| pool.features[one.at].as_slice()).collect();
    let confidence = match leading {
        [] => weights.confidence(&first),
        // Whoever names a place gets that place.
        _ => Confidence::High,
    };
    let own = Places::of(lists);
    // What is named is looked for among all of them.
    let n = if leading.is_empty() { depth } else { ordered.len() };
    let mut scored: Vec<Scored> =
        ordered.iter().take(n).map(|one| scored(&mut pool, weights, one, &own)).collect();
    lead(&mut scored, leading);
    append(&mut scored, lists, &own, depth);
    Ok((scored, confidence))
}

fn scored(pool: &mut Pool, weights: &Weights, one: &Ordered, own: &Places) -> Scored {
    let candidate = pool.candidates[one.at];
    let shown = pool.shown(one.at);
    let (by_words, by_meaning) = own.find(&candidate);
    let features = &pool.features[one.at];
    let mut boosts = std::collections::BTreeMap::new();
    for (part, info) in weights.parts(pool.shape, features).zip(features::FEATURES) {
        *boosts.entry(info.group.as_str()).or_insert(0.0) += part;
    }
    if one.damped > 0.0 {
        boosts.insert("same_file", -one.damped);
    }
    Scored {
        fused: Fused { candidate, by_words, by_meaning, score: one.score },
        score: one.score,
        boosts,
        features: features.clone(),
        shown,
        lines: pool.lines[one.at].take(),
    }
}

/// Puts what the question names in front.
fn lead(scored: &mut [Scored], leading: &[Candidate]) {
    let position = |one: &Scored| {
        let found = leading.iter().position(|place| places::is_same(place, &one.fused.candidate));
        found.unwrap_or(leading.len())
    };
    let most = scored.first().map_or(0.0, |first| first.score);
    scored.sort_by_key(&position);
    for one in scored.iter_mut() {
        let at = position(one);
        if at < leading.len() {
            let raised = most + (leading.len() - at) as f32 - one.score;
            one.boosts.insert("place", raised);
            one.score += raised;
        }
    }
}

/// What lies beyond the pool up to `depth`, in the order of the list by words, then of the other.
fn append(scored: &mut Vec<Scored>, lists: &Lists<'_>, own: &Places, depth: usize) {
    if scored.len() >= depth {
        return;
    }
    let mut seen: HashSet<(u32, u32)> =
        scored.iter().map(|one| best_lines::key(&one.fused.candidate)).collect();
    let least = scored.last().map_or(0.0, |last| last.score);
    for candidate in lists.by_words.iter().chain(lists.by_meaning) {
        // A word that stands everywhere lists the whole tree, and a question shows a few places.
        if scored.len() >= depth {
            break;
        }
        if seen.insert(best_lines::key(candidate)) {
            let (by_words, by_meaning) = own.find(candidate);
            let fused = Fused { candidate: *candidate, by_words, by_meaning, score: least };
            scored.push(Scored::below(fused, least));
        }
    }
}

//! Candidates → ordered hits.
//!
//! Tests, docs and the like sink below source unless the question asks for them: they repeat a question's
//! words more often than the code that answers it. Must not read files.

use std::collections::BTreeMap;

use super::best_lines::Lines;
use super::fuse::{self, Fused, Lists, Placed, Places};
use super::query::{Query, Wants};
use super::{Corpus, symbols};
use crate::error::Result;
use crate::model::{Candidate, Fusion, Hit, Kind, Mode, ScoreParts};
use crate::request::Filter;
use crate::store::Generation;

/// Candidates beyond this many are not looked at again.
pub(crate) const DEPTH: usize = 1000;

/// A hit with the chunk that it came from.
#[derive(Debug, Clone)]
pub(super) struct Ranked {
    pub(super) candidate: Candidate,
    pub(super) hit: Hit,
    /// In the order of `FEATURES`; empty where nothing weighed any.
    pub(super) features: Vec<f32>,
    /// What its lines say; `None` where nobody read them.
    pub(super) lines: Option<Lines>,
    /// Its place by likeness, 1-based, among those that a re-ranker compared.
    pub(super) likeness_rank: Option<u32>,
}

/// What is made of the lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) mode: Mode,
    pub(super) fusion: Fusion,
    pub(super) limit: usize,
}

/// A candidate with its final score.
#[derive(Debug)]
pub(super) struct Scored {
    pub(super) fused: Fused,
    pub(super) score: f32,
    /// What else the score is made of, by name.
    pub(super) boosts: BTreeMap<&'static str, f32>,
    /// In the order of `FEATURES`; empty where nothing weighed any.
    pub(super) features: Vec<f32>,
    /// First and last line to show.
    pub(super) shown: (u32, u32),
    /// What its lines say; `None` where nobody read them.
    pub(super) lines: Option<Lines>,
}

impl Scored {
    /// What nobody looked at again, with a score below the others.
    pub(super) fn below(fused: Fused, score: f32) -> Scored {
        let shown = (fused.candidate.start_line, fused.candidate.end_line);
        let (boosts, features) = (BTreeMap::new(), Vec::new());
        Scored { fused, score, boosts, features, shown, lines: None }
    }

    fn of(fused: Fused, score: f32, kind_factor: f32) -> Scored {
        let mut boosts = BTreeMap::new();
        if kind_factor != 1.0 {
            boosts.insert("kind", kind_factor);
        }
        Scored { boosts, ..Scored::below(fused, score) }
    }
}

/// The first `n` of a list once tests, docs and the like are below source, with their own scores.
pub(super) fn first(
    generation: &Generation,
    query: &Query,
    list: &[Candidate],
    n: usize,
) -> Vec<Candidate> {
    let sunk = |candidate: &Candidate| {
        candidate.score * kind_factor(kind_of(generation, candidate), query.wants)
    };
    let list = list.iter().take(DEPTH.max(n));
    let mut first: Vec<(f32, Candidate)> = list.map(|c| (sunk(c), *c)).collect();
    // The order of [`sunk`], without what only a fused list has to carry. No two are equal.
    let order = |a: &(f32, Candidate), b: &(f32, Candidate)| {
        let own = b.1.score.total_cmp(&a.1.score);
        let place = (a.1.file_idx, a.1.start_line).cmp(&(b.1.file_idx, b.1.start_line));
        b.0.total_cmp(&a.0).then(own).then(place)
    };
    if first.len() > n && n > 0 {
        first.select_nth_unstable_by(n - 1, order);
    }
    first.truncate(n);
    first.sort_unstable_by(order);
    first.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Orders the candidates and keeps the best `limit`.
pub(super) fn rank(
    generation: &Generation,
    query: &Query,
    lists: &Lists<'_>,
    wanted: Wanted,
) -> Vec<Scored> {
    let mut ranked = match (wanted.mode, lists.by_meaning) {
        (Mode::Semantic, _) => alone(lists.by_meaning),
        (_, []) => sunk(generation, query, lists.by_words, wanted.limit),
        _ => both(generation, query, lists, wanted),
    };
    ranked.truncate(wanted.limit);
    ranked
}

/// Both lists, each with its kinds sunk, as one.
fn both(
    generation: &Generation,
    query: &Query,
    lists: &Lists<'_>,
    Wanted { fusion, limit, .. }: Wanted,
) -> Vec<Scored> {
    let order = |list: &[Candidate]| -> Vec<Candidate> {
        let sunk = sunk(generation, query, list, limit).into_iter();
        sunk.map(|scored| Candidate { score: scored.score, ..scored.fused.candidate }).collect()
    };
    let (by_words, by_meaning) = (order(lists.by_words), order(lists.by_meaning));
    let ordered = Lists { by_words: &by_words, by_meaning: &by_meaning };
    let fused = fuse::fuse(&ordered, &fusion);
    // What a user sees of a list is its own place and score, before anything was sunk.
    let own = Places::of(lists);
    let scored = |fused: Fused| {
        let (by_words, by_meaning) = own.find(&fused.candidate);
        let kind_factor = kind_factor(kind_of(generation, &fused.candidate), query.wants);
        let fused = Fused { by_words, by_meaning, ..fused };
        let mut scored = Scored::of(fused, fused.score, kind_factor);
        scored.boosts.insert(fusion.method.as_str(), fused.score);
        scored
    };
    fused.into_iter().map(scored).collect()
}

/// By meaning alone: the cosine and nothing else, which is what the published measurements rank by.
fn alone(list: &[Candidate]) -> Vec<Scored> {
    let scored = list.iter().zip(1..).map(|(candidate, rank)| {
        let fused = Fused::alone(candidate, Placed { rank, score: candidate.score }, true);
        Scored::of(fused, candidate.score, 1.0)
    });
    scored.collect()
}

/// A list with tests, docs and the like below source.
fn sunk(generation: &Generation, query: &Query, list: &[Candidate], limit: usize) -> Vec<Scored> {
    let mut scored: Vec<Scored> = list
        .iter()
        .take(DEPTH.max(limit))
        .zip(1..)
        .map(|(candidate, rank)| {
            let kind_factor = kind_factor(kind_of(generation, candidate), query.wants);
            let fused = Fused::alone(candidate, Placed { rank, score: candidate.score }, false);
            Scored::of(fused, candidate.score * kind_factor, kind_factor)
        })
        .collect();
    scored
        .sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| fuse::order(&a.fused, &b.fused)));
    scored
}

fn kind_of(generation: &Generation, candidate: &Candidate) -> Kind {
    generation
        .source_file(candidate.file_idx as usize)
        .map_or(Kind::Source, |(_, indexed)| indexed.kind)
}

/// How much a kind counts, given what the question asks for.
fn kind_factor(kind: Kind, wants: Wants) -> f32 {
    match kind {
        Kind::Source => 1.0,
        Kind::Test if wants.tests => 1.2,
        Kind::Docs if wants.docs => 1.2,
        Kind::Config if wants.config => 1.2,
        Kind::Test => 0.4,
        Kind::Docs => 0.4,
        Kind::Config => 0.5,
        Kind::Generated => 0.4,
    }
}

/// Gives the best candidates their shape for the user, symbols included.
pub(super) fn present(
    corpus: Corpus<'_>,
    query: &Query,
    filter: &Filter,
    scored: Vec<Scored>,
) -> Result<Vec<Ranked>> {
    let mut ranked = shape(corpus.generation, scored);
    name(corpus, query, filter, &mut ranked)?;
    Ok(ranked)
}

/// Gives the best candidates their shape for the user.
pub(super) fn shape(generation: &Generation, scored: Vec<Scored>) -> Vec<Ranked> {
    scored.into_iter().filter_map(|scored| hit_of(generation, scored)).collect()
}

/// Gives hits their symbols.
pub(super) fn name(
    corpus: Corpus<'_>,
    query: &Query,
    filter: &Filter,
    ranked: &mut [Ranked],
) -> Result<()> {
    let chooser = symbols::Chooser::new(corpus.generation, query, filter);
    corpus.epoch.with_tokenizer(|tokenizer| {
        for Ranked { candidate, hit, .. } in ranked {
            hit.symbol = chooser.best(tokenizer, candidate)?;
        }
        Ok(())
    })
}

fn hit_of(generation: &Generation, scored: Scored) -> Option<Ranked> {
    let fused = scored.fused;
    let candidate = fused.candidate;
    let (entry, indexed) = generation.source_file(candidate.file_idx as usize)?;
    let parts = ScoreParts {
        lexical_rank: fused.by_words.map(|placed| placed.rank),
        lexical: fused.by_words.map(|placed| placed.score),
        dense_rank: fused.by_meaning.map(|placed| placed.rank),
        dense: fused.by_meaning.map(|placed| placed.score),
        boosts: scored.boosts,
        ..ScoreParts::default()
    };
    let hit = Hit {
        path: entry.path.text.clone(),
        start_line: scored.shown.0,
        end_line: scored.shown.1,
        column: 1,
        kind: indexed.kind,
        language: generation.language(indexed).to_owned(),
        symbol: None,
        score: scored.score,
        parts,
        copies: Vec::new(),
        snippet: Vec::new(),
    };
    let Scored { features, lines, .. } = scored;
    Some(Ranked { candidate, hit, features, lines, likeness_rank: None })
}

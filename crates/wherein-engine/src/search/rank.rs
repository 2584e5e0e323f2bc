//! Candidates → ordered hits.
//!
//! Tests, docs and the like sink below source unless the question asks for them: they repeat a question's
//! words more often than the code that answers it. Must not read files.

use super::lexical::WeightedTerm;
use super::query::{Query, Wants};
use crate::model::{Candidate, Hit, Kind, ScoreParts};
use crate::store::Generation;

/// Candidates beyond this many are not looked at again.
const DEPTH: usize = 1000;

/// A hit with the chunk that it came from.
#[derive(Debug)]
pub(super) struct Ranked {
    pub(super) candidate: Candidate,
    pub(super) hit: Hit,
}

/// A candidate with its final score.
#[derive(Debug)]
pub(super) struct Scored {
    candidate: Candidate,
    lexical_rank: u32,
    score: f32,
    kind_factor: f32,
}

/// Orders the candidates and keeps the best `limit`. `candidates` come best first.
pub(super) fn rank(
    generation: &Generation,
    query: &Query,
    _terms: &[WeightedTerm],
    candidates: &[Candidate],
    limit: usize,
) -> Vec<Scored> {
    let mut scored: Vec<Scored> = candidates
        .iter()
        .take(DEPTH.max(limit))
        .zip(1..)
        .map(|(candidate, lexical_rank)| {
            let kind_factor = kind_factor(kind_of(generation, candidate), query.wants);
            let score = candidate.score * kind_factor;
            Scored { candidate: *candidate, lexical_rank, score, kind_factor }
        })
        .collect();
    scored.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(a.candidate.file_idx.cmp(&b.candidate.file_idx))
            .then(a.candidate.start_line.cmp(&b.candidate.start_line))
    });
    scored.truncate(limit);
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

/// Gives the best candidates their shape for the user.
pub(super) fn present(generation: &Generation, scored: Vec<Scored>) -> Vec<Ranked> {
    scored.into_iter().filter_map(|scored| hit_of(generation, &scored)).collect()
}

fn hit_of(generation: &Generation, scored: &Scored) -> Option<Ranked> {
    let candidate = scored.candidate;
    let (entry, indexed) = generation.source_file(candidate.file_idx as usize)?;
    let mut parts = ScoreParts {
        lexical_rank: Some(scored.lexical_rank),
        lexical: Some(candidate.score),
        ..ScoreParts::default()
    };
    if scored.kind_factor != 1.0 {
        parts.boosts.insert("kind", scored.kind_factor);
    }
    let hit = Hit {
        path: entry.path.text.clone(),
        start_line: candidate.start_line,
        end_line: candidate.end_line,
        column: 1,
        kind: indexed.kind,
        language: generation.language(indexed).to_owned(),
        symbol: None,
        score: scored.score,
        parts,
        snippet: Vec::new(),
    };
    Some(Ranked { candidate, hit })
}

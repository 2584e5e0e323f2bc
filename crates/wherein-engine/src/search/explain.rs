//! What each term of the question gave to each hit.
//!
//! Computed from the same postings and formula as the score, so that the parts add up to it.

use super::dense::NO_DOC;
use super::lexical::{WeightedTerm, term_score};
use super::query::Query;
use super::rank::Ranked;
use crate::error::Result;
use crate::model::TermScore;
use crate::store::Generation;

/// Fills the term scores of every hit, largest first.
pub(super) fn explain(
    generation: &Generation,
    query: &Query,
    terms: &[WeightedTerm],
    hits: &mut [Ranked],
) -> Result<()> {
    let _ = query;
    for ranked in hits.iter_mut().filter(|ranked| ranked.candidate.doc != NO_DOC) {
        let segment = &generation.segments[ranked.candidate.segment_idx as usize];
        for term in terms {
            let (score, field) = term_score(generation, segment, term, ranked.candidate.doc)?;
            if score > 0.0 {
                let (term, field) = (term.text.clone(), field.name());
                ranked.hit.parts.terms.push(TermScore { term, field, score });
            }
        }
        ranked
            .hit
            .parts
            .terms
            .sort_by(|a, b| b.score.total_cmp(&a.score).then(a.term.cmp(&b.term)));
    }
    Ok(())
}

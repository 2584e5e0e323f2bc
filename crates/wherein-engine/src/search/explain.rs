//! Why a hit stands where it stands: what each term and each feature gave, and the same in words.
//!
//! Terms come from the same postings and formula as the score, features and weights are those that ordered the hits, so
//! that the parts add up. Must not read files, and must not rank.

mod reasons;

use super::Corpus;
use super::dense::NO_DOC;
use super::evidence::Mask;
use super::features::FEATURES;
use super::lexical::{WeightedTerm, term_score};
use super::propose::{self, Question};
use super::question;
use super::rank::Ranked;
use super::shape::Shape;
use super::weights::Weights;
use crate::error::Result;
use crate::model::{Feature, TermScore};
use crate::request::Reranked;
use crate::store::Generation;
pub(super) use reasons::{listed, pushed_down};

/// What a question's hits are explained with.
pub(super) struct Explainer<'a> {
    generation: &'a Generation,
    terms: &'a [WeightedTerm],
    weights: &'static Weights,
    shape: Shape,
    /// The question's plain words: as the index knows them, and as they were written.
    words: Vec<(String, String)>,
    /// Lines that were compared at once.
    window_lines: u32,
    /// What compared the first places again.
    reranked: Option<&'a Reranked>,
}

impl<'a> Explainer<'a> {
    /// The explainer of a question whose hits were ordered by what `reranked` says, too.
    pub(super) fn of(
        corpus: Corpus<'a>,
        question: &Question<'a>,
        reranked: Option<&'a Reranked>,
    ) -> Result<Explainer<'a>> {
        let (written, _) = question::read(question.text);
        let spelling = |stem: &str| {
            let word = written.iter().find(|word| word.term == stem);
            word.map_or(stem, |word| &question.text[word.start..word.end]).to_owned()
        };
        let words = question.query.words().map(|stem| (stem.to_owned(), spelling(stem)));
        Ok(Explainer {
            generation: corpus.generation,
            terms: question.terms,
            weights: propose::weights_for(question)?,
            shape: Shape::of(question.text, question.query),
            words: words.collect(),
            window_lines: u32::try_from(question.settings.window_lines.max(1)).unwrap_or(u32::MAX),
            reranked,
        })
    }

    /// Fills the terms of every hit, largest first, its features, and its reasons.
    pub(super) fn explain(&self, hits: &mut [Ranked]) -> Result<()> {
        hits.iter_mut().try_for_each(|ranked| self.explain_one(ranked).map(drop))
    }

    /// The same for one hit: which of the plain words it has, where that can be known.
    pub(super) fn explain_one(&self, ranked: &mut Ranked) -> Result<Option<Mask>> {
        let has = self.fill_terms(ranked)?;
        ranked.hit.parts.features = self.features(&ranked.features);
        ranked.hit.parts.reasons = self.reasons(ranked, has);
        Ok(has)
    }

    /// Fills the terms of a hit: which of the plain words it has; `None` where that cannot be known.
    fn fill_terms(&self, ranked: &mut Ranked) -> Result<Option<Mask>> {
        let candidate = &ranked.candidate;
        if candidate.doc == NO_DOC {
            return Ok(None);
        }
        let segment = &self.generation.segments[candidate.segment_idx as usize];
        let (mut has, mut scores) = (0, Vec::new());
        for term in self.terms {
            let (score, field) = term_score(self.generation, segment, term, candidate.doc)?;
            if score > 0.0 {
                has |= term.word.map_or(0, |word| 1 << word);
                let (term, field) = (term.text.clone(), field.name());
                scores.push(TermScore { term, field, score });
            }
        }
        scores.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.term.cmp(&b.term)));
        ranked.hit.parts.terms = scores;
        Ok(Some(has))
    }

    /// Each feature that says something, with what it adds.
    fn features(&self, values: &[f32]) -> Vec<Feature> {
        let parts = self.weights.parts(self.shape, values);
        let named = FEATURES.iter().zip(values).zip(parts);
        let all =
            named.map(|((info, value), score)| Feature { name: info.name, value: *value, score });
        all.filter(|feature| feature.value != 0.0).collect()
    }

    /// The words that are not in `has`, as the question writes them.
    pub(super) fn lacking(&self, has: Mask) -> Vec<&str> {
        let words = self.words.iter().enumerate();
        words.filter(|(at, _)| has >> at & 1 == 0).map(|(_, (_, written))| &**written).collect()
    }
}

/// The value of a feature of an explained hit; 0 where it says nothing.
pub(super) fn value(features: &[Feature], name: &str) -> f32 {
    features.iter().find(|feature| feature.name == name).map_or(0.0, |feature| feature.value)
}

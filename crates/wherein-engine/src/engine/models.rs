//! Which models have a say in an answer: the one whose vectors propose places, and the one that compares the first
//! places again.
//!
//! What cannot be used is said, and what is asked for by name and cannot be had is an error. Must not compare a question
//! with another model's vectors.

use super::Engine;
use crate::embed;
use crate::error::{Error, Result};
use crate::ingest::{self, Wanted};
use crate::model::Mode;
use crate::request::SearchRequest;
use crate::search::{Meaning, Reranker};
use crate::store::Generation;

/// The share of chunks that need a vector before lists are fused: with fewer, the few that have one are lifted above
/// better answers that have none.
const ENOUGH: (u64, u64) = (4, 5);

impl Engine {
    /// The question's vector where the mode asks for it, and what is to be said of its lack.
    pub(super) fn meaning(
        &self,
        generation: &Generation,
        request: &SearchRequest,
    ) -> Result<(Option<Meaning<'_>>, Option<String>)> {
        if !request.mode.needs_model() {
            return Ok((None, None));
        }
        self.require_all_vectors(generation, request.mode)?;
        let Some(model) = &self.options.embedder else {
            return self.lacking(request.mode, "no model is set up");
        };
        match ingest::check_model(&generation.manifest, model.identity(), false) {
            // They would have given way to this model's by a refresh, which there was none of.
            Err(_) if self.options.replace_model && request.mode == Mode::Hybrid => {
                return self.lacking(request.mode, "the vectors are those of another model");
            }
            checked => checked?,
        }
        let (n_vectors, n_chunks) = (generation.manifest.n_vectors(), generation.n_chunks);
        let told = format!("{n_vectors} of {n_chunks} chunks have vectors so far");
        let is_thin = is_thin(generation);
        if n_vectors == 0 && n_chunks > 0 && request.mode == Mode::Semantic {
            return Err(Error::model(format!("cannot search by meaning: {told}"))
                .with_hint("make them with: wherein index"));
        }
        if (n_vectors == 0 && n_chunks > 0) || (is_thin && request.mode == Mode::Hybrid) {
            return self.lacking(request.mode, &told);
        }
        let cache = if model.table().is_some() { None } else { self.cache().ok() };
        let vector = embed::question(model.as_ref(), cache, &request.text)?;
        let name = model.identity().name.clone();
        if !embed::has_meaning(&vector) {
            let told = format!("the model {name} knows no word of the question");
            return match request.mode {
                // By meaning alone nothing is found, and that is the answer.
                Mode::Semantic => {
                    Ok((Some(Meaning { model: name, vector, table: None }), Some(told)))
                }
                mode => self.lacking(mode, &told),
            };
        }
        let rest = match request.mode {
            Mode::Semantic => "the rest cannot be found by meaning",
            _ => "the rest is found by words alone",
        };
        let partly = (n_vectors < n_chunks).then(|| format!("{told}; {rest}"));
        Ok((Some(Meaning { model: name, vector, table: model.table() }), partly))
    }

    /// Refuses to search by meaning alone with a model that has vectors only where questions touched.
    fn require_all_vectors(&self, generation: &Generation, mode: Mode) -> Result<()> {
        let Some(reranker) = self.options.reranker.as_deref() else {
            return Ok(());
        };
        let (name, set) = (&reranker.identity().name, &generation.manifest.vectors);
        let has_all = set.as_ref().is_some_and(|set| set.model == *reranker.identity());
        if mode != Mode::Semantic || has_all {
            return Ok(());
        }
        Err(Error::model(format!(
            "cannot search by meaning alone with {name}: only what questions touched has its vectors"
        ))
        .with_hint(format!("make them with: wherein index --model {name} --embed all")))
    }

    /// What compares the first places again, and what is to be said where nothing can although something should.
    pub(super) fn reranker(
        &self,
        request: &SearchRequest,
    ) -> Result<(Option<Reranker<'_>>, Option<String>)> {
        let model = self.options.reranker.as_deref();
        let Some(model) = model.filter(|_| self.is_reranked(request)) else {
            return Ok((None, None));
        };
        let cache = match self.cache() {
            Ok(cache) => cache,
            // Without it every question would embed the same again.
            Err(error) => {
                let name = &model.identity().name;
                return Ok((None, Some(format!("not compared with {name}: {error}"))));
            }
        };
        let question = embed::question(model, Some(cache), &request.text)?;
        let (settings, within) = (request.touched, self.options.embed_within);
        let cancel = request.cancel.clone();
        Ok((Some(Reranker { model, cache, question, settings, within, cancel }), None))
    }

    /// Whether the first places of this question are compared again: by meaning alone nothing but the cosine counts.
    fn is_reranked(&self, request: &SearchRequest) -> bool {
        let has_say = request.touched.n_places > 0 && request.touched.weight > 0.0;
        self.options.reranker.is_some() && request.mode == Mode::Hybrid && has_say
    }

    /// Whether a refresh with little time leaves what has no vector to the questions that touch it.
    pub(super) fn is_left_to_touch(&self, wanted: &Wanted<'_>, generation: &Generation) -> bool {
        let is_hurried = self.options.embed_within.is_some() && self.options.reranker.is_some();
        is_hurried && wanted.model.table().is_none() && is_thin(generation)
    }

    /// A question without the model whose vectors it asks for: hybrid mode goes on by words, semantic mode cannot.
    fn lacking<'m>(&self, mode: Mode, why: &str) -> Result<(Option<Meaning<'m>>, Option<String>)> {
        const HINT: &str = "wherein model list shows the models; name one with --model";
        let what = match self.options.reranker {
            Some(_) => "proposed",
            None => "ranked",
        };
        match mode {
            Mode::Semantic => {
                Err(Error::model(format!("cannot search by meaning: {why}")).with_hint(HINT))
            }
            _ => Ok((None, Some(format!("{why}: {what} by words alone")))),
        }
    }
}

/// Whether most chunks lack a vector.
fn is_thin(generation: &Generation) -> bool {
    generation.manifest.n_vectors() * ENOUGH.1 < generation.n_chunks * ENOUGH.0
}

//! One generation holds vectors of one model: another is refused by name, or takes their place when told to.
//!
//! Vectors of two models have the same shape, so nothing else would notice that they are compared. Must not look at
//! anything but identities.

use super::{Ingest, NO_END, collect};
use crate::embed::{Embedder, ModelIdentity, TermTable, usual_encoding};
use crate::error::{Error, ErrorKind, Result};
use crate::model::VectorEncoding;
use crate::store::{self, Generation, Manifest, VectorSet, Work};

/// The vectors that an index should have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) model: &'a dyn Embedder,
    /// `None`: as the index has it, else as is usual for the model.
    pub(crate) encoding: Option<VectorEncoding>,
    /// Whether vectors of another model give way.
    pub(crate) replace: bool,
}

impl<'a> Wanted<'a> {
    /// Whether there are no vectors, or those of another model or encoding.
    pub(super) fn needs_set(&self, manifest: &Manifest) -> bool {
        manifest.vectors.as_ref().is_none_or(|set| {
            set.model != *self.model.identity() || self.encoding.is_some_and(|e| e != set.encoding)
        })
    }

    /// Makes a manifest ready for the vectors that are wanted; others are dropped.
    pub(super) fn begin_set(&self, manifest: &mut Manifest) {
        if !self.needs_set(manifest) {
            return;
        }
        let is_own = |set: &&VectorSet| set.model == *self.model.identity();
        let kept = manifest.vectors.as_ref().filter(is_own).map(|set| set.encoding);
        manifest.drop_vectors();
        manifest.words_only = false;
        manifest.vectors = Some(VectorSet {
            model: self.model.identity().clone(),
            encoding: self.encoding.or(kept).unwrap_or_else(|| usual_encoding(self.model)),
            segments: Vec::new(),
        });
    }

    /// The table whose rows are written while files are read, with the encoding of `manifest`, which is made ready for
    /// them; `None` where the model is no table or may not take the place of another.
    pub(super) fn inline(
        &self,
        manifest: &mut Manifest,
    ) -> Option<(&'a TermTable, VectorEncoding)> {
        let table = self.model.table()?;
        check_model(manifest, self.model.identity(), self.replace).ok()?;
        self.begin_set(manifest);
        manifest.vectors.as_ref().map(|set| (table, set.encoding))
    }
}

/// Makes an index by words alone, which it stays until a model is named for it; `None` where it is one.
pub(crate) fn forget_vectors(ingest: &Ingest<'_>) -> Result<Option<Generation>> {
    let is_other = |manifest: &Manifest| {
        manifest.vectors.is_some() || !manifest.words_only || manifest.reranker.is_some()
    };
    change(ingest, &is_other, &|manifest| {
        manifest.drop_vectors();
        manifest.words_only = true;
        manifest.reranker = None;
    })
}

/// Makes a model the one that compares the first places again in this folder, or none; `None` where it is so already.
pub(crate) fn remember(
    ingest: &Ingest<'_>,
    reranker: Option<&ModelIdentity>,
) -> Result<Option<Generation>> {
    let is_other = |manifest: &Manifest| manifest.reranker.as_ref() != reranker;
    change(ingest, &is_other, &|manifest| manifest.reranker = reranker.cloned())
}

/// Commits a generation that differs in what its manifest says of models; `None` where nothing is to be changed.
fn change(
    ingest: &Ingest<'_>,
    is_due: &dyn Fn(&Manifest) -> bool,
    change: &dyn Fn(&mut Manifest),
) -> Result<Option<Generation>> {
    if !store::read(ingest.dir)?.as_ref().is_some_and(is_due) {
        return Ok(None);
    }
    let Some(_lock) = store::lock(ingest.dir, Work::Write, NO_END, || {})? else {
        return Ok(None);
    };
    let Some(mut manifest) = store::read(ingest.dir)? else {
        return Ok(None);
    };
    change(&mut manifest);
    manifest.generation += 1;
    store::commit(ingest.dir, &manifest)?;
    collect(ingest, &manifest)?;
    Generation::of(ingest.dir, manifest).map(Some)
}

/// Refuses vectors of another model unless they may be replaced.
pub(crate) fn check_model(manifest: &Manifest, asked: &ModelIdentity, replace: bool) -> Result<()> {
    match &manifest.vectors {
        Some(set) if !replace && set.model != *asked => Err(mismatch(&set.model, asked)),
        _ => Ok(()),
    }
}

/// Both names, what differs, and the command that mends it.
fn mismatch(indexed: &ModelIdentity, asked: &ModelIdentity) -> Error {
    let differs = match () {
        () if indexed.weights_hash != asked.weights_hash => "the weights differ",
        () if indexed.tokenizer_hash != asked.tokenizer_hash => "the tokenizers differ",
        () if indexed.pooling != asked.pooling => "the pooling differs",
        () if indexed.max_tokens != asked.max_tokens => "the tokens read of a text differ",
        () if indexed.dimensions != asked.dimensions => "the dimensions differ",
        () if indexed.normalised != asked.normalised => "the normalisation differs",
        () if indexed.question_prefix != asked.question_prefix
            || indexed.passage_prefix != asked.passage_prefix =>
        {
            "the prefixes differ"
        }
        () => "the names differ",
    };
    let message = format!(
        "the index has vectors of the model {}, the question would have one of {} ({differs})",
        indexed.name, asked.name
    );
    let hint = match indexed.name == asked.name {
        true => format!("make the index anew with: wherein index --model {}", asked.name),
        false => format!(
            "ask with --model {}, or make the index anew with: wherein index --model {}",
            indexed.name, asked.name
        ),
    };
    Error::new(ErrorKind::ModelMismatch, message).with_hint(hint)
}

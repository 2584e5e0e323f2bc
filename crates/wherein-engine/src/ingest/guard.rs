//! One generation holds vectors of one model: another is refused by name, or takes their place when told to.
//!
//! Vectors of two models have the same shape, so nothing else would notice that they are compared. Must not look at
//! anything but identities.

use super::{Ingest, NO_END, collect};
use crate::embed::ModelIdentity;
use crate::error::{Error, ErrorKind, Result};
use crate::store::{self, Generation, Manifest, Work};

/// Makes a keyword index of one with vectors; `None` where it is one.
pub(crate) fn forget_vectors(ingest: &Ingest<'_>) -> Result<Option<Generation>> {
    let has_vectors = |manifest: &Manifest| manifest.vectors.is_some();
    if !store::read(ingest.dir)?.as_ref().is_some_and(has_vectors) {
        return Ok(None);
    }
    let Some(_lock) = store::lock(ingest.dir, Work::Write, NO_END, || {})? else {
        return Ok(None);
    };
    let Some(mut manifest) = store::read(ingest.dir)? else {
        return Ok(None);
    };
    manifest.drop_vectors();
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
        true => format!("embed again with: wherein index --model {}", asked.name),
        false => format!(
            "ask with --model {}, or embed again with: wherein index --model {}",
            indexed.name, asked.name
        ),
    };
    Error::new(ErrorKind::ModelMismatch, message).with_hint(hint)
}

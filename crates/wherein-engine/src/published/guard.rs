//! What a whole collection was made for: index format, model and sparse encoder. Vectors of two are never compared.
//!
//! Must not say why somebody chose them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::embed::{ModelIdentity, Role, SparseEmbedder};
use crate::error::{Error, ErrorKind, Result};
use crate::search::{CodeTerms, WeightedTerm};
use crate::sparse::{Bm25, SparseIdentity, SparseVector};

/// What makes two published indexes incomparable; kept once in a collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Guard {
    /// The number of the layout of points and blobs.
    pub format: u32,
    /// How files are cut, and by which versions: an index of other versions is another index.
    pub index: String,
    /// What made the dense vectors; `None` for a collection of words alone.
    pub model: Option<ModelIdentity>,
    /// What made the sparse vectors.
    pub sparse: SparseIdentity,
}

impl Guard {
    /// The layout that this version writes.
    pub const FORMAT: u32 = 1;

    /// Refuses a collection that was made for something else than `wanted`. The measured average length is the collection's.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`] or [`ErrorKind::IndexFormat`], with what differs.
    pub fn check(&self, wanted: &Guard, collection: &str) -> Result<()> {
        let other = |what: &str, own: String, asked: String| {
            format!("the collection {collection} holds {what} {own}, not {asked}")
        };
        if self.format != wanted.format {
            let message = other("format", self.format.to_string(), wanted.format.to_string());
            return Err(Error::index_format(message)
                .with_hint("use the version of wherein that made it, or another --collection"));
        }
        if self.model != wanted.model {
            let of = |model: &Option<ModelIdentity>| match model {
                Some(model) => format!("{} ({:.8})", model.name, model.weights_hash),
                None => "none".to_owned(),
            };
            let message = other("vectors of the model", of(&self.model), of(&wanted.model));
            return Err(Error::new(ErrorKind::ModelMismatch, message).with_hint(
                "name that model with --model, or another collection with --collection",
            ));
        }
        if self.sparse.at_any_length() != wanted.sparse.at_any_length() {
            let of = |sparse: &SparseIdentity| sparse.to_string();
            let message = other("sparse vectors", of(&self.sparse), of(&wanted.sparse));
            return Err(Error::new(ErrorKind::ModelMismatch, message).with_hint(
                "name that profile with --sparse, or another collection with --collection",
            ));
        }
        if self.index != wanted.index {
            let message = other("indexes cut as", self.index.clone(), wanted.index.clone());
            return Err(Error::index_format(message)
                .with_hint("ask with the settings it was made with, or use another --collection"));
        }
        Ok(())
    }

    /// Whether a server has to weigh terms by how rare they are when a question is asked: a learned model has done so.
    pub fn needs_idf(&self) -> bool {
        self.sparse.bm25.is_some()
    }
}

/// What makes sparse vectors of chunks and questions.
#[derive(Debug, Clone)]
pub enum SparseEncoder {
    /// The terms of our own tokenizer, with what is said about a chunk, weighed by BM25F.
    Code(Bm25),
    /// Anything that reads text: the `semcode` profile, a learned model.
    Text(Arc<dyn SparseEmbedder>),
}

impl SparseEncoder {
    /// What makes its vectors incomparable with others.
    pub fn identity(&self) -> SparseIdentity {
        match self {
            SparseEncoder::Code(bm25) => SparseIdentity::code(*bm25),
            SparseEncoder::Text(embedder) => embedder.identity().clone(),
        }
    }

    /// The vector of a question, of which `text` is what was asked and `terms` what the engine makes of it.
    pub(crate) fn question(&self, text: &str, terms: &[WeightedTerm]) -> Result<SparseVector> {
        match self {
            SparseEncoder::Code(_) => Ok(CodeTerms::question(terms)),
            SparseEncoder::Text(embedder) => {
                let vectors = embedder.embed(Role::Question, &[text])?;
                Ok(vectors.into_iter().next().unwrap_or_default())
            }
        }
    }
}

//! A model for tests: words hashed into a few dimensions, and a count of what it was given.

use std::sync::atomic::{AtomicUsize, Ordering};

use wherein_engine::{Embedder, ModelIdentity, Result, Role};

/// Counts passages.
#[derive(Debug)]
pub(crate) struct HashingEmbedder {
    identity: ModelIdentity,
    n_passages: AtomicUsize,
}

impl HashingEmbedder {
    /// A model whose vectors depend on its name.
    pub(crate) fn new(name: &str) -> HashingEmbedder {
        let identity = ModelIdentity {
            name: name.to_owned(),
            weights_hash: format!("weights of {name}"),
            tokenizer_hash: "words".to_owned(),
            pooling: "mean".to_owned(),
            question_prefix: String::new(),
            passage_prefix: String::new(),
            max_tokens: 128,
            dimensions: 64,
            normalised: true,
        };
        HashingEmbedder { identity, n_passages: AtomicUsize::new(0) }
    }

    /// Passages that were embedded.
    pub(crate) fn n_passages(&self) -> usize {
        self.n_passages.load(Ordering::SeqCst)
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.01; self.identity.dimensions as usize];
        for word in words(text).take(self.identity.max_tokens as usize) {
            let seed = format!("{} {word}", self.identity.weights_hash);
            let hash = blake3::hash(seed.as_bytes());
            let bytes = hash.as_bytes();
            vector[usize::from(bytes[0]) % 64] += if bytes[1] & 1 == 0 { 1.0 } else { -1.0 };
        }
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.iter_mut().for_each(|value| *value /= length);
        vector
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase)
}

impl Embedder for HashingEmbedder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn count_tokens(&self, _role: Role, texts: &[&str]) -> Result<Vec<usize>> {
        Ok(texts.iter().map(|text| words(text).count()).collect())
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        if role == Role::Passage {
            self.n_passages.fetch_add(texts.len(), Ordering::SeqCst);
        }
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

//! A model for tests: words hashed into a few dimensions. Texts that share words are close; nothing is learnt.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use wherein_engine::{Embedder, Error, ModelIdentity, Result, Role};

/// What is wrong with the double.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// Fails once it has embedded this many passages.
    After(usize),
    NotANumber,
    OneTooMany,
    WrongLength,
}

/// Counts what it is given.
#[derive(Debug)]
pub(crate) struct HashingEmbedder {
    identity: ModelIdentity,
    fault: Fault,
    pub(crate) n_passages: AtomicUsize,
    pub(crate) n_questions: AtomicUsize,
    /// Tokens of each batch, padding included, and its texts.
    pub(crate) batches: Mutex<Vec<(usize, usize)>>,
}

impl HashingEmbedder {
    pub(crate) fn new(name: &str) -> HashingEmbedder {
        HashingEmbedder {
            identity: ModelIdentity {
                name: name.to_owned(),
                weights_hash: format!("weights of {name}"),
                tokenizer_hash: "words".to_owned(),
                pooling: "mean".to_owned(),
                question_prefix: String::new(),
                passage_prefix: String::new(),
                max_tokens: 128,
                dimensions: 64,
                normalised: true,
            },
            fault: Fault::None,
            n_passages: AtomicUsize::new(0),
            n_questions: AtomicUsize::new(0),
            batches: Mutex::default(),
        }
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut ModelIdentity)) -> HashingEmbedder {
        change(&mut self.identity);
        self
    }

    pub(crate) fn faulty(mut self, fault: Fault) -> HashingEmbedder {
        self.fault = fault;
        self
    }

    pub(crate) fn n_passages(&self) -> usize {
        self.n_passages.load(Ordering::SeqCst)
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let dimensions = self.identity.dimensions as usize;
        let mut vector = vec![0.01; dimensions];
        let most = self.identity.max_tokens as usize;
        for word in words(text).take(most) {
            let seed = format!("{} {word}", self.identity.weights_hash);
            let hash = seed.bytes().fold(14_695_981_039_346_656_037_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211)
            });
            vector[(hash >> 7) as usize % dimensions] += if hash & 1 == 0 { 1.0 } else { -1.0 };
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
        let counter = match role {
            Role::Question => &self.n_questions,
            Role::Passage => &self.n_passages,
        };
        let before = counter.fetch_add(texts.len(), Ordering::SeqCst);
        let most = self.identity.max_tokens as usize;
        let longest = texts.iter().map(|text| words(text).count().min(most)).max().unwrap_or(0);
        self.batches.lock().unwrap().push((longest * texts.len(), texts.len()));
        let mut vectors: Vec<Vec<f32>> = texts.iter().map(|text| self.vector(text)).collect();
        match self.fault {
            Fault::None => {}
            Fault::After(n) if before + texts.len() <= n => {}
            Fault::After(_) => return Err(Error::model("the double has had enough")),
            Fault::NotANumber => vectors[0][0] = f32::NAN,
            Fault::OneTooMany => vectors.push(vec![0.0; 64]),
            Fault::WrongLength => vectors.iter_mut().for_each(|vector| vector.truncate(63)),
        }
        Ok(vectors)
    }
}

//! A learned sparse model (SPLADE) as a sparse embedder: the same session, whose output is a logit for each token and each word of
//! the vocabulary.
//!
//! A text's weight for a word is `max over tokens of ln(1 + relu(logit))`, padding left out (Formal, Lassance, Piwowarski and
//! Clinchant, "SPLADE v2", 2021). Logits are large, 30,522 numbers a token for BERT's vocabulary, so batches are cut here. Must not
//! keep logits beyond their batch, nor take the vectors of a dense model for logits.

use std::path::Path;

use rten::Value;
use rten_tensor::Tensor;
use rten_tensor::prelude::*;
use serde::Deserialize;
use wherein_engine::{
    BATCH_TOKENS, Error, Result, Role, SparseEmbedder, SparseIdentity, SparseVector,
};

use crate::session::{OnnxOptions, Parts, Session};
use crate::tokens::{Rows, Tokens};
use crate::{ModelFolder, files};

/// What exports call their logits.
const OUTPUTS: [&str; 2] = ["logits", "prediction_logits"];
/// What the logits of a batch may take. A single text of a model with a large vocabulary may take more: 512 tokens of 250,002 words
/// are 512 MB.
const MAX_LOGIT_BYTES: usize = 256 << 20;
/// How words' weights come from tokens' logits, in the identity.
const POOLING: &str = "max";

/// A loaded learned sparse model.
#[derive(Debug)]
pub struct SparseOnnxModel {
    folder: ModelFolder,
    identity: SparseIdentity,
    tokens: Tokens,
    session: Session,
    /// Logits of a token, one for each word of the vocabulary.
    n_words: usize,
}

/// `1_SpladePooling/config.json`, which sentence-transformers lays beside a model.
#[derive(Debug, Deserialize)]
struct SpladePooling {
    pooling_strategy: Option<String>,
    activation_function: Option<String>,
}

impl SparseOnnxModel {
    /// Loads and probes the model that `folder` describes. Pooling, normalisation and dimensions of the folder play no part: they are
    /// of dense models.
    ///
    /// # Errors
    /// [`wherein_engine::ErrorKind::Model`] where files are missing, damaged or not those that were recorded, where the model asks for
    /// another pooling, and where its output is not one logit a token and word, as that of a dense model.
    pub fn load(folder: &ModelFolder, options: &OnnxOptions) -> Result<SparseOnnxModel> {
        check_pooling(&folder.root)?;
        let Parts { mut identity, tokens, session } = Parts::load(folder, options, &OUTPUTS)?;
        let n_words = probe(folder, &session, &tokens)?;
        identity.pooling = POOLING.to_owned();
        identity.normalised = false;
        identity.dimensions = u32::try_from(n_words).unwrap_or(u32::MAX);
        let identity = SparseIdentity::learned(identity);
        Ok(SparseOnnxModel { folder: folder.clone(), identity, tokens, session, n_words })
    }

    /// Tokens of the largest batch, padding included.
    fn batch_tokens(&self) -> usize {
        BATCH_TOKENS.min(MAX_LOGIT_BYTES / size_of::<f32>() / self.n_words)
    }

    fn embed_batch(&self, role: Role, texts: &[&str]) -> Result<Vec<SparseVector>> {
        let rows = self.tokens.rows(role, texts)?;
        let logits = logits(&self.folder, self.session.run(&rows)?, &rows)?;
        let logits = logits.to_contiguous();
        let texts = logits.data().chunks_exact(rows.n_columns * self.n_words);
        texts.zip(&rows.n_tokens).map(|(text, n)| self.vector(text, *n)).collect()
    }

    /// The vector of one text from the logits of its tokens, laid one after the other; those beyond `n_tokens` are padding.
    fn vector(&self, logits: &[f32], n_tokens: usize) -> Result<SparseVector> {
        // Starting from zero is the relu, and what is left of it needs one logarithm a word: it keeps the order.
        let mut largest = vec![0.0_f32; self.n_words];
        let mut is_number = true;
        for token in logits.chunks_exact(self.n_words).take(n_tokens) {
            for (largest, logit) in largest.iter_mut().zip(token) {
                is_number &= !logit.is_nan();
                *largest = largest.max(*logit);
            }
        }
        if !is_number || largest.iter().any(|logit| logit.is_infinite()) {
            let model = self.folder.onnx.display();
            return Err(Error::model(format!("{model} gives no logits (NaN or infinite)"))
                .with_hint("the weights are damaged; fetch the file again"));
        }
        let words = (0_u32..).zip(largest).filter(|(_, logit)| *logit > 0.0);
        Ok(SparseVector::from_pairs(words.map(|(id, logit)| (id, logit.ln_1p())).collect()))
    }
}

impl SparseEmbedder for SparseOnnxModel {
    fn identity(&self) -> &SparseIdentity {
        &self.identity
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<SparseVector>> {
        let max_tokens = self.folder.max_tokens as usize;
        let n_tokens = self.tokens.count(role, texts)?.into_iter().map(|n| n.min(max_tokens));
        let mut vectors = vec![SparseVector::default(); texts.len()];
        for batch in batches(&n_tokens.collect::<Vec<_>>(), self.batch_tokens()) {
            let of_batch: Vec<&str> = batch.iter().map(|idx| texts[*idx]).collect();
            for (idx, vector) in batch.into_iter().zip(self.embed_batch(role, &of_batch)?) {
                vectors[idx] = vector;
            }
        }
        Ok(vectors)
    }
}

/// Texts by their number of tokens, so that little of a batch is padding, cut where a batch would have more than `batch_tokens`. A
/// text without tokens is in none, a longer text has one to itself.
fn batches(n_tokens: &[usize], batch_tokens: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..n_tokens.len()).filter(|idx| n_tokens[*idx] > 0).collect();
    order.sort_by_key(|idx| n_tokens[*idx]);
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for idx in order {
        match batches.last_mut() {
            Some(batch) if (batch.len() + 1) * n_tokens[idx] <= batch_tokens => batch.push(idx),
            _ => batches.push(vec![idx]),
        }
    }
    batches
}

/// Refuses a model that says it wants another pooling; most say nothing.
fn check_pooling(root: &Path) -> Result<()> {
    let path = root.join("1_SpladePooling/config.json");
    let Some(config) = files::read_json::<SpladePooling>(&path)? else { return Ok(()) };
    let wants = |said: Option<String>, known: &str| said.filter(|said| said != known);
    let other = wants(config.pooling_strategy, POOLING)
        .or_else(|| wants(config.activation_function, "relu"));
    other.map_or(Ok(()), |other| {
        let message = format!("{} wants '{other}'", path.display());
        Err(Error::model(message).with_hint("of sparse models, pooling 'max' over 'relu' is known"))
    })
}

/// Runs the tokenizer's lowest and highest ids through the model; gives the size of its vocabulary.
fn probe(folder: &ModelFolder, session: &Session, tokens: &Tokens) -> Result<usize> {
    let run = |id: u32| {
        let rows = Rows { ids: vec![id as i32], types: vec![0], n_tokens: vec![1], n_columns: 1 };
        Ok(logits(folder, session.run(&rows)?, &rows)?.shape()[2])
    };
    let (n_words, highest) = (run(0)?, tokens.highest_id());
    // The vectors of a dense model have the same rank; they have fewer numbers than there are words.
    if n_words <= highest as usize {
        return Err(no_logits(folder, &format!("{n_words} numbers a token")));
    }
    let (tokenizer, model) = (folder.tokenizer.display(), folder.onnx.display());
    run(highest).map_err(|error| {
        let message =
            format!("{tokenizer} knows ids up to {highest}, which {model} does not read: {error}");
        Error::model(message)
            .with_hint("the two files belong to different models; fetch both from one place")
    })
}

/// The output of a batch as logits, `[texts, tokens, words]`.
fn logits(folder: &ModelFolder, value: Value, rows: &Rows) -> Result<Tensor<f32>> {
    let tensor: Tensor<f32> =
        value.try_into().map_err(|error| no_logits(folder, &format!("no numbers ({error})")))?;
    match tensor.shape()[..] {
        [n, columns, n_words]
            if n == rows.n_tokens.len() && columns == rows.n_columns && n_words > 0 =>
        {
            Ok(tensor)
        }
        ref shape => Err(no_logits(folder, &format!("an output of shape {shape:?}"))),
    }
}

fn no_logits(folder: &ModelFolder, what: &str) -> Error {
    let model = folder.onnx.display();
    let message = format!("{model} gives {what}, not a logit for each word of its vocabulary");
    Error::model(message).with_hint(
        "it looks like a dense model; export a sparse one with `optimum-cli export onnx --task fill-mask`",
    )
}

#[cfg(test)]
mod tests {
    use super::batches;

    #[test]
    fn batches_are_bounded_and_hold_every_text_with_tokens() {
        let n_tokens = [3, 0, 9, 2, 3, 40, 1];
        let cut = batches(&n_tokens, 10);
        assert_eq!(cut, [vec![6, 3, 0], vec![4], vec![2], vec![5]]);
        // No room at all is room for one.
        assert_eq!(batches(&n_tokens, 0).len(), 6);
    }
}

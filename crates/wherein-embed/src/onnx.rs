//! A model folder as an embedder: a session behind the engine's port.
//!
//! Loading holds the description against the model: hashes where they are recorded, the tokenizer's ids
//! against the rows of the table, dimensions against what comes out. It must not cut batches or cache: that
//! is the engine's.

use rten::Value;
use rten_tensor::Tensor;
use rten_tensor::prelude::*;
use wherein_engine::{Embedder, Error, ModelIdentity, Result, Role};

use crate::session::{OnnxOptions, Parts, Session};
use crate::tokens::{Rows, Tokens};
use crate::{ModelFolder, pooling};

/// The pooled output where the graph has one, else that of the tokens.
const OUTPUTS: [&str; 3] = ["sentence_embedding", "token_embeddings", "last_hidden_state"];

/// A loaded ONNX model.
#[derive(Debug)]
pub struct OnnxModel {
    folder: ModelFolder,
    identity: ModelIdentity,
    tokens: Tokens,
    session: Session,
}

impl OnnxModel {
    /// Loads and probes the model that `folder` describes.
    pub fn load(folder: &ModelFolder, options: &OnnxOptions) -> Result<OnnxModel> {
        let mut loaded = OnnxModel::load_unprobed(folder, options)?;
        loaded.identity.dimensions = loaded.probe()?;
        Ok(loaded)
    }

    /// Loads a model that was probed when it was recorded: the same files need no second look at what they compute.
    pub(crate) fn load_recorded(
        folder: &ModelFolder,
        options: &OnnxOptions,
        recorded: &ModelIdentity,
    ) -> Result<OnnxModel> {
        let mut loaded = OnnxModel::load_unprobed(folder, options)?;
        loaded.identity.dimensions = recorded.dimensions;
        if loaded.identity != *recorded {
            let root = folder.root.display();
            return Err(Error::model(format!("the model in {root} is not the one that was added"))
                .with_hint("pull or add the model again"));
        }
        Ok(loaded)
    }

    fn load_unprobed(folder: &ModelFolder, options: &OnnxOptions) -> Result<OnnxModel> {
        let Parts { identity, tokens, session } = Parts::load(folder, options, &OUTPUTS)?;
        Ok(OnnxModel { folder: folder.clone(), identity, tokens, session })
    }

    /// The description that it was loaded from.
    pub fn folder(&self) -> &ModelFolder {
        &self.folder
    }

    /// Runs the tokenizer's highest id through the model; gives the dimensions.
    fn probe(&self) -> Result<u32> {
        let highest = self.tokens.highest_id();
        let rows = |id| Rows { ids: vec![id], types: vec![0], n_tokens: vec![1], n_columns: 1 };
        // The lowest id first: where that fails, the model is at fault and not the tokenizer.
        let vector = self.vectors(&rows(0))?.remove(0);
        self.vectors(&rows(highest as i32)).map_err(|error| {
            let (tokenizer, model) = (self.folder.tokenizer.display(), self.folder.onnx.display());
            let message = format!(
                "{tokenizer} knows ids up to {highest}, which {model} does not read: {error}"
            );
            Error::model(message)
                .with_hint("the two files belong to different models; fetch both from one place")
        })?;
        let found = u32::try_from(vector.len()).unwrap_or(u32::MAX);
        match self.folder.dimensions {
            Some(wanted) if wanted != found => {
                let model = self.folder.onnx.display();
                let message = format!(
                    "{model} gives vectors of {found} dimensions, its folder says {wanted}"
                );
                Err(Error::model(message)
                    .with_hint("the files of the folder belong to different models"))
            }
            _ => Ok(found),
        }
    }

    /// Runs as many tokens as the model is to read: a limit beyond its table of positions shows only then. Also
    /// refuses prefixes that leave a text no room.
    pub(crate) fn check_limit(&self) -> Result<()> {
        let n = self.folder.max_tokens as usize;
        for (role, prefix) in [
            (Role::Question, &self.folder.question_prefix),
            (Role::Passage, &self.folder.passage_prefix),
        ] {
            let n_prefix = self.tokens.count(role, &[""])?[0];
            if !prefix.is_empty() && n_prefix * 2 > n {
                let message = format!("a prefix of {n_prefix} tokens leaves texts little of {n}");
                return Err(
                    Error::usage(message).with_hint("give a shorter prefix or a higher limit")
                );
            }
        }
        let rows = Rows { ids: vec![0; n], types: vec![0; n], n_tokens: vec![n], n_columns: n };
        self.vectors(&rows).map(drop).map_err(|error| {
            Error::model(format!(
                "{} does not read {n} tokens: {error}",
                self.folder.onnx.display()
            ))
            .with_hint("give what it reads with --max-tokens N")
        })
    }

    fn vectors(&self, rows: &Rows) -> Result<Vec<Vec<f32>>> {
        let value = self.session.run(rows)?;
        let mut vectors = self.pool(value, rows)?;
        for vector in &mut vectors {
            let is_finite = vector.iter().all(|value| value.is_finite());
            if !is_finite || (self.folder.normalise && !pooling::normalise(vector)) {
                let message = format!(
                    "{} gives no vector (NaN, infinite or all zero)",
                    self.folder.onnx.display()
                );
                return Err(Error::model(message)
                    .with_hint("the weights are damaged; fetch the file again"));
            }
        }
        Ok(vectors)
    }

    /// One vector a row, from vectors of tokens or from what the graph has pooled itself.
    fn pool(&self, value: Value, rows: &Rows) -> Result<Vec<Vec<f32>>> {
        let unfit = |what: String| {
            Error::model(format!(
                "{} gives {what}, not one vector a token or text",
                self.folder.onnx.display()
            ))
        };
        let tensor: Tensor<f32> =
            value.try_into().map_err(|error| unfit(format!("no numbers ({error})")))?;
        let shape = tensor.shape().to_vec();
        let data = tensor.to_vec();
        let n_texts = rows.n_tokens.len();
        match shape[..] {
            [n, dimensions] if n == n_texts && dimensions > 0 => {
                Ok(data.chunks_exact(dimensions).map(<[f32]>::to_vec).collect())
            }
            [n, columns, dimensions]
                if n == n_texts && columns == rows.n_columns && dimensions > 0 =>
            {
                let texts = data.chunks_exact(columns * dimensions).zip(&rows.n_tokens);
                let pooling = self.folder.pooling;
                Ok(texts.map(|(text, n)| pooling.apply(text, dimensions, *n)).collect())
            }
            _ => Err(unfit(format!("an output of shape {shape:?}"))),
        }
    }
}

impl Embedder for OnnxModel {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn count_tokens(&self, role: Role, texts: &[&str]) -> Result<Vec<usize>> {
        self.tokens.count(role, texts)
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        self.vectors(&self.tokens.rows(role, texts)?)
    }
}

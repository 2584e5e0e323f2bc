//! From texts to padded rows of token ids.
//!
//! Truncation and padding are ours: `tokenizer.json` files carry settings of their training (all-MiniLM cuts at 128), which must
//! not reach the vectors.

use std::path::{Path, PathBuf};

use tokenizers::{Encoding, PostProcessor, Tokenizer, TruncationDirection};
use wherein_engine::{Error, Result, Role};

use crate::ModelFolder;

/// A tokenizer with the folder's prefixes and limit.
#[derive(Debug)]
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
    path: PathBuf,
    n_specials: usize,
    max_tokens: usize,
    pad_id: u32,
    question_prefix: String,
    passage_prefix: String,
}

/// Token ids of a batch, `n_texts` rows of `n_columns`, shorter rows padded on the right.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) ids: Vec<i32>,
    pub(crate) types: Vec<i32>,
    /// Tokens of each row before its padding.
    pub(crate) n_tokens: Vec<usize>,
    pub(crate) n_columns: usize,
}

impl Tokens {
    pub(crate) fn load(folder: &ModelFolder) -> Result<Tokens> {
        let path = folder.tokenizer.clone();
        let mut tokenizer = Tokenizer::from_file(&path).map_err(|error| {
            Error::model(format!("cannot understand {}: {error}", path.display()))
                .with_hint("fetch the file again; it is damaged or of an unknown kind")
        })?;
        let pad_id = pad_id(&tokenizer);
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|error| failed(&path, error.as_ref()))?;
        let n_specials = tokenizer.get_post_processor().map_or(0, |post| post.added_tokens(false));
        let max_tokens = folder.max_tokens as usize;
        if max_tokens <= n_specials {
            let message =
                format!("{max_tokens} tokens leave no room beside {n_specials} special ones");
            return Err(Error::usage(message).with_hint("give a higher limit"));
        }
        let (question_prefix, passage_prefix) =
            (folder.question_prefix.clone(), folder.passage_prefix.clone());
        Ok(Tokens {
            tokenizer,
            path,
            n_specials,
            max_tokens,
            pad_id,
            question_prefix,
            passage_prefix,
        })
    }

    /// The highest id that can come out.
    pub(crate) fn highest_id(&self) -> u32 {
        let ids = self.tokenizer.get_vocab(true).into_values();
        ids.max().unwrap_or(0)
    }

    /// Tokens of each text, prefix and specials included, uncapped.
    pub(crate) fn count(&self, role: Role, texts: &[&str]) -> Result<Vec<usize>> {
        let encodings = self.encode(role, texts)?;
        Ok(encodings.iter().map(|encoding| encoding.len() + self.n_specials).collect())
    }

    /// The batch that the model reads, each text cut at the limit.
    pub(crate) fn rows(&self, role: Role, texts: &[&str]) -> Result<Rows> {
        let capped = self.encode(role, texts)?.into_iter().map(|encoding| self.cap(encoding));
        let capped = capped.collect::<Result<Vec<Encoding>>>()?;
        if let Some(idx) = capped.iter().position(Encoding::is_empty) {
            let message =
                format!("{} makes no token of text {idx} of a batch", self.path.display());
            return Err(Error::model(message).with_hint("leave texts of white space alone out"));
        }
        Ok(self.pad(&capped))
    }

    fn encode(&self, role: Role, texts: &[&str]) -> Result<Vec<Encoding>> {
        let prefix = match role {
            Role::Question => &self.question_prefix,
            Role::Passage => &self.passage_prefix,
        };
        let texts: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let encodings = self.tokenizer.encode_batch_fast(texts, false);
        encodings.map_err(|error| failed(&self.path, error.as_ref()))
    }

    fn cap(&self, mut encoding: Encoding) -> Result<Encoding> {
        encoding.truncate(self.max_tokens - self.n_specials, 0, TruncationDirection::Right);
        // What was cut off would get special tokens of its own.
        encoding.take_overflowing();
        let whole = self.tokenizer.post_process(encoding, None, true);
        whole.map_err(|error| failed(&self.path, error.as_ref()))
    }

    fn pad(&self, encodings: &[Encoding]) -> Rows {
        let n_columns = encodings.iter().map(Encoding::len).max().unwrap_or(0);
        let n_tokens = encodings.iter().map(Encoding::len).collect();
        let mut rows = Rows { ids: Vec::new(), types: Vec::new(), n_tokens, n_columns };
        for encoding in encodings {
            let padding = n_columns - encoding.len();
            // ONNX has 64-bit ids and the session 32-bit ones; vocabularies end far below either.
            rows.ids.extend(encoding.get_ids().iter().map(|id| *id as i32));
            rows.ids.extend(std::iter::repeat_n(self.pad_id as i32, padding));
            rows.types.extend(encoding.get_type_ids().iter().map(|id| *id as i32));
            rows.types.extend(std::iter::repeat_n(0, padding));
        }
        rows
    }
}

/// The id for padding: as the file says, or of a token that is known to mean it.
fn pad_id(tokenizer: &Tokenizer) -> u32 {
    let named = || ["[PAD]", "<pad>"].iter().find_map(|token| tokenizer.token_to_id(token));
    tokenizer.get_padding().map(|padding| padding.pad_id).or_else(named).unwrap_or(0)
}

fn failed(path: &Path, error: &(dyn std::error::Error + Send + Sync)) -> Error {
    Error::model(format!("{} cannot cut a text into tokens: {error}", path.display()))
}

//! The JSON files that sentence-transformers lays beside a model, read as they are.
//!
//! Each is optional and every field in it is. What they mean together is the business of `folder`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use wherein_engine::Result;

use crate::Pooling;
use crate::files::read_json;

/// `1_Pooling/config.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PoolingConfig {
    pub(crate) word_embedding_dimension: Option<u32>,
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
    pooling_mode_lasttoken: bool,
    pooling_mode_max_tokens: bool,
    pooling_mode_mean_sqrt_len_tokens: bool,
    pooling_mode_weightedmean_tokens: bool,
    /// How newer versions say it: one word in place of the flags.
    pooling_mode: Option<String>,
}

impl PoolingConfig {
    /// The one pooling that the file asks for: `Ok(None)` where it asks for none, `Err` with its name where it asks for one that
    /// is not known here.
    pub(crate) fn pooling(&self) -> std::result::Result<Option<Pooling>, String> {
        let flags = [
            (self.pooling_mode_cls_token, "cls"),
            (self.pooling_mode_mean_tokens, "mean"),
            (self.pooling_mode_lasttoken, "last"),
            (self.pooling_mode_max_tokens, "max"),
            (self.pooling_mode_mean_sqrt_len_tokens, "mean_sqrt_len"),
            (self.pooling_mode_weightedmean_tokens, "weightedmean"),
        ];
        let set: Vec<&str> = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, n)| *n).collect();
        let name = match (&self.pooling_mode, set.as_slice()) {
            (Some(name), _) => name.trim_end_matches("token").to_owned(),
            (None, []) => return Ok(None),
            (None, names) => names.join("+"),
        };
        name.parse().map(Some).map_err(|_| name)
    }
}

/// One entry of `modules.json`.
#[derive(Debug, Deserialize)]
struct Module {
    #[serde(default)]
    path: String,
    #[serde(default)]
    r#type: String,
}

/// `sentence_bert_config.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SentenceConfig {
    max_seq_length: Option<u32>,
}

/// `config_sentence_transformers.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PromptConfig {
    prompts: BTreeMap<String, Option<String>>,
}

/// `config.json` of the transformer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TransformerConfig {
    model_type: String,
    pub(crate) hidden_size: Option<u32>,
    max_position_embeddings: Option<u32>,
    position_embedding_type: Option<String>,
}

impl TransformerConfig {
    /// Tokens for which the model has a position; none where positions are computed (ALiBi, rotary).
    pub(crate) fn n_positions(&self) -> Option<u32> {
        let is_learned =
            !matches!(self.position_embedding_type.as_deref(), Some(kind) if kind != "absolute");
        // RoBERTa counts positions from its padding id, 1, on: two rows hold no position.
        let n_unused = if self.model_type.contains("roberta") { 2 } else { 0 };
        self.max_position_embeddings
            .filter(|_| is_learned)
            .map(|rows| rows.saturating_sub(n_unused))
    }
}

/// `tokenizer_config.json`; its maximum is sometimes 1e30, for "none".
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TokenizerConfig {
    model_max_length: Option<f64>,
}

/// All that lies beside a model.
#[derive(Debug)]
pub(crate) struct SideFiles {
    pub(crate) pooling: Option<PoolingConfig>,
    pub(crate) transformer: TransformerConfig,
    max_seq_length: Option<u32>,
    tokenizer_max: Option<u32>,
    prompts: BTreeMap<String, Option<String>>,
}

impl SideFiles {
    pub(crate) fn read(root: &Path) -> Result<SideFiles> {
        let modules: Option<Vec<Module>> = read_json(&root.join("modules.json"))?;
        let pooling_folder = modules
            .iter()
            .flatten()
            .find(|module| module.r#type.ends_with(".Pooling"))
            .map_or("1_Pooling", |module| module.path.as_str());
        let sentence: SentenceConfig = or_default(root, "sentence_bert_config.json")?;
        let prompts: PromptConfig = or_default(root, "config_sentence_transformers.json")?;
        let tokenizer: TokenizerConfig = or_default(root, "tokenizer_config.json")?;
        let sane = |tokens: &f64| (1.0..1e9).contains(tokens);
        Ok(SideFiles {
            pooling: read_json(&root.join(pooling_folder).join("config.json"))?,
            transformer: or_default(root, "config.json")?,
            max_seq_length: sentence.max_seq_length,
            tokenizer_max: tokenizer.model_max_length.filter(sane).map(|tokens| tokens as u32),
            prompts: prompts.prompts,
        })
    }

    /// What the files say of the maximum, the most particular first.
    pub(crate) fn max_tokens(&self) -> Option<u32> {
        self.max_seq_length.or(self.tokenizer_max).or(self.transformer.n_positions())
    }

    pub(crate) fn question_prompt(&self) -> String {
        self.prompt(&["query", "question", "search_query", "s2p_query"])
    }

    pub(crate) fn passage_prompt(&self) -> String {
        self.prompt(&["passage", "document", "search_document"])
    }

    fn prompt(&self, names: &[&str]) -> String {
        names.iter().find_map(|name| self.prompts.get(*name)?.clone()).unwrap_or_default()
    }
}

fn or_default<T: serde::de::DeserializeOwned + Default>(root: &Path, name: &str) -> Result<T> {
    Ok(read_json(&root.join(name))?.unwrap_or_default())
}

//! A model of the store that is loaded when it first has something to embed.
//!
//! Its identity stands in the record, so that an index can be checked, and questions that the cache knows
//! be answered, without loading a session. It must not trust the record further than that: what is loaded is held
//! against it.

use std::sync::{Mutex, PoisonError};

use wherein_engine::{Embedder, ModelIdentity, Result, Role};

use crate::{ModelFolder, ModelInfo, OnnxModel, OnnxOptions};

/// A recorded model with its session, once there is one.
#[derive(Debug)]
pub struct LazyModel {
    folder: ModelFolder,
    identity: ModelIdentity,
    options: OnnxOptions,
    loaded: Mutex<Option<std::sync::Arc<OnnxModel>>>,
}

impl LazyModel {
    /// The model of `folder`, whose files `info` records.
    pub(crate) fn new(folder: ModelFolder, info: &ModelInfo, options: OnnxOptions) -> LazyModel {
        let identity = ModelIdentity {
            pooling: folder.pooling.name().to_owned(),
            question_prefix: folder.question_prefix.clone(),
            passage_prefix: folder.passage_prefix.clone(),
            max_tokens: folder.max_tokens,
            normalised: folder.normalise,
            ..info.identity.clone()
        };
        LazyModel { folder, identity, options, loaded: Mutex::default() }
    }

    /// The session, loaded now if it was not.
    ///
    /// # Errors
    /// Those of [`OnnxModel::load`], and when what lies there is not what was recorded.
    pub fn load(&self) -> Result<std::sync::Arc<OnnxModel>> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = &*loaded {
            return Ok(model.clone());
        }
        let model = OnnxModel::load_recorded(&self.folder, &self.options, &self.identity)?;
        let model = std::sync::Arc::new(model);
        *loaded = Some(model.clone());
        Ok(model)
    }
}

impl Embedder for LazyModel {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn count_tokens(&self, role: Role, texts: &[&str]) -> Result<Vec<usize>> {
        self.load()?.count_tokens(role, texts)
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.load()?.embed(role, texts)
    }
}

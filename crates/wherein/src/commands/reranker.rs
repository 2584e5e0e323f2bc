//! Which model compares the first places of a question again: the one that was named for this run, else that of the
//! folder, else the user's usual one. The built-in one does not; it proposes.
//!
//! A model that is named must be here. One that only the folder names may be missing: the proposal is then the answer,
//! and the answer says why. Must not load anything.

use std::sync::Arc;

use wherein_embed::BuiltinModel;
use wherein_engine::{Embedder, Error, IndexModels, Result};

use super::meaning::{self, Meaning, OF_FOLDER};
use crate::settings::{ModelChoice, Settings};

/// What compares the first places again, or why nothing does.
#[derive(Debug, Clone)]
pub(super) enum Reranker {
    /// This model.
    Model(Arc<dyn Embedder>),
    /// Nothing was asked to.
    Unused,
    /// The model of the folder cannot be used, for this reason.
    Unusable(String),
}

impl Reranker {
    /// What compares places again in an index that was made for `known`, where `meaning` proposes them.
    ///
    /// # Errors
    /// [`wherein_engine::ErrorKind::Model`] when a model that the settings name is not here or does not fit its record.
    pub(super) fn of(
        known: &IndexModels,
        settings: &Settings,
        meaning: &Meaning,
    ) -> Result<Reranker> {
        match meaning {
            // A model with vectors of everything compares the parts of the first places, too.
            Meaning::Model(model) | Meaning::Renewed(model) if model.table().is_none() => {
                return Ok(Reranker::Model(Arc::clone(model)));
            }
            Meaning::Model(_) | Meaning::Renewed(_) => {}
            _ => return Ok(Reranker::Unused),
        }
        // Vectors of everything that give way name a model as well as a folder that never had them.
        let larger = known.vectors.as_ref().filter(|model| !BuiltinModel::reserves(&model.name));
        let of_folder = larger.or(known.reranker.as_ref());
        match (&settings.model, of_folder) {
            (ModelChoice::Named(_), Some(wanted)) if meaning::is_usual(settings) => {
                Ok(Reranker::of_folder(settings, wanted))
            }
            (ModelChoice::OfIndex, Some(wanted)) => Ok(Reranker::of_folder(settings, wanted)),
            (ModelChoice::Named(name), _) if !BuiltinModel::is_named(name) => {
                Ok(Reranker::Model(Arc::new(meaning::model(settings, name)?)))
            }
            _ => Ok(Reranker::Unused),
        }
    }

    fn of_folder(settings: &Settings, wanted: &wherein_engine::ModelIdentity) -> Reranker {
        match meaning::of_store(settings, wanted, OF_FOLDER) {
            Meaning::Model(model) => Reranker::Model(model),
            Meaning::Unusable(why) => Reranker::Unusable(why),
            _ => Reranker::Unused,
        }
    }

    /// The model, for the engine.
    pub(super) fn model(&self) -> Option<Arc<dyn Embedder>> {
        match self {
            Reranker::Model(model) => Some(Arc::clone(model)),
            Reranker::Unused | Reranker::Unusable(_) => None,
        }
    }

    /// What is left when the model failed with `error`.
    pub(super) fn failed(&self, error: &Error) -> Reranker {
        match self {
            Reranker::Model(model) => {
                Reranker::Unusable(meaning::broken(&model.identity().name, error))
            }
            other => other.clone(),
        }
    }

    /// The line for `degraded` of an answer in hybrid mode.
    pub(super) fn lack(&self) -> Option<String> {
        match self {
            Reranker::Unusable(why) => Some(format!("{why}: ranked without it")),
            Reranker::Model(_) | Reranker::Unused => None,
        }
    }
}

//! Models by name, as an evaluation asks for them.

use std::sync::Arc;

use wherein_embed::BuiltinModel;
use wherein_engine::{Embedder, Result};

use super::super::meaning;
use crate::settings::{ModelChoice, Settings};

/// The names that were given, else the model of the settings, else the built-in one.
pub(super) fn names(given: &[String], settings: &Settings) -> Vec<String> {
    match (given, &settings.model) {
        ([], ModelChoice::Named(name)) => vec![name.clone()],
        ([], ModelChoice::OfIndex) => vec![BuiltinModel::NAME.to_owned()],
        ([none], _) if none == "none" => Vec::new(),
        _ => given.to_vec(),
    }
}

/// The models of these names; a name that is given twice counts once.
pub(super) fn load_all(names: &[String], settings: &Settings) -> Result<Vec<Arc<dyn Embedder>>> {
    let mut models: Vec<Arc<dyn Embedder>> = Vec::new();
    for name in names {
        let model = load(name, settings)?;
        if models.iter().all(|known| known.identity() != model.identity()) {
            models.push(model);
        }
    }
    Ok(models)
}

/// The model of that name, shown to work: a damaged one is an error before anything is asked.
pub(super) fn load(name: &str, settings: &Settings) -> Result<Arc<dyn Embedder>> {
    if BuiltinModel::is_named(name) {
        return Ok(Arc::new(BuiltinModel::open()?));
    }
    let model = meaning::model(settings, name)?;
    model.load()?;
    Ok(Arc::new(model))
}

//! Models by name, as an evaluation asks for them.

use std::path::PathBuf;
use std::sync::Arc;

use wherein_embed::{ModelStore, OnnxOptions, Overrides};
use wherein_engine::{Embedder, Error, Result};

/// The models of these names; a name that is given twice counts once.
pub(super) fn load_all(names: &[String], threads: Option<usize>) -> Result<Vec<Arc<dyn Embedder>>> {
    let mut models: Vec<Arc<dyn Embedder>> = Vec::new();
    for name in names {
        let model = load(name, threads)?;
        if models.iter().all(|known| known.identity() != model.identity()) {
            models.push(model);
        }
    }
    Ok(models)
}

/// The model of that name, shown to work: a damaged one is an error before anything is asked.
pub(super) fn load(name: &str, threads: Option<usize>) -> Result<Arc<dyn Embedder>> {
    let options = OnnxOptions { n_threads: threads };
    let store = ModelStore::new(model_dir()?);
    let model = store.model(name, &Overrides::default(), &options)?;
    model.load()?;
    Ok(Arc::new(model))
}

/// Where models live. FOR THE MERGE: `settings.model_dir` takes the place of this function.
fn model_dir() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("WHEREIN_MODEL_DIR").filter(|value| !value.is_empty()) {
        return Ok(PathBuf::from(folder));
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        Error::usage("there is no home folder to keep models in").with_hint("set WHEREIN_MODEL_DIR")
    })?;
    Ok(etcetera::BaseStrategy::data_dir(&strategy).join("wherein").join("models"))
}

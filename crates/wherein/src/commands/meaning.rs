//! Which model compares meanings in a folder: the one that was named for this run, else that of its index, else the
//! user's usual one, else none.
//!
//! A model that is named must be here. One that only the index names may be missing: the question is then answered by
//! words, and the answer says why. Nothing is loaded here; that happens when there is something to embed.

use std::path::Path;
use std::sync::Arc;

use wherein_embed::{LazyModel, ModelStore, OnnxOptions, Overrides};
use wherein_engine::{Embedder, Engine, Error, ErrorKind, Mode, ModelIdentity, Result};

use crate::settings::{Key, ModelChoice, Origin, Settings};

/// What compares meanings, or why nothing does.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// This model.
    Model(Arc<dyn Embedder>),
    /// Nothing was asked to.
    Unused,
    /// There is no model: nobody named one, and the index was made without.
    NoModel,
    /// The model of the index cannot be used, for this reason.
    Unusable(String),
}

impl Meaning {
    /// What compares meanings in the index of `root`.
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when a model that the settings name is not here or does not fit its record.
    pub(super) fn of(root: &Path, settings: &Settings) -> Result<Meaning> {
        let named = match &settings.model {
            ModelChoice::Nothing => return Ok(Meaning::NoModel),
            ModelChoice::Named(name) => Some(name),
            ModelChoice::OfIndex => None,
        };
        // A user's usual model yields to the one that a folder was indexed with.
        if (named.is_none() || is_usual(settings))
            && let Some(identity) = Engine::indexed_model(&settings.index_base, root)
        {
            return Ok(of_index(settings, &identity));
        }
        match named {
            Some(name) => Ok(Meaning::Model(Arc::new(model(settings, name)?))),
            None => Ok(Meaning::NoModel),
        }
    }

    /// The model, for the engine.
    pub(super) fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        match self {
            Meaning::Model(model) => Some(Arc::clone(model)),
            _ => None,
        }
    }

    /// What is left when the model failed with `error`.
    pub(super) fn failed(&self, error: &Error) -> Meaning {
        match self {
            Meaning::Model(model) => Meaning::Unusable(broken(&model.identity().name, error)),
            other => other.clone(),
        }
    }

    /// The mode that can answer when `wanted` was asked for.
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when `wanted` has no other way than a model.
    pub(super) fn mode(&self, wanted: Mode) -> Result<Mode> {
        match (self, wanted) {
            (Meaning::NoModel | Meaning::Unusable(_), Mode::Hybrid) => Ok(Mode::Keyword),
            (Meaning::NoModel, Mode::Semantic) => {
                Err(Error::model("semantic mode needs a model, and this folder's index has none")
                    .with_hint("wherein model list shows them; then: wherein index --model NAME"))
            }
            (Meaning::Unusable(why), Mode::Semantic) => Err(Error::model(why.clone())
                .with_hint("wherein model list shows what is here; --mode keyword needs none")),
            (_, wanted) => Ok(wanted),
        }
    }

    /// The line for `degraded` of an answer in hybrid mode.
    pub(super) fn lack(&self) -> Option<&str> {
        match self {
            Meaning::Model(_) | Meaning::Unused => None,
            Meaning::NoModel => Some(
                "no model: compared by words alone (wherein model list; wherein index --model NAME)",
            ),
            Meaning::Unusable(why) => Some(why),
        }
    }
}

/// Whether the model stands in the user's file, as opposed to being named for this run.
fn is_usual(settings: &Settings) -> bool {
    matches!(settings.origin(Key::Model), Origin::User(_))
}

/// The folder of models.
pub(super) fn store(settings: &Settings) -> Result<ModelStore> {
    let folder = settings.model_dir.clone().ok_or_else(|| {
        Error::usage("no folder for models is known")
            .with_hint("name one with --model-dir DIR or WHEREIN_MODEL_DIR")
    })?;
    Ok(ModelStore::new(folder))
}

/// How sessions run.
pub(super) fn onnx_options(settings: &Settings) -> OnnxOptions {
    OnnxOptions { n_threads: settings.threads }
}

/// The model of that name, as it was added; not loaded yet.
pub(super) fn model(settings: &Settings, name: &str) -> Result<LazyModel> {
    store(settings)?.model(name, &Overrides::default(), &onnx_options(settings))
}

/// The model that made the index, if it is here and still the same.
fn of_index(settings: &Settings, wanted: &ModelIdentity) -> Meaning {
    let name = &wanted.name;
    let folder = settings.model_dir.clone().unwrap_or_default();
    let folder = folder.display();
    match model(settings, name) {
        Ok(model) if model.identity() == wanted => Meaning::Model(Arc::new(model)),
        Ok(_) => Meaning::Unusable(format!(
            "the index was made with another {name} than the one in {folder}; `wherein index --model {name}` \
             makes its vectors anew"
        )),
        Err(error) if error.kind() == ErrorKind::Model && !is_here(settings, name) => {
            Meaning::Unusable(format!(
                "the index was made with {name}, which is not in {folder}; {}",
                way_to(name)
            ))
        }
        Err(error) => Meaning::Unusable(broken(name, &error)),
    }
}

fn broken(name: &str, error: &Error) -> String {
    format!("{error}; `wherein model verify {name}` tells more")
}

/// How a model that is missing is got: the hub has no file of some.
fn way_to(name: &str) -> String {
    let is_fetched = wherein_embed::known(name).is_some_and(|known| !known.files.is_empty());
    match is_fetched {
        true => format!("`wherein model pull {name}`"),
        false => format!("`wherein model add DIR --name {name}`"),
    }
}

fn is_here(settings: &Settings, name: &str) -> bool {
    store(settings).is_ok_and(|store| store.info(name).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(folder: &Path) -> (Settings, ModelIdentity) {
        let settings = Settings::of_test(folder);
        let model = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../wherein-embed/tests/models/bge-small-shaped");
        let added = store(&settings).unwrap().add(&model, "mine", &Overrides::default()).unwrap();
        (settings, added.identity)
    }

    fn why(meaning: &Meaning) -> &str {
        match meaning {
            Meaning::Unusable(why) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_model_of_the_index_serves_while_it_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let (settings, identity) = added(folder.path());
        assert!(matches!(of_index(&settings, &identity), Meaning::Model(_)));
        let other = ModelIdentity { weights_hash: "0".to_owned(), ..identity };
        let meaning = of_index(&settings, &other);
        assert!(why(&meaning).contains("wherein index --model mine"), "{meaning:?}");
    }

    #[test]
    fn a_model_that_is_missing_is_named_with_the_way_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let (settings, identity) = added(folder.path());
        let missing = |name: &str| {
            of_index(&settings, &ModelIdentity { name: name.to_owned(), ..identity.clone() })
        };
        let meaning = missing("bge-m3");
        assert!(why(&meaning).starts_with("the index was made with bge-m3, which is not in "));
        assert!(why(&meaning).ends_with("`wherein model pull bge-m3`"), "{meaning:?}");
        assert!(why(&missing("ours")).ends_with("`wherein model add DIR --name ours`"));
    }

    #[test]
    fn a_damaged_model_is_named_and_leaves_the_words() {
        let folder = tempfile::tempdir().unwrap();
        let (settings, identity) = added(folder.path());
        std::fs::write(folder.path().join("models/mine/model.onnx"), "cut").unwrap();
        let meaning = of_index(&settings, &identity);
        assert!(why(&meaning).contains("model.onnx"), "{meaning:?}");
        assert_eq!(meaning.mode(Mode::Hybrid).unwrap(), Mode::Keyword);
        assert_eq!(meaning.mode(Mode::Semantic).unwrap_err().kind(), ErrorKind::Model);
    }

    #[test]
    fn what_is_named_must_be_here_and_none_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let (mut settings, _) = added(folder.path());
        settings.model = ModelChoice::Named("mine".to_owned());
        assert!(Meaning::of(folder.path(), &settings).unwrap().embedder().is_some());
        settings.model = ModelChoice::Named("other".to_owned());
        assert_eq!(Meaning::of(folder.path(), &settings).unwrap_err().kind(), ErrorKind::Model);
        settings.model = ModelChoice::Nothing;
        assert!(matches!(Meaning::of(folder.path(), &settings).unwrap(), Meaning::NoModel));
    }
}

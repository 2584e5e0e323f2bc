//! Which model compares meanings in a folder: the one that was named for this run, else that of its index, else the
//! user's usual one, else the built-in one.
//!
//! A model that is named must be here. One that only the index names may be missing: the question is then answered by
//! words, and the answer says why. An index that was made with `--model none` stays one of words until a model is named.
//! Nothing is loaded here; that happens when there is something to embed.

use std::path::Path;
use std::sync::Arc;

use wherein_embed::{BuiltinModel, LazyModel, ModelStore, OnnxOptions, Overrides};
use wherein_engine::{Embedder, Engine, Error, ErrorKind, Mode, ModelIdentity, Result};

use crate::settings::{Key, ModelChoice, Origin, Settings};

/// What compares meanings, or why nothing does.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// This model.
    Model(Arc<dyn Embedder>),
    /// The built-in model of this program, in place of the one of another version that made the index.
    Renewed(Arc<dyn Embedder>),
    /// Nothing was asked to; this table makes its rows while files are read, which saves reading them again.
    Aside(Arc<dyn Embedder>),
    /// Nothing was asked to.
    Unused,
    /// Somebody wants no model, now or for this folder.
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
        let indexed = Engine::indexed_model(&settings.index_base, root);
        match (named, &indexed) {
            // A user's usual model yields to the one that a folder was indexed with, and so does the built-in one.
            (None, Some(identity)) => of_index(settings, identity),
            (Some(_), Some(identity)) if is_usual(settings) => of_index(settings, identity),
            (Some(name), _) if !BuiltinModel::is_named(name) => {
                Ok(Meaning::Model(Arc::new(model(settings, name)?)))
            }
            (None, None) if Engine::is_words_only(&settings.index_base, root) => {
                Ok(Meaning::NoModel)
            }
            _ => builtin(indexed.as_ref()),
        }
    }

    /// What makes vectors on the way in the index of `root` although nothing compares meanings. Trouble with a model is
    /// left to those who need one.
    pub(super) fn aside(root: &Path, settings: &Settings) -> Meaning {
        match Meaning::of(root, settings) {
            Ok(Meaning::Model(model)) if model.table().is_some() => Meaning::Aside(model),
            _ => Meaning::Unused,
        }
    }

    /// The model, for the engine.
    pub(super) fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        match self {
            Meaning::Model(model) | Meaning::Renewed(model) | Meaning::Aside(model) => {
                Some(Arc::clone(model))
            }
            _ => None,
        }
    }

    /// What is left when the model failed with `error`.
    pub(super) fn failed(&self, error: &Error) -> Meaning {
        match self {
            Meaning::Model(model) | Meaning::Renewed(model) => {
                Meaning::Unusable(broken(&model.identity().name, error))
            }
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
                Err(Error::model("semantic mode needs a model, and none is wanted here")
                    .with_hint(format!("name one: --model {}", BuiltinModel::NAME)))
            }
            (Meaning::Unusable(why), Mode::Semantic) => Err(Error::model(why.clone())
                .with_hint("wherein model list shows what is here; --mode keyword needs none")),
            (_, wanted) => Ok(wanted),
        }
    }

    /// The line for `degraded` of an answer in hybrid mode.
    pub(super) fn lack(&self) -> Option<&str> {
        match self {
            Meaning::Model(_) | Meaning::Renewed(_) | Meaning::Aside(_) | Meaning::Unused => None,
            Meaning::NoModel => Some(
                "no model is wanted here: compared by words alone (wherein index --model NAME changes that)",
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

/// The model of that name in the store, as it was added; not loaded yet.
pub(super) fn model(settings: &Settings, name: &str) -> Result<LazyModel> {
    store(settings)?.model(name, &Overrides::default(), &onnx_options(settings))
}

/// The built-in model, beside the vectors that the index has.
fn builtin(indexed: Option<&ModelIdentity>) -> Result<Meaning> {
    let model = Arc::new(BuiltinModel::open()?);
    let is_older = |indexed: &ModelIdentity| {
        BuiltinModel::reserves(&indexed.name) && indexed != model.identity()
    };
    Ok(match indexed.is_some_and(is_older) {
        true => Meaning::Renewed(model),
        false => Meaning::Model(model),
    })
}

/// The model that made the index, if it is here and still the same.
fn of_index(settings: &Settings, wanted: &ModelIdentity) -> Result<Meaning> {
    match BuiltinModel::reserves(&wanted.name) {
        true => builtin(Some(wanted)),
        false => Ok(of_store(settings, wanted)),
    }
}

fn of_store(settings: &Settings, wanted: &ModelIdentity) -> Meaning {
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
        assert!(matches!(of_store(&settings, &identity), Meaning::Model(_)));
        let other = ModelIdentity { weights_hash: "0".to_owned(), ..identity };
        let meaning = of_store(&settings, &other);
        assert!(why(&meaning).contains("wherein index --model mine"), "{meaning:?}");
    }

    #[test]
    fn a_model_that_is_missing_is_named_with_the_way_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let (settings, identity) = added(folder.path());
        let missing = |name: &str| {
            of_store(&settings, &ModelIdentity { name: name.to_owned(), ..identity.clone() })
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
        let meaning = of_store(&settings, &identity);
        assert!(why(&meaning).contains("model.onnx"), "{meaning:?}");
        assert_eq!(meaning.mode(Mode::Hybrid).unwrap(), Mode::Keyword);
        assert_eq!(meaning.mode(Mode::Semantic).unwrap_err().kind(), ErrorKind::Model);
    }

    #[test]
    fn a_built_in_model_of_another_version_gives_way() {
        let same = builtin(None).unwrap();
        let identity = same.embedder().unwrap().identity().clone();
        assert!(matches!(builtin(Some(&identity)).unwrap(), Meaning::Model(_)));
        let older = ModelIdentity { name: "builtin-code-v0".to_owned(), ..identity.clone() };
        let other = ModelIdentity { weights_hash: "0".to_owned(), ..identity };
        let settings = Settings::of_test(Path::new("nowhere"));
        for wanted in [older, other] {
            assert!(matches!(of_index(&settings, &wanted).unwrap(), Meaning::Renewed(_)));
        }
    }

    #[test]
    fn what_is_named_must_be_here_and_none_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let (mut settings, _) = added(folder.path());
        settings.model = ModelChoice::Named("mine".to_owned());
        assert!(Meaning::of(folder.path(), &settings).unwrap().embedder().is_some());
        settings.model = ModelChoice::Named("other".to_owned());
        assert_eq!(Meaning::of(folder.path(), &settings).unwrap_err().kind(), ErrorKind::Model);
        settings.model = ModelChoice::OfIndex;
        let usual = Meaning::of(folder.path(), &settings).unwrap().embedder().unwrap();
        assert_eq!(usual.identity().name, BuiltinModel::NAME);
        settings.model = ModelChoice::Nothing;
        assert!(matches!(Meaning::of(folder.path(), &settings).unwrap(), Meaning::NoModel));
    }
}

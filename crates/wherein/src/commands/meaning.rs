//! Which model's vectors propose places in a folder: the built-in one's, unless the index holds all those of another, or
//! is to hold them. What a larger model does with the first places is `reranker`'s.
//!
//! A model that is named must be here. One that only the index names may be missing: the question is then answered by
//! words, and the answer says why. An index that was made with `--model none` stays one of words until a model is named.
//! Nothing is loaded here; that happens when there is something to embed.

use std::sync::Arc;

use wherein_embed::{BuiltinModel, LazyModel, ModelStore, OnnxOptions, Overrides};
use wherein_engine::{Embedder, Error, ErrorKind, IndexModels, Mode, ModelIdentity, Result};

use crate::settings::{Key, ModelChoice, Origin, Settings};

/// What is done with the folder that a model is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// A question is answered: nothing takes the place of another model's vectors.
    Ask,
    /// It is indexed for models that embed what questions touch; whether one of them, or that, was typed.
    Touch { is_typed: bool },
    /// It is indexed so that a larger model has vectors of everything; whether that model was typed.
    All { is_typed: bool },
}

/// What compares meanings, or why nothing does.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// This model.
    Model(Arc<dyn Embedder>),
    /// The built-in model of this program in place of the one of another version, or a larger model in place of the
    /// built-in one: nobody chose what gives way.
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
    /// What compares meanings in an index that was made for `known`.
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when a model that the settings name is not here or does not fit its record.
    pub(super) fn of(known: &IndexModels, settings: &Settings, work: Work) -> Result<Meaning> {
        let named = match &settings.model {
            ModelChoice::Nothing => return Ok(Meaning::NoModel),
            ModelChoice::Named(name) => Some(name.as_str()),
            ModelChoice::OfIndex => None,
        };
        let is_larger = |name: &&str| !BuiltinModel::is_named(name);
        let larger = known.vectors.as_ref().filter(|model| !BuiltinModel::reserves(&model.name));
        match (larger, named.filter(is_larger)) {
            // A user's usual model yields to the one that a folder was indexed with, and so does the built-in one.
            (Some(model), _) if named.is_none() || is_usual(settings) => match work {
                Work::Touch { is_typed: true } => builtin(None),
                _ => Ok(of_store(settings, model, OF_INDEX)),
            },
            (Some(model), Some(name)) if work == (Work::Touch { is_typed: true }) => {
                // What is there already is kept: it proposes as well as compares.
                let is_same = name == model.name && !settings.is_typed(Key::Embed);
                if is_same { named_model(settings, name) } else { builtin(None) }
            }
            (Some(_), Some(name)) => named_model(settings, name),
            (None, name) if matches!(work, Work::All { .. }) => all(known, settings, name),
            (None, None) if named.is_none() && known.is_words_only => Ok(Meaning::NoModel),
            _ => builtin(known.vectors.as_ref()),
        }
    }

    /// What makes vectors on the way although nothing compares meanings. Trouble with a model is left to those who need
    /// one.
    pub(super) fn aside(known: &IndexModels, settings: &Settings) -> Meaning {
        match Meaning::of(known, settings, Work::Ask) {
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
pub(super) fn is_usual(settings: &Settings) -> bool {
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

/// How a folder depends on a model.
const OF_INDEX: &str = "the index was made with";
pub(super) const OF_FOLDER: &str = "the first places here are compared with";

fn named_model(settings: &Settings, name: &str) -> Result<Meaning> {
    Ok(Meaning::Model(Arc::new(model(settings, name)?)))
}

/// The model that is to have all vectors: the named one, else the one that compares the first places; the built-in one
/// where there is neither.
fn all(known: &IndexModels, settings: &Settings, name: Option<&str>) -> Result<Meaning> {
    match (name, &known.reranker) {
        (Some(_), Some(model)) if is_usual(settings) => of_folder(known, settings, model),
        (Some(name), _) => Ok(Meaning::Renewed(Arc::new(model(settings, name)?))),
        (None, Some(model)) if settings.model == ModelChoice::OfIndex => {
            of_folder(known, settings, model)
        }
        _ if known.is_words_only && settings.model == ModelChoice::OfIndex => Ok(Meaning::NoModel),
        _ => builtin(known.vectors.as_ref()),
    }
}

/// The model that a folder remembers; the built-in one proposes while that is not to be had.
fn of_folder(known: &IndexModels, settings: &Settings, model: &ModelIdentity) -> Result<Meaning> {
    match of_store(settings, model, OF_FOLDER) {
        Meaning::Model(model) => Ok(Meaning::Renewed(model)),
        _ => builtin(known.vectors.as_ref()),
    }
}

/// A model that an index names, if it is here and still the same; `depends` says how the index depends on it.
pub(super) fn of_store(settings: &Settings, wanted: &ModelIdentity, depends: &str) -> Meaning {
    let name = &wanted.name;
    let folder = settings.model_dir.clone().unwrap_or_default();
    let folder = folder.display();
    match model(settings, name) {
        Ok(model) if model.identity() == wanted => Meaning::Model(Arc::new(model)),
        Ok(_) => Meaning::Unusable(format!(
            "{depends} another {name} than the one in {folder}; `wherein index --model {name}` \
             makes its vectors anew"
        )),
        Err(error) if error.kind() == ErrorKind::Model && !is_here(settings, name) => {
            Meaning::Unusable(format!(
                "{depends} {name}, which is not in {folder}; {}",
                way_to(name)
            ))
        }
        Err(error) => Meaning::Unusable(broken(name, &error)),
    }
}

pub(super) fn broken(name: &str, error: &Error) -> String {
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
    use std::path::Path;

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
        assert!(matches!(of_store(&settings, &identity, OF_INDEX), Meaning::Model(_)));
        let other = ModelIdentity { weights_hash: "0".to_owned(), ..identity };
        let meaning = of_store(&settings, &other, OF_INDEX);
        assert!(why(&meaning).contains("wherein index --model mine"), "{meaning:?}");
    }

    #[test]
    fn a_model_that_is_missing_is_named_with_the_way_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let (settings, identity) = added(folder.path());
        let missing = |name: &str| {
            let wanted = ModelIdentity { name: name.to_owned(), ..identity.clone() };
            of_store(&settings, &wanted, OF_INDEX)
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
        let meaning = of_store(&settings, &identity, OF_INDEX);
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
            let known = IndexModels { vectors: Some(wanted), ..IndexModels::default() };
            let meaning = Meaning::of(&known, &settings, Work::Ask).unwrap();
            assert!(matches!(meaning, Meaning::Renewed(_)));
        }
    }

    #[test]
    fn the_built_in_model_proposes_unless_all_vectors_are_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let (mut settings, identity) = added(folder.path());
        let (asked, touch, all) =
            (Work::Ask, Work::Touch { is_typed: true }, Work::All { is_typed: true });
        let name = |settings: &Settings, known: &IndexModels, work: Work| {
            let meaning = Meaning::of(known, settings, work).unwrap();
            meaning.embedder().map(|model| model.identity().name.clone())
        };
        let builtin = || Some(BuiltinModel::NAME.to_owned());
        let none = IndexModels::default();
        let touched = IndexModels { reranker: Some(identity.clone()), ..none.clone() };
        let full = IndexModels { vectors: Some(identity), ..none.clone() };
        let mine = Some("mine".to_owned());
        for work in [asked, touch] {
            assert_eq!(name(&settings, &touched, work), builtin());
        }
        assert_eq!(name(&settings, &touched, all), mine);
        assert_eq!(name(&settings, &full, asked), mine);
        assert_eq!(name(&settings, &full, touch), builtin());
        assert_eq!(name(&settings, &none, all), builtin());
        settings.model = ModelChoice::Named("mine".to_owned());
        for (work, wanted) in [(asked, builtin()), (touch, builtin()), (all, mine.clone())] {
            assert_eq!(name(&settings, &none, work), wanted);
        }
        assert_eq!(name(&settings, &full, touch), mine);
        settings.model = ModelChoice::Nothing;
        assert_eq!(name(&settings, &full, asked), None);
    }
}

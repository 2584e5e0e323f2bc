//! What a model folder says about its model: a plain description, overridable.
//!
//! Reads the layout of sentence-transformers and of its ONNX exports. It opens no session and checks only what reading takes; `onnx`
//! holds the description against the model itself.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use wherein_engine::{Error, ModelIdentity, Result};

use crate::side_files::SideFiles;
use crate::{KnownModel, Pooling, external};

/// Tokens read where nothing in the folder says how many.
const DEFAULT_MAX_TOKENS: u32 = 512;

/// A model's files and how to use them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFolder {
    /// What people call it.
    pub name: String,
    /// The folder.
    pub root: PathBuf,
    /// The ONNX graph.
    pub onnx: PathBuf,
    /// Files beside the graph that hold its weights, sorted.
    pub external_data: Vec<PathBuf>,
    /// `tokenizer.json`.
    pub tokenizer: PathBuf,
    /// How token vectors become one.
    pub pooling: Pooling,
    /// Whether vectors get length one. They do unless overridden: search compares directions.
    pub normalise: bool,
    /// Tokens read of a text, prefix and special tokens included.
    pub max_tokens: u32,
    /// Components of a vector, where the folder says so.
    pub dimensions: Option<u32>,
    /// Put in front of each question.
    pub question_prefix: String,
    /// Put in front of each passage.
    pub passage_prefix: String,
    /// blake3 of files as they were recorded, by path relative to `root`; empty outside a store.
    pub expected_hashes: BTreeMap<String, String>,
}

/// What the caller knows better than the folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The ONNX file, relative to the folder, where there are several.
    pub onnx: Option<PathBuf>,
    /// In place of `1_Pooling/config.json`.
    pub pooling: Option<Pooling>,
    /// `Some(false)` leaves vectors at their length.
    pub normalise: Option<bool>,
    /// In place of `sentence_bert_config.json`; never more than the model has positions.
    pub max_tokens: Option<u32>,
    /// In place of `config_sentence_transformers.json`.
    pub question_prefix: Option<String>,
    /// In place of `config_sentence_transformers.json`.
    pub passage_prefix: Option<String>,
}

impl Overrides {
    /// These, with what is known of a named model where they say nothing.
    #[must_use]
    pub fn or_known(mut self, known: &KnownModel) -> Overrides {
        self.pooling = self.pooling.or(Some(known.pooling));
        self.max_tokens = self.max_tokens.or(Some(known.default_max_tokens));
        self.question_prefix =
            self.question_prefix.or_else(|| Some(known.question_prefix.to_owned()));
        self.passage_prefix = self.passage_prefix.or_else(|| Some(known.passage_prefix.to_owned()));
        self
    }
}

impl Overrides {
    /// These, with what was recorded when the model was added where they say nothing.
    pub(crate) fn or_recorded(mut self, identity: &ModelIdentity) -> Result<Overrides> {
        self.pooling =
            self.pooling.map_or_else(|| identity.pooling.parse().map(Some), |p| Ok(Some(p)))?;
        self.normalise = self.normalise.or(Some(identity.normalised));
        self.max_tokens = self.max_tokens.or(Some(identity.max_tokens));
        self.question_prefix =
            self.question_prefix.or_else(|| Some(identity.question_prefix.clone()));
        self.passage_prefix = self.passage_prefix.or_else(|| Some(identity.passage_prefix.clone()));
        Ok(self)
    }
}

impl ModelFolder {
    /// Describes the model that lies in `root`.
    pub fn read(root: &Path, name: &str, overrides: &Overrides) -> Result<ModelFolder> {
        if !root.is_dir() {
            return Err(Error::model(format!("there is no model folder {}", root.display()))
                .with_hint("give the folder that holds model.onnx and tokenizer.json"));
        }
        let onnx = find_onnx(root, overrides.onnx.as_deref())?;
        let side = SideFiles::read(root)?;
        let named_dimensions = side.pooling.as_ref().and_then(|file| file.word_embedding_dimension);
        let prefix = |given: &Option<String>, prompt: String| given.clone().unwrap_or(prompt);
        Ok(ModelFolder {
            name: name.to_owned(),
            root: root.to_owned(),
            external_data: find_external_data(&onnx)?,
            tokenizer: find_tokenizer(root, &onnx)?,
            onnx,
            pooling: pooling(root, &side, overrides.pooling)?,
            normalise: overrides.normalise.unwrap_or(true),
            max_tokens: max_tokens(root, &side, overrides.max_tokens)?,
            dimensions: named_dimensions.or(side.transformer.hidden_size),
            question_prefix: prefix(&overrides.question_prefix, side.question_prompt()),
            passage_prefix: prefix(&overrides.passage_prefix, side.passage_prompt()),
            expected_hashes: BTreeMap::new(),
        })
    }

    /// The files that hold the weights: the graph, then its external data.
    pub fn weight_files(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(self.onnx.as_path()).chain(self.external_data.iter().map(PathBuf::as_path))
    }
}

/// `model.onnx`, else `onnx/model.onnx`, else the only other `model*.onnx`.
fn find_onnx(root: &Path, wanted: Option<&Path>) -> Result<PathBuf> {
    let plain = ["model.onnx", "onnx/model.onnx"].map(PathBuf::from);
    let wanted = match wanted {
        None => plain.to_vec(),
        Some(path) => vec![below(root, path)?],
    };
    if let Some(found) = wanted.iter().map(|path| root.join(path)).find(|path| path.is_file()) {
        return Ok(found);
    }
    let mut others = list_onnx(root);
    others.extend(list_onnx(&root.join("onnx")));
    let folder = root.display();
    match (others.as_slice(), wanted.len()) {
        ([only], 2) => Ok(only.clone()),
        ([], 2) => Err(Error::model(format!("there is no model.onnx in {folder}")).with_hint(
            "export the model with `optimum-cli export onnx`, or give the folder that holds it",
        )),
        (_, 2) => Err(Error::model(format!("{folder} holds several ONNX files and no model.onnx"))
            .with_hint(format!("name one of: {}", names(&others)))),
        (others, _) => {
            let error = Error::model(format!("there is no {} in {folder}", wanted[0].display()));
            Err(match others {
                [] => error.with_hint("name a file of the folder that ends with .onnx"),
                others => error.with_hint(format!("it holds: {}", names(others))),
            })
        }
    }
}

/// A file that the caller names, relative to the folder: one elsewhere would be copied onto itself.
fn below(root: &Path, path: &Path) -> Result<PathBuf> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let is_plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if relative.components().all(is_plain) {
        return Ok(relative.to_owned());
    }
    Err(Error::usage(format!("{} does not lie in {}", path.display(), root.display()))
        .with_hint("name the ONNX file relative to the folder: onnx/model.onnx"))
}

fn list_onnx(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with("model") && name.ends_with(".onnx")
        })
        .collect();
    found.sort();
    found
}

fn names(paths: &[PathBuf]) -> String {
    let names = paths.iter().map(|path| path.file_name().unwrap_or_default().to_string_lossy());
    names.collect::<Vec<_>>().join(", ")
}

fn find_external_data(onnx: &Path) -> Result<Vec<PathBuf>> {
    let bytes = std::fs::read(onnx).map_err(|error| Error::io("read", onnx, &error))?;
    let damaged = |_| {
        Error::model(format!("{} is damaged or cut short: it is no ONNX model", onnx.display()))
            .with_hint(
                "fetch the file again; an unfinished download or a git-lfs pointer looks like this",
            )
    };
    let locations = external::locations(&bytes).map_err(damaged)?;
    let folder = onnx.parent().unwrap_or(Path::new(""));
    locations.iter().map(|location| beside(folder, location, onnx)).collect()
}

/// A file of weights, which must lie beside or below its graph.
fn beside(folder: &Path, location: &str, onnx: &Path) -> Result<PathBuf> {
    let is_plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let path = folder.join(location);
    if !Path::new(location).components().all(is_plain) {
        let message = format!("{} keeps weights outside its folder: {location}", onnx.display());
        return Err(Error::model(message).with_hint("export the model again, into one folder"));
    }
    if !path.is_file() {
        return Err(Error::model(format!("{} is missing", path.display()))
            .with_hint(format!("{} keeps its weights there; fetch both", onnx.display())));
    }
    Ok(path)
}

fn find_tokenizer(root: &Path, onnx: &Path) -> Result<PathBuf> {
    let beside = onnx.parent().unwrap_or(root);
    let found = [root, beside].map(|folder| folder.join("tokenizer.json"));
    found.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        Error::model(format!("there is no tokenizer.json in {}", root.display()))
            .with_hint("copy it from where the model came from; vocab.txt alone is not enough")
    })
}

fn pooling(root: &Path, side: &SideFiles, wanted: Option<Pooling>) -> Result<Pooling> {
    let said = match (wanted, &side.pooling) {
        (Some(pooling), _) => return Ok(pooling),
        (None, None) => None,
        (None, Some(file)) => file.pooling().map_err(|name| {
            let message = format!("the model in {} wants the pooling '{name}'", root.display());
            Error::model(message)
                .with_hint("cls, mean and last are known; override it if one of them serves")
        })?,
    };
    Ok(said.unwrap_or(Pooling::Mean))
}

fn max_tokens(root: &Path, side: &SideFiles, wanted: Option<u32>) -> Result<u32> {
    let positions = side.transformer.n_positions().unwrap_or(u32::MAX);
    match wanted {
        Some(0) => Err(Error::usage("a model must read at least one token")
            .with_hint("give a limit from 1 up; special tokens count, too")),
        Some(tokens) if tokens > positions => {
            let folder = root.display();
            Err(Error::usage(format!(
                "the model in {folder} reads {positions} tokens, not {tokens}"
            ))
            .with_hint(format!("give a limit of at most {positions}")))
        }
        Some(tokens) => Ok(tokens),
        None => Ok(side.max_tokens().unwrap_or(DEFAULT_MAX_TOKENS).min(positions)),
    }
}

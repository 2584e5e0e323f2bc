//! What each setting takes, the defaults, and how values are shown.
//!
//! An error names the source of the bad value, because it may stand in a file the user never saw.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::str::FromStr;
use std::time::Duration;

use wherein_embed::BuiltinModel;
use wherein_engine::{EngineOptions, Error, Fusion, Mode, Profile, Result};

use super::parse::{
    at_least_one, decimal, directory, file, number, one, owned, seconds, size, texts, truth,
};
use super::{Folders, Key, Origin, Settings, StoreSettings};

/// The most places of each list that fusion takes: more would sort whole indexes for nothing.
const MAX_FUSION_DEPTH: usize = 10_000;

/// Which model compares meanings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ModelChoice {
    /// The one that the index was made with, else the built-in one.
    OfIndex,
    /// None, whatever the index holds.
    Nothing,
    /// The one of that name.
    Named(String),
}

impl ModelChoice {
    fn parse(text: &str) -> Result<ModelChoice> {
        match text.trim() {
            "" => Err(Error::usage("takes the name of a model, or none")
                .with_hint("wherein model list shows the names")),
            "none" => Ok(ModelChoice::Nothing),
            name => Ok(ModelChoice::Named(name.to_owned())),
        }
    }
}

/// What of a folder is embedded with a model that is not built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Embed {
    /// What questions touch, when they do.
    #[default]
    Touched,
    /// All of it, by `wherein index`.
    All,
}

impl Embed {
    fn as_str(self) -> &'static str {
        match self {
            Embed::Touched => "touched",
            Embed::All => "all",
        }
    }
}

impl FromStr for Embed {
    type Err = Error;

    fn from_str(text: &str) -> Result<Embed> {
        [Embed::Touched, Embed::All].into_iter().find(|embed| embed.as_str() == text).ok_or_else(
            || {
                Error::usage(format!("'{text}' is not known")).with_hint(
                    "it is touched (what questions touch) or all (the whole folder, by wherein index)",
                )
            },
        )
    }
}

/// When to do something that depends on the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

impl When {
    fn as_str(self) -> &'static str {
        match self {
            When::Auto => "auto",
            When::Always => "always",
            When::Never => "never",
        }
    }
}

impl FromStr for When {
    type Err = Error;

    fn from_str(text: &str) -> Result<When> {
        [When::Auto, When::Always, When::Never]
            .into_iter()
            .find(|when| when.as_str() == text)
            .ok_or_else(|| {
                Error::usage(format!("'{text}' is not known"))
                    .with_hint("it is auto, always or never")
            })
    }
}

impl Settings {
    /// A question may wait this long for vectors: it should not make a large folder's index by meaning unasked.
    const EMBED_WITHIN: Duration = Duration::from_secs(10);

    /// What holds when nobody says anything.
    pub(super) fn defaults(folders: Folders) -> Settings {
        Settings {
            mode: Mode::default(),
            limit: None,
            context: 0,
            kinds: Vec::new(),
            symbol_kinds: Vec::new(),
            languages: Vec::new(),
            not_paths: Vec::new(),
            color: When::Auto,
            hyperlink: When::Auto,
            index_base: folders.index_base.unwrap_or_default(),
            profile: Profile::default(),
            include_sensitive: false,
            max_file_bytes: EngineOptions::MAX_FILE_BYTES,
            threads: None,
            commit_every: EngineOptions::COMMIT_EVERY,
            model: ModelChoice::OfIndex,
            model_dir: folders.models,
            vectors: None,
            embed: Embed::default(),
            embed_within: Settings::EMBED_WITHIN,
            fusion: Fusion::default(),
            repositories_file: None,
            store: StoreSettings::default(),
            repositories: Vec::new(),
            exclude: Vec::new(),
            yes: false,
            no_refresh: false,
            quiet: false,
            origins: BTreeMap::new(),
        }
    }

    /// Takes a value as text; the error of a bad one names its origin.
    pub(super) fn set(&mut self, key: Key, raw: &[OsString], origin: &Origin) -> Result<()> {
        self.parse(key, raw).map_err(|error| {
            let named = Error::new(error.kind(), format!("{} ({origin}): {error}", key.name()));
            match error.hint() {
                Some(hint) => named.with_hint(hint),
                None => named,
            }
        })?;
        self.origins.insert(key, origin.clone());
        Ok(())
    }

    fn parse(&mut self, key: Key, raw: &[OsString]) -> Result<()> {
        match key {
            Key::Mode => self.mode = one(raw)?.parse()?,
            Key::Limit => self.limit = Some(at_least_one(one(raw)?)?),
            Key::Context => self.context = number(one(raw)?)?,
            Key::Kinds => {
                self.kinds = texts(raw)?.into_iter().map(str::parse).collect::<Result<_>>()?;
            }
            Key::SymbolKinds => {
                self.symbol_kinds =
                    texts(raw)?.into_iter().map(str::parse).collect::<Result<_>>()?;
            }
            Key::Languages => self.languages = owned(raw)?,
            Key::NotPaths => self.not_paths = owned(raw)?,
            Key::Color => self.color = one(raw)?.parse()?,
            Key::Hyperlink => self.hyperlink = one(raw)?.parse()?,
            Key::IndexDir => self.index_base = directory(raw)?,
            Key::Profile => self.profile = one(raw)?.parse()?,
            Key::IncludeSensitive => self.include_sensitive = truth(one(raw)?)?,
            Key::MaxFileSize => self.max_file_bytes = size(one(raw)?)?,
            Key::Threads => self.threads = Some(at_least_one(one(raw)?)?),
            Key::CommitEveryMs => {
                self.commit_every = Duration::from_millis(at_least_one(one(raw)?)? as u64);
            }
            Key::Model => self.model = ModelChoice::parse(one(raw)?)?,
            Key::ModelDir => self.model_dir = Some(directory(raw)?),
            Key::Vectors => self.vectors = Some(one(raw)?.parse()?),
            Key::Embed => self.embed = one(raw)?.parse()?,
            Key::EmbedWithin => self.embed_within = seconds(one(raw)?)?,
            Key::Fusion => self.fusion.method = one(raw)?.parse()?,
            Key::RrfK => self.fusion.k = decimal(one(raw)?)?,
            Key::FusionDepth => {
                self.fusion.depth = at_least_one(one(raw)?)?.min(MAX_FUSION_DEPTH);
            }
            Key::KeywordWeight => self.fusion.keyword_weight = decimal(one(raw)?)?,
            Key::SemanticWeight => self.fusion.semantic_weight = decimal(one(raw)?)?,
            Key::Repositories => self.repositories_file = Some(file(raw)?),
            Key::Store
            | Key::QdrantUrl
            | Key::QdrantApiSecret
            | Key::Collection
            | Key::RepositoryName
            | Key::Sparse
            | Key::SparseK
            | Key::SparseB
            | Key::VectorSearch
            | Key::StoreTimeout => self.store.set(key, one(raw)?)?,
            Key::Yes => self.yes = truth(one(raw)?)?,
            Key::NoRefresh => self.no_refresh = truth(one(raw)?)?,
            Key::Quiet => self.quiet = truth(one(raw)?)?,
        }
        Ok(())
    }

    /// Whether `key` was typed as a flag.
    pub(crate) fn is_typed(&self, key: Key) -> bool {
        matches!(self.origin(key), Origin::Flag(_))
    }

    /// What only all values together can tell.
    pub(super) fn check(&self) -> Result<()> {
        let Fusion { keyword_weight, semantic_weight, .. } = self.fusion;
        if keyword_weight == 0.0 && semantic_weight == 0.0 {
            return Err(Error::usage("keyword_weight and semantic_weight are both 0")
                .with_hint("let one of the two lists count"));
        }
        Ok(())
    }

    /// Where the value of `key` came from.
    pub(crate) fn origin(&self, key: Key) -> Origin {
        self.origins.get(&key).cloned().unwrap_or(Origin::Default)
    }

    /// These settings for the index of another folder, whose own are `own`: the question is asked as here, and its files
    /// are those of that folder.
    pub(crate) fn for_another(&self, own: &Settings, exclude: &[String]) -> Settings {
        let mut settings = self.clone();
        settings.profile = own.profile;
        settings.not_paths.clone_from(&own.not_paths);
        settings.exclude = exclude.to_vec();
        for key in [Key::Profile, Key::NotPaths] {
            settings.origins.insert(key, own.origin(key));
        }
        settings
    }

    /// How hybrid mode makes one list of two, where anybody said anything of it; as suits the model otherwise.
    pub(crate) fn asked_fusion(&self) -> Option<Fusion> {
        let keys =
            [Key::Fusion, Key::RrfK, Key::FusionDepth, Key::KeywordWeight, Key::SemanticWeight];
        keys.iter().any(|key| self.origins.contains_key(key)).then_some(self.fusion)
    }

    /// The value of `key` as a settings file would hold it.
    pub(crate) fn shown(&self, key: Key) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let list = |items: Vec<&str>| toml::Value::from(items).to_string();
        match key {
            Key::Mode => quoted(self.mode.as_str()),
            Key::Limit => shown_or(self.limit, "10 (all in exact and regex mode)"),
            Key::Context => self.context.to_string(),
            Key::Kinds => list(self.kinds.iter().map(|kind| kind.as_str()).collect()),
            Key::SymbolKinds => list(self.symbol_kinds.iter().map(|kind| kind.as_str()).collect()),
            Key::Languages => list(self.languages.iter().map(String::as_str).collect()),
            Key::NotPaths => list(self.not_paths.iter().map(String::as_str).collect()),
            Key::Color => quoted(self.color.as_str()),
            Key::Hyperlink => quoted(self.hyperlink.as_str()),
            Key::IndexDir => quoted(&self.index_base.to_string_lossy()),
            Key::Profile => quoted(self.profile.as_str()),
            Key::IncludeSensitive => self.include_sensitive.to_string(),
            Key::MaxFileSize => self.max_file_bytes.to_string(),
            Key::Threads => shown_or(self.threads, "one per core"),
            Key::CommitEveryMs => self.commit_every.as_millis().to_string(),
            Key::Model => match &self.model {
                ModelChoice::OfIndex => {
                    format!("the one of the index, else {}", BuiltinModel::NAME)
                }
                ModelChoice::Nothing => quoted("none"),
                ModelChoice::Named(name) => quoted(name),
            },
            Key::ModelDir => quoted(&self.model_dir.clone().unwrap_or_default().to_string_lossy()),
            Key::Vectors => self.vectors.map_or_else(
                || "as the index has it, else int8 (built-in model) or f32".to_owned(),
                |v| quoted(v.as_str()),
            ),
            Key::Embed => quoted(self.embed.as_str()),
            Key::EmbedWithin => self.embed_within.as_secs_f64().to_string(),
            Key::Fusion => quoted(self.fusion.method.as_str()),
            Key::RrfK => self.fusion.k.to_string(),
            Key::FusionDepth => self.fusion.depth.to_string(),
            Key::KeywordWeight => self.fusion.keyword_weight.to_string(),
            Key::SemanticWeight => self.fusion.semantic_weight.to_string(),
            Key::Repositories => match &self.repositories_file {
                Some(file) => quoted(&file.to_string_lossy()),
                None => "none beside the tables of settings files".to_owned(),
            },
            Key::Store
            | Key::QdrantUrl
            | Key::QdrantApiSecret
            | Key::Collection
            | Key::RepositoryName
            | Key::Sparse
            | Key::SparseK
            | Key::SparseB
            | Key::VectorSearch
            | Key::StoreTimeout => self.store.shown(key),
            Key::Yes => self.yes.to_string(),
            Key::NoRefresh => self.no_refresh.to_string(),
            Key::Quiet => self.quiet.to_string(),
        }
    }
}

/// A number, or in words what holds without one.
fn shown_or(value: Option<usize>, otherwise: &str) -> String {
    value.map_or_else(|| otherwise.to_owned(), |value| value.to_string())
}

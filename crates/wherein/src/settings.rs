//! Settings, resolved once: flag → environment → project file → user file → default.
//!
//! Every value passes through the same parser whatever it came from, and keeps its origin for
//! `wherein config --origin`. Later code takes this struct and never looks at flags again.

mod files;
mod flags;
mod keys;
mod origin;
mod parse;
mod store;
mod values;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use files::SettingsFile;
use wherein_engine::{Fusion, Kind, Mode, Profile, Result, SymbolKind, VectorEncoding};

pub(crate) use files::{Folders, PROJECT_FILE, user_file};
pub(crate) use flags::Flags;
pub(crate) use keys::Key;
pub(crate) use origin::Origin;
pub(crate) use store::{StoreKind, StoreSettings};
pub(crate) use values::{Embed, ModelChoice, When};

use crate::repositories::{self, Declared};

/// Values in force, with where each came from.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) mode: Mode,
    /// `None`: ten in ranked modes, all in exact and regex mode.
    pub(crate) limit: Option<usize>,
    pub(crate) context: usize,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) symbol_kinds: Vec<SymbolKind>,
    pub(crate) languages: Vec<String>,
    pub(crate) not_paths: Vec<String>,
    pub(crate) color: When,
    pub(crate) hyperlink: When,
    pub(crate) index_base: PathBuf,
    pub(crate) profile: Profile,
    pub(crate) include_sensitive: bool,
    pub(crate) max_file_bytes: u64,
    /// `None`: one per core.
    pub(crate) threads: Option<usize>,
    pub(crate) commit_every: std::time::Duration,
    pub(crate) model: ModelChoice,
    /// Where models live; `None` where the system has no place for them and nobody named one.
    pub(crate) model_dir: Option<PathBuf>,
    /// `None`: as the index has it, else the engine's default.
    pub(crate) vectors: Option<VectorEncoding>,
    /// Which chunks `wherein index` embeds with a model that is not built in.
    pub(crate) embed: Embed,
    /// How long a question may embed before it answers from what there is.
    pub(crate) embed_within: std::time::Duration,
    pub(crate) fusion: Fusion,
    /// A file that declares repositories and nothing else.
    pub(crate) repositories_file: Option<PathBuf>,
    /// Where indexes are kept, and how a store is asked.
    pub(crate) store: StoreSettings,
    /// The declared repositories of all sources, in order of name; of two with one name the stronger source's.
    pub(crate) repositories: Vec<Declared>,
    /// What a repository leaves out; not a key, but of its declaration.
    pub(crate) exclude: Vec<String>,
    pub(crate) yes: bool,
    pub(crate) no_refresh: bool,
    pub(crate) quiet: bool,
    origins: BTreeMap<Key, Origin>,
}

/// One source of settings: its values as text, with their origins.
pub(crate) type Layer = Vec<(Key, Vec<OsString>, Origin)>;

/// The sources that do not depend on which folder is searched, weakest first.
#[derive(Debug, Clone)]
pub(crate) struct Sources {
    folders: Folders,
    user: SettingsFile,
    environment: Layer,
    flags: Layer,
    /// Those of the file that a flag, the environment or the user's file names.
    named: Vec<Declared>,
}

impl Sources {
    /// Reads the user file and the environment, and takes the flags as typed.
    pub(crate) fn read(flags: &Flags) -> Result<Sources> {
        let user = match user_file() {
            Some(path) => files::user(&path)?,
            None => SettingsFile::default(),
        };
        let mut sources = Sources {
            folders: Folders::of_user(),
            user,
            environment: environment_layer(|name| std::env::var_os(name)),
            flags: flags.layer(),
            named: Vec::new(),
        };
        let early = sources.before_project()?;
        if let Some(file) = &early.repositories_file {
            sources.named = files::repositories(file, &early.origin(Key::Repositories))?;
        }
        Ok(sources)
    }

    /// Settings as far as they are known before the folder is: without its project file.
    pub(crate) fn before_project(&self) -> Result<Settings> {
        self.resolve(&SettingsFile::default())
    }

    /// All settings for the folder `root`.
    pub(crate) fn for_root(&self, root: &Path) -> Result<Settings> {
        self.resolve(&files::project(&root.join(PROJECT_FILE))?)
    }

    fn resolve(&self, project: &SettingsFile) -> Result<Settings> {
        let mut settings = Settings::defaults(self.folders.clone());
        for layer in [&self.user.layer, &project.layer, &self.environment, &self.flags] {
            for (key, raw, origin) in layer {
                settings.set(*key, raw, origin)?;
            }
        }
        settings.check()?;
        let declared = [&self.user.repositories[..], &project.repositories, &self.named];
        settings.repositories = repositories::merged(&declared);
        Ok(settings)
    }
}

/// The environment as a layer: one variable a key, lists split at commas, empty variables ignored.
fn environment_layer(variable: impl Fn(&str) -> Option<OsString>) -> Layer {
    let mut layer = Layer::new();
    for key in Key::ALL {
        let Some(value) = variable(key.env()).filter(|value| !value.is_empty()) else {
            continue;
        };
        let raw = match value.to_str() {
            Some(text) if key.is_list() => text.split(',').map(|item| item.trim().into()).collect(),
            _ => vec![value],
        };
        layer.push((key, raw, Origin::Environment(key.env())));
    }
    layer
}

#[cfg(test)]
impl Settings {
    /// The defaults with folders of a test's own.
    pub(crate) fn of_test(folder: &Path) -> Settings {
        let index_base = Some(folder.join("index"));
        Settings::defaults(Folders { index_base, models: Some(folder.join("models")) })
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;

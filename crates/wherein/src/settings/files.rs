//! Settings files: the project's `.wherein.toml` and the user's `config.toml`.
//!
//! A project file is hostile input: it is small, a regular file, holds harmless keys only, and what it
//! says is never echoed unescaped. Both files refuse keys they do not know. `[[repository]]` tables in them are
//! `repositories`' to read.

use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use wherein_engine::{Error, Result};

use super::{Key, Layer, Origin};
use crate::repositories::{self, Declared, Writer};

/// The project file's name, at the root of the searched folder.
pub(crate) const PROJECT_FILE: &str = ".wherein.toml";

/// No settings file is larger than this.
const MAX_BYTES: u64 = 64 * 1024;

/// Nor a file of repositories, of which an organisation has thousands.
const MAX_REPOSITORIES_BYTES: u64 = 4 * 1024 * 1024;

/// What a settings file says.
#[derive(Debug, Clone, Default)]
pub(super) struct SettingsFile {
    pub(super) layer: Layer,
    pub(super) repositories: Vec<Declared>,
}

/// The user's file, where the system has a place for such files.
pub(crate) fn user_file() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.config_dir().join("wherein").join("config.toml"))
}

/// Where indexes and models live when nobody names a place; each `None` where the system has none.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folders {
    /// Below the user's cache directory: indexes can be made again.
    pub(crate) index_base: Option<PathBuf>,
    /// Below the user's data directory: models were fetched or added on purpose.
    pub(crate) models: Option<PathBuf>,
}

impl Folders {
    /// Those of the user who runs the program.
    pub(crate) fn of_user() -> Folders {
        let Ok(strategy) = etcetera::choose_base_strategy() else {
            return Folders::default();
        };
        Folders {
            index_base: Some(strategy.cache_dir().join("wherein")),
            models: Some(strategy.data_dir().join("wherein").join("models")),
        }
    }
}

/// The user's file; empty when there is none.
pub(super) fn user(path: &Path) -> Result<SettingsFile> {
    settings_file(path, Writer::User, &Origin::User(path.to_owned()))
}

/// A project file; empty when there is none.
pub(super) fn project(path: &Path) -> Result<SettingsFile> {
    let file = settings_file(path, Writer::Anyone, &Origin::Project(path.to_owned()))?;
    match file.layer.iter().find(|(key, ..)| !key.allowed_in_project()) {
        None => Ok(file),
        Some((key, ..)) => Err(refused(path, *key)),
    }
}

/// The repositories of a file that holds nothing else.
///
/// # Errors
/// Where there is no such file: somebody named it.
pub(super) fn repositories(path: &Path, origin: &Origin) -> Result<Vec<Declared>> {
    let text = read(path, MAX_REPOSITORIES_BYTES)?.ok_or_else(|| {
        Error::usage(format!("there is no file {} ({origin})", path.display()))
            .with_hint("name a TOML file with [[repository]] tables")
    })?;
    repositories::named_file(&text, path, origin)
}

fn refused(path: &Path, key: Key) -> Error {
    let name = key.name();
    Error::usage(format!("{} sets {name}, which a project file may not", path.display()))
        .with_hint(format!("remove it there; use {} or {} yourself", key.flag(), key.env()))
}

fn settings_file(path: &Path, writer: Writer, origin: &Origin) -> Result<SettingsFile> {
    let Some(text) = read(path, MAX_BYTES)? else {
        return Ok(SettingsFile::default());
    };
    let mut table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let place = error.span().map_or(1, |span| line_of(&text, span.start));
        let what = error.message().lines().next().unwrap_or_default();
        Error::usage(format!("{}:{place}: {what}", path.display()))
            .with_hint("settings files are TOML: limit = 5")
    })?;
    let declared = match table.remove(repositories::KEY) {
        Some(value) => repositories::declared(value, path, writer, origin)?,
        None => Vec::new(),
    };
    let layer = table.into_iter().map(|(name, value)| entry(path, &name, value, origin));
    Ok(SettingsFile { layer: layer.collect::<Result<_>>()?, repositories: declared })
}

/// The 1-based line that holds byte `offset`.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

/// The file's text; `None` when there is no such file.
fn read(path: &Path, max_bytes: u64) -> Result<Option<String>> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(Error::io("read", path, &error)),
    };
    if !metadata.is_file() || metadata.len() > max_bytes {
        return Err(Error::usage(format!("{} is not a settings file", path.display())).with_hint(
            format!("a settings file is a regular file of at most {} KiB", max_bytes / 1024),
        ));
    }
    let mut text = String::new();
    fs::File::open(path)
        .and_then(|file| file.take(max_bytes).read_to_string(&mut text))
        .map_err(|error| Error::io("read", path, &error))?;
    Ok(Some(text))
}

fn entry(
    path: &Path,
    name: &str,
    value: toml::Value,
    origin: &Origin,
) -> Result<(Key, Vec<OsString>, Origin)> {
    let key = Key::find(name).ok_or_else(|| unknown(path, name))?;
    let raw = raw_values(value).ok_or_else(|| {
        Error::usage(format!("{}: {name} has a value of a wrong type", path.display()))
            .with_hint("values are text, numbers, true or false, or lists of text")
    })?;
    Ok((key, raw, origin.clone()))
}

fn unknown(path: &Path, name: &str) -> Error {
    let error = Error::usage(format!("{}: unknown key '{name}'", path.display()));
    match Key::nearest(name) {
        Some(key) => error.with_hint(format!("did you mean {}?", key.name())),
        None => error.with_hint("wherein config lists the keys"),
    }
}

fn raw_values(value: toml::Value) -> Option<Vec<OsString>> {
    match value {
        toml::Value::Array(items) => items.into_iter().map(scalar).collect(),
        other => scalar(other).map(|text| vec![text]),
    }
}

fn scalar(value: toml::Value) -> Option<OsString> {
    match value {
        toml::Value::String(text) => Some(text.into()),
        toml::Value::Integer(number) => Some(number.to_string().into()),
        toml::Value::Float(number) => Some(number.to_string().into()),
        toml::Value::Boolean(truth) => Some(truth.to_string().into()),
        _ => None,
    }
}

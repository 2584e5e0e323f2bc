//! Where models live: `<folder>/<name>/`, each with a record of its files and their hashes.
//!
//! A model appears whole or not at all: files are gathered beside it and renamed into place. It must not
//! download; that is `pull`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wherein_engine::{Embedder, Error, ModelIdentity, Result};

use crate::registry::nearest;
use crate::{
    BuiltinModel, KnownModel, LazyModel, ModelFolder, OnnxModel, OnnxOptions, Overrides, files,
    known, known_models,
};

const RECORD: &str = "wherein-model.json";
/// Folders have names of at most 255 bytes, and ours have something in front at times.
const MAX_NAME: usize = 100;
const RECORD_FORMAT: u32 = 1;

/// Side files that are taken along where they are.
const SIDE_FILES: [&str; 6] = [
    "config.json",
    "tokenizer_config.json",
    "modules.json",
    "1_Pooling/config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
];

/// The models of one data folder.
#[derive(Debug, Clone)]
pub struct ModelStore {
    folder: PathBuf,
}

/// One file as it was when it was added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Relative to the model's folder, `/`-separated.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// As hexadecimal digits.
    pub sha256: String,
    /// As hexadecimal digits.
    pub blake3: String,
}

/// What is kept beside a model's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelInfo {
    format: u32,
    /// Its name in the store.
    pub name: String,
    /// The folder or repository it came from.
    pub source: String,
    /// The commit it came from, where a hub said.
    pub revision: Option<String>,
    /// What its vectors are compared by.
    pub identity: ModelIdentity,
    /// Its files, by path.
    pub files: Vec<FileRecord>,
}

impl ModelInfo {
    /// Bytes of all files.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Licence of the weights as an SPDX name, where the name is a known one; a folder does not say.
    pub fn licence(&self) -> Option<&'static str> {
        known(&self.name).map(|known| known.licence)
    }

    /// The graph among the files: an added one may have any name.
    fn onnx(&self) -> Option<PathBuf> {
        let mut graphs = self.files.iter().filter(|file| file.path.ends_with(".onnx"));
        graphs.next().map(|file| PathBuf::from(&file.path))
    }
}

impl ModelStore {
    /// The store in `folder`, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> ModelStore {
        ModelStore { folder: folder.into() }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The models here, by name. What has no record is none, and one whose record is damaged is left to
    /// [`ModelStore::damaged`].
    pub fn list(&self) -> Result<Vec<ModelInfo>> {
        let records = self.names()?.into_iter().map(|name| self.record(&name));
        Ok(records.filter_map(|record| record.ok().flatten()).collect())
    }

    /// What is wrong with the records that cannot be read, each error naming its file.
    pub fn damaged(&self) -> Result<Vec<Error>> {
        let records = self.names()?.into_iter().map(|name| self.record(&name));
        Ok(records.filter_map(Result::err).collect())
    }

    fn names(&self) -> Result<Vec<String>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io("list", &self.folder, &error)),
        };
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
        names.sort();
        Ok(names)
    }

    /// What is recorded of a model.
    pub fn info(&self, name: &str) -> Result<ModelInfo> {
        self.record(&canonical(name)?)?.ok_or_else(|| self.absent(name))
    }

    /// The model's folder, as described with what is known of its name; hashes are checked when it loads.
    pub fn open(&self, name: &str, overrides: &Overrides) -> Result<ModelFolder> {
        let info = self.info(name)?;
        let root = self.folder.join(&info.name);
        for file in &info.files {
            check_size(&root.join(&file.path), file.size)?;
        }
        let mut overrides = with_known(overrides, &info.name);
        overrides.onnx = overrides.onnx.or_else(|| info.onnx());
        let mut folder = ModelFolder::read(&root, &info.name, &overrides)?;
        folder.expected_hashes = hashes(&info.files);
        Ok(folder)
    }

    /// The model of that name as it was added, to be loaded when it is first used. `overrides` go before what
    /// was recorded.
    pub fn model(
        &self,
        name: &str,
        overrides: &Overrides,
        options: &OnnxOptions,
    ) -> Result<LazyModel> {
        let info = self.info(name)?;
        let folder = self.open(name, &overrides.clone().or_recorded(&info.identity)?)?;
        Ok(LazyModel::new(folder, &info, options.clone()))
    }

    /// Copies the model of a folder into the store, once it has shown that it works.
    pub fn add(&self, source: &Path, name: &str, overrides: &Overrides) -> Result<ModelInfo> {
        let name = canonical(name)?;
        let folder = ModelFolder::read(source, &name, &with_known(overrides, &name))?;
        self.sweep();
        let part = self.part(&format!("add-{}", std::process::id()), &name);
        let _ = std::fs::remove_dir_all(&part);
        let added = copy_all(&folder, &part).and_then(|()| {
            self.admit(&part, &name, &source.display().to_string(), None, overrides)
        });
        let _ = std::fs::remove_dir_all(&part);
        added
    }

    /// Removes what killed runs of [`ModelStore::add`] left: no run takes an hour.
    fn sweep(&self) {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in entries {
            let is_ours = entry.file_name().to_string_lossy().starts_with(".add-");
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let age = modified.ok().and_then(|at| at.elapsed().ok()).unwrap_or_default();
            if is_ours && age > std::time::Duration::from_secs(3600) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Changes how a model that is here is used; what `overrides` leave out stays as it was recorded.
    ///
    /// # Errors
    /// As [`ModelStore::model`], and when the model does not work like that; the record is then as before.
    pub fn reuse(&self, name: &str, overrides: &Overrides) -> Result<ModelInfo> {
        let mut info = self.info(name)?;
        let model = self.model(name, overrides, &OnnxOptions::default())?.load()?;
        model.check_limit()?;
        info.identity = model.identity().clone();
        let record = self.folder.join(&info.name).join(RECORD);
        let part = record.with_extension("part");
        write_record(&part, &info)?;
        std::fs::rename(&part, &record).map_err(|error| Error::io("write", &record, &error))?;
        Ok(info)
    }

    /// Deletes a model; it is renamed first, so that a half deleted one is none.
    ///
    /// # Errors
    /// [`wherein_engine::ErrorKind::Model`] when there is none of that name, [`wherein_engine::ErrorKind::Io`] when it
    /// cannot be deleted.
    pub fn remove(&self, name: &str) -> Result<String> {
        let name = canonical(name)?;
        let (place, old) = (self.folder.join(&name), self.part("old", &name));
        // One whose record is damaged or gone is removed all the same.
        if !place.is_dir() {
            return Err(self.absent(&name));
        }
        let failed = |error| Error::io("delete", &place, &error);
        let _ = std::fs::remove_dir_all(&old);
        std::fs::rename(&place, &old).map_err(failed)?;
        std::fs::remove_dir_all(&old).map_err(failed)?;
        Ok(name)
    }

    /// Reads every file again and compares; the files that differ or are gone, none if all is well.
    pub fn verify(&self, name: &str) -> Result<Vec<Error>> {
        let info = self.info(name)?;
        let root = self.folder.join(&info.name);
        let check = |file: &FileRecord| {
            let path = root.join(&file.path);
            check_size(&path, file.size)?;
            match files::sha256(&path)? {
                found if found == file.sha256 => Ok(()),
                found => Err(changed(&path, &format!("sha256 {found}, recorded {}", file.sha256))),
            }
        };
        Ok(info.files.iter().filter_map(|file| check(file).err()).collect())
    }

    /// A folder in which a model is gathered before it is admitted.
    pub(crate) fn part(&self, how: &str, name: &str) -> PathBuf {
        self.folder.join(format!(".{how}-{name}"))
    }

    /// Loads what was gathered, records it and renames it into place.
    pub(crate) fn admit(
        &self,
        part: &Path,
        name: &str,
        source: &str,
        revision: Option<String>,
        overrides: &Overrides,
    ) -> Result<ModelInfo> {
        let folder = ModelFolder::read(part, name, &with_known(overrides, name))?;
        let model = OnnxModel::load(&folder, &OnnxOptions::default())?;
        model.check_limit()?;
        let identity = model.identity().clone();
        drop(model);
        fits_name(&identity, known(name), &folder.onnx)?;
        let files = record_files(part)?;
        let (name, source) = (name.to_owned(), source.to_owned());
        let info = ModelInfo { format: RECORD_FORMAT, name, source, revision, identity, files };
        write_record(&part.join(RECORD), &info)?;
        self.replace(part, &info.name)?;
        Ok(info)
    }

    /// Puts `part` in the place of `name`; what was there before is kept until then.
    fn replace(&self, part: &Path, name: &str) -> Result<()> {
        let (place, old) = (self.folder.join(name), self.part("old", name));
        let failed = |error| Error::io("replace", &place, &error);
        let _ = std::fs::remove_dir_all(&old);
        let had_one = place.exists();
        if had_one {
            std::fs::rename(&place, &old).map_err(failed)?;
        }
        if let Err(error) = std::fs::rename(part, &place) {
            if had_one {
                let _ = std::fs::rename(&old, &place);
            }
            return Err(failed(error));
        }
        let _ = std::fs::remove_dir_all(&old);
        Ok(())
    }

    fn record(&self, name: &str) -> Result<Option<ModelInfo>> {
        let path = self.folder.join(name).join(RECORD);
        let Some(info) = files::read_json::<ModelInfo>(&path)? else { return Ok(None) };
        if info.format != RECORD_FORMAT {
            let message = format!("{} is of the unknown format {}", path.display(), info.format);
            return Err(Error::model(message).with_hint("pull or add the model again"));
        }
        // The folder's name decides: a copied or edited record must not lead to another model.
        if info.name != name {
            let message =
                format!("{} is the record of '{}', not of '{name}'", path.display(), info.name);
            return Err(Error::model(message)
                .with_hint(format!("wherein model remove {name}, then pull or add it again")));
        }
        Ok(Some(info))
    }

    fn absent(&self, name: &str) -> Error {
        let error =
            Error::model(format!("there is no model '{name}' in {}", self.folder.display()));
        match (known(name), self.like(name)) {
            (Some(known), _) if !known.files.is_empty() => {
                error.with_hint(format!("fetch it with `wherein model pull {}`", known.name))
            }
            (None, Some(like)) => {
                error.with_hint(format!("did you mean {like}? `wherein model list` shows all"))
            }
            _ => error.with_hint("add its folder with `wherein model add DIR`"),
        }
    }

    /// The name most like `name` among the models here and those known.
    fn like(&self, name: &str) -> Option<String> {
        let here = self.list().unwrap_or_default();
        let here = here.iter().map(|info| info.name.as_str());
        let known = known_models().iter().map(|model| model.name).chain([BuiltinModel::NAME]);
        nearest(name, here.chain(known)).map(str::to_owned)
    }
}

/// A name for the model in `folder`: the folder's own, without what no name may have.
pub fn name_of_folder(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.replace(|c: char| !is_plain(c), "-");
    name.trim_start_matches(['.', '-']).to_owned()
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._-".contains(c)
}

/// The name as the registry spells it; none that would leave the store.
pub(crate) fn canonical(name: &str) -> Result<String> {
    if BuiltinModel::reserves(name) {
        return Err(Error::usage(format!("'{name}' is no name for a model of this folder"))
            .with_hint(format!(
                "{} is part of the program: it is neither pulled nor added nor removed, --model {0} uses it",
                BuiltinModel::NAME
            )));
    }
    let is_reserved = name.is_empty() || name.starts_with(['.', '-']) || name.len() > MAX_NAME;
    if is_reserved || name.eq_ignore_ascii_case("none") || !name.chars().all(is_plain) {
        return Err(Error::usage(format!("'{name}' is no name for a model")).with_hint(
            "letters, digits, '.', '_' and '-', not starting with '.' or '-', and not 'none'",
        ));
    }
    Ok(known(name).map_or(name, |known| known.name).to_owned())
}

fn with_known(overrides: &Overrides, name: &str) -> Overrides {
    let overrides = overrides.clone();
    known(name).map_or(overrides.clone(), |known| overrides.or_known(known))
}

fn hashes(files: &[FileRecord]) -> BTreeMap<String, String> {
    files.iter().map(|file| (file.path.clone(), file.blake3.clone())).collect()
}

fn copy_all(folder: &ModelFolder, to: &Path) -> Result<()> {
    let side = SIDE_FILES.map(|name| folder.root.join(name));
    let side = side.iter().map(PathBuf::as_path).filter(|path| path.is_file());
    for from in folder.weight_files().chain([folder.tokenizer.as_path()]).chain(side) {
        let relative = from.strip_prefix(&folder.root).unwrap_or(from);
        files::copy(from, &to.join(relative))?;
    }
    Ok(())
}

fn fits_name(identity: &ModelIdentity, known: Option<&KnownModel>, onnx: &Path) -> Result<()> {
    match known {
        Some(known) if known.dimensions != identity.dimensions => {
            let (found, wanted) = (identity.dimensions, known.dimensions);
            let file = onnx.file_name().unwrap_or_default().to_string_lossy();
            let message = format!("{file} gives {found} dimensions, {} has {wanted}", known.name);
            Err(Error::model(message).with_hint("add it under another name with --name"))
        }
        _ => Ok(()),
    }
}

fn record_files(root: &Path) -> Result<Vec<FileRecord>> {
    let mut paths = Vec::new();
    list_files(root, "", &mut paths)?;
    paths.sort();
    let record = |path: String| {
        let file = root.join(&path);
        let (sha256, blake3) = (files::sha256(&file)?, files::blake3(&file)?);
        Ok(FileRecord { path, size: files::size(&file)?, sha256, blake3 })
    };
    paths.into_iter().map(record).collect()
}

fn list_files(root: &Path, below: &str, found: &mut Vec<String>) -> Result<()> {
    let folder = root.join(below);
    let entries = std::fs::read_dir(&folder).map_err(|error| Error::io("list", &folder, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| Error::io("list", &folder, &error))?;
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list_files(root, &format!("{path}/"), found)?;
        } else if path != RECORD && !path.ends_with(crate::pull::PART) {
            found.push(path);
        }
    }
    Ok(())
}

fn write_record(path: &Path, info: &ModelInfo) -> Result<()> {
    let text = serde_json::to_string_pretty(info).map_err(|error| Error::bug(error.to_string()))?;
    std::fs::write(path, text).map_err(|error| Error::io("write", path, &error))
}

fn check_size(path: &Path, recorded: u64) -> Result<()> {
    match files::size(path)? {
        found if found == recorded => Ok(()),
        found => Err(changed(path, &format!("{found} bytes, recorded {recorded}"))),
    }
}

fn changed(path: &Path, how: &str) -> Error {
    Error::model(format!("{} is not the file that was added: {how}", path.display()))
        .with_hint("pull or add the model again")
}

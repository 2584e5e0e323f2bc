//! `pull`: fetches a model known by name from the hub, file by file, and admits it to the store.
//!
//! Each file is written beside its place, resumed where an earlier try stopped, checked, then renamed; the
//! model appears once all are there. Nothing is fetched that was not asked for by name.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use wherein_engine::{Error, Result};

use crate::hub::{self, FileFacts, Hub};
use crate::registry::nearest;
use crate::store::canonical;
use crate::{KnownFile, KnownModel, ModelInfo, ModelStore, Overrides, files, known, known_models};

/// What an unfinished file's name ends with.
pub(crate) const PART: &str = ".part";

const REVISION: &str = "main";
const BUFFER_BYTES: usize = 1 << 16;

/// How a pull gets on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullEvent<'a> {
    /// A file is being fetched: bytes that are here, and in all where the hub says.
    Fetching {
        /// Relative to the model's folder.
        path: &'a str,
        /// Bytes here so far, those of earlier tries included.
        n_bytes: u64,
        /// Bytes in all, where known.
        size: Option<u64>,
    },
    /// A file was found in the cache of the hub's own client.
    Cached {
        /// Relative to the model's folder.
        path: &'a str,
    },
    /// A file is whole and its hash is right.
    Checked {
        /// Relative to the model's folder.
        path: &'a str,
    },
}

/// Takes the events of a pull.
type Progress<'a> = &'a mut dyn FnMut(PullEvent<'_>);

/// A pull under way.
struct Pull<'a> {
    hub: &'a Hub,
    model: &'a KnownModel,
    part: PathBuf,
    progress: Progress<'a>,
}

impl ModelStore {
    /// Fetches a model known by name, to be used as `overrides` say; settings of the hub come from the environment.
    ///
    /// # Errors
    /// [`wherein_engine::ErrorKind::Network`] when the hub cannot be reached, within five seconds, or sends something
    /// else; [`wherein_engine::ErrorKind::Usage`] for a name that nobody knows.
    pub fn pull(
        &self,
        name: &str,
        overrides: &Overrides,
        progress: Progress<'_>,
    ) -> Result<ModelInfo> {
        let model = pullable(&canonical(name)?)?;
        self.pull_with(&Hub::new(&|name| std::env::var(name).ok()), model, overrides, progress)
    }

    fn pull_with(
        &self,
        hub: &Hub,
        model: &KnownModel,
        overrides: &Overrides,
        progress: Progress<'_>,
    ) -> Result<ModelInfo> {
        // Not named after the process: the next try goes on with what this one leaves.
        let part = self.part("pull", model.name);
        files::create_folder(&part)?;
        let lock = Lock::take(&part)?;
        let mut pull = Pull { hub, model, part: part.clone(), progress };
        let revision = pull.fetch_all()?;
        drop(lock);
        self.admit(&part, model.name, model.repository, revision, overrides)
    }
}

/// Held while a pull writes into its folder, so that two do not write one file; freed by the system at any end.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn take(part: &Path) -> Result<Lock> {
        let path = PathBuf::from(format!("{}.lock", part.display()));
        let file = File::create(&path).map_err(|error| Error::io("create", &path, &error))?;
        file.try_lock().map_err(|_| {
            Error::new(wherein_engine::ErrorKind::Busy, "another process is pulling this model")
                .with_hint("wait for it to end")
        })?;
        Ok(Lock { path, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn pullable(name: &str) -> Result<&'static KnownModel> {
    let Some(model) = known(name) else {
        let names: Vec<&str> = known_models().iter().map(|model| model.name).collect();
        let hint = match nearest(name, names.iter().copied()) {
            Some(like) => format!("did you mean {like}? `wherein model list` shows all"),
            None => format!("one of {}; or `wherein model add DIR`", names.join(", ")),
        };
        return Err(Error::usage(format!("no model '{name}' is known")).with_hint(hint));
    };
    if model.files.is_empty() {
        let message = format!("{} holds no ONNX file of {}", model.repository, model.name);
        return Err(Error::model(message).with_hint(
            "export it with `optimum-cli export onnx`, then run `wherein model add DIR --name NAME`",
        ));
    }
    Ok(model)
}

impl Pull<'_> {
    /// Fetches every file; gives the commit that they came from.
    fn fetch_all(&mut self) -> Result<Option<String>> {
        let mut commit: Option<String> = None;
        for file in self.model.files {
            // All files of the commit that the first one named, even if the branch moves meanwhile.
            let revision = commit.clone().unwrap_or_else(|| REVISION.to_owned());
            let found = self.fetch(file, &revision)?;
            commit = commit.or(found);
        }
        Ok(commit)
    }

    fn fetch(&mut self, file: &KnownFile, revision: &str) -> Result<Option<String>> {
        let place = self.part.join(file.path);
        if let Some((cached, commit)) = self.hub.cached(self.model.repository, file.path) {
            files::copy(&cached, &place)?;
            hub::check(&place, &hub::cached_facts(&cached))?;
            check_known(&place, file)?;
            (self.progress)(PullEvent::Cached { path: file.path });
            return Ok(Some(commit));
        }
        let url = self.hub.url(self.model.repository, revision, file.path);
        let Some(facts) = self.hub.facts(&url)? else {
            return if file.required { Err(absent(&url)) } else { Ok(None) };
        };
        if !place.is_file() || hub::check(&place, &facts).is_err() {
            self.transfer(&url, file, &facts, &place)?;
        }
        check_known(&place, file)?;
        (self.progress)(PullEvent::Checked { path: file.path });
        Ok(facts.commit)
    }

    fn transfer(
        &mut self,
        url: &str,
        file: &KnownFile,
        facts: &FileFacts,
        place: &Path,
    ) -> Result<()> {
        let part = PathBuf::from(format!("{}{PART}", place.display()));
        if let Some(folder) = part.parent() {
            files::create_folder(folder)?;
        }
        let here = std::fs::metadata(&part).map_or(0, |metadata| metadata.len());
        let is_whole = facts.size == Some(here);
        // More than the whole is something else's part.
        let here = if facts.size.is_some_and(|size| here > size) { 0 } else { here };
        if !is_whole {
            let (from, body) = self.hub.open(url, here)?;
            self.append(&part, from, body, (url, file.path, facts.size))?;
        }
        hub::check(&part, facts).inspect_err(|_| {
            // Going on from a wrong part would never come right.
            let _ = std::fs::remove_file(&part);
        })?;
        std::fs::rename(&part, place).map_err(|error| Error::io("write", place, &error))
    }

    fn append(
        &mut self,
        part: &Path,
        from: u64,
        mut body: Box<dyn Read>,
        (url, path, size): (&str, &str, Option<u64>),
    ) -> Result<()> {
        let failed = |error| Error::io("write", part, &error);
        let mut options = OpenOptions::new();
        let mut file =
            options.create(true).write(true).truncate(false).open(part).map_err(failed)?;
        file.set_len(from).map_err(failed)?;
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).map_err(failed)?;
        let (mut buffer, mut n_bytes) = (vec![0; BUFFER_BYTES], from);
        loop {
            (self.progress)(PullEvent::Fetching { path, n_bytes, size });
            match body.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(n) => {
                    file.write_all(&buffer[..n]).map_err(failed)?;
                    n_bytes += n as u64;
                }
                Err(error) => {
                    let message = format!("{url} broke off after {n_bytes} bytes: {error}");
                    return Err(
                        Error::network(message).with_hint("pull again; it goes on from there")
                    );
                }
            }
        }
    }
}

fn check_known(place: &Path, file: &KnownFile) -> Result<()> {
    match file.sha256 {
        Some(wanted) if files::sha256(place)? != wanted => {
            let _ = std::fs::remove_file(place);
            Err(hub::differs(place, &format!("its sha256 is not {wanted}")))
        }
        _ => Ok(()),
    }
}

/// Also what a gateway without a way out may answer, so the ways round belong here too.
fn absent(url: &str) -> Error {
    Error::network(format!("cannot fetch {url}: the server knows no such file (404)"))
        .with_hint(hub::WAYS_ROUND)
}

#[cfg(test)]
mod tests;

//! The folders that a server keeps: which ones, and which ones may be added.
//!
//! Must not ask or refresh one: that is the folder's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::broadcast;
use wherein_engine::{Error, ErrorKind, Result};

use crate::folder::Folder;
use crate::port::Opener;

/// Events that a slow listener may lag behind before it loses some.
const N_EVENTS: usize = 256;

/// The folders that a server keeps.
#[derive(Debug)]
pub(crate) struct Folders {
    opener: Arc<dyn Opener>,
    watches: bool,
    allowed: Vec<PathBuf>,
    by_id: RwLock<BTreeMap<String, Arc<Folder>>>,
    changes: broadcast::Sender<Change>,
}

/// That a folder came or went.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Added(Arc<Folder>),
    Removed(String),
}

impl Folders {
    /// No folders yet; below `allowed` some may be added by requests.
    pub(crate) fn new(opener: Arc<dyn Opener>, allowed: Vec<PathBuf>, watches: bool) -> Folders {
        let changes = broadcast::channel(N_EVENTS).0;
        Folders { opener, watches, allowed, by_id: RwLock::default(), changes }
    }

    /// Keeps `folder` from now on: it, and whether it is new.
    pub(crate) fn add(&self, folder: &Path) -> Result<(Arc<Folder>, bool)> {
        let root = self.opener.root(folder)?;
        let mut by_id = self.by_id.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = by_id.values().find(|known| known.root == root) {
            return Ok((Arc::clone(known), false));
        }
        let added = Folder::start(Arc::clone(&self.opener), root, self.watches)?;
        by_id.insert(added.id.clone(), Arc::clone(&added));
        drop(by_id);
        let _ = self.changes.send(Change::Added(Arc::clone(&added)));
        Ok((added, true))
    }

    /// The same on behalf of a request: only below the allowed roots.
    pub(crate) fn add_allowed(&self, folder: &Path) -> Result<(Arc<Folder>, bool)> {
        let forbidden = || {
            Error::new(ErrorKind::Forbidden, "this folder lies outside the allowed roots")
                .with_hint("start the server with --allow-root DIR")
        };
        if !folder.is_absolute() {
            return Err(Error::usage("the root is no absolute path")
                .with_hint("name it from the top, such as /srv/src/project"));
        }
        // Outside of what is allowed nobody learns what exists.
        let real = folder.canonicalize();
        let asked = real.as_deref().unwrap_or(folder);
        let is_plain = !folder.components().any(|part| part == std::path::Component::ParentDir);
        let is_allowed = self.allowed.iter().any(|root| asked.starts_with(root));
        if !is_allowed || (real.is_err() && !is_plain) {
            return Err(forbidden());
        }
        self.add(folder)
    }

    /// The folder of that id; without one the only folder.
    pub(crate) fn get(&self, id: Option<&str>) -> Result<Arc<Folder>> {
        let by_id = self.by_id.read().unwrap_or_else(PoisonError::into_inner);
        let names = || by_id.keys().cloned().collect::<Vec<_>>().join(", ");
        match id {
            Some(id) => by_id.get(id).cloned().ok_or_else(|| {
                Error::new(ErrorKind::NotFound, format!("there is no index {id:?}"))
                    .with_hint(format!("these are there: {}", names()))
            }),
            None if by_id.len() == 1 => Ok(by_id.values().next().cloned().ok_or_else(no_folder)?),
            None if by_id.is_empty() => Err(no_folder()),
            None => {
                Err(Error::usage("which index is meant?")
                    .with_hint(format!("name one of {}", names())))
            }
        }
    }

    /// All of them, by id.
    pub(crate) fn all(&self) -> Vec<Arc<Folder>> {
        self.by_id.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Below which folders others may be added.
    pub(crate) fn allowed(&self) -> &[PathBuf] {
        &self.allowed
    }

    /// Keeps the folder no longer and removes its index; the folder itself stays as it is.
    pub(crate) fn remove(&self, id: &str) -> Result<()> {
        let folder = self.get(Some(id))?;
        folder.close();
        folder.opened().engine.remove_index()?;
        self.by_id.write().unwrap_or_else(PoisonError::into_inner).remove(id);
        let _ = self.changes.send(Change::Removed(id.to_owned()));
        Ok(())
    }

    /// Told of folders that come and go.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }

    /// Keeps none of them any longer.
    pub(crate) fn close(&self) {
        self.all().iter().for_each(|folder| folder.close());
    }
}

/// What is said where nothing is kept.
pub(crate) fn no_folder() -> Error {
    Error::new(ErrorKind::NotIndexed, "no folder is served yet")
        .with_hint("name one: wherein serve DIR")
}

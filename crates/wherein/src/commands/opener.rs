//! Folders for the commands that stay: the same settings, models and refusals as for a question, without a terminal.

use std::path::{Path, PathBuf};
use std::time::Duration;

use wherein_engine::{Engine, Error, ErrorKind, IndexModels, Result};
use wherein_serve::{Opened, Opener};

use super::chosen::Chosen;
use super::session::{self, Purpose};
use crate::cli::{CommonArgs, LimitArgs, ModelArgs, PublishedArgs, RepoArgs};
use crate::place::Place;
use crate::repositories::Repository;
use crate::settings::{Flags, Settings, Sources, StoreKind};

/// Nobody waits longer than a day.
const MAX_SECONDS: f64 = 86_400.0;

/// Opens folders as the flags and files of settings want it.
#[derive(Debug)]
pub(super) struct Folders {
    sources: Sources,
    common: CommonArgs,
    /// As far as they are known before a folder is.
    early: Settings,
    /// The named repositories with the folders that are searched, which a collection may answer for where they are not here.
    repositories: Vec<(PathBuf, Repository)>,
}

impl Folders {
    /// Reads the settings once, and finds the repositories that are named. One that is not here is told of when it is
    /// opened.
    pub(super) fn new(
        common: &CommonArgs,
        (model, store): (&ModelArgs, &PublishedArgs),
        repo: &RepoArgs,
    ) -> Result<Folders> {
        let flags = Flags::of_common(common)
            .with_model(model)
            .with_repositories(&repo.file)
            .with_store(store);
        let sources = Sources::read(&flags)?;
        let early = sources.before_project()?;
        let mut folders =
            Folders { sources, common: common.clone(), early, repositories: Vec::new() };
        if !repo.names.is_empty() {
            let chosen = Chosen::named(&flags, common, repo)?.repositories.into_iter();
            let folder = |one: &Repository| one.searched().unwrap_or_else(|_| one.tree.clone());
            folders.repositories = chosen.map(|one| (folder(&one), one)).collect();
        }
        Ok(folders)
    }

    /// The folders of the named repositories.
    pub(super) fn repositories(&self) -> Vec<PathBuf> {
        self.repositories.iter().map(|(folder, _)| folder.clone()).collect()
    }

    /// The folders that are meant: those of named repositories, beside those of the arguments.
    ///
    /// # Errors
    /// Two ways of naming the one folder.
    pub(super) fn meant(
        &self,
        folders: &[PathBuf],
        root: Option<&PathBuf>,
    ) -> Result<Vec<PathBuf>> {
        match (self.repositories(), folders) {
            (all, folders) if !all.is_empty() => Ok([all, folders.to_vec()].concat()),
            _ => named(folders, root),
        }
    }

    /// As far as they are known before a folder is.
    pub(super) fn settings(&self) -> &Settings {
        &self.early
    }

    /// The named repository whose folder this is.
    fn repository(&self, folder: &Path) -> Option<&Repository> {
        self.repositories.iter().find(|(known, _)| known == folder).map(|(_, one)| one)
    }

    /// Whether a collection answers, which has repositories that have no folder here.
    fn is_published(&self) -> bool {
        self.early.store.kind == StoreKind::Qdrant
    }

    fn place(&self, folder: &Path) -> Result<Place> {
        let missing = |error: &std::io::Error| {
            let kind = match error.kind() {
                std::io::ErrorKind::NotFound => ErrorKind::NotFound,
                _ => ErrorKind::Io,
            };
            Error::new(kind, format!("cannot open the folder {}: {error}", folder.display()))
                .with_hint("name a folder that exists and that you may read")
        };
        let absent = self.repository(folder).filter(|_| self.is_published() && !folder.is_dir());
        if let Some(one) = absent {
            return Place::elsewhere(&one.name, &[], &[]);
        }
        let folder = folder.canonicalize().map_err(|error| missing(&error))?;
        let common = CommonArgs { root: Some(folder.clone()), ..self.common.clone() };
        session::place_at(&folder, &common, &[], &[], &self.early)
    }
}

impl Opener for Folders {
    fn root(&self, folder: &Path) -> Result<PathBuf> {
        match self.place(folder)? {
            // The folder stands for the repository, whether it is there or not.
            _ if self.is_published() && self.repository(folder).is_some() => Ok(folder.to_owned()),
            place => Ok(place.root),
        }
    }

    fn open(&self, root: &Path) -> Result<Opened> {
        let place = self.place(root)?;
        let mut settings = self.sources.for_root(root)?;
        if let Some(one) = self.repository(root) {
            settings.exclude.clone_from(&one.exclude);
            settings.store.repository = Some(one.name.clone());
        }
        let opened = session::open(root, &settings, Purpose::Question)?;
        Ok(Opened {
            lacks: opened.lacks(),
            engine: opened.engine,
            filter: session::filter(&place, &settings),
            models: self.models(root),
        })
    }

    fn models(&self, root: &Path) -> IndexModels {
        Engine::models_of(&self.early.index_base, root)
    }
}

/// The limits as times.
pub(super) fn limits(args: &LimitArgs) -> Result<(Duration, Duration)> {
    let time = |flag: &str, seconds: f64| {
        let is_time = seconds.is_finite() && seconds > 0.0;
        is_time.then(|| Duration::from_secs_f64(seconds.min(MAX_SECONDS))).ok_or_else(|| {
            Error::usage(format!("{flag} {seconds} is no time"))
                .with_hint("give seconds, such as 2.5")
        })
    };
    Ok((time("--patience", args.patience)?, time("--deadline", args.deadline)?))
}

/// The folders that are meant: the current one where none is named.
fn named(folders: &[PathBuf], root: Option<&PathBuf>) -> Result<Vec<PathBuf>> {
    match (folders, root) {
        ([], None) => Ok(vec![PathBuf::from(".")]),
        ([], Some(root)) => Ok(vec![root.clone()]),
        (folders, None) => Ok(folders.to_vec()),
        _ => Err(Error::usage("both DIR and --root name the folder").with_hint("give one of them")),
    }
}

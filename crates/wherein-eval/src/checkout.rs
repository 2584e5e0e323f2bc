//! Where the repositories of a suite lie, and how one of them is opened for asking.
//!
//! All checkouts are looked at before the first question, so that a missing one does not waste an hour. Nothing
//! here asks or judges.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wherein_engine::{
    Embedder, Engine, EngineOptions, Event, Filter, Hit, RefreshReport, usual_encoding,
};

use crate::error::{Error, Result};
use crate::options::EvalOptions;
use crate::suite::{Lines, Place, Repository, Suite};

/// Where the repositories of a suite lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checkouts {
    /// Each below this folder, under its name.
    Below(PathBuf),
    /// This folder is the checkout of the suite's only repository.
    Only(PathBuf),
}

/// One repository as it lies on this machine.
#[derive(Debug)]
pub(crate) struct Checkout<'s> {
    /// The repository of the suite.
    pub(crate) repository: &'s Repository,
    /// Its checkout: answers are written from there.
    folder: PathBuf,
}

/// The repositories that are asked, each found on this machine.
pub(crate) fn lay_out<'s>(suite: &'s Suite, checkouts: &Checkouts) -> Result<Vec<Checkout<'s>>> {
    let n_repositories = suite.repositories.len();
    if matches!(checkouts, Checkouts::Only(_)) && n_repositories != 1 {
        return Err(Error::ManyRepositories { n_repositories });
    }
    let is_asked = |name: &str| suite.questions.iter().any(|question| question.repo == name);
    let asked = suite.repositories.iter().filter(|repository| is_asked(&repository.name));
    let found: Vec<Checkout<'s>> = asked
        .map(|repository| Checkout { repository, folder: folder_of(checkouts, repository) })
        .collect();
    found.iter().try_for_each(Checkout::require)?;
    if let (Checkouts::Only(folder), [only]) = (checkouts, &found[..]) {
        require_an_answer(suite, only, folder)?;
    }
    Ok(found)
}

fn folder_of(checkouts: &Checkouts, repository: &Repository) -> PathBuf {
    match checkouts {
        Checkouts::Below(folder) => folder.join(&repository.name),
        Checkouts::Only(folder) => folder.clone(),
    }
}

/// Somebody who stands in another folder would otherwise be told that nothing is ever found.
fn require_an_answer(suite: &Suite, checkout: &Checkout<'_>, folder: &Path) -> Result<()> {
    let mut answers = suite.questions.iter().flat_map(|question| &question.answers);
    match answers.any(|answer| checkout.has(answer)) {
        true => Ok(()),
        false => Err(Error::OtherFolder {
            repo: checkout.repository.name.clone(),
            folder: folder.to_owned(),
        }),
    }
}

impl Checkout<'_> {
    /// Opens the searched folder and makes its index true to it, with vectors where there is a model.
    pub(crate) fn open(
        &self,
        settings: &EvalOptions,
        embedder: Option<Arc<dyn Embedder>>,
        events: &(dyn Fn(Event) + Sync),
    ) -> Result<(Engine, RefreshReport)> {
        let options = EngineOptions {
            profile: settings.profile,
            threads: settings.threads,
            // Figures must not depend on how an earlier run kept its vectors.
            reranker: settings.reranker.clone(),
            encoding: settings.encoding.or(embedder.as_deref().map(usual_encoding)),
            // Models follow one another on one index, because they share its cache of vectors.
            replace_model: embedder.is_some(),
            // What everyday questions embedded is not embedded again, nor the other way round.
            cache_base: Some(settings.index_base.clone()),
            ..EngineOptions::new(self.searched(), index_base(settings, embedder.is_some()))
        };
        let engine = Engine::open(EngineOptions { embedder, ..options });
        let opened = engine.and_then(|engine| {
            let report = engine.refresh(events)?;
            let engine = match &settings.elsewhere {
                Some(elsewhere) => elsewhere.take(engine, &self.repository.name, events)?,
                None => engine,
            };
            Ok((engine, report))
        });
        opened.map_err(|source| Error::Engine { about: self.repository.name.clone(), source })
    }

    /// The filter of a scope: these paths, without the suite itself, which holds every question word for word.
    pub(crate) fn filter(&self, paths: &[String], suite: &Path) -> Filter {
        let not_paths = inside(&self.searched(), suite).into_iter().collect();
        Filter { paths: paths.to_vec(), not_paths, ..Filter::default() }
    }

    /// A hit as a place of the checkout: answers are written from there, hits from the searched folder.
    pub(crate) fn place(&self, hit: &Hit) -> Place {
        self.place_of(&hit.path, Lines { start: hit.start_line, end: hit.end_line })
    }

    /// Lines of a file of the searched folder as a place of the checkout.
    pub(crate) fn place_of(&self, path: &str, lines: Lines) -> Place {
        match self.prefix() {
            "" => Place::new(path, Some(lines)),
            prefix => Place::new(format!("{prefix}/{path}"), Some(lines)),
        }
    }

    /// Whether the answer's file is in the checkout.
    pub(crate) fn has(&self, answer: &Place) -> bool {
        self.folder.join(&answer.path).exists()
    }

    fn searched(&self) -> PathBuf {
        match self.prefix() {
            "" => self.folder.clone(),
            root => self.folder.join(root),
        }
    }

    fn require(&self) -> Result<()> {
        let folder = self.searched();
        match folder.is_dir() {
            true => Ok(()),
            false => Err(Error::MissingCheckout { repo: self.repository.name.clone(), folder }),
        }
    }

    /// The repository's root below its checkout, without slashes at its ends.
    fn prefix(&self) -> &str {
        match self.repository.root.trim_matches('/') {
            "." => "",
            root => root,
        }
    }
}

/// The folder for indexes. Those with vectors lie apart: an evaluation puts one model in the place of
/// another, which must not happen to the index that the user asks every day.
fn index_base(options: &EvalOptions, has_model: bool) -> PathBuf {
    match has_model {
        true => options.index_base.join("eval"),
        false => options.index_base.clone(),
    }
}

/// The file's path below `folder` as a filter that matches it alone; none where it lies elsewhere.
fn inside(folder: &Path, file: &Path) -> Option<String> {
    let (folder, file) = (folder.canonicalize().ok()?, file.canonicalize().ok()?);
    let path = file.strip_prefix(folder).ok()?.to_str()?.to_owned();
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path };
    if !path.contains(['*', '?', '[', '{']) {
        return Some(path);
    }
    let escaped = path.chars().flat_map(|c| {
        let mark = "*?[]{}\\".contains(c).then_some('\\');
        mark.into_iter().chain([c])
    });
    Some(escaped.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(root: &str) -> Repository {
        Repository { name: "r".to_owned(), language: "c".to_owned(), root: root.to_owned() }
    }

    #[test]
    fn paths_are_made_relative_to_the_checkout() {
        for (root, prefix) in [("/core/src/", "core/src"), (".", ""), ("", "")] {
            let repository = repository(root);
            let checkout = Checkout { repository: &repository, folder: PathBuf::new() };
            assert_eq!(checkout.prefix(), prefix);
        }
    }

    #[test]
    fn the_suite_itself_is_left_out_where_it_lies_in_the_searched_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        for (name, wanted) in [("q.json", "q.json"), ("src/[q].json", "src/\\[q\\].json")] {
            let file = folder.path().join(name);
            std::fs::write(&file, "{}").unwrap();
            assert_eq!(inside(folder.path(), &file).as_deref(), Some(wanted));
        }
        assert_eq!(inside(&folder.path().join("src"), &folder.path().join("q.json")), None);
    }
}

//! Asks the questions of a suite: one engine a repository, each question as a user would ask it.
//!
//! Only the engine's public API is used, so the figures are those that users get. The checkouts are looked
//! at before the first question, so that a missing one does not waste an hour. Nothing here judges.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wherein_engine::{Engine, EngineOptions, Filter, Hit, Mode, Profile, SearchRequest};

use crate::error::{Error, Result};
use crate::grep;
use crate::report::Report;
use crate::results::{RankedPlaces, write_results};
use crate::suite::{GrepCounts, Lines, Place, Question, Repository, Suite};

/// How many results of each question are kept: the reciprocal rank is cut there.
const N_RESULTS: usize = 50;

/// What to ask, of which code, and how.
#[derive(Debug, Clone)]
pub struct EvalOptions {
    /// The suite's file.
    pub suite: PathBuf,
    /// The folder that holds each repository under its name.
    pub checkouts: PathBuf,
    /// The folder that holds index folders.
    pub index_base: PathBuf,
    /// How questions are answered.
    pub mode: Mode,
    /// How files are cut.
    pub profile: Profile,
    /// Folders, files or globs, relative to each repository's root, that alone may answer; empty for all.
    pub paths: Vec<String>,
    /// Where to write the results, one line a question.
    pub results: Option<PathBuf>,
}

/// What asking brought: the results and grep's counts, by question id.
#[derive(Debug, Default)]
struct Asked {
    ranked: RankedPlaces,
    grep: BTreeMap<String, GrepCounts>,
}

/// Asks every question of a suite and judges the results.
///
/// `progress` gets the number of questions answered so far and their total, first of all 0.
///
/// # Errors
/// When the suite is malformed, a checkout is missing, the engine refuses, or results cannot be written.
pub fn run(options: &EvalOptions, progress: &dyn Fn(usize, usize)) -> Result<Report> {
    let suite = Suite::read(&options.suite)?;
    let asked_repos: Vec<&Repository> = asked_repositories(&suite);
    for repository in &asked_repos {
        require_checkout(options, repository)?;
    }
    let n_total = suite.questions.len();
    let mut asked = Asked::default();
    progress(0, n_total);
    for repository in asked_repos {
        ask_repository(options, &suite, repository, &mut asked, &|n_done| {
            progress(n_done, n_total);
        })?;
    }
    if let Some(path) = &options.results {
        write_results(path, suite.questions.iter().map(|q| q.id.as_str()), &asked.ranked)?;
    }
    Ok(Report::new(&suite, &asked.ranked, &asked.grep).with_mode(options.mode))
}

fn asked_repositories(suite: &Suite) -> Vec<&Repository> {
    let is_asked = |name: &str| suite.questions.iter().any(|question| question.repo == name);
    suite.repositories.iter().filter(|repository| is_asked(&repository.name)).collect()
}

fn searched_folder(options: &EvalOptions, repository: &Repository) -> PathBuf {
    let checkout = options.checkouts.join(&repository.name);
    match prefix(repository) {
        "" => checkout,
        root => checkout.join(root),
    }
}

fn require_checkout(options: &EvalOptions, repository: &Repository) -> Result<()> {
    let folder = searched_folder(options, repository);
    if folder.is_dir() {
        return Ok(());
    }
    Err(Error::MissingCheckout { repo: repository.name.clone(), folder })
}

/// The repository's root below its checkout, without slashes at its ends.
fn prefix(repository: &Repository) -> &str {
    match repository.root.trim_matches('/') {
        "." => "",
        root => root,
    }
}

fn ask_repository(
    options: &EvalOptions,
    suite: &Suite,
    repository: &Repository,
    asked: &mut Asked,
    progress: &dyn Fn(usize),
) -> Result<()> {
    let engine = open(options, &searched_folder(options, repository))
        .map_err(|source| Error::Engine { about: repository.name.clone(), source })?;
    for question in suite.questions.iter().filter(|q| q.repo == repository.name) {
        ask(options, &engine, question, prefix(repository), asked)
            .map_err(|source| Error::Engine { about: question.id.clone(), source })?;
        progress(asked.ranked.len());
    }
    Ok(())
}

fn open(options: &EvalOptions, folder: &Path) -> wherein_engine::Result<Engine> {
    let engine = Engine::open(EngineOptions {
        profile: options.profile,
        ..EngineOptions::new(folder, &options.index_base)
    })?;
    engine.refresh(&|_| ())?;
    Ok(engine)
}

fn ask(
    options: &EvalOptions,
    engine: &Engine,
    question: &Question,
    prefix: &str,
    asked: &mut Asked,
) -> wherein_engine::Result<()> {
    let filter = Filter { paths: options.paths.clone(), ..Filter::default() };
    let counts = grep::counts(engine, &filter, question)?;
    let request = SearchRequest {
        mode: options.mode,
        filter,
        limit: Some(N_RESULTS),
        snippets: false,
        ..SearchRequest::new(&question.question)
    };
    let hits = engine.search(&request)?.hits;
    let places = hits.into_iter().map(|hit| place(hit, prefix)).collect();
    asked.ranked.insert(question.id.clone(), places);
    asked.grep.insert(question.id.clone(), counts);
    Ok(())
}

/// A hit as a place of the checkout: answers are written from there, hits from the searched root.
fn place(hit: Hit, prefix: &str) -> Place {
    let path = if prefix.is_empty() { hit.path } else { format!("{prefix}/{}", hit.path) };
    Place { path, lines: Some(Lines { start: hit.start_line, end: hit.end_line }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(folder: &Path, root: &str) -> EvalOptions {
        let suite = folder.join("s.json");
        let text = format!(
            r#"{{"suite": "s", "repositories": [{{"name": "r", "language": "c", "root": "{root}"}},
               {{"name": "never-asked", "language": "c"}}], "questions": [{{"id": "r/0", "repo": "r",
               "question": "q", "category": "c", "answers": [{{"path": "a"}}]}}]}}"#
        );
        std::fs::write(&suite, text).unwrap();
        EvalOptions {
            suite,
            checkouts: folder.join("checkouts"),
            index_base: folder.join("index"),
            mode: Mode::Keyword,
            profile: Profile::Lines,
            paths: Vec::new(),
            results: None,
        }
    }

    #[test]
    fn a_missing_checkout_names_the_folder_and_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let error = run(&options(folder.path(), "lib/"), &|_, _| ()).unwrap_err();
        let wanted = folder.path().join("checkouts").join("r").join("lib");
        assert!(error.message().contains("checkout of 'r' is missing"), "{error}");
        assert!(error.message().ends_with(&wanted.display().to_string()), "{error}");
        assert!(error.hint().unwrap().contains("checkout script"));
    }

    #[test]
    fn paths_are_made_relative_to_the_checkout() {
        let repository = |root: &str| Repository {
            name: "r".to_owned(),
            language: "c".to_owned(),
            root: root.to_owned(),
        };
        assert_eq!(prefix(&repository("/core/src/")), "core/src");
        assert_eq!(prefix(&repository(".")), "");
        assert_eq!(prefix(&repository("")), "");
    }
}

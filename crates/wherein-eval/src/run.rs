//! Asks the questions of a suite in one mode: one engine a repository, each question as a user would ask it.
//!
//! Only the engine's public API is used, so the figures are those that users get. Nothing here judges.

use std::collections::BTreeMap;

use wherein_engine::{Engine, Filter, SearchRequest};

use crate::checkout::{Checkout, lay_out};
use crate::error::{Error, Result};
use crate::grep;
use crate::options::EvalOptions;
use crate::progress::{OnStep, Step};
use crate::report::Report;
use crate::results::{RankedPlaces, write_results};
use crate::suite::{GrepCounts, Question, Suite};

/// How many results of each question are kept: the reciprocal rank is cut there.
const N_RESULTS: usize = 50;

/// What asking brought: the results and grep's counts, by question id.
#[derive(Debug, Default)]
struct Asked {
    ranked: RankedPlaces,
    grep: BTreeMap<String, GrepCounts>,
}

/// Asks every question of a suite and judges the results.
///
/// `on_step` gets the number of questions answered so far and their total, first of all 0, and what is said
/// of indexing in between.
///
/// # Errors
/// When the suite is malformed, a checkout is missing, the engine refuses, or results cannot be written.
pub fn run(options: &EvalOptions, on_step: OnStep<'_>) -> Result<Report> {
    let suite = Suite::read(&options.suite)?;
    let checkouts = lay_out(&suite, &options.checkouts)?;
    let mut asked = Asked::default();
    on_step(Step::Asked { n_done: 0, n_total: suite.questions.len() });
    for checkout in &checkouts {
        ask_repository(options, &suite, checkout, &mut asked, on_step)?;
    }
    if let Some(path) = &options.results {
        write_results(path, suite.questions.iter().map(|q| q.id.as_str()), &asked.ranked)?;
    }
    let models = options.embedder.iter().chain(&options.reranker);
    let names: Vec<&str> = models.map(|model| model.identity().name.as_str()).collect();
    let model = (!names.is_empty()).then(|| names.join(", then "));
    Ok(Report::new(&suite, &asked.ranked, &asked.grep).with_mode(options.mode, model))
}

fn ask_repository(
    options: &EvalOptions,
    suite: &Suite,
    checkout: &Checkout<'_>,
    asked: &mut Asked,
    on_step: OnStep<'_>,
) -> Result<()> {
    let events = |event| on_step(Step::Index(event));
    let (engine, _) = checkout.open(options, options.embedder.clone(), &events)?;
    let filter = checkout.filter(&options.paths, &options.suite);
    for question in suite.questions.iter().filter(|q| q.repo == checkout.repository.name) {
        ask(options, &engine, question, &filter)
            .map(|(hits, counts)| {
                let places = hits.iter().map(|hit| checkout.place(hit)).collect();
                asked.ranked.insert(question.id.clone(), places);
                asked.grep.insert(question.id.clone(), counts);
            })
            .map_err(|source| Error::Engine { about: question.id.clone(), source })?;
        let n_done = asked.ranked.len();
        on_step(Step::Asked { n_done, n_total: suite.questions.len() });
    }
    Ok(())
}

fn ask(
    options: &EvalOptions,
    engine: &Engine,
    question: &Question,
    filter: &Filter,
) -> wherein_engine::Result<(Vec<wherein_engine::Hit>, GrepCounts)> {
    let counts = grep::counts(engine, filter, question)?;
    let request = SearchRequest {
        mode: options.mode,
        filter: filter.clone(),
        limit: Some(N_RESULTS),
        fusion: options.fusion,
        snippets: false,
        ..SearchRequest::new(&question.question)
    };
    Ok((engine.search(&request)?.hits, counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkout::Checkouts;
    use std::path::{Path, PathBuf};

    fn write_suite(folder: &Path, root: &str) -> PathBuf {
        let suite = folder.join("s.json");
        let text = format!(
            r#"{{"suite": "s", "repositories": [{{"name": "r", "language": "c", "root": "{root}"}},
               {{"name": "never-asked", "language": "c"}}], "questions": [{{"id": "r/0", "repo": "r",
               "question": "q", "category": "c", "answers": [{{"path": "a"}}]}}]}}"#
        );
        std::fs::write(&suite, text).unwrap();
        suite
    }

    fn refused(folder: &Path, checkouts: Checkouts) -> Error {
        let suite = write_suite(folder, "lib/");
        run(&EvalOptions::new(suite, checkouts, folder.join("index")), &|_| ()).unwrap_err()
    }

    #[test]
    fn a_missing_checkout_names_the_folder_and_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let error = refused(folder.path(), Checkouts::Below(folder.path().join("checkouts")));
        let wanted = folder.path().join("checkouts").join("r").join("lib");
        assert!(error.message().contains("checkout of 'r' is missing"), "{error}");
        assert!(error.message().ends_with(&wanted.display().to_string()), "{error}");
        assert!(error.hint().unwrap().contains("checkout script"));
    }

    #[test]
    fn several_repositories_need_a_folder_that_holds_them() {
        let folder = tempfile::tempdir().unwrap();
        let error = refused(folder.path(), Checkouts::Only(folder.path().to_owned()));
        assert_eq!(error.message(), "the suite has 2 repositories; where do they lie?");
        assert!(error.hint().unwrap().contains("--checkouts"));
    }
}

//! A question with the places that were proposed for it, and which of them answer it.

use std::collections::BTreeMap;

use wherein_engine::{Engine, Mode, Proposals, SearchRequest, Shape};

use super::{FitOptions, Lesson};
use crate::checkout::{Checkout, Checkouts, lay_out};
use crate::error::{Error, Result};
use crate::options::EvalOptions;
use crate::progress::{OnStep, Step};
use crate::suite::{Lines, Place, Question, Suite};

/// Which of the two ways to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// With the built-in model.
    Hybrid,
    /// By words alone.
    Keyword,
}

impl Way {
    /// The name in the file of weights.
    pub fn as_str(self) -> &'static str {
        match self {
            Way::Hybrid => "hybrid",
            Way::Keyword => "keyword",
        }
    }

    fn mode(self) -> Mode {
        match self {
            Way::Hybrid => Mode::Hybrid,
            Way::Keyword => Mode::Keyword,
        }
    }
}

/// A question with its proposals.
#[derive(Debug)]
pub struct Example {
    /// The suite's name.
    pub suite: String,
    /// The question's category.
    pub category: String,
    /// The repository's name, as other suites have it, too.
    pub repo: String,
    /// What it counts.
    pub weight: f32,
    /// The shape of the question.
    pub shape: Shape,
    /// The number of each place's file.
    pub files: Vec<u32>,
    /// Each place.
    pub places: Vec<Place>,
    /// The features of each place.
    pub features: Vec<Vec<f32>>,
    /// What answers it.
    pub answers: Vec<Place>,
    /// For each answer the places that overlap it.
    pub hits: Vec<Vec<usize>>,
    /// The features of what was proposed for it in a repository that does not answer it.
    pub astray: Option<Box<Example>>,
}

/// The questions of all lessons.
pub(super) fn gather(options: &FitOptions, way: Way, on_step: OnStep<'_>) -> Result<Vec<Example>> {
    let mut examples = Vec::new();
    for lesson in &options.lessons {
        gather_lesson(options, lesson, way, on_step, &mut examples)?;
    }
    Ok(examples)
}

fn gather_lesson(
    options: &FitOptions,
    lesson: &Lesson,
    way: Way,
    on_step: OnStep<'_>,
    examples: &mut Vec<Example>,
) -> Result<()> {
    let suite = Suite::read(&lesson.suite)?;
    let checkouts = Checkouts::Below(lesson.checkouts.clone());
    let found = lay_out(&suite, &checkouts)?;
    let eval = EvalOptions {
        mode: way.mode(),
        embedder: Some(std::sync::Arc::clone(&options.embedder)),
        ..EvalOptions::new(lesson.suite.clone(), checkouts, options.index_base.clone())
    };
    let engines: Result<Vec<Engine>> = found
        .iter()
        .map(|checkout| {
            let events = |event| on_step(Step::Index(event));
            checkout.open(&eval, Some(std::sync::Arc::clone(&options.embedder)), &events)
        })
        .map(|opened| opened.map(|(engine, _)| engine))
        .collect();
    let engines = engines?;
    let position: BTreeMap<&str, usize> =
        found.iter().zip(0..).map(|(checkout, i)| (checkout.repository.name.as_str(), i)).collect();
    for (n_done, question) in suite.questions.iter().enumerate() {
        on_step(Step::Asked { n_done, n_total: suite.questions.len() });
        let Some(at) = position.get(question.repo.as_str()).copied() else { continue };
        let ask = |at: usize| ask(&found[at], &engines[at], &eval, question);
        let mut example = example(lesson, &suite, question, ask(at)?);
        // Every other question also goes where nobody can answer it.
        let elsewhere = (at + 1 + n_done % engines.len().max(2)) % engines.len();
        if n_done % 2 == 0 && elsewhere != at {
            let astray = example_of_nothing(lesson, &suite, question, ask(elsewhere)?);
            example.astray = Some(Box::new(astray));
        }
        examples.push(example);
    }
    Ok(())
}

fn ask(
    checkout: &Checkout<'_>,
    engine: &Engine,
    eval: &EvalOptions,
    question: &Question,
) -> Result<(Proposals, Vec<Place>)> {
    let request = SearchRequest {
        mode: eval.mode,
        filter: checkout.filter(&[], &eval.suite),
        ..SearchRequest::new(&question.question)
    };
    let proposals = engine.proposals(&request);
    let proposals =
        proposals.map_err(|source| Error::Engine { about: question.id.clone(), source })?;
    let place = |proposed: &wherein_engine::Proposed| {
        let lines = Lines { start: proposed.start_line, end: proposed.end_line };
        checkout.place_of(&proposed.path, lines)
    };
    let places = proposals.places.iter().map(place).collect();
    Ok((proposals, places))
}

fn example(
    lesson: &Lesson,
    suite: &Suite,
    question: &Question,
    (proposals, places): (Proposals, Vec<Place>),
) -> Example {
    let overlapping = |answer: &Place| {
        let overlaps =
            |(at, place): (usize, &Place)| crate::judge::overlaps(place, answer).then_some(at);
        places.iter().enumerate().filter_map(overlaps).collect()
    };
    Example {
        suite: suite.name.clone(),
        category: question.category.clone(),
        repo: common_name(&question.repo),
        weight: lesson.weight,
        shape: proposals.shape,
        files: proposals.places.iter().map(|place| place.file).collect(),
        hits: question.answers.iter().map(overlapping).collect(),
        answers: question.answers.clone(),
        features: proposals.features,
        places,
        astray: None,
    }
}

fn example_of_nothing(
    lesson: &Lesson,
    suite: &Suite,
    question: &Question,
    found: (Proposals, Vec<Place>),
) -> Example {
    let mut example = example(lesson, suite, question, found);
    example.hits.iter_mut().for_each(Vec::clear);
    example
}

/// Suites spell the names of repositories in several ways; one of them must not be in two folds.
fn common_name(name: &str) -> String {
    let folded: String = name.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let cut = folded.strip_suffix("lib").or(folded.strip_suffix("nvim")).unwrap_or(&folded);
    cut.to_owned()
}

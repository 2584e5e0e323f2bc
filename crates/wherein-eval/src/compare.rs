//! Asks every question of a suite by several methods, in the whole tree and in each scope.
//!
//! A rank is looked for among all chunks, so the list is asked for whole; what a question costs is measured
//! on a second, ordinary question for ten hits. Nothing here counts ranks or lays out tables.

use std::sync::Arc;
use std::time::Instant;

use wherein_engine::{Answer, Embedder, Engine, Filter, RefreshReport, SearchRequest};

use crate::checkout::{Checkout, lay_out};
use crate::comparison::Comparison;
use crate::error::{Error, Result};
use crate::grep;
use crate::judge::rank_of_definition;
use crate::method::Method;
use crate::options::EvalOptions;
use crate::progress::{OnStep, Step};
use crate::remember::Remembering;
use crate::suite::{Place, Question, Suite};

/// Asks every question of a suite by each of `methods`.
///
/// Their modes and models take the place of those of `options`, and each of `options.paths` is a scope of its
/// own beside the whole tree. `on_step` gets the number of answers so far and their total, first of all 0.
///
/// # Errors
/// When the suite is malformed, a checkout is missing, or the engine or a model refuses.
pub fn compare(
    options: &EvalOptions,
    methods: &[Method],
    on_step: OnStep<'_>,
) -> Result<Comparison> {
    let suite = Suite::read(&options.suite)?;
    let checkouts = lay_out(&suite, &options.checkouts)?;
    let turns = Turn::of(methods);
    let comparison = Comparison::new(&suite, options, methods);
    let mut asking = Asking { options, methods, suite: &suite, on_step, comparison, n_done: 0 };
    asking.step();
    for checkout in &checkouts {
        asking.note_missing_answers(checkout);
        for (turn_idx, turn) in turns.iter().enumerate() {
            asking.take_turn(checkout, turn, turn_idx == 0)?;
        }
    }
    Ok(asking.comparison)
}

/// The methods that one state of an index answers: those with the same model, or with none.
#[derive(Debug)]
struct Turn {
    model: Option<Arc<Remembering>>,
    method_idxs: Vec<usize>,
}

impl Turn {
    /// Methods by model, models in the order of their first method.
    fn of(methods: &[Method]) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        for (method_idx, Method { embedder, .. }) in methods.iter().enumerate() {
            let same = |turn: &&mut Turn| match (&turn.model, embedder) {
                (None, None) => true,
                (Some(known), Some(model)) => known.is_of(model),
                _ => false,
            };
            match turns.iter_mut().find(same) {
                Some(turn) => turn.method_idxs.push(method_idx),
                None => turns.push(Turn {
                    model: embedder.clone().map(|model| Arc::new(Remembering::new(model))),
                    method_idxs: vec![method_idx],
                }),
            }
        }
        turns
    }
}

/// One repository, opened for one turn.
struct Open<'a> {
    checkout: &'a Checkout<'a>,
    model: Option<&'a Remembering>,
    engine: Engine,
    n_chunks: u64,
    /// One a scope; the first is the whole tree.
    filters: Vec<Filter>,
}

/// A comparison under way.
struct Asking<'a> {
    options: &'a EvalOptions,
    methods: &'a [Method],
    suite: &'a Suite,
    on_step: OnStep<'a>,
    comparison: Comparison,
    n_done: usize,
}

impl Asking<'_> {
    fn take_turn(&mut self, checkout: &Checkout<'_>, turn: &Turn, is_first: bool) -> Result<()> {
        let open = self.open(checkout, turn)?;
        if is_first {
            self.comparison.scopes[0].add_chunks(open.n_chunks);
        }
        let (suite, repo) = (self.suite, &checkout.repository.name);
        for (idx, question) in suite.questions.iter().enumerate().filter(|(_, q)| q.repo == *repo) {
            let about = |source| Error::Engine { about: question.id.clone(), source };
            if is_first {
                let counts = grep::counts(&open.engine, &open.filters[0], question);
                self.comparison.questions[idx].grep = counts.map_err(about)?;
            }
            for method_idx in &turn.method_idxs {
                let ranks = self.ranks(&open, *method_idx, question).map_err(about)?;
                for (of_scope, rank) in self.comparison.questions[idx].ranks.iter_mut().zip(ranks) {
                    of_scope[*method_idx] = rank;
                }
                self.measure(&open, *method_idx, question).map_err(about)?;
                self.n_done += 1;
                self.step();
            }
        }
        Ok(())
    }

    /// Opens a repository with its index up to date and the model, if any, ready.
    fn open<'c>(&mut self, checkout: &'c Checkout<'c>, turn: &'c Turn) -> Result<Open<'c>> {
        let about = |source| Error::Engine { about: checkout.repository.name.clone(), source };
        let embedder = turn.model.clone().map(|model| model as Arc<dyn Embedder>);
        let events = |event| (self.on_step)(Step::Index(event));
        let started = Instant::now();
        let (engine, report) = checkout.open(self.options, embedder, &events)?;
        for idx in &turn.method_idxs {
            self.comparison.methods[*idx].index += started.elapsed();
            self.keep(*idx, &report);
        }
        let model = turn.model.as_deref();
        model.map_or(Ok(()), Remembering::warm_up).map_err(about)?;
        let n_chunks = engine.status().map_err(about)?.n_chunks;
        let filter = |path: &Option<String>| checkout.filter(path.as_slice(), &self.options.suite);
        let filters = self.comparison.scopes.iter().map(|scope| filter(&scope.path)).collect();
        Ok(Open { checkout, model, engine, n_chunks, filters })
    }

    /// The rank of a question's answer in each scope.
    fn ranks(
        &mut self,
        open: &Open<'_>,
        method_idx: usize,
        question: &Question,
    ) -> wherein_engine::Result<Vec<Option<usize>>> {
        let mut ranks = Vec::with_capacity(open.filters.len());
        for filter in &open.filters {
            let request = SearchRequest {
                limit: Some(usize::try_from(open.n_chunks.max(1)).unwrap_or(usize::MAX)),
                snippets: false,
                ..self.request(method_idx, question, filter)
            };
            let answer = open.engine.search(&request)?;
            self.note_degraded(method_idx, &answer);
            let places = answer.hits.iter().map(|hit| open.checkout.place(hit));
            ranks.push(rank_of_definition(&question.answers, &places.collect::<Vec<Place>>()));
        }
        Ok(ranks)
    }

    /// Measures an ordinary question: ten hits with snippets, in the whole tree.
    fn measure(
        &mut self,
        open: &Open<'_>,
        method_idx: usize,
        question: &Question,
    ) -> wherein_engine::Result<()> {
        let embed = open.model.map(|model| model.time(&question.question)).transpose()?;
        let request = self.request(method_idx, question, &open.filters[0]);
        let started = Instant::now();
        open.engine.search(&request)?;
        let facts = &mut self.comparison.methods[method_idx];
        facts.ask_times.push(started.elapsed() + embed.unwrap_or_default());
        facts.embed_times.extend(embed);
        Ok(())
    }

    fn request(&self, method_idx: usize, question: &Question, filter: &Filter) -> SearchRequest {
        SearchRequest {
            mode: self.methods[method_idx].mode,
            filter: filter.clone(),
            fusion: self.options.fusion,
            ..SearchRequest::new(&question.question)
        }
    }

    fn keep(&mut self, method_idx: usize, report: &RefreshReport) {
        let facts = &mut self.comparison.methods[method_idx];
        facts.n_embedded += report.embedded;
        facts.n_cached += report.cached;
        for degraded in &report.degraded {
            self.note(method_idx, degraded);
        }
    }

    fn note_degraded(&mut self, method_idx: usize, answer: &Answer) {
        for degraded in &answer.degraded {
            self.note(method_idx, degraded);
        }
        // Ranks by words must not pass for those of a model.
        if self.methods[method_idx].mode.needs_model() && answer.model.is_none() {
            self.note(method_idx, "answered without comparing meanings");
        }
    }

    fn note_missing_answers(&mut self, checkout: &Checkout<'_>) {
        let questions = self.suite.questions.iter();
        for question in questions.filter(|q| q.repo == checkout.repository.name) {
            for answer in question.answers.iter().filter(|answer| !checkout.has(answer)) {
                let (id, path) = (&question.id, &answer.path);
                let note = format!("{id}: its answer is not in the checkout: {path}");
                self.comparison.notes.insert(note);
            }
        }
    }

    fn note(&mut self, method_idx: usize, what: &str) {
        let name = &self.methods[method_idx].name;
        self.comparison.notes.insert(format!("{name}: {what}"));
    }

    fn step(&self) {
        let n_total = self.suite.questions.len() * self.methods.len();
        (self.on_step)(Step::Asked { n_done: self.n_done, n_total });
    }
}

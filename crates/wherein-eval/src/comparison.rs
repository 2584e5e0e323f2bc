//! What a comparison found: the rank of each answer by each method in each scope, and what that cost.
//!
//! Holds ranks and counts them; `tables` and `plot` show them. Nothing here searches or lays out.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Map, Value, json};
use wherein_engine::{Mode, Profile};

use crate::method::Method;
use crate::options::EvalOptions;
use crate::suite::{GrepCounts, Question, Suite};

/// The category of questions in plain words, which the published summary counts.
const PLAIN: &str = "concept";

/// Every question of a suite by several methods.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The suite's name.
    pub suite: String,
    /// How files were cut.
    pub profile: Profile,
    /// The methods, in the order of the columns.
    pub methods: Vec<MethodFacts>,
    /// What was searched: first the whole tree, then each path.
    pub scopes: Vec<Scope>,
    /// The questions, in the suite's order.
    pub questions: Vec<Compared>,
    /// What the reader must know: dropped stages, answers that are not in the checkout.
    pub notes: BTreeSet<String>,
}

/// One method and what it cost.
#[derive(Debug, Clone)]
pub struct MethodFacts {
    /// The column's name.
    pub name: String,
    /// How it answers.
    pub mode: Mode,
    /// The model's name.
    pub model: Option<String>,
    /// To bring the indexes up to date, vectors included; methods with one model share it.
    pub index: Duration,
    /// Chunks that the model embedded in that time.
    pub n_embedded: u64,
    /// Chunks whose vector was known from an earlier run.
    pub n_cached: u64,
    pub(crate) ask_times: Vec<Duration>,
    pub(crate) embed_times: Vec<Duration>,
}

/// A part of each tree that is searched by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The path; none for the whole tree.
    pub path: Option<String>,
    /// Chunks of the whole tree; not counted for paths.
    pub n_chunks: Option<u64>,
}

/// One question with its ranks.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The question's id.
    pub id: String,
    /// Its repository.
    pub repo: String,
    /// The question as asked.
    pub question: String,
    /// Its category.
    pub category: String,
    /// The symbol, or the path, that answers it.
    pub answer: String,
    /// The phrase for grep.
    pub grep_phrase: Option<String>,
    /// The word for grep.
    pub grep_word: Option<String>,
    /// How many lines grep finds.
    pub grep: GrepCounts,
    /// Published ranks, from the suite.
    pub published: BTreeMap<String, Option<u32>>,
    /// By scope, then by method: the rank of the first result that holds an answer's first line.
    pub ranks: Vec<Vec<Option<usize>>>,
}

/// How many answers of a group are near the top, by method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryRow {
    /// Index of the scope.
    pub scope_idx: usize,
    /// The category that is counted; none for all questions.
    pub category: Option<&'static str>,
    /// Questions in the group.
    pub n_questions: usize,
    /// By method: answers among the first five results.
    pub top_5: Vec<usize>,
    /// By method: answers among the first ten results.
    pub top_10: Vec<usize>,
}

impl Comparison {
    pub(crate) fn new(suite: &Suite, options: &EvalOptions, methods: &[Method]) -> Comparison {
        let paths = options.paths.iter().cloned().map(Some);
        let scopes: Vec<Scope> =
            std::iter::once(None).chain(paths).map(|path| Scope { path, n_chunks: None }).collect();
        let unranked = vec![vec![None; methods.len()]; scopes.len()];
        let compared = |question| Compared::new(question, unranked.clone());
        Comparison {
            suite: suite.name.clone(),
            profile: options.profile,
            methods: methods.iter().map(MethodFacts::new).collect(),
            scopes,
            questions: suite.questions.iter().map(compared).collect(),
            notes: BTreeSet::new(),
        }
    }

    /// Answers near the top: the rows of each group in each scope.
    pub fn summary(&self) -> Vec<SummaryRow> {
        let groups = self.groups();
        let scopes = 0..self.scopes.len();
        scopes.flat_map(|idx| groups.iter().map(move |group| self.row(idx, *group))).collect()
    }

    /// The groups that are counted: questions in plain words, where there are others beside them, and all.
    pub(crate) fn groups(&self) -> Vec<Option<&'static str>> {
        let n_plain = self.in_group(Some(PLAIN)).count();
        match n_plain > 0 && n_plain < self.questions.len() {
            true => vec![Some(PLAIN), None],
            false => vec![None],
        }
    }

    /// The questions of a category, or all.
    pub(crate) fn in_group(&self, category: Option<&str>) -> impl Iterator<Item = &Compared> {
        let is_in = move |q: &&Compared| category.is_none_or(|name| q.category == name);
        self.questions.iter().filter(is_in)
    }

    fn row(&self, scope_idx: usize, category: Option<&'static str>) -> SummaryRow {
        let within = |cut: usize| {
            let n_found = |method_idx: usize| {
                let ranks = self.in_group(category).map(|q| q.ranks[scope_idx][method_idx]);
                ranks.flatten().filter(|rank| *rank <= cut).count()
            };
            (0..self.methods.len()).map(n_found).collect()
        };
        let n_questions = self.in_group(category).count();
        SummaryRow { scope_idx, category, n_questions, top_5: within(5), top_10: within(10) }
    }

    /// Everything as one JSON object.
    pub fn to_json(&self) -> Value {
        json!({
            "suite": self.suite,
            "profile": self.profile.as_str(),
            "methods": self.methods.iter().map(MethodFacts::to_json).collect::<Vec<_>>(),
            "scopes": self.scopes.iter().map(Scope::to_json).collect::<Vec<_>>(),
            "questions": self.questions.iter().map(|q| self.question_json(q)).collect::<Vec<_>>(),
            "summary": self.summary().iter().map(|row| self.row_json(row)).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    fn question_json(&self, question: &Compared) -> Value {
        let ranks: Map<String, Value> = self
            .scopes
            .iter()
            .zip(&question.ranks)
            .map(|(scope, ranks)| (scope.name().to_owned(), self.by_method(ranks)))
            .collect();
        json!({
            "id": question.id,
            "repo": question.repo,
            "question": question.question,
            "category": question.category,
            "answer": question.answer,
            "grep_phrase": question.grep_phrase,
            "grep_phrase_lines": question.grep.phrase,
            "grep_word": question.grep_word,
            "grep_word_lines": question.grep.word,
            "ranks": ranks,
            "published": question.published,
        })
    }

    fn row_json(&self, row: &SummaryRow) -> Value {
        json!({
            "scope": self.scopes[row.scope_idx].name(),
            "category": row.category,
            "n_questions": row.n_questions,
            "top_5": self.by_method(&row.top_5),
            "top_10": self.by_method(&row.top_10),
        })
    }

    fn by_method<T: serde::Serialize>(&self, values: &[T]) -> Value {
        let named = self.methods.iter().zip(values);
        Value::Object(named.map(|(method, value)| (method.name.clone(), json!(value))).collect())
    }
}

impl MethodFacts {
    fn new(method: &Method) -> MethodFacts {
        MethodFacts {
            name: method.name.clone(),
            mode: method.mode,
            model: method.embedder.as_ref().map(|embedder| embedder.identity().name.clone()),
            index: Duration::ZERO,
            n_embedded: 0,
            n_cached: 0,
            ask_times: Vec::new(),
            embed_times: Vec::new(),
        }
    }

    /// A question for ten results in the whole tree, embedding it included: the median.
    pub fn ask_time(&self) -> Option<Duration> {
        median(&self.ask_times)
    }

    /// Embedding a question: the median; none without a model.
    pub fn embed_time(&self) -> Option<Duration> {
        median(&self.embed_times)
    }

    fn to_json(&self) -> Value {
        let ms = |time: Option<Duration>| time.map(|time| time.as_secs_f64() * 1e3);
        json!({
            "name": self.name,
            "mode": self.mode.as_str(),
            "model": self.model,
            "index_seconds": self.index.as_secs_f64(),
            "n_embedded": self.n_embedded,
            "n_cached": self.n_cached,
            "embed_question_ms": ms(self.embed_time()),
            "question_ms": ms(self.ask_time()),
        })
    }
}

impl Scope {
    /// The path, or words for the whole tree.
    pub fn name(&self) -> &str {
        self.path.as_deref().unwrap_or("whole tree")
    }

    pub(crate) fn add_chunks(&mut self, n_chunks: u64) {
        self.n_chunks = Some(self.n_chunks.unwrap_or(0) + n_chunks);
    }

    fn to_json(&self) -> Value {
        json!({"name": self.name(), "path": self.path, "n_chunks": self.n_chunks})
    }
}

impl Compared {
    fn new(question: &Question, ranks: Vec<Vec<Option<usize>>>) -> Compared {
        let first = question.answers.first();
        let name = first.map(|answer| answer.symbol.as_ref().unwrap_or(&answer.path));
        Compared {
            id: question.id.clone(),
            repo: question.repo.clone(),
            question: question.question.clone(),
            category: question.category.clone(),
            answer: name.cloned().unwrap_or_default(),
            grep_phrase: question.grep_phrase.clone(),
            grep_word: question.grep_word.clone(),
            grep: GrepCounts::default(),
            published: question.published.clone(),
            ranks,
        }
    }
}

fn median(times: &[Duration]) -> Option<Duration> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted.get(middle).copied(),
        _ => Some((*sorted.get(middle.checked_sub(1)?)? + *sorted.get(middle)?) / 2),
    }
}

#[cfg(test)]
mod tests;

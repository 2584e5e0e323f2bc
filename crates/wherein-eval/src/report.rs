//! The verdict on a suite: the figures of each question and their means by group.
//!
//! Means are over questions, so a repository with more questions weighs more, as in the scoring script.
//! The report holds figures; `table` lays them out. Nothing here searches or prints.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use wherein_engine::Mode;

use crate::judge::{CUTS, Figures, figures, rank_of_definition};
use crate::results::RankedPlaces;
use crate::suite::{GrepCounts, Question, Suite};
use crate::table;

/// The figures of a suite.
#[derive(Debug, Clone)]
pub struct Report {
    /// The suite's name.
    pub suite: String,
    /// The mode that answered; none where a results file was judged.
    pub mode: Option<Mode>,
    /// The model that compared meanings, by name.
    pub model: Option<String>,
    /// Repositories of the suite.
    pub n_repositories: usize,
    /// Questions without a result line; they score 0.
    pub n_missing: usize,
    /// Whether the suite names phrases or words for grep.
    pub has_grep: bool,
    /// Means over all questions.
    pub all: Mean,
    /// Means by category, by name.
    pub by_category: BTreeMap<String, Mean>,
    /// Means by language, by name.
    pub by_language: BTreeMap<String, Mean>,
    /// Means by repository, by name.
    pub by_repository: BTreeMap<String, Mean>,
    /// Each question, in the suite's order.
    pub questions: Vec<QuestionRow>,
}

/// One question's figures with what they are grouped by.
#[derive(Debug, Clone)]
pub struct QuestionRow {
    /// The question's id.
    pub id: String,
    /// Its repository.
    pub repo: String,
    /// That repository's language.
    pub language: String,
    /// Its category.
    pub category: String,
    /// How well it was answered.
    pub figures: Figures,
    /// Rank of the first result that holds an answer's first line.
    pub definition_rank: Option<usize>,
    /// The phrase for grep, from the suite.
    pub grep_phrase: Option<String>,
    /// The word for grep, from the suite.
    pub grep_word: Option<String>,
    /// How many lines grep finds; empty where a results file was judged.
    pub grep: GrepCounts,
    /// Published ranks, from the suite.
    pub published: BTreeMap<String, Option<u32>>,
}

/// Means over a group of questions.
#[derive(Debug, Clone, PartialEq)]
pub struct Mean {
    /// Questions in the group.
    pub n_questions: usize,
    columns: Vec<(String, f64)>,
}

impl Mean {
    /// The figures with their names, in the order of the scoring script's columns.
    pub fn columns(&self) -> &[(String, f64)] {
        &self.columns
    }

    /// The figure of that name (`ndcg@10`, `mrr`, `span@5` …).
    pub fn get(&self, name: &str) -> Option<f64> {
        self.columns.iter().find(|(column, _)| column == name).map(|(_, value)| *value)
    }

    fn of(rows: &[&QuestionRow]) -> Mean {
        let mut columns: Vec<(String, f64)> = Vec::new();
        for row in rows {
            for (idx, (name, value)) in named(&row.figures).into_iter().enumerate() {
                match columns.get_mut(idx) {
                    Some((_, sum)) => *sum += value,
                    None => columns.push((name, value)),
                }
            }
        }
        for (_, sum) in &mut columns {
            *sum /= rows.len() as f64;
        }
        Mean { n_questions: rows.len(), columns }
    }
}

impl Report {
    /// Judges ranked places against a suite.
    pub(crate) fn new(
        suite: &Suite,
        ranked: &RankedPlaces,
        grep: &BTreeMap<String, GrepCounts>,
    ) -> Report {
        let questions: Vec<QuestionRow> =
            suite.questions.iter().map(|q| question_row(suite, q, ranked, grep)).collect();
        Report {
            suite: suite.name.clone(),
            mode: None,
            model: None,
            n_repositories: suite.repositories.len(),
            n_missing: suite.questions.iter().filter(|q| !ranked.contains_key(&q.id)).count(),
            has_grep: suite.has_grep(),
            all: Mean::of(&questions.iter().collect::<Vec<_>>()),
            by_category: means_by(&questions, |row| &row.category),
            by_language: means_by(&questions, |row| &row.language),
            by_repository: means_by(&questions, |row| &row.repo),
            questions,
        }
    }

    pub(crate) fn with_mode(mut self, mode: Mode, model: Option<String>) -> Report {
        self.mode = Some(mode);
        self.model = model;
        self
    }

    /// The tables as text, in the columns of the scoring script.
    pub fn to_text(&self) -> String {
        table::text(self)
    }

    /// The tables and every question as one JSON object.
    pub fn to_json(&self) -> Value {
        json!({
            "suite": self.suite,
            "mode": self.mode.map(Mode::as_str),
            "model": self.model,
            "n_questions": self.all.n_questions,
            "n_repositories": self.n_repositories,
            "n_missing": self.n_missing,
            "all": mean_json(&self.all),
            "by_category": means_json(&self.by_category),
            "by_language": means_json(&self.by_language),
            "by_repository": means_json(&self.by_repository),
            "questions": self.questions.iter().map(row_json).collect::<Vec<_>>(),
        })
    }
}

fn question_row(
    suite: &Suite,
    question: &Question,
    ranked: &RankedPlaces,
    grep: &BTreeMap<String, GrepCounts>,
) -> QuestionRow {
    let results = ranked.get(&question.id).map_or(&[][..], Vec::as_slice);
    QuestionRow {
        id: question.id.clone(),
        repo: question.repo.clone(),
        language: suite.language_of(&question.repo).to_owned(),
        category: question.category.clone(),
        figures: figures(&question.answers, results),
        definition_rank: rank_of_definition(&question.answers, results),
        grep_phrase: question.grep_phrase.clone(),
        grep_word: question.grep_word.clone(),
        grep: grep.get(&question.id).copied().unwrap_or_default(),
        published: question.published.clone(),
    }
}

fn means_by(rows: &[QuestionRow], key: impl Fn(&QuestionRow) -> &String) -> BTreeMap<String, Mean> {
    let mut groups: BTreeMap<String, Vec<&QuestionRow>> = BTreeMap::new();
    for row in rows {
        groups.entry(key(row).clone()).or_default().push(row);
    }
    groups.into_iter().map(|(name, rows)| (name, Mean::of(&rows))).collect()
}

/// Figures with their names, in the order of the columns.
fn named(figures: &Figures) -> Vec<(String, f64)> {
    let at = |name: &str, values: [f64; 3]| {
        CUTS.into_iter()
            .zip(values)
            .map(move |(cut, value)| (format!("{name}@{cut}"), value))
            .collect::<Vec<_>>()
    };
    let mut columns =
        vec![("ndcg@10".to_owned(), figures.ndcg_at_10), ("mrr".to_owned(), figures.mrr)];
    columns.extend(at("span", figures.span_at));
    columns.extend(at("file", figures.file_at));
    columns.push(("lines@10".to_owned(), figures.lines_at_10));
    columns
}

fn columns_json(columns: &[(String, f64)]) -> Map<String, Value> {
    columns.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
}

fn mean_json(mean: &Mean) -> Value {
    let mut object = columns_json(&mean.columns);
    object.insert("n".to_owned(), json!(mean.n_questions));
    Value::Object(object)
}

fn means_json(means: &BTreeMap<String, Mean>) -> Map<String, Value> {
    means.iter().map(|(name, mean)| (name.clone(), mean_json(mean))).collect()
}

fn row_json(row: &QuestionRow) -> Value {
    let mut object = columns_json(&named(&row.figures));
    let facts = json!({
        "id": row.id,
        "repo": row.repo,
        "language": row.language,
        "category": row.category,
        "rank": row.figures.rank,
        "definition_rank": row.definition_rank,
        "grep_phrase": row.grep_phrase,
        "grep_phrase_lines": row.grep.phrase,
        "grep_word": row.grep_word,
        "grep_word_lines": row.grep.word,
        "published": row.published,
    });
    if let Value::Object(facts) = facts {
        object.extend(facts);
    }
    Value::Object(object)
}

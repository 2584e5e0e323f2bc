//! The tables of a comparison: ranks by question, answers near the top, published ranks.
//!
//! Only cells are made here: no rank is counted, and `grid` lays them out.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::comparison::{Compared, Comparison, SummaryRow};
use crate::grid::{Grid, shortened};

/// Columns of a question, and of its answer, in a terminal.
const QUESTION_WIDTH: usize = 48;
const ANSWER_WIDTH: usize = 28;

/// How tables are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Columns that line up; long questions are shortened.
    Text,
    /// Markdown, questions in full and with what grep was asked.
    Markdown,
}

impl Comparison {
    /// The tables: ranks by question in the whole tree, answers near the top, and published ranks on demand.
    pub fn to_tables(&self, layout: Layout, with_published: bool) -> String {
        let mut grids = vec![questions(self, layout), summary(self)];
        if with_published && self.questions.iter().any(|q| !q.published.is_empty()) {
            grids.push(published(self, layout));
        }
        let shown: Vec<String> = grids
            .iter()
            .map(|grid| match layout {
                Layout::Text => grid.to_text(),
                Layout::Markdown => grid.to_markdown(),
            })
            .collect();
        shown.join("\n")
    }
}

/// Ranks by question.
fn questions(comparison: &Comparison, layout: Layout) -> Grid {
    let methods = comparison.methods.iter().map(|method| method.name.clone());
    let heads = ["question", "grep phrase", "grep word"].map(str::to_owned);
    let row = |question: &Compared| {
        let ranks = question.ranks[0].iter().map(|rank| or_dash(*rank));
        let counts = [
            grepped(question.grep_phrase.as_deref(), question.grep.phrase, layout),
            grepped(question.grep_word.as_deref(), question.grep.word, layout),
        ];
        std::iter::once(asked(question, layout)).chain(counts).chain(ranks).collect()
    };
    let n_chunks = comparison.scopes[0].n_chunks;
    let among = n_chunks.map_or("all chunks".to_owned(), |n| format!("all {n} chunks"));
    let mut notes = vec![
        format!("rank: first result, among {among}, that holds the first line of an answer"),
        "-: not in the list; grep: lines that grep -i finds for the phrase, for the word"
            .to_owned(),
    ];
    notes.extend(comparison.notes.iter().map(|note| format!("note: {note}")));
    Grid {
        title: format!("{}: rank of the answer, whole tree", comparison.suite),
        heads: heads.into_iter().chain(methods).collect(),
        rows: comparison.questions.iter().map(row).collect(),
        notes,
    }
}

/// Answers near the top, and what they cost.
fn summary(comparison: &Comparison) -> Grid {
    let methods = &comparison.methods;
    let names = methods.iter().map(|method| method.name.clone());
    let heads = ["answers in the top 5 / top 10", "questions"].map(str::to_owned);
    let mut rows: Vec<Vec<String>> =
        comparison.summary().iter().map(|row| summary_cells(comparison, row)).collect();
    let cost = |name: &str, cell: &dyn Fn(usize) -> String| {
        let cells = (0..methods.len()).map(cell);
        [name.to_owned(), String::new()].into_iter().chain(cells).collect()
    };
    rows.push(cost("index brought up to date, s", &|idx| seconds(methods[idx].index)));
    rows.push(cost("one question, ms (median)", &|idx| millis(methods[idx].ask_time())));
    let n_cached: u64 = methods.iter().map(|method| method.n_cached).max().unwrap_or(0);
    let mut notes = Vec::new();
    if n_cached > 0 {
        notes.push(format!("up to {n_cached} vectors were known from an earlier run"));
    }
    Grid { title: String::new(), heads: heads.into_iter().chain(names).collect(), rows, notes }
}

fn summary_cells(comparison: &Comparison, row: &SummaryRow) -> Vec<String> {
    let scope = &comparison.scopes[row.scope_idx];
    let chunks = scope.n_chunks.map(|n| format!(", {n} chunks")).unwrap_or_default();
    let counts = row.top_5.iter().zip(&row.top_10).map(|(five, ten)| format!("{five} / {ten}"));
    let heads = [format!("{}{chunks}", scope.name()), group_name(row.category, row.n_questions)];
    heads.into_iter().chain(counts).collect()
}

/// Ranks that the suite quotes, in the order of its names.
fn published(comparison: &Comparison, layout: Layout) -> Grid {
    let names: BTreeSet<&String> =
        comparison.questions.iter().flat_map(|q| q.published.keys()).collect();
    let cells = |question: &Compared| {
        let rank = |name: &&String| or_dash(question.published.get(*name).copied().flatten());
        std::iter::once(asked(question, layout)).chain(names.iter().map(rank)).collect()
    };
    let mut rows: Vec<Vec<String>> = comparison.questions.iter().map(cells).collect();
    for group in comparison.groups() {
        let n_questions = comparison.in_group(group).count();
        let within = |name: &String, cut: u32| {
            let ranks = comparison.in_group(group).filter_map(|q| q.published.get(name));
            ranks.flatten().filter(|rank| **rank <= cut).count()
        };
        let counts = names.iter().map(|name| format!("{} / {}", within(name, 5), within(name, 10)));
        let name = format!("top 5 / top 10, {}", group_name(group, n_questions));
        rows.push(std::iter::once(name).chain(counts).collect());
    }
    let heads = std::iter::once("question, published rank".to_owned());
    let heads = heads.chain(names.iter().map(|name| (*name).clone())).collect();
    Grid { title: String::new(), heads, rows, notes: Vec::new() }
}

fn asked(question: &Compared, layout: Layout) -> String {
    match layout {
        Layout::Markdown => format!("{} (`{}`)", question.question, question.answer),
        Layout::Text => {
            let words = shortened(&question.question, QUESTION_WIDTH);
            match words == question.answer {
                true => words,
                false => format!("{words} ({})", shortened(&question.answer, ANSWER_WIDTH)),
            }
        }
    }
}

fn grepped(text: Option<&str>, n_lines: Option<u64>, layout: Layout) -> String {
    match (text, n_lines, layout) {
        (Some(text), Some(n_lines), Layout::Markdown) => format!("\"{text}\": {n_lines}"),
        (_, Some(n_lines), _) => n_lines.to_string(),
        _ => String::new(),
    }
}

/// `concept (10)`, `all (12)`.
pub(crate) fn group_name(category: Option<&str>, n_questions: usize) -> String {
    format!("{} ({n_questions})", category.unwrap_or("all"))
}

fn or_dash(rank: Option<impl ToString>) -> String {
    rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string())
}

fn seconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64())
}

fn millis(time: Option<Duration>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| format!("{:.1}", time.as_secs_f64() * 1e3))
}

//! Lays figures out as text: columns of the scoring script, and one line a question for grep suites.
//!
//! Only text is made here: no figure is computed and nothing is printed.

use crate::report::{Mean, QuestionRow, Report};
use crate::suite::GrepCounts;

/// Width of the first column, as in the scoring script.
const NAME_WIDTH: usize = 20;

/// The whole report as text, ending in a newline.
pub(crate) fn text(report: &Report) -> String {
    let mut out = format!(
        "{}: {} questions, {} repositories, {} without a result line\n",
        report.suite, report.all.n_questions, report.n_repositories, report.n_missing
    );
    out.push_str(&heading(report));
    out.push_str(&mean_line("all", &report.all));
    for (prefix, groups) in [
        ("cate", &report.by_category),
        ("lang", &report.by_language),
        ("repo", &report.by_repository),
    ] {
        // A single group repeats the first line.
        if groups.len() > 1 {
            for (name, mean) in groups {
                out.push_str(&mean_line(&format!("{prefix}: {name}"), mean));
            }
        }
    }
    if report.has_grep {
        out.push('\n');
        out.push_str(&grep_table(&report.questions));
    }
    out
}

fn heading(report: &Report) -> String {
    let columns: Vec<String> =
        report.all.columns().iter().map(|(name, _)| format!("{name:>8}")).collect();
    format!("{:NAME_WIDTH$}{:>5} {}\n", "", "n", columns.join(" "))
}

fn mean_line(name: &str, mean: &Mean) -> String {
    let columns: Vec<String> =
        mean.columns().iter().map(|(_, value)| format!("{value:>8.3}")).collect();
    format!("{name:NAME_WIDTH$}{:>5} {}\n", mean.n_questions, columns.join(" "))
}

fn grep_table(rows: &[QuestionRow]) -> String {
    let width = rows.iter().map(|row| row.id.chars().count()).max().unwrap_or(0).max(8);
    let mut out = format!(
        "{:width$} {:>7} {:>7} {:>5} {:>5}  {}\n",
        "question", "phrase", "word", "rank", "def", "grep phrase · grep word · published ranks"
    );
    for row in rows {
        let GrepCounts { phrase, word } = row.grep;
        out.push_str(&format!(
            "{:width$} {:>7} {:>7} {:>5} {:>5}  {}\n",
            row.id,
            or_dash(phrase),
            or_dash(word),
            or_dash(row.figures.rank),
            or_dash(row.definition_rank),
            asked_of_grep(row)
        ));
    }
    out.push_str(
        "phrase, word: lines that grep -i finds; rank: first result that overlaps an answer;\n",
    );
    out.push_str("def: first result that holds an answer's first line, as published\n");
    out
}

fn asked_of_grep(row: &QuestionRow) -> String {
    let quoted = |text: &Option<String>| text.as_ref().map(|text| format!("\"{text}\""));
    let published: Vec<String> =
        row.published.iter().map(|(method, rank)| format!("{method} {}", or_dash(*rank))).collect();
    let published = (!published.is_empty()).then(|| published.join(", "));
    let parts = [quoted(&row.grep_phrase), quoted(&row.grep_word), published];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

//! One line a result: `-l`, `-c`, `--vimgrep`, and grep's own form for exact and regex mode.
//!
//! Into a pipe these print paths and text as they are, byte for byte; on a terminal they are made harmless.

use std::borrow::Cow;
use std::collections::BTreeMap;

use wherein_engine::{Hit, SnippetLine};

use super::Printer;
use super::text::visible;
use crate::failure::Outcome;

/// The paths of files with results, each once; `paths` has one for each result.
pub(crate) fn files<'p>(
    printer: &mut Printer,
    paths: impl Iterator<Item = &'p str>,
    null: bool,
) -> Outcome<()> {
    let end = if null { '\0' } else { '\n' };
    for (path, _) in counted(paths) {
        let path = shown(printer, path).into_owned();
        write!(printer.out(), "{path}{end}")?;
    }
    Ok(())
}

/// `path:count` for each file with results; `paths` has one for each result.
pub(crate) fn counts<'p>(
    printer: &mut Printer,
    paths: impl Iterator<Item = &'p str>,
    null: bool,
) -> Outcome<()> {
    let after = if null { '\0' } else { ':' };
    for (path, count) in counted(paths) {
        let path = shown(printer, path).into_owned();
        writeln!(printer.out(), "{path}{after}{count}")?;
    }
    Ok(())
}

/// `path:line:column:text` at the first matching line of each result.
pub(crate) fn vimgrep(printer: &mut Printer, hits: &[Hit]) -> Outcome<()> {
    hits.iter().try_for_each(|hit| editor_line(printer, &hit.path, target(hit)))
}

/// One line as editors read it: its number, the 1-based byte column to jump to, and its text.
pub(super) fn editor_line(
    printer: &mut Printer,
    path: &str,
    (line, column, text): (u32, usize, &str),
) -> Outcome<()> {
    let path = shown(printer, path).into_owned();
    let text = shown(printer, text).into_owned();
    writeln!(printer.out(), "{path}:{line}:{column}:{text}")?;
    Ok(())
}

/// `path:line:text` as `grep -rn` prints it, with `-` for context lines and `--` between runs.
pub(crate) fn grep(printer: &mut Printer, hits: &[Hit], null: bool) -> Outcome<()> {
    let with_context = hits.iter().any(|hit| hit.snippet.len() > 1);
    let mut first = true;
    for group in hits.chunk_by(same_file) {
        for run in runs(group) {
            if with_context && !first {
                writeln!(printer.out(), "--")?;
            }
            first = false;
            grep_run(printer, &group[0].path, &run, null)?;
        }
    }
    Ok(())
}

fn grep_run(
    printer: &mut Printer,
    path: &str,
    run: &[(bool, &SnippetLine)],
    null: bool,
) -> Outcome<()> {
    let path = shown(printer, path).into_owned();
    for (is_match, line) in run {
        let mark = if *is_match { ':' } else { '-' };
        let after = if null { '\0' } else { mark };
        let text = shown(printer, &line.text).into_owned();
        writeln!(printer.out(), "{path}{after}{}{mark}{text}", line.number)?;
    }
    Ok(())
}

/// Whether two neighbouring exact hits lie in one file. Names that are not UTF-8 can look alike once they are made
/// readable, but the lines of one file only rise: no match of another is taken for a repetition.
pub(super) fn same_file(left: &Hit, right: &Hit) -> bool {
    left.path == right.path && left.start_line < right.start_line
}

/// The lines of one file's hits in order, each once, split where lines are missing in between. The flag
/// says whether the line is a match or context.
pub(super) fn runs(hits: &[Hit]) -> Vec<Vec<(bool, &SnippetLine)>> {
    let mut lines: BTreeMap<u32, (bool, &SnippetLine)> = BTreeMap::new();
    for hit in hits {
        for line in &hit.snippet {
            let is_match = (hit.start_line..=hit.end_line).contains(&line.number);
            let entry = lines.entry(line.number).or_insert((is_match, line));
            if is_match && !entry.0 {
                *entry = (true, line);
            }
        }
    }
    let mut runs: Vec<Vec<(bool, &SnippetLine)>> = Vec::new();
    for line in lines.into_values() {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|(_, last)| last.number + 1 == line.1.number) => {
                run.push(line);
            }
            _ => runs.push(vec![line]),
        }
    }
    runs
}

/// Files with the number of their results, in the order in which they first appear.
fn counted<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<(&'p str, u64)> {
    let mut order: Vec<(&str, u64)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        let idx = *places.entry(path).or_insert_with(|| {
            order.push((path, 0));
            order.len() - 1
        });
        order[idx].1 += 1;
    }
    order
}

/// Where an editor should jump: the hit's own line in exact modes, the first line with a match in ranked ones.
fn target(hit: &Hit) -> (u32, usize, &str) {
    let own = hit.snippet.iter().find(|line| line.number == hit.start_line);
    if hit.start_line == hit.end_line
        && let Some(line) = own
    {
        return (line.number, hit.column as usize, &line.text);
    }
    let matching = hit.snippet.iter().find(|line| !line.highlights.is_empty());
    match matching.or(hit.snippet.first()) {
        Some(line) => {
            let column = line.highlights.first().map_or(1, |range| range.start + 1);
            (line.number, column, &line.text)
        }
        None => (hit.start_line, hit.column as usize, ""),
    }
}

/// The text as it may be printed.
fn shown<'t>(printer: &Printer, text: &'t str) -> Cow<'t, str> {
    if printer.guards() { visible(text) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherein_engine::{Kind, ScoreParts};

    fn hit(path: &str, start: u32, end: u32, lines: &[u32]) -> Hit {
        let snippet = lines.iter().map(|number| SnippetLine {
            number: *number,
            text: format!("line {number}"),
            highlights: if *number == start { Vec::new() } else { std::iter::once(2..4).collect() },
        });
        Hit {
            path: path.to_owned(),
            start_line: start,
            end_line: end,
            column: 7,
            kind: Kind::Source,
            language: String::new(),
            symbol: None,
            score: 0.0,
            parts: ScoreParts::default(),
            copies: Vec::new(),
            snippet: snippet.collect(),
        }
    }

    #[test]
    fn overlapping_contexts_print_each_line_once() {
        let hits = [hit("a", 2, 2, &[1, 2, 3]), hit("a", 3, 3, &[2, 3, 4]), hit("a", 9, 9, &[9])];
        let runs = runs(&hits);
        let shape: Vec<Vec<(bool, u32)>> = runs
            .iter()
            .map(|run| run.iter().map(|(is_match, line)| (*is_match, line.number)).collect())
            .collect();
        assert_eq!(shape, [vec![(false, 1), (true, 2), (true, 3), (false, 4)], vec![(true, 9)]]);
    }

    #[test]
    fn files_are_counted_in_order_of_appearance() {
        assert_eq!(counted(["b", "a", "b"].into_iter()), [("b", 2), ("a", 1)]);
    }

    #[test]
    fn an_editor_jumps_to_the_match() {
        assert_eq!(target(&hit("a", 5, 5, &[4, 5, 6])), (5, 7, "line 5"));
        assert_eq!(target(&hit("a", 5, 9, &[5, 6])), (6, 3, "line 6"));
        assert_eq!(target(&hit("a", 5, 9, &[])), (5, 7, ""));
    }
}

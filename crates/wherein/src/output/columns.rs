//! Rows of a few columns and a rest: two spaces apart in a pipe, aligned on a terminal.

use unicode_width::UnicodeWidthStr;

use super::Printer;
use crate::failure::Outcome;

/// Columns are not padded beyond this: one long path must not push every line off the screen.
const MAX_WIDTH: usize = 60;

/// One piece of text: how many columns it takes, and how it is painted and linked.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    width: usize,
    painted: String,
}

impl Cell {
    /// `painted` says what `plain` says.
    pub(super) fn new(plain: &str, painted: String) -> Cell {
        Cell { width: plain.width(), painted }
    }
}

/// One line: its indentation and its columns.
#[derive(Debug)]
pub(super) struct Row<const N: usize> {
    pub(super) indent: String,
    pub(super) cells: [Cell; N],
}

impl<const N: usize> Default for Row<N> {
    fn default() -> Self {
        Row { indent: String::new(), cells: std::array::from_fn(|_| Cell::default()) }
    }
}

/// Writes rows, each with the rest of its line: what `rest` makes of its position, the columns that are left, and
/// whether to colour.
pub(super) fn write_all<const N: usize>(
    printer: &mut Printer,
    rows: &[Row<N>],
    rest: impl Fn(usize, usize, bool) -> String,
) -> Outcome<()> {
    let widths = if printer.terminal { widths(rows) } else { [0; N] };
    for (idx, row) in rows.iter().enumerate() {
        let (start, used) = joined(row, &widths);
        let rest = rest(idx, printer.width.saturating_sub(used), printer.color);
        let line = format!("{start}{rest}");
        writeln!(printer.out(), "{}", line.trim_end())?;
    }
    Ok(())
}

/// How wide each column is.
fn widths<const N: usize>(rows: &[Row<N>]) -> [usize; N] {
    std::array::from_fn(|column| {
        let widest = rows.iter().map(|row| row.cells[column].width).max();
        widest.unwrap_or(0).min(MAX_WIDTH)
    })
}

/// The columns of a row with what separates them, and how many columns of the line they take.
fn joined<const N: usize>(row: &Row<N>, widths: &[usize; N]) -> (String, usize) {
    let (mut line, mut used) = (row.indent.clone(), row.indent.len());
    for (cell, width) in row.cells.iter().zip(widths) {
        let gap = 2 + width.saturating_sub(cell.width);
        line.push_str(&cell.painted);
        line.extend(std::iter::repeat_n(' ', gap));
        used += cell.width + gap;
    }
    (line, used)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(indent: &str, texts: [&str; 2]) -> Row<2> {
        let cells = texts.map(|text| Cell::new(text, format!("<{text}>")));
        Row { indent: indent.to_owned(), cells }
    }

    #[test]
    fn columns_are_aligned_by_what_is_seen() {
        let rows = [row("", ["a:1-2", "method"]), row("", ["größe:10-20", "enum"])];
        let widths = widths(&rows);
        assert_eq!(widths, [11, 6]);
        let lines: Vec<String> = rows.iter().map(|row| joined(row, &widths).0).collect();
        assert_eq!(lines, ["<a:1-2>        <method>  ", "<größe:10-20>  <enum>    "]);
    }

    #[test]
    fn into_a_pipe_two_spaces_separate() {
        let (line, used) = joined(&row("  ", ["1-2", "method"]), &[0, 0]);
        assert_eq!((line.as_str(), used), ("  <1-2>  <method>  ", 15));
    }

    #[test]
    fn one_long_path_does_not_push_the_others_away() {
        let long = "x".repeat(200);
        let rows = [row("", [&long, "b"]), row("", ["a", "b"])];
        assert_eq!(widths(&rows), [MAX_WIDTH, 1]);
    }
}

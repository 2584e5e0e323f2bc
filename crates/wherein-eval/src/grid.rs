//! A table of text: columns that line up for a terminal, or the pipes of Markdown.
//!
//! Knows nothing of what the cells mean.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A table with a heading and notes below it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Grid {
    /// What the table shows; may be empty.
    pub(crate) title: String,
    /// The heads of the columns; the first column is text, the others are figures.
    pub(crate) heads: Vec<String>,
    /// As many cells as there are heads in each.
    pub(crate) rows: Vec<Vec<String>>,
    /// Lines below the table.
    pub(crate) notes: Vec<String>,
}

impl Grid {
    /// Lined up for a terminal; the head of a column of figures may take two lines.
    pub(crate) fn to_text(&self) -> String {
        let figures = self.heads.iter().skip(1).map(|head| stacked(head));
        let heads: Vec<Vec<String>> =
            self.heads.iter().take(1).map(|head| vec![head.clone()]).chain(figures).collect();
        let height = heads.iter().map(Vec::len).max().unwrap_or(0);
        let line_of_heads = |line: usize| -> Vec<String> {
            let at = |words: &Vec<String>| (line + words.len()).checked_sub(height);
            heads.iter().map(|words| at(words).map_or("", |i| words[i].as_str()).into()).collect()
        };
        let mut lines: Vec<Vec<String>> = (0..height).map(line_of_heads).collect();
        lines.extend(self.rows.iter().cloned());
        let widths: Vec<usize> = (0..self.heads.len())
            .map(|column| lines.iter().map(|line| line[column].width()).max().unwrap_or(0))
            .collect();
        let mut out = String::new();
        if !self.title.is_empty() {
            out.push_str(&format!("{}\n", self.title));
        }
        for line in &lines {
            let cells = line.iter().zip(&widths).enumerate();
            let padded: Vec<String> =
                cells.map(|(column, (cell, width))| pad(cell, *width, column == 0)).collect();
            out.push_str(&format!("{}\n", padded.join("  ").trim_end()));
        }
        for note in &self.notes {
            out.push_str(&format!("{note}\n"));
        }
        out
    }

    /// A Markdown table.
    pub(crate) fn to_markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| in_pipes(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut out = String::new();
        if !self.title.is_empty() {
            out.push_str(&format!("**{}**\n\n", in_pipes(&self.title)));
        }
        out.push_str(&line(&self.heads));
        let rule = (0..self.heads.len()).map(|column| if column == 0 { "---|" } else { "---:|" });
        out.push_str(&format!("|{}\n", rule.collect::<String>()));
        out.extend(self.rows.iter().map(|row| line(row)));
        for note in &self.notes {
            out.push_str(&format!("\n{note}\n"));
        }
        out
    }
}

/// The text, cut to at most `width` columns with an ellipsis.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.width() <= width {
        return text;
    }
    let mut taken = 0;
    let fits = |c: &char| {
        taken += c.width().unwrap_or(0);
        taken < width
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// The lines of a head: the first word, then the rest.
fn stacked(head: &str) -> Vec<String> {
    head.splitn(2, ' ').map(str::to_owned).collect()
}

fn pad(cell: &str, width: usize, left: bool) -> String {
    let space = " ".repeat(width.saturating_sub(cell.width()));
    if left { format!("{cell}{space}") } else { format!("{space}{cell}") }
}

/// A cell of Markdown: one line, nothing in it that ends the cell or starts a tag.
fn in_pipes(cell: &str) -> String {
    let line = cell.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        Grid {
            title: "T".to_owned(),
            heads: row(["question", "keyword", "hybrid small model"]),
            rows: vec![row(["a | b", "1", "12"]), row(["日本", "-", "3"])],
            notes: vec!["note".to_owned()],
        }
    }

    #[test]
    fn columns_line_up_whatever_their_script() {
        let wanted = "\
T
                    hybrid
question  keyword  small model
a | b           1           12
日本            -            3
note
";
        let text = grid().to_text();
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeezed(&text), squeezed(wanted));
        let ends: Vec<usize> = text.lines().skip(2).take(3).map(UnicodeWidthStr::width).collect();
        assert_eq!(ends, [30, 30, 30], "{text}");
    }

    #[test]
    fn markdown_has_as_many_cells_in_each_row() {
        let text = grid().to_markdown();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "| question | keyword | hybrid small model |");
        assert_eq!(lines[3], "|---|---:|---:|");
        assert_eq!(lines[4], "| a \\| b | 1 | 12 |");
        assert_eq!(lines.last(), Some(&"note"));
    }

    #[test]
    fn long_text_is_cut_with_an_ellipsis() {
        assert_eq!(shortened("short", 10), "short");
        assert_eq!(shortened("one two  three", 9), "one two…");
        assert!(shortened("日本日本日本", 7).width() <= 7);
    }
}

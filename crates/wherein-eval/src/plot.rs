//! A picture of a comparison: for each scope, how many answers each method puts near the top.
//!
//! One SVG that needs nothing else: it names its fonts by family, follows the reader's light or dark scheme,
//! tells its two bars apart by more than colour, and says its figures in words for screen readers. Text of the suite is
//! escaped. No rank is counted here.

use crate::comparison::{Comparison, SummaryRow};
use crate::grid::shortened;
use crate::tables::group_name;

const WIDTH: usize = 760;
/// Where bars begin, and how long the longest is.
const LEFT: usize = 250;
const SPAN: usize = 430;
/// Height of the head, of a scope's name, of a method's two bars, of an axis.
const HEAD: usize = 86;
const NAME: usize = 26;
const ROW: usize = 30;
const AXIS: usize = 38;
const BAR: usize = 10;
/// Characters of a method's name beside its bars.
const LABEL: usize = 34;

/// Plain rules, twice: programs that draw SVG outside a browser know no variables.
const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:13px;fill:#1f2328}
.title{font-size:17px;font-weight:600}.name{font-weight:600}.soft{font-size:12px;fill:#59636e}
.paper{fill:#ffffff}.rule{stroke:#d1d9e0}
.five{fill:#0550ae;stroke:#0550ae}.ten{fill:#b6d7ff;stroke:#0550ae}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.soft{fill:#9198a1}.paper{fill:#0d1117}.rule{stroke:#3d444d}
.five{fill:#58a6ff;stroke:#58a6ff}.ten{fill:#12365f;stroke:#58a6ff}}";

impl Comparison {
    /// Grouped bars of the answers in the top 5 and the top 10, as one SVG document.
    pub fn to_svg(&self) -> String {
        let group = self.groups().first().copied().flatten();
        let rows: Vec<SummaryRow> =
            self.summary().into_iter().filter(|row| row.category == group).collect();
        let panel = NAME + self.methods.len() * ROW + AXIS;
        let height = HEAD + rows.len() * panel;
        let mut out = head(self, &rows, height);
        for (idx, row) in rows.iter().enumerate() {
            out.push_str(&self.panel(row, HEAD + idx * panel));
        }
        out.push_str("</svg>\n");
        out
    }

    /// One scope: its name, two bars for each method, an axis.
    fn panel(&self, row: &SummaryRow, top: usize) -> String {
        let name = escaped(self.scopes[row.scope_idx].name());
        let mut out =
            format!("<text class=\"name\" x=\"16\" y=\"{}\">{name}</text>\n", top + NAME - 10);
        let bars = top + NAME;
        let bottom = bars + self.methods.len() * ROW;
        out.push_str(&axis(row.n_questions, bars, bottom));
        for (idx, method) in self.methods.iter().enumerate() {
            let y = bars + idx * ROW;
            let label = escaped(&shortened(&method.name, LABEL));
            let x = LEFT - 10;
            out.push_str(&format!(
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"end\">{label}</text>\n",
                y + 18
            ));
            out.push_str(&bar("five", row.top_5[idx], row.n_questions, y + 3));
            out.push_str(&bar("ten", row.top_10[idx], row.n_questions, y + 4 + BAR));
        }
        out
    }
}

fn head(comparison: &Comparison, rows: &[SummaryRow], height: usize) -> String {
    let asked = rows.first().map_or(String::new(), |row| group_name(row.category, row.n_questions));
    let about = escaped(&format!("{}, questions: {asked}", comparison.suite));
    let said = escaped(&in_words(comparison, rows));
    let ten = LEFT + 96;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\" aria-labelledby=\"title said\">\n\
         <title id=\"title\">Answers near the top, by method</title>\n\
         <desc id=\"said\">{said}</desc>\n\
         <style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
         <text class=\"title\" x=\"16\" y=\"28\">Answers near the top, by method</text>\n\
         <text class=\"soft\" x=\"16\" y=\"48\">{about}</text>\n\
         <rect class=\"five\" x=\"{LEFT}\" y=\"60\" width=\"18\" height=\"{BAR}\"/>\n\
         <text x=\"{}\" y=\"70\">top 5</text>\n\
         <rect class=\"ten\" x=\"{ten}\" y=\"60\" width=\"18\" height=\"{BAR}\"/>\n\
         <text x=\"{}\" y=\"70\">top 10</text>\n",
        LEFT + 26,
        ten + 26
    )
}

/// What the bars show, for those who do not see them.
fn in_words(comparison: &Comparison, rows: &[SummaryRow]) -> String {
    let scope = |row: &SummaryRow| {
        let methods = comparison.methods.iter().zip(row.top_5.iter().zip(&row.top_10));
        let said: Vec<String> =
            methods.map(|(m, (five, ten))| format!("{} {five} and {ten}", m.name)).collect();
        let name = comparison.scopes[row.scope_idx].name();
        format!("{name}, of {} questions: {}.", row.n_questions, said.join(", "))
    };
    let scopes: Vec<String> = rows.iter().map(scope).collect();
    format!("Answers in the top 5 and in the top 10. {}", scopes.join(" "))
}

/// Whole numbers below the bars, with a rule for each.
fn axis(n_questions: usize, top: usize, bottom: usize) -> String {
    let mut out = String::new();
    for value in (0..=n_questions).step_by(step(n_questions)) {
        let x = LEFT + length(value, n_questions);
        out.push_str(&format!(
            "<line class=\"rule\" x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>\n\
             <text class=\"soft\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{value}</text>\n",
            bottom + 15
        ));
    }
    let x = LEFT - 10;
    let y = bottom + 15;
    out + &format!("<text class=\"soft\" x=\"{x}\" y=\"{y}\" text-anchor=\"end\">answers</text>\n")
}

/// The distance of marks: 1, 2 or 5 times a power of ten, for at most ten of them.
fn step(n_questions: usize) -> usize {
    let powers = std::iter::successors(Some(1), |power: &usize| power.checked_mul(10));
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|n: usize| n.saturating_mul(power)));
    steps.find(|step| n_questions / step <= 10).unwrap_or(usize::MAX)
}

fn bar(class: &str, value: usize, n_questions: usize, y: usize) -> String {
    let width = length(value, n_questions);
    let (x, base) = (LEFT + width + 6, y + BAR - 1);
    format!(
        "<rect class=\"{class}\" x=\"{LEFT}\" y=\"{y}\" width=\"{width}\" height=\"{BAR}\"/>\n\
         <text class=\"soft\" x=\"{x}\" y=\"{base}\">{value}</text>\n"
    )
}

fn length(value: usize, n_questions: usize) -> usize {
    value * SPAN / n_questions.max(1)
}

/// Text that neither ends an element nor breaks the document.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no way at all to write most control characters.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_few() {
        for (n_questions, wanted) in [(1, 1), (10, 1), (12, 2), (50, 5), (100, 10), (831, 100)] {
            assert_eq!(step(n_questions), wanted, "{n_questions}");
        }
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b> & \"c\"\u{1b}[0m"), "a&lt;b&gt; &amp; &quot;c&quot; [0m");
    }
}

//! What fitting found, as Markdown; and the file of weights.

use std::collections::BTreeMap;
use std::fmt::Write;

use wherein_engine::{FEATURES, Ranking, Shape, Weights};

use super::cross::Judged;
use super::example::{Example, Way};

/// The figures of some weights on one suite.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// `hybrid` or `keyword`.
    pub way: &'static str,
    /// What was left out.
    pub label: String,
    /// The suite, with the category where it has several.
    pub suite: String,
    /// Questions.
    pub n: usize,
    /// Means of nDCG@10, span@5, span@10, file@10 and lines@10.
    pub figures: [f64; 5],
}

/// What fitting found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Held-out figures.
    pub rows: Vec<Row>,
    /// The other tables, in Markdown.
    pub tables: String,
}

impl Report {
    pub(super) fn add(&mut self, way: Way, label: &str, judged: &[Judged]) {
        let mut groups: BTreeMap<String, Vec<&Judged>> = BTreeMap::new();
        for one in judged {
            groups.entry(one.suite.clone()).or_default().push(one);
            groups.entry(format!("{}: {}", one.suite, one.category)).or_default().push(one);
        }
        for (suite, group) in groups {
            let n = group.len();
            let mean = |of: &dyn Fn(&Judged) -> f64| {
                group.iter().map(|one| of(one)).sum::<f64>() / n as f64
            };
            let figures = [
                mean(&|one| one.figures.ndcg_at_10),
                mean(&|one| one.figures.span_at[1]),
                mean(&|one| one.figures.span_at[2]),
                mean(&|one| one.figures.file_at[2]),
                mean(&|one| one.figures.lines_at_10),
            ];
            self.rows.push(Row { way: way.as_str(), label: label.to_owned(), suite, n, figures });
        }
    }

    pub(super) fn add_weights(&mut self, way: Way, examples: &[Example], weights: &Weights) {
        let mut table = format!(
            "\n## Weights, {}\n\nBeside each weight what it moves: weight times the feature's standard deviation.\n\n\
             | feature | group | weight | moves | for names |\n|---|---|---:|---:|---:|\n",
            way.as_str()
        );
        for (at, info) in FEATURES.iter().enumerate() {
            let moves = weights.every[at] * deviation(examples, at);
            let _ = writeln!(
                table,
                "| {} | {} | {:.3} | {moves:.3} | {:+.3} |",
                info.name,
                info.group.as_str(),
                weights.every[at],
                weights.name[at]
            );
        }
        self.tables.push_str(&table);
    }

    pub(super) fn add_sureness(
        &mut self,
        rows: &[(Vec<f32>, bool)],
        limits: [f32; 2],
        probability: impl Fn(&[f32]) -> f32,
    ) {
        let mut counts = [[0_usize; 2]; 3];
        for (row, is_answered) in rows {
            let p = probability(row);
            let level = usize::from(p >= limits[0]) + usize::from(p >= limits[1]);
            counts[level][usize::from(*is_answered)] += 1;
        }
        let mut table = String::from(
            "\n## Confidence\n\nEvery other question was also asked in a repository that cannot answer it.\n\n\
             | confidence | answer in the first ten | none there |\n|---|---:|---:|\n",
        );
        for (level, [without, with]) in ["low", "fair", "high"].iter().zip(counts) {
            let _ = writeln!(table, "| {level} | {with} | {without} |");
        }
        self.tables.push_str(&table);
    }

    /// The whole report.
    pub fn to_markdown(&self) -> String {
        let mut text = String::from(
            "# The ranking's weights, judged on repositories that they have not seen\n\n\
             | way | features | suite | questions | nDCG@10 | span@5 | span@10 | file@10 | lines@10 |\n\
             |---|---|---|---:|---:|---:|---:|---:|---:|\n",
        );
        for Row { way, label, suite, n, figures: [ndcg, five, ten, file, lines] } in &self.rows {
            let _ = writeln!(
                text,
                "| {way} | {label} | {suite} | {n} | {ndcg:.3} | {five:.3} | {ten:.3} | {file:.3} | {lines:.0} |"
            );
        }
        text.push_str(&self.tables);
        text
    }
}

fn deviation(examples: &[Example], at: usize) -> f32 {
    let values = || examples.iter().flat_map(|example| &example.features).map(|row| row[at]);
    let n = values().count().max(1) as f32;
    let mean = values().sum::<f32>() / n;
    (values().map(|value| (value - mean).powi(2)).sum::<f32>() / n).sqrt()
}

/// The file of weights.
pub fn weights_file(ranking: &Ranking) -> String {
    let mut text = String::from(
        "# The weights of the ranking. Made by `cargo run --release -p wherein-eval -- fit`: see docs/ranking.md.\n\
         # A score is the sum of each feature times its weight under `every`, plus that under `name` where the question\n\
         # is a name.\n",
    );
    for (way, weights) in [("hybrid", &ranking.hybrid), ("keyword", &ranking.keyword)] {
        for (section, values) in [("every", &weights.every), ("name", &weights.name)] {
            let _ = writeln!(text, "\n[{way}.{section}]");
            for (info, weight) in FEATURES.iter().zip(values).filter(|(_, w)| w.abs() >= 5e-5) {
                let _ = writeln!(text, "{} = {weight:.4}", info.name);
            }
        }
        let _ = writeln!(text, "\n[{way}.same_file]");
        for (shape, weight) in Shape::ALL.iter().zip(weights.same_file) {
            let _ = writeln!(text, "{} = {weight:.2}", shape.as_str());
        }
        let sure = &weights.confidence;
        let [fair, high] = sure.limits;
        let _ = writeln!(
            text,
            "\n[{way}.confidence]\nbias = {:.4}\nfair = {fair:.2}\nhigh = {high:.2}\n\n[{way}.confidence.weights]",
            sure.bias
        );
        for (at, weight) in &sure.weights {
            let _ = writeln!(text, "{} = {weight:.4}", FEATURES[*at].name);
        }
    }
    text
}

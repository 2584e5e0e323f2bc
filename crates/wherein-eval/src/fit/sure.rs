//! How sure an answer is: a logistic model of whether an answer is among the first ten hits.
//!
//! Questions that were asked where nobody can answer them are its counter-examples.

use wherein_engine::{FEATURES, Sureness};

use super::cross::Judged;
use super::report::Report;

/// What confidence looks at: few, and such as do not depend on what else a repository holds.
const LOOKED_AT: [&str; 8] = [
    "coverage",
    "coverage_names",
    "coverage_10",
    "close_10",
    "close_all",
    "best_cosine",
    "name_whole",
    "defines",
];
const N_STEPS: usize = 3000;
const RATE: f32 = 0.5;
const DECAY: f32 = 1e-3;
/// From these probabilities on confidence is fair, and high.
const LIMITS: [f32; 2] = [0.35, 0.75];

/// Fits the model on judged examples: their first hits come from weights that have not seen their repository.
pub(super) fn fit(judged: &[Judged], report: &mut Report) -> Sureness {
    let at: Vec<usize> = LOOKED_AT
        .iter()
        .filter_map(|name| FEATURES.iter().position(|feature| feature.name == *name))
        .collect();
    let mut rows: Vec<(Vec<f32>, bool)> = Vec::new();
    for one in judged {
        rows.push((best(&one.first, &at), one.figures.rank.is_some_and(|rank| rank <= 10)));
        rows.extend(one.astray.as_ref().map(|astray| (best(astray, &at), false)));
    }
    let mut weights = vec![0.0_f32; at.len() + 1];
    for _ in 0..N_STEPS {
        let mut slope = vec![0.0_f32; weights.len()];
        for (row, is_answered) in &rows {
            let error = probability(&weights, row) - f32::from(u8::from(*is_answered));
            row.iter().zip(&mut slope).for_each(|(value, slope)| *slope += error * value);
        }
        for (weight, slope) in weights.iter_mut().zip(slope) {
            *weight -= RATE * (slope / rows.len().max(1) as f32 + DECAY * *weight);
        }
    }
    report.add_sureness(&rows, LIMITS, |row| probability(&weights, row));
    let bias = weights.pop().unwrap_or(0.0);
    Sureness { bias, weights: at.into_iter().zip(weights).collect(), limits: LIMITS }
}

/// The best value of each feature, then 1 for the bias.
fn best(first: &[Vec<f32>], at: &[usize]) -> Vec<f32> {
    let of = |at: &usize| first.iter().map(|row| row[*at]).fold(0.0, f32::max);
    at.iter().map(of).chain([1.0]).collect()
}

fn probability(weights: &[f32], row: &[f32]) -> f32 {
    let sum: f32 = weights.iter().zip(row).map(|(weight, value)| weight * value).sum();
    1.0 / (1.0 + (-sum).exp())
}

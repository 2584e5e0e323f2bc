//! Questions with known answers → the weights of the ranking.
//!
//! Gather the places that the engine proposes with their features, fit weights that lift the answers, and judge each
//! question by weights that have not seen its repository. Only the engine's public names are used; nothing here prints.

mod cross;
mod example;
mod learn;
mod report;
mod sure;

use std::path::PathBuf;

use wherein_engine::{FEATURES, Ranking, Shape, Weights};

use crate::error::Result;
use crate::progress::OnStep;
pub use cross::Judged;
pub use example::{Example, Way};
pub use report::{Report, Row, weights_file};

/// A suite to learn from.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// The suite's file.
    pub suite: PathBuf,
    /// The folder that holds each of its repositories under its name.
    pub checkouts: PathBuf,
    /// What a question of it counts beside one of another suite.
    pub weight: f32,
}

/// How to fit.
#[derive(Debug, Clone)]
pub struct FitOptions {
    /// What to learn from.
    pub lessons: Vec<Lesson>,
    /// The folder that holds index folders.
    pub index_base: PathBuf,
    /// What compares meanings; a table.
    pub embedder: std::sync::Arc<dyn wherein_engine::Embedder>,
    /// Parts that the repositories are cut into; each is judged by weights fitted on the others.
    pub n_folds: usize,
    /// Steps of the optimiser.
    pub n_steps: usize,
    /// What a weight costs: its square times this.
    pub decay: f32,
    /// What each earlier hit of the same file takes from the next, in the order of [`Shape::ALL`].
    pub same_file: [f32; Shape::ALL.len()],
    /// Whether each group of features is also left out, to see what it is worth.
    pub ablate: bool,
}

impl FitOptions {
    /// The options that made the weights of this version, but for where things lie.
    pub fn new(
        index_base: PathBuf,
        embedder: std::sync::Arc<dyn wherein_engine::Embedder>,
    ) -> FitOptions {
        FitOptions {
            lessons: Vec::new(),
            index_base,
            embedder,
            n_folds: 5,
            n_steps: 150,
            decay: 0.01,
            same_file: [1.2, 1.2, 0.0, 0.0],
            ablate: false,
        }
    }
}

/// Fits weights for both ways to ask, and judges them.
///
/// # Errors
/// When a suite or a checkout is missing or malformed, or the engine refuses.
pub fn fit(options: &FitOptions, on_step: OnStep<'_>) -> Result<(Ranking, Report)> {
    let mut report = Report::default();
    let mut of_way = |way: Way| -> Result<Weights> {
        let examples = example::gather(options, way, on_step)?;
        let judged = cross::judge(options, &examples, &all());
        report.add(way, "all features", &judged);
        if options.ablate {
            for (label, kept) in cross::ablations() {
                report.add(way, &label, &cross::judge(options, &examples, &kept));
            }
        }
        let mut weights = cross::weights(options, &examples, &all());
        weights.confidence = sure::fit(&judged, &mut report);
        report.add_weights(way, &examples, &weights);
        Ok(weights)
    };
    Ok((Ranking { hybrid: of_way(Way::Hybrid)?, keyword: of_way(Way::Keyword)? }, report))
}

/// Every feature.
fn all() -> Vec<bool> {
    vec![true; FEATURES.len()]
}

//! The weights that are learned: a direction and a logarithm of strength for each row.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// A table while it is learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Weights {
    pub(crate) dimensions: usize,
    /// Row after row; about unit length.
    pub(crate) directions: Vec<f32>,
    /// One a row: its vector is the direction times e to this.
    pub(crate) strengths: Vec<f32>,
}

impl Weights {
    pub(crate) fn n_rows(&self) -> usize {
        self.strengths.len()
    }

    pub(crate) fn direction(&self, row: usize) -> &[f32] {
        &self.directions[row * self.dimensions..(row + 1) * self.dimensions]
    }

    /// The vector of a row.
    pub(crate) fn row(&self, row: usize) -> Vec<f32> {
        let strength = self.strengths[row].exp();
        self.direction(row).iter().map(|value| value * strength).collect()
    }

    /// Makes `vector` the vector of a row.
    pub(crate) fn set(&mut self, row: usize, vector: &[f32]) {
        self.strengths[row] = 0.0;
        self.directions[row * self.dimensions..(row + 1) * self.dimensions].copy_from_slice(vector);
    }

    pub(crate) fn write(&self, work: &Path, name: &str) -> Result<()> {
        std::fs::write(work.join(name), postcard::to_stdvec(self)?)?;
        Ok(())
    }

    pub(crate) fn read(work: &Path, name: &str, step: &str) -> Result<Weights> {
        let path = work.join(name);
        let bytes = std::fs::read(&path)
            .with_context(|| format!("read {}; run: wherein-train {step}", path.display()))?;
        let weights: Weights = postcard::from_bytes(&bytes)
            .with_context(|| format!("{} is damaged", path.display()))?;
        let fits = weights.directions.len() == weights.n_rows() * weights.dimensions;
        ensure!(fits, "{} is damaged", path.display());
        Ok(weights)
    }
}

//! The first vectors: each word as a transformer sees it, in fewer dimensions, weak where the word is common.
//!
//! Principal components keep most of what tells words apart; a/(a+p) is the weight of Arora, Liang & Ma, "A Simple but
//! Tough-to-Beat Baseline for Sentence Embeddings" (ICLR 2017).

use std::path::Path;

use anyhow::{Context, Result};
use ndarray::{Array1, Array2, Axis};
use wherein_embed::{ModelStore, OnnxOptions, Overrides};
use wherein_engine::{Embedder, Role};

use crate::say;
use crate::vocabulary::Vocabulary;
use crate::weights::Weights;

/// The transformer: all-MiniLM-L6-v2 (Apache-2.0).
const TEACHER: &str = "all-minilm-l6-v2";
/// Components of a vector.
const DIMENSIONS: usize = 256;
/// The share of all words at which a word counts half.
const COMMON: f64 = 1e-3;
/// Words embedded at once.
const BATCH: usize = 256;
/// Steps of the eigenvalue iteration: past this nothing moves.
const ITERATIONS: usize = 60;

/// Writes `init.bin`.
pub(crate) fn run(work: &Path, models: &Path) -> Result<()> {
    let vocabulary = Vocabulary::read(work)?;
    let embedded = embed(work, models, &vocabulary)?;
    let directions = reduce(embedded);
    let total: u64 = vocabulary.terms.iter().filter(|t| !t.is_piece).map(|term| term.count).sum();
    let strength = |count: u64| (COMMON / (COMMON + count as f64 / total as f64)).ln() as f32;
    let strengths = vocabulary.terms.iter().map(|term| strength(term.count)).collect();
    let weights = Weights {
        dimensions: DIMENSIONS,
        directions: directions.into_raw_vec_and_offset().0,
        strengths,
    };
    weights.write(work, "init.bin")
}

/// The transformer's vector of each term, kept in `embedded.bin`: it takes minutes.
fn embed(work: &Path, models: &Path, vocabulary: &Vocabulary) -> Result<Array2<f32>> {
    let forms: Vec<&str> = vocabulary.terms.iter().map(|term| term.form.as_str()).collect();
    let key = blake3::hash(forms.join("\n").as_bytes()).to_hex().to_string();
    let path = work.join("embedded.bin");
    let kept = std::fs::read(&path).ok();
    let kept = kept.and_then(|b| postcard::from_bytes::<(String, Vec<f32>)>(&b).ok());
    let vectors = match kept.filter(|(of, _)| *of == key) {
        Some((_, vectors)) => vectors,
        None => {
            let vectors = ask(models, &forms)?;
            std::fs::write(&path, postcard::to_stdvec(&(key, &vectors))?)?;
            vectors
        }
    };
    let dimensions = vectors.len() / forms.len();
    Array2::from_shape_vec((forms.len(), dimensions), vectors).context("vectors of one length")
}

fn ask(models: &Path, forms: &[&str]) -> Result<Vec<f32>> {
    let store = ModelStore::new(models.to_owned());
    let teacher = store
        .model(TEACHER, &Overrides::default(), &OnnxOptions::default())
        .context("the teacher is not here; fetch it with: wherein model pull all-minilm-l6-v2")?;
    // Texts of one length together: padding is work.
    let mut order: Vec<usize> = (0..forms.len()).collect();
    let lengths = teacher.count_tokens(Role::Passage, forms)?;
    order.sort_by_key(|i| (lengths[*i], *i));
    let mut vectors = vec![Vec::new(); forms.len()];
    for (done, batch) in order.chunks(BATCH).enumerate() {
        let texts: Vec<&str> = batch.iter().map(|i| forms[*i]).collect();
        for (i, vector) in batch.iter().zip(teacher.embed(Role::Passage, &texts)?) {
            vectors[*i] = vector;
        }
        if done % 20 == 0 {
            say(&format!("embedded {} of {} words", done * BATCH, forms.len()));
        }
    }
    Ok(vectors.concat())
}

/// Centred, turned to its principal components, cut to `DIMENSIONS`, unit length.
fn reduce(mut vectors: Array2<f32>) -> Array2<f32> {
    let n = vectors.nrows() as f32;
    let mean: Array1<f32> = vectors.sum_axis(Axis(0)) / n;
    vectors -= &mean;
    let covariance = vectors.t().dot(&vectors).mapv(f64::from);
    let axes = principal_axes(&covariance, DIMENSIONS.min(vectors.ncols())).mapv(|v| v as f32);
    let mut reduced = vectors.dot(&axes);
    for mut row in reduced.rows_mut() {
        let length = row.dot(&row).sqrt().max(1e-9);
        row.mapv_inplace(|value| value / length);
    }
    reduced
}

/// The space of the largest eigenvalues of a symmetric matrix, by orthogonal iteration: any basis of it does, since all
/// that counts is angles.
fn principal_axes(matrix: &Array2<f64>, n_axes: usize) -> Array2<f64> {
    let mut random = crate::random::Random::new(7);
    let mut basis = Array2::from_shape_fn((matrix.nrows(), n_axes), |_| random.unit() - 0.5);
    for _ in 0..ITERATIONS {
        basis = matrix.dot(&basis);
        orthonormalise(&mut basis);
    }
    basis
}

/// Gram–Schmidt, each column twice: once is not enough for columns that are nearly parallel.
fn orthonormalise(basis: &mut Array2<f64>) {
    for column in 0..basis.ncols() {
        for _ in 0..2 {
            let (before, mut rest) = basis.view_mut().split_at(Axis(1), column);
            let mut own = rest.column_mut(0);
            let shares = before.t().dot(&own);
            own -= &before.dot(&shares);
            let length = own.dot(&own).sqrt().max(1e-300);
            own.mapv_inplace(|value| value / length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_directions_are_kept() {
        let matrix = Array2::from_diag(&Array1::from(vec![1.0, 9.0, 4.0, 0.5]));
        let axes = principal_axes(&matrix, 2);
        let kept = |row: usize| axes.row(row).dot(&axes.row(row));
        assert!(kept(1) > 0.999 && kept(2) > 0.999 && kept(0) < 1e-6 && kept(3) < 1e-6);
    }
}

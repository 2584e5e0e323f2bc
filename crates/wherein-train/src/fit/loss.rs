//! The loss of a step and its gradient: every question against every document, both ways.

use ndarray::{Array2, ArrayView2, Axis, linalg::general_mat_mul, s};
use rayon::prelude::*;

use super::Options;
use super::batch::{Batch, Forward};

/// Rows of one piece of a product: fixed, so that sums do not depend on the number of threads.
const PIECE: usize = 64;
/// In place of a similarity that must not count.
const MASKED: f32 = -1e4;

/// `a · b`, in pieces of rows on all threads.
pub(super) fn product(a: &ArrayView2<'_, f32>, b: &ArrayView2<'_, f32>) -> Array2<f32> {
    let mut out = Array2::zeros((a.nrows(), b.ncols()));
    let pieces = out.axis_chunks_iter_mut(Axis(0), PIECE).into_par_iter();
    pieces.zip(a.axis_chunks_iter(Axis(0), PIECE)).for_each(|(mut out, a)| {
        general_mat_mul(1.0, &a, b, 0.0, &mut out);
    });
    out
}

/// The mean loss and the gradient of all unit vectors of the batch.
pub(super) fn loss(batch: &Batch, forward: &Forward, options: &Options) -> (f32, Array2<f32>) {
    let n = batch.n_pairs;
    let questions = forward.units.slice(s![..n, ..]);
    let rest = forward.units.slice(s![n.., ..]);
    let similar = product(&questions, &rest.t());
    let (scores, best) = scores(batch, &similar, options.mix);
    let (loss, slopes) = slopes(batch, scores, options.temperature);
    // The share of each whole document and of each best window in the scores.
    let mut shares = Array2::zeros(similar.dim());
    shares.axis_iter_mut(Axis(0)).into_par_iter().enumerate().for_each(|(i, mut shares)| {
        for j in 0..n {
            let slope = slopes[(i, j)];
            shares[j] += (1.0 - options.mix) * slope;
            shares[best[i * n + j] as usize] += options.mix * slope;
        }
    });
    let mut gradient = Array2::zeros(forward.units.dim());
    gradient.slice_mut(s![..n, ..]).assign(&product(&shares.view(), &rest));
    gradient.slice_mut(s![n.., ..]).assign(&product(&shares.t(), &questions));
    (loss, gradient)
}

/// The score of each question and document, and which window was the best, as a column of `similar`.
fn scores(batch: &Batch, similar: &Array2<f32>, mix: f32) -> (Array2<f32>, Vec<u32>) {
    let n = batch.n_pairs;
    let mut scores = Array2::zeros((n, n));
    let mut best = vec![0_u32; n * n];
    scores.axis_iter_mut(Axis(0)).into_par_iter().zip(best.par_chunks_mut(n)).enumerate().for_each(
        |(i, (mut scores, best))| {
            let row = similar.row(i);
            for (j, windows) in batch.windows.iter().enumerate() {
                let columns = windows.start + n..windows.end + n;
                let mut found = (row[j], j);
                for column in columns.clone() {
                    if column == columns.start || row[column] > found.0 {
                        found = (row[column], column);
                    }
                }
                scores[j] = (1.0 - mix) * row[j] + mix * found.0;
                best[j] = found.1 as u32;
            }
        },
    );
    (scores, best)
}

/// The loss, and how it changes with each score.
fn slopes(batch: &Batch, mut scores: Array2<f32>, temperature: f32) -> (f32, Array2<f32>) {
    let n = batch.n_pairs;
    scores.indexed_iter_mut().for_each(|((i, j), score)| {
        let is_same =
            batch.questions[i] == batch.questions[j] || batch.documents[i] == batch.documents[j];
        *score = if i != j && is_same { MASKED } else { *score / temperature };
    });
    let own: Vec<f32> = (0..n).map(|i| scores[(i, i)]).collect();
    let (by_question, first) = softmax(scores.clone(), Axis(0), &own);
    let (by_document, second) = softmax(scores, Axis(1), &own);
    let mut slopes = (by_question + by_document) * 0.5;
    (0..n).for_each(|i| slopes[(i, i)] -= 1.0);
    slopes /= n as f32 * temperature;
    ((first + second) * 0.5, slopes)
}

/// Each lane as shares of one, and the mean cross entropy of the lanes' own entries.
fn softmax(mut scores: Array2<f32>, axis: Axis, own: &[f32]) -> (Array2<f32>, f32) {
    let lanes = scores.axis_iter_mut(axis).into_par_iter().zip(own);
    let losses: Vec<f32> = lanes
        .map(|(mut lane, own)| {
            let most = lane.fold(f32::MIN, |most, value| most.max(*value));
            lane.mapv_inplace(|value| (value - most).exp());
            let sum = lane.sum();
            lane /= sum;
            most + sum.ln() - own
        })
        .collect();
    (scores, losses.iter().sum::<f32>() / losses.len().max(1) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::batch::{backward, forward, tests::small};

    /// The written-out gradient is the slope of the loss, measured by small steps of each kind of weight.
    #[test]
    fn gradients_are_slopes() {
        let (batch, weights, options) = small();
        let loss_of =
            |weights: &crate::weights::Weights| loss(&batch, &forward(&batch, weights), &options).0;
        let passed = forward(&batch, &weights);
        let (_, gradient) = loss(&batch, &passed, &options);
        let gradients = backward(&batch, &passed, gradient, &weights);
        for (at, row) in gradients.rows.iter().enumerate() {
            let row = *row as usize;
            for axis in 0..weights.dimensions {
                let mut moved = weights.clone();
                moved.directions[row * weights.dimensions + axis] += 1e-2;
                let up = loss_of(&moved);
                moved.directions[row * weights.dimensions + axis] -= 2e-2;
                let slope = (up - loss_of(&moved)) / 2e-2;
                let found = gradients.directions[at * weights.dimensions + axis];
                assert!(
                    (slope - found).abs() < 0.02 + 0.05 * slope.abs(),
                    "{row} {axis}: {slope} {found}"
                );
            }
            let mut moved = weights.clone();
            moved.strengths[row] += 1e-2;
            let up = loss_of(&moved);
            moved.strengths[row] -= 2e-2;
            let slope = (up - loss_of(&moved)) / 2e-2;
            let found = gradients.strengths[at];
            assert!((slope - found).abs() < 0.02 + 0.05 * slope.abs(), "{row}: {slope} {found}");
        }
    }
}

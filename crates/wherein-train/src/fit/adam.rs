//! Adam (Kingma & Ba, 2015) for tables: rows that a step did not touch stay as they are.

use rayon::prelude::*;

use super::batch::Gradients;
use crate::weights::Weights;

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.99;
const TINY: f32 = 1e-8;
/// Strengths are logarithms: they may move faster than directions.
const STRENGTH_RATE: f32 = 2.0;

/// Running means of gradients and of their squares.
#[derive(Debug)]
pub(super) struct Adam {
    directions: (Vec<f32>, Vec<f32>),
    strengths: (Vec<f32>, Vec<f32>),
}

impl Adam {
    pub(super) fn new(weights: &Weights) -> Adam {
        let zeros = |n: usize| (vec![0.0; n], vec![0.0; n]);
        Adam {
            directions: zeros(weights.directions.len()),
            strengths: zeros(weights.strengths.len()),
        }
    }

    /// Moves the weights against their gradients.
    pub(super) fn step(
        &mut self,
        weights: &mut Weights,
        gradients: &Gradients,
        rate: f32,
        step: i32,
    ) {
        let n = weights.dimensions;
        let bias = (1.0 - SECOND.powi(step.min(1000))).sqrt() / (1.0 - FIRST.powi(step.min(1000)));
        for (at, row) in gradients.rows.iter().enumerate() {
            let row = *row as usize;
            let moments = (&mut self.strengths.0[row], &mut self.strengths.1[row]);
            let gradient = gradients.strengths[at];
            weights.strengths[row] -= STRENGTH_RATE * rate * bias * moved(moments, gradient);
        }
        // Rows are in order: each takes its own part of the arrays.
        let touched = |array| pick(array, &gradients.rows, n);
        touched(&mut weights.directions)
            .into_par_iter()
            .zip(touched(&mut self.directions.0))
            .zip(touched(&mut self.directions.1))
            .zip(gradients.directions.par_chunks(n))
            .for_each(|(((weights, first), second), gradients)| {
                for i in 0..n {
                    let by = moved((&mut first[i], &mut second[i]), gradients[i]);
                    weights[i] -= rate * bias * by;
                }
            });
    }
}

fn moved((first, second): (&mut f32, &mut f32), gradient: f32) -> f32 {
    *first = FIRST * *first + (1.0 - FIRST) * gradient;
    *second = SECOND * *second + (1.0 - SECOND) * gradient * gradient;
    *first / (second.sqrt() + TINY)
}

/// The given rows of an array, in order.
fn pick<'a>(array: &'a mut [f32], rows: &[u32], n: usize) -> Vec<&'a mut [f32]> {
    let mut picked = Vec::with_capacity(rows.len());
    let (mut rest, mut at) = (array, 0);
    for row in rows {
        let skipped = (*row as usize - at) * n;
        let (_, tail) = rest.split_at_mut(skipped);
        let (own, tail) = tail.split_at_mut(n);
        picked.push(own);
        rest = tail;
        at = *row as usize + 1;
    }
    picked
}

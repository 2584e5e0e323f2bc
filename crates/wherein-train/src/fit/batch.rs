//! The bags of a step, their vectors, and the way back from a vector's gradient to the rows'.

use std::ops::Range;

use ndarray::{Array2, ArrayView1, Axis};
use rayon::prelude::*;

use super::Options;
use wherein_engine::settle;

use crate::corpus::{Corpus, Weighted};
use crate::random::Random;
use crate::weights::Weights;

/// Bags in the order: questions, documents whole, windows.
#[derive(Debug)]
pub(super) struct Batch {
    bags: Vec<Vec<Weighted>>,
    pub(super) n_pairs: usize,
    /// The windows of each document, counted from the first window.
    pub(super) windows: Vec<Range<usize>>,
    /// Equal numbers: equal questions or equal documents, which are no wrong answers to each other.
    pub(super) questions: Vec<u64>,
    pub(super) documents: Vec<u64>,
}

impl Batch {
    pub(super) fn of(
        corpus: &Corpus,
        pairs: &[usize],
        options: &Options,
        random: &mut Random,
    ) -> Batch {
        let mut questions = Vec::with_capacity(pairs.len());
        let mut documents = Vec::with_capacity(pairs.len());
        let (mut windows, mut ranges) = (Vec::new(), Vec::new());
        for pair in pairs {
            let kept: Vec<u32> = drop_words(corpus.question(*pair), options.word_dropout, random);
            let mut bag = Vec::new();
            corpus.enter(&kept, 1.0, &mut bag);
            settle(&mut bag);
            questions.push(bag);
            let head = if random.unit() < options.head_dropout { 0.0 } else { options.head_weight };
            let own = document(corpus, *pair, head);
            documents.push(own.0);
            ranges.push(windows.len()..windows.len() + own.1.len());
            windows.extend(own.1);
        }
        let keys = |bags: &[Vec<Weighted>]| bags.iter().map(|bag| key(bag)).collect();
        let question_keys = pairs.iter().map(|pair| key_of_words(corpus.question(*pair))).collect();
        Batch {
            n_pairs: pairs.len(),
            questions: question_keys,
            documents: keys(&documents),
            windows: ranges,
            bags: questions.into_iter().chain(documents).chain(windows).collect(),
        }
    }
}

/// The bag of a whole document and those of its windows; the head is in each.
pub(super) fn document(
    corpus: &Corpus,
    pair: usize,
    head_weight: f32,
) -> (Vec<Weighted>, Vec<Vec<Weighted>>) {
    let mut head = Vec::new();
    if head_weight > 0.0 {
        corpus.enter(corpus.head(pair), head_weight, &mut head);
    }
    let mut whole = head.clone();
    let mut windows = Vec::new();
    for idx in 0..corpus.pairs[pair].n_windows as usize {
        let mut window = head.clone();
        corpus.enter(corpus.window(pair, idx), 1.0, &mut window);
        corpus.enter(corpus.window(pair, idx), 1.0, &mut whole);
        settle(&mut window);
        windows.push(window);
    }
    settle(&mut whole);
    (whole, windows)
}

fn drop_words(words: &[u32], share: f64, random: &mut Random) -> Vec<u32> {
    let kept: Vec<u32> = words.iter().copied().filter(|_| random.unit() >= share).collect();
    if kept.is_empty() { words.to_vec() } else { kept }
}

fn key(bag: &[Weighted]) -> u64 {
    bag.iter().fold(17, |hash, (row, weight)| {
        (hash ^ u64::from(*row) ^ (u64::from(weight.to_bits()) << 20))
            .wrapping_mul(0x0100_0000_01b3)
    })
}

fn key_of_words(words: &[u32]) -> u64 {
    let mut sorted = words.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.iter().fold(19, |hash, word| (hash ^ u64::from(*word)).wrapping_mul(0x0100_0000_01b3))
}

/// Unit vectors, and the lengths that they had.
#[derive(Debug)]
pub(super) struct Forward {
    pub(super) units: Array2<f32>,
    lengths: Vec<f32>,
}

pub(super) fn forward(batch: &Batch, weights: &Weights) -> Forward {
    vectors(&batch.bags, weights)
}

/// The unit vector of each bag.
pub(super) fn vectors(bags: &[Vec<Weighted>], weights: &Weights) -> Forward {
    let dimensions = weights.dimensions;
    let mut units = Array2::zeros((bags.len(), dimensions));
    let lengths = units
        .axis_iter_mut(Axis(0))
        .into_par_iter()
        .zip(bags)
        .map(|(mut unit, bag)| {
            let Some(sum) = unit.as_slice_mut() else { return 1.0 };
            for (row, weight) in bag {
                let factor = weight * weights.strengths[*row as usize].exp();
                let direction = weights.direction(*row as usize);
                sum.iter_mut().zip(direction).for_each(|(sum, value)| *sum += factor * value);
            }
            let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt() + 1e-6;
            sum.iter_mut().for_each(|value| *value /= length);
            length
        })
        .collect();
    Forward { units, lengths }
}

/// The gradient of each row that a step touched.
#[derive(Debug)]
pub(super) struct Gradients {
    pub(super) rows: Vec<u32>,
    /// Of the directions, row after row.
    pub(super) directions: Vec<f32>,
    pub(super) strengths: Vec<f32>,
}

/// From the gradient of the unit vectors to that of the rows.
pub(super) fn backward(
    batch: &Batch,
    forward: &Forward,
    mut gradient: Array2<f32>,
    weights: &Weights,
) -> Gradients {
    gradient.axis_iter_mut(Axis(0)).into_par_iter().enumerate().for_each(|(idx, mut gradient)| {
        let unit: ArrayView1<'_, f32> = forward.units.row(idx);
        let along = gradient.dot(&unit);
        gradient.scaled_add(-along, &unit);
        gradient /= forward.lengths[idx];
    });
    // By row: each is summed by one thread in one order.
    let mut entries: Vec<(u32, u32, f32)> = Vec::new();
    for (bag, idx) in batch.bags.iter().zip(0..) {
        entries.extend(bag.iter().map(|(row, weight)| (*row, idx, *weight)));
    }
    entries.par_sort_unstable_by_key(|(row, idx, _)| (*row, *idx));
    let by_row: Vec<&[(u32, u32, f32)]> = entries.chunk_by(|a, b| a.0 == b.0).collect();
    let dimensions = weights.dimensions;
    let mut directions = vec![0.0_f32; by_row.len() * dimensions];
    let strengths = directions
        .par_chunks_mut(dimensions)
        .zip(&by_row)
        .map(|(sum, entries)| {
            for (_, idx, weight) in *entries {
                let of_bag = gradient.row(*idx as usize);
                sum.iter_mut().zip(of_bag).for_each(|(sum, value)| *sum += weight * value);
            }
            let row = entries[0].0 as usize;
            let strength = weights.strengths[row].exp();
            let along: f32 = sum.iter().zip(weights.direction(row)).map(|(a, b)| a * b).sum();
            sum.iter_mut().for_each(|value| *value *= strength);
            strength * along
        })
        .collect();
    Gradients { rows: by_row.iter().map(|entries| entries[0].0).collect(), directions, strengths }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Four pairs over eight rows of three dimensions.
    pub(crate) fn small() -> (Batch, Weights, Options) {
        let mut random = Random::new(3);
        let dimensions = 3;
        let weights = Weights {
            dimensions,
            directions: (0..8 * dimensions).map(|_| random.unit() as f32 - 0.4).collect(),
            strengths: (0..8).map(|_| random.unit() as f32 * 0.5).collect(),
        };
        let bag = |rows: &[u32]| rows.iter().map(|row| (*row, 1.0 + *row as f32 * 0.1)).collect();
        let questions: Vec<Vec<Weighted>> = vec![bag(&[0, 1]), bag(&[2]), bag(&[3, 4]), bag(&[5])];
        let documents = vec![bag(&[0, 2, 6]), bag(&[1, 2, 7]), bag(&[3, 5]), bag(&[4, 5, 6])];
        let windows: Vec<Vec<Weighted>> = vec![
            bag(&[0, 2]),
            bag(&[6]),
            bag(&[1, 7]),
            bag(&[2]),
            bag(&[3, 5]),
            bag(&[4]),
            bag(&[5, 6]),
        ];
        let batch = Batch {
            n_pairs: 4,
            windows: vec![0..2, 2..4, 4..5, 5..7],
            questions: vec![1, 2, 3, 4],
            documents: vec![1, 2, 3, 4],
            bags: questions.into_iter().chain(documents).chain(windows).collect(),
        };
        use clap::Parser;
        #[derive(Debug, Parser)]
        struct Defaults {
            #[command(flatten)]
            options: Options,
        }
        let options = Options { temperature: 0.3, ..Defaults::parse_from(["x"]).options };
        (batch, weights, options)
    }

    #[test]
    fn vectors_do_not_depend_on_threads() {
        let (batch, weights, _) = small();
        let on = |n: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
            pool.install(|| forward(&batch, &weights).units)
        };
        assert_eq!(on(1), on(3));
    }
}

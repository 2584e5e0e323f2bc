//! Examples → weights: the softmax over the places of a question is to lie on those that answer it.
//!
//! The loss of a question is the mean over its answers of −log of the share of the softmax that lies on places which
//! overlap the answer (ListNet's top-one loss with sets: Cao et al., "Learning to Rank: From Pairwise Approach to Listwise
//! Approach", ICML 2007), with a penalty on squared weights; minimised by Adam (Kingma & Ba 2015) over all examples at
//! once. The result does not depend on the number of threads.

use super::example::Example;
use wherein_engine::Shape;

const RATE: f32 = 0.1;
/// From these shares of the steps on the rate is multiplied by these.
const SLOWER: [(f32, f32); 2] = [(0.6, 0.3), (0.85, 0.1)];
const MOMENTS: (f32, f32) = (0.9, 0.99);
/// Examples are summed in this many parts, whatever the number of threads.
const N_PARTS: usize = 4;
/// Every so many places are looked at to see how far a feature varies.
const SAMPLED: usize = 3;

/// Weights for each kept feature: of every question, then what is added for names.
pub(super) struct Learned {
    pub(super) every: Vec<f32>,
    pub(super) name: Vec<f32>,
}

/// The features of an example as they are learned from: scaled, kept ones only.
struct Prepared<'a> {
    example: &'a Example,
    values: Vec<f32>,
    is_name: bool,
}

/// Learns weights; those of features that are not `kept` are 0.
pub(super) fn learn(
    examples: &[&Example],
    kept: &[bool],
    (n_steps, decay): (usize, f32),
) -> Learned {
    let scales = scales(examples, kept);
    let n = scales.len();
    let prepared: Vec<Prepared<'_>> =
        examples.iter().map(|example| prepare(example, &scales)).collect();
    let total: f32 =
        prepared.iter().map(|one| one.example.weight).sum::<f32>().max(f32::MIN_POSITIVE);
    let mut weights = vec![0.0_f32; 2 * n];
    let (mut first, mut second) = (vec![0.0_f32; 2 * n], vec![0.0_f32; 2 * n]);
    for step in 0..n_steps {
        let gradient = gradient(&prepared, &weights);
        let done = step as f32 / n_steps as f32;
        let slower = SLOWER.iter().rev().find(|(from, _)| done >= *from).map_or(1.0, |(_, by)| *by);
        let (keep_first, keep_second) = MOMENTS;
        let correction = |keep: f32| 1.0 - keep.powi(step as i32 + 1);
        for at in 0..2 * n {
            let slope = gradient[at] / total + decay * weights[at];
            first[at] = keep_first * first[at] + (1.0 - keep_first) * slope;
            second[at] = keep_second * second[at] + (1.0 - keep_second) * slope * slope;
            let mean = first[at] / correction(keep_first);
            let spread = (second[at] / correction(keep_second)).sqrt() + 1e-8;
            weights[at] -= RATE * slower * mean / spread;
        }
    }
    spread_out(&weights, &scales, kept.len())
}

/// The kept features with what divides their values.
fn scales(examples: &[&Example], kept: &[bool]) -> Vec<(usize, f32)> {
    let rows = || examples.iter().flat_map(|example| &example.features).step_by(SAMPLED);
    let n_rows = rows().count().max(1) as f64;
    let deviation = |at: usize| {
        let (sum, squares) = rows().fold((0.0_f64, 0.0_f64), |(sum, squares), row| {
            let value = f64::from(row[at]);
            (sum + value, squares + value * value)
        });
        let mean = sum / n_rows;
        ((squares / n_rows - mean * mean).max(0.0).sqrt() as f32).max(1e-3)
    };
    let kept = kept.iter().enumerate().filter(|(_, kept)| **kept);
    kept.map(|(at, _)| (at, deviation(at))).collect()
}

fn prepare<'a>(example: &'a Example, scales: &[(usize, f32)]) -> Prepared<'a> {
    let row = |row: &'a Vec<f32>| scales.iter().map(|(at, scale)| row[*at] / scale);
    let values = example.features.iter().flat_map(row).collect();
    Prepared { example, values, is_name: example.shape == Shape::Name }
}

/// The slope of the loss, summed over all examples in a fixed order.
fn gradient(prepared: &[Prepared<'_>], weights: &[f32]) -> Vec<f32> {
    let size = prepared.len().div_ceil(N_PARTS).max(1);
    let of_part = |part: &[Prepared<'_>]| {
        let mut slope = vec![0.0; weights.len()];
        part.iter().for_each(|one| add_slope(one, weights, &mut slope));
        slope
    };
    let of_part = &of_part;
    let parts: Vec<Vec<f32>> = std::thread::scope(|scope| {
        let running: Vec<_> =
            prepared.chunks(size).map(|part| scope.spawn(move || of_part(part))).collect();
        // A part that panicked has no slope; the panic itself is what is heard of.
        running.into_iter().filter_map(|part| part.join().ok()).collect()
    });
    let mut sum = vec![0.0; weights.len()];
    for part in parts {
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    sum
}

fn add_slope(one: &Prepared<'_>, weights: &[f32], slope: &mut [f32]) {
    let (every, name) = weights.split_at(weights.len() / 2);
    let n = every.len();
    let is_name = f32::from(u8::from(one.is_name));
    let score = |row: &[f32]| -> f32 {
        row.iter().zip(every).zip(name).map(|((x, w), v)| x * (w + is_name * v)).sum()
    };
    let scores: Vec<f32> = one.values.chunks(n.max(1)).map(score).collect();
    let slopes = score_slopes(one.example, &scores);
    let (of_every, of_name) = slope.split_at_mut(n);
    for (row, by) in one.values.chunks(n.max(1)).zip(slopes) {
        for at in 0..n {
            of_every[at] += by * row[at];
            of_name[at] += is_name * by * row[at];
        }
    }
}

/// The slope of the loss of one question in each of its scores.
fn score_slopes(example: &Example, scores: &[f32]) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let sum: f32 = powers.iter().sum();
    let mut slopes = vec![0.0; scores.len()];
    let share = example.weight / example.hits.len().max(1) as f32;
    for hits in example.hits.iter().filter(|hits| !hits.is_empty()) {
        let of_hits = hits.iter().map(|at| powers[*at]).sum::<f32>().max(f32::MIN_POSITIVE);
        slopes.iter_mut().zip(&powers).for_each(|(slope, power)| *slope += share * power / sum);
        hits.iter().for_each(|at| slopes[*at] -= share * powers[*at] / of_hits);
    }
    slopes
}

/// Weights of all features, for values that are not scaled.
fn spread_out(weights: &[f32], scales: &[(usize, f32)], n_features: usize) -> Learned {
    let n = scales.len();
    let spread = |weights: &[f32]| {
        let mut all = vec![0.0; n_features];
        scales.iter().zip(weights).for_each(|((at, scale), weight)| all[*at] = weight / scale);
        all
    };
    Learned { every: spread(&weights[..n]), name: spread(&weights[n..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(shape: Shape, rows: &[[f32; 2]], hits: &[&[usize]]) -> Example {
        Example {
            suite: "s".to_owned(),
            category: "c".to_owned(),
            repo: "r".to_owned(),
            weight: 1.0,
            shape,
            files: (0..rows.len() as u32).collect(),
            places: Vec::new(),
            features: rows.iter().map(|row| row.to_vec()).collect(),
            answers: Vec::new(),
            hits: hits.iter().map(|hits| hits.to_vec()).collect(),
            astray: None,
        }
    }

    #[test]
    fn what_tells_answers_from_the_rest_gets_weight() {
        let rows = [[1.0, 0.3], [0.0, 0.9], [0.1, 0.1]];
        let examples =
            [example(Shape::Title, &rows, &[&[0]]), example(Shape::Title, &rows, &[&[0]])];
        let examples: Vec<&Example> = examples.iter().collect();
        let learned = learn(&examples, &[true, true], (200, 0.01));
        assert!(
            learned.every[0] > 1.0 && learned.every[0] > learned.every[1],
            "{:?}",
            learned.every
        );
        assert_eq!(learned.name, [0.0, 0.0], "no question was a name");
        assert_eq!(learn(&examples, &[false, true], (20, 0.01)).every[0], 0.0);
    }

    #[test]
    fn names_learn_what_differs() {
        let rows = [[1.0, 0.0], [0.0, 1.0]];
        let examples =
            [example(Shape::Title, &rows, &[&[0]]), example(Shape::Name, &rows, &[&[1]])];
        let examples: Vec<&Example> = examples.iter().collect();
        let learned = learn(&examples, &[true, true], (200, 0.01));
        let score = |by: f32| learned.every[0] + by * learned.name[0];
        assert!(score(0.0) > 0.0 && score(1.0) < score(0.0), "{:?}", learned.every);
    }

    #[test]
    fn the_slope_is_that_of_the_loss() {
        let one = example(Shape::Title, &[[0.2, 0.0], [0.5, 0.0], [0.1, 0.0]], &[&[0, 1], &[2]]);
        let loss = |scores: &[f32]| -> f32 {
            let sum: f32 = scores.iter().map(|s| s.exp()).sum();
            let of = |hits: &Vec<usize>| -> f32 { hits.iter().map(|at| scores[*at].exp()).sum() };
            one.hits.iter().map(|hits| -(of(hits) / sum).ln() / 2.0).sum()
        };
        let scores = [0.3, -0.2, 0.7];
        for (at, slope) in score_slopes(&one, &scores).into_iter().enumerate() {
            let mut moved = scores;
            moved[at] += 1e-2;
            let (up, mut down) = (loss(&moved), scores);
            down[at] -= 1e-2;
            assert!((slope - (up - loss(&down)) / 2e-2).abs() < 1e-3, "{at}: {slope}");
        }
    }
}

//! What a Qdrant server computes from sparse vectors, as plain functions.
//!
//! An in-memory store ranks by them, and the tests hold them to scores of a real server (1.18.3). They say what such a server does, not
//! what would be best. Must not hold points.

use std::collections::HashMap;
use std::hash::Hash;

/// How rare a term is, as the `idf` modifier weighs it: `ln((N − df + 0.5) / (df + 0.5) + 1)`, in f32.
///
/// `n_points` counts the points with a sparse vector that is not empty, `n_with_term` those whose vector has the term's index. A
/// filter changes neither; deleted points count until the server rewrites their segment.
pub fn idf(n_points: usize, n_with_term: usize) -> f32 {
    let (n, df) = (n_points as f32, n_with_term as f32);
    ((n - df + 0.5) / (df + 0.5) + 1.0).ln()
}

/// Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009) as Qdrant has it: each list adds `1 / ((place + 1) / weight + k − 1)` to
/// the points that it names, best first, with places from 0; in f32.
///
/// A list without a weight weighs 1; where a request does not say `k` it is 2, not the 60 of the paper. The best come first; points of
/// one score follow each other by id, where the server leaves them unordered.
pub fn rrf<Id: Copy + Eq + Hash + Ord>(lists: &[&[Id]], k: f32, weights: &[f32]) -> Vec<(Id, f32)> {
    let mut scores: HashMap<Id, f32> = HashMap::new();
    for (idx, list) in lists.iter().enumerate() {
        let weight = weights.get(idx).copied().unwrap_or(1.0);
        for (place, id) in list.iter().enumerate() {
            *scores.entry(*id).or_default() += 1.0 / ((place as f32 + 1.0) / weight + k - 1.0);
        }
    }
    let mut fused: Vec<(Id, f32)> = scores.into_iter().collect();
    fused.sort_by(|(left_id, left), (right_id, right)| {
        right.total_cmp(left).then_with(|| left_id.cmp(right_id))
    });
    fused
}

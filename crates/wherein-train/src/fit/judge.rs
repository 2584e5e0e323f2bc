//! How well weights answer the development repositories, each question against all documents of its repository and kind.
//!
//! A first look only: it rewards shared words, so that choices are made on whole questions (`develop`).

use std::collections::BTreeMap;
use std::fmt;

use ndarray::s;
use serde::{Deserialize, Serialize};

use super::Options;
use super::batch::{document, vectors};
use super::loss::product;
use wherein_engine::settle;

use crate::corpus::{Corpus, Weighted};
use crate::pair::PairKind;
use crate::weights::Weights;

/// Documents that a question is asked of at most.
const MAX_POOL: usize = 1500;
/// Smaller pools are too easy.
const MIN_POOL: usize = 50;

/// Mean reciprocal rank by kind of pair.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) reciprocal_rank: BTreeMap<String, f32>,
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.reciprocal_rank.iter().map(|(kind, value)| format!("{kind} {value:.4}")).collect();
        write!(f, "MRR {}", parts.join(", "))
    }
}

pub(crate) fn judge(corpus: &Corpus, weights: &Weights, options: &Options) -> Judged {
    let mut found: BTreeMap<&'static str, Vec<f32>> = BTreeMap::new();
    for kind in [PairKind::Doc, PairKind::Inline, PairKind::Commit] {
        for repository in (0..corpus.repositories.len()).filter(|r| corpus.development[*r]) {
            let of = |pair: &usize| {
                let about = &corpus.pairs[*pair];
                about.kind == kind && about.repository as usize == repository
            };
            let pool: Vec<usize> = (0..corpus.pairs.len()).filter(of).take(MAX_POOL).collect();
            if pool.len() >= MIN_POOL {
                let value = mean_reciprocal_rank(corpus, weights, options, &pool);
                found.entry(kind.as_str()).or_default().push(value);
            }
        }
    }
    let mean = |values: Vec<f32>| values.iter().sum::<f32>() / values.len() as f32;
    Judged {
        reciprocal_rank: found.into_iter().map(|(kind, v)| (kind.to_owned(), mean(v))).collect(),
    }
}

fn mean_reciprocal_rank(
    corpus: &Corpus,
    weights: &Weights,
    options: &Options,
    pool: &[usize],
) -> f32 {
    let mut bags: Vec<Vec<Weighted>> = Vec::new();
    for pair in pool {
        let mut bag = Vec::new();
        corpus.enter(corpus.question(*pair), 1.0, &mut bag);
        settle(&mut bag);
        bags.push(bag);
    }
    let (mut windows, mut ends) = (Vec::new(), Vec::new());
    for pair in pool {
        let (whole, own) = document(corpus, *pair, options.head_weight);
        bags.push(whole);
        windows.extend(own);
        ends.push(windows.len());
    }
    bags.extend(windows);
    let n = pool.len();
    let units = vectors(&bags, weights).units;
    let similar = product(&units.slice(s![..n, ..]), &units.slice(s![n.., ..]).t());
    let score = |i: usize, j: usize| {
        let start = if j == 0 { 0 } else { ends[j - 1] };
        let best = (start..ends[j]).map(|w| similar[(i, n + w)]).fold(f32::MIN, f32::max);
        (1.0 - options.mix) * similar[(i, j)] + options.mix * best
    };
    let reciprocal = |i: usize| {
        let own = score(i, i);
        let rank = (0..n).filter(|j| score(i, *j) >= own).count();
        1.0 / rank.max(1) as f32
    };
    (0..n).map(reciprocal).sum::<f32>() / n as f32
}

//! How much of a question something has: each of its words counts by how rare it is.
//!
//! Must not know where the words stand.

use crate::embed::{Likeness, MAX_LIKENED};
use crate::search::evidence::Mask;
use crate::search::lexical::WeightedTerm;
use crate::search::query::Channel;

/// A likeness below this is chance.
const CHANCE: f32 = 0.3;
/// What a word that no chunk has counts, as a share of the rarest that one has.
const UNKNOWN: f32 = 0.7;

/// The weights of a question's words.
#[derive(Debug)]
pub(super) struct Masses {
    /// Of each word; 0 for those that no chunk has.
    weights: Vec<f32>,
    total: f32,
    /// The same for likeness, where a word that no chunk has counts, too.
    likened: Vec<f32>,
    likened_total: f32,
    /// What each likeness is worth, and what it is worth where only close words count: lines have thousands.
    worths: [[f32; 256]; 2],
}

fn worths() -> [[f32; 256]; 2] {
    let mut worths = [[0.0; 256]; 2];
    for like in 0..=u8::MAX {
        let share = f32::from(like) / f32::from(u8::MAX);
        worths[0][usize::from(like)] = share;
        worths[1][usize::from(like)] = (share - CHANCE).max(0.0) / (1.0 - CHANCE);
    }
    worths
}

impl Masses {
    pub(super) fn of(n_words: usize, terms: &[WeightedTerm]) -> Masses {
        let mut weights = vec![0.0_f32; n_words];
        for term in terms.iter().filter(|term| term.channel == Channel::Word) {
            if let Some(weight) = term.word.and_then(|word| weights.get_mut(usize::from(word))) {
                *weight = weight.max(term.weight);
            }
        }
        let most = weights.iter().copied().fold(0.0, f32::max).max(f32::MIN_POSITIVE);
        let liken = |weight: &f32| if *weight == 0.0 { UNKNOWN * most } else { *weight };
        let likened: Vec<f32> = weights.iter().take(MAX_LIKENED).map(liken).collect();
        Masses {
            total: weights.iter().sum::<f32>().max(f32::MIN_POSITIVE),
            likened_total: likened.iter().sum::<f32>().max(f32::MIN_POSITIVE),
            weights,
            likened,
            worths: worths(),
        }
    }

    /// The share of the question that words have.
    pub(super) fn share(&self, mask: Mask) -> f32 {
        let has = |(word, _): &(usize, &f32)| mask >> word & 1 == 1;
        let weights = self.weights.iter().enumerate().filter(has);
        weights.map(|(_, weight)| weight).sum::<f32>() / self.total
    }

    /// The weight of one word as a share.
    pub(super) fn share_of(&self, word: usize) -> f32 {
        self.weights.get(word).map_or(0.0, |weight| weight / self.total)
    }

    /// How like the question words are.
    pub(super) fn like(&self, likeness: &Likeness) -> f32 {
        self.sum(likeness, &self.worths[0])
    }

    /// The same, where only words count that are close.
    pub(super) fn close(&self, likeness: &Likeness) -> f32 {
        self.sum(likeness, &self.worths[1])
    }

    fn sum(&self, likeness: &Likeness, worths: &[f32; 256]) -> f32 {
        let each = self.likened.iter().zip(likeness);
        let sum: f32 = each.map(|(weight, like)| weight * worths[usize::from(*like)]).sum();
        sum / self.likened_total
    }
}

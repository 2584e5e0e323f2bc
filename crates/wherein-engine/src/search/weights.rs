//! The weights of the ranking: one data file, fitted by a command (docs/ranking.md), and the order that they give.
//!
//! A score is the sum of each feature times its weight, so that every part of it can be shown. Must not compute features.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;

use super::features::FEATURES;
use super::shape::Shape;
use crate::error::{Error, Result};
use crate::model::Confidence;

/// Candidates among which those of one file give way to others; what lies below keeps its place.
const DAMPED: usize = 100;
/// First hits that confidence looks at.
pub(super) const N_SURE: usize = 3;

/// The weights for both ways to ask.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// With the built-in model.
    pub hybrid: Weights,
    /// By words alone.
    pub keyword: Weights,
}

/// The weights for one way to ask.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Of each feature, in the order of [`FEATURES`].
    pub every: Vec<f32>,
    /// What is added to those for questions that are names.
    pub name: Vec<f32>,
    /// What each earlier hit of the same file takes from the next, for each of [`Shape::ALL`].
    pub same_file: [f32; Shape::ALL.len()],
    /// How sure an answer is.
    pub confidence: Sureness,
}

/// A logistic model of whether an answer is among the first hits, over the best value of features in the first three.
#[derive(Debug, Clone, PartialEq)]
pub struct Sureness {
    /// What stands beside the sum.
    pub bias: f32,
    /// Position in [`FEATURES`] and weight.
    pub weights: Vec<(usize, f32)>,
    /// Probabilities from which on confidence is fair, and high.
    pub limits: [f32; 2],
}

/// A candidate in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ordered {
    /// Its position among those that were ordered.
    pub at: usize,
    /// Its score, what others of its file took away included.
    pub score: f32,
    /// What they took away.
    pub damped: f32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    hybrid: Section,
    keyword: Section,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    every: BTreeMap<String, f32>,
    name: BTreeMap<String, f32>,
    same_file: BTreeMap<String, f32>,
    confidence: Confident,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Confident {
    bias: f32,
    fair: f32,
    high: f32,
    weights: BTreeMap<String, f32>,
}

impl Ranking {
    /// The weights of this version.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Bug`] when the file of weights does not fit the features; a test sees to it that it does.
    pub fn usual() -> Result<&'static Ranking> {
        static USUAL: OnceLock<Result<Ranking>> = OnceLock::new();
        let parsed = USUAL.get_or_init(|| Ranking::parse(include_str!("weights.toml")));
        parsed.as_ref().map_err(|error| Error::bug(error.to_string()))
    }

    /// Reads a file of weights; a feature that it does not name counts nothing.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Usage`] when it is no such file or names an unknown feature.
    pub fn parse(text: &str) -> Result<Ranking> {
        let file: File = toml::from_str(text)
            .map_err(|e| Error::usage(format!("this is no file of weights: {}", e.message())))?;
        Ok(Ranking { hybrid: weights(file.hybrid)?, keyword: weights(file.keyword)? })
    }
}

fn weights(section: Section) -> Result<Weights> {
    let mut same_file = [0.0; Shape::ALL.len()];
    for (name, weight) in section.same_file {
        let shape = Shape::ALL.iter().position(|shape| shape.as_str() == name);
        same_file[shape.ok_or_else(|| unknown(&name))?] = weight;
    }
    let Confident { bias, fair, high, weights } = section.confidence;
    let weights: Result<Vec<(usize, f32)>> =
        weights.into_iter().map(|(name, weight)| Ok((feature(&name)?, weight))).collect();
    Ok(Weights {
        every: by_feature(&section.every)?,
        name: by_feature(&section.name)?,
        same_file,
        confidence: Sureness { bias, weights: weights?, limits: [fair, high] },
    })
}

fn by_feature(named: &BTreeMap<String, f32>) -> Result<Vec<f32>> {
    let mut weights = vec![0.0; FEATURES.len()];
    for (name, weight) in named {
        weights[feature(name)?] = *weight;
    }
    Ok(weights)
}

fn feature(name: &str) -> Result<usize> {
    FEATURES.iter().position(|feature| feature.name == name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Error {
    Error::usage(format!("the ranking knows no {name}"))
}

impl Weights {
    /// What each feature gives to a candidate.
    pub fn parts<'w>(&'w self, shape: Shape, values: &'w [f32]) -> impl Iterator<Item = f32> + 'w {
        let is_name = f32::from(u8::from(shape == Shape::Name));
        let weights = self.every.iter().zip(&self.name);
        weights.zip(values).map(move |((every, name), value)| (every + is_name * name) * value)
    }

    /// The order of candidates with these features, which lie in the files `files`. Equals stay in their order.
    pub fn order(&self, shape: Shape, files: &[u32], rows: &[Vec<f32>]) -> Vec<Ordered> {
        let score = |row: &Vec<f32>| self.parts(shape, row).sum::<f32>();
        let mut ordered: Vec<Ordered> = rows
            .iter()
            .enumerate()
            .map(|(at, row)| Ordered { at, score: score(row), damped: 0.0 })
            .collect();
        ordered.sort_by(|a, b| b.score.total_cmp(&a.score));
        let rest = ordered.split_off(ordered.len().min(DAMPED));
        let mut ordered = damp(ordered, files, self.same_file[shape as usize]);
        let least = ordered.last().map_or(0.0, |last| last.score);
        // What was damped may lie below what follows; scores never rise along a list.
        ordered
            .extend(rest.into_iter().map(|rest| Ordered { score: rest.score.min(least), ..rest }));
        ordered
    }

    /// How sure an answer is whose first hits have these features.
    pub fn confidence(&self, first: &[&[f32]]) -> Confidence {
        let probability = self.confidence.probability(first);
        let [fair, high] = self.confidence.limits;
        match probability {
            p if p >= high => Confidence::High,
            p if p >= fair => Confidence::Fair,
            _ => Confidence::Low,
        }
    }
}

impl Sureness {
    /// The probability that an answer is among the first hits.
    pub fn probability(&self, first: &[&[f32]]) -> f32 {
        let best = |feature: usize| {
            let values = first.iter().take(N_SURE).filter_map(|row| row.get(feature).copied());
            values.fold(0.0, f32::max)
        };
        let sum: f32 = self.weights.iter().map(|(at, weight)| weight * best(*at)).sum();
        1.0 / (1.0 + (-(self.bias + sum)).exp())
    }
}

/// One after the other, each time the best of those left, of which each has lost `weight` for every hit of its file before.
fn damp(mut left: Vec<Ordered>, files: &[u32], weight: f32) -> Vec<Ordered> {
    if weight == 0.0 {
        return left;
    }
    let mut earlier: HashMap<u32, f32> = HashMap::new();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let damped = |one: &Ordered| weight * earlier.get(&files[one.at]).copied().unwrap_or(0.0);
        let (mut best, mut most) = (0, f32::NEG_INFINITY);
        for (position, one) in left.iter().enumerate() {
            let score = one.score - damped(one);
            if score > most {
                (best, most) = (position, score);
            }
        }
        let one = left.remove(best);
        ordered.push(Ordered { score: most, damped: damped(&one), ..one });
        *earlier.entry(files[one.at]).or_default() += 1.0;
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(same_file: f32) -> Weights {
        let mut every = vec![0.0; FEATURES.len()];
        every[0] = 2.0;
        let mut name = vec![0.0; FEATURES.len()];
        name[1] = 1.0;
        let confidence = Sureness { bias: -1.0, weights: vec![(0, 2.0)], limits: [0.4, 0.7] };
        Weights { every, name, same_file: [same_file; 4], confidence }
    }

    fn row(first: f32, second: f32) -> Vec<f32> {
        let mut row = vec![0.0; FEATURES.len()];
        (row[0], row[1]) = (first, second);
        row
    }

    #[test]
    fn the_file_of_weights_fits_the_features() {
        let ranking = Ranking::usual().unwrap();
        assert!(ranking.hybrid.every.iter().any(|weight| *weight != 0.0));
        assert!(Ranking::parse("[hybrid.every]\nlexx = 1.0").is_err());
    }

    #[test]
    fn names_have_weights_of_their_own() {
        let rows = [row(1.0, 0.0), row(0.0, 3.0)];
        let first = |shape| weights(0.0).order(shape, &[0, 1], &rows)[0].at;
        assert_eq!((first(Shape::Title), first(Shape::Name)), (0, 1));
    }

    #[test]
    fn hits_of_one_file_give_way_and_scores_never_rise() {
        let rows = [row(1.0, 0.0), row(0.9, 0.0), row(0.8, 0.0), row(0.85, 0.0)];
        let order = |same_file| {
            let ordered = weights(same_file).order(Shape::Title, &[0, 0, 0, 1], &rows);
            assert!(ordered.is_sorted_by(|a, b| a.score >= b.score), "{ordered:?}");
            ordered.iter().map(|one| one.at).collect::<Vec<_>>()
        };
        assert_eq!(order(0.0), [0, 1, 3, 2]);
        assert_eq!(order(0.5), [0, 3, 1, 2]);
        assert_eq!(weights(0.5).order(Shape::Title, &[], &[]), []);
    }

    #[test]
    fn confidence_follows_the_best_of_the_first() {
        let sure = |first: f32| {
            let rows = [row(first, 0.0), row(0.0, 0.0)];
            weights(0.0).confidence(&rows.each_ref().map(Vec::as_slice))
        };
        assert_eq!(
            [sure(0.0), sure(0.5), sure(1.5)],
            [Confidence::Low, Confidence::Fair, Confidence::High]
        );
    }
}

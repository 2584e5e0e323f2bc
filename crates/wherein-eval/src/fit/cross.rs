//! Weights judged on repositories that they have not seen.

use std::collections::BTreeSet;

use wherein_engine::{FEATURES, FeatureGroup, Sureness, Weights};

use super::FitOptions;
use super::example::Example;
use super::learn::{Learned, learn};
use crate::judge::{Figures, figures};
use crate::suite::Place;

/// Results that are judged: as many as an evaluation keeps.
const N_RESULTS: usize = 50;

/// Weights that are set, not learned: hardly a question of the suites asks for tests, prose, settings or a language, and
/// whoever does is to get them.
const SET: [(&str, f32); 2] = [("asked_kind", 1.5), ("asked_language", 1.5)];
/// What is added to learned weights for names: whoever asks for an identifier wants places that have it, before those that
/// have only its words. In suites nearly all places that answer a name define it, so that this is not learned from them.
const ADDED_FOR_NAMES: [(&str, f32); 1] = [("has_name", 2.0)];

/// An example judged by weights that were fitted without its repository.
#[derive(Debug)]
pub struct Judged {
    /// The suite's name.
    pub suite: String,
    /// The question's category.
    pub category: String,
    /// Its figures.
    pub figures: Figures,
    /// The features of its first results, and of those of the same question where nobody can answer it.
    pub(super) first: Vec<Vec<f32>>,
    pub(super) astray: Option<Vec<Vec<f32>>>,
}

/// The weights of all examples.
pub(super) fn weights(options: &FitOptions, examples: &[Example], kept: &[bool]) -> Weights {
    let examples: Vec<&Example> = examples.iter().collect();
    learned(options, &examples, kept)
}

fn learned(options: &FitOptions, examples: &[&Example], kept: &[bool]) -> Weights {
    let set = |name: &str| SET.iter().find(|(set, _)| *set == name);
    let kept: Vec<bool> = FEATURES
        .iter()
        .zip(kept)
        .map(|(feature, kept)| *kept && set(feature.name).is_none())
        .collect();
    let Learned { mut every, mut name } = learn(examples, &kept, (options.n_steps, options.decay));
    for (weight, feature) in every.iter_mut().zip(FEATURES) {
        *weight = set(feature.name).map_or(*weight, |(_, weight)| *weight);
    }
    for (weight, feature) in name.iter_mut().zip(FEATURES) {
        let added = ADDED_FOR_NAMES.iter().find(|(added, _)| *added == feature.name);
        *weight += added.map_or(0.0, |(_, weight)| *weight);
    }
    let confidence = Sureness { bias: 0.0, weights: Vec::new(), limits: [0.0, 1.0] };
    Weights { every, name, same_file: options.same_file, confidence }
}

/// Judges each example by weights that were fitted on the other folds.
pub(super) fn judge(options: &FitOptions, examples: &[Example], kept: &[bool]) -> Vec<Judged> {
    let repos: BTreeSet<&str> = examples.iter().map(|example| example.repo.as_str()).collect();
    // By a hash, so that neighbours in the alphabet, which are often written in one language, part.
    let mut repos: Vec<&str> = repos.into_iter().collect();
    repos.sort_by_key(|repo| fnv(repo));
    let fold_of = |example: &Example| {
        let at = repos.iter().position(|repo| *repo == example.repo);
        at.unwrap_or(0) % options.n_folds.max(1)
    };
    let mut judged: Vec<Option<Judged>> = examples.iter().map(|_| None).collect();
    for fold in 0..options.n_folds.max(1) {
        let seen: Vec<&Example> = examples.iter().filter(|e| fold_of(e) != fold).collect();
        let weights = learned(options, &seen, kept);
        for (example, slot) in examples.iter().zip(&mut judged) {
            if fold_of(example) == fold {
                *slot = Some(judge_one(example, &weights));
            }
        }
    }
    judged.into_iter().flatten().collect()
}

fn judge_one(example: &Example, weights: &Weights) -> Judged {
    let ordered = weights.order(example.shape, &example.files, &example.features);
    let results: Vec<Place> =
        ordered.iter().take(N_RESULTS).map(|one| example.places[one.at].clone()).collect();
    Judged {
        suite: example.suite.clone(),
        category: example.category.clone(),
        figures: figures(&example.answers, &results),
        first: first(example, weights),
        astray: example.astray.as_deref().map(|astray| first(astray, weights)),
    }
}

/// The features of the first results.
fn first(example: &Example, weights: &Weights) -> Vec<Vec<f32>> {
    let ordered = weights.order(example.shape, &example.files, &example.features);
    ordered.iter().take(3).map(|one| example.features[one.at].clone()).collect()
}

/// Each group of features left out, and each group alone.
pub(super) fn ablations() -> Vec<(String, Vec<bool>)> {
    let without = |group: FeatureGroup| {
        let kept = FEATURES.iter().map(|feature| feature.group != group).collect();
        (format!("without {}", group.as_str()), kept)
    };
    let mut all_of: Vec<(String, Vec<bool>)> = FeatureGroup::ALL.into_iter().map(without).collect();
    let two = ["lex_stretched", "meaning", "test", "docs", "config", "generated", "asked_kind"];
    let kept = FEATURES.iter().map(|feature| two.contains(&feature.name)).collect();
    all_of.push(("both scores and kinds only".to_owned(), kept));
    all_of
}

/// FNV-1a, by which the folds are the same on every machine.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

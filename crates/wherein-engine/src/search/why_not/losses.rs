//! In which groups of features a place loses against the first hit, in words.
//!
//! Compares what both scores are made of. Must not judge what the weights do not.

use std::collections::BTreeMap;

use crate::model::Hit;
use crate::request::Loss;
use crate::search::explain::{listed, pushed_down};
use crate::search::features::{FEATURES, FeatureGroup, FeatureInfo};

/// Groups that are told.
const MAX_LOSSES: usize = 4;
/// A smaller part of the whole difference says little.
const LEAST_SHARE: f32 = 0.05;

/// Where `place` loses most, most first; `lacking` are words of the question that it does not have.
pub(super) fn of(first: &Hit, place: &Hit, lacking: &[&str]) -> Vec<Loss> {
    let (ahead, behind) = (&first.parts.boosts, &place.parts.boosts);
    let names: Vec<&'static str> = ahead.keys().chain(behind.keys()).copied().collect();
    let of = |boosts: &BTreeMap<&'static str, f32>, name| boosts.get(name).copied().unwrap_or(0.0);
    let mut losses: Vec<Loss> = Vec::new();
    for group in names {
        let lost = of(ahead, group) - of(behind, group);
        if lost > 0.0 && !losses.iter().any(|known| known.group == group) {
            losses.push(Loss { group, lost, said: said(group, first, place, lacking) });
        }
    }
    losses.sort_by(|a, b| b.lost.total_cmp(&a.lost).then(a.group.cmp(b.group)));
    let all: f32 = losses.iter().map(|loss| loss.lost).sum();
    losses.retain(|loss| loss.lost >= LEAST_SHARE * all || loss.group == "similarity");
    losses.truncate(MAX_LOSSES);
    losses
}

/// What it means to lose in a group.
fn said(group: &str, first: &Hit, place: &Hit, lacking: &[&str]) -> String {
    let role = pushed_down(place);
    let told = match group {
        "similarity" => "the larger model finds it less like the question".to_owned(),
        "place" => "the question names the first hit by its path".to_owned(),
        "same_file" => "other hits of the same file come first".to_owned(),
        "words" if !lacking.is_empty() => format!("it lacks {}", listed(lacking)),
        "words" => "its words fit less".to_owned(),
        "meaning" => "its lines are less close in meaning".to_owned(),
        "file" => "its file as a whole says less".to_owned(),
        "names" => "the names of its file, folders and symbols say less".to_owned(),
        "kind" if !role.is_empty() => role.join(", "),
        "kind" => "where its file lies".to_owned(),
        "shape" => "what it is: functions, types and values count differently".to_owned(),
        other => other.to_owned(),
    };
    detail(group, first, place).map_or(told.clone(), |detail| format!("{told}; {detail}"))
}

/// The feature of a group of which the first hit has more and gets most by it, with both values.
fn detail(group: &str, first: &Hit, place: &Hit) -> Option<String> {
    let part = |hit: &Hit, name: &str| {
        let feature = hit.parts.features.iter().find(|feature| feature.name == name);
        feature.map_or((0.0, 0.0), |feature| (feature.value, feature.score))
    };
    let mut most: Option<(f32, String)> = None;
    for info in FEATURES.iter().filter(|info| info.group.as_str() == group) {
        let (own, other) = (part(place, info.name), part(first, info.name));
        let (lost, Some(about)) = (other.1 - own.1, about(info)) else { continue };
        if other.0 > own.0 && lost > most.as_ref().map_or(0.0, |(most, _)| *most) {
            most = Some((lost, format!("{about}: {:.2} beside {:.2}", own.0, other.0)));
        }
    }
    most.map(|(_, said)| said)
}

/// What a feature is, for those who do not read the list of all: `None` where only its neighbour in the list says so, and
/// for kinds and shapes, which are no matter of degree.
fn about(info: &FeatureInfo) -> Option<String> {
    match (info.group, info.about.strip_prefix("the same, ")) {
        (FeatureGroup::Kind | FeatureGroup::Shape, _) => None,
        (FeatureGroup::Words, Some(place)) => {
            Some(format!("share of the question's weight {place}"))
        }
        _ if info.about.starts_with("the same") => None,
        _ => Some(info.about.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_of_a_feature_stands_alone() {
        let told = FEATURES.iter().filter_map(about);
        assert!(told.clone().all(|about| !about.contains("the same")));
        assert!(told.count() > 20);
    }
}

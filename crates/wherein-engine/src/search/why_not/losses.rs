//! In which groups of features a place loses against the first hit, in words.
//!
//! Compares what both scores are made of. Must not judge what the weights do not.

use std::collections::BTreeMap;

use crate::model::Hit;
use crate::request::Loss;
use crate::search::explain::{listed, pushed_down};
use crate::search::features::{FEATURES, FeatureGroup};

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
    match group {
        "similarity" => "the larger model finds it less like the question".to_owned(),
        "place" => "the question names the first hit by its path".to_owned(),
        "same_file" => "other hits of the same file come first".to_owned(),
        "words" if !lacking.is_empty() => {
            format!("it lacks {}; {}", listed(lacking), detail(group, first, place))
        }
        "words" => format!("its words fit less; {}", detail(group, first, place)),
        "meaning" => {
            format!("its lines are less close in meaning; {}", detail(group, first, place))
        }
        "file" => format!("its file as a whole says less; {}", detail(group, first, place)),
        "names" => format!(
            "the names of its file, folders and symbols say less; {}",
            detail(group, first, place)
        ),
        "kind" if !role.is_empty() => role.join(", "),
        "kind" => format!("what its file is; {}", detail(group, first, place)),
        "shape" => format!("what it is; {}", detail(group, first, place)),
        other => other.to_owned(),
    }
}

/// The feature of a group that makes most of the difference, with both values.
fn detail(group: &str, first: &Hit, place: &Hit) -> String {
    let part = |hit: &Hit, name: &str| {
        let feature = hit.parts.features.iter().find(|feature| feature.name == name);
        feature.map_or((0.0, 0.0), |feature| (feature.value, feature.score))
    };
    let is_in = |of: FeatureGroup| of.as_str() == group;
    let lost = |name: &str| part(first, name).1 - part(place, name).1;
    let of_group = FEATURES.iter().filter(|info| is_in(info.group));
    let most = of_group.max_by(|a, b| lost(a.name).total_cmp(&lost(b.name)));
    let Some(info) = most else { return String::new() };
    let (own, other) = (part(place, info.name).0, part(first, info.name).0);
    // Several abouts say "the same", which needs the list in docs/ranking.md.
    let about = match info.about.starts_with("the same") {
        true => info.name,
        false => info.about,
    };
    format!("{about}: {own:.2} beside {other:.2}")
}

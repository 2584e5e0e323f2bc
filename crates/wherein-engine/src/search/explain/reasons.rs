//! The reasons of a hit as a person would tell them, most telling first: what speaks for it, then what against.
//!
//! Made from what ordered the hit and from nothing else. Must not read files.

use super::{Explainer, value};
use crate::model::{Feature, Hit, Kind};
use crate::search::best_lines::{Lines, Window};
use crate::search::evidence::Mask;
use crate::search::features::stem;
use crate::search::rank::Ranked;
use crate::tokenize::{Field, Tokenizer};

/// Reasons of one hit.
const MAX_REASONS: usize = 6;
/// Those of them that speak for it.
const MAX_FOR: usize = 4;
/// Words of the question that are named at once.
const MAX_WORDS: usize = 6;
/// Likeness, of 255, from which on two words are told as close: half of a cosine.
const CLOSE: u8 = 128;
/// Windows from which on it helps to know which one is meant.
const MIN_WINDOWS: usize = 3;
/// The share of the question that a file has which says much of it, and how much more that is than the chunk's.
const FILE_SAYS_MUCH: (f32, f32) = (0.7, 0.15);
/// What a file or its folder is, by feature.
const ROLES: &[(&str, &str)] = &[
    ("test", "a test"),
    ("docs", "prose"),
    ("config", "settings"),
    ("generated", "generated"),
    ("older", "older version"),
    ("example", "an example or script"),
    ("internal", "internals"),
    ("legacy", "kept for old callers"),
];

impl Explainer<'_> {
    /// The reasons of a hit whose features were filled and which has the words `has`.
    pub(super) fn reasons(&self, ranked: &Ranked, has: Option<Mask>) -> Vec<String> {
        let mut told = self.speaking_for(ranked, has);
        told.truncate(MAX_FOR);
        let mut against = self.speaking_against(ranked, has);
        against.truncate(MAX_REASONS - told.len());
        told.extend(against);
        if told.len() < 2 {
            told.extend(by_lists(&ranked.hit));
        }
        told
    }

    fn speaking_for(&self, ranked: &Ranked, has: Option<Mask>) -> Vec<String> {
        let hit = &ranked.hit;
        let features = &hit.parts.features;
        let named =
            hit.parts.boosts.contains_key("place").then(|| "named by the question".to_owned());
        let close = has.and_then(|has| {
            let close = self.close_words(ranked.lines.as_ref(), has);
            (!close.is_empty()).then(|| format!("has words close to: {}", listed(&close)))
        });
        let reasons = [
            named,
            self.likeness(ranked),
            self.symbol(ranked),
            has.map(|has| self.matched(has, hit)),
            self.file_name(hit, features),
            self.best_lines(ranked),
            close,
            says_much(features).then(|| "in a file that says much of it".to_owned()),
            asked_kind(hit, features),
            self.folder(hit),
        ];
        reasons.into_iter().flatten().collect()
    }

    fn speaking_against(&self, ranked: &Ranked, has: Option<Mask>) -> Vec<String> {
        let hit = &ranked.hit;
        let mut reasons = pushed_down(hit);
        if hit.parts.boosts.get("same_file").is_some_and(|taken| *taken < 0.0) {
            reasons.push("another hit of the same file comes first".to_owned());
        }
        if let Some(has) = has.filter(|has| *has != 0) {
            let close = self.close_words(ranked.lines.as_ref(), has);
            let lacking = self.lacking(has).into_iter().filter(|word| !close.contains(word));
            let lacking: Vec<&str> = lacking.collect();
            if !lacking.is_empty() {
                reasons.push(format!("without: {}", listed(&lacking)));
            }
        }
        reasons
    }

    fn likeness(&self, ranked: &Ranked) -> Option<String> {
        let (rank, reranked) = (ranked.likeness_rank?, self.reranked?);
        let (n, model) = (reranked.n_places, &reranked.model);
        Some(match rank {
            1 => format!("most like the question of {n} by {model}"),
            rank => format!("#{rank} of {n} in likeness by {model}"),
        })
    }

    /// The symbol of the hit, where its name has a word of the question.
    fn symbol(&self, ranked: &Ranked) -> Option<String> {
        let (symbol, chunk) = (ranked.hit.symbol.as_ref()?, &ranked.candidate);
        if self.asked_in(&symbol.name).is_empty() {
            return None;
        }
        let is_here = (chunk.start_line..=chunk.end_line).contains(&symbol.name_line);
        Some(format!("{} `{}`", if is_here { "defines" } else { "part of" }, symbol.name))
    }

    fn matched(&self, has: Mask, hit: &Hit) -> String {
        if has == 0 {
            return match hit.parts.dense_rank {
                Some(rank) => format!("no word in common, #{rank} by meaning"),
                None => "no word in common".to_owned(),
            };
        }
        let words = self.words.iter().enumerate().filter(|(at, _)| has >> at & 1 == 1);
        let matched: Vec<&str> = words.map(|(_, (_, written))| written.as_str()).collect();
        match matched.len() == self.words.len() && matched.len() > 1 {
            true => format!("matches every word: {}", listed(&matched)),
            false => format!("matches {}", listed(&matched)),
        }
    }

    fn file_name(&self, hit: &Hit, features: &[Feature]) -> Option<String> {
        let name = hit.path.rsplit('/').next().unwrap_or(&hit.path);
        let asked = self.asked_in(stem(name));
        if !asked.is_empty() {
            return Some(format!("file name says {}", listed(&asked)));
        }
        let is_asked = value(features, "stem_short") > 0.0 || value(features, "stem_asked") > 0.0;
        is_asked.then(|| format!("file name says {}", stem(name)))
    }

    fn folder(&self, hit: &Hit) -> Option<String> {
        let (dirs, _) = hit.path.rsplit_once('/')?;
        let asked = self.asked_in(dirs);
        (!asked.is_empty()).then(|| format!("folder name says {}", listed(&asked)))
    }

    /// The lines of a long chunk that say most of the question.
    fn best_lines(&self, ranked: &Ranked) -> Option<String> {
        let windows = &ranked.lines.as_ref()?.windows;
        let share = |window: &Window| {
            window.seen.words.count_ones() as f32 / self.words.len().max(1) as f32
        };
        let says = |window: &Window| window.cosine.unwrap_or(0.0) + share(window);
        let mut best = (0, 0.0);
        for (at, window) in (0_u32..).zip(windows) {
            if says(window) > best.1 {
                best = (at, says(window));
            }
        }
        if windows.len() < MIN_WINDOWS || best.1 <= 0.0 {
            return None;
        }
        let first = ranked.candidate.start_line + best.0 * self.window_lines;
        let last = (first + self.window_lines - 1).min(ranked.candidate.end_line);
        Some(match first == last {
            true => format!("line {first} says most of it"),
            false => format!("lines {first}-{last} say most of it"),
        })
    }

    /// Words of the question that the hit does not have, but words close to them.
    fn close_words(&self, lines: Option<&Lines>, has: Mask) -> Vec<&str> {
        let windows = || lines.into_iter().flat_map(|lines| &lines.windows);
        let is_close = |at: usize| {
            let likeness = |window: &Window| window.seen.likeness.get(at).copied();
            windows().filter_map(likeness).any(|like| like >= CLOSE)
        };
        let words = self.words.iter().enumerate();
        let close = words.filter(|(at, _)| has >> at & 1 == 0 && is_close(*at));
        close.map(|(_, (_, written))| written.as_str()).collect()
    }

    /// The words of the question that stand in a name.
    fn asked_in(&self, name: &str) -> Vec<&str> {
        let mut has: Mask = 0;
        Tokenizer::default().terms(name, |term| {
            let at = self.words.iter().position(|(stem, _)| stem == term.text);
            has |= at.filter(|_| term.field == Field::Words).map_or(0, |at| 1 << at);
        });
        let words = self.words.iter().enumerate().filter(|(at, _)| has >> at & 1 == 1);
        words.map(|(_, (_, written))| written.as_str()).collect()
    }
}

/// Whether the file has much more of the question than the chunk.
fn says_much(features: &[Feature]) -> bool {
    let (least, more) = FILE_SAYS_MUCH;
    let of_file = value(features, "file_coverage");
    of_file >= least && of_file >= value(features, "coverage") + more
}

fn asked_kind(hit: &Hit, features: &[Feature]) -> Option<String> {
    let role = role(hit.kind).filter(|_| value(features, "asked_kind") > 0.0)?;
    Some(format!("{role}, as asked for"))
}

/// What takes from a hit because of the role of its file.
pub(in crate::search) fn pushed_down(hit: &Hit) -> Vec<String> {
    let features = &hit.parts.features;
    let is_taken = |name: &str| {
        features
            .iter()
            .any(|feature| feature.name == name && feature.value > 0.0 && feature.score < 0.0)
    };
    let said = |role: &str| format!("{role}: pushed down");
    if features.is_empty() {
        // Without a ranking a factor lowers what is no source.
        let is_lowered = hit.parts.boosts.get("kind").is_some_and(|factor| *factor < 1.0);
        return role(hit.kind).filter(|_| is_lowered).map(said).into_iter().collect();
    }
    let taken = ROLES.iter().filter(|(name, _)| is_taken(name));
    taken.map(|(_, role)| said(role)).collect()
}

fn role(kind: Kind) -> Option<&'static str> {
    let role = ROLES.iter().find(|(name, _)| *name == kind.as_str());
    role.map(|(_, role)| *role)
}

/// The places in both lists: what there is to say where nothing else is.
fn by_lists(hit: &Hit) -> impl Iterator<Item = String> {
    let by_words = hit.parts.lexical_rank.map(|rank| format!("#{rank} by words"));
    let by_meaning = hit.parts.dense_rank.map(|rank| format!("#{rank} by meaning"));
    by_words.into_iter().chain(by_meaning)
}

/// `atomic, file, write and 3 more`.
pub(in crate::search) fn listed(words: &[&str]) -> String {
    let (named, more) = words.split_at(words.len().min(MAX_WORDS));
    match more.len() {
        0 => named.join(", "),
        n => format!("{} and {n} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_of_words_ends() {
        assert_eq!(listed(&["a", "b"]), "a, b");
        assert_eq!(
            listed(&["a", "b", "c", "d", "e", "f", "g", "h"]),
            "a, b, c, d, e, f and 2 more"
        );
    }

    #[test]
    fn every_role_is_a_feature() {
        let is_known = |name| crate::search::features::FEATURES.iter().any(|f| f.name == name);
        assert!(ROLES.iter().all(|(name, _)| is_known(*name)));
    }
}

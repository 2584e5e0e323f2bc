//! Why a place is not higher for a question: the object of `wherein why --json`.
//!
//! Key names are a contract. Must not judge: the engine did.

use std::time::Duration;

use serde::Serialize;
use wherein_engine as engine;

use crate::number::{Score, tenths};
use crate::search::{Copy, Hit, SearchMeta};

/// Where a place stands for a question, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WhyPlace {
    /// The question as asked.
    pub query: String,
    /// The mode that answered.
    pub mode: &'static str,
    /// The path asked about, relative to the searched root.
    pub path: String,
    /// The first line asked about, 1-based; `null` for the whole file.
    pub start_line: Option<u32>,
    /// The last one, inclusive.
    pub end_line: Option<u32>,
    /// `ranked`, `beyond`, `no_match`, `filtered` or `not_searched`.
    pub standing: &'static str,
    /// The same in a sentence.
    pub told: String,
    /// Its place among the hits, 1-based; `null` where it is no candidate.
    pub rank: Option<u64>,
    /// How many places have something of the question.
    pub n_candidates: u64,
    /// The best chunk at the place, with its reasons.
    pub place: Option<Hit>,
    /// The hit that is shown in its stead, for it has the same text.
    pub copy_of: Option<Copy>,
    /// The first hit.
    pub first: Option<Hit>,
    /// The last of the first ten.
    pub tenth: Option<Hit>,
    /// Where the place loses most against the first hit, most first.
    pub losses: Vec<Loss>,
    /// Stages that were dropped, in words.
    pub degraded: Vec<String>,
    /// Milliseconds, freshness check included.
    pub elapsed_ms: f64,
}

/// A part of the score in which a place loses.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loss {
    /// A key of `boosts`.
    pub group: &'static str,
    /// How much more the first hit has of it.
    pub lost: Score,
    /// What that means, in words.
    pub said: String,
}

impl WhyPlace {
    /// The wire form of `why`.
    pub fn new(why: engine::WhyPlace, meta: SearchMeta) -> Self {
        let engine::WhyPlace {
            query,
            mode,
            path,
            lines,
            standing,
            told,
            rank,
            n_candidates,
            place,
            copy_of,
            first,
            tenth,
            losses,
            degraded,
        } = why;
        let SearchMeta { elapsed, highlights: _ } = meta;
        WhyPlace {
            query,
            mode: mode.as_str(),
            path,
            start_line: lines.map(|(first, _)| first),
            end_line: lines.map(|(_, last)| last),
            standing: standing.as_str(),
            told,
            rank,
            n_candidates,
            place: place.map(Hit::from),
            copy_of: copy_of.map(Copy::from),
            first: first.map(Hit::from),
            tenth: tenth.map(Hit::from),
            losses: losses.into_iter().map(Loss::from).collect(),
            degraded,
            elapsed_ms: milliseconds(elapsed),
        }
    }
}

fn milliseconds(elapsed: Duration) -> f64 {
    tenths(elapsed.as_secs_f64() * 1000.0)
}

impl From<engine::Loss> for Loss {
    fn from(loss: engine::Loss) -> Self {
        let engine::Loss { group, lost, said } = loss;
        Loss { group, lost: Score(lost), said }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherein_engine::{Mode, Standing};

    #[test]
    fn a_place_has_the_keys_of_the_contract() {
        let why = engine::WhyPlace {
            query: "a question".to_owned(),
            mode: Mode::Hybrid,
            path: "src/a.rs".to_owned(),
            lines: Some((3, 9)),
            standing: Standing::Ranked,
            told: "#12 of 40".to_owned(),
            rank: Some(12),
            n_candidates: 40,
            place: None,
            copy_of: Some(engine::Copy { path: "b.rs".to_owned(), start_line: 1, end_line: 2 }),
            first: None,
            tenth: None,
            losses: vec![engine::Loss { group: "words", lost: 1.5, said: "it lacks x".to_owned() }],
            degraded: Vec::new(),
        };
        let meta = SearchMeta { elapsed: Duration::from_micros(3149), highlights: false };
        let value = serde_json::to_value(WhyPlace::new(why, meta)).unwrap();
        let wanted = serde_json::json!({
            "query": "a question", "mode": "hybrid", "path": "src/a.rs", "start_line": 3, "end_line": 9,
            "standing": "ranked", "told": "#12 of 40", "rank": 12, "n_candidates": 40, "place": null,
            "copy_of": {"path": "b.rs", "start_line": 1, "end_line": 2}, "first": null, "tenth": null,
            "losses": [{"group": "words", "lost": 1.5, "said": "it lacks x"}], "degraded": [],
            "elapsed_ms": 3.1,
        });
        assert_eq!(value, wanted);
    }
}

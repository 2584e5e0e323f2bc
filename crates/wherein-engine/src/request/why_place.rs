//! Why a place stands where it stands for a question: what `wherein why` asks for and gets.
//!
//! Plain values. Must not judge: `search/why_not.rs` does.

use crate::model::{Copy, Hit, Mode};

/// Where a place stands for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Among the places that were weighed against one another.
    Ranked,
    /// It has something of the question, but too little of its words and meaning to be weighed: it follows all that were.
    Beyond,
    /// Nothing of it is like the question.
    NoMatch,
    /// A filter leaves it out.
    Filtered,
    /// Its file is not searched at all.
    NotSearched,
}

impl Standing {
    /// Every standing.
    pub const ALL: [Standing; 5] = [
        Standing::Ranked,
        Standing::Beyond,
        Standing::NoMatch,
        Standing::Filtered,
        Standing::NotSearched,
    ];

    /// The key used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Standing::Ranked => "ranked",
            Standing::Beyond => "beyond",
            Standing::NoMatch => "no_match",
            Standing::Filtered => "filtered",
            Standing::NotSearched => "not_searched",
        }
    }
}

/// A group of features in which a place loses against the first hit.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// A group of features, or another part of the score: `same_file`, `place`, `similarity`.
    pub group: &'static str,
    /// How much more the first hit has of it.
    pub lost: f32,
    /// What that means, in words.
    pub said: String,
}

/// Why a place is not higher.
#[derive(Debug, Clone)]
pub struct WhyPlace {
    /// The question as asked.
    pub query: String,
    /// The mode that answered.
    pub mode: Mode,
    /// The path asked about, relative to the root.
    pub path: String,
    /// The lines asked about, 1-based and inclusive; `None` for the whole file.
    pub lines: Option<(u32, u32)>,
    /// Where it stands.
    pub standing: Standing,
    /// The same in a sentence.
    pub told: String,
    /// Its place among the hits, copies counted once; `None` where it is no candidate.
    pub rank: Option<u64>,
    /// How many places have something of the question.
    pub n_candidates: u64,
    /// The best chunk at the place, with its reasons.
    pub place: Option<Hit>,
    /// The hit whose text it has, which is shown in its stead.
    pub copy_of: Option<Copy>,
    /// The first hit.
    pub first: Option<Hit>,
    /// The last of the first ten.
    pub tenth: Option<Hit>,
    /// Where it loses most against the first hit, most first.
    pub losses: Vec<Loss>,
    /// Stages that were dropped, in words.
    pub degraded: Vec<String>,
}

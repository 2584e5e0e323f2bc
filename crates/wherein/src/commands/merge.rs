//! Answers of several repositories as one: the order, the counts, and whose each result is.
//!
//! Pure functions over answers. The order is the same for the same answers, whoever came first.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use wherein_engine::{
    Answer, FileOutline, FoundSymbol, FoundUsage, Hit, Outline, Reranked, SkipCounts, SymbolAnswer,
    UsageAnswer,
};
use wherein_wire::AskedRepository;

use super::chosen::{Part, Parts, openable};

/// One answer of several, and whose its results are.
#[derive(Debug)]
pub(super) struct Merged<A> {
    pub(super) answer: A,
    /// For each result the position of its repository in `asked`.
    owners: Vec<usize>,
    /// Those that answered, in order of name.
    asked: Vec<(AskedRepository, PathBuf)>,
}

/// An answer that can be one with another.
pub(super) trait Merge {
    /// One of its results.
    type Found;
    /// Takes in the counts of another answer, not its results.
    fn absorb(&mut self, other: &Self);
    /// Its results.
    fn found(&mut self) -> &mut Vec<Self::Found>;
    /// Its generation.
    fn generation(&mut self) -> &mut u64;
    /// What has to be said of it.
    fn degraded(&mut self) -> &mut Vec<String>;
    /// The order of two results of different repositories; where they are equal the repository's name decides.
    fn order(&self, left: &Self::Found, right: &Self::Found) -> Ordering;
    /// The paths in a result.
    fn paths(found: &mut Self::Found) -> Vec<&mut String>;
}

/// One answer with the first `limit` results of all. `None` where nobody answered.
pub(super) fn merged<A: Merge>(parts: Parts<A>, limit: Option<usize>) -> Option<Merged<A>> {
    let Parts { parts, degraded } = parts;
    let n_parts = parts.len();
    let (mut whole, mut all, mut asked) = (None::<A>, Vec::new(), Vec::new());
    for (idx, Part { name, searched, mut answer }) in parts.into_iter().enumerate() {
        all.extend(std::mem::take(answer.found()).into_iter().map(|found| (idx, found)));
        let (root, generation) = (searched.display().to_string(), *answer.generation());
        asked.push((AskedRepository { name, root, generation }, searched));
        match &mut whole {
            Some(whole) => whole.absorb(&answer),
            None => whole = Some(answer),
        }
    }
    let mut answer = whole?;
    // The sort is stable: what is equal stays in order of name, and then as its repository had it.
    all.sort_by(|left, right| answer.order(&left.1, &right.1));
    all.truncate(limit.unwrap_or(usize::MAX));
    let (owners, found) = all.into_iter().unzip();
    *answer.found() = found;
    *answer.degraded() = degraded;
    if n_parts > 1 {
        // There is none of several; each has its own beside.
        *answer.generation() = 0;
    }
    Some(Merged { answer, owners, asked })
}

impl<A: Merge> Merged<A> {
    /// The answer of a folder that is no named repository.
    pub(super) fn of_folder(answer: A) -> Merged<A> {
        Merged { answer, owners: Vec::new(), asked: Vec::new() }
    }

    /// The repository's name for each result.
    pub(super) fn names(&self) -> Vec<String> {
        self.owners.iter().map(|idx| self.asked[*idx].0.name.clone()).collect()
    }

    /// Those that answered, for programs.
    pub(super) fn asked(&self) -> Vec<AskedRepository> {
        self.asked.iter().map(|(asked, _)| asked.clone()).collect()
    }

    /// The answer with paths that can be opened from the folder `from`.
    pub(super) fn opened_from(mut self, from: &Path) -> A {
        for (idx, found) in self.owners.iter().zip(self.answer.found()) {
            for path in A::paths(found) {
                *path = openable(from, &self.asked[*idx].1, path);
            }
        }
        self.answer
    }
}

impl Merge for Answer {
    type Found = Hit;

    fn absorb(&mut self, other: &Answer) {
        self.n_matches += other.n_matches;
        self.skipped.merge(&other.skipped);
        self.confidence = self.confidence.max(other.confidence);
        self.model = self.model.take().filter(|model| other.model.as_ref() == Some(model));
        self.reranked = match (self.reranked.take(), &other.reranked) {
            (Some(one), Some(other)) => both(one, other),
            _ => None,
        };
    }

    fn found(&mut self) -> &mut Vec<Hit> {
        &mut self.hits
    }

    fn generation(&mut self) -> &mut u64 {
        &mut self.generation
    }

    fn degraded(&mut self) -> &mut Vec<String> {
        &mut self.degraded
    }

    fn order(&self, left: &Hit, right: &Hit) -> Ordering {
        match self.mode.is_ranked() {
            true => right.score.total_cmp(&left.score),
            false => Ordering::Equal,
        }
    }

    fn paths(hit: &mut Hit) -> Vec<&mut String> {
        let copies = hit.copies.iter_mut().map(|copy| &mut copy.path);
        std::iter::once(&mut hit.path).chain(copies).collect()
    }
}

/// What one model did in two repositories; nothing can be said of two models at once.
fn both(one: Reranked, other: &Reranked) -> Option<Reranked> {
    let sum = Reranked {
        n_places: one.n_places + other.n_places,
        n_embedded: one.n_embedded + other.n_embedded,
        n_cached: one.n_cached + other.n_cached,
        n_vectors: one.n_vectors + other.n_vectors,
        n_chunks: one.n_chunks + other.n_chunks,
        model: one.model,
    };
    Some(sum).filter(|sum| sum.model == other.model)
}

/// What look-ups by name have in common.
macro_rules! merge_lookup {
    ($answer:ty, $found:ty, $results:ident, $order:expr, $absorb:expr) => {
        impl Merge for $answer {
            type Found = $found;

            fn absorb(&mut self, other: &Self) {
                let absorb: fn(&mut Self, &Self) = $absorb;
                absorb(self, other);
                SkipCounts::merge(&mut self.skipped, &other.skipped);
            }

            fn found(&mut self) -> &mut Vec<$found> {
                &mut self.$results
            }

            fn generation(&mut self) -> &mut u64 {
                &mut self.generation
            }

            fn degraded(&mut self) -> &mut Vec<String> {
                &mut self.degraded
            }

            fn order(&self, left: &$found, right: &$found) -> Ordering {
                let order: fn(&$found, &$found) -> Ordering = $order;
                order(left, right)
            }

            fn paths(found: &mut $found) -> Vec<&mut String> {
                vec![&mut found.path]
            }
        }
    };
}

merge_lookup!(
    SymbolAnswer,
    FoundSymbol,
    symbols,
    |left, right| left.matched.cmp(&right.matched),
    |one, other| one.n_matches += other.n_matches
);
merge_lookup!(
    UsageAnswer,
    FoundUsage,
    usages,
    |left, right| left.usage.cmp(&right.usage),
    |one, other| {
        one.n_matches += other.n_matches;
        one.n_definitions += other.n_definitions;
    }
);
merge_lookup!(Outline, FileOutline, files, |_, _| Ordering::Equal, |_, _| {});

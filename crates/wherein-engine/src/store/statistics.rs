//! How many chunks have each term: what a ranking needs to know of a whole index whose files lie elsewhere.
//!
//! One finite-state transducer a field, from term to count. Must not know where it is kept.

use tantivy::directory::OwnedBytes;
use tantivy_fst::{IntoStreamer, Map, MapBuilder, Streamer};

use super::generation::{Generation, Live};
use super::segment::{Match, TextField};
use crate::error::{Error, Result};

/// A transducer of more terms is refused.
const MAX_TERMS: usize = 100_000_000;
/// One with a longer term, too.
const MAX_TERM_BYTES: usize = u16::MAX as usize;

/// Terms and counts of each field, in the order of [`TextField`].
#[derive(Default)]
pub(crate) struct Statistics(Vec<Map<OwnedBytes>>);

impl std::fmt::Debug for Statistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Statistics").field(&self.0.len()).finish()
    }
}

/// How many fields have counts: all but the last, as where an identifier stands is found by its words.
pub(super) const N_COUNTED: usize = TextField::Usages as usize;

impl Statistics {
    /// Counts the live chunks of a generation; the transducer of each of the first [`N_COUNTED`] fields.
    pub(super) fn count(generation: &Generation) -> Result<Vec<Vec<u8>>> {
        TextField::ALL[..N_COUNTED].iter().map(|field| count_field(generation, *field)).collect()
    }

    /// Opens what [`Statistics::count`] made; `None` where it is damaged.
    pub(super) fn open(fields: Vec<OwnedBytes>) -> Option<Statistics> {
        let maps: Option<Vec<_>> = fields.into_iter().map(open_map).collect();
        maps.filter(|maps| maps.len() == N_COUNTED).map(Statistics)
    }

    /// Whether every term can be read: the reader of a transducer panics where one is damaged.
    pub(super) fn is_sound(&self) -> bool {
        let walk = || self.0.iter().all(is_whole);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(walk)).unwrap_or(false)
    }

    fn map(&self, field: TextField) -> Option<&Map<OwnedBytes>> {
        self.0.get(field as usize)
    }

    /// How many chunks have a term.
    pub(crate) fn freq(&self, field: TextField, text: &str) -> u64 {
        self.map(field).and_then(|map| map.get(text)).unwrap_or(0)
    }

    /// The first `n` terms that fit, in the order of their bytes.
    pub(crate) fn terms(&self, field: TextField, wanted: &Match<'_>, n: usize) -> Vec<String> {
        let Some(map) = self.map(field) else { return Vec::new() };
        match wanted {
            Match::Whole(text) => map.get(text).map(|_| (*text).to_owned()).into_iter().collect(),
            Match::BeginsWith(prefix) => {
                gather(map.range().ge(prefix).into_stream(), |term| term.starts_with(prefix), n)
            }
            Match::Alike(alike) => gather(map.search(*alike).into_stream(), |_| true, n),
        }
    }
}

fn gather<A: tantivy_fst::Automaton>(
    mut stream: tantivy_fst::map::Stream<'_, A>,
    fits: impl Fn(&str) -> bool,
    n: usize,
) -> Vec<String> {
    let mut terms = Vec::new();
    while terms.len() < n {
        let Some((key, _)) = stream.next() else { break };
        match std::str::from_utf8(key) {
            Ok(term) if fits(term) => terms.push(term.to_owned()),
            _ => break,
        }
    }
    terms
}

/// Whether a transducer has as many terms as it says, none of them too long.
fn is_whole(map: &Map<OwnedBytes>) -> bool {
    let (mut terms, mut n) = (map.stream(), 0);
    while let Some((term, _)) = terms.next() {
        n += 1;
        if n > map.len().min(MAX_TERMS) || term.len() > MAX_TERM_BYTES {
            return false;
        }
    }
    n == map.len()
}

fn open_map(bytes: OwnedBytes) -> Option<Map<OwnedBytes>> {
    tantivy_fst::raw::Fst::new(bytes).ok().map(Map::from)
}

/// Terms in the order of their bytes, with the number of live chunks that have them, over all segments.
fn count_field(generation: &Generation, field: TextField) -> Result<Vec<u8>> {
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    for (position, segment) in generation.segments.iter().enumerate() {
        let live = generation.live(position);
        segment.each_term(field, &Match::BeginsWith(""), &mut |term, postings| {
            let mut n_live = 0;
            postings.each(&mut |doc, _, _| {
                n_live += u64::from(matches!(live, Live::All) || live.has(doc));
                true
            })?;
            if n_live > 0 {
                *counts.entry(term.to_owned()).or_default() += n_live;
            }
            Ok(true)
        })?;
    }
    let bug = |e: tantivy_fst::Error| Error::bug(e.to_string());
    let mut builder = MapBuilder::memory();
    for (term, n) in counts {
        builder.insert(term, n).map_err(bug)?;
    }
    builder.into_inner().map_err(bug)
}

//! Symbols by name: exact, then case aside, then names that begin so, then parts of names, at last one typing error.
//!
//! Answered from the dictionary of names: each name stands in it whole and from each of its parts on, so a part in the
//! middle is a prefix, too. A stage is looked at only where those before leave room.

use std::collections::BTreeMap;

use super::{Asked, FoundSymbol, NameMatch, SymbolAnswer, SymbolRequest};
use crate::error::Result;
use crate::model::{Kind, SkipCounts};
use crate::search::allowed_files;
use crate::store::{Alike, Generation, Match, Segment, TextField};
use crate::symbol::{Symbol, SymbolKind};
use crate::tokenize::Tokenizer;

/// Terms that are looked at for one name in one segment: `get` begins thousands.
const MAX_TERMS: usize = 4000;
/// Chunks that are looked at for one name.
const MAX_CHUNKS: usize = 20_000;
/// Tokens that a collection is asked for at once.
const MAX_TOKENS: usize = 500;
/// Names shorter than this are not guessed at.
const MIN_GUESSED_CHARS: usize = 4;

/// Answers `request`.
pub(crate) fn symbols(generation: &Generation, request: &SymbolRequest) -> Result<SymbolAnswer> {
    let whole = Asked::whole(&request.name)?;
    let allowed = allowed_files(generation, &request.filter)?;
    let mut found = BTreeMap::new();
    let look = Look { generation, asked: &whole, allowed: &allowed, request };
    match whole.split() {
        None => look.stages(&mut found)?,
        Some(asked) => {
            // `profile.release` may be a name of its own, but `Session.send` is not `session_send`.
            look.gather(&Match::Whole(&folded(whole.name)), &mut found)?;
            found.retain(|(matched, ..), _| *matched == NameMatch::Exact);
            if found.is_empty() {
                Look { asked: &asked, ..look }.stages(&mut found)?;
            }
        }
    }
    let n_matches = found.len() as u64;
    let symbols = found.into_values().take(request.limit).collect();
    let generation = generation.manifest.generation;
    let (degraded, skipped) = (Vec::new(), SkipCounts::default());
    Ok(SymbolAnswer {
        name: request.name.clone(),
        generation,
        symbols,
        n_matches,
        degraded,
        skipped,
    })
}

/// The tokens of names that may answer for a published index: those of the whole name and those that begin with it, for the
/// name as it is written and without its parents.
pub(crate) fn tokens(generation: &Generation, name: &str) -> Result<Vec<String>> {
    gathered(generation, name, |terms, folded| {
        [terms(&Match::Whole(folded)), terms(&Match::BeginsWith(folded))].concat()
    })
}

/// The tokens within a typing error of the same, for a name that nothing was found for.
pub(crate) fn guesses(generation: &Generation, name: &str) -> Result<Vec<String>> {
    gathered(generation, name, |terms, folded| terms(&Match::Alike(&Alike::new(folded))))
}

type Terms<'a> = &'a dyn Fn(&Match<'_>) -> Vec<String>;

fn gathered(
    generation: &Generation,
    name: &str,
    choose: impl Fn(Terms<'_>, &str) -> Vec<String>,
) -> Result<Vec<String>> {
    let whole = Asked::whole(name)?;
    let split = whole.split();
    let names = [Some(whole.name), split.as_ref().map(|asked| asked.name)];
    let Some(published) = &generation.published else { return Ok(Vec::new()) };
    let terms =
        |wanted: &Match<'_>| published.statistics.terms(TextField::Suffixes, wanted, MAX_TOKENS);
    let mut tokens = Vec::new();
    for folded in names.into_iter().flatten().map(folded) {
        tokens.extend(choose(&terms, &folded));
    }
    tokens.dedup();
    Ok(tokens)
}

/// A name as the dictionary has it.
fn folded(name: &str) -> String {
    let mut whole = None;
    Tokenizer::default().suffixes(name, |suffix| {
        whole.get_or_insert_with(|| suffix.to_owned());
    });
    whole.unwrap_or_default()
}

/// The order of an answer: how well the name matches, source before tests and the like, shorter names first, then path and
/// line.
type Order = (NameMatch, bool, usize, String, u32, String, SymbolKind, (u32, u32));

struct Look<'a> {
    generation: &'a Generation,
    asked: &'a Asked<'a>,
    allowed: &'a [bool],
    request: &'a SymbolRequest,
}

impl Look<'_> {
    /// Each stage only where those before leave room.
    fn stages(&self, found: &mut BTreeMap<Order, FoundSymbol>) -> Result<()> {
        let folded = folded(self.asked.name);
        self.gather(&Match::Whole(&folded), found)?;
        if found.len() < self.request.limit {
            self.gather(&Match::BeginsWith(&folded), found)?;
        }
        let is_word =
            folded.chars().count() >= MIN_GUESSED_CHARS && !self.asked.name.contains(['/', ' ']);
        if found.is_empty() && is_word {
            self.gather(&Match::Alike(&Alike::new(&folded)), found)?;
        }
        Ok(())
    }

    /// Adds every symbol whose name relates to the one asked for as `wanted` says.
    fn gather(&self, wanted: &Match<'_>, found: &mut BTreeMap<Order, FoundSymbol>) -> Result<()> {
        for (position, segment) in self.generation.segments.iter().enumerate() {
            let live = self.generation.live(position);
            for doc in chunks(segment, wanted)? {
                if live.has(doc) {
                    self.add(position, doc, wanted, found)?;
                }
            }
        }
        Ok(())
    }

    fn add(
        &self,
        position: usize,
        doc: u32,
        wanted: &Match<'_>,
        found: &mut BTreeMap<Order, FoundSymbol>,
    ) -> Result<()> {
        let segment = &self.generation.segments[position];
        let Some(file_idx) = self.generation.file_idx(segment.file_id(doc)) else {
            return Ok(());
        };
        let Some((entry, indexed)) = self.generation.source_file(file_idx) else {
            return Ok(());
        };
        let Some(file) = segment.symbols.file(indexed.file_id)?.filter(|_| self.allowed[file_idx])
        else {
            return Ok(());
        };
        let (start, end) = segment.lines(doc);
        for row in segment.symbols.named_in(&file, start..=end)? {
            if !self.request.filter.has_symbol_kind(row.kind) {
                continue;
            }
            let symbol = segment.symbols.symbol(row)?;
            let Some(matched) = relation(self.asked.name, &symbol, wanted) else {
                continue;
            };
            if !self.asked.is_below(symbol.parent.as_deref(), symbol.module.as_deref()) {
                continue;
            }
            let path = entry.path.text.clone();
            let (name, lines) = (symbol.name.clone(), (row.start_line, row.end_line));
            let beside = indexed.kind != Kind::Source;
            let order =
                (matched, beside, name.len(), path.clone(), row.name_line, name, row.kind, lines);
            let (kind, language) = (indexed.kind, self.generation.language(indexed).to_owned());
            found.entry(order).or_insert(FoundSymbol { path, kind, language, symbol, matched });
        }
        Ok(())
    }
}

/// How a symbol's name, or its route, relates to what was asked, where it does.
fn relation(asked: &str, symbol: &Symbol, wanted: &Match<'_>) -> Option<NameMatch> {
    let route = symbol.route.as_ref().map(ToString::to_string);
    let by_name = name_relation(asked, &symbol.name, wanted);
    by_name.into_iter().chain(route.and_then(|route| name_relation(asked, &route, wanted))).min()
}

fn name_relation(asked: &str, name: &str, wanted: &Match<'_>) -> Option<NameMatch> {
    if name == asked {
        return Some(NameMatch::Exact);
    }
    let mut suffixes = Vec::new();
    Tokenizer::default().suffixes(name, |suffix| suffixes.push(suffix.to_owned()));
    let whole = suffixes.first()?;
    match wanted {
        Match::Whole(folded) => (whole == folded).then_some(NameMatch::Folded),
        Match::BeginsWith(folded) if whole == folded => Some(NameMatch::Folded),
        Match::BeginsWith(folded) if whole.starts_with(folded) => Some(NameMatch::Prefix),
        Match::BeginsWith(folded) => {
            suffixes.iter().any(|suffix| suffix.starts_with(folded)).then_some(NameMatch::Part)
        }
        Match::Alike(alike) => alike.has(whole).then_some(NameMatch::Typo),
    }
}

/// The chunks of a segment that define a name with such a term, in order.
fn chunks(segment: &Segment, wanted: &Match<'_>) -> Result<Vec<u32>> {
    let mut docs = Vec::new();
    let mut n_terms = 0;
    segment.each_term(TextField::Suffixes, wanted, &mut |_, postings| {
        n_terms += 1;
        postings.each(&mut |doc, _, _| {
            docs.push(doc);
            docs.len() < MAX_CHUNKS
        })?;
        Ok(n_terms < MAX_TERMS)
    })?;
    docs.sort_unstable();
    docs.dedup();
    Ok(docs)
}

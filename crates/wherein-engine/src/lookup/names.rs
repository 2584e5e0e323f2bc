//! Symbols by name: exact, then case aside, then names that begin so, then parts of names, at last one typing error.
//!
//! Answered from the dictionary of names: each name stands in it whole and from each of its parts on, so a part in the
//! middle is a prefix, too. A stage is looked at only where those before leave room.

use std::collections::BTreeMap;

use levenshtein_automata::{DFA, LevenshteinAutomatonBuilder, SINK_STATE};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED};
use tantivy_fst::Automaton;

use super::{Asked, FoundSymbol, NameMatch, SymbolAnswer, SymbolRequest};
use crate::error::Result;
use crate::model::{Kind, SkipCounts};
use crate::search::allowed_files;
use crate::store::{Generation, TextField, index_trouble, io_trouble};
use crate::symbol::{Symbol, SymbolKind};
use crate::tokenize::Tokenizer;

/// Terms that are looked at for one name in one segment: `get` begins thousands.
const MAX_TERMS: usize = 4000;
/// Chunks that are looked at for one name.
const MAX_CHUNKS: usize = 20_000;
/// Names shorter than this are not guessed at.
const MIN_GUESSED_CHARS: usize = 4;

/// How a term of the dictionary has to relate to what was asked.
enum Wanted<'a> {
    Whole(&'a str),
    BeginsWith(&'a str),
    Alike(&'a Alike),
}

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
            look.gather(&Wanted::Whole(&folded(whole.name)), &mut found)?;
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
        self.gather(&Wanted::Whole(&folded), found)?;
        if found.len() < self.request.limit {
            self.gather(&Wanted::BeginsWith(&folded), found)?;
        }
        let is_word =
            folded.chars().count() >= MIN_GUESSED_CHARS && !self.asked.name.contains(['/', ' ']);
        if found.is_empty() && is_word {
            self.gather(&Wanted::Alike(&Alike::new(&folded)), found)?;
        }
        Ok(())
    }

    /// Adds every symbol whose name relates to the one asked for as `wanted` says.
    fn gather(&self, wanted: &Wanted<'_>, found: &mut BTreeMap<Order, FoundSymbol>) -> Result<()> {
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
        wanted: &Wanted<'_>,
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
fn relation(asked: &str, symbol: &Symbol, wanted: &Wanted<'_>) -> Option<NameMatch> {
    let route = symbol.route.as_ref().map(ToString::to_string);
    let by_name = name_relation(asked, &symbol.name, wanted);
    by_name.into_iter().chain(route.and_then(|route| name_relation(asked, &route, wanted))).min()
}

fn name_relation(asked: &str, name: &str, wanted: &Wanted<'_>) -> Option<NameMatch> {
    if name == asked {
        return Some(NameMatch::Exact);
    }
    let mut suffixes = Vec::new();
    Tokenizer::default().suffixes(name, |suffix| suffixes.push(suffix.to_owned()));
    let whole = suffixes.first()?;
    match wanted {
        Wanted::Whole(folded) => (whole == folded).then_some(NameMatch::Folded),
        Wanted::BeginsWith(folded) if whole == folded => Some(NameMatch::Folded),
        Wanted::BeginsWith(folded) if whole.starts_with(folded) => Some(NameMatch::Prefix),
        Wanted::BeginsWith(folded) => {
            suffixes.iter().any(|suffix| suffix.starts_with(folded)).then_some(NameMatch::Part)
        }
        Wanted::Alike(alike) => alike.has(whole).then_some(NameMatch::Typo),
    }
}

/// The chunks of a segment that define a name with such a term, in order.
fn chunks(segment: &crate::store::Segment, wanted: &Wanted<'_>) -> Result<Vec<u32>> {
    let index = segment.postings(TextField::Suffixes)?;
    let mut docs = Vec::new();
    let mut read = |term: &tantivy::postings::TermInfo| -> Result<()> {
        let postings = index.read_postings_from_terminfo(term, IndexRecordOption::Basic);
        let mut postings = postings.map_err(|e| io_trouble(&e))?;
        while postings.doc() != TERMINATED && docs.len() < MAX_CHUNKS {
            docs.push(postings.doc());
            postings.advance();
        }
        Ok(())
    };
    match wanted {
        Wanted::Whole(text) => {
            let term = segment.term(TextField::Suffixes, text);
            if let Some(info) = index.get_term_info(&term).map_err(|e| index_trouble(&e.into()))? {
                read(&info)?;
            }
        }
        Wanted::BeginsWith(text) => {
            let range = index.terms().range().ge(text.as_bytes());
            let mut stream = range.into_stream().map_err(|e| io_trouble(&e))?;
            let mut n_terms = 0;
            while stream.advance()
                && n_terms < MAX_TERMS
                && stream.key().starts_with(text.as_bytes())
            {
                read(stream.value())?;
                n_terms += 1;
            }
        }
        Wanted::Alike(alike) => {
            let mut stream =
                index.terms().search(*alike).into_stream().map_err(|e| io_trouble(&e))?;
            while stream.advance() {
                read(stream.value())?;
            }
        }
    }
    docs.sort_unstable();
    docs.dedup();
    Ok(docs)
}

/// Everything within one insertion, deletion, replacement or swap of neighbours.
pub(crate) struct Alike(DFA);

impl Alike {
    fn new(text: &str) -> Alike {
        Alike(LevenshteinAutomatonBuilder::new(1, true).build_dfa(text))
    }

    fn has(&self, text: &str) -> bool {
        matches!(self.0.eval(text), levenshtein_automata::Distance::Exact(_))
    }
}

impl Automaton for Alike {
    type State = u32;

    fn start(&self) -> u32 {
        self.0.initial_state()
    }

    fn is_match(&self, state: &u32) -> bool {
        matches!(self.0.distance(*state), levenshtein_automata::Distance::Exact(_))
    }

    fn can_match(&self, state: &u32) -> bool {
        *state != SINK_STATE
    }

    fn accept(&self, state: &u32, byte: u8) -> u32 {
        self.0.transition(*state, byte)
    }
}

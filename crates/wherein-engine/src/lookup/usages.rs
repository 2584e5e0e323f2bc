//! Where a name is used: calls before mentions, definitions left out; on request the comments and strings, too.
//!
//! Code is answered from the places that the index keeps of every identifier. Comments and strings are what is left of
//! a search for the word in the text.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::{Asked, FoundUsage, UsageAnswer, UsageKind, UsageRequest};
use crate::error::Result;
use crate::model::SkipCounts;
use crate::search::{Corpus, allowed_files, read_text, word_lines};
use crate::store::{Generation, Match, SymbolRow, SymbolTable, TextField, Usage};
use crate::symbol::UsageClass;

/// One line of one file.
type Place = (usize, u32);

/// Answers `request`.
pub(crate) fn usages(corpus: Corpus<'_>, request: &UsageRequest) -> Result<UsageAnswer> {
    let generation = corpus.generation;
    let name = last_name(&request.name)?;
    let allowed = allowed_files(generation, &request.filter)?;
    let code = in_code(generation, name, &allowed)?;
    let mut places: Vec<(UsageKind, Place)> =
        code.iter().filter_map(|(place, class)| Some((kind(*class)?, *place))).collect();
    if request.comments {
        let text = word_lines(corpus, name, &allowed)?.into_iter();
        let prose = text.filter(|place| !code.contains_key(place));
        places.extend(prose.map(|place| (UsageKind::Text, place)));
    }
    places.sort_unstable();
    let n_matches = places.len() as u64;
    places.truncate(request.limit.unwrap_or(usize::MAX));
    let usages = present(corpus, &places)?;
    let n_definitions =
        code.values().filter(|class| **class == UsageClass::Definition).count() as u64;
    Ok(UsageAnswer {
        name: request.name.clone(),
        generation: generation.manifest.generation,
        usages,
        n_matches,
        n_definitions,
        degraded: Vec::new(),
        skipped: SkipCounts::default(),
    })
}

/// The name that is looked for where parents stand in front of it.
pub(crate) fn last_name(text: &str) -> Result<&str> {
    let whole = Asked::whole(text)?;
    Ok(whole.split().map_or(whole.name, |asked| asked.name).trim_end_matches(['!', '?']))
}

fn kind(class: UsageClass) -> Option<UsageKind> {
    match class {
        UsageClass::Definition => None,
        UsageClass::Call => Some(UsageKind::Call),
        UsageClass::Mention => Some(UsageKind::Mention),
    }
}

/// Every line of code that has the name, and as what.
fn in_code(
    generation: &Generation,
    name: &str,
    allowed: &[bool],
) -> Result<BTreeMap<Place, UsageClass>> {
    let mut lines = BTreeMap::new();
    for (position, segment) in generation.segments.iter().enumerate() {
        let live = generation.live(position);
        let mut enter = |doc: u32, positions: &[u32]| {
            let file_idx = generation.file_idx(segment.file_id(doc));
            if let Some(file_idx) = file_idx.filter(|idx| live.has(doc) && allowed[*idx]) {
                let (start, _) = segment.lines(doc);
                for usage in positions.iter().map(|position| Usage::at(*position)) {
                    let class = lines.entry((file_idx, start + usage.row)).or_insert(usage.class);
                    *class = usage.class.min(*class);
                }
            }
        };
        segment.each_term(TextField::Usages, &Match::Whole(name), &mut |_, postings| {
            postings.each(&mut |doc, _, positions| {
                enter(doc, positions);
                true
            })?;
            Ok(true)
        })?;
    }
    Ok(lines)
}

/// What is read once of a file whose lines are shown.
struct Shown<'g> {
    lines: Vec<String>,
    /// Its symbols that code can stand in, in line order, and the table that holds the rest of them.
    around: Option<(&'g SymbolTable, Vec<SymbolRow>)>,
}

impl<'g> Shown<'g> {
    /// A file that cannot be read any more has no lines.
    fn read(corpus: Corpus<'g>, file_idx: usize) -> Result<Shown<'g>> {
        let text = read_text(corpus, file_idx).unwrap_or_default();
        let lines = text.split('\n').map(|line| line.trim_end_matches('\r').to_owned()).collect();
        let mut around = None;
        if let Some((table, file)) = corpus.generation.symbols_of(file_idx)? {
            let mut rows = table.rows(file.symbols)?;
            rows.retain(|row| row.kind.is_callable() || row.kind.is_type());
            around = Some((table, rows));
        }
        Ok(Shown { lines, around })
    }

    /// The innermost callable or type around a line, by its qualified name.
    fn inside(&self, line: u32) -> Result<Option<String>> {
        let Some((table, rows)) = &self.around else {
            return Ok(None);
        };
        let around = rows.iter().rfind(|row| (row.start_line..=row.end_line).contains(&line));
        around.map(|row| Ok(table.symbol(*row)?.qualified())).transpose()
    }
}

/// Gives the places their shape for the user.
fn present(corpus: Corpus<'_>, places: &[(UsageKind, Place)]) -> Result<Vec<FoundUsage>> {
    let mut files: HashMap<usize, Shown<'_>> = HashMap::new();
    let mut found = Vec::with_capacity(places.len());
    for (kind, (file_idx, line)) in places {
        let Some((entry, indexed)) = corpus.generation.source_file(*file_idx) else {
            continue;
        };
        let shown = match files.entry(*file_idx) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(Shown::read(corpus, *file_idx)?),
        };
        found.push(FoundUsage {
            path: entry.path.text.clone(),
            file_kind: indexed.kind,
            language: corpus.generation.language(indexed).to_owned(),
            line: *line,
            usage: *kind,
            inside: shown.inside(*line)?,
            text: shown.lines.get(*line as usize - 1).cloned().unwrap_or_default(),
        });
    }
    Ok(found)
}

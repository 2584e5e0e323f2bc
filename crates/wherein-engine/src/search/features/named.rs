//! What names say: those of the file, its folders, and the symbols of a chunk.
//!
//! The symbol that has most of the question speaks for a chunk. Must not read files.

use std::collections::HashSet;

use super::Features;
use super::compute::{Facts, flag};
use super::masses::Masses;
use super::place::stem;
use crate::embed::Asked;
use crate::error::Result;
use crate::model::Candidate;
use crate::search::question::QuestionType;
use crate::search::symbols;
use crate::store::Generation;
use crate::symbol::{Symbol, SymbolKind};
use crate::tokenize::{Field, Tokenizer};

/// Symbols of one chunk that are looked at.
const MAX_SYMBOLS: usize = 40;
/// Letters of the shortest name that may shorten a word.
const SHORTEST: usize = 3;
/// What the definition of a constant or a field counts beside that of a type or a function.
const LESSER: f32 = 0.7;

/// Reads names for one question.
pub(super) struct Namer<'a> {
    generation: &'a Generation,
    masses: &'a Masses,
    words: Vec<&'a str>,
    asked: Asked<'a>,
    /// Names that were asked for, folded and without separators.
    wanted: HashSet<String>,
    tokenizer: Tokenizer,
}

/// What a name has of the question.
#[derive(Debug, Clone, Copy, Default)]
struct Has {
    coverage: f32,
    /// The share of its own words that were asked for.
    precision: f32,
    close: f32,
    /// The likest of its words.
    most: f32,
}

/// The symbol that speaks for a chunk.
struct Speaker {
    worth: f32,
    symbol: Symbol,
    has: Has,
}

impl<'a> Namer<'a> {
    pub(super) fn new(facts: &Facts<'a>, masses: &'a Masses) -> Namer<'a> {
        let query = facts.query;
        let words: Vec<&str> = query.words().collect();
        let question = &query.question;
        let mut wanted: HashSet<String> =
            question.symbols.iter().map(|symbol| folded(&symbol.name)).collect();
        if question.kind == QuestionType::Symbol {
            wanted.extend(words.iter().map(|word| (*word).to_owned()));
        }
        wanted.remove("");
        let asked = Asked::new(facts.table, words.iter().copied());
        let generation = facts.generation;
        Namer { generation, masses, words, asked, wanted, tokenizer: Tokenizer::default() }
    }

    /// Fills what names say.
    pub(super) fn fill(
        &mut self,
        candidate: &Candidate,
        path: &str,
        row: &mut Features,
    ) -> Result<()> {
        let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = stem(name);
        self.fill_path(dirs, stem, row);
        self.fill_symbols(candidate, &folded(stem), row)
    }

    fn fill_path(&mut self, dirs: &str, stem: &str, row: &mut Features) {
        let of_stem = self.read(stem);
        row.stem_coverage = of_stem.coverage;
        row.stem_precision = of_stem.precision;
        row.stem_close = of_stem.close;
        row.stem_short = self.shortened(&stem.to_lowercase());
        row.stem_asked = flag(self.wanted.contains(&folded(stem)));
        let of_dirs = self.read(dirs);
        row.dirs_coverage = of_dirs.coverage;
        row.dirs_close = of_dirs.close;
    }

    fn fill_symbols(
        &mut self,
        candidate: &Candidate,
        stem: &str,
        row: &mut Features,
    ) -> Result<()> {
        let lines = (candidate.start_line, candidate.end_line);
        let found = symbols::of_chunk(self.generation, candidate.file_idx as usize, lines)?;
        let mut speaker: Option<Speaker> = None;
        if let Some((table, rows)) = found {
            for symbol_row in rows.into_iter().take(MAX_SYMBOLS) {
                let symbol = table.symbol(symbol_row)?;
                let is_here = (lines.0..=lines.1).contains(&symbol.name_line);
                let own = folded(&symbol.name);
                if is_here && self.wanted.contains(&own) {
                    row.defines = row.defines.max(importance(symbol.kind));
                }
                row.primary = row.primary.max(flag(is_here && own == stem));
                let has = self.read(&symbol.name);
                let worth = has.coverage * (0.5 + 0.5 * has.precision) + 0.01 * flag(is_here);
                if speaker.as_ref().is_none_or(|best| worth > best.worth) {
                    speaker = Some(Speaker { worth, symbol, has });
                }
            }
        }
        match speaker {
            Some(speaker) => self.fill_speaker(candidate, &speaker, row),
            None => row.is_nameless = 1.0,
        }
        Ok(())
    }

    fn fill_speaker(&mut self, candidate: &Candidate, speaker: &Speaker, row: &mut Features) {
        let Speaker { symbol, has, .. } = speaker;
        row.name_precision = has.precision;
        row.name_coverage = has.coverage;
        row.name_whole = flag(has.precision == 1.0) * has.coverage;
        row.name_close = has.close;
        row.name_like = has.most;
        let around = self.read(symbol.parent.as_deref().unwrap_or_default());
        row.parent_coverage = around.coverage;
        row.parent_close = around.close;
        row.close_docs = symbol.doc.as_deref().map_or(0.0, |doc| self.read(doc).close);
        let (is_type, is_callable) = (symbol.kind.is_type(), symbol.kind.is_callable());
        row.is_type = flag(is_type);
        row.is_callable = flag(is_callable);
        row.is_value = flag(!is_type && !is_callable);
        row.has_docs = flag(symbol.doc.is_some());
        row.continued = flag(symbol.name_line < candidate.start_line);
    }

    fn read(&mut self, text: &str) -> Has {
        let Namer { words, asked, tokenizer, masses, .. } = self;
        let (mut n, mut n_asked) = (0_u16, 0_u16);
        tokenizer.terms(text, |term| {
            if term.field == Field::Words {
                n += 1;
                n_asked += u16::from(words.contains(&term.text));
            }
        });
        let seen = asked.look_at(tokenizer, text);
        let most = seen.likeness.iter().copied().max().unwrap_or(0);
        Has {
            coverage: masses.share(seen.words),
            precision: f32::from(n_asked) / f32::from(n.max(1)),
            close: masses.close(&seen.likeness),
            most: f32::from(most) / f32::from(u8::MAX),
        }
    }

    /// What the question's words count that a file's name shortens (`auth` of authentication), or the other way round.
    fn shortened(&self, stem: &str) -> f32 {
        let parts = || stem.split(|c: char| !c.is_alphanumeric()).filter(|p| p.len() >= SHORTEST);
        let is_short = |word: &str| {
            parts().any(|part| {
                part != word
                    && (word.starts_with(part) || (word.len() > SHORTEST && part.starts_with(word)))
            })
        };
        let words = self.words.iter().enumerate().filter(|(_, word)| is_short(word));
        words.map(|(word, _)| self.masses.share_of(word)).sum()
    }
}

/// Letters and digits in lower case: `getWebAuthn`, `get_web_authn` and `GET_WEB_AUTHN` are one name.
pub(super) fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn importance(kind: SymbolKind) -> f32 {
    let is_main = kind.is_type() || kind.is_callable() || kind == SymbolKind::Module;
    if is_main { 1.0 } else { LESSER }
}

//! What names say: those of the file, its folders, and the symbols of a chunk.
//!
//! The symbol that has most of the question speaks for a chunk. Must not read files.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use super::Features;
use super::compute::{Facts, flag};
use super::masses::Masses;
use super::place::{Place, stem};
use crate::embed::Asked;
use crate::error::Result;
use crate::model::Candidate;
use crate::search::memory::{AroundName, ChunkMemory, FileMemory, OfFile, SymbolNames};
use crate::search::question::QuestionType;
use crate::search::{Corpus, symbols};
use crate::symbol::SymbolKind;

/// Symbols of one chunk that are looked at.
const MAX_SYMBOLS: usize = 40;
/// Letters of the shortest name that may shorten a word.
const SHORTEST: usize = 3;
/// What the definition of a constant or a field counts beside that of a type or a function.
const LESSER: f32 = 0.7;

/// Reads names for one question.
pub(super) struct Namer<'a, 'e> {
    corpus: Corpus<'a>,
    masses: &'a Masses,
    words: Vec<&'a str>,
    asked: &'a mut Asked<'e>,
    /// Names that were asked for, folded and without separators.
    wanted: HashSet<String>,
    /// The file that was looked at last, with what its path has: chunks of one file come together.
    last: Option<(u32, Arc<FileMemory>, OfPath)>,
}

/// What a path has of the question.
#[derive(Debug, Clone, Copy)]
struct OfPath {
    stem: Has,
    stem_short: f32,
    stem_asked: f32,
    dirs: Has,
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
struct Speaker<'m> {
    worth: f32,
    names: &'m SymbolNames,
    has: Has,
}

impl<'a, 'e> Namer<'a, 'e> {
    pub(super) fn new(
        facts: &Facts<'a>,
        masses: &'a Masses,
        asked: &'a mut Asked<'e>,
    ) -> Namer<'a, 'e> {
        let query = facts.query;
        let words: Vec<&str> = query.words().collect();
        let question = &query.question;
        let mut wanted: HashSet<String> =
            question.symbols.iter().map(|symbol| folded(&symbol.name)).collect();
        if question.kind == QuestionType::Symbol {
            wanted.extend(words.iter().map(|word| (*word).to_owned()));
        }
        wanted.remove("");
        Namer { corpus: facts.corpus, masses, words, asked, wanted, last: None }
    }

    /// Fills what names say; what the path says by itself.
    pub(super) fn fill(
        &mut self,
        candidate: &Candidate,
        path: &str,
        row: &mut Features,
    ) -> Result<Place> {
        if self.last.as_ref().is_none_or(|(file_idx, ..)| *file_idx != candidate.file_idx) {
            let Corpus { generation, epoch, .. } = self.corpus;
            let file_idx = candidate.file_idx as usize;
            let Some(file) = epoch.files.file(generation, file_idx) else {
                return Ok(Place::of(path));
            };
            let about = about(self.corpus, &file, path);
            let of_path = OfPath {
                stem: self.read(&about.stem),
                stem_short: self.shortened(&about.lower),
                stem_asked: flag(self.wanted.contains(&*about.folded)),
                dirs: self.read(&about.dirs),
            };
            self.last = Some((candidate.file_idx, file, of_path));
        }
        let Some((_, file, of_path)) = self.last.clone() else {
            return Ok(Place::of(path));
        };
        row.stem_coverage = of_path.stem.coverage;
        row.stem_precision = of_path.stem.precision;
        row.stem_close = of_path.stem.close;
        row.stem_short = of_path.stem_short;
        row.stem_asked = of_path.stem_asked;
        row.dirs_coverage = of_path.dirs.coverage;
        row.dirs_close = of_path.dirs.close;
        let about = about(self.corpus, &file, path);
        self.fill_symbols(candidate, &file, &about.folded, row)?;
        Ok(about.place)
    }

    fn fill_symbols(
        &mut self,
        candidate: &Candidate,
        file: &FileMemory,
        stem: &str,
        row: &mut Features,
    ) -> Result<()> {
        let lines = (candidate.start_line, candidate.end_line);
        let chunk = self.corpus.epoch.files.chunk(file, lines);
        let mut speaker: Option<Speaker<'_>> = None;
        for names in names(self.corpus, file, &chunk, candidate)? {
            let is_here = (lines.0..=lines.1).contains(&names.row.name_line);
            if is_here && self.wanted.contains(&*names.folded) {
                row.defines = row.defines.max(importance(names.row.kind));
            }
            row.primary = row.primary.max(flag(is_here && *names.folded == *stem));
            let has = self.read(&names.words);
            let worth = has.coverage * (0.5 + 0.5 * has.precision) + 0.01 * flag(is_here);
            if speaker.as_ref().is_none_or(|best| worth > best.worth) {
                speaker = Some(Speaker { worth, names, has });
            }
        }
        match speaker {
            Some(speaker) => self.fill_speaker(candidate, file, &speaker, row)?,
            None => row.is_nameless = 1.0,
        }
        Ok(())
    }

    fn fill_speaker(
        &mut self,
        candidate: &Candidate,
        file: &FileMemory,
        speaker: &Speaker<'_>,
        row: &mut Features,
    ) -> Result<()> {
        let Speaker { names, has, .. } = speaker;
        let AroundName { parent, doc } = around(self.corpus, file, names, candidate)?;
        row.name_precision = has.precision;
        row.name_coverage = has.coverage;
        row.name_whole = flag(has.precision == 1.0) * has.coverage;
        row.name_close = has.close;
        row.name_like = has.most;
        let around = self.read(parent);
        row.parent_coverage = around.coverage;
        row.parent_close = around.close;
        row.close_docs = doc.as_ref().map_or(0.0, |doc| self.read(doc).close);
        let (is_type, is_callable) = (names.row.kind.is_type(), names.row.kind.is_callable());
        row.is_type = flag(is_type);
        row.is_callable = flag(is_callable);
        row.is_value = flag(!is_type && !is_callable);
        row.has_docs = flag(doc.is_some());
        row.continued = flag(names.row.name_line < candidate.start_line);
        Ok(())
    }

    fn read(&mut self, words: &[u32]) -> Has {
        let seen = self.asked.look_at(words);
        let n = u16::try_from(words.len()).unwrap_or(u16::MAX);
        let n_asked = match seen.words {
            0 => 0,
            _ => u16::try_from(self.asked.n_asked(words)).unwrap_or(u16::MAX),
        };
        let most = seen.likeness.iter().copied().max().unwrap_or(0);
        Has {
            coverage: self.masses.share(seen.words),
            precision: f32::from(n_asked) / f32::from(n.max(1)),
            close: self.masses.close(&seen.likeness),
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

/// What a path says, which is worked out once.
fn about<'m>(corpus: Corpus<'_>, file: &'m FileMemory, path: &str) -> &'m OfFile {
    corpus.epoch.files.once(Some(file), &file.about, OfFile::n_bytes, || {
        let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = stem(name);
        let [stem_words, dirs] = corpus.epoch.numbers([stem, dirs]);
        OfFile {
            stem: stem_words,
            dirs,
            lower: stem.to_lowercase().into(),
            folded: folded(stem).into(),
            place: Place::of(path),
        }
    })
}

/// What the names of a chunk's symbols say, which is worked out once.
fn names<'m>(
    corpus: Corpus<'_>,
    file: &FileMemory,
    chunk: &'m ChunkMemory,
    candidate: &Candidate,
) -> Result<&'m [SymbolNames]> {
    if let Some(names) = chunk.names.get() {
        return Ok(names);
    }
    let lines = (candidate.start_line, candidate.end_line);
    let found = symbols::of_chunk(corpus.generation, candidate.file_idx as usize, lines)?;
    let mut names = Vec::new();
    if let Some((table, rows)) = found {
        for row in rows.into_iter().take(MAX_SYMBOLS) {
            let symbol = table.symbol(row)?;
            let [words] = corpus.epoch.numbers([&symbol.name]);
            names.push(SymbolNames {
                row,
                folded: folded(&symbol.name).into(),
                words,
                around: OnceLock::new(),
            });
        }
    }
    let n_bytes = names.iter().map(SymbolNames::n_bytes).sum();
    let known = corpus.epoch.files.once::<Box<[SymbolNames]>>(
        Some(file),
        &chunk.names,
        |_| n_bytes,
        || names.into(),
    );
    Ok(known)
}

/// What is said around the name of a symbol, which is worked out once: only the one that speaks for a chunk is asked.
fn around<'m>(
    corpus: Corpus<'_>,
    file: &FileMemory,
    names: &'m SymbolNames,
    candidate: &Candidate,
) -> Result<&'m AroundName> {
    if let Some(around) = names.around.get() {
        return Ok(around);
    }
    let found = corpus.generation.symbols_of(candidate.file_idx as usize)?;
    let symbol = found.map(|(table, _)| table.symbol(names.row)).transpose()?;
    let parent = symbol.as_ref().and_then(|symbol| symbol.parent.as_deref()).unwrap_or_default();
    let doc = symbol.as_ref().and_then(|symbol| symbol.doc.as_deref());
    Ok(corpus.epoch.files.once(Some(file), &names.around, AroundName::n_bytes, || {
        let [parent, words] = corpus.epoch.numbers([parent, doc.unwrap_or_default()]);
        AroundName { parent, doc: doc.map(|_| words) }
    }))
}

/// Letters and digits in lower case: `getWebAuthn`, `get_web_authn` and `GET_WEB_AUTHN` are one name.
pub(super) fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn importance(kind: SymbolKind) -> f32 {
    let is_main = kind.is_type() || kind.is_callable() || kind == SymbolKind::Module;
    if is_main { 1.0 } else { LESSER }
}

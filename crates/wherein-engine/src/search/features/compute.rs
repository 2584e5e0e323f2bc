//! Pool, postings and lines → the features of each chunk.
//!
//! Values are relative to the best of the pool where questions differ in how much they have. Must not read files.

use std::cell::OnceCell;

use foldhash::{HashMap, HashMapExt};

use super::Features;
use super::masses::Masses;
use super::named::Namer;
use super::place::Places;
use crate::embed::{Asked, Seen};
use crate::error::Result;
use crate::model::{BestLines, Candidate, Kind};
use crate::search::Corpus;
use crate::search::best_lines::Lines;
use crate::search::evidence::Evidence;
use crate::search::lexical::WeightedTerm;
use crate::search::query::Query;

/// The place whose score is 0 once scores are stretched.
const STRETCHED_DEPTH: usize = 100;
/// What lies below it is told apart no further than this.
const LEAST_STRETCHED: f32 = -0.5;

/// All that is known of a pool.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Facts<'a> {
    pub(in crate::search) corpus: Corpus<'a>,
    pub(in crate::search) query: &'a Query,
    pub(in crate::search) terms: &'a [WeightedTerm],
    pub(in crate::search) pool: &'a [Candidate],
    pub(in crate::search) evidence: &'a Evidence,
    pub(in crate::search) lines: &'a [Option<Lines>],
    pub(in crate::search) settings: BestLines,
}

/// The features of each chunk of the pool, in its order. `asked` are the question's words.
pub(in crate::search) fn compute(
    facts: &Facts<'_>,
    asked: &mut Asked<'_>,
) -> Result<Vec<Features>> {
    let generation = facts.corpus.generation;
    let masses = Masses::of(facts.query.words().count(), facts.terms);
    let mut rows = vec![Features::default(); facts.pool.len()];
    by_words(facts, &masses, &mut rows);
    by_meaning(facts, &mut rows);
    by_lines(facts, &masses, &mut rows);
    by_file(facts, &masses, &mut rows);
    let mut namer = Namer::new(facts, &masses, asked);
    let places = OnceCell::new();
    for (candidate, row) in facts.pool.iter().zip(&mut rows) {
        let Some((entry, indexed)) = generation.source_file(candidate.file_idx as usize) else {
            continue;
        };
        let path = entry.path.text.as_str();
        by_kind(facts, indexed.kind, row);
        let place = namer.fill(candidate, path, row)?;
        place.fill(path, || places.get_or_init(|| Places::of(generation)), row);
        let question = &facts.query.question;
        row.asked_language = flag(question.languages.contains(&generation.language(indexed)));
        if question.wants.examples {
            row.example = 0.0;
        }
        row.file_chunks = (indexed.n_chunks.max(1) as f32).ln() / 5.0;
        row.first_lines = flag(candidate.start_line == 1);
    }
    Ok(rows)
}

pub(super) fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

fn by_words(facts: &Facts<'_>, masses: &Masses, rows: &mut [Features]) {
    let scores: Vec<f32> = facts.evidence.chunks.iter().map(|touch| touch.score).collect();
    let most = most_of(&scores);
    let compounds: Vec<f32> = facts.evidence.chunks.iter().map(|touch| touch.compounds).collect();
    let most_compounds = most_of(&compounds);
    let (stretched, places) = (stretch(&scores), places(&scores));
    let around = neighbours(facts.pool, &scores);
    for (at, row) in rows.iter_mut().enumerate() {
        let touch = facts.evidence.chunks[at];
        row.lex = touch.score / most;
        row.lex_stretched = stretched[at];
        row.lex_place = places[at];
        row.coverage = masses.share(touch.any);
        row.coverage_names = masses.share(touch.names);
        row.coverage_docs = masses.share(touch.docs);
        row.coverage_path = masses.share(touch.path);
        row.coverage_body = masses.share(touch.body);
        row.compounds = touch.compounds / most_compounds;
        row.has_name = flag(touch.compounds > 0.0);
        row.neighbours = around[at] / most;
    }
}

/// The better score of the chunks right before and after each.
fn neighbours(pool: &[Candidate], scores: &[f32]) -> Vec<f32> {
    let by_start: HashMap<(u32, u32), f32> =
        pool.iter().zip(scores).map(|(c, score)| ((c.file_idx, c.start_line), *score)).collect();
    let by_end: HashMap<(u32, u32), f32> =
        pool.iter().zip(scores).map(|(c, score)| ((c.file_idx, c.end_line), *score)).collect();
    let around = |c: &Candidate| {
        let before = by_end.get(&(c.file_idx, c.start_line.saturating_sub(1)));
        let after = by_start.get(&(c.file_idx, c.end_line + 1));
        before.copied().unwrap_or(0.0).max(after.copied().unwrap_or(0.0))
    };
    pool.iter().map(around).collect()
}

fn by_meaning(facts: &Facts<'_>, rows: &mut [Features]) {
    let of = |value: fn(&Lines) -> f32| -> Vec<f32> {
        facts.lines.iter().map(|lines| lines.as_ref().map_or(0.0, value)).collect()
    };
    let (wholes, bests) = (of(|lines| lines.mean), of(Lines::best));
    let seconds = of(Lines::second);
    let mix = facts.settings.mix;
    let mixed: Vec<f32> =
        wholes.iter().zip(&bests).map(|(whole, best)| (1.0 - mix) * whole + mix * best).collect();
    let (mixed_places, mixed_stretched) = (places(&mixed), stretch(&mixed));
    let (wholes_stretched, bests_stretched) = (stretch(&wholes), stretch(&bests));
    for (at, row) in rows.iter_mut().enumerate() {
        row.meaning = mixed_stretched[at];
        row.meaning_cosine = mixed[at];
        row.meaning_place = mixed_places[at];
        row.whole = wholes_stretched[at];
        row.whole_cosine = wholes[at];
        row.best_lines = bests_stretched[at];
        row.best_cosine = bests[at];
        row.second_cosine = seconds[at];
    }
}

fn by_lines(facts: &Facts<'_>, masses: &Masses, rows: &mut [Features]) {
    for (lines, row) in facts.lines.iter().zip(rows) {
        let (mut all, mut before) = (Seen::default(), Seen::default());
        for window in lines.iter().flat_map(|lines| &lines.windows) {
            let one = window.seen;
            let mut two = before;
            two.merge(&one);
            row.coverage_5 = row.coverage_5.max(masses.share(one.words));
            row.coverage_10 = row.coverage_10.max(masses.share(two.words));
            row.like_5 = row.like_5.max(masses.like(&one.likeness));
            row.like_10 = row.like_10.max(masses.like(&two.likeness));
            row.close_5 = row.close_5.max(masses.close(&one.likeness));
            row.close_10 = row.close_10.max(masses.close(&two.likeness));
            all.merge(&one);
            before = one;
        }
        row.like_all = masses.like(&all.likeness);
        row.close_all = masses.close(&all.likeness);
    }
}

/// What the proposed chunks of one file say of it.
#[derive(Debug, Default)]
struct OfFile {
    /// By meaning, stretched, best first.
    meanings: Vec<f32>,
    best_lex: f32,
    /// The most of both together.
    best: f32,
    seen: Seen,
}

fn by_file(facts: &Facts<'_>, masses: &Masses, rows: &mut [Features]) {
    let mut files: HashMap<u32, OfFile> = HashMap::new();
    for ((candidate, row), lines) in facts.pool.iter().zip(rows.iter()).zip(facts.lines) {
        let file = files
            .entry(candidate.file_idx)
            .or_insert_with(|| OfFile { best: f32::NEG_INFINITY, ..OfFile::default() });
        file.meanings.push(row.meaning);
        file.best_lex = file.best_lex.max(row.lex);
        file.best = file.best.max(together(row));
        let windows = lines.iter().flat_map(|lines| &lines.windows);
        windows.for_each(|window| file.seen.merge(&window.seen));
    }
    files.values_mut().for_each(|file| file.meanings.sort_by(|a, b| b.total_cmp(a)));
    let most = facts.evidence.most_of_files().max(f32::MIN_POSITIVE);
    for (candidate, row) in facts.pool.iter().zip(rows) {
        let touch = facts.evidence.file(candidate.file_idx);
        row.file_lex = touch.score / most;
        row.file_coverage = masses.share(touch.any);
        row.file_names = masses.share(touch.names);
        let Some(file) = files.get(&candidate.file_idx) else { continue };
        row.file_best_lex = file.best_lex;
        row.file_meaning = file.meanings.first().copied().unwrap_or(0.0);
        row.file_second = file.meanings.get(1).copied().unwrap_or(0.0);
        row.file_three = file.meanings.iter().take(3).sum::<f32>() / 3.0;
        row.file_close = masses.close(&file.seen.likeness);
        row.file_first = flag(together(row) >= file.best);
    }
}

/// Words and meaning together, in the proportion that fusion has them.
fn together(row: &Features) -> f32 {
    0.7 * row.lex_stretched + row.meaning
}

fn by_kind(facts: &Facts<'_>, kind: Kind, row: &mut Features) {
    let wants = facts.query.wants;
    let is_asked = match kind {
        Kind::Test => wants.tests,
        Kind::Docs => wants.docs,
        Kind::Config => wants.config,
        Kind::Source | Kind::Generated => false,
    };
    row.asked_kind = flag(is_asked);
    let unasked = flag(!is_asked);
    match kind {
        Kind::Source => {}
        Kind::Test => row.test = unasked,
        Kind::Docs => row.docs = unasked,
        Kind::Config => row.config = unasked,
        Kind::Generated => row.generated = unasked,
    }
}

fn most_of(values: &[f32]) -> f32 {
    values.iter().copied().fold(0.0, f32::max).max(f32::MIN_POSITIVE)
}

/// 1 for the most, 0 for the one at [`STRETCHED_DEPTH`].
fn stretch(values: &[f32]) -> Vec<f32> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let most = sorted.first().copied().unwrap_or(0.0);
    let least = sorted.get(STRETCHED_DEPTH - 1).or(sorted.last()).copied().unwrap_or(0.0);
    let range = (most - least).max(1e-6);
    values.iter().map(|value| ((value - least) / range).max(LEAST_STRETCHED)).collect()
}

/// 5 / (4 + place) of each value.
fn places(values: &[f32]) -> Vec<f32> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let mut places = vec![0.0; values.len()];
    for (at, place) in order.into_iter().zip(1_u16..) {
        places[at] = 5.0 / (4.0 + f32::from(place));
    }
    places
}

//! Retrieval by meaning: the cosine of the question and every row that may answer, exactly.
//!
//! Filters are applied while scanning, so a narrow filter never starves. Runs of rows are scanned in parallel and
//! their best are put together in one fixed order: the result does not depend on segments or threads.

use crate::crew::Crew;
use crate::embed::has_meaning;
use crate::error::Result;
use crate::model::Candidate;
use crate::store::{Generation, NOBODY, VectorQuestion};

/// Rows of one piece of work: large enough to be worth a thread, small enough to share out.
const RUN: usize = 4096;
/// How many are kept at least: what comes after may reorder them.
const DEPTH: usize = 1000;
/// Marks a candidate that has no place in a keyword segment.
pub(crate) const NO_DOC: u32 = u32::MAX;

/// A row's score before anything else is known of it.
#[derive(Debug, Clone, Copy)]
struct Scored {
    score: f32,
    file_idx: u32,
    segment: u32,
    row: u32,
}

/// The chunks whose vectors are closest to `vector`, best first; ties by path and line. None where it is zeros. `accepts`
/// is asked with a chunk's file, first and last line.
pub(super) fn retrieve(
    (generation, crew): (&Generation, &Crew<'_>),
    vector: &[f32],
    accepts: &(dyn Fn(usize, u32, u32) -> bool + Sync),
    limit: usize,
) -> Result<Vec<Candidate>> {
    if !has_meaning(vector) {
        return Ok(Vec::new());
    }
    let depth = DEPTH.max(limit);
    if let Some(published) = &generation.published {
        let fits = |c: &&Candidate| accepts(c.file_idx as usize, c.start_line, c.end_line);
        return Ok(published.by_meaning.iter().filter(fits).take(depth).copied().collect());
    }
    let question = VectorQuestion::new(vector);
    let runs: Vec<(usize, usize)> = generation
        .vectors
        .iter()
        .enumerate()
        .flat_map(|(segment, rows)| (0..rows.n_rows()).step_by(RUN).map(move |at| (segment, at)))
        .collect();
    let scanned = crew.map(&runs, 2, |(segment, first)| {
        scan(generation, &question, *segment, *first, accepts, depth)
    });
    let best: Result<Vec<Vec<Scored>>> = scanned.into_iter().collect();
    let mut best: Vec<Scored> = best?.into_iter().flatten().collect();
    keep_best(&mut best, depth);
    best.sort_unstable_by(order);
    best.into_iter().map(|scored| candidate(generation, scored)).collect()
}

fn scan(
    generation: &Generation,
    question: &VectorQuestion,
    segment: usize,
    first: usize,
    accepts: &(dyn Fn(usize, u32, u32) -> bool + Sync),
    depth: usize,
) -> Result<Vec<Scored>> {
    let rows = &generation.vectors[segment];
    let files = generation.vector_files(segment)?;
    let n = RUN.min(rows.n_rows() - first);
    let table = rows.rows(first, n)?;
    let wanted = |row: usize| {
        files[row] != NOBODY && {
            let of = table.get(row - first);
            accepts(files[row] as usize, of.start_line, of.end_line)
        }
    };
    let mut best = Vec::new();
    rows.scan(question, (first, n), wanted, |row, score| {
        best.push(Scored { score, file_idx: files[row], segment: segment as u32, row: row as u32 });
    })?;
    keep_best(&mut best, depth);
    Ok(best)
}

/// Best first. Rows of one file stand in line order within a segment.
fn order(a: &Scored, b: &Scored) -> std::cmp::Ordering {
    b.score
        .total_cmp(&a.score)
        .then(a.file_idx.cmp(&b.file_idx))
        .then(a.segment.cmp(&b.segment))
        .then(a.row.cmp(&b.row))
}

fn keep_best(scored: &mut Vec<Scored>, depth: usize) {
    if scored.len() > depth {
        scored.select_nth_unstable_by(depth - 1, order);
        scored.truncate(depth);
    }
}

fn candidate(generation: &Generation, scored: Scored) -> Result<Candidate> {
    let row = generation.vectors[scored.segment as usize].row(scored.row as usize)?;
    Ok(Candidate {
        file_idx: scored.file_idx,
        start_line: row.start_line,
        end_line: row.end_line,
        score: scored.score,
        segment_idx: NO_DOC,
        doc: NO_DOC,
    })
}

#[cfg(test)]
mod tests;

//! Spans that fit: which lines of a place are shown.
//!
//! A long chunk is shown by the run of its lines that has most of the question, and hits that touch in one file become
//! one. Few lines are what an agent pays for. Must not change the order of hits.

use super::best_lines::{Lines, Window};
use super::rank::Ranked;
use crate::model::Candidate;

/// Lines of the longest hit that one chunk gives.
const MAX_LINES: u32 = 40;
/// Lines of the longest hit that neighbours are put together to.
const MAX_MERGED: u32 = 35;

/// The lines to show of a chunk that was read in runs of `window_lines`: all of them, or the best that fit.
pub(super) fn narrow(
    candidate: &Candidate,
    lines: Option<&Lines>,
    window_lines: usize,
) -> (u32, u32) {
    let whole = (candidate.start_line, candidate.end_line);
    let step = u32::try_from(window_lines.max(1)).unwrap_or(u32::MAX);
    let n = (MAX_LINES / step).max(1) as usize;
    let Some(lines) = lines.filter(|lines| lines.windows.len() > n) else {
        return whole;
    };
    let worths: Vec<f32> = lines.windows.iter().map(worth).collect();
    let (mut best, mut most) = (0, f32::NEG_INFINITY);
    for (start, run) in worths.windows(n).enumerate() {
        let sum: f32 = run.iter().sum();
        // Later runs must be better: a place shows its beginning where it can.
        if sum > most + 1e-3 {
            (best, most) = (start, sum);
        }
    }
    let start = candidate.start_line + best as u32 * step;
    (start, (start + n as u32 * step - 1).min(candidate.end_line))
}

/// How much of a question a few lines have.
fn worth(window: &Window) -> f32 {
    let likeness = window.seen.likeness.iter().map(|like| f32::from(*like)).sum::<f32>();
    window.cosine.unwrap_or(0.0).max(0.0)
        + likeness / f32::from(u8::MAX) / 8.0
        + window.seen.words.count_ones() as f32 / 8.0
}

/// Puts hits together that touch in one file, at the place of the better one, where they stay short; keeps `limit`.
pub(super) fn merge(ranked: Vec<Ranked>, limit: usize) -> Vec<Ranked> {
    let mut merged = merge_first(ranked, limit);
    merged.truncate(limit);
    merged
}

/// The same for the first `limit` hits, with all that follow them.
pub(super) fn merge_first(ranked: Vec<Ranked>, limit: usize) -> Vec<Ranked> {
    let mut merged: Vec<Ranked> = Vec::with_capacity(ranked.len());
    for (position, one) in ranked.into_iter().enumerate() {
        let neighbour = merged.iter_mut().find(|known| position < limit && touch(known, &one));
        match neighbour {
            Some(known) => {
                known.hit.start_line = known.hit.start_line.min(one.hit.start_line);
                known.hit.end_line = known.hit.end_line.max(one.hit.end_line);
                known.hit.copies.extend(one.hit.copies);
            }
            None => merged.push(one),
        }
    }
    merged
}

fn touch(a: &Ranked, b: &Ranked) -> bool {
    let (first, last) = if a.hit.start_line <= b.hit.start_line { (a, b) } else { (b, a) };
    let n_lines = a.hit.end_line.max(b.hit.end_line) + 1 - first.hit.start_line;
    a.candidate.file_idx == b.candidate.file_idx
        && last.hit.start_line == first.hit.end_line + 1
        && n_lines <= MAX_MERGED
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(start_line: u32, end_line: u32) -> Candidate {
        Candidate { file_idx: 0, start_line, end_line, score: 0.0, segment_idx: 0, doc: 0 }
    }

    fn lines(cosines: &[f32]) -> Lines {
        let window = |cosine: &f32| Window { cosine: Some(*cosine), ..Window::default() };
        Lines { mean: 0.0, windows: cosines.iter().map(window).collect() }
    }

    #[test]
    fn what_is_short_is_shown_whole() {
        let read = lines(&[0.1; 8]);
        assert_eq!(narrow(&chunk(11, 50), Some(&read), 5), (11, 50));
        assert_eq!(narrow(&chunk(11, 99), None, 5), (11, 99), "a file that changed");
    }

    #[test]
    fn what_is_long_is_shown_by_its_best_lines() {
        let mut cosines = [0.1; 12];
        let read = lines(&cosines);
        assert_eq!(narrow(&chunk(11, 68), Some(&read), 5), (11, 50), "its beginning where it can");
        cosines[11] = 0.9;
        assert_eq!(narrow(&chunk(11, 68), Some(&lines(&cosines)), 5), (31, 68));
    }
}

//! The figures of one question: nDCG@10, reciprocal rank, span@k, file@k, lines@10.
//!
//! Binary gain. Each answer is counted at the first result that overlaps it, and two answers met by the
//! same result count once (Järvelin & Kekäläinen 2002 for nDCG; the suites' scoring script for the rest).
//! Results are not de-duplicated: three chunks of one wrong file take three ranks. Nothing here reads files.

use std::collections::BTreeSet;

use crate::suite::Place;

/// The cut-offs of span@k and file@k.
pub(crate) const CUTS: [usize; 3] = [1, 5, 10];
/// Past this rank the reciprocal rank is 0.
const MRR_CUT: usize = 50;
/// How many results nDCG and lines@10 look at.
const TOP: usize = 10;

/// How well one question was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Normalised discounted cumulative gain over the first ten results, 0 to 1.
    pub ndcg_at_10: f64,
    /// 1 / rank of the first result that overlaps an answer; 0 past rank 50.
    pub mrr: f64,
    /// That rank, 1-based, wherever it is; none where no result overlaps an answer.
    pub rank: Option<usize>,
    /// Share of answers that some of the first 1, 5 and 10 results overlap.
    pub span_at: [f64; 3],
    /// 1 where an answer's file is among the first 1, 5 and 10 different files, else 0.
    pub file_at: [f64; 3],
    /// Lines in the first ten results together; whole-file results count nothing.
    pub lines_at_10: f64,
}

/// Judges the results of one question, best first, against its answers.
pub fn figures(answers: &[Place], results: &[Place]) -> Figures {
    let ranks: Vec<Option<usize>> = answers
        .iter()
        .map(|answer| first_rank(results, |result| overlaps(result, answer)))
        .collect();
    let rank = ranks.iter().flatten().min().copied();
    Figures {
        ndcg_at_10: ndcg(&ranks),
        mrr: rank.filter(|rank| *rank <= MRR_CUT).map_or(0.0, |rank| 1.0 / rank as f64),
        rank,
        span_at: CUTS.map(|cut| span_at(&ranks, cut)),
        file_at: CUTS.map(|cut| file_at(answers, results, cut)),
        lines_at_10: results.iter().take(TOP).map(n_lines).sum(),
    }
}

/// The rank of the first result that holds an answer's first line, 1-based.
///
/// This is the published definition of the requests suite: the chunk with the line of the definition. It is
/// stricter than [`Figures::rank`], which takes any overlap.
pub fn rank_of_definition(answers: &[Place], results: &[Place]) -> Option<usize> {
    answers
        .iter()
        .filter_map(|answer| first_rank(results, |result| holds_first_line(result, answer)))
        .min()
}

fn first_rank(results: &[Place], wanted: impl Fn(&Place) -> bool) -> Option<usize> {
    results.iter().position(wanted).map(|position| position + 1)
}

pub(crate) fn overlaps(result: &Place, answer: &Place) -> bool {
    result.path == answer.path
        && match (result.lines, answer.lines) {
            (Some(result), Some(answer)) => {
                result.end >= answer.start && result.start <= answer.end
            }
            _ => true,
        }
}

fn holds_first_line(result: &Place, answer: &Place) -> bool {
    result.path == answer.path
        && match (result.lines, answer.lines) {
            (Some(result), Some(answer)) => (result.start..=result.end).contains(&answer.start),
            _ => true,
        }
}

fn ndcg(ranks: &[Option<usize>]) -> f64 {
    // A set: two answers inside one result gain once, as the ideal order would have them in two results.
    let in_ten: BTreeSet<usize> = ranks.iter().flatten().copied().filter(|r| *r <= TOP).collect();
    let ideal: f64 = (1..=ranks.len().min(TOP)).map(discount).sum();
    in_ten.into_iter().map(discount).sum::<f64>() / ideal
}

fn discount(rank: usize) -> f64 {
    1.0 / ((rank + 1) as f64).log2()
}

fn span_at(ranks: &[Option<usize>], cut: usize) -> f64 {
    let met = ranks.iter().flatten().filter(|rank| **rank <= cut).count();
    met as f64 / ranks.len() as f64
}

fn file_at(answers: &[Place], results: &[Place], cut: usize) -> f64 {
    let mut files: Vec<&str> = Vec::with_capacity(cut);
    for result in results {
        if files.len() == cut {
            break;
        }
        if !files.contains(&result.path.as_str()) {
            files.push(&result.path);
        }
    }
    f64::from(u8::from(answers.iter().any(|answer| files.contains(&answer.path.as_str()))))
}

fn n_lines(result: &Place) -> f64 {
    result.lines.map_or(0.0, |lines| f64::from(lines.end) - f64::from(lines.start) + 1.0)
}

#[cfg(test)]
mod tests;

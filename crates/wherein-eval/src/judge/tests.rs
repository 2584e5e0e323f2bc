//! Each figure against values worked out by hand, so that a reader can check them with a pencil.
//!
//! log2(2) = 1, log2(3) = 1.584962500721156, log2(4) = 2. These tests read no files.

use super::*;
use crate::suite::Lines;

fn place(text: &str) -> Place {
    match text.split_once(':') {
        None => Place::new(text, None),
        Some((path, lines)) => {
            let (start, end) = lines.split_once('-').unwrap();
            let lines = Lines { start: start.parse().unwrap(), end: end.parse().unwrap() };
            Place::new(path, Some(lines))
        }
    }
}

fn judge(answers: &[&str], results: &[&str]) -> Figures {
    let places = |texts: &[&str]| texts.iter().map(|text| place(text)).collect::<Vec<_>>();
    figures(&places(answers), &places(results))
}

fn close(got: f64, wanted: f64) {
    assert!((got - wanted).abs() < 1e-12, "{got} is not {wanted}");
}

#[test]
fn ndcg_of_a_single_answer_is_the_discount_of_its_rank() {
    close(judge(&["a:5-9"], &["a:1-5"]).ndcg_at_10, 1.0);
    close(judge(&["a:5-9"], &["b:1-5", "a:9-20"]).ndcg_at_10, 1.0 / 1.584_962_500_721_156);
    close(judge(&["a:5-9"], &["b:1-5", "a:1-4", "a:6-7"]).ndcg_at_10, 0.5);
    close(judge(&["a:5-9"], &["a:1-4", "a:10-12"]).ndcg_at_10, 0.0);
}

#[test]
fn ndcg_counts_two_answers_in_one_result_once() {
    // Gain 1 at rank 1; ideal 1 + 1/log2(3).
    let wanted = 1.0 / (1.0 + 1.0 / 1.584_962_500_721_156);
    close(judge(&["a:1-2", "a:8-9"], &["a:1-10"]).ndcg_at_10, wanted);
    close(judge(&["a:1-2", "a:8-9"], &["a:1-5", "a:6-10"]).ndcg_at_10, 1.0);
}

#[test]
fn ndcg_with_more_than_ten_answers_takes_ten_as_ideal() {
    let answers: Vec<String> = (0..12).map(|i| format!("f{i}")).collect();
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    close(judge(&answers, &answers).ndcg_at_10, 1.0);
}

#[test]
fn results_past_the_tenth_gain_nothing_but_keep_their_rank() {
    let mut results = vec!["x:1-1"; 10];
    results.push("a:1-1");
    let figures = judge(&["a"], &results);
    close(figures.ndcg_at_10, 0.0);
    close(figures.mrr, 1.0 / 11.0);
    assert_eq!(figures.rank, Some(11));
    assert_eq!(figures.span_at, [0.0; 3]);
    // Ten chunks of one file are one file, so the answer's is the second.
    assert_eq!(figures.file_at, [0.0, 1.0, 1.0]);
}

#[test]
fn the_reciprocal_rank_is_cut_at_fifty() {
    let mut results = vec!["x"; 49];
    results.push("a");
    close(judge(&["a"], &results).mrr, 0.02);
    results.insert(0, "x");
    let figures = judge(&["a"], &results);
    close(figures.mrr, 0.0);
    assert_eq!(figures.rank, Some(51));
}

#[test]
fn span_is_the_share_of_answers_met() {
    let results = ["a:1-3", "x:1-1", "x:2-2", "x:3-3", "b:1-9", "c:1-1"];
    let figures = judge(&["a:2-2", "b:9-12", "c:1-1", "d:1-1"], &results);
    assert_eq!(figures.span_at, [0.25, 0.5, 0.75]);
}

#[test]
fn a_missing_range_is_the_whole_file_on_either_side() {
    assert_eq!(judge(&["a"], &["a:400-410"]).rank, Some(1));
    assert_eq!(judge(&["a:400-410"], &["a"]).rank, Some(1));
    assert_eq!(judge(&["a"], &["b"]).rank, None);
}

#[test]
fn lines_at_ten_sums_ranges_of_the_first_ten() {
    let mut results = vec!["a:1-10", "a", "b:5-5"];
    results.extend(["x:1-2"; 7]);
    results.push("x:1-1000");
    close(judge(&["q"], &results).lines_at_10, 10.0 + 1.0 + 14.0);
}

#[test]
fn no_results_score_nothing() {
    let figures = judge(&["a"], &[]);
    close(figures.ndcg_at_10 + figures.mrr + figures.lines_at_10, 0.0);
    assert_eq!((figures.rank, figures.span_at, figures.file_at), (None, [0.0; 3], [0.0; 3]));
}

#[test]
fn the_definition_rank_wants_the_first_line() {
    let answers = [place("a:50-60")];
    let results = [place("a:55-80"), place("a:30-54")];
    assert_eq!(figures(&answers, &results).rank, Some(1));
    assert_eq!(rank_of_definition(&answers, &results), Some(2));
    assert_eq!(rank_of_definition(&answers, &[place("a")]), Some(1));
    assert_eq!(rank_of_definition(&answers, &[place("b:50-60")]), None);
}

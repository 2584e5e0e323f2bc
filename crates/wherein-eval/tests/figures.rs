//! The figures against the suites' own scoring script, which shares no code with this crate.
//!
//! Always against figures that the script made once (`golden/`), and against the script itself on fresh
//! random suites where it is found. Agreement means 1e-9. Nothing here searches.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests, which clippy does not see")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use wherein_eval::{QuestionRow, Report, judge_results};

const TOLERANCE: f64 = 1e-9;

#[test]
fn figures_equal_the_golden_ones() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let report = judge_results(&golden.join("suite.json"), &golden.join("results.jsonl")).unwrap();
    let expected = std::fs::read_to_string(golden.join("expected.jsonl")).unwrap();
    assert_agrees(&report, &expected);
}

#[test]
fn the_tables_read_as_the_script_prints_them() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let report = judge_results(&golden.join("suite.json"), &golden.join("results.jsonl")).unwrap();
    let expected = std::fs::read_to_string(golden.join("expected.txt")).unwrap();
    assert_eq!(report.to_text(), expected.replace("\r\n", "\n"));
}

#[test]
fn figures_equal_the_scripts_on_random_results() {
    let Some(script) = script() else {
        println!("SKIPPED: score.py not found; set WHEREIN_SUITES to the folder that holds it");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for seed in 1..=8 {
        let suite = folder.path().join("suite.json");
        let results = folder.path().join("results.jsonl");
        let mut random = Random(seed);
        write_random(&mut random, &suite, &results);
        let expected = ask_script(&script, &suite, &results);
        assert_agrees(&judge_results(&suite, &results).unwrap(), &expected);
    }
}

/// The scoring script: named by the environment, or beside the repository.
fn script() -> Option<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        std::env::var_os("WHEREIN_SUITES").map(PathBuf::from),
        Some(repository.join("../shared/suites")),
    ];
    folders.into_iter().flatten().map(|folder| folder.join("score.py")).find(|path| path.is_file())
}

fn ask_script(script: &Path, suite: &Path, results: &Path) -> String {
    let out = results.with_file_name("expected.jsonl");
    let run = Command::new("python3")
        .arg(script)
        .args([suite, results, Path::new("--per-question"), &out])
        .output()
        .expect("score.py was found, so python3 is wanted");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    std::fs::read_to_string(out).unwrap()
}

fn assert_agrees(report: &Report, expected: &str) {
    let expected: Vec<Value> =
        expected.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(report.questions.len(), expected.len());
    for (row, wanted) in report.questions.iter().zip(&expected) {
        assert_eq!(row.id, wanted["id"].as_str().unwrap());
        assert_eq!(row.figures.rank.map(|rank| rank as u64), wanted["rank"].as_u64(), "{}", row.id);
        for (name, got) in columns(row) {
            let wanted = wanted[&name].as_f64().unwrap();
            assert!((got - wanted).abs() <= TOLERANCE, "{} {name}: {got} {wanted}", row.id);
        }
    }
}

fn columns(row: &QuestionRow) -> Vec<(String, f64)> {
    let figures = &row.figures;
    let mut columns = vec![
        ("ndcg@10".to_owned(), figures.ndcg_at_10),
        ("mrr".to_owned(), figures.mrr),
        ("lines@10".to_owned(), figures.lines_at_10),
    ];
    for (idx, cut) in [1, 5, 10].into_iter().enumerate() {
        columns.push((format!("span@{cut}"), figures.span_at[idx]));
        columns.push((format!("file@{cut}"), figures.file_at[idx]));
    }
    columns
}

fn write_random(random: &mut Random, suite: &Path, results: &Path) {
    let mut questions = Vec::new();
    let mut lines = String::new();
    for idx in 0..150 {
        let id = format!("q/{idx}");
        let n_answers = [1, 1, 2, 3, 9, 13][random.below(6)];
        let answers: Vec<Value> = (0..n_answers).map(|_| random.place(4)).collect();
        let category = ["a", "b"][random.below(2)];
        questions.push(json!({"id": id, "repo": format!("r{}", random.below(3)), "question": "q",
            "category": category, "answers": answers}));
        if random.below(10) > 0 {
            let n_results = [0, 1, 7, 10, 12, 50, 55][random.below(7)];
            let places: Vec<Value> = (0..n_results).map(|_| random.place(12)).collect();
            lines.push_str(&json!({"id": id, "results": places}).to_string());
            lines.push('\n');
        }
    }
    let repositories: Vec<Value> =
        (0..3).map(|idx| json!({"name": format!("r{idx}"), "language": "c"})).collect();
    let text = json!({"suite": "random", "repositories": repositories, "questions": questions});
    std::fs::write(suite, text.to_string()).unwrap();
    std::fs::write(results, lines).unwrap();
}

/// A small generator with a fixed sequence (xorshift64*, Vigna 2016): failures repeat from their seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    /// A place among twelve files; every `whole`th is a whole file.
    fn place(&mut self, whole: usize) -> Value {
        let path = format!("f{}", self.below(12));
        if self.below(whole) == 0 {
            return json!({"path": path});
        }
        let start = 1 + self.below(200);
        json!({"path": path, "start": start, "end": start + self.below(60)})
    }
}

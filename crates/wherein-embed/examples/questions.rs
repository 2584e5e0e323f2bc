//! Times an engine that stays open, as a server has one: `questions ROOT INDEX_BASE QUESTIONS.txt [N_THREADS]`.
//!
//! Asks each line of QUESTIONS.txt once a pass, twice with one asker and once with N_THREADS, by keyword and in hybrid mode with the
//! built-in model. A line of JSON a pass comes out; equal `answers` mean equal answers, bit for bit. For development only.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use wherein_embed::BuiltinModel;
use wherein_engine::{Answer, Engine, EngineOptions, Mode, SearchRequest};

type Trouble = Box<dyn std::error::Error + Send + Sync>;

/// What a pass took.
struct Pass {
    /// Of each question, in milliseconds, shortest first.
    walls: Vec<f64>,
    elapsed_s: f64,
    cpu_ms: f64,
    answers: u64,
}

#[expect(clippy::print_stdout, reason = "its lines are its result")]
fn main() -> Result<(), Trouble> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, root, index_base, questions, rest @ ..] = arguments.as_slice() else {
        return Err("usage: questions ROOT INDEX_BASE QUESTIONS.txt [N_THREADS]".into());
    };
    let n_threads = rest.first().map_or(Ok(4), |n| n.parse())?;
    let text = std::fs::read_to_string(questions)?;
    let questions: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let model = Arc::new(BuiltinModel::open()?);
    for mode in [Mode::Keyword, Mode::Hybrid] {
        let options = EngineOptions::new(root, index_base);
        let engine = Engine::open(EngineOptions { embedder: Some(model.clone()), ..options })?;
        engine.refresh(&|_| ())?;
        for (name, n_askers) in [("first", 1), ("second", 1), ("together", n_threads)] {
            let pass = ask_all(&engine, mode, &questions, n_askers)?;
            let at = |share: f64| pass.walls[((pass.walls.len() - 1) as f64 * share) as usize];
            println!(
                r#"{{"mode": "{}", "pass": "{name}", "askers": {n_askers}, "cpu_ms": {:.2}, "p50_ms": {:.2}, "p99_ms": {:.2}, "per_s": {:.0}, "rss_mb": {}, "answers": "{:016x}"}}"#,
                mode.as_str(),
                pass.cpu_ms,
                at(0.5),
                at(0.99),
                questions.len() as f64 / pass.elapsed_s,
                resident_mb(),
                pass.answers,
            );
        }
    }
    Ok(())
}

fn ask_all(engine: &Engine, mode: Mode, questions: &[&str], n: usize) -> Result<Pass, Trouble> {
    let next = AtomicUsize::new(0);
    let asker = || -> Result<Vec<(f64, u64)>, Trouble> {
        let mut asked = Vec::new();
        while let Some(question) = questions.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begin = Instant::now();
            let request = SearchRequest { mode, ..SearchRequest::new(*question) };
            let answer = engine.search(&request)?;
            asked.push((begin.elapsed().as_secs_f64() * 1e3, fingerprint(&answer)));
        }
        Ok(asked)
    };
    let (begin, cpu) = (Instant::now(), cpu_ms());
    let asked: Result<Vec<_>, Trouble> = std::thread::scope(|scope| {
        let askers: Vec<_> = (0..n).map(|_| scope.spawn(asker)).collect();
        askers.into_iter().map(|a| a.join().unwrap_or_else(|_| Err("panic".into()))).collect()
    });
    let elapsed_s = begin.elapsed().as_secs_f64();
    let cpu_ms = (cpu_ms() - cpu) / questions.len() as f64;
    let (mut walls, prints): (Vec<f64>, Vec<u64>) = asked?.into_iter().flatten().unzip();
    walls.sort_by(f64::total_cmp);
    // Whoever asked what: sums do not depend on it.
    let answers = prints.into_iter().fold(0, u64::wrapping_add);
    Ok(Pass { walls, elapsed_s, cpu_ms, answers })
}

/// Everything of an answer that may not change with the way it came about.
fn fingerprint(answer: &Answer) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&answer.query, answer.n_matches, &answer.degraded).hash(&mut hasher);
    answer.confidence.map(|confidence| confidence as u8).hash(&mut hasher);
    for hit in &answer.hits {
        (&hit.path, hit.start_line, hit.end_line, hit.score.to_bits()).hash(&mut hasher);
        format!("{:?}{:?}{:?}{:?}", hit.symbol, hit.parts, hit.copies, hit.snippet)
            .hash(&mut hasher);
    }
    hasher.finish()
}

/// Processor time of this process so far; 0 where the system does not tell it as Linux does.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 =
        behind_name.split_whitespace().skip(11).take(2).flat_map(str::parse::<f64>).sum();
    // A hundred a second on every machine that this was tried on.
    ticks * 10.0
}

/// Memory in use, with the pages of mapped files; 0 where the system does not tell it as Linux does.
fn resident_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kb = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kb.unwrap_or(0) / 1024
}

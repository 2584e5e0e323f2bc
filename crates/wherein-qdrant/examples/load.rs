//! What a server takes and gives: writes made-up chunks, then asks for candidates, and prints rates and times as JSON.
//!
//! `WHEREIN_QDRANT_URL=… cargo run --release -p wherein-qdrant --example load -- 100000 384 1000 60`
//! (points, dimensions, questions, seconds for the server to index neighbours). Vectors lie around a few hundred centres, terms follow Zipf's law, so that neither list
//! is easier than that of code. The collection is removed afterwards.

use std::time::{Duration, Instant};

use serde_json::json;
use wherein_engine::{
    Bm25, CandidateFilter, CandidateQuestion, ChunkPoint, Collection, Error, Guard, Head, Kind,
    ModelIdentity, Point, Result, SparseIdentity, SparseVector,
};
use wherein_qdrant::{QdrantCollection, QdrantOptions};

const N_CENTRES: usize = 400;
const N_TERMS: u64 = 200_000;
const TERMS_OF_A_CHUNK: usize = 110;
const TERMS_OF_A_QUESTION: usize = 9;

fn main() {
    if let Err(error) = run() {
        // An example has no printer.
        #[expect(clippy::print_stderr, reason = "the only output of trouble")]
        {
            eprintln!("load: {error}");
        }
        std::process::exit(2);
    }
}

fn run() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|arg| arg.parse::<usize>().unwrap_or(0));
    let mut next = |usual| numbers.next().filter(|n| *n > 0).unwrap_or(usual);
    let (n_points, dimensions, n_questions) = (next(10_000), next(384), next(500));
    let settle = next(60) as u64;
    let url = std::env::var("WHEREIN_QDRANT_URL");
    let url = url.unwrap_or_else(|_| "http://localhost:6334".to_owned());
    let collection = QdrantCollection::new(QdrantOptions {
        api_key: std::env::var("WHEREIN_QDRANT_API_KEY").ok(),
        timeout: Duration::from_secs(120),
        ..QdrantOptions::new(url, "wherein-load")
    })?;
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let centres: Vec<Vec<f32>> = (0..N_CENTRES).map(|_| unit(&mut chance, dimensions)).collect();
    let _ = collection.remove();
    collection.create(&guard(dimensions))?;
    let started = Instant::now();
    let mut made = (0..n_points).map(|at| chunk(at, &mut chance, &centres));
    let n_written = collection.upsert(&mut made, &|_| ())?;
    let seconds = started.elapsed().as_secs_f64();
    let rate = n_written as f64 / seconds;
    say(&json!({ "written": n_written, "seconds": seconds, "points_per_second": rate }));
    let started = Instant::now();
    collection.commit(&head(n_points))?;
    say(&json!({ "committed_seconds": started.elapsed().as_secs_f64() }));
    std::thread::sleep(Duration::from_secs(settle));
    for exact in [false, true] {
        for clients in [1, 4] {
            let n = if exact { n_questions / 5 } else { n_questions };
            let started = Instant::now();
            let times = ask_at_once(&collection, &mut chance, &centres, (n, exact, clients))?;
            let rate = times.len() as f64 / started.elapsed().as_secs_f64();
            let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
            say(&json!({ "exact": exact, "clients": clients, "questions": times.len(),
                "per_second": rate, "p50_ms": at(0.5), "p95_ms": at(0.95), "p99_ms": at(0.99) }));
        }
    }
    collection.remove()
}

/// Milliseconds of each of `n` questions of `clients` together, sorted.
fn ask_at_once(
    collection: &QdrantCollection,
    chance: &mut Chance,
    centres: &[Vec<f32>],
    (n, exact, clients): (usize, bool, usize),
) -> Result<Vec<f64>> {
    let seeds: Vec<u64> = (0..clients).map(|_| chance.next()).collect();
    let times: Result<Vec<Vec<f64>>> = std::thread::scope(|scope| {
        let one = |seed| {
            scope.spawn(move || {
                ask(collection, &mut Chance(seed), centres, ((n / clients).max(1), exact))
            })
        };
        let running: Vec<_> = seeds.into_iter().map(one).collect();
        let joined = running.into_iter().map(|client| {
            client.join().unwrap_or_else(|_| Err(Error::bug("a client has panicked")))
        });
        joined.collect()
    });
    let mut times: Vec<f64> = times?.into_iter().flatten().collect();
    times.sort_by(f64::total_cmp);
    Ok(times)
}

#[expect(clippy::print_stdout, reason = "figures are the output of a benchmark")]
fn say(value: &serde_json::Value) {
    println!("{value}");
}

fn head(n_points: usize) -> Head {
    Head {
        repository: "load".to_owned(),
        origin: "load".to_owned(),
        version: "1".to_owned(),
        parts: Vec::new(),
        n_files: n_points as u64 / 7,
        n_chunks: n_points as u64,
        n_vectors: n_points as u64,
        published_ms: 0,
    }
}

fn guard(dimensions: usize) -> Guard {
    Guard {
        format: Guard::FORMAT,
        index: "made up".to_owned(),
        model: Some(ModelIdentity {
            name: "made-up".to_owned(),
            weights_hash: String::new(),
            tokenizer_hash: String::new(),
            pooling: "mean".to_owned(),
            question_prefix: String::new(),
            passage_prefix: String::new(),
            max_tokens: 512,
            dimensions: dimensions as u32,
            normalised: true,
        }),
        sparse: SparseIdentity::code(Bm25::default()),
    }
}

/// Milliseconds of each question, which asks for as many candidates as the engine does.
fn ask(
    collection: &QdrantCollection,
    chance: &mut Chance,
    centres: &[Vec<f32>],
    (n, exact): (usize, bool),
) -> Result<Vec<f64>> {
    let mut times = Vec::with_capacity(n);
    for _ in 0..n {
        let question = CandidateQuestion {
            sparse: Some(terms(chance, TERMS_OF_A_QUESTION, false)),
            dense: Some(near(chance, centres)),
            limit: if exact { 1000 } else { 150 },
            filter: CandidateFilter {
                repositories: vec!["load".to_owned()],
                ..CandidateFilter::default()
            },
            exact,
            ..CandidateQuestion::default()
        };
        let started = Instant::now();
        collection.candidates(&question)?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(times)
}

fn chunk(at: usize, chance: &mut Chance, centres: &[Vec<f32>]) -> Point {
    let path = format!("src/m{}/f{}.rs", at / 700, at / 7);
    let first = (at % 7) as u32 * 30 + 1;
    Point::Chunk(Box::new(ChunkPoint {
        id: u128::from(chance.next()) << 64 | at as u128,
        digest: chance.next(),
        repository: "load".to_owned(),
        path,
        start_line: first,
        end_line: first + 29,
        language: "rust".to_owned(),
        kind: Kind::Source,
        symbol_kinds: Vec::new(),
        names: vec![format!("name{at}")],
        name_tokens: vec![format!("name{at}")],
        dense: Some(near(chance, centres)),
        sparse: terms(chance, TERMS_OF_A_CHUNK, true),
    }))
}

fn near(chance: &mut Chance, centres: &[Vec<f32>]) -> Vec<f32> {
    let centre = &centres[(chance.next() % centres.len() as u64) as usize];
    let own = unit(chance, centre.len());
    normalised(centre.iter().zip(own).map(|(c, o)| c + 0.7 * o).collect())
}

fn unit(chance: &mut Chance, dimensions: usize) -> Vec<f32> {
    normalised((0..dimensions).map(|_| chance.share() * 2.0 - 1.0).collect())
}

fn normalised(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    vector.iter_mut().for_each(|v| *v /= length);
    vector
}

/// Terms of which the n-th is as frequent as 1/n.
fn terms(chance: &mut Chance, n: usize, has_weights: bool) -> SparseVector {
    let mut pairs: Vec<(u32, f32)> = (0..n)
        .map(|_| {
            let rank = (N_TERMS as f64).powf(f64::from(chance.share())) as u32;
            (rank, if has_weights { 0.5 + 3.0 * chance.share() } else { 1.0 })
        })
        .collect();
    pairs.sort_by_key(|(index, _)| *index);
    pairs.dedup_by_key(|(index, _)| *index);
    SparseVector::from_pairs(pairs)
}

/// Xorshift: the same numbers each time.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn share(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }
}

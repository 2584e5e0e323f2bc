//! Writes a stand-in for the built-in model until the real one is trained: random rows for the commonest words of a text.
//!
//! `cat FILES | cargo run --example provisional_table -- models 3000` writes the table and its card.

use std::collections::HashMap;
use std::io::Read;

use wherein_engine::{SourceReader, TermTableBuilder, term_hash};

const DIMENSIONS: usize = 256;
const HEAD_WEIGHT: f32 = 2.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("name the folder to write to")?;
    let n_terms: usize = args.next().ok_or("say how many terms")?.parse()?;
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let mut counts: HashMap<String, u64> = HashMap::new();
    SourceReader::default().words(&String::from_utf8_lossy(&bytes), |word| {
        if word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    });
    let total: u64 = counts.values().sum();
    let mut words: Vec<(String, u64)> = counts.into_iter().collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    words.truncate(n_terms);
    let mut builder = TermTableBuilder::new(DIMENSIONS, HEAD_WEIGHT);
    for (word, count) in &words {
        let hash = term_hash(word);
        let share = *count as f32 / total as f32;
        builder.add(hash, 0.001 / (0.001 + share) / 1000.0, &random_row(hash));
    }
    let table = builder.finish()?;
    let card = format!(
        "# A stand-in with random rows: it knows equal words, and nothing of their meaning.\n\
         name = \"builtin-code-v1\"\ntable_blake3 = \"{}\"\ndimensions = {DIMENSIONS}\nn_terms = {}\n\
         licence = \"MIT OR Apache-2.0\"\n",
        blake3::hash(&table).to_hex(),
        words.len()
    );
    std::fs::write(format!("{folder}/builtin-code-v1.table"), table)?;
    std::fs::write(format!("{folder}/builtin-code-v1.toml"), card)?;
    Ok(())
}

/// The same row for the same word, always.
fn random_row(seed: u64) -> Vec<i8> {
    let mut state = seed;
    let next = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) % 255) as i8
    };
    (0..DIMENSIONS).map(next).collect()
}

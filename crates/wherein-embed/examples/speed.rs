//! Times a model over given texts: `speed MODEL_FOLDER TEXTS.json [MAX_TOKENS [BATCH]]`.
//!
//! TEXTS.json is what `tests/reference/speed.py` writes, which times onnxruntime over the same batches. One line of JSON comes
//! out. For development only; users have `wherein model bench`.

use std::time::Instant;

use wherein_embed::{ModelFolder, OnnxModel, OnnxOptions, Overrides};
use wherein_engine::{Embedder, Role};

#[expect(clippy::print_stdout, reason = "its one line is its result")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |idx: usize, default: u32| arguments.get(idx).map_or(Ok(default), |a| a.parse());
    let (max_tokens, n_batch) = (number(3, 256)?, number(4, 8)? as usize);
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(&arguments[2])?)?;
    let overrides = Overrides { max_tokens: Some(max_tokens), ..Overrides::default() };
    let begin = Instant::now();
    let folder = ModelFolder::read(arguments[1].as_ref(), "speed", &overrides)?;
    let model = OnnxModel::load(&folder, &OnnxOptions::default())?;
    let load = begin.elapsed();
    let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let counts = model.count_tokens(Role::Passage, &texts)?;
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|idx| counts[*idx]);
    texts = order.into_iter().map(|idx| texts[idx]).collect();
    let begin = Instant::now();
    for batch in texts.chunks(n_batch) {
        model.embed(Role::Passage, batch)?;
    }
    let all = begin.elapsed();
    let question = "why does a POST turn into a GET after a redirect";
    let begin = Instant::now();
    for _ in 0..20 {
        model.embed(Role::Question, &[question])?;
    }
    let ask = begin.elapsed() / 20;
    let n_tokens: usize = counts.iter().map(|n| (*n).min(max_tokens as usize)).sum();
    println!(
        r#"{{"load_ms": {:.1}, "texts": {}, "tokens": {n_tokens}, "all_s": {:.2}, "ms_per_text": {:.1}, "question_ms": {:.2}}}"#,
        load.as_secs_f64() * 1e3,
        texts.len(),
        all.as_secs_f64(),
        all.as_secs_f64() * 1e3 / texts.len() as f64,
        ask.as_secs_f64() * 1e3,
    );
    Ok(())
}

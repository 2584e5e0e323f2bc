//! Learned weights → the table of the product: whole numbers of eight bits a component, one scale a row.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use wherein_engine::{TermTable, TermTableBuilder};

use crate::corpus;
use crate::fit::{Judged, Options, judge};
use crate::say;
use crate::vocabulary::{Vocabulary, hash_of};
use crate::weights::Weights;

/// The name of the model and of its files.
pub(crate) const NAME: &str = "builtin-code-v1";

/// What quantising did.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Quantised {
    pub(crate) table_blake3: String,
    pub(crate) n_bytes: usize,
    pub(crate) n_words: usize,
    pub(crate) n_pieces: usize,
    pub(crate) dimensions: usize,
    pub(crate) before: Judged,
    pub(crate) after: Judged,
    pub(crate) mean_cosine: f32,
}

/// Writes the table and the vocabulary into `models`.
pub(crate) fn run(work: &Path, models: &Path, options: &Options) -> Result<()> {
    let vocabulary = Vocabulary::read(work)?;
    let weights = Weights::read(work, &options.out, "fit")?;
    let mut builder = TermTableBuilder::new(weights.dimensions, options.head_weight);
    let mut rounded = weights.clone();
    let mut cosines = 0.0;
    for (row, term) in vocabulary.terms.iter().enumerate() {
        let exact = weights.row(row);
        let (scale, whole) = quantise(&exact);
        let back: Vec<f32> = whole.iter().map(|value| f32::from(*value) * scale).collect();
        cosines += cosine(&exact, &back);
        rounded.set(row, &back);
        builder.add(hash_of(term), scale, &whole);
    }
    let bytes = builder.finish()?;
    TermTable::open(bytes.clone())?;
    let corpus = corpus::read(work)?;
    let n_pieces = vocabulary.terms.iter().filter(|term| term.is_piece).count();
    let quantised = Quantised {
        table_blake3: blake3::hash(&bytes).to_hex().to_string(),
        n_bytes: bytes.len(),
        n_words: vocabulary.terms.len() - n_pieces,
        n_pieces,
        dimensions: weights.dimensions,
        before: judge(&corpus, &weights, options),
        after: judge(&corpus, &rounded, options),
        mean_cosine: cosines / vocabulary.terms.len() as f32,
    };
    say(&format!("{} bytes; before: {}", quantised.n_bytes, quantised.before));
    say(&format!("after: {}; mean cosine of rows {:.6}", quantised.after, quantised.mean_cosine));
    std::fs::create_dir_all(models)?;
    std::fs::write(file(models, "table"), &bytes)?;
    let terms = vocabulary.terms.iter().map(|term| format!("{}\n", term.text));
    std::fs::write(file(models, "vocabulary.txt"), terms.collect::<String>())?;
    std::fs::write(work.join("quantised.json"), serde_json::to_string_pretty(&quantised)?)?;
    Ok(())
}

/// A file of the model.
pub(crate) fn file(models: &Path, extension: &str) -> PathBuf {
    models.join(format!("{NAME}.{extension}"))
}

/// What [`run`] found.
pub(crate) fn read(work: &Path) -> Result<Quantised> {
    let text = std::fs::read_to_string(work.join("quantised.json"))
        .context("nothing was quantised; run: wherein-train quantise")?;
    Ok(serde_json::from_str(&text)?)
}

fn quantise(row: &[f32]) -> (f32, Vec<i8>) {
    let largest = row.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    let scale = largest / 127.0;
    let whole = |value: &f32| if scale > 0.0 { (value / scale).round() as i8 } else { 0 };
    (scale, row.iter().map(whole).collect())
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt().max(1e-20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_comes_back_nearly_as_it_was() {
        let row = [0.5, -1.0, 0.003, 0.0];
        let (scale, whole) = quantise(&row);
        assert_eq!(whole, [64, -127, 0, 0]);
        let back: Vec<f32> = whole.iter().map(|value| f32::from(*value) * scale).collect();
        assert!(cosine(&row, &back) > 0.9999);
        assert_eq!(quantise(&[0.0, 0.0]), (0.0, vec![0, 0]));
    }
}

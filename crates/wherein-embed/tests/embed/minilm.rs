//! The real all-MiniLM-L6-v2 against onnxruntime; needs `WHEREIN_TEST_MINILM`, which `cargo xtask test` sets.

use crate::common::{Expected, check, load, reference};
use wherein_embed::{ModelStore, Overrides, known};
use wherein_engine::{Embedder, Role};

#[derive(serde::Deserialize)]
struct Reference {
    texts: Vec<Expected>,
    cosines: Vec<Vec<f32>>,
}

/// The folder, or a line that says what was skipped.
fn folder() -> Option<std::path::PathBuf> {
    let folder = std::env::var_os("WHEREIN_TEST_MINILM").map(Into::into);
    if folder.is_none() {
        println!("SKIPPED: no WHEREIN_TEST_MINILM; `cargo xtask fetch-models` fetches it");
    }
    folder
}

#[test]
fn vectors_and_cosines_equal_those_of_onnxruntime() {
    let Some(folder) = folder() else { return };
    let reference: Reference = reference("minilm_vectors.json");
    let model = load(&folder, &Overrides::default()).unwrap();
    assert_eq!((model.identity().dimensions, model.identity().max_tokens), (384, 256));
    let largest = check(&model, &reference.texts, 1e-4);
    println!("components differ by {largest:e} at most");
    let texts: Vec<&str> = reference.texts.iter().map(|row| row.text.as_str()).collect();
    let vectors = model.embed(Role::Question, &texts).unwrap();
    for (a, expected) in vectors.iter().zip(&reference.cosines) {
        for (b, expected) in vectors.iter().zip(expected) {
            let cosine: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            assert!((cosine - expected).abs() < 1e-4, "{cosine} and {expected}");
        }
    }
}

#[test]
fn the_pinned_files_are_those_of_the_registry() {
    let Some(folder) = folder() else { return };
    let known = known("all-minilm-l6-v2").unwrap();
    let data = tempfile::tempdir().unwrap();
    let store = ModelStore::new(data.path());
    let info = store.add(&folder, "all-MiniLM-L6-v2", &Overrides::default()).unwrap();
    assert_eq!((info.name.as_str(), info.identity.dimensions), ("all-minilm-l6-v2", 384));
    for file in known.elsewhere {
        let found = info.files.iter().find(|found| found.path == file.path).unwrap();
        assert_eq!((Some(found.size), Some(found.sha256.as_str())), (file.size, file.sha256));
    }
    assert!(store.verify("all-minilm-l6-v2").unwrap().is_empty());
}

//! What the tests of models share: the committed models, copies to break, and comparison with references.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use wherein_embed::{ModelFolder, OnnxModel, OnnxOptions, Overrides};
use wherein_engine::{Embedder, Result, Role};

/// The committed random-weight model of that name.
pub(crate) fn model_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

/// A file that a reference script wrote.
pub(crate) fn reference<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

pub(crate) fn load(folder: &Path, overrides: &Overrides) -> Result<OnnxModel> {
    OnnxModel::load(&ModelFolder::read(folder, "test", overrides)?, &OnnxOptions::default())
}

/// A copy of a committed model that may be broken.
pub(crate) fn copy_of(name: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    copy_into(&model_folder(name), copy.path());
    copy
}

fn copy_into(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_into(&entry.path(), &place);
        } else {
            std::fs::copy(entry.path(), place).unwrap();
        }
    }
}

/// One text of a reference.
#[derive(serde::Deserialize)]
pub(crate) struct Expected {
    pub(crate) text: String,
    pub(crate) n_tokens: usize,
    pub(crate) vector: Vec<f32>,
}

/// Holds a model to a reference, text by text and as one padded batch; the largest difference of a component.
pub(crate) fn check(model: &OnnxModel, expected: &[Expected], tolerance: f32) -> f32 {
    let texts: Vec<&str> = expected.iter().map(|row| row.text.as_str()).collect();
    let counts: Vec<usize> = expected.iter().map(|row| row.n_tokens).collect();
    assert_eq!(model.count_tokens(Role::Passage, &texts).unwrap(), counts);
    let batch = model.embed(Role::Passage, &texts).unwrap();
    let mut largest: f32 = 0.0;
    for (row, batched) in expected.iter().zip(&batch) {
        let alone = model.embed(Role::Passage, &[&row.text]).unwrap().remove(0);
        for vector in [&alone, batched] {
            let norm: f32 = vector.iter().map(|value| value * value).sum();
            assert!((norm - 1.0).abs() < 1e-5, "norm {norm} of {:?}", row.text);
            let far =
                vector.iter().zip(&row.vector).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(far < tolerance, "{far} away from the reference: {:?}", row.text);
            largest = largest.max(far);
        }
    }
    largest
}

//! The bge shapes against onnxruntime, with small random weights that `tests/reference/tiny_models.py` made.

use std::collections::BTreeMap;

use crate::common::{Expected, check, load, model_folder, reference};
use wherein_embed::{ModelFolder, Overrides, Pooling};
use wherein_engine::{Embedder, Role};

#[derive(serde::Deserialize)]
struct Reference {
    models: BTreeMap<String, Texts>,
}

#[derive(serde::Deserialize)]
struct Texts {
    max_tokens: u32,
    texts: Vec<Expected>,
}

#[test]
fn vectors_equal_those_of_onnxruntime() {
    let reference: Reference = reference("tiny_vectors.json");
    assert_eq!(reference.models.len(), 2);
    for (name, expected) in reference.models {
        let model = load(&model_folder(&name), &Overrides::default()).unwrap();
        // XLM-RoBERTa loses two of its rows of positions to the padding offset.
        assert_eq!(model.identity().max_tokens, expected.max_tokens, "{name}");
        let largest = check(&model, &expected.texts, 1e-4);
        println!("{name}: components differ by {largest:e} at most");
    }
}

#[test]
fn a_folder_describes_its_model() {
    let folder = model_folder("bge-m3-shaped");
    let read = ModelFolder::read(&folder, "m3", &Overrides::default()).unwrap();
    assert_eq!((read.pooling, read.dimensions, read.max_tokens), (Pooling::Cls, Some(48), 94));
    assert_eq!(read.external_data, [folder.join("model.onnx_data")]);
    let overrides = Overrides {
        pooling: Some(Pooling::Mean),
        max_tokens: Some(10),
        question_prefix: Some("query: ".to_owned()),
        ..Overrides::default()
    };
    let read = ModelFolder::read(&folder, "m3", &overrides).unwrap();
    assert_eq!((read.pooling, read.max_tokens), (Pooling::Mean, 10));
    let error = Overrides { max_tokens: Some(95), ..Overrides::default() };
    let error = ModelFolder::read(&folder, "m3", &error).unwrap_err();
    assert!(error.to_string().contains("94 tokens, not 95"), "{error}");
}

#[test]
fn prompts_come_from_the_side_file_and_go_before_the_text() {
    let copy = crate::common::copy_of("bge-small-shaped");
    let prompts = r#"{"prompts": {"query": "seek: ", "document": null}}"#;
    std::fs::write(copy.path().join("config_sentence_transformers.json"), prompts).unwrap();
    let model = load(copy.path(), &Overrides::default()).unwrap();
    assert_eq!(model.identity().question_prefix, "seek: ");
    let asked = model.embed(Role::Question, &["a loop"]).unwrap();
    assert_eq!(asked, model.embed(Role::Passage, &["seek: a loop"]).unwrap());
    assert_ne!(asked, model.embed(Role::Passage, &["a loop"]).unwrap());
}

#[test]
fn identity_follows_weights_tokenizer_and_settings() {
    let folder = model_folder("bge-small-shaped");
    let plain = load(&folder, &Overrides::default()).unwrap().identity().clone();
    let mean = Overrides { pooling: Some(Pooling::Mean), ..Overrides::default() };
    assert_ne!(plain, *load(&folder, &mean).unwrap().identity());
    let copy = crate::common::copy_of("bge-small-shaped");
    let path = copy.path().join("tokenizer.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + "\n").unwrap();
    let other = load(copy.path(), &Overrides::default()).unwrap().identity().clone();
    assert_eq!(plain.weights_hash, other.weights_hash);
    assert_ne!(plain.tokenizer_hash, other.tokenizer_hash);
}

#[test]
fn threads_change_no_bit() {
    let folder =
        ModelFolder::read(&model_folder("bge-m3-shaped"), "m3", &Overrides::default()).unwrap();
    let embed = |n_threads| {
        let options = wherein_embed::OnnxOptions { n_threads: Some(n_threads) };
        let model = wherein_embed::OnnxModel::load(&folder, &options).unwrap();
        model.embed(Role::Passage, &["one text", "another, longer text of several words"]).unwrap()
    };
    assert_eq!(embed(1), embed(3));
}

#[test]
fn the_store_keeps_how_a_model_is_used() {
    let (copy, data) = (crate::common::copy_of("bge-small-shaped"), tempfile::tempdir().unwrap());
    std::fs::create_dir(copy.path().join("export")).unwrap();
    std::fs::rename(copy.path().join("model.onnx"), copy.path().join("export/encoder.onnx"))
        .unwrap();
    let store = wherein_embed::ModelStore::new(data.path());
    let overrides = Overrides {
        onnx: Some("export/encoder.onnx".into()),
        pooling: Some(Pooling::Mean),
        question_prefix: Some("seek: ".to_owned()),
        ..Overrides::default()
    };
    let added = store.add(copy.path(), "mine", &overrides).unwrap();
    let load = || {
        let model = store.model("mine", &Overrides::default(), &Default::default()).unwrap();
        model.load().unwrap().identity().clone()
    };
    assert_eq!((added.identity.pooling.as_str(), load()), ("mean", added.identity.clone()));
    let shorter = Overrides { max_tokens: Some(20), ..Overrides::default() };
    let changed = store.reuse("mine", &shorter).unwrap();
    assert_eq!((changed.identity.max_tokens, load()), (20, changed.identity.clone()));
    assert_eq!(changed.identity.question_prefix, "seek: ");
    let endless = Overrides { max_tokens: Some(100_000), ..Overrides::default() };
    assert!(store.reuse("mine", &endless).is_err());
    assert_eq!(load(), changed.identity);
}

#[test]
fn a_folder_gives_a_model_its_name() {
    let name = |path: &str| wherein_embed::name_of_folder(std::path::Path::new(path));
    assert_eq!(name("/nowhere/my model (v2)"), "my-model--v2-");
    assert_eq!(name("/nowhere/.hidden"), "hidden");
    assert_eq!(name("tests/models/bge-m3-shaped/"), "bge-m3-shaped");
}

//! Damaged, missing and mismatched model files: each error names the file and nothing panics.

use std::path::Path;

use crate::common::{copy_of, load, model_folder};
use wherein_embed::{ModelStore, Overrides};
use wherein_engine::{Embedder, ErrorKind, Role};

/// Breaks a copy of a model and looks at the error.
fn check(name: &str, break_it: impl FnOnce(&Path), wanted: &[&str]) {
    let copy = copy_of(name);
    break_it(copy.path());
    let error = load(copy.path(), &Overrides::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Model, "{error}");
    for words in wanted {
        assert!(error.to_string().contains(words), "'{words}' is not in: {error}");
    }
}

fn change(path: &Path, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    let bytes = std::fs::read(path).unwrap();
    std::fs::write(path, change(bytes)).unwrap();
}

#[test]
fn a_model_file_cut_anywhere_is_named() {
    for percent in [0, 1, 50, 99] {
        let cut = |root: &Path| {
            change(&root.join("model.onnx"), |bytes| bytes[..bytes.len() * percent / 100].to_vec());
        };
        check("bge-small-shaped", cut, &["model.onnx"]);
    }
}

#[test]
fn what_is_no_model_is_named() {
    for text in
        ["<html>not found</html>", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"]
    {
        let replace = |root: &Path| std::fs::write(root.join("model.onnx"), text).unwrap();
        check("bge-small-shaped", replace, &["model.onnx", "damaged"]);
    }
}

#[test]
fn weights_beside_the_graph_are_missed_and_measured() {
    let remove = |root: &Path| std::fs::remove_file(root.join("model.onnx_data")).unwrap();
    check("bge-m3-shaped", remove, &["model.onnx_data", "missing"]);
    let cut = |root: &Path| change(&root.join("model.onnx_data"), |bytes| bytes[..1000].to_vec());
    check("bge-m3-shaped", cut, &["model.onnx_data"]);
}

#[test]
fn a_missing_or_broken_tokenizer_is_named() {
    let remove = |root: &Path| std::fs::remove_file(root.join("tokenizer.json")).unwrap();
    check("bge-small-shaped", remove, &["no tokenizer.json in"]);
    let cut = |root: &Path| change(&root.join("tokenizer.json"), |bytes| bytes[..2000].to_vec());
    check("bge-small-shaped", cut, &["tokenizer.json"]);
    let side = |root: &Path| std::fs::write(root.join("modules.json"), "[").unwrap();
    check("bge-small-shaped", side, &["modules.json"]);
}

#[test]
fn a_tokenizer_with_more_ids_than_the_table_has_rows_is_refused() {
    let add_token = |root: &Path| {
        change(&root.join("tokenizer.json"), |bytes| {
            let mut json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            json["model"]["vocab"]["beyond"] = 420.into();
            serde_json::to_vec(&json).unwrap()
        });
    };
    check("bge-small-shaped", add_token, &["tokenizer.json knows ids up to 420", "model.onnx"]);
}

#[test]
fn wrong_dimensions_are_refused() {
    let side = |root: &Path| {
        let text = r#"{"word_embedding_dimension": 384, "pooling_mode_cls_token": true}"#;
        std::fs::write(root.join("1_Pooling/config.json"), text).unwrap();
    };
    check(
        "bge-small-shaped",
        side,
        &["model.onnx gives vectors of 32 dimensions, its folder says 384"],
    );
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    let poison = |root: &Path| {
        change(&root.join("model.onnx_data"), |bytes| {
            f32::NAN.to_le_bytes().into_iter().cycle().take(bytes.len()).collect()
        });
    };
    check("bge-m3-shaped", poison, &["model.onnx gives no vector"]);
}

#[test]
fn an_unknown_pooling_is_named() {
    let side = |root: &Path| {
        let text = r#"{"pooling_mode_max_tokens": true}"#;
        std::fs::write(root.join("1_Pooling/config.json"), text).unwrap();
    };
    check("bge-small-shaped", side, &["'max'"]);
}

#[test]
fn empty_and_endless_texts_have_vectors() {
    let model = load(&model_folder("bge-small-shaped"), &Overrides::default()).unwrap();
    assert!(model.embed(Role::Passage, &[]).unwrap().is_empty());
    let long = "word ".repeat(20_000);
    let vectors = model.embed(Role::Passage, &["", "  \n", &long]).unwrap();
    assert_eq!(vectors[0], vectors[1]);
    assert!(model.count_tokens(Role::Passage, &[&long]).unwrap()[0] >= 20_000);
    assert_eq!(vectors[2], model.embed(Role::Passage, &[&long[..5_000]]).unwrap()[0]);
}

#[test]
fn tampering_in_the_store_is_noticed_and_a_failed_add_leaves_nothing() {
    let data = tempfile::tempdir().unwrap();
    let store = ModelStore::new(data.path().join("models"));
    assert!(store.list().unwrap().is_empty());
    let info = store.add(&model_folder("bge-m3-shaped"), "mine", &Overrides::default()).unwrap();
    assert_eq!(store.list().unwrap(), [info]);
    assert!(store.verify("mine").unwrap().is_empty());
    let weights = store.folder().join("mine/model.onnx_data");
    change(&weights, |mut bytes| {
        bytes[100] ^= 1;
        bytes
    });
    let found = store.verify("mine").unwrap();
    assert!(found.len() == 1 && found[0].to_string().contains("model.onnx_data"), "{found:?}");
    let folder = store.open("mine", &Overrides::default()).unwrap();
    let error = wherein_embed::OnnxModel::load(&folder, &Default::default()).unwrap_err();
    assert!(
        error.to_string().contains("model.onnx_data is not the file that was added"),
        "{error}"
    );
    let broken = copy_of("bge-small-shaped");
    std::fs::remove_file(broken.path().join("tokenizer.json")).unwrap();
    assert!(store.add(broken.path(), "mine", &Overrides::default()).is_err());
    // A name that is known stands for a shape, here one of 512 positions.
    let error =
        store.add(&model_folder("bge-small-shaped"), "bge-small-en-v1.5", &Overrides::default());
    assert!(error.unwrap_err().to_string().contains("tokens"));
    let names: Vec<_> =
        std::fs::read_dir(store.folder()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["mine"]);
}

#[test]
fn names_that_leave_the_store_are_refused() {
    let store = ModelStore::new("nowhere");
    for name in ["", "..", "a/b", ".hidden", "a\\b"] {
        assert_eq!(store.info(name).unwrap_err().kind(), ErrorKind::Usage, "{name}");
    }
    let error = store.info("bge-m3").unwrap_err();
    assert_eq!(error.hint(), Some("fetch it with `wherein model pull bge-m3`"));
}

#[test]
fn a_typo_names_the_nearest_model_known_or_here() {
    let data = tempfile::tempdir().unwrap();
    let store = ModelStore::new(data.path());
    store.add(&model_folder("bge-m3-shaped"), "our-own-model", &Overrides::default()).unwrap();
    let hint = |name: &str| store.info(name).unwrap_err().hint().map(str::to_owned);
    assert!(hint("our-model").unwrap().starts_with("did you mean our-own-model?"));
    assert!(hint("bge-smal").unwrap().starts_with("did you mean bge-small-en-v1.5?"));
    assert!(hint("zzz").unwrap().contains("wherein model add DIR"));
}

#[test]
fn an_onnx_file_outside_the_folder_is_refused() {
    let copy = copy_of("bge-small-shaped");
    for path in ["../model.onnx".into(), std::env::temp_dir().join("model.onnx")] {
        let overrides = Overrides { onnx: Some(path), ..Overrides::default() };
        let error = load(copy.path(), &overrides).unwrap_err();
        assert!(error.to_string().contains("does not lie in"), "{error}");
    }
    let overrides = Overrides { onnx: Some("other.onnx".into()), ..Overrides::default() };
    let error = load(copy.path(), &overrides).unwrap_err();
    assert!(error.to_string().contains("other.onnx"), "{error}");
    assert_eq!(error.hint(), Some("it holds: model.onnx"));
    let inside = Overrides { onnx: Some(copy.path().join("model.onnx")), ..Overrides::default() };
    load(copy.path(), &inside).unwrap();
}

#[test]
fn a_removed_model_is_gone_and_a_stray_file_is_none() {
    let data = tempfile::tempdir().unwrap();
    let store = ModelStore::new(data.path());
    assert_eq!(store.remove("mine").unwrap_err().kind(), ErrorKind::Model);
    store.add(&model_folder("bge-m3-shaped"), "mine", &Overrides::default()).unwrap();
    std::fs::write(data.path().join("notes.txt"), "not a model").unwrap();
    assert_eq!(store.list().unwrap().len(), 1);
    store.remove("mine").unwrap();
    assert!(store.list().unwrap().is_empty() && !data.path().join("mine").exists());
    assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 1);
}

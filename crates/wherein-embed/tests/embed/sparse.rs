//! Learned sparse models, by one whose vectors can be computed by hand: its logits are rows of a table, one a token.
//!
//! The ONNX file is written here, field by field (onnx.proto), since the committed models are dense ones.

use std::path::Path;

use crate::common::model_folder;
use wherein_embed::{ModelFolder, OnnxOptions, Overrides, SparseOnnxModel};
use wherein_engine::{ErrorKind, Result, Role, SparseEmbedder, SparseVector};

const WORDS: [&str; 7] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "loop", "redirect", "stop"];
const N_WORDS: usize = WORDS.len();

/// Logits of each token; those of the padding would show in every word.
const TABLE: [[f32; N_WORDS]; N_WORDS] = [
    [99.0; N_WORDS],
    [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0],
    [-1.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0],
    [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.125],
    [-1.0, 0.0, -3.0, 0.0, 2.0, 1.0, 0.0],
    [-1.0, 0.0, 0.0, 0.0, 0.5, 3.0, -1.0],
    [-1.0, 0.0, 0.0, 0.0, 0.0, 1.5, 4.0],
];

fn varint(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn number(field: usize, value: usize) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn message(field: usize, parts: &[&[u8]]) -> Vec<u8> {
    let bytes = parts.concat();
    [varint(field << 3 | 2), varint(bytes.len()), bytes].concat()
}

fn text(field: usize, text: &str) -> Vec<u8> {
    message(field, &[text.as_bytes()])
}

/// The name and element type of an input or output; shapes are left open.
fn value(field: usize, name: &str, element: usize) -> Vec<u8> {
    message(field, &[&text(1, name), &message(2, &[&message(1, &[&number(1, element)])])])
}

/// `logits = Gather(table, input_ids)`, with a table of this shape.
fn model(shape: &[usize], table: &[f32]) -> Vec<u8> {
    let (float, int64) = (1, 7);
    let dims: Vec<u8> = shape.iter().flat_map(|n| number(1, *n)).collect();
    let data: Vec<u8> = table.iter().flat_map(|value| value.to_le_bytes()).collect();
    let table = message(5, &[&dims, &number(2, float), &text(8, "table"), &message(9, &[&data])]);
    let node = [text(1, "table"), text(1, "input_ids"), text(2, "logits"), text(4, "Gather")];
    let graph = [
        message(1, &[&node.concat()]),
        text(2, "encoder"),
        table,
        value(11, "input_ids", int64),
        value(11, "attention_mask", int64),
        value(12, "logits", float),
    ];
    let opset = message(8, &[&text(1, ""), &number(2, 17)]);
    [number(1, 8), message(7, &[&graph.concat()]), opset].concat()
}

fn tokenizer() -> String {
    let ids: serde_json::Map<_, _> =
        WORDS.iter().enumerate().map(|(id, word)| ((*word).to_owned(), id.into())).collect();
    let special =
        |name: &str, id: usize| serde_json::json!({"id": name, "ids": [id], "tokens": [name]});
    serde_json::json!({
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
            ],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"[CLS]": special("[CLS]", 2), "[SEP]": special("[SEP]", 3)},
        },
        "model": {"type": "WordLevel", "vocab": ids, "unk_token": "[UNK]"},
    })
    .to_string()
}

fn folder_of(onnx: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.onnx"), onnx).unwrap();
    std::fs::write(folder.path().join("tokenizer.json"), tokenizer()).unwrap();
    folder
}

fn folder() -> tempfile::TempDir {
    folder_of(&model(&[N_WORDS, N_WORDS], &TABLE.concat()))
}

fn load(folder: &Path, overrides: &Overrides) -> Result<SparseOnnxModel> {
    let folder = ModelFolder::read(folder, "tiny", overrides)?;
    SparseOnnxModel::load(&folder, &OnnxOptions::default())
}

/// The vector of those words of the vocabulary with those largest logits.
fn vector(logits: &[(u32, f32)]) -> SparseVector {
    SparseVector::from_pairs(logits.iter().map(|(id, logit)| (*id, (1.0 + logit).ln())).collect())
}

fn check(model: &SparseOnnxModel, texts: &[&str], expected: &[SparseVector]) {
    for role in [Role::Passage, Role::Question] {
        let made = model.embed(role, texts).unwrap();
        assert_eq!(made.len(), expected.len());
        for ((text, made), expected) in texts.iter().zip(made).zip(expected) {
            assert_eq!(made.indices, expected.indices, "{text}");
            let far = made.values.iter().zip(&expected.values).map(|(a, b)| (a - b).abs());
            assert!(far.fold(0.0, f32::max) < 1e-6, "{text}: {made:?}");
        }
    }
}

#[test]
fn a_vector_holds_the_largest_logit_of_each_word_without_padding() {
    let folder = folder();
    let model = load(folder.path(), &Overrides::default()).unwrap();
    let long = vector(&[(2, 0.25), (4, 2.0), (5, 3.0), (6, 0.125)]);
    let short = vector(&[(2, 0.25), (5, 1.5), (6, 4.0)]);
    let unknown = vector(&[(1, 0.5), (2, 0.25), (6, 0.125)]);
    let none = vector(&[(2, 0.25), (6, 0.125)]);
    let texts = ["loop redirect loop", "stop", "qdrant", ""];
    check(&model, &texts, &[long.clone(), short.clone(), unknown, none]);
    check(&model, &["stop"], &[short]);
    check(&model, &[], &[]);
    // More tokens than one batch takes, in an order that batches do not keep.
    let repeated = "loop redirect ".repeat(200);
    check(&model, &[&repeated, "loop redirect", &repeated], &[long.clone(), long.clone(), long]);
}

#[test]
fn a_text_is_cut_at_the_limit() {
    let folder = folder();
    let limit = Overrides { max_tokens: Some(3), ..Overrides::default() };
    let model = load(folder.path(), &limit).unwrap();
    check(&model, &["loop stop"], &[vector(&[(2, 0.25), (4, 2.0), (5, 1.0), (6, 0.125)])]);
    assert_eq!(model.identity().model.as_ref().unwrap().max_tokens, 3);
}

#[test]
fn an_identity_has_the_hashes_of_both_files() {
    let folder = folder();
    let identity = || {
        let model = load(folder.path(), &Overrides::default()).unwrap();
        model.identity().model.clone().unwrap()
    };
    let plain = identity();
    assert_eq!((plain.dimensions, plain.pooling.as_str(), plain.normalised), (7, "max", false));
    std::fs::write(folder.path().join("tokenizer.json"), tokenizer() + "\n").unwrap();
    let other_tokenizer = identity();
    assert_eq!(plain.weights_hash, other_tokenizer.weights_hash);
    assert_ne!(plain.tokenizer_hash, other_tokenizer.tokenizer_hash);
    let table = TABLE.concat().into_iter().map(|logit| logit * 2.0).collect::<Vec<f32>>();
    std::fs::write(folder.path().join("model.onnx"), model(&[N_WORDS, N_WORDS], &table)).unwrap();
    assert_ne!(plain.weights_hash, identity().weights_hash);
}

fn check_refused(folder: &Path, words: &str) {
    let error = load(folder, &Overrides::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Model, "{error}");
    assert!(error.to_string().contains(words), "'{words}' is not in: {error}");
    assert!(error.hint().is_some() && !error.to_string().contains('\n'), "{error}");
}

#[test]
fn what_gives_no_logits_is_refused() {
    for dense in ["bge-small-shaped", "bge-m3-shaped"] {
        check_refused(&model_folder(dense), "not a logit for each word");
    }
    let flat = folder_of(&model(&[N_WORDS], &TABLE[4]));
    check_refused(flat.path(), "an output of shape [1, 1]");
    let fewer =
        folder_of(&model(&[N_WORDS, N_WORDS - 1], &TABLE.concat()[..N_WORDS * (N_WORDS - 1)]));
    check_refused(fewer.path(), "6 numbers a token");
    let shorter =
        folder_of(&model(&[N_WORDS - 1, N_WORDS], &TABLE.concat()[..N_WORDS * (N_WORDS - 1)]));
    check_refused(shorter.path(), "knows ids up to 6");
}

#[test]
fn another_pooling_is_refused() {
    let folder = folder();
    let side = folder.path().join("1_SpladePooling");
    std::fs::create_dir(&side).unwrap();
    let write = |json: &str| std::fs::write(side.join("config.json"), json).unwrap();
    write(
        r#"{"pooling_strategy": "max", "activation_function": "relu", "word_embedding_dimension": 7}"#,
    );
    load(folder.path(), &Overrides::default()).unwrap();
    write(r#"{"pooling_strategy": "sum", "activation_function": "relu"}"#);
    check_refused(folder.path(), "wants 'sum'");
    write(r#"{"pooling_strategy": "max", "activation_function": "log1p_relu"}"#);
    check_refused(folder.path(), "wants 'log1p_relu'");
}

#[test]
fn logits_that_are_no_numbers_are_refused() {
    for broken in [f32::NAN, f32::INFINITY] {
        let mut table = TABLE.concat();
        table[4 * N_WORDS] = broken;
        let folder = folder_of(&model(&[N_WORDS, N_WORDS], &table));
        let model = load(folder.path(), &Overrides::default()).unwrap();
        let error = model.embed(Role::Passage, &["loop"]).unwrap_err();
        assert!(error.to_string().contains("gives no logits"), "{error}");
        assert!(model.embed(Role::Passage, &["stop"]).is_ok());
    }
}

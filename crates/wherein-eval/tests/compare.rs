//! Comparisons over a tiny tree: real searches, ranks that can be checked by eye.
//!
//! The model is a stand-in that hashes words, so nothing is downloaded.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests, which clippy does not see")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use wherein_engine::{Embedder, ModelIdentity, Role};
use wherein_eval::{Checkouts, Comparison, EvalOptions, Method, compare};

const FILES: [(&str, &str); 4] = [
    (
        "src/lock.rs",
        "// bolt\nfn lock_account(user: u32) {\n    block(user, after(five, failures));\n}\n",
    ),
    ("src/mail.rs", "fn send_mail(to: &str) {\n    post(to, letter);\n}\n"),
    ("src/tax.rs", "fn add_tax(price: u32) -> u32 {\n    price * 119 / 100\n}\n"),
    ("tests/mail.rs", "fn letters_arrive() {\n    send_mail(letter);\n}\n"),
];

/// A tree with a suite in it, which must not find itself.
struct Tree {
    folder: tempfile::TempDir,
}

impl Tree {
    fn new() -> Tree {
        let tree = Tree { folder: tempfile::tempdir().unwrap() };
        for (path, text) in FILES {
            let file = tree.root().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        let question = |id: u32, text: &str, category: &str, path: &str, start: u32| {
            json!({"id": format!("shop/{id}"), "repo": "shop", "question": text, "category": category,
                "grep_word": "mail", "grep_phrase": "keep thieves out",
                "answers": [{"path": path, "start": start, "end": start + 2}]})
        };
        let suite = json!({"suite": "shop", "repositories": [{"name": "shop", "language": "rust"}],
            "questions": [
                question(0, "block a user after five failures", "concept", "src/lock.rs", 2),
                question(1, "keep thieves out", "concept", "src/lock.rs", 2),
                question(2, "letters arrive", "identifier", "tests/mail.rs", 1),
                question(3, "add_tax", "identifier", "src/gone.rs", 1)]});
        std::fs::write(tree.suite(), suite.to_string()).unwrap();
        tree
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn suite(&self) -> PathBuf {
        self.root().join("questions.json")
    }

    fn options(&self, checkouts: Checkouts) -> EvalOptions {
        let mut options =
            EvalOptions::new(self.suite(), checkouts, self.folder.path().join("index"));
        options.paths = vec!["src/".to_owned()];
        options
    }

    fn compare(&self, methods: &[Method]) -> Comparison {
        compare(&self.options(Checkouts::Only(self.root())), methods, &|_| ()).unwrap()
    }
}

fn column(comparison: &Comparison, scope_idx: usize, method_idx: usize) -> Vec<Option<usize>> {
    comparison.questions.iter().map(|q| q.ranks[scope_idx][method_idx]).collect()
}

#[test]
fn ranks_by_words_in_the_tree_and_in_a_scope() {
    let tree = Tree::new();
    let compared = tree.compare(&[Method::keyword()]);
    assert_eq!(column(&compared, 0, 0), [Some(1), None, Some(1), None]);
    assert_eq!(column(&compared, 1, 0), [Some(1), None, None, None]);
    assert_eq!(compared.scopes[0].n_chunks, Some(5), "the suite is indexed, and never answers");
    let counts = compared.questions[0].grep;
    assert_eq!((counts.phrase, counts.word), (Some(0), Some(2)), "the suite is not grepped");
    assert!(compared.methods[0].ask_time().is_some());
    assert!(compared.methods[0].embed_time().is_none());
}

#[test]
fn an_answer_that_is_not_in_the_checkout_is_said() {
    let compared = Tree::new().compare(&[Method::keyword()]);
    let notes: Vec<&str> = compared.notes.iter().map(String::as_str).collect();
    assert_eq!(notes, ["shop/3: its answer is not in the checkout: src/gone.rs"]);
}

#[test]
fn a_folder_of_checkouts_gives_the_same_ranks() {
    let tree = Tree::new();
    let below = tree.options(Checkouts::Below(tree.folder.path().to_owned()));
    let below = compare(&below, &[Method::keyword()], &|_| ()).unwrap();
    let only = tree.compare(&[Method::keyword()]);
    assert_eq!(column(&below, 0, 0), column(&only, 0, 0));
}

#[test]
fn another_folder_is_refused_before_anything_is_asked() {
    let tree = Tree::new();
    let elsewhere = tree.folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let options = tree.options(Checkouts::Only(elsewhere));
    let error = compare(&options, &[Method::keyword()], &|_| ()).unwrap_err();
    assert!(error.message().contains("holds no file that answers"), "{error}");
    assert!(!tree.folder.path().join("index").exists());
}

#[test]
fn each_model_has_two_columns_and_embeds_a_question_once() {
    let tree = Tree::new();
    let model = Arc::new(WordHashes::new("hashes"));
    let models: [Arc<dyn Embedder>; 1] = [model.clone()];
    let compared = tree.compare(&Method::all(&models));
    let names: Vec<&str> = compared.methods.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["keyword", "hashes", "hybrid hashes"]);
    assert_eq!(model.n_questions.load(Ordering::Relaxed), 4);
    let semantic = &compared.methods[1];
    assert_eq!(semantic.model.as_deref(), Some("hashes"));
    assert!(semantic.embed_time() <= semantic.ask_time());
    // Where the engine could not compare meanings, the columns say so.
    let unanswered = compared.notes.iter().any(|note| note.starts_with("hashes: answered without"));
    assert!(unanswered || column(&compared, 0, 1)[0] == Some(1), "{:?}", compared.questions[0]);
}

#[test]
fn models_follow_one_another_and_leave_the_everyday_index_alone() {
    let tree = Tree::new();
    let models: [Arc<dyn Embedder>; 2] =
        [Arc::new(WordHashes::new("one")), Arc::new(WordHashes::new("two"))];
    let compared = tree.compare(&Method::all(&models));
    assert_eq!(compared.methods.len(), 5);
    let everyday = tree.folder.path().join("index");
    assert!(wherein_engine::Engine::has_index(&everyday, &tree.root()), "words need no model");
    assert!(wherein_engine::Engine::has_index(&everyday.join("eval"), &tree.root()));
    assert_eq!(wherein_engine::Engine::indexed_model(&everyday, &tree.root()), None);
}

/// A bag of words, each word hashed to one of 64 components.
#[derive(Debug)]
struct WordHashes {
    identity: ModelIdentity,
    n_questions: AtomicUsize,
}

impl WordHashes {
    fn new(name: &str) -> WordHashes {
        let identity = ModelIdentity {
            name: name.to_owned(),
            weights_hash: name.to_owned(),
            tokenizer_hash: String::new(),
            pooling: "mean".to_owned(),
            question_prefix: String::new(),
            passage_prefix: String::new(),
            max_tokens: 512,
            dimensions: 64,
            normalised: true,
        };
        WordHashes { identity, n_questions: AtomicUsize::new(0) }
    }
}

impl Embedder for WordHashes {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn count_tokens(&self, _: Role, texts: &[&str]) -> wherein_engine::Result<Vec<usize>> {
        Ok(texts.iter().map(|text| words(text).count()).collect())
    }

    fn embed(&self, role: Role, texts: &[&str]) -> wherein_engine::Result<Vec<Vec<f32>>> {
        if role == Role::Question {
            self.n_questions.fetch_add(texts.len(), Ordering::Relaxed);
        }
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn vector(text: &str) -> Vec<f32> {
    // The constant keeps a text without words from having no direction.
    let mut sums = vec![1e-3_f32; 64];
    for word in words(text) {
        let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        sums[(hash >> 58) as usize] += 1.0;
    }
    let length = sums.iter().map(|sum| sum * sum).sum::<f32>().sqrt();
    sums.iter().map(|sum| sum / length).collect()
}

#[test]
fn the_suite_stays_out_of_one_mode_as_well() {
    let tree = Tree::new();
    let results = tree.folder.path().join("out.jsonl");
    let mut options = tree.options(Checkouts::Only(tree.root()));
    options.mode = wherein_engine::Mode::Keyword;
    options.paths = Vec::new();
    options.results = Some(results.clone());
    wherein_eval::run(&options, &|_| ()).unwrap();
    let ranked = wherein_eval::read_results(&results).unwrap();
    let paths = ranked.values().flatten().map(|place| place.path.as_str());
    assert!(paths.clone().count() > 0);
    assert!(paths.into_iter().all(|path| Path::new(path).extension() != Some("json".as_ref())));
}

//! Equivalence: an index that followed any sequence of edits equals one made afresh.

use proptest::collection::vec;
use proptest::prelude::*;
use wherein_engine::{Engine, EngineOptions, SearchRequest};

use crate::fixture::{Tree, counts, kept, keyword, refresh, regex};

/// One edit of the tree; places and words are drawn from few, so that edits meet.
#[derive(Debug, Clone)]
enum Edit {
    Write(usize, Vec<usize>),
    Remove(usize),
    Rename(usize, usize),
    /// A file where a folder was, or a folder with a file where a file was.
    Swap(usize),
    Ignore(usize),
    Touch(usize),
    TooLarge(usize),
    Binary(usize),
}

const PLACES: &[&str] = &[
    "a.rs",
    "b.py",
    "src/a.rs",
    "src/deep/c.go",
    "src/deep/d.md",
    "tests/test_a.py",
    "x.log",
    "keep.log",
    "node/y.js",
    "Cargo.lock",
    ".env",
    "docs/guide.md",
];
pub(crate) const WORDS: &[&str] = &[
    "walrus",
    "strip_auth",
    "parseHeader",
    "redirect",
    "loop",
    "sha256",
    "한국어",
    "test",
    "\n",
    "\n\n",
];
const IGNORES: &[&str] =
    &["", "*.log\n", "*.log\n!keep.log\n", "src/deep/\n", "/a.rs\nnode\n", "*\n!*.rs\n"];
const QUESTIONS: &[&str] = &[
    "walrus",
    "strip auth",
    "parseHeader redirect loop",
    "test",
    "국어",
    "sha256 a",
    "guide \"loop\"",
];

fn edit() -> impl Strategy<Value = Edit> {
    let place = || 0..PLACES.len();
    prop_oneof![
        6 => (place(), vec(0..WORDS.len(), 0..40)).prop_map(|(p, w)| Edit::Write(p, w)),
        2 => place().prop_map(Edit::Remove),
        2 => (place(), place()).prop_map(|(a, b)| Edit::Rename(a, b)),
        1 => place().prop_map(Edit::Swap),
        1 => (0..IGNORES.len()).prop_map(Edit::Ignore),
        1 => place().prop_map(Edit::Touch),
        1 => place().prop_map(Edit::TooLarge),
        1 => place().prop_map(Edit::Binary),
    ]
}

/// What may stand in the way of a file: a folder of its name, or files where its folders should be.
fn make_room(tree: &Tree, place: &str) {
    let path = tree.path(place);
    for above in path.ancestors().take_while(|dir| *dir != tree.root()) {
        if above.is_file() || (above == path && above.is_dir()) {
            tree.remove(above);
        }
    }
}

fn apply(tree: &Tree, edit: &Edit) {
    let write = |place: usize, bytes: &[u8]| {
        make_room(tree, PLACES[place]);
        tree.write(PLACES[place], bytes);
    };
    match edit {
        Edit::Write(place, words) => {
            let words: Vec<&str> = words.iter().map(|i| WORDS[*i]).collect();
            write(*place, words.join(" ").as_bytes());
        }
        Edit::TooLarge(place) => write(*place, &b"walrus\n".repeat(150_000)),
        Edit::Binary(place) => write(*place, b"walrus\0"),
        Edit::Ignore(i) => tree.write(".gitignore", IGNORES[*i]),
        Edit::Remove(place) if tree.path(PLACES[*place]).exists() => tree.remove(PLACES[*place]),
        Edit::Rename(from, to) if from != to && tree.path(PLACES[*from]).is_file() => {
            let bytes = std::fs::read(tree.path(PLACES[*from])).unwrap();
            make_room(tree, PLACES[*to]);
            tree.write(PLACES[*to], "");
            if tree.path(PLACES[*from]).is_file() {
                std::fs::rename(tree.path(PLACES[*from]), tree.path(PLACES[*to])).unwrap();
            } else {
                tree.write(PLACES[*to], bytes);
            }
        }
        Edit::Swap(place) if tree.path(PLACES[*place]).is_file() => {
            tree.remove(PLACES[*place]);
            tree.write(format!("{}/inner.rs", PLACES[*place]), "walrus inside\n");
        }
        Edit::Touch(place) if tree.path(PLACES[*place]).is_file() => {
            let file =
                std::fs::File::options().append(true).open(tree.path(PLACES[*place])).unwrap();
            file.set_modified(std::time::SystemTime::now()).unwrap();
        }
        _ => {}
    }
}

/// All that an index says: files, skips, problems, and every hit with its score.
pub(crate) fn everything(engine: &Engine, questions: &[&str]) -> Vec<String> {
    let report = refresh(engine);
    let mut all = vec![format!("{} files, skipped {}", report.n_files, counts(&report.skipped))];
    all.extend(report.problems.iter().map(|p| format!("problem {}: {}", p.path, p.reason)));
    all.extend(kept(engine));
    let requests =
        questions.iter().map(|text| SearchRequest { limit: Some(1000), ..keyword(text) });
    for request in requests.chain([regex("(walrus|loop)")]) {
        for hit in engine.search(&request).expect("an answer").hits {
            let (score, parts) = (hit.score, hit.parts.lexical);
            all.push(format!(
                "{}: {}:{}-{} {score} {parts:?} {}",
                request.text, hit.path, hit.start_line, hit.end_line, hit.kind
            ));
        }
    }
    let status = engine.status().expect("a status");
    all.push(format!(
        "{} chunks, {} bytes, stale {}",
        status.n_chunks, status.n_bytes, status.stale
    ));
    all.push(format!("by language {:?}", status.by_language));
    all
}

/// The same, of a new index in another place.
pub(crate) fn fresh(tree: &Tree, questions: &[&str]) -> Vec<String> {
    let base = tempfile::tempdir().unwrap();
    let options = EngineOptions { index_base: base.path().to_path_buf(), ..tree.options() };
    everything(&Engine::open(options).unwrap(), questions)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn incremental_equals_fresh(steps in vec(vec(edit(), 1..4), 1..7)) {
        let tree = Tree::new("//- a.rs\nfn walrus() { redirect loop }\n//- docs/guide.md\nThe loop guide.\n");
        let engine = tree.engine();
        refresh(&engine);
        for step in &steps {
            step.iter().for_each(|edit| apply(&tree, edit));
            let (followed, made) = (everything(&engine, QUESTIONS), fresh(&tree, QUESTIONS));
            prop_assert_eq!(&followed, &made, "after {:?}", step);
            prop_assert_eq!(refresh(&engine).generation, refresh(&tree.engine()).generation);
        }
    }
}

/// Found by the property above: the new file went behind the others, and the search for the changed one lost
/// its way among them, so that it was entered a second time.
#[test]
fn a_new_file_beside_a_changed_one() {
    let tree =
        Tree::new("//- b.rs\nfn walrus() {}\n//- c.rs\nfn walrus_too() {}\n//- d.rs\nother\n");
    let engine = tree.engine();
    refresh(&engine);
    tree.write("a.rs", "new\n");
    tree.write("c.rs", "fn walrus_changed() {}\n");
    let report = refresh(&engine);
    assert_eq!((report.n_files, report.added, report.changed), (4, 1, 1));
    tree.check(&regex("walrus"), &["b.rs:1-1", "c.rs:1-1"]);
}

//! What an engine remembers between questions changes no answer: not when files change, not with many who ask.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use wherein_engine::{Answer, Embedder, Engine, EngineOptions, Filter, Kind, Mode, SearchRequest};

use crate::fixture::{Tree, refresh};
use crate::table;

/// Files are remembered once they have settled, which takes two seconds.
const SETTLED: Duration = Duration::from_millis(2300);

const QUESTIONS: [&str; 7] = [
    "where do birds wait",
    "cross_12",
    "HeronRiver",
    "the vessel that traverses the river by itself",
    "fix the stork that does not pause",
    "tests of the ferry",
    "\"let heron_3\" ferry",
];

fn long_tree() -> Tree {
    let tree =
        Tree::new("//- docs/guide.md\nThe heron waits for the ferry in the reeds of the river.\n");
    for i in 0..24 {
        let body: String = (0..10 + i * 4)
            .map(|j| format!("    let heron_{j} = ferry({i}, river); // pause {j}, word{i}x{j}\n"))
            .collect();
        let head = format!("/// Crosses the water {i} times, as the stork does.\n");
        let types = format!("pub struct HeronRiver{i} {{\n    vessel: u{i},\n}}\n\n");
        tree.write(
            format!("src/v{}/mod{i:02}.rs", i % 3),
            format!("{types}{head}fn cross_{i}(water: u8) {{\n{body}}}\n"),
        );
    }
    // A copy, a file of Windows and one that is no UTF-8.
    let copied = std::fs::read(tree.path("src/v0/mod03.rs")).expect("a file");
    tree.write("vendor/mod03.rs", copied);
    tree.write("src/windows.rs", "fn vessel() {\r\n    heron();\r\n}\r\n".repeat(9));
    tree.write("src/latin.rs", b"// caf\xe9 of the ferry\nfn ferry_cafe() {}\n");
    tree
}

fn requests() -> Vec<SearchRequest> {
    let modes = [Mode::Keyword, Mode::Hybrid, Mode::Semantic];
    let of = |mode| QUESTIONS.map(|text| SearchRequest { mode, ..SearchRequest::new(text) });
    let mut requests: Vec<SearchRequest> = modes.into_iter().flat_map(of).collect();
    let plain = SearchRequest::new("where does the heron cross");
    requests.push(SearchRequest { limit: Some(60), context: 4, explain: true, ..plain.clone() });
    let filter = Filter { kinds: vec![Kind::Docs], ..Filter::default() };
    requests.push(SearchRequest { filter, ..plain.clone() });
    let mut other = plain;
    other.best_lines.window_lines = 3;
    requests.push(other);
    requests
}

fn with(options: EngineOptions, cache_bytes: usize, threads: Option<usize>) -> Engine {
    static MODEL: OnceLock<Arc<dyn Embedder>> = OnceLock::new();
    let embedder = Some(Arc::clone(MODEL.get_or_init(table::model)));
    Engine::open(EngineOptions { embedder, cache_bytes, threads, ..options }).expect("an engine")
}

/// Everything of an answer, with the bits of its scores.
fn told(answer: &Answer) -> String {
    let scores: Vec<u32> = answer.hits.iter().map(|hit| hit.score.to_bits()).collect();
    let Answer { hits, n_matches, degraded, confidence, generation, .. } = answer;
    format!("{scores:?} {n_matches} {degraded:?} {confidence:?} {generation} {hits:#?}")
}

#[track_caller]
fn same(a: &Engine, b: &Engine, when: &str) {
    for request in requests() {
        let [a, b] = [a, b].map(|engine| told(&engine.search(&request).expect("an answer")));
        assert!(a == b, "{when}: {:?} ({})\n{a}\n{b}", request.text, request.mode.as_str());
    }
}

#[test]
fn what_is_remembered_changes_no_answer() {
    let tree = long_tree();
    let engine = with(tree.options(), EngineOptions::CACHE_BYTES, None);
    let forgetful = with(tree.options(), 0, Some(1));
    refresh(&engine);
    same(&engine, &forgetful, "young files");
    assert_eq!(forgetful.cached_bytes(), 0);
    std::thread::sleep(SETTLED);
    same(&engine, &forgetful, "first");
    let settled = engine.cached_bytes();
    assert!(settled > 200_000, "texts and vectors are remembered: {settled}");
    same(&engine, &forgetful, "again");
    assert_eq!(engine.cached_bytes(), settled, "nothing is worked out twice");
    tree.write("src/v0/mod21.rs", "fn cross_21() { heron_of_another_kind() }\n");
    tree.remove("src/v1/mod22.rs");
    let swapped = std::fs::read(tree.path("src/v2/mod23.rs")).expect("a file");
    tree.write("src/v2/mod20.rs", swapped);
    same(&engine, &forgetful, "files changed and nobody looked");
    refresh(&engine);
    forgetful.refresh(&|_| ()).expect("a refresh");
    same(&engine, &forgetful, "refreshed");
    std::thread::sleep(SETTLED);
    same(&engine, &forgetful, "refreshed and settled");
    engine.rebuild(&|_| ()).expect("an index");
    let fresh = with(tree.options(), 0, Some(3));
    same(&engine, &fresh, "made anew");
}

#[test]
fn what_is_remembered_is_bounded() {
    let tree = long_tree();
    refresh(&with(tree.options(), 0, None));
    std::thread::sleep(SETTLED);
    let forgetful = with(tree.options(), 0, None);
    for (cache_bytes, rounds) in [(20_000, 1), (400_000, 2)] {
        let engine = with(tree.options(), cache_bytes, None);
        for round in 0..rounds {
            for request in requests().into_iter().step_by(3) {
                let answer = engine.search(&request).expect("an answer");
                let plain = forgetful.search(&request).expect("an answer");
                assert_eq!(told(&answer), told(&plain), "{cache_bytes} {round}");
                // What one question needs is there while it is answered, whatever the bound.
                engine.search(&SearchRequest::new("x")).expect("an answer");
                let n_bytes = engine.cached_bytes();
                assert!(n_bytes <= cache_bytes + 60_000, "{n_bytes} of {cache_bytes}");
            }
        }
    }
}

#[test]
fn many_who_ask_at_once_get_what_one_gets() {
    let tree = long_tree();
    let forgetful = with(tree.options(), 0, Some(1));
    refresh(&forgetful);
    let requests = requests();
    let wanted: Vec<String> = requests
        .iter()
        .map(|request| told(&forgetful.search(request).expect("an answer")))
        .collect();
    std::thread::sleep(SETTLED);
    for cache_bytes in [EngineOptions::CACHE_BYTES, 300_000] {
        let engine = with(tree.options(), cache_bytes, Some(3));
        std::thread::scope(|scope| {
            for asker in 0..8 {
                let (engine, requests, wanted) = (&engine, &requests, &wanted);
                scope.spawn(move || {
                    // Everybody begins elsewhere.
                    for i in (0..requests.len()).map(|i| (i + 5 * asker) % requests.len()) {
                        let answer = engine.search(&requests[i]).expect("an answer");
                        assert!(told(&answer) == wanted[i], "{:?}", requests[i]);
                    }
                });
            }
        });
    }
}

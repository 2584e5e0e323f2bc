//! The ranking: what comes first, what shares a place, and how sure an answer is.

use wherein_engine::{Answer, Confidence, Engine, EngineOptions, Mode, SearchRequest};

use crate::fixture::{Tree, ask, keyword, printed};
use crate::table;

fn scored(answer: &Answer) -> Vec<(String, f32)> {
    printed(&answer.hits).into_iter().zip(answer.hits.iter().map(|hit| hit.score)).collect()
}

/// A function of its own words, long enough to be told from others.
fn body(word: &str) -> String {
    let line = |i: u32| format!("    {word}_{i}(first_{i}, {word}, {});\n", i * 7);
    format!("fn {word}() {{\n{}}}\n", (0..6).map(line).collect::<String>())
}

#[test]
fn copies_share_a_place_and_are_named() {
    let tree = Tree::new("");
    for path in ["src/walrus.rs", "vendor/one/walrus.rs", "vendor/two/walrus.rs"] {
        tree.write(path, body("walrus"));
    }
    tree.write("src/seal.rs", body("seal").replace("first_3", "walrus"));
    let answer = ask(&tree.engine(), &keyword("walrus"));
    assert_eq!(printed(&answer.hits), ["src/walrus.rs:1-8", "src/seal.rs:1-8"]);
    let copies: Vec<&str> = answer.hits[0].copies.iter().map(|copy| copy.path.as_str()).collect();
    assert_eq!(copies, ["vendor/one/walrus.rs", "vendor/two/walrus.rs"]);
    assert!(answer.hits[1].copies.is_empty());
}

#[test]
fn places_that_only_look_alike_are_no_copies() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n//- b.rs\nfn walrus() {}\n");
    assert_eq!(ask(&tree.engine(), &keyword("walrus")).hits.len(), 2, "too short to tell");
}

#[test]
fn a_copy_beyond_the_limit_does_not_shorten_the_list() {
    let tree = Tree::new("");
    for i in 0..6 {
        tree.write(format!("copies/walrus{i}.rs"), body("walrus"));
    }
    for name in ["seal", "otter", "orca"] {
        tree.write(format!("src/{name}.rs"), body(name).replace("first_3", "walrus"));
    }
    let request = SearchRequest { limit: Some(4), ..keyword("walrus") };
    assert_eq!(ask(&tree.engine(), &request).hits.len(), 4);
}

#[test]
fn neighbours_are_one_hit() {
    let tree = Tree::new("");
    // Two functions that are each too long to share a chunk with the other, and short together.
    let long = |name: &str| {
        let line = |i: u32| format!("    {name}_walrus_{i}({}, \"{}\");\n", i, "x".repeat(60));
        format!("fn {name}_walrus() {{\n{}}}\n", (0..11).map(line).collect::<String>())
    };
    tree.write("src/a.rs", format!("{}{}", long("feed"), long("wash")));
    tree.write("src/b.rs", "fn other() {}\n");
    let hits = ask(&tree.engine(), &keyword("walrus")).hits;
    assert_eq!(printed(&hits), ["src/a.rs:1-26"]);
}

#[test]
fn an_answer_says_when_nothing_is_close() {
    let tree = Tree::new("");
    for name in ["walrus", "seal", "otter"] {
        tree.write(format!("src/{name}.rs"), body(name));
    }
    let sure = |text: &str| ask(&tree.engine(), &keyword(text)).confidence;
    assert_eq!(sure("walrus"), Some(Confidence::High));
    assert_eq!(sure("how does the parliament of first nations vote"), Some(Confidence::Low));
    assert_eq!(sure("zebra"), None, "nothing was found");
    let exact = SearchRequest { mode: Mode::Exact, ..SearchRequest::new("walrus") };
    assert_eq!(ask(&tree.engine(), &exact).confidence, None, "lines are not ranked");
}

#[test]
fn c08_the_definition_of_a_name_comes_before_its_callers_and_decoys() {
    let tree = Tree::new(
        "
        //- src/calls.rs
        fn run() { frob_widget(1); frob_widget(2); frob_widget(3); frob_widget(4); }
        //- src/decoy.rs
        /// Frobs widgets: each widget is frobbed. A widget that was frobbed is a frobbed widget.
        fn polish_widget() {}
        //- src/widgets.rs
        fn frob_widget(n: u8) {}
        ",
    );
    let model = table::of(&["frob polish", "widget part", "run call"]);
    let hybrid = EngineOptions { embedder: Some(model), ..tree.options() };
    for engine in [tree.engine(), Engine::open(hybrid).unwrap()] {
        for text in ["frob_widget", "frobWidget", "frob_widget()"] {
            let hits = ask(&engine, &SearchRequest::new(text)).hits;
            assert_eq!(hits[0].path, "src/widgets.rs", "{text}");
            assert_eq!(hits[1].path, "src/calls.rs", "{text}");
        }
    }
}

#[test]
fn the_order_does_not_depend_on_threads_or_on_the_limit() {
    let tree = Tree::new("");
    for i in 0..60_u32 {
        let lines =
            (0..i % 7 + 2).map(|j| format!("    heron_{j}(ferry, {}); // river {i}\n", i * j));
        let text = format!("fn cross_{i}() {{\n{}}}\n", lines.collect::<String>());
        tree.write(format!("src/m{}/f{i:02}.rs", i % 5), text);
    }
    let model = table::of(&["heron bird", "ferry ship", "river water", "crosses traverse"]);
    let answers = |threads: usize, limit: usize| {
        let base = tempfile::tempdir().unwrap();
        let options = EngineOptions {
            threads: Some(threads),
            embedder: Some(std::sync::Arc::clone(&model)),
            index_base: base.path().into(),
            ..tree.options()
        };
        let engine = Engine::open(options).unwrap();
        let questions = ["a bird on the water", "cross_7", "ship"];
        let ask = |text: &&str| {
            scored(&ask(
                &engine,
                &SearchRequest { limit: Some(limit), ..SearchRequest::new(*text) },
            ))
        };
        questions.iter().map(ask).collect::<Vec<_>>()
    };
    let all = answers(1, 200);
    assert_eq!(all, answers(4, 200));
    for (few, many) in answers(2, 3).iter().zip(&all) {
        assert_eq!(few[..], many[..3], "a larger limit changes nothing above");
    }
    assert!(all.iter().all(|hits| hits.is_sorted_by(|a, b| a.1 >= b.1)), "scores never rise");
}

#[test]
fn a_language_that_was_asked_for_comes_first() {
    let tree = Tree::new(
        "
        //- src/cart.py
        def total_of_cart(items): return sum(items)
        //- src/cart.rb
        def total_of_cart(items) = items.sum
        ",
    );
    let first = |text: &str| ask(&tree.engine(), &keyword(text)).hits.remove(0).path;
    assert_eq!(first("total of the cart in python"), "src/cart.py");
    assert_eq!(first("total of the cart in ruby"), "src/cart.rb");
}

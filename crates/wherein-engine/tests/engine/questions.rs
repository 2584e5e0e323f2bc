//! Questions of every kind: names, places, what was pasted, other languages, and those that say nothing.

use std::sync::Arc;

use wherein_engine::{Engine, EngineOptions, Mode, SearchRequest};

use crate::double::HashingEmbedder;
use crate::fixture::{Tree, ask, check, keyword, printed};
use crate::table;

/// A shop: each function in a chunk of its own.
const SHOP: &str = r#"
    //- shop/cart.py
    class Cart:
        def checkout(self, lines):
            total = self.sum_lines(lines)
            return total + tax_of(total, self.country)
    //- shop/tax.py
    RATES = {"DE": 19, "FR": 20}


    def tax_of(net, country):
        """The tax on a net amount."""
        return net * RATES[country] / 100
    //- shop/total.py
    # total lines line file checkout: every word of a trace, again and again
    # File line in total return self lines File line in total return self lines
    def total(): return "total of the lines of the file"
    //- shop/errors.py
    class RateMissing(KeyError):
        """There is no rate for a country."""
    //- docs/guide.md
    The cart and its checkout: the total of all lines, with tax. Every file, every line.
    //- tests/test_cart.py
    def test_checkout():
        assert Cart("DE").checkout([]) == 0
    "#;

/// The first path of the answer, and what is said of the question.
#[track_caller]
fn first(tree: &Tree, question: &str) -> (String, Vec<String>) {
    let answer = ask(&tree.engine(), &keyword(question));
    let first = answer.hits.first().map_or(String::new(), |hit| hit.path.clone());
    (first, answer.degraded)
}

#[track_caller]
fn check_first(question: &str, expected: &str) {
    let (path, degraded) = first(&Tree::new(SHOP), question);
    assert_eq!((path.as_str(), degraded.len()), (expected, 0), "{question}\n{degraded:?}");
}

const TRACE: &str = r#"Traceback (most recent call last):
  File "/srv/ann/code/shop/cart.py", line 4, in checkout
    return total + tax_of(total, self.country)
  File "/srv/ann/code/shop/tax.py", line 6, in tax_of
    return net * RATES[country] / 100
KeyError: 'IT'
"#;

#[test]
fn a_stack_trace_leads_to_its_innermost_frame_then_outward() {
    let tree = Tree::new(SHOP);
    let found = tree.ask(&keyword(TRACE));
    assert_eq!(found[..2], ["shop/tax.py:1-6", "shop/cart.py:1-4"], "{found:#?}");
}

#[test]
fn a_stack_trace_of_files_that_are_not_here_leads_by_its_functions() {
    let trace = TRACE.replace("/srv/ann/code/shop", "/opt/other");
    let (path, degraded) = first(&Tree::new(SHOP), &trace);
    assert_eq!(path, "shop/tax.py");
    assert_eq!(degraded, ["no file that the pasted text names is here"]);
}

#[test]
fn a_frame_that_may_be_any_of_several_files_leads_to_none() {
    let tree = Tree::new("");
    for crate_name in ["a", "b"] {
        let filler = "fn filler() {}\n".repeat(20);
        tree.write(format!("{crate_name}/src/lib.rs"), filler);
    }
    tree.write("c/src/pump.rs", "fn pump_water() {}\n");
    let frame = "thread 'main' panicked at src/lib.rs:10:5:\nno water in pump_water";
    assert_eq!(tree.ask(&keyword(frame))[0], "c/src/pump.rs:1-1");
    let alone = tree.ask(&keyword("src/lib.rs:10"));
    assert_eq!(alone[..2], ["a/src/lib.rs:1-20", "b/src/lib.rs:1-20"], "alone both lead");
}

#[test]
fn what_the_asker_writes_in_front_of_a_trace_counts() {
    let tree = Tree::new(SHOP);
    let found = tree.ask(&keyword(&format!("which test covers this?\n{TRACE}")));
    assert!(found.contains(&"tests/test_cart.py:1-2".to_owned()), "{found:#?}");
}

#[test]
fn a_trace_of_java_leads_to_its_method() {
    let tree = "
        //- app/src/main/java/com/acme/Cart.java
        package com.acme;
        class Cart {
            int total() {
                return lines.get(0).price();
            }
        }
        //- app/src/main/java/com/acme/other/Cart.java
        package com.acme.other;
        class Cart {
            int total() { return 0; }
        }
        ";
    let trace = "Exception in thread \"main\" java.lang.NullPointerException\n\
                 \tat java.base/java.util.ArrayList.get(ArrayList.java:427)\n\
                 \tat com.acme.Cart.total(Cart.java:4)\n\
                 \tat com.acme.App.main(App.java:9)\n";
    let found = Tree::new(tree).ask(&keyword(trace));
    assert_eq!(found[0], "app/src/main/java/com/acme/Cart.java:1-6", "{found:#?}");
}

#[test]
fn a_diff_leads_to_what_it_changes() {
    let diff = "diff --git a/shop/tax.py b/shop/tax.py\n--- a/shop/tax.py\n+++ b/shop/tax.py\n@@ -4,3 +4,3 @@ def tax_of(net, country):\n     \
                \"\"\"The tax on a net amount.\"\"\"\n-    return net * RATES[country] / 100\n+    return net * RATES.get(country, 0) / 100\n";
    check_first(diff, "shop/tax.py");
}

#[test]
fn the_text_of_an_error_leads_to_its_names() {
    check_first("shop.errors.RateMissing: There is no rate for IT", "shop/errors.py");
    check_first("error: cannot find `tax_of` in this scope", "shop/tax.py");
    // Quotes of a message demand nothing; those of a question do.
    check_first("KeyError: \"IT\" while in tax_of", "shop/tax.py");
}

#[test]
fn a_place_is_answered_by_what_lies_there() {
    let tree = Tree::new(SHOP);
    let filler: String =
        (1..200).map(|i| format!("def filler_{i}():\n    return {i} * {i}\n\n")).collect();
    tree.write("shop/long.py", filler);
    for question in
        ["shop/long.py:301", "long.py:301:5", "/srv/x/shop/long.py:301", "long.py line 301"]
    {
        let hit = ask(&tree.engine(), &keyword(question)).hits.remove(0);
        assert_eq!(hit.path, "shop/long.py", "{question}");
        assert!((hit.start_line..=hit.end_line).contains(&301), "{question}: {}", hit.start_line);
    }
    assert_eq!(tree.ask(&keyword("tests/test_cart.py:2"))[0], "tests/test_cart.py:1-2");
    assert_eq!(tree.ask(&keyword("shop/errors.py:999"))[0], "shop/errors.py:1-2");
    let mut elsewhere = keyword("shop/long.py:301");
    elsewhere.filter.not_paths = vec!["shop/long.py".to_owned()];
    assert!(tree.ask(&elsewhere).iter().all(|hit| !hit.starts_with("shop/long.py")));
}

#[test]
fn a_place_leads_with_a_model_too() {
    let tree = Tree::new(SHOP);
    let embedder = Arc::new(HashingEmbedder::new("double"));
    let options = EngineOptions { embedder: Some(embedder), ..tree.options() };
    let engine = Engine::open(options).unwrap();
    let answer = ask(&engine, &SearchRequest::new("shop/tax.py:5"));
    assert_eq!(answer.mode, Mode::Hybrid);
    assert_eq!(printed(&answer.hits)[0], "shop/tax.py:1-6");
    assert_eq!(printed(&ask(&engine, &SearchRequest::new(TRACE)).hits)[0], "shop/tax.py:1-6");
}

#[test]
fn a_file_that_does_not_exist_is_named() {
    let tree = Tree::new(SHOP);
    let said = |question: &str| first(&tree, question).1;
    assert_eq!(said("what does foo/bar.rs do"), ["no file here is named foo/bar.rs"]);
    assert_eq!(said("shop/gone.py:12"), ["no file here is named shop/gone.py"]);
    assert_eq!(
        said("gone.py and lost.py"),
        ["no file here is named gone.py", "no file here is named lost.py"]
    );
    for question in [
        "what does cart.py do",
        "where does response.json decode",
        "shop/cart.py:1",
        "how do we use node.js",
        "and/or",
    ] {
        assert!(said(question).is_empty(), "{question}: {:?}", said(question));
    }
    let exact = SearchRequest { mode: Mode::Exact, ..SearchRequest::new("foo/bar.rs") };
    assert!(
        ask(&tree.engine(), &exact).degraded.is_empty(),
        "a text that is looked for is no question"
    );
}

#[test]
fn a_file_that_was_left_out_is_not_called_missing() {
    let tree = Tree::new(SHOP);
    tree.write("shop/blob.py", b"\0\0\0\0");
    assert!(first(&tree, "what does shop/blob.py do").1.is_empty());
}

#[test]
fn only_stop_words() {
    check(
        "//- a.rs\n// to be or not to be\n//- b.rs\nfn walrus() {}\n",
        "to be or not",
        "a.rs:1-1",
    );
    check("//- a.rs\nfn walrus() {}\n", "what is it that we do", "");
    check("//- a.rs\nfn walrus() {}\n", "dove è che si fa", "");
}

#[test]
fn only_punctuation() {
    for question in ["?!", "...", "->", "{}();", "¿?", "\"", "''", "::", "@@ -1 +1 @@", "🦀"] {
        check("//- a.rs\nfn walrus() { a -> b; \"x\" }\n", question, "");
    }
}

#[test]
fn code_words_lead_in_other_languages() {
    check_first("dove calcoliamo la tassa con tax_of per il paese?", "shop/tax.py");
    check_first("di mana kita menghitung pajak dengan tax_of untuk negara?", "shop/tax.py");
    check_first("¿dónde se calcula el impuesto con tax_of de un país?", "shop/tax.py");
    check_first("wo wird in checkout die Summe der lines gebildet, und von Cart?", "shop/cart.py");
}

#[test]
fn small_words_of_other_languages_find_nothing() {
    let tree = "
        //- src/lib.rs
        fn redirect() {}
        //- docs/it.md
        dove che gli il la per non con di un una dei delle nel
        ";
    check(tree, "dove gestiamo il redirect che non va con gli altri", "src/lib.rs:1-1");
}

#[test]
fn a_model_that_does_not_read_the_language_is_said_so() {
    let tree = Tree::new(SHOP);
    let model = table::of(&["tax rate country", "cart checkout total"]);
    let engine = Engine::open(EngineOptions { embedder: Some(model), ..tree.options() }).unwrap();
    let said = |text: &str| ask(&engine, &SearchRequest::new(text)).degraded;
    assert_eq!(
        said("dove calcoliamo il total per il country?"),
        ["the question looks Italian, which the model table does not read: code words lead"]
    );
    assert!(said("where do we calculate the total for the country?").is_empty());
    assert!(said("checkout").is_empty());
    // Nobody knows what another model reads.
    let other = Arc::new(HashingEmbedder::new("double"));
    let tree = Tree::new(SHOP);
    let engine = Engine::open(EngineOptions { embedder: Some(other), ..tree.options() }).unwrap();
    let answer = ask(&engine, &SearchRequest::new("dove calcoliamo il total per il country?"));
    assert!(answer.degraded.is_empty(), "{:?}", answer.degraded);
}

/// Names that only look like those of tests.
const ALIKE: &str = "
    //- src/latest.rs
    pub fn retry_policy() { wait(); retry(); }
    //- src/contest.py
    def retry_policy(): wait(); retry()
    //- src/TestRunner.java
    class TestRunner { void retryPolicy() { wait(); retry(); } }
    //- tests/checks.rs
    #[test]
    fn retry_policy() { wait(); retry(); }
    ";

#[test]
fn c09_a_question_that_says_test_raises_tests() {
    let tree = Tree::new(&ALIKE.replace("checks.rs", "retry_test.rs"));
    let places_of = |question: &str| {
        let found = tree.ask(&keyword(question));
        found.iter().position(|hit| hit.starts_with("tests/")).unwrap()
    };
    assert_eq!(places_of("tests of the retry policy"), 0);
    assert!(places_of("retry policy") > 1);
}

#[test]
fn c09_names_that_look_like_tests_are_not_pushed_down() {
    for path in ["src/latest.rs", "src/contest.py", "src/TestRunner.java"] {
        let answer = ask(&Tree::new(ALIKE).engine(), &keyword("retry policy"));
        let hit = answer.hits.iter().find(|hit| hit.path == path).unwrap();
        assert_eq!(hit.kind.as_str(), "source", "{path}");
        let places: Vec<&str> = answer.hits.iter().map(|hit| hit.path.as_str()).collect();
        assert_eq!(places.last(), Some(&"tests/checks.rs"), "{places:?}");
    }
    // Nor does a name that holds the word ask for tests.
    let found = Tree::new(ALIKE).ask(&keyword("latest retry policy"));
    assert_eq!(found[0], "src/latest.rs:1-1", "{found:#?}");
    assert_eq!(found.last().map(String::as_str), Some("tests/checks.rs:1-2"), "{found:#?}");
}

#[test]
fn c08_a_rare_name_is_found_where_it_is_defined() {
    let tree = Tree::new(
        "
        //- src/sessions.py
        class SessionRedirectMixin:
            def should_strip_auth(self, old_url, new_url):
                return old_url != new_url
        //- src/decoys.py
        # strip the auth: should we strip auth? strip auth, strip auth, should strip
        def strip_auth_or_not(): pass
        //- src/caller.py
        def rebuild(self):
            if self.should_strip_auth(a, b) or self.should_strip_auth(b, a):
                del headers
        //- docs/auth.md
        `should_strip_auth` says whether to strip auth. See should_strip_auth.
        //- tests/test_auth.py
        def test_should_strip_auth(): assert should_strip_auth(1, 2)
        ",
    );
    for question in [
        "should_strip_auth",
        "`should_strip_auth`",
        "SessionRedirectMixin.should_strip_auth",
        "def should_strip_auth",
    ] {
        assert_eq!(tree.ask(&keyword(question))[0], "src/sessions.py:1-3", "{question}");
    }
}

#[test]
fn a_trace_as_long_as_a_question_may_be_is_answered_soon() {
    let tree = Tree::new(SHOP);
    let frame = |i: usize| {
        format!(
            "  File \"/srv/pkg{i}/mod{i}.py\", line {i}, in step_{i}\n    return step_{i}(value_{i})\n"
        )
    };
    let frames: String = (0..650).map(frame).collect();
    let trace = format!(
        "Traceback (most recent call last):\n{frames}{}",
        TRACE.split_once('\n').unwrap().1
    );
    assert!((50_000..65_536).contains(&trace.len()), "{}", trace.len());
    let started = std::time::Instant::now();
    assert_eq!(tree.ask(&keyword(&trace))[0], "shop/tax.py:1-6");
    // No timing test: what is feared is minutes, in an unoptimised build.
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

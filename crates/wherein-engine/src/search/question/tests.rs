//! What questions are: tables of examples, and that no text is too odd.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::QuestionType::{Pasted, Prose, Symbol};
use super::*;

fn of(text: &str) -> Question {
    Question::of(text, &read(text).0)
}

/// Places as `path:line`, symbols as `parent.name`, in their order.
fn named(question: &Question) -> String {
    let place = |place: &PlaceMention| match place.line {
        Some(line) => format!("{}:{line}", place.path),
        None => place.path.clone(),
    };
    let symbol = |symbol: &SymbolMention| match &symbol.parent {
        Some(parent) => format!("{parent}.{}", symbol.name),
        None => symbol.name.clone(),
    };
    let places = question.places.iter().map(place);
    places.chain(question.symbols.iter().map(symbol)).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(kind: QuestionType, examples: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (text, expected) in examples {
        let question = of(text);
        let found = named(&question);
        if (question.kind, found.as_str()) != (kind, *expected) {
            wrong += &format!(
                "{text}\n  expected {kind:?} {expected}\n  found {:?} {found}\n",
                question.kind
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn names_and_places() {
    check(
        Symbol,
        &[
            ("should_strip_auth", "should_strip_auth"),
            ("shouldStripAuth", "shouldStripAuth"),
            ("MAX_RETRIES", "MAX_RETRIES"),
            ("HTTPServer", "HTTPServer"),
            ("__init__", "__init__"),
            ("redirect", "redirect"),
            ("Session", "Session"),
            ("GET", "GET"),
            ("max-age", "max-age"),
            ("Session.get", "Session.get"),
            ("requests.sessions.Session.send", "Session.send"),
            ("a::b", "a.b"),
            ("A.b", "A.b"),
            ("A#b", "A.b"),
            ("a->b", "a.b"),
            ("std::vec::Vec<T>::push", "Vec.push"),
            ("App\\Http\\Kernel", "Http.Kernel"),
            ("Enum.map/2", "Enum.map"),
            ("rewind_body()", "rewind_body"),
            ("Session.get()?", "Session.get"),
            ("println!", "println"),
            ("@cached_property", "cached_property"),
            ("`parse`", "parse"),
            ("\"should_strip_auth\"", "should_strip_auth"),
            ("fn parse", "parse"),
            ("class Session", "Session"),
            ("def rewind_body", "rewind_body"),
            ("rewind_body super_len", "rewind_body super_len"),
            ("src/requests/sessions.py", "src/requests/sessions.py"),
            ("sessions.py", "sessions.py"),
            ("src/a.rs:120", "src/a.rs:120"),
            ("src/a.rs:120:5", "src/a.rs:120"),
            ("./src/a.rs:120-140", "src/a.rs:120"),
            ("src/a.ts(3,4)", "src/a.ts:3"),
            ("src/a.go#L12", "src/a.go:12"),
            ("src/a.go#L12-L20", "src/a.go:12"),
            ("C:\\shop\\Cart.cs:7", "/shop/Cart.cs:7"),
            ("cart.py line 12", "cart.py:12"),
            ("line 12 of cart.py", "cart.py:12"),
            ("Makefile:3", "Makefile:3"),
            ("메시지", "메시지"),
        ],
    );
}

#[test]
fn sentences_and_plain_words() {
    check(
        Prose,
        &[
            ("how do we follow the redirect", ""),
            ("strip auth", ""),
            ("get_adapter mount", "get_adapter"),
            ("where is rewind_body called?", "rewind_body"),
            ("who calls Session.get and why", "Session.get"),
            ("why does src/a.rs:120 panic", "src/a.rs:120"),
            ("what does cart.py do", "cart.py"),
            ("where is `parse` defined", "parse"),
            ("what does retry() do", "retry"),
            ("class hierarchy of the models", ""),
            ("how does node.js load modules, e.g. CommonJS", "CommonJS"),
            ("read and/or write of application/json", ""),
            ("see https://example.com/a/b.html", ""),
            ("we use TypeScript and PostgreSQL on GitHub", ""),
            ("the URLs of version 2.32.3", ""),
            ("case-insensitive names", ""),
            ("to be", ""),
            ("?!", ""),
            ("如何解析配置文件的内容", ""),
            ("2024", ""),
            ("the error: how is it handled?", ""),
            ("first question\nsecond question", ""),
            ("a b c d e", ""),
        ],
    );
}

#[test]
fn stack_traces_lead_with_their_innermost_frame() {
    let python = "Traceback (most recent call last):\n  File \"/srv/shop/cart.py\", line 41, in checkout\n    total = tax(net)\n  \
                  File \"/usr/lib/python3/json/decoder.py\", line 3, in decode\n  File \"/srv/shop/tax.py\", line 9, in tax\nKeyError: 'IT'";
    let java = "Exception in thread \"main\" java.lang.NullPointerException: x\n\tat java.base/java.util.ArrayList.get(ArrayList.java:4)\n\t\
                at com.acme.Cart$Line.total(Cart.java:12)\n\tat com.acme.App.main(App.java:3)\nCaused by: java.io.IOException";
    let script = "TypeError: x is not a function\n    at Cart.total (/srv/shop/src/cart.js:10:5)\n    at async main (file:///srv/shop/src/app.mjs:3:1)\n    \
                  at node:internal/main:1:1";
    let go = "panic: boom\n\ngoroutine 1 [running]:\nmain.(*Cart).Total(0xc000)\n\t/srv/shop/cart.go:12 +0x1d\nmain.main()\n\t/srv/shop/main.go:5 +0x20";
    let rust = "thread 'main' panicked at src/cart.rs:10:5:\nno rate\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/9fc6b/library/std/src/panicking.rs:5:5\n   \
                1: shop::cart::total\n             at ./src/cart.rs:10:5\n";
    check(
        Pasted,
        &[
            (
                python,
                "/srv/shop/tax.py:9 /srv/shop/cart.py:41 /usr/lib/python3/json/decoder.py:3 tax checkout decode KeyError IT",
            ),
            (
                java,
                "com/acme/Cart.java:12 com/acme/App.java:3 java/util/ArrayList.java:4 Line.total App.main ArrayList.get main lang.NullPointerException io.IOException",
            ),
            (script, "/srv/shop/src/cart.js:10 /srv/shop/src/app.mjs:3 Cart.total main TypeError"),
            (go, "/srv/shop/cart.go:12 /srv/shop/main.go:5 Cart.Total main.main"),
            (
                rust,
                "src/cart.rs:10 /rustc/9fc6b/library/std/src/panicking.rs:5 cart.total rust_begin_unwind",
            ),
        ],
    );
}

#[test]
fn single_frames_and_messages() {
    check(
        Pasted,
        &[
            ("File \"x.py\", line 3, in f", "x.py:3 f"),
            ("at a.b.C.m(C.java:12)", "a/b/C.java:12 C.m"),
            ("#1 0x5 in shop::Cart::new () at src/cart.rs:4", "src/cart.rs:4 Cart.new"),
            ("at C.<init>(C.kt:1)", "C.kt:1 C"),
            ("at f (x.js:1:2)", "x.js:1 f"),
            ("at new Cart (webpack:///./src/cart.ts?a1:4:2)", "src/cart.ts:4 Cart"),
            ("total@http://localhost:3000/src/cart.js:4:2", "src/cart.js:4 total"),
            ("\tx.go:12 +0x1d", "x.go:12"),
            ("  --> src/a.rs:3:4", "src/a.rs:3"),
            ("thread 'main' panicked at src/x.rs:10:5", "src/x.rs:10"),
            ("thread 'main' panicked at 'boom', src/x.rs:10:5", "src/x.rs:10"),
            ("x.rb:3:in 'f'", "x.rb:3 f"),
            ("from lib/x.rb:3:in `block in Cart#total'", "lib/x.rb:3 Cart.total"),
            (
                "at Shop.Cart.Total(String s) in C:\\shop\\Cart.cs:line 4",
                "/shop/Cart.cs:4 Cart.Total",
            ),
            ("x.c:3:4: error: unknown type name 'foo_t'", "x.c:3 foo_t"),
            ("x.c: In function 'total':", "x.c total"),
            ("x.c:3: undefined reference to `total'", "x.c:3 total"),
            ("src/x.ts(3,4): error TS2322: Type 'A' is not assignable", "src/x.ts:3 A"),
            ("src/x.ts:3:4 - error TS2322: Type 'A' is not", "src/x.ts:3 A"),
            ("#0 /srv/cart.php(12): Cart->total()", "/srv/cart.php:12 Cart.total"),
            ("PHP Fatal error:  Uncaught Error in /srv/cart.php:12", "/srv/cart.php:12"),
            ("#3  0x00005 in total (n=1) at cart.c:123", "cart.c:123 total"),
            ("(shop 0.1.0) lib/cart.ex:12: Shop.Cart.total/1", "lib/cart.ex:12 Cart.total"),
            ("tests/test_x.py:12: AssertionError", "tests/test_x.py:12"),
            ("ValueError: invalid literal for int() with base 10: 'abc'", "ValueError int abc"),
            ("requests.exceptions.InvalidURLError: no scheme", "exceptions.InvalidURLError"),
            ("error[E0502]: cannot borrow `total` as mutable", "total"),
            ("2024-01-02 12:00:00,123 ERROR shop.cart: no rate", "shop.cart"),
            ("[ERROR] no rate in load_rates", "load_rates"),
            ("let a = 1;\nlet total = sum_all(a);\n", "sum_all"),
        ],
    );
}

#[test]
fn a_diff_names_its_files_and_functions() {
    let diff = "diff --git a/src/cart.rs b/src/cart.rs\nindex 1..2 100644\n--- a/src/cart.rs\n+++ b/src/cart.rs\n\
                @@ -10,7 +12,8 @@ fn total(lines: &[Line]) -> u64 {\n let a = 1;\n let b = 2;\n-    old\n+    new\n\
                diff --git a/old.rs b/old.rs\ndeleted file mode 100644\n--- a/old.rs\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-gone\n";
    check(
        Pasted,
        &[
            (diff, "src/cart.rs:14 old.rs:0 total"),
            ("--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,3 @@ class Cart:\n+a\n", "x.py:1 Cart"),
            ("--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,1 @@\n--- a remark\n", "x.sql:1"),
            ("why is that?\n```\nlet a = 1\n```\n", ""),
            ("does this break?\n@@ -3 +3 @@\n-a\n+b", ""),
        ],
    );
}

#[test]
fn what_was_printed_wants_nothing() {
    let trace = "at tests.CartTest.test(tests/CartTest.java:1)";
    assert_eq!(of(trace).wants, Wants::default());
    let asked = format!("which test covers this?\n{trace}");
    assert!(of(&asked).wants.tests);
}

#[test]
fn the_words_say_what_is_wanted() {
    let wants = |text: &str| {
        let Wants { tests, docs, config, examples } = of(text).wants;
        [(tests, 't'), (docs, 'd'), (config, 'c'), (examples, 'e')]
            .iter()
            .filter(|(is_wanted, _)| *is_wanted)
            .map(|(_, letter)| *letter)
            .collect::<String>()
    };
    for (text, expected) in [
        ("tests for redirects", "t"),
        ("the test of the retry policy", "t"),
        ("which fixture has a cart", "t"),
        ("latest contest_runner", ""),
        ("TestRunner", ""),
        ("test_runner", ""),
        ("documentation of the proxy", "d"),
        ("an example of a session", "de"),
        ("sample of a session", "e"),
        ("the CI workflow", "c"),
        ("how are tests configured in the config", "tc"),
        ("how do we follow the redirect", ""),
    ] {
        assert_eq!(wants(text), expected, "{text}");
    }
}

#[test]
fn languages_of_programs() {
    for (text, expected) in [
        ("where do we open sockets in python", "python"),
        ("the Go parser", "go"),
        ("the rust code that opens a socket", "rust"),
        ("how is it done in Go?", "go"),
        ("in C, where is the buffer", "c"),
        ("written in rust or in c++", "rust cpp"),
        ("the Swift client and the Kotlin client", "swift kotlin"),
        ("JavaScript or TypeScript", "javascript typescript"),
        ("C# bindings", "csharp"),
        ("golang channels", "go"),
        ("where does it go", ""),
        ("go to the parser", ""),
        ("make file names unique", ""),
        ("in make targets", ""),
        ("a swift answer", ""),
        ("move the c argument", ""),
        ("rust never sleeps", ""),
        ("how do we parse r and d", ""),
        ("dart throwing", ""),
    ] {
        assert_eq!(of(text).languages.join(" "), expected, "{text}");
    }
}

#[test]
fn languages_of_people() {
    for (text, expected) in [
        ("dove blocchiamo gli utenti?", Some("Italian")),
        ("perché un POST diventa un GET dopo un redirect", Some("Italian")),
        ("come viene letto il file di configurazione", Some("Italian")),
        ("di mana kita mengunci pengguna?", Some("Indonesian")),
        ("mengapa POST berubah menjadi GET setelah redirect yang kedua", Some("Indonesian")),
        ("¿dónde bloqueamos a los usuarios?", Some("Spanish")),
        ("por qué un POST se convierte en GET tras una redirección", Some("Spanish")),
        ("donde se lee el archivo de configuracion", Some("Spanish")),
        ("où est-ce que nous lisons le fichier de configuration", Some("French")),
        ("wo wird die Konfiguration gelesen?", Some("German")),
        ("onde os usuários são bloqueados", Some("Portuguese")),
        ("waar wordt het bestand gelezen", Some("Dutch")),
        ("где мы читаем файл", Some("Russian")),
        ("設定ファイルを読み込む場所", Some("Japanese")),
        ("如何解析配置文件的内容", Some("Chinese")),
        ("설정 파일을 읽는 곳", Some("Korean")),
        ("where do we lock users?", None),
        ("how does die get handled when a process exits", None),
        ("con la", Some("Italian")),
        ("strip auth", None),
        ("should_strip_auth", None),
        ("the DI container and a del la", None),
        ("per user limit and come back", None),
        ("de facto standard in the code", None),
        ("sin cos tan of the angle", None),
        ("where is «perché» translated", None),
        ("naïve café parser", None),
        ("как", None),
    ] {
        assert_eq!(of(text).not_english, expected, "{text}");
    }
}

#[test]
fn a_call_that_looks_like_a_file_is_no_certain_place() {
    let certain = |text: &str| of(text).places.first().map(|place| place.is_certain);
    assert_eq!(certain("where does response.json decode"), Some(false));
    assert_eq!(certain("where does data/response.json come from"), Some(true));
    assert_eq!(certain("what is in cart.rs"), Some(true));
    assert_eq!(certain("how do we use node.js"), None);
    assert_eq!(certain("self.close and console.log"), None);
}

/// Parts that rules look for, in any order and number.
fn hostile() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "File \"",
        "\", line 3, in f",
        "\n",
        "  at ",
        "(a.java:1)",
        "a.rs:12:3",
        "@@ -1,2 +3,4 @@",
        "--- a/",
        "+++ b/",
        "diff --git ",
        "::",
        "->",
        "#",
        ".",
        "\\",
        "<",
        ">",
        "(",
        ")",
        "`",
        "'",
        "\"",
        "é",
        "한",
        "\u{0}",
        "\u{200d}",
        "\r\n",
        "\t",
        "99999999999",
        ":",
        "/",
        "C:\\",
        "file://",
        "error: ",
        "in ",
        "line ",
        " 12 ",
        "dove gli ",
        "e\u{301}",
        "_",
        "A",
        "a",
        "0",
        "🦀",
    ]);
    prop::collection::vec(parts, 0..400).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_text_is_read(text in "\\PC{0,400}") {
        weigh(&text);
    }

    #[test]
    fn hostile_text_is_read(text in hostile()) {
        weigh(&text);
    }
}

/// Reads a text and looks at the weight of each of its bytes.
fn weigh(text: &str) {
    let question = of(text);
    assert!(
        question.focus.is_sorted_by(|a, b| a.range.end <= b.range.start),
        "{text:?}: {:?}",
        question.focus
    );
    for at in 0..text.len() {
        assert!((0.0..=2.0).contains(&question.weight_at(at)));
    }
}

/// No timing test: what is feared is time that grows with the square, which takes minutes in an unoptimised build.
#[test]
fn the_longest_text_is_read_soon() {
    let long = |part: &str| part.repeat((64 << 10) / part.len());
    for part in [
        "x",
        " ",
        "\n",
        "a.",
        "::",
        "at a(",
        "File \"",
        "\\",
        "a->b<",
        "(",
        ":1",
        "@@ -1 +1 @@\n",
        "--- a/b\n",
        "+++ b\n-",
        "é",
        "한 ",
        "\"a",
        "at a (b.js:1:2)\n",
        "  File \"a.py\", line 1, in f\n",
        "dove gli ",
        "line 1 ",
        "a.rs:1 ",
        "#0 a ",
        "E: ",
        "a@",
        "<",
        "fn f(",
    ] {
        let started = Instant::now();
        weigh(&long(part));
        assert!(started.elapsed() < Duration::from_secs(10), "{part:?}: {:?}", started.elapsed());
    }
}

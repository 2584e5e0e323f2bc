//! C23: every result of a question with a quoted part contains that part, or there is none. C19: nothing here
//! needs a network.

use crate::fixture::{Tree, ask, check, keyword};

const TREE: &str = r#"
    //- src/auth.rs
    fn should_strip_auth(old: &Url) -> bool {
        old.host() != "example.org"
    }
    //- src/many.rs
    strip auth strip auth strip auth strip auth, and nothing quoted
    //- src/arrow.c
    x->y = a ?: b;
    //- src/한글.py
    메시지 = "안녕하세요 세계"
    "#;

/// Asks; every hit must contain `literal`, and these paths are found.
#[track_caller]
fn check_literal(question: &str, literal: &str, expected: &[&str]) {
    let tree = Tree::new(TREE);
    let hits = ask(&tree.engine(), &keyword(question)).hits;
    let paths: Vec<&str> = hits.iter().map(|hit| hit.path.as_str()).collect();
    assert_eq!(paths, expected, "{question}");
    for hit in &hits {
        let text = std::fs::read_to_string(tree.path(&hit.path)).unwrap();
        let (first, last) = (hit.start_line as usize, hit.end_line as usize);
        let lines: Vec<&str> = text.split('\n').skip(first - 1).take(last + 1 - first).collect();
        assert!(lines.join("\n").contains(literal), "{question}: {} lacks {literal}", hit.path);
    }
}

#[test]
fn c23_all_results_contain_the_literal() {
    check_literal(r#"where do we "should_strip_auth""#, "should_strip_auth", &["src/auth.rs"]);
    check_literal(r#"strip auth "example.org""#, "example.org", &["src/auth.rs"]);
    check_literal(r#""strip auth""#, "strip auth", &["src/many.rs"]);
}

#[test]
fn c23_or_none_are_given() {
    check_literal(r#"strip auth "no such text""#, "no such text", &[]);
    check_literal(r#""Strip Auth""#, "Strip Auth", &[]);
    check_literal(r#""=>""#, "=>", &[]);
}

#[test]
fn c23_punctuation_only() {
    check_literal(r#""->""#, "->", &["src/arrow.c", "src/auth.rs"]);
    check_literal(r#""?:""#, "?:", &["src/arrow.c"]);
    check_literal(r#""!=" "->""#, "->", &["src/auth.rs"]);
    check_literal(r#"strip "!=""#, "!=", &["src/auth.rs"]);
}

#[test]
fn c23_unicode() {
    check_literal(r#""안녕하세요 세계""#, "안녕하세요 세계", &["src/한글.py"]);
    check_literal(r#"auth "하세""#, "하세", &["src/한글.py"]);
}

#[test]
fn c23_part_of_a_word() {
    check_literal(r#""rip_au""#, "rip_au", &["src/auth.rs"]);
    check_literal(r#""ould_str""#, "ould_str", &["src/auth.rs"]);
    check_literal(r#"nothing of this is anywhere "rip_au""#, "rip_au", &["src/auth.rs"]);
}

#[test]
fn c23_an_unpaired_quote_opens_nothing() {
    check(TREE, r#"should_strip_auth "host"#, "src/auth.rs:1-3\nsrc/many.rs:1-1");
}

#[test]
fn c23_the_literal_decides_in_a_long_file() {
    let tree = Tree::new("");
    let filler = "strip auth again and again\n".repeat(400);
    tree.write("long.rs", format!("{filler}the \"only\" place <<here>>\n{filler}"));
    let hits = ask(&tree.engine(), &keyword(r#"strip auth "<<here>>""#)).hits;
    assert!(!hits.is_empty());
    assert!(hits.iter().all(|hit| hit.start_line <= 401 && 401 <= hit.end_line));
}

/// The engine has no way to reach a network; this says that a first use needs nothing fetched before it.
#[test]
fn c19_the_first_question_needs_no_network() {
    check("//- a.rs\nfn walrus() {}\n", "walrus", "a.rs:1-1");
}

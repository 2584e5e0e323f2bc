//! Hits are explained in words, and a place can ask why it is not higher.

use std::path::Path;

use wherein_engine::{Engine, ErrorKind, Kind, SearchRequest, Standing, WhyPlace};

use crate::fixture::{Tree, ask, keyword, refresh};

const SHOP: &str = "
    //- src/atomic.rs
    //! Files that are written whole or not at all.

    /// Opens a file for writing, to be put in place at once.
    pub fn atomic_open(path: &Path) -> File {
        let beside = path.with_extension(\"new\");
        let file = File::create(beside);
        file.lock();
        file.write(b\"\");
        rename(beside, path);
        file
    }
    //- src/cart.rs
    /// The sum of a cart.
    pub fn total(cart: &Cart) -> u64 {
        cart.items.iter().map(|item| item.price).sum()
    }

    /// Writes a cart.
    pub fn write_cart(cart: &Cart) {
        open(\"cart\").write(cart);
    }
    //- tests/test_atomic.rs
    #[test]
    fn atomic_open_writes_a_file() {
        let file = atomic_open(path);
        assert!(file.write(b\"x\"));
    }
    //- docs/notes.md
    # Notes

    Ships sail at dawn.

    //- .gitignore
    dist.rs
    //- dist.rs
    fn atomic_open() {}
";

fn explained(text: &str) -> SearchRequest {
    SearchRequest { explain: true, ..keyword(text) }
}

#[track_caller]
fn why(engine: &Engine, request: &SearchRequest, path: &str, line: Option<u32>) -> WhyPlace {
    let lines = line.map(|line| (line, line));
    engine.why_not(request, Path::new(path), lines).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn reasons_say_what_a_hit_has_and_what_it_lacks() {
    let tree = Tree::new(SHOP);
    let answer = ask(&tree.engine(), &explained("atomic writes of a temporary file"));
    let of = |path: &str| {
        let hit = answer.hits.iter().find(|hit| hit.path == path);
        hit.unwrap_or_else(|| panic!("{path} among {:?}", answer.hits)).parts.clone()
    };
    let source = of("src/atomic.rs");
    assert_eq!(source.reasons[0], "defines `atomic_open`", "{:?}", source.reasons);
    for reason in ["matches atomic, writes, file", "file name says atomic", "without: temporary"] {
        assert!(source.reasons.iter().any(|r| r == reason), "{reason}: {:?}", source.reasons);
    }
    let test = of("tests/test_atomic.rs");
    assert!(test.reasons.iter().any(|r| r == "a test: pushed down"), "{:?}", test.reasons);
    assert!(answer.hits.iter().all(|hit| (2..=6).contains(&hit.parts.reasons.len())));
}

#[test]
fn features_add_up_to_the_score() {
    let tree = Tree::new(SHOP);
    let answer = ask(&tree.engine(), &explained("write a file"));
    for hit in &answer.hits {
        let taken = hit.parts.boosts.get("same_file").copied().unwrap_or(0.0);
        let sum: f32 = hit.parts.features.iter().map(|feature| feature.score).sum();
        assert!((sum + taken - hit.score).abs() < 1e-3, "{sum} + {taken} is not {}", hit.score);
        assert!(hit.parts.features.iter().all(|feature| feature.value != 0.0));
    }
    let plain = ask(&tree.engine(), &keyword("write a file"));
    assert!(plain.hits.iter().all(|hit| hit.parts.reasons.is_empty()));
}

#[test]
fn a_place_stands_where_the_search_has_it() {
    let tree = Tree::new(SHOP);
    let engine = tree.engine();
    for question in ["atomic writes of a temporary file", "sum of the cart", "open"] {
        let answer = ask(&engine, &explained(question));
        assert!(!answer.hits.is_empty());
        for (hit, rank) in answer.hits.iter().zip(1..) {
            let why = why(&engine, &keyword(question), &hit.path, Some(hit.start_line));
            let place = why.place.expect("a place");
            assert_eq!((why.standing, why.rank), (Standing::Ranked, Some(rank)), "{}", why.told);
            assert_eq!((place.score, place.parts), (hit.score, hit.parts.clone()));
            assert_eq!(why.losses.is_empty(), rank == 1, "{:?}", why.losses);
        }
    }
}

#[test]
fn a_test_is_told_that_it_is_one() {
    let tree = Tree::new(SHOP);
    let engine = tree.engine();
    refresh(&engine);
    let why = why(&engine, &keyword("atomic open of a file"), "tests/test_atomic.rs", None);
    let kind = why.losses.iter().find(|loss| loss.group == "kind").expect("a loss");
    assert_eq!(kind.said, "a test: pushed down");
    assert_eq!(why.first.map(|hit| hit.path).as_deref(), Some("src/atomic.rs"));
}

#[test]
fn what_is_no_candidate_says_why() {
    let tree = Tree::new(SHOP);
    let engine = tree.engine();
    refresh(&engine);
    let asked = keyword("atomic open");
    let none = why(&engine, &asked, "docs/notes.md", Some(3));
    assert_eq!((none.standing, none.rank), (Standing::NoMatch, None));
    assert_eq!(none.told, "it has no word of the question");
    let hidden = why(&engine, &asked, "dist.rs", None);
    assert_eq!(hidden.standing, Standing::NotSearched);
    assert!(hidden.told.contains(".gitignore"), "{}", hidden.told);
    let mut filtered = asked;
    filtered.filter.kinds = vec![Kind::Test];
    let left_out = why(&engine, &filtered, "src/atomic.rs", None);
    assert_eq!(left_out.standing, Standing::Filtered);
    assert_eq!(left_out.told, "only other kinds of file were asked for");
    let quoted = why(&engine, &keyword("atomic \"no such text\""), "src/atomic.rs", None);
    assert_eq!(quoted.told, "it does not hold the text that the question quotes");
}

#[test]
fn a_copy_names_the_hit_that_is_shown() {
    let body = "pub fn parse_header(line: &str) -> Header {\n    let (name, value) = line.split_once(':').expect(\"a \
                colon\");\n    let trimmed = value.trim();\n    Header { name: name.to_owned(), value: \
                trimmed.to_owned(), raw: line.to_owned() }\n}\n";
    let tree = Tree::new("");
    tree.write("a/header.rs", body);
    tree.write("b/header.rs", body);
    let engine = tree.engine();
    let answer = ask(&engine, &keyword("parse a header line"));
    let [hit] = answer.hits.as_slice() else { panic!("{:?}", answer.hits) };
    let copy = &hit.copies[0];
    let why = why(&engine, &keyword("parse a header line"), &copy.path, Some(2));
    assert_eq!(why.copy_of.expect("an original").path, hit.path);
    assert_eq!(why.rank, Some(1));
}

#[test]
fn places_that_are_none_are_refused() {
    let tree = Tree::new(SHOP);
    let engine = tree.engine();
    refresh(&engine);
    let refused = |path: &str, line: Option<u32>| {
        let lines = line.map(|line| (line, line));
        let error = engine.why_not(&keyword("open"), Path::new(path), lines).expect_err(path);
        assert_eq!(error.kind(), ErrorKind::Usage);
        error.to_string()
    };
    assert_eq!(refused("src/none.rs", None), "there is no file src/none.rs");
    assert_eq!(refused("src", None), "src is a folder");
    assert_eq!(refused("docs/notes.md", Some(99)), "docs/notes.md has 4 lines and no line 99");
    assert!(refused("../a.rs", None).contains("does not lie below"));
    let exact = SearchRequest { mode: wherein_engine::Mode::Exact, ..keyword("open") };
    let error = engine.why_not(&exact, Path::new("src/atomic.rs"), None).expect_err("exact");
    assert_eq!(error.to_string(), "exact mode ranks nothing");
}

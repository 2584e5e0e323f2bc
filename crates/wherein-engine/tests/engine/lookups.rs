//! Look-ups against plain ways to the same answer: the word in the text, the outline, a fresh index.
//!
//! The tree is that of all samples of languages, whose symbols are written down beside them.

use std::collections::BTreeSet;
use std::path::Path;

use wherein_engine::{
    Engine, EngineOptions, Filter, NameMatch, OutlineRequest, SymbolRequest, UsageKind,
    UsageRequest,
};

use crate::fixture::{Tree, ask, refresh, regex};

type Places = BTreeSet<(String, u32)>;

/// A tree with one folder of samples for each language.
fn samples() -> Tree {
    let tree = Tree::new("");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/symbols");
    for language in std::fs::read_dir(folder).expect("samples").flatten() {
        for file in std::fs::read_dir(language.path()).expect("a sample").flatten() {
            if file.file_name() != "expected.txt" {
                let path = Path::new(&language.file_name()).join(file.file_name());
                tree.write(path, std::fs::read(file.path()).expect("a file"));
            }
        }
    }
    tree
}

/// The words of a tree that are long enough to be names, each fifteenth of them.
fn words(engine: &Engine) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for hit in ask(engine, &regex(r"[A-Za-z]\w{3,}")).hits {
        let parts = hit
            .snippet
            .iter()
            .flat_map(|line| line.text.split(|c: char| !(c.is_alphanumeric() || c == '_')));
        words.extend(parts.filter(|word| word.len() > 3 && word.is_ascii()).map(str::to_owned));
    }
    words.into_iter().step_by(15).collect()
}

fn usages(name: &str, comments: bool) -> UsageRequest {
    UsageRequest { name: name.to_owned(), filter: Filter::default(), limit: None, comments }
}

#[test]
fn usages_and_definitions_are_every_line_with_the_word() {
    let tree = samples();
    let engine = tree.engine();
    for word in words(&engine) {
        let answer = engine.usages(&usages(&word, true)).expect("usages");
        let used: Places =
            answer.usages.into_iter().map(|found| (found.path, found.line)).collect();
        assert_eq!(used.len() as u64, answer.n_matches, "{word}: each line once");
        let lines = engine.search(&regex(&format!(r"\b{word}\b"))).expect("lines").hits;
        let lines: Places = lines.into_iter().map(|hit| (hit.path, hit.start_line)).collect();
        let beside: Vec<_> = used.difference(&lines).collect();
        assert!(beside.is_empty(), "{word}: lines without the word {beside:?}");
        let missed: Vec<_> = lines.difference(&used).collect();
        assert_eq!(missed.len() as u64, answer.n_definitions, "{word}: missed {missed:?}");
    }
}

#[test]
fn every_symbol_of_the_outline_is_found_by_its_name() {
    let tree = samples();
    let engine = tree.engine();
    refresh(&engine);
    let outline = engine.outline(&OutlineRequest::default()).expect("an outline");
    let (mut n_symbols, mut lost) = (0, Vec::new());
    for file in outline.files {
        for symbol in file.symbols {
            n_symbols += 1;
            let request = SymbolRequest {
                name: symbol.name.clone(),
                filter: Filter::default(),
                limit: usize::MAX,
            };
            let found = engine.symbols(&request).expect("symbols").symbols;
            let is_found = found.iter().any(|found| {
                found.path == file.path
                    && found.symbol == symbol
                    && found.matched == NameMatch::Exact
            });
            if !is_found {
                lost.push(format!("{}: {}", file.path, symbol.name));
            }
        }
    }
    assert!(lost.is_empty(), "not found by their names: {lost:#?}");
    assert!(n_symbols > 200, "only {n_symbols} symbols");
}

#[test]
fn an_index_that_grew_answers_as_a_fresh_one() {
    let tree = Tree::new("//- src/a.py\n    def heron():\n        pass\n");
    refresh(&tree.engine());
    tree.write("src/b.py", "def grey_heron():\n    heron()  # heron\n");
    refresh(&tree.engine());
    tree.write("src/a.py", "class Marsh:\n    def heron(self):\n        return heron\n");
    let grown = tree.engine();
    refresh(&grown);
    let base = tree.outside().join("fresh");
    let fresh =
        Engine::open(EngineOptions { index_base: base, ..tree.options() }).expect("an engine");
    refresh(&fresh);
    let request =
        SymbolRequest { name: "heron".to_owned(), filter: Filter::default(), limit: usize::MAX };
    let symbols =
        |engine: &Engine| format!("{:?}", engine.symbols(&request).expect("symbols").symbols);
    assert_eq!(symbols(&grown), symbols(&fresh));
    let used = |engine: &Engine| {
        let found = engine.usages(&usages("heron", true)).expect("usages").usages.into_iter();
        found.map(|found| (found.usage, found.path, found.line, found.inside)).collect::<Vec<_>>()
    };
    assert_eq!(used(&grown), used(&fresh));
    let wanted = [
        (UsageKind::Call, "src/b.py".to_owned(), 2, Some("grey_heron".to_owned())),
        (UsageKind::Mention, "src/a.py".to_owned(), 3, Some("Marsh.heron".to_owned())),
    ];
    assert_eq!(used(&grown), wanted);
}

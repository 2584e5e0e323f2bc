//! Look-ups by name in a published index: symbols, usages, outlines, files.

use wherein_engine::{
    Engine, Filter, Kind, OutlineRequest, SymbolKind, SymbolRequest, UsageRequest,
};

use super::corpus::{Corpus, builtin, publish, published};
use super::place::on_every_store;

/// Whole, in other letters, beginnings, parts in the middle, typing errors, with parents, and what is not there.
const NAMES: [&str; 27] = [
    "parse_price",
    "parsePrice",
    "PARSE_PRICE",
    "LruCache",
    "lru",
    "evict",
    "oldest",
    "price",
    "tax",
    "with",
    "total_of",
    "of_invoice",
    "Warehouse",
    "takeOut",
    "takOut",
    "parse_prise",
    "Warehous",
    "follow_redirect",
    "LruCache::evict_oldest",
    "Session.send",
    "send",
    "settle",
    "Refunds",
    "How redirects work",
    "x",
    "twin_of",
    "zzqxv",
];

#[test]
fn names_are_found_alike_by_every_store() {
    on_every_store(|place| {
        let local = Corpus::shop(builtin());
        let engine = local.engine();
        publish(&engine, place);
        let remote = published(&engine, place);
        for name in NAMES {
            let (a, b) = (symbols(&engine, name), symbols(&remote, name));
            assert_eq!(a, b, "symbols {name} in {:?}", place.store);
            let (a, b) = (usages(&engine, name), usages(&remote, name));
            assert_eq!(a, b, "usages {name} in {:?}", place.store);
        }
        assert!(symbols(&remote, "oldest")[0].contains("evict_oldest"));
        assert!(symbols(&remote, "parse_prise")[0].contains("parse_price"));
        assert_eq!(outlines(&engine), outlines(&remote), "{:?}", place.store);
    });
}

#[test]
fn files_are_read_alike_from_every_store() {
    on_every_store(|place| {
        let corpus = Corpus::shop(builtin());
        let engine = corpus.engine();
        publish(&engine, place);
        let remote = published(&engine, place);
        let outline = engine.outline(&OutlineRequest::default()).unwrap();
        assert!(outline.files.len() > 20);
        for file in &outline.files {
            let (a, b) = (engine.read(&file.path), remote.read(&file.path));
            assert_eq!(a.ok(), b.ok(), "{} in {:?}", file.path, place.store);
        }
        for path in ["data/repeats.txt", "./scripts/till.py", "legacy/latin.c", "docs/caf\u{e9}.md"]
        {
            assert_eq!(engine.read(path).unwrap(), remote.read(path).unwrap(), "{path}");
        }
        for path in ["nowhere.rs", "src", "../tree/src/money.rs", "", "/etc/hosts"] {
            assert!(engine.read(path).is_err() && remote.read(path).is_err(), "{path}");
        }
    });
}

fn wishes() -> [Filter; 4] {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    [
        Filter::default(),
        Filter { paths: texts(&["src"]), ..Filter::default() },
        Filter { kinds: vec![Kind::Test], languages: texts(&["python"]), ..Filter::default() },
        Filter { symbol_kinds: vec![SymbolKind::Method], ..Filter::default() },
    ]
}

fn symbols(engine: &Engine, name: &str) -> Vec<String> {
    let ask = |filter: Filter| {
        let answer = engine.symbols(&SymbolRequest { name: name.to_owned(), filter, limit: 30 });
        match answer {
            Ok(answer) => {
                let mut lines: Vec<String> =
                    answer.symbols.iter().map(|found| format!("{found:?}")).collect();
                lines.push(format!("{} {:?}", answer.n_matches, answer.degraded));
                lines
            }
            Err(error) => vec![error.to_string()],
        }
    };
    wishes().into_iter().flat_map(ask).collect()
}

fn usages(engine: &Engine, name: &str) -> Vec<String> {
    let ask = |filter: Filter| {
        let request = UsageRequest { name: name.to_owned(), filter, limit: None, comments: true };
        match engine.usages(&request) {
            Ok(answer) => {
                let mut lines: Vec<String> =
                    answer.usages.iter().map(|found| format!("{found:?}")).collect();
                let (n, definitions) = (answer.n_matches, answer.n_definitions);
                lines.push(format!("{n} {definitions} {:?}", answer.degraded));
                lines
            }
            Err(error) => vec![error.to_string()],
        }
    };
    wishes().into_iter().take(3).flat_map(ask).collect()
}

fn outlines(engine: &Engine) -> Vec<String> {
    let ask = |filter: Filter| {
        let outline = engine.outline(&OutlineRequest { filter }).unwrap();
        outline.files.iter().map(|file| format!("{file:?}")).collect::<Vec<_>>()
    };
    wishes().into_iter().flat_map(ask).collect()
}

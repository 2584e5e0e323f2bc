//! Tests of the look-up contract: key names and their order.

use super::*;
use std::time::Duration;
use wherein_engine::{Kind, NameMatch, SkipCounts, SymbolKind, UsageKind};

const META: SearchMeta = SearchMeta { elapsed: Duration::from_micros(3149), highlights: false };

fn symbol() -> engine::Symbol {
    engine::Symbol {
        name: "send".to_owned(),
        kind: SymbolKind::Method,
        parent: Some("Session".to_owned()),
        module: None,
        signature: "def send(self)".to_owned(),
        doc: None,
        annotations: Vec::new(),
        route: None,
        start_line: 3,
        end_line: 9,
        name_line: 4,
    }
}

/// The JSON of `symbol`.
const SYMBOL: &str = concat!(
    r#"{"name":"send","kind":"method","parent":"Session","module":null,"#,
    r#""signature":"def send(self)","doc":null,"annotations":[],"route":null,"#,
    r#""start_line":3,"end_line":9,"name_line":4}"#
);

#[test]
fn symbols_have_the_keys_of_the_contract() {
    let found = engine::FoundSymbol {
        path: "src/a.py".to_owned(),
        kind: Kind::Source,
        language: "python".to_owned(),
        symbol: symbol(),
        matched: NameMatch::Exact,
    };
    let answer = engine::SymbolAnswer {
        name: "send".to_owned(),
        generation: 7,
        symbols: vec![found],
        n_matches: 1,
        degraded: Vec::new(),
        skipped: SkipCounts::default(),
    };
    let result = SymbolResult::new(answer, META);
    let item = serde_json::to_string(&result.symbols[0]).unwrap();
    let place = r#"{"path":"src/a.py","start_line":3,"end_line":9,"name_line":4,"#;
    let about = r#""language":"python","kind":"source","matched":"exact","symbol":"#;
    assert_eq!(item, format!("{place}{about}{SYMBOL}}}"));
    let start = r#"{"name":"send","generation":7,"elapsed_ms":3.1,"n_matches":1,"symbols":[{"#;
    let whole = serde_json::to_string(&result).unwrap();
    assert!(whole.starts_with(start) && whole.contains(r#""degraded":[],"skipped":{"#), "{whole}");
}

#[test]
fn usages_have_the_keys_of_the_contract() {
    let found = engine::FoundUsage {
        path: "src/a.py".to_owned(),
        file_kind: Kind::Test,
        language: "python".to_owned(),
        line: 12,
        usage: UsageKind::Call,
        inside: Some("Session.get".to_owned()),
        text: "    self.send()".to_owned(),
    };
    let answer = engine::UsageAnswer {
        name: "send".to_owned(),
        generation: 7,
        usages: vec![found],
        n_matches: 30,
        n_definitions: 2,
        degraded: Vec::new(),
        skipped: SkipCounts::default(),
    };
    let whole = serde_json::to_string(&UsageResult::new(answer, META)).unwrap();
    let start = concat!(
        r#"{"name":"send","generation":7,"elapsed_ms":3.1,"n_matches":30,"n_definitions":2,"#,
        r#""usages":[{"path":"src/a.py","line":12,"usage":"call","language":"python","kind":"test","#,
        r#""inside":"Session.get","text":"    self.send()"}],"degraded":[],"skipped":{"#
    );
    assert!(whole.starts_with(start), "{whole}");
}

#[test]
fn outlines_have_the_keys_of_the_contract() {
    let file = |symbols, fallback: Option<&str>| engine::FileOutline {
        path: "src/a.py".to_owned(),
        language: "python".to_owned(),
        kind: Kind::Source,
        symbols,
        fallback: fallback.map(str::to_owned),
    };
    let outline = engine::Outline {
        generation: 7,
        files: vec![file(vec![symbol()], None), file(Vec::new(), Some("too deep"))],
        degraded: Vec::new(),
        skipped: SkipCounts::default(),
    };
    let whole = serde_json::to_string(&OutlineResult::new(outline, META)).unwrap();
    let file = r#"{"path":"src/a.py","language":"python","kind":"source","fallback":"#;
    let start = format!(
        r#"{{"generation":7,"elapsed_ms":3.1,"files":[{file}null,"symbols":[{SYMBOL}]}},{file}"too deep","symbols":[]}}],"degraded":[]"#
    );
    assert!(whole.starts_with(&start), "{whole}");
}

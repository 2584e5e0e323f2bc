//! Tests of the search contract: key names, what is left out, and how snippets are joined.

use super::*;
use wherein_engine::{Answer, Kind, Mode, ScoreParts, SkipCounts, SnippetLine, TermScore};

fn line(number: u32, text: &str) -> SnippetLine {
    SnippetLine { number, text: text.to_owned(), highlights: std::iter::once(0..1).collect() }
}

fn hit() -> engine::Hit {
    engine::Hit {
        path: "src/a.py".to_owned(),
        start_line: 3,
        end_line: 9,
        column: 1,
        kind: Kind::Source,
        language: "python".to_owned(),
        symbol: None,
        score: 0.83,
        parts: ScoreParts {
            lexical_rank: Some(1),
            lexical: Some(11.2),
            boosts: [("definition", 0.2)].into(),
            ..ScoreParts::default()
        },
        copies: Vec::new(),
        snippet: vec![line(4, "def a():"), line(5, "    pass")],
    }
}

fn answer(hits: Vec<engine::Hit>) -> Answer {
    Answer {
        query: "a question".to_owned(),
        mode: Mode::Keyword,
        model: None,
        reranked: None,
        confidence: None,
        generation: 7,
        n_matches: hits.len() as u64,
        hits,
        degraded: Vec::new(),
        skipped: SkipCounts::default(),
    }
}

#[test]
fn a_hit_has_the_keys_of_the_contract() {
    let json = serde_json::to_string(&Hit::from(hit())).unwrap();
    assert_eq!(
        json,
        concat!(
            r#"{"path":"src/a.py","start_line":3,"end_line":9,"column":1,"language":"python","#,
            r#""kind":"source","symbol":null,"score":0.83,"#,
            r#""parts":{"lexical_rank":1,"lexical":11.2,"boosts":{"definition":0.2}},"#,
            r#""snippet_start_line":4,"snippet":"def a():\n    pass"}"#
        )
    );
}

#[test]
fn an_answer_has_the_keys_of_the_contract() {
    let meta = SearchMeta { elapsed: Duration::from_micros(3149), highlights: false };
    let value = serde_json::to_value(SearchResult::new(answer(vec![hit()]), meta)).unwrap();
    assert_eq!(value["query"], "a question");
    assert_eq!(value["mode"], "keyword");
    assert!(value["model"].is_null());
    assert_eq!(value["generation"], 7);
    assert_eq!(value["elapsed_ms"], 3.1);
    assert_eq!(value["hits"][0]["score"], 0.83);
    assert_eq!(value["degraded"], serde_json::json!([]));
    assert_eq!(value["skipped"]["lockfile"], 0);
}

#[test]
fn another_look_at_the_first_places_is_told_with_its_counts() {
    let reranked = engine::Reranked {
        model: "m".to_owned(),
        n_places: 80,
        n_embedded: 30,
        n_cached: 90,
        n_vectors: 200,
        n_chunks: 9_000,
    };
    let told = |reranked| {
        let answer = Answer { reranked, ..answer(vec![]) };
        serde_json::to_value(SearchResult::new(answer, SearchMeta::default())).unwrap()
    };
    let wanted = serde_json::json!({"model": "m", "places": 80, "embedded": 30, "cached": 90,
        "vectors": 200, "chunks": 9000});
    assert_eq!(told(Some(reranked))["reranked"], wanted);
    assert!(told(None).get("reranked").is_none());
}

#[test]
fn terms_appear_when_explained() {
    let mut hit = hit();
    hit.parts.terms = vec![TermScore { term: "strip".to_owned(), field: "words", score: 1.5 }];
    let value = serde_json::to_value(Hit::from(hit)).unwrap();
    assert_eq!(
        value["parts"]["terms"],
        serde_json::json!([{"term": "strip", "field": "words", "score": 1.5}])
    );
}

#[test]
fn a_hit_without_snippet_says_so() {
    let value = serde_json::to_value(Hit::from(engine::Hit { snippet: vec![], ..hit() })).unwrap();
    assert_eq!(value["snippet"], "");
    assert!(value["snippet_start_line"].is_null());
}

#[test]
fn a_symbol_keeps_its_parent_and_its_route() {
    let symbol = engine::Symbol {
        name: "should_strip_auth".to_owned(),
        kind: engine::SymbolKind::Method,
        parent: Some("SessionRedirectMixin".to_owned()),
        module: None,
        signature: "def should_strip_auth(self)".to_owned(),
        doc: None,
        annotations: Vec::new(),
        route: Some(engine::Route { method: "GET".to_owned(), path: "/auth".to_owned() }),
        start_line: 3,
        end_line: 9,
        name_line: 4,
    };
    let value =
        serde_json::to_value(Hit::from(engine::Hit { symbol: Some(symbol), ..hit() })).unwrap();
    assert_eq!(value["symbol"]["parent"], "SessionRedirectMixin");
    assert_eq!(value["symbol"]["kind"], "method");
    assert_eq!(value["symbol"]["route"], serde_json::json!({"method": "GET", "path": "/auth"}));
    assert_eq!(value["symbol"]["name_line"], 4);
}

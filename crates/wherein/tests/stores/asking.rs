//! What is asked of every store, and how two answers are compared.
//!
//! Two answers are the same where hits, order, symbols, snippets and all that is said beside them are; scores may differ by
//! what floating point makes of another order of sums.

use wherein_engine::{
    Answer, Engine, Filter, Hit, Kind, Mode, SearchRequest, SnippetLine, SymbolKind,
};

/// How far scores of the same hit may be apart, of their size: a folder's index compares whole numbers, a store floats.
const NEARLY: f32 = 2e-3;

/// Questions of every shape: words, names, quotes, places, traces, wishes, and what nothing is found for.
pub(crate) const QUESTIONS: [&str; 45] = [
    "redirect",
    "do we stop following a redirect loop",
    "where are passwords hashed",
    "parse_price",
    "parsePrice",
    "LruCache",
    "LruCache::evict_oldest",
    "Session.send",
    "hash_password salt",
    "evict oldest entry when cache is full",
    "\"too many redirects\"",
    "\"not a price: {e}\"",
    "'self.close()'",
    "\"=>\"",
    "lines \"hoppingCar\"",
    "src/money.rs:9",
    "server.rs:6",
    "app/auth.py:4-6 password",
    "ring_buffer.c",
    "cmd/worker/main.go:12:3 queue",
    "thread 'main' panicked at src/http/server.rs:8:5:\nindex out of bounds",
    "Traceback (most recent call last):\n  File \"app/auth.py\", line 12, in check_login\n    return compare_digest(expected)\nTypeError: object of type 'NoneType' has no len()",
    "at shop.Warehouse.takeOut(Warehouse.java:9)",
    "tests for login",
    "test that taxes are added",
    "documentation of refunds",
    "how to configure the timeout",
    "config replicas",
    "total with tax",
    "total_of_invoice",
    "weigh parcel step",
    "settle payment",
    "twin of a parcel",
    "the same shelf again",
    "Kaffee für große Straßen",
    "корзина",
    "買い物かご",
    "kiste groesse",
    "open_till",
    "item17",
    "retry with exponential backoff",
    "orders by customer index",
    "rank candidates by lexical score",
    "Generation",
    "zzqxv",
];

/// The modes that there are.
pub(crate) const MODES: [Mode; 5] =
    [Mode::Keyword, Mode::Hybrid, Mode::Semantic, Mode::Exact, Mode::Regex];

/// Filters of every field, alone and together.
pub(crate) fn filters() -> Vec<Filter> {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let plain = Filter::default;
    vec![
        plain(),
        Filter { paths: texts(&["src", "search"]), ..plain() },
        Filter { paths: texts(&["**/*.rs", "web/*.ts"]), ..plain() },
        Filter { not_paths: texts(&["src/stock", "**/*.md"]), ..plain() },
        Filter { languages: texts(&["python", "ts"]), ..plain() },
        Filter { kinds: vec![Kind::Test, Kind::Docs], ..plain() },
        Filter { symbol_kinds: vec![SymbolKind::Method, SymbolKind::Function], ..plain() },
        Filter {
            paths: texts(&["src"]),
            languages: texts(&["rust"]),
            kinds: vec![Kind::Source],
            ..plain()
        },
    ]
}

/// Every question in every mode.
pub(crate) fn requests(modes: &[Mode], filters: &[Filter]) -> Vec<SearchRequest> {
    let mut requests = Vec::new();
    for text in QUESTIONS {
        for mode in modes {
            for filter in filters {
                let filter = filter.clone();
                requests.push(SearchRequest { mode: *mode, filter, ..SearchRequest::new(text) });
            }
        }
    }
    requests
}

/// A few questions, enough to tell two states of a tree apart.
pub(crate) fn few() -> Vec<SearchRequest> {
    let mut requests = requests(&[Mode::Hybrid], &[Filter::default()]);
    requests.extend(requests_of(Mode::Semantic, &["settle payment", "pay back a customer"]));
    requests.extend(requests_of(Mode::Exact, &["parse_price", "fn "]));
    requests
}

fn requests_of(mode: Mode, texts: &[&str]) -> Vec<SearchRequest> {
    texts.iter().map(|text| SearchRequest { mode, ..SearchRequest::new(*text) }).collect()
}

/// What a reader sees of an answer; an error is one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seen {
    hits: Vec<String>,
    scores: Vec<f32>,
    /// What stands beside the hits.
    said: String,
}

impl Seen {
    /// The answer of an engine.
    pub(crate) fn of(engine: &Engine, request: &SearchRequest) -> Seen {
        match engine.search(request) {
            Ok(answer) => Seen {
                hits: answer.hits.iter().map(line).collect(),
                scores: answer.hits.iter().map(|hit| hit.score).collect(),
                said: said(&answer),
            },
            Err(error) => {
                let said = format!("{:?}: {error}", error.kind());
                Seen { hits: Vec::new(), scores: Vec::new(), said }
            }
        }
    }

    /// Whether a reader sees the same.
    pub(crate) fn is(&self, other: &Seen) -> bool {
        let near = |(a, b): (&f32, &f32)| (a - b).abs() <= NEARLY * a.abs().max(1.0);
        self.hits == other.hits
            && self.said == other.said
            && self.scores.iter().zip(&other.scores).all(near)
    }
}

/// The answers to questions.
pub(crate) fn answers(engine: &Engine, requests: &[SearchRequest]) -> Vec<Seen> {
    requests.iter().map(|request| Seen::of(engine, request)).collect()
}

fn line(hit: &Hit) -> String {
    let snippet = |line: &SnippetLine| format!("{line:?}");
    let snippet = hit.snippet.iter().map(snippet).collect::<Vec<_>>().join("|");
    let Hit { path, start_line, end_line, column, kind, language, symbol, copies, .. } = hit;
    let kind = kind.as_str();
    format!(
        "{path}:{start_line}-{end_line}:{column} {kind} {language} {symbol:?} {copies:?} {snippet}"
    )
}

fn said(answer: &Answer) -> String {
    let Answer { mode, model, confidence, degraded, skipped, .. } = answer;
    // A ranking of a published index counts candidates, and looks at no more than it needs.
    let n_matches = if mode.is_ranked() { 0 } else { answer.n_matches };
    let confidence = confidence.as_ref().map(|confidence| format!("{confidence:?}"));
    let confidence = confidence.map(|text| text.chars().take(24).collect::<String>());
    format!("{mode:?} {model:?} {confidence:?} {n_matches} {degraded:?} {skipped:?}")
}

/// Fails where two engines answer differently, with the first differences.
#[track_caller]
pub(crate) fn same(what: &str, (left, right): (&Engine, &Engine), requests: &[SearchRequest]) {
    let mut different = Vec::new();
    for request in requests {
        let (a, b) = (Seen::of(left, request), Seen::of(right, request));
        if !a.is(&b) {
            different.push(difference(request, &a, &b));
        }
    }
    let (n, all) = (different.len(), requests.len());
    different.truncate(4);
    assert!(n == 0, "{what}: {n} of {all} answers differ\n{}", different.join("\n"));
}

/// How two answers differ, in lines.
pub(crate) fn difference(request: &SearchRequest, a: &Seen, b: &Seen) -> String {
    let short = |text: &String| text.chars().take(150).collect::<String>();
    let list = |seen: &Seen| {
        let lines = seen.hits.iter().zip(&seen.scores);
        let lines = lines.map(|(hit, score)| format!("    {score:.4} {}", short(hit)));
        format!("  said {}\n{}", seen.said, lines.collect::<Vec<_>>().join("\n"))
    };
    let whole = a.hits.iter().zip(&b.hits).find(|(a, b)| a != b);
    format!(
        "{:?} {:?} {:?}\n left:\n{}\n right:\n{}\n first difference: {whole:#?}",
        request.text,
        request.mode,
        request.filter,
        list(a),
        list(b)
    )
}

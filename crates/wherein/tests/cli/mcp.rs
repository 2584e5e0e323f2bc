//! `wherein mcp`: tools, errors that an agent can read, and a standard output that holds nothing but the protocol.

use std::time::Instant;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::server::{Agent, HANGS, protocol};
use super::tree::Tree;

const FILES: [(&str, &str); 3] = [
    (
        "src/http.py",
        "def retry_request(session):\n    \"\"\"Retry a failed request with a growing pause.\"\"\"\n    return session.send()\n",
    ),
    ("src/lib.rs", "/// Opens the settings file.\npub fn open_settings() {}\n"),
    (".env", "TOKEN=hush\n"),
];

fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

fn kind(result: &Value) -> String {
    assert_eq!(result["isError"], true, "{result}");
    result["structuredContent"]["error"]["kind"].as_str().unwrap_or_default().to_owned()
}

fn served(tree: &Tree) -> Agent {
    let root = tree.root().display().to_string();
    Agent::start(tree, &["--root", &root])
}

#[test]
fn tools_answer_in_words_and_in_structure() {
    let tree = Tree::new(&FILES);
    let mut agent = served(&tree);
    let found = agent.call("folder_search", &json!({ "question": "retry a failed request" }));
    assert!(text(&found).starts_with("src/http.py:1-3 function retry_request"), "{found}");
    assert_eq!(found["structuredContent"]["hits"][0]["path"], "src/http.py");
    let found = agent.call("find_symbol", &json!({ "name": "open_settings" }));
    assert!(text(&found).starts_with("src/lib.rs:2-2 function"), "{found}");
    let found = agent.call("find_usages", &json!({ "name": "send" }));
    assert!(text(&found).starts_with("src/http.py:3 call"), "{found}");
    let read = agent.call("read_code", &json!({ "path": "src/lib.rs", "start_line": 2 }));
    assert!(text(&read).contains("pub fn open_settings"), "{read}");
    let root = tree.root();
    let absolute = root.join("src/lib.rs").canonicalize().unwrap();
    let read = agent.call("read_code", &json!({ "path": absolute }));
    assert!(text(&read).contains("pub fn open_settings"), "{read}");
    let found = agent.call("exact_search", &json!({ "text": "gro\\w+", "regex": true }));
    assert!(text(&found).starts_with("src/http.py:2:"), "{found}");
    let status = agent.call("index_status", &json!({}));
    assert_eq!(status["structuredContent"]["files"], 2, "{status}");
    assert_eq!(status["structuredContent"]["skipped"]["sensitive"], 1, "{status}");
    let status = agent.call("reindex", &json!({ "rebuild": true }));
    assert!(text(&status).contains("ready"), "{status}");
    let (code, rest) = agent.end();
    assert_eq!(code, Some(0));
    rest.iter().for_each(|line| drop(protocol(line)));
}

#[test]
fn what_is_wrong_is_an_answer_that_an_agent_can_read() {
    let tree = Tree::new(&FILES);
    let mut agent = served(&tree);
    let mut wrong = |tool: &str, arguments: Value| kind(&agent.call(tool, &arguments));
    assert_eq!(wrong("folder_search", json!({})), "usage");
    assert_eq!(wrong("folder_search", json!({ "question": " " })), "usage");
    assert_eq!(wrong("folder_search", json!({ "question": "a", "mode": "exact" })), "usage");
    assert_eq!(wrong("folder_search", json!({ "question": "a", "path": "../x" })), "forbidden");
    assert_eq!(wrong("folder_search", json!({ "question": "a", "path": "/etc" })), "forbidden");
    assert_eq!(wrong("folder_search", json!({ "question": "a", "root": "/" })), "forbidden");
    assert_eq!(wrong("folder_search", json!({ "query": "a" })), "usage");
    assert_eq!(wrong("read_code", json!({ "path": "/etc/passwd" })), "forbidden");
    assert_eq!(wrong("read_code", json!({ "path": "../home/x" })), "forbidden");
    assert_eq!(wrong("read_code", json!({ "path": ".env" })), "forbidden");
    assert_eq!(wrong("read_code", json!({ "path": "none.py" })), "not_found");
    assert_eq!(wrong("read_code", json!({ "symbol": "nothing_like_it" })), "not_found");
    assert_eq!(wrong("read_code", json!({ "path": "src/lib.rs", "start_line": 99 })), "usage");
    assert_eq!(wrong("exact_search", json!({ "text": "[", "regex": true })), "usage");
    let answer = agent.ask("tools/call", &json!({ "name": "rm", "arguments": {} }));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let answer = agent.ask("no/such/method", &json!({}));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
}

/// C20: whatever it is started with, a typed error comes soon and nothing is searched that nobody named.
#[test]
fn c20_roots_that_are_none_are_told() {
    let tree = Tree::new(&FILES);
    let home = tree.home().display().to_string();
    let cases: [(&[&str], &[&str]); 6] = [
        (&["--root", "/nowhere/at/all"], &["not_found"]),
        (&["--root", "\u{1}garbage\n"], &["not_found"]),
        (&["--root", "/"], &["usage"]),
        (&["--root", &home], &["usage"]),
        (&["--root", "src/lib.rs"], &["usage"]),
        // The current folder is no repository, and nobody says that it is the project.
        (&[], &["not_indexed"]),
    ];
    for (args, kinds) in cases {
        let mut agent = Agent::start(&tree, args);
        for tool in ["folder_search", "index_status"] {
            let arguments = match tool {
                "folder_search" => json!({ "question": "anything" }),
                _ => json!({}),
            };
            let asked = Instant::now();
            let result = agent.call(tool, &arguments);
            assert!(kinds.contains(&kind(&result).as_str()), "{args:?}: {result}");
            assert!(result["structuredContent"]["error"]["hint"].is_string(), "{args:?}: {result}");
            assert!(asked.elapsed() < HANGS);
        }
        let (code, rest) = agent.end();
        assert_eq!(code, Some(0), "{args:?}");
        rest.iter().for_each(|line| drop(protocol(line)));
    }
}

#[test]
fn an_empty_folder_and_the_repository_around_are_served() {
    let tree = Tree::new(&[]);
    let mut agent = served(&tree);
    let found = agent.call("folder_search", &json!({ "question": "anything" }));
    assert_ne!(found["isError"], true, "{found}");
    assert!(text(&found).contains("nothing found"), "{found}");
    drop(agent);
    let tree = Tree::new(&FILES);
    std::fs::create_dir(tree.root().join(".git")).unwrap();
    let mut agent = Agent::start(&tree, &[]);
    let found = agent.call("find_symbol", &json!({ "name": "retry_request" }));
    assert!(text(&found).starts_with("src/http.py"), "{found}");
}

#[test]
fn edits_are_seen_by_the_next_call() {
    for extra in [None, Some("--no-watch")] {
        let tree = Tree::new(&FILES);
        let root = tree.root().display().to_string();
        let args: Vec<&str> = ["--root", &root].into_iter().chain(extra).collect();
        let mut agent = Agent::start(&tree, &args);
        for round in 0..5 {
            let word = format!("edited_{round}");
            tree.write("src/http.py", &format!("def {word}():\n    pass\n"));
            let found = agent.call("find_symbol", &json!({ "name": word }));
            assert!(text(&found).starts_with("src/http.py:1-2"), "{extra:?}: {found}");
        }
    }
}

/// Whatever a client says, standard output stays the protocol and the server lives.
#[test]
fn garbage_is_answered_or_passed_over() {
    let tree = Tree::new(&FILES);
    let mut agent = served(&tree);
    let deep = "[".repeat(100_000);
    let lines: [&[u8]; 14] = [
        b"", b"garbage", b"{", b"null", b"[]", b"{}", b"1e999", b"\xff\xfe\x00",
        br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        br#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#,
        br#"{"jsonrpc":"2.0","id":77,"method":"tools/call"}"#,
        br#"{"jsonrpc":"2.0","id":78,"method":"tools/call","params":{"name":1}}"#,
        br#"{"jsonrpc":"2.0","id":79,"method":"tools/call","params":{"name":"read_code","arguments":[]}}"#,
        deep.as_bytes(),
    ];
    for line in lines {
        agent.say(line);
    }
    agent.say(vec![b'x'; 8 << 20]);
    let listed = agent.ask("tools/list", &json!({}));
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(7), "{listed}");
    let (code, rest) = agent.end();
    assert_eq!(code, Some(0));
    rest.iter().for_each(|line| drop(protocol(line)));
}

#[test]
fn a_client_that_says_nothing_or_goes_at_once_is_no_trouble() {
    let tree = Tree::new(&FILES);
    let (code, lines) = Agent::spawn(&tree, &[]).end();
    assert_eq!((code, lines.len()), (Some(0), 0));
    let mut agent = Agent::spawn(&tree, &[]);
    agent.say("no handshake, just words");
    let (code, lines) = agent.end();
    assert_eq!(code, Some(0));
    lines.iter().for_each(|line| drop(protocol(line)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Many lines in one session, each of them damaged in some way.
    #[test]
    fn no_line_is_too_strange(lines in prop::collection::vec(strange_line(), 1..40)) {
        let tree = Tree::new(&FILES);
        let mut agent = served(&tree);
        lines.iter().for_each(|line| agent.say(line.replace('\n', " ")));
        let listed = agent.ask("tools/list", &json!({}));
        prop_assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(7));
        let (code, rest) = agent.end();
        prop_assert_eq!(code, Some(0));
        rest.iter().for_each(|line| drop(protocol(line)));
    }
}

/// Lines that are nearly calls: with parts cut out, doubled, or of other types.
fn strange_line() -> impl Strategy<Value = String> {
    let whole = json!({
        "jsonrpc": "2.0", "id": 900, "method": "tools/call",
        "params": { "name": "read_code", "arguments": { "path": "src/lib.rs", "start_line": 1 } },
    });
    let whole = whole.to_string();
    let n = whole.len();
    let cut = {
        let whole = whole.clone();
        (0..n, 0..n).prop_map(move |(a, b)| {
            let (a, b) = (a.min(b), a.max(b));
            format!("{}{}", &whole[..a], &whole[b..])
        })
    };
    let value = prop_oneof![
        Just("null".to_owned()),
        Just("[]".to_owned()),
        Just("-1".to_owned()),
        Just("\"\\u0000\"".to_owned()),
        Just("1e308".to_owned()),
        ".{0,20}".prop_map(|s| json!(s).to_string()),
    ];
    let replaced = value.prop_map(move |value| whole.replace("\"src/lib.rs\"", &value));
    prop_oneof![cut, replaced, ".{0,80}"]
}

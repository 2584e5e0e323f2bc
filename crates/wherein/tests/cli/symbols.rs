//! Look-ups by name: symbols, usages and outlines, in each form and with what they refuse.

use std::io::Read;
use std::process::Stdio;

use super::tree::Tree;

const SESSIONS: &str = r#""""Sessions."""


class Session:
    """Sends requests."""

    def send(self, request, **kwargs):
        """Sends one request."""
        return self.adapter(request)

    def get(self, url):
        # send it, then wait
        return self.send(url)


def größe():
    Session().send("send")
    return Session.send
"#;

const APP: &str = r#"from fastapi import FastAPI

app = FastAPI()


@app.get("/orders/{id}")
def get_order(id: int):
    return größe()
"#;

const CLIENT: &str = "\
struct Client;

impl Client {
    fn send_all(&self) {
        self.send(1)
    }

    fn send(&self, n: u32) {}
}
";

fn tree() -> Tree {
    Tree::new(&[
        ("src/sessions.py", SESSIONS),
        ("src/app.py", APP),
        ("src/client.rs", CLIENT),
        ("tests/test_sessions.py", "def test_send():\n    Session().send(1)\n"),
    ])
}

/// The lines of standard output.
fn lines(tree: &Tree, args: &[&str]) -> Vec<String> {
    tree.run(args).status(0).stdout().lines().map(str::to_owned).collect()
}

#[test]
fn symbols_show_place_kind_name_and_signature() {
    let tree = tree();
    assert_eq!(
        lines(&tree, &["symbols", "send", "src"]),
        [
            "src/client.rs:8-8  method  Client.send  fn send(&self, n: u32)",
            "src/sessions.py:7-9  method  Session.send  def send(self, request, **kwargs)",
            "src/client.rs:4-6  method  Client.send_all  fn send_all(&self)",
        ]
    );
    let below = lines(&tree, &["symbols", "Session.send"]);
    assert!(below.len() == 1 && below[0].starts_with("src/sessions.py:7-9"), "{below:?}");
    assert_eq!(
        lines(&tree, &["symbols", "getOrder"]),
        ["src/app.py:6-8  function  get_order  GET /orders/{id}  def get_order(id: int)"]
    );
}

#[test]
fn a_name_that_was_only_guessed_says_so() {
    let tree = tree();
    let run = tree.run(&["symbols", "sned", "src"]);
    run.status(0).says("Session.send").complains("no symbol is called sned; alike:");
    assert_eq!(tree.run(&["symbols", "sned", "--json"]).json()["symbols"][0]["matched"], "typo");
}

#[test]
fn symbols_have_the_json_of_the_contract() {
    let tree = tree();
    let run = tree.run(&["symbols", "get_order", "--json"]);
    let json = run.status(0).json();
    assert_eq!((&json["name"], &json["n_matches"]), (&"get_order".into(), &1.into()));
    assert!(json["generation"].is_u64() && json["elapsed_ms"].is_number());
    assert!(json["degraded"].is_array() && json["skipped"]["too_large"].is_u64());
    let found = &json["symbols"][0];
    assert_eq!(found["path"], "src/app.py");
    assert_eq!((&found["start_line"], &found["end_line"]), (&6.into(), &8.into()));
    assert_eq!((&found["name_line"], &found["matched"]), (&7.into(), &"exact".into()));
    assert_eq!((&found["language"], &found["kind"]), (&"python".into(), &"source".into()));
    assert_eq!(found["symbol"]["kind"], "function");
    assert_eq!(found["symbol"]["route"]["path"], "/orders/{id}");
    let line = tree.run(&["symbols", "get_order", "--jsonl"]);
    line.status(0).check(line.json() == *found, "the same object on one line");
}

#[test]
fn usages_come_by_class_and_leave_definitions_out() {
    let tree = tree();
    assert_eq!(
        lines(&tree, &["usages", "send"]),
        [
            "src/client.rs:5:  call  self.send(1)",
            "src/sessions.py:13:  call  return self.send(url)",
            "src/sessions.py:17:  call  Session().send(\"send\")",
            "tests/test_sessions.py:2:  call  Session().send(1)",
            "src/sessions.py:18:  mention  return Session.send",
        ]
    );
    let with_comments = lines(&tree, &["usages", "send", "src/sessions.py", "--comments"]);
    assert_eq!(with_comments.last().unwrap(), "src/sessions.py:12:  text  # send it, then wait");
    let run = tree.run(&["usages", "send", "src", "--json"]);
    let json = run.status(0).json();
    assert_eq!((&json["n_matches"], &json["n_definitions"]), (&4.into(), &2.into()));
    let first = &json["usages"][0];
    assert_eq!((&first["line"], &first["usage"]), (&5.into(), &"call".into()));
    assert_eq!(first["inside"], "Client.send_all");
    assert_eq!(first["text"], "        self.send(1)");
    let items = lines(&tree, &["usages", "send", "src", "--jsonl"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&items[0]).unwrap(), *first);
}

#[test]
fn an_outline_nests_what_stands_inside() {
    let tree = tree();
    let client = [
        "1-1  struct  Client  struct Client",
        "4-6  method  Client.send_all  fn send_all(&self)",
        "8-8  method  Client.send  fn send(&self, n: u32)",
    ];
    assert_eq!(lines(&tree, &["outline", "src/client.rs"]), client);
    let whole = tree.run(&["outline", "src"]).status(0).stdout();
    let sessions = "\
src/sessions.py
  4-13  class  Session  class Session
    7-9  method  send  def send(self, request, **kwargs)
    11-13  method  get  def get(self, url)
  16-18  function  größe  def größe()
";
    assert!(whole.starts_with("src/app.py\n") && whole.ends_with(sessions), "{whole}");
    assert!(whole.contains("src/client.rs\n  1-1  struct"), "{whole}");
}

#[test]
fn outlines_have_the_json_of_the_contract() {
    let tree = tree();
    tree.write("notes.txt", "nothing to list\n");
    let run = tree.run(&["outline", "--json"]);
    let json = run.status(0).json();
    assert!(json["generation"].is_u64() && json["elapsed_ms"].is_number());
    let files = json["files"].as_array().unwrap();
    let paths: Vec<&str> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
    let all = ["notes.txt", "src/app.py", "src/client.rs", "src/sessions.py"];
    assert_eq!(paths[..4], all);
    assert_eq!(files[0]["symbols"], serde_json::json!([]));
    assert!(files[3]["fallback"].is_null());
    assert_eq!(files[3]["symbols"][0]["name"], "Session");
    let one = tree.run(&["outline", "src/sessions.py", "--jsonl"]);
    assert_eq!(one.status(0).json(), files[3]);
}

#[test]
fn symbols_and_usages_are_listed_by_file_and_for_editors() {
    let tree = tree();
    assert_eq!(
        tree.run(&["usages", "send", "src", "-l"]).stdout(),
        "src/client.rs\nsrc/sessions.py\n"
    );
    assert_eq!(
        tree.run(&["usages", "send", "-c", "src"]).stdout(),
        "src/client.rs:1\nsrc/sessions.py:3\n"
    );
    assert_eq!(
        tree.run(&["symbols", "get", "-l0", "--kind", "source"]).stdout(),
        "src/sessions.py\0src/app.py\0"
    );
    let vimgrep = tree.run(&["usages", "größe", "--vimgrep"]);
    assert_eq!(vimgrep.stdout(), "src/app.py:8:12:    return größe()\n");
    let vimgrep = tree.run(&["symbols", "get_order", "--vimgrep"]);
    assert_eq!(vimgrep.stdout(), "src/app.py:7:1:def get_order(id: int)\n");
}

#[test]
fn filters_narrow_every_look_up() {
    let tree = tree();
    assert_eq!(lines(&tree, &["symbols", "send", "--lang", "py", "--path", "src/*"]).len(), 1);
    assert_eq!(lines(&tree, &["usages", "send", "--kind", "test"]).len(), 1);
    assert_eq!(lines(&tree, &["usages", "send", "--not-path", "*.py"]).len(), 1);
    let kinds = ["outline", "src", "--symbol-kind", "class,struct"];
    let listed = lines(&tree, &kinds).into_iter().filter(|line| line.starts_with(' '));
    assert_eq!(listed.count(), 2);
    let mut inside = tree.command(&["symbols", "send", "--kind", "source"]);
    inside.current_dir(tree.root().join("src"));
    tree.finish(inside).status(0).says("\nsessions.py:7-9  method");
}

#[test]
fn a_question_can_ask_for_a_kind_of_symbol() {
    let tree = tree();
    let run = tree.run(&["send", "--symbol-kind", "struct", "--json"]);
    let json = run.status(0).json();
    assert_eq!(json["hits"].as_array().unwrap().len(), 1, "{json}");
    assert_eq!(json["hits"][0]["symbol"]["kind"], "struct");
    tree.run(&["send", "--symbol-kind", "table"]).status(1).complains("drop --symbol-kind");
    tree.run(&["send", "--symbol-kind", "klass"]).refused().complains("'class'");
    tree.run(&["send", "-F", "--symbol-kind", "class"]).refused().complains("drop --symbol-kind");
    let mut from_environment = tree.command(&["symbols", "send"]);
    from_environment.env("WHEREIN_SYMBOL_KINDS", "klass");
    tree.finish(from_environment).refused().complains("WHEREIN_SYMBOL_KINDS").complains("class, ");
}

#[test]
fn a_hit_names_its_symbol_and_route() {
    let tree = tree();
    let run = tree.run(&["get order", "src/app.py", "--mode", "keyword"]);
    run.status(0).says("  function get_order  GET /orders/{id}\n");
    tree.run(&["sends one request", "src"]).status(0).says("  method Session.send\n");
}

#[test]
fn nothing_found_says_what_was_asked() {
    let tree = tree();
    let run = tree.run(&["symbols", "nosuchname"]);
    run.status(1).complains("no symbol is called nosuchname").check(run.stdout().is_empty(), "no");
    let run = tree.run(&["symbols", "send", "--symbol-kind", "class"]);
    run.status(1).complains("only symbols of the kind class were asked for");
    tree.run(&["symbols", "send", "--lang", "java"])
        .status(1)
        .complains("drop PATH, --path, --lang");
    let run = tree.run(&["usages", "get_order"]);
    run.status(1).complains("but one line defines it").complains("--comments also looks");
    let run = tree.run(&["usages", "nosuchname", "--comments"]);
    run.status(1).complains("nothing defines it").complains("wherein symbols nosuchname");
    tree.write("notes.txt", "words\n");
    tree.run(&["outline", "notes.txt"]).status(1).complains("notes.txt has no symbols");
    let json = tree.run(&["usages", "nosuchname", "--json"]);
    json.status(1).check(json.json()["usages"] == serde_json::json!([]), "an empty list");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let tree = tree();
    for command in ["symbols", "usages"] {
        tree.run(&[command]).refused().complains("<NAME>");
        tree.run(&[command, " "]).refused().complains("the name is empty");
        tree.run(&[command, "send", "-k", "0"]).refused();
        tree.run(&[command, "send", "-k", "1", "--all"]).refused();
        tree.run(&[command, "send", "--json", "--vimgrep"]).refused();
        tree.run(&[command, "send", "no/such/path"]).refused();
    }
    tree.run(&["outline", "no/such/path"]).refused();
    tree.run(&["outline", "--json", "--jsonl"]).refused();
    let error = tree.run(&["symbols", "", "--json"]);
    assert_eq!(error.status(2).json()["error"]["kind"], "usage");
}

#[test]
fn the_lines_profile_has_no_symbols() {
    let tree = tree();
    for command in [&["symbols", "send"][..], &["usages", "send"], &["outline", "src"]] {
        let run = tree.run(&[command, &["--profile", "lines", "--json"]].concat());
        assert_eq!(run.status(2).json()["error"]["kind"], "usage");
        run.complains("knows no symbols").complains("ask without --profile lines");
    }
    let run = tree.run(&["send", "--symbol-kind", "class", "--profile", "lines"]);
    run.refused().complains("knows no symbols");
    tree.write(".wherein.toml", "profile = 'lines'\n");
    let run = tree.run(&["symbols", "send"]);
    run.refused().complains("project file").complains("--profile symbols overrules it");
    tree.run(&["symbols", "send", "--profile", "symbols"]).status(0);
}

#[test]
fn look_ups_follow_the_tree_unless_told_not_to() {
    let tree = tree();
    tree.run(&["symbols", "send"]).status(0);
    tree.write("src/new.py", "def brand_new():\n    pass\n");
    let stale = tree.run(&["symbols", "brand_new", "--no-refresh"]);
    stale.status(1).complains("not refreshed: --no-refresh");
    let json = tree.run(&["outline", "src/app.py", "--no-refresh", "--json"]).json();
    assert_eq!(json["degraded"][0], "not refreshed: --no-refresh");
    tree.run(&["symbols", "brand_new"]).status(0).says("src/new.py:1-2");
    std::fs::remove_file(tree.root().join("src/new.py")).unwrap();
    tree.run(&["symbols", "brand_new"]).status(1);
}

#[test]
fn the_limit_says_how_much_it_left_out() {
    let calls: String = (0..130).map(|i| format!("    twist({i})\n")).collect();
    let definitions: String = (0..60).map(|i| format!("def turn_{i}():\n    pass\n\n")).collect();
    let tree = Tree::new(&[("a.py", &format!("def f():\n{calls}")), ("b.py", &definitions)]);
    let check = |args: &[&str], n_lines: usize, note: &str| {
        let run = tree.run(args);
        let said = run.status(0).stdout().lines().count();
        run.check(said == n_lines, &format!("{n_lines} lines, not {said}"));
        run.check(note.is_empty() == run.stderr().is_empty(), "a note or none").complains(note);
    };
    check(&["usages", "twist"], 100, "wherein: 30 more usages; --all shows them");
    check(&["usages", "twist", "--all"], 130, "");
    check(&["usages", "twist", "-k", "7"], 7, "123 more usages");
    check(&["usages", "twist", "-c"], 1, "");
    check(&["symbols", "turn"], 50, "10 more symbols; --all shows them");
    check(&["symbols", "turn", "--all"], 60, "");
    check(&["outline", "b.py"], 60, "");
    let json = tree.run(&["usages", "twist", "--json"]).json();
    assert_eq!(
        (json["n_matches"].as_u64(), json["usages"].as_array().map(Vec::len)),
        (Some(130), Some(100))
    );
    // A setting that came with the code must not hide a use.
    tree.write(".wherein.toml", "limit = 3\n");
    check(&["usages", "twist"], 100, "30 more usages");
}

#[test]
fn unicode_names_are_names() {
    let tree = tree();
    tree.run(&["symbols", "größe"]).status(0).says("src/sessions.py:16-18  function  größe");
    tree.run(&["symbols", "GRÖSSE"]).check(true, "no panic");
    tree.run(&["usages", "größe"]).status(0).says("src/app.py:8:  call  return größe()");
}

#[cfg(unix)]
#[test]
fn c12_a_colon_in_a_path_survives_look_ups() {
    let tree = Tree::new(&[("a:1:2.py", "def twist():\n    twist()\n")]);
    assert_eq!(lines(&tree, &["symbols", "twist"]), ["a:1:2.py:1-2  function  twist  def twist()"]);
    assert_eq!(lines(&tree, &["usages", "twist"]), ["a:1:2.py:2:  call  twist()"]);
    assert_eq!(tree.run(&["usages", "twist", "-c0"]).stdout(), "a:1:2.py\x001\n");
    assert_eq!(tree.run(&["symbols", "twist", "--json"]).json()["symbols"][0]["path"], "a:1:2.py");
}

#[test]
fn no_escape_code_of_a_file_reaches_a_look_up() {
    let tree =
        Tree::new(&[("a.py", "def twist(a=\"\x1b]0;owned\x07\"):\n    twist(\"\x1b[2J\")\n")]);
    for command in [&["symbols", "twist"][..], &["usages", "twist"], &["outline", "a.py"]] {
        let run = tree.run(command);
        run.status(0).check(!run.stdout().contains('\x1b'), "no escape code");
    }
}

#[test]
fn a_closed_pipe_ends_a_look_up_well() {
    let tree =
        Tree::new(&[("many.py", &"twist('and some more text to fill the pipe')\n".repeat(15_000))]);
    let mut command = tree.command(&["usages", "twist", "--all"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0_u8; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn words_that_name_look_ups_can_be_asked_for() {
    let tree =
        Tree::new(&[("a.py", "def outline():\n    \"\"\"Lists symbols and usages.\"\"\"\n")]);
    for word in ["outline", "symbols", "usages"] {
        tree.run(&["search", word]).status(0).says("a.py:1-2");
        tree.run(&["--", word]).status(0).says("a.py:1-2");
    }
    tree.run(&["--no-refresh", "outline", "a.py"]).status(0);
}

#[test]
fn no_model_is_loaded_for_a_name() {
    let tree = tree();
    tree.add_model("bge-small-shaped");
    tree.run(&["index", "--model", "mine", "--embed", "all"]).status(0);
    std::fs::write(tree.models().join("mine/model.onnx"), "cut").unwrap();
    tree.write("src/new.py", "def brand_new():\n    pass\n");
    let run = tree.run(&["symbols", "brand_new"]);
    run.status(0).check(run.stderr().is_empty(), "no word of the model");
    let mut command = tree.command(&["usages", "send"]);
    command.env("WHEREIN_MODE", "semantic").env("WHEREIN_MODEL", "nosuchmodel");
    tree.finish(command).status(0);
}

#[test]
fn status_counts_what_was_cut_by_lines() {
    let deep = format!("x = {}1{}\n", "(".repeat(5_000), ")".repeat(5_000));
    let tree = Tree::new(&[("deep.py", &deep), ("a.py", "def f():\n    pass\n")]);
    tree.run(&["index"]).status(0);
    let run = tree.run(&["status", "--json"]);
    let json = run.status(0).json();
    assert_eq!(json["profile"], "symbols");
    let fallbacks = json["fallbacks"].as_object().unwrap();
    assert_eq!(fallbacks.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), 1, "{json}");
    tree.run(&["status"]).says("(symbols profile)").says("\ncut by lines 1 ");
    let run = tree.run(&["outline"]);
    run.status(0).says("a.py\n  1-2  function  f").says("deep.py  ");
    let rebuilt = tree.run(&["index", "--profile", "lines", "--json"]);
    rebuilt.status(0).check(rebuilt.json()["rebuilt"].is_string(), "a reason for the new index");
    let lines = tree.run(&["status", "--profile", "lines", "--json"]).json();
    assert_eq!((&lines["profile"], &lines["stale"]), (&"lines".into(), &false.into()));
    assert_eq!(lines["fallbacks"], serde_json::json!({}));
}

//! Exit codes and the shapes of output.

use std::io::Read;
use std::process::Stdio;

use super::tree::Tree;

fn tree() -> Tree {
    Tree::new(&[
        ("src/auth.rs", "/// Strips the secret.\nfn strip_auth() {\n    forget();\n}\n"),
        ("src/other.rs", "fn other() {}\n"),
        ("docs/guide.md", "# Guide\n\nHow strip_auth works.\n"),
    ])
}

#[test]
fn found_is_zero_and_nothing_is_one() {
    let tree = tree();
    tree.run(&["strip auth"]).status(0).says("src/auth.rs:1-4");
    tree.run(&["-F", "no such text anywhere"]).status(1).complains("nothing found");
}

#[test]
fn json_has_the_shape_of_the_contract() {
    let run = tree().run(&["strip auth", "--json"]);
    run.status(0);
    let json = run.json();
    assert_eq!(json["query"], "strip auth");
    assert_eq!((&json["mode"], &json["model"]), (&"hybrid".into(), &"builtin-code-v1".into()));
    assert!(json["generation"].is_u64() && json["elapsed_ms"].is_number());
    assert!(json["skipped"]["too_large"].is_u64());
    let hit = &json["hits"][0];
    assert_eq!(hit["path"], "src/auth.rs");
    assert!(hit["snippet"].is_string() && hit["parts"]["lexical_rank"] == 1);
}

#[test]
fn jsonl_is_a_hit_a_line() {
    let run = tree().run(&["strip auth", "--jsonl"]);
    run.status(0);
    for line in run.stdout().lines() {
        let hit: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(hit["start_line"].is_u64());
    }
}

#[test]
fn exact_hits_read_as_grep_prints_them() {
    let run = tree().run(&["-F", "strip_auth"]);
    run.status(0);
    let mut lines: Vec<String> = run.stdout().lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines, ["docs/guide.md:3:How strip_auth works.", "src/auth.rs:2:fn strip_auth() {"]);
}

#[test]
fn files_counts_and_editor_lines() {
    let tree = tree();
    assert_eq!(tree.run(&["-F", "strip_auth", "src", "-l"]).stdout(), "src/auth.rs\n");
    assert_eq!(tree.run(&["-F", "strip_auth", "src", "-c"]).stdout(), "src/auth.rs:1\n");
    assert_eq!(tree.run(&["-F", "strip_auth", "src", "-l", "-0"]).stdout(), "src/auth.rs\0");
    let vimgrep = tree.run(&["-F", "strip_auth", "src", "--vimgrep"]);
    assert_eq!(vimgrep.stdout(), "src/auth.rs:2:4:fn strip_auth() {\n");
}

#[cfg(unix)]
#[test]
fn c12_a_colon_in_a_path_survives() {
    let tree = Tree::new(&[("a:1:2.rs", "x strip_auth\n")]);
    let vimgrep = tree.run(&["-F", "strip_auth", "--vimgrep"]);
    assert_eq!(vimgrep.stdout(), "a:1:2.rs:1:3:x strip_auth\n");
    assert_eq!(tree.run(&["-F", "strip_auth", "--json"]).json()["hits"][0]["path"], "a:1:2.rs");
}

#[test]
fn no_escape_code_of_a_file_reaches_a_ranked_listing() {
    let tree = Tree::new(&[("a.rs", "fn strip_auth() {} // \x1b]0;owned\x07\n")]);
    let run = tree.run(&["strip auth"]);
    run.status(0).check(!run.stdout().contains('\x1b'), "no escape code");
}

#[test]
fn a_closed_pipe_is_success() {
    let line = "strip_auth and some more text to fill the pipe\n";
    let tree = Tree::new(&[("many.txt", &line.repeat(15_000))]);
    let mut command = tree.command(&["-F", "strip_auth"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0_u8; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn no_refresh_is_said() {
    let tree = tree();
    tree.run(&["index"]).status(0);
    let run = tree.run(&["strip auth", "--no-refresh", "--json"]);
    run.status(0);
    assert_eq!(run.json()["degraded"][0], "not refreshed: --no-refresh");
}

#[test]
fn c6_all_spellings_of_a_subfolder_and_standing_in_it() {
    let tree = tree();
    for path in ["docs", "docs/", "./docs"] {
        tree.run(&["strip auth", path]).status(0).says("docs/guide.md:");
    }
    let mut command = tree.command(&["strip auth", "--jsonl"]);
    command.current_dir(tree.root().join("docs"));
    tree.finish(command).status(0).says(r#""path":"guide.md""#);
}

#[test]
fn status_tells_and_why_explains() {
    let tree = tree();
    tree.write(".gitignore", "*.log\n");
    tree.write("x.log", "strip_auth\n");
    tree.run(&["index"]).status(0);
    let status = tree.run(&["status", "--json"]);
    status.status(0);
    assert!(status.json()["files"].as_u64().unwrap() >= 3);
    assert_eq!(status.json()["stale"], false);
    let why = tree.run(&["status", "--why", "x.log", "--json"]);
    assert_eq!(why.json()["searched"], false);
    assert_eq!(why.json()["reason"], "ignored");
    tree.run(&["status", "--why", "src/auth.rs"]).status(0).says("src/auth.rs: searched");
}

/// The readable form of both names is the same; grep shows both lines, so must we.
#[cfg(target_os = "linux")]
#[test]
fn c07_names_that_look_alike_lose_no_line() {
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::new(&[("x\u{fffd}.py", "walrus = 3\n")]);
    for name in [&b"x\xff.py"[..], b"x\xfe.py"] {
        let path = tree.root().join(std::ffi::OsStr::from_bytes(name));
        std::fs::write(path, format!("walrus = {}\n", name[1])).unwrap();
    }
    let run = tree.run(&["-F", "walrus"]);
    run.status(0).says("walrus = 3").says("walrus = 255").says("walrus = 254");
}

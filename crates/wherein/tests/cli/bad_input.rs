//! Bad input: a one-line error with a hint and exit 2, never a panic.

use super::tree::Tree;

fn tree() -> Tree {
    Tree::new(&[("src/a.rs", "fn strip_auth() {}\n")])
}

#[test]
fn questions_that_are_none() {
    let tree = tree();
    tree.run(&[]).refused();
    tree.run(&[""]).refused().complains("empty");
    tree.run(&["   "]).refused().complains("empty");
    tree.run(&[&"x".repeat(65 * 1024)]).refused().complains("64 KiB");
}

#[test]
fn a_question_of_ten_kilobytes_works() {
    tree().run(&[&"strip auth ".repeat(930)]).status(0).says("src/a.rs");
}

#[test]
fn questions_that_say_nothing_find_nothing() {
    let tree = tree();
    for question in ["?!", "...", "{}();", "::"] {
        tree.run(&[question]).status(1);
    }
    // Words that are all there is are looked for; what a model makes of them is its own affair.
    for question in ["what is it that we do", "dove \u{e8} che si fa"] {
        tree.run(&[question, "--mode", "keyword"]).status(1);
    }
}

#[test]
fn a_file_that_is_not_there_is_told() {
    let tree = tree();
    tree.run(&["strip auth in foo/bar.rs"])
        .status(0)
        .says("src/a.rs")
        .complains("no file here is named foo/bar.rs");
}

#[test]
fn numbers_that_make_no_sense() {
    let tree = tree();
    for args in [["x", "-k", "0"], ["x", "-k", "-1"], ["x", "-k", "many"], ["x", "-C", "few"]] {
        tree.run(&args).refused();
    }
    tree.run(&["x", "--threads", "0"]).refused();
    tree.run(&["x", "--max-file-size", "big"]).refused();
}

#[test]
fn names_that_do_not_exist() {
    let tree = tree();
    tree.run(&["x", "--mode", "psychic"]).refused().complains("keyword");
    tree.run(&["x", "--kind", "poem"]).refused().complains("source");
    tree.run(&["x", "--nonsense"]).refused();
    tree.run(&["x", "--root", "nowhere"]).refused();
    tree.run(&["where", "is", "the", "retry"]).refused().complains("quote");
}

#[test]
fn patterns_that_do_not_parse() {
    let tree = tree();
    tree.run(&["-E", "(", "src"]).refused();
    tree.run(&["strip", "--path", "[a"]).refused();
}

#[test]
fn roots_that_are_too_wide() {
    let tree = tree();
    let home = tree.home().display().to_string();
    tree.run(&["x", "--root", &home]).refused().complains("--yes");
    if cfg!(unix) {
        tree.run(&["x", "--root", "/"]).refused().complains("--yes");
    }
}

#[test]
fn an_index_inside_the_searched_folder() {
    tree().run(&["x", "--index-dir", "cache"]).refused().complains("--index-dir");
}

#[test]
fn an_error_is_an_object_with_json() {
    for args in [["x", "--json", "-k", "0"], ["x", "--json", "-k", "--nonsense"]] {
        let run = tree().run(&args);
        run.status(2);
        assert_eq!(run.json()["error"]["kind"], "usage");
        assert!(run.json()["error"]["message"].is_string());
    }
}

#[test]
fn two_formats_at_once() {
    tree().run(&["x", "--json", "-l"]).status(2);
}

/// What a hostile clone can ship: ignore files that never end, or that wait for a writer.
#[cfg(unix)]
#[test]
fn ignore_files_that_are_no_files() {
    let tree = tree();
    std::os::unix::fs::symlink("/dev/zero", tree.root().join(".gitignore")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(tree.root().join(".ignore")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
    tree.run(&["strip auth"]).status(0).says("src/a.rs");
}

#[test]
fn thousands_of_threads() {
    tree().run(&["strip auth", "--threads", "9999999"]).status(0).says("src/a.rs");
}

#[test]
fn a_limit_of_the_project_hides_no_exact_line() {
    let tree =
        Tree::new(&[("a.txt", "walrus\nwalrus\nwalrus\n"), (".wherein.toml", "limit = 1\n")]);
    let lines = |args: &[&str]| tree.run(args).status(0).stdout().lines().count();
    assert_eq!(lines(&["-F", "walrus"]), 3);
    assert_eq!(lines(&["-F", "walrus", "-k", "2"]), 2);
    tree.run(&["-F", "walrus", "-c", "-k", "2"]).says("a.txt:3");
}

#[test]
fn why_understands_the_way_up() {
    tree().run(&["status", "--why", "src/../src/a.rs"]).status(0).says("searched");
}

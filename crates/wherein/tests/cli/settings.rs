//! Settings: precedence, origins, and project files that want too much.

use super::tree::Tree;

#[test]
fn each_source_beats_the_weaker_and_says_so() {
    let tree = Tree::new(&[]);
    let config = |env: Option<&str>| {
        let mut command = tree.command(&["config", "--origin"]);
        command.envs(env.map(|value| ("WHEREIN_LIMIT", value)));
        tree.finish(command)
    };
    config(None).status(0).says("limit = 10").says("# default");
    tree.write_user_settings("limit = 2\n");
    config(None).status(0).says("limit = 2  # user file ");
    tree.write(".wherein.toml", "limit = 3\n");
    config(None).status(0).says("limit = 3  # project file ");
    config(Some("4")).status(0).says("limit = 4  # environment WHEREIN_LIMIT");
    tree.run(&["config", "--origin", "--threads", "2"]).says("threads = 2  # flag --threads");
}

#[test]
fn a_project_file_cannot_widen_what_is_read() {
    let tree = Tree::new(&[("a.rs", "x\n"), (".wherein.toml", "include_sensitive = true\n")]);
    tree.run(&["x"]).refused().complains(".wherein.toml");
}

#[test]
fn an_unknown_key_names_the_nearest() {
    let tree = Tree::new(&[("a.rs", "x\n"), (".wherein.toml", "limt = 5\n")]);
    tree.run(&["x"]).refused().complains("did you mean limit?");
}

/// Of ranked results: exact lines are complete unless a limit is typed, see `bad_input`.
#[test]
fn a_limit_from_the_project_holds_and_a_flag_beats_it() {
    let tree = Tree::new(&[
        ("a.txt", "alpha\n"),
        ("b.txt", "alpha\n"),
        ("c.txt", "alpha\n"),
        (".wherein.toml", "limit = 1\n"),
    ]);
    let lines = |args: &[&str]| tree.run(args).stdout().lines().count();
    assert_eq!(lines(&["alpha", "*.txt", "-l"]), 1);
    assert_eq!(lines(&["alpha", "*.txt", "-l", "-k", "2"]), 2);
}

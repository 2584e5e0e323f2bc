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

#[test]
fn settings_of_models_and_fusion_have_each_source() {
    let tree = Tree::new(&[]);
    let default = tree.run(&["config", "--origin"]);
    default
        .status(0)
        .says("model = the one of the index, else builtin-code-v1  # default")
        .says("embed_within = 10  #");
    let models = tree.models().display().to_string();
    default.check(default.stdout().contains(&models), &format!("model_dir {models}"));
    tree.write_user_settings("model = 'mine'\nembed_within = 2.5\nvectors = 'f32'\n");
    tree.write(".wherein.toml", "fusion = 'minmax'\nkeyword_weight = 0.5\nrrf_k = 20\n");
    tree.run(&["config", "--origin", "--model-dir", "elsewhere"])
        .says("model = \"mine\"  # user file ")
        .says("embed_within = 2.5  # user file ")
        .says("vectors = \"f32\"  # user file ")
        .says("model_dir = \"elsewhere\"  # flag --model-dir")
        .says("fusion = \"minmax\"  # project file ")
        .says("keyword_weight = 0.5  # project file ")
        .says("rrf_k = 20  # project file ");
    let mut command = tree.command(&["config", "--origin"]);
    command.env("WHEREIN_MODEL", "none").env("WHEREIN_SEMANTIC_WEIGHT", "3");
    tree.finish(command)
        .says("model = \"none\"  # environment WHEREIN_MODEL")
        .says("semantic_weight = 3  # environment WHEREIN_SEMANTIC_WEIGHT");
}

#[test]
fn a_project_file_chooses_no_model() {
    for line in ["model = 'mine'", "model_dir = 'x'", "vectors = 'f32'", "embed_within = 9999"] {
        let tree = Tree::new(&[("a.rs", "x\n"), (".wherein.toml", line)]);
        tree.run(&["x"]).refused().complains(".wherein.toml");
    }
}

#[test]
fn values_of_models_and_fusion_that_make_no_sense() {
    let tree = Tree::new(&[("a.rs", "x\n")]);
    for args in [
        ["x", "--fusion", "zip"],
        ["x", "--rrf-k", "-1"],
        ["x", "--fusion-depth", "0"],
        ["x", "--keyword-weight", "NaN"],
        ["x", "--vectors", "f64"],
        ["x", "--embed-within", "soon"],
        ["x", "--model", ""],
    ] {
        tree.run(&args).refused();
    }
    tree.run(&["x", "--keyword-weight", "0", "--semantic-weight", "0"]).refused();
}

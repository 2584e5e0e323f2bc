//! `wherein model …` through the real binary, with the small committed models and no network.

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use super::tree::Tree;

#[test]
fn the_list_has_what_is_known_and_what_is_here() {
    let tree = Tree::new(&[]);
    let list = tree.run(&["model", "list", "--json"]).status(0).json();
    let names: Vec<_> = list["models"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert!(names.len() == 8 && names.contains(&&"bge-m3".into()), "{list}");
    let rows = list["models"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["here"] == (row["name"] == "builtin-code-v1")), "{list}");
    tree.add_model("bge-m3-shaped");
    let list = tree.run(&["model", "list", "--json"]).json();
    let mine = &list["models"][8];
    assert_eq!((&mine["name"], &mine["dimensions"]), (&"mine".into(), &48.into()));
    assert!(mine["here"] == true && mine["size_bytes"].as_u64() > Some(250_000), "{mine}");
    tree.run(&["model", "list"])
        .says("2048 of 8192")
        .says("can be pulled")
        .says("mine")
        .says(&tree.models().display().to_string());
}

#[test]
fn a_model_is_named_after_its_folder_and_used_as_told() {
    let tree = Tree::new(&[]);
    let folder = Tree::model("bge-m3-shaped").display().to_string();
    tree.run(&["model", "add", &folder]).status(0).says("added bge-m3-shaped");
    let usage = ["--pooling", "mean", "--max-tokens", "20", "--question-prefix", "seek: "];
    let add = ["model", "add", &folder, "--name", "other", "--no-normalise"];
    tree.run(&[&add[..], &usage[..]].concat()).status(0).says("reads 20 tokens");
    let info = tree.run(&["model", "info", "other", "--json"]).status(0).json();
    assert_eq!((&info["pooling"], &info["question_prefix"]), (&"mean".into(), &"seek: ".into()));
    assert_eq!((&info["max_tokens"], &info["normalised"]), (&20.into(), &false.into()));
    let files = info["files"].as_array().unwrap();
    assert!(files.iter().all(|file| file["sha256"].as_str().unwrap().len() == 64), "{info}");
    tree.run(&["model", "info", "other"]).says("model.onnx_data").says("\"seek: \"");
    // Where it lies it needs no network; only how it is used changes.
    tree.run(&["model", "pull", "other"]).status(0).says("already here");
    tree.run(&["model", "pull", "other", "--max-tokens", "30"]).says("reads 30 tokens");
}

#[test]
fn changed_and_missing_files_are_named() {
    let tree = Tree::new(&[]);
    tree.run(&["model", "verify"]).status(0).complains("there is no other model");
    tree.add_model("bge-m3-shaped");
    tree.run(&["model", "verify"]).status(0).says("mine: 6 files as they were recorded");
    let weights = tree.models().join("mine/model.onnx_data");
    let mut bytes = fs::read(&weights).unwrap();
    bytes[100] ^= 1;
    fs::write(&weights, bytes).unwrap();
    fs::remove_file(tree.models().join("mine/modules.json")).unwrap();
    tree.run(&["model", "verify", "mine"])
        .status(2)
        .says("model.onnx_data")
        .says("modules.json")
        .complains("2 files")
        .complains("hint: ");
}

#[test]
fn a_record_never_leads_to_another_model() {
    let tree = Tree::new(&[]);
    tree.add_model("bge-small-shaped");
    let (mine, copy) = (tree.models().join("mine"), tree.models().join("copy"));
    super::tree::copy_all(&mine, &copy);
    let record = copy.join("wherein-model.json");
    for name in ["mine", "../mine", "", "."] {
        let text = std::fs::read_to_string(mine.join("wherein-model.json")).unwrap();
        let name = format!("\"name\": \"{name}\"");
        std::fs::write(&record, text.replacen("\"name\": \"mine\"", &name, 1)).unwrap();
        tree.run(&["model", "info", "copy"]).refused().complains("not of 'copy'");
        tree.run(&["model", "list"]).status(0).says("mine").complains("not of 'copy'");
    }
    std::fs::write(&record, "garbage").unwrap();
    tree.run(&["model", "list"]).status(0).says("mine").complains("wherein-model.json");
    tree.run(&["model", "verify"]).status(2).complains("wherein-model.json");
    tree.run(&["model", "remove", "copy"]).status(0).says("removed copy");
    assert!(mine.join("model.onnx").exists() && !copy.exists());
    tree.run(&["model", "verify"]).status(0);
}

#[test]
fn what_cannot_work_is_not_added() {
    let tree = Tree::new(&[]);
    let folder = tree.copied_model("bge-small-shaped");
    std::fs::write(folder.join("config.json"), r#"{"hidden_size": 32}"#).unwrap();
    let folder = folder.display().to_string();
    let add = |more: &[&str]| tree.run(&[&["model", "add", &folder, "--name", "x"], more].concat());
    add(&["--max-tokens", "512"]).refused().complains("does not read 512 tokens");
    let long = "long ".repeat(200);
    add(&["--max-tokens", "64", "--question-prefix", &long]).refused().complains("prefix");
    for name in ["none", "-x", &"n".repeat(200)] {
        tree.run(&["model", "add", &folder, &format!("--name={name}")]).refused();
    }
    assert!(!tree.models().join("x").exists());
    add(&["--max-tokens", "64"]).status(0);
}

#[test]
fn the_built_in_model_is_always_here() {
    let tree = Tree::new(&[("a.rs", "fn open_file() {}\n")]);
    let name = "builtin-code-v1";
    tree.run(&["model", "list"]).status(0).says("built in").says("all ");
    tree.run(&["model", "info", name]).status(0).says("part of the program").says("licence");
    let info = tree.run(&["model", "info", "Builtin-Code-V1", "--json"]).status(0).json();
    assert_eq!((&info["name"], &info["pooling"]), (&name.into(), &"sum".into()), "{info}");
    tree.run(&["model", "verify", name]).status(0).says("as its card says");
    tree.run(&["model", "verify"]).status(0).says("builtin-code-v1: as its card says");
    let bench = tree.run(&["model", "bench", name, "--json"]).status(0).json();
    assert_eq!((&bench["model"], bench["max_tokens"].is_null()), (&name.into(), true), "{bench}");
    tree.run(&["model", "bench", name, "--max-tokens", "9"]).refused();
    let folder = Tree::model("bge-small-shaped").display().to_string();
    for args in [
        &["model", "pull", name][..],
        &["model", "remove", name],
        &["model", "add", &folder, "--name", name],
        &["model", "add", &folder, "--name", "builtin-code-v9"],
        &["model", "info", "builtin-code"],
    ] {
        tree.run(args).refused().complains("builtin-code-v1 is part of the program");
    }
}

#[test]
fn a_removed_model_is_gone() {
    let tree = Tree::new(&[]);
    tree.add_model("bge-small-shaped");
    tree.run(&["model", "remove", "mine"]).status(0).says("removed mine");
    assert!(!tree.models().join("mine").exists());
    tree.run(&["model", "remove", "mine"]).refused();
}

#[test]
fn a_pull_without_a_network_says_so_at_once() {
    let tree = Tree::new(&[]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", listener.local_addr().unwrap());
    for endpoint in ["http://127.0.0.1:1", &silent] {
        let mut command = tree.command(&["model", "pull", "bge-small-en-v1.5"]);
        command.env("HF_ENDPOINT", endpoint);
        let started = Instant::now();
        let run = tree.finish(command);
        let took = started.elapsed();
        run.refused()
            .complains("BAAI/bge-small-en-v1.5/resolve/main/onnx/model.onnx")
            .complains("wherein model add DIR")
            .complains("HF_ENDPOINT")
            .check(took < Duration::from_secs(5), &format!("less than 5 s, not {took:?}"));
    }
    tree.run(&["model", "verify"]).status(0).complains("there is no other model");
}

#[test]
fn names_and_folders_that_are_none() {
    let tree = Tree::new(&[]);
    tree.run(&["model", "pull", "bge-smal"]).refused().complains("did you mean bge-small-en-v1.5");
    tree.run(&["model", "pull", "CodeRankEmbed"]).refused().complains("optimum-cli");
    tree.run(&["model", "pull", "../x"]).refused();
    tree.run(&["model", "info", "bge_m3"]).refused().complains("did you mean bge-m3");
    tree.run(&["model", "info", "bge-m3"]).refused().complains("wherein model pull bge-m3");
    tree.run(&["model", "add", "nowhere"]).refused().complains("nowhere");
    tree.run(&["model"]).refused();
}

#[test]
fn damaged_folders_name_their_file() {
    let check = |break_it: &dyn Fn(&std::path::Path), words: &str| {
        let tree = Tree::new(&[]);
        let folder = tree.copied_model("bge-small-shaped");
        break_it(&folder);
        tree.run(&["model", "add", &folder.display().to_string()]).refused().complains(words);
        assert_eq!(fs::read_dir(tree.models()).into_iter().flatten().count(), 0, "{words}");
    };
    check(&|folder| fs::remove_file(folder.join("tokenizer.json")).unwrap(), "tokenizer.json");
    check(&|folder| fs::remove_file(folder.join("model.onnx")).unwrap(), "no model.onnx");
    let cut = |folder: &std::path::Path| {
        let bytes = fs::read(folder.join("model.onnx")).unwrap();
        fs::write(folder.join("model.onnx"), &bytes[..bytes.len() / 2]).unwrap();
    };
    check(&cut, "model.onnx");
    let tree = Tree::new(&[]);
    let folder = Tree::model("bge-small-shaped").display().to_string();
    for usage in [["--max-tokens", "0"], ["--max-tokens", "9999"], ["--max-tokens", "x"]] {
        tree.run(&["model", "add", &folder, usage[0], usage[1]]).refused();
    }
    tree.run(&["model", "add", &folder, "--pooling", "max"]).refused().complains("cls, mean, last");
    tree.run(&["model", "add", &folder, "--onnx", "../x.onnx"]).refused();
    tree.run(&["model", "add", &folder, "--name", "a/b"]).refused();
}

#[test]
fn a_bench_tells_what_a_model_costs() {
    let long = "let value = compute(first, second);\n".repeat(200);
    let tree = Tree::new(&[("a.rs", &long), ("b.rs", "fn short() {}\n")]);
    tree.run(&["model", "bench"]).status(0).says("builtin-code-v1").says("all tokens");
    tree.add_model("bge-small-shaped");
    let all = tree.run(&["model", "bench", "--json"]).status(0).json();
    assert_eq!((&all["model"], &all["dimensions"]), (&"mine".into(), &32.into()));
    let n_chunks = all["chunks"].as_u64().unwrap();
    assert!(n_chunks > 2 && all["chunks_truncated"] == n_chunks - 1, "{all}");
    assert_eq!(all["vector_bytes_f32"], n_chunks * 32 * 4);
    assert_eq!((&all["chunks_embedded"], &all["is_sample"]), (&n_chunks.into(), &false.into()));
    assert!(all["tokens_per_second"].as_f64() > Some(0.0), "{all}");
    // A folder that was not added does as well, and no vector is kept.
    let folder = Tree::model("bge-m3-shaped").display().to_string();
    tree.run(&["model", "bench", &folder, ".", "--sample", "1"])
        .status(0)
        .says("48 dimensions")
        .says("measured on a sample of 1")
        .says("vectors as int8");
    assert_eq!(tree.run(&["status", "--json"]).json()["vectors"], 0);
    tree.run(&["model", "bench", "mine", "--sample", "0"]).refused();
    tree.run(&["model", "bench", "min"]).refused().complains("did you mean mine");
}

//! Vectors in the making: killed processes, several at once, full disks, working trees that share them.

use std::process::Stdio;
use std::time::Duration;

use super::processes::{QUESTION, Random, SmallDisk, start, tree_of};
use super::tree::Tree;

/// A tree with a model at hand, whose chunks keep it busy for a while.
fn busy_tree() -> Tree {
    let tree = tree_of(30, 60);
    tree.add_model("bge-small-shaped");
    tree
}

const INDEX: &[&str] = &["index", "--model", "mine", "--embed", "all", "--json"];

#[test]
fn c15_c24_killed_while_embedding_it_goes_on_where_it_ended() {
    let tree = busy_tree();
    let seed = 7_919;
    let mut random = Random(seed);
    let mut n_kept = 0;
    for round in 0..12 {
        let mut child = start(&tree, INDEX);
        std::thread::sleep(Duration::from_millis(200 + random.below(900)));
        let _ = child.kill();
        child.wait().unwrap();
        let seen = tree.run(&[QUESTION, "--json", "--no-refresh"]);
        let told = seen.stdout() + &seen.stderr();
        seen.check(!told.contains("damaged"), &format!("no damage; seed {seed}, round {round}"));
        let n_vectors = tree.run(&["status", "--json"]).json()["vectors"].as_u64().unwrap();
        seen.check(n_vectors >= n_kept, &format!("{n_kept} vectors are kept; round {round}"));
        n_kept = n_vectors;
    }
    let last = tree.run(INDEX).status(0).json();
    assert_eq!(last["vectors"], last["chunks"], "{last}");
    let again = tree.run(INDEX).status(0).json();
    assert_eq!((&again["embedded"], &again["cached"]), (&0.into(), &0.into()), "{again}");
}

#[test]
fn c24_what_a_killed_run_embedded_is_not_embedded_again() {
    let tree = busy_tree();
    let n_chunks =
        tree.run(&["index", "--model", "none", "--json"]).json()["chunks"].as_u64().unwrap();
    let mut child = start(&tree, INDEX);
    // Some batches are kept long before the first commit.
    let cache = tree.index_base().join("vectors-1.sqlite");
    let wal = tree.index_base().join("vectors-1.sqlite-wal");
    let size = |path: &std::path::Path| path.metadata().map_or(0, |m| m.len());
    for _ in 0..2_000 {
        if size(&cache) + size(&wal) > 300_000 {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    child.wait().unwrap();
    let vectors = tree.run(&["status", "--json"]).json()["vectors"].as_u64().unwrap();
    let last = tree.run(INDEX).status(0).json();
    let (embedded, cached) = (last["embedded"].as_u64().unwrap(), last["cached"].as_u64().unwrap());
    assert_eq!(vectors + embedded + cached, n_chunks, "{last}");
    assert!(vectors + cached > 0, "the killed run left nothing: {last}");
}

#[test]
fn c17_fifteen_at_once_embed_each_chunk_once() {
    let tree = busy_tree();
    let children: Vec<_> = (0..15)
        .map(|_| {
            let mut command = tree.command(INDEX);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let (mut n_embedded, mut n_chunks) = (0, 0);
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        n_embedded += report["embedded"].as_u64().unwrap();
        n_chunks = report["chunks"].as_u64().unwrap();
        assert_eq!(report["vectors"], report["chunks"], "{report}");
    }
    assert_eq!(n_embedded, n_chunks);
}

#[test]
fn questions_and_edits_go_on_while_another_process_embeds() {
    let tree = busy_tree();
    tree.run(&["index", "--model", "none"]).status(0);
    let mut embedder = start(&tree, INDEX);
    std::thread::sleep(Duration::from_millis(300));
    tree.write("pkg0/walrus.py", "def walrus():\n    pass\n");
    let seen = tree.run(&["walrus", "--json"]).status(0).json();
    assert_eq!(seen["hits"][0]["path"], "pkg0/walrus.py", "{seen}");
    embedder.wait().unwrap();
    let last = tree.run(INDEX).status(0).json();
    assert_eq!(last["vectors"], last["chunks"], "{last}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_of_vectors_is_one_line_and_leaves_the_words() {
    let tree = busy_tree();
    let Some(disk) = SmallDisk::mount(tree.home().join("disk"), "700k") else {
        println!("SKIPPED: this user may not mount a small file system");
        return;
    };
    let dir = disk.path().to_str().unwrap();
    tree.run(&["index", "--index-dir", dir, "--model", "none"]).status(0);
    // Fill what is left, so that the vectors find no room.
    let free = std::process::Command::new("dd")
        .args(["if=/dev/zero", &format!("of={dir}/ballast"), "bs=1k", "count=500"])
        .stderr(Stdio::null())
        .status()
        .unwrap();
    let _ = free;
    let full = tree.run(&["index", "--index-dir", dir, "--model", "mine", "--embed", "all"]);
    full.status(2).complains("hint: ");
    full.check(full.stderr().contains("vectors"), "the file is named");
    let words = [QUESTION, "--index-dir", dir, "--no-refresh", "--mode", "keyword", "--json"];
    assert!(!tree.run(&words).status(0).json()["hits"].as_array().unwrap().is_empty());
    std::fs::remove_file(disk.path().join("ballast")).unwrap();
}

#[test]
fn c21_ten_worktrees_share_vectors() {
    let tree = busy_tree();
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.org"]).args(args);
        let output = command.current_dir(tree.root()).env("HOME", tree.home()).output();
        output.is_ok_and(|output| output.status.success())
    };
    if !(git(&["init", "-q"]) && git(&["add", "."]) && git(&["commit", "-qm", "all"])) {
        println!("SKIPPED: no git");
        return;
    }
    let first = tree.run(INDEX).status(0).json();
    let one = folder_bytes(&tree.index_base());
    for i in 0..9 {
        let path = tree.home().join(format!("tree{i}"));
        let path = path.to_str().unwrap();
        assert!(git(&["worktree", "add", "-q", path, "-b", &format!("b{i}")]));
        let args = ["index", path, "--model", "mine", "--embed", "all", "--json"];
        let other = tree.run(&args).status(0).json();
        assert_eq!(
            (&other["embedded"], &other["vectors"]),
            (&0.into(), &first["chunks"]),
            "{other}"
        );
    }
    let ten = folder_bytes(&tree.index_base());
    assert!(ten < one * 3, "one takes {one} bytes, ten take {ten}");
}

/// Bytes of a folder, a file with several links counted once.
fn folder_bytes(folder: &std::path::Path) -> u64 {
    let mut seen = std::collections::HashSet::new();
    let mut total = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let metadata = entry.metadata().unwrap();
            if metadata.is_dir() {
                folders.push(entry.path());
            } else if seen.insert(file_id(&metadata, &entry.path())) {
                total += metadata.len();
            }
        }
    }
    total
}

#[cfg(unix)]
fn file_id(metadata: &std::fs::Metadata, _path: &std::path::Path) -> String {
    std::os::unix::fs::MetadataExt::ino(metadata).to_string()
}

#[cfg(not(unix))]
fn file_id(_metadata: &std::fs::Metadata, path: &std::path::Path) -> String {
    path.display().to_string()
}

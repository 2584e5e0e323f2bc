//! Several processes, killed processes, full disks: the index survives them all.
//!
//! Random moments come from a seeded generator; the seed is in every failure message.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::tree::Tree;

pub(super) const QUESTION: &str = "where is the redirect of the session followed";

/// A small generator (Knuth's MMIX constants): tests must be repeatable.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// One file of invented code.
fn source(i: usize, n_functions: usize) -> String {
    let mut text = String::new();
    for f in 0..n_functions {
        text.push_str(&format!(
            "def handle_{i}_{f}(session, request):\n    \"\"\"Follow the redirect number {f}.\"\"\"\n    \
             return session.send_{f}(request, retries={i}, token='{:x}')\n\n",
            (i * 7919 + f * 104_729) % 65_536
        ));
    }
    text
}

pub(super) fn tree_of(n_files: usize, n_functions: usize) -> Tree {
    let tree = Tree::new(&[]);
    for i in 0..n_files {
        tree.write(&format!("pkg{}/module_{i}.py", i % 7), &source(i, n_functions));
    }
    tree
}

/// The hits of a question, without what differs between runs.
fn hits(tree: &Tree, args: &[&str]) -> serde_json::Value {
    let mut all = vec![QUESTION, "--json"];
    all.extend(args);
    let run = tree.run(&all);
    run.status(0).json()["hits"].clone()
}

pub(super) fn start(tree: &Tree, args: &[&str]) -> std::process::Child {
    let mut command: Command = tree.command(args);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn c15_killed_at_any_moment() {
    let tree = tree_of(120, 30);
    let seed = 20_261_130;
    let mut random = Random(seed);
    for round in 0..60 {
        let i = random.below(120) as usize;
        tree.write(&format!("pkg{}/module_{i}.py", i % 7), &source(i + round, 30));
        let mut child = start(&tree, &["index", "-q"]);
        std::thread::sleep(Duration::from_millis(random.below(400)));
        let _ = child.kill();
        child.wait().unwrap();
        let seen = tree.run(&[QUESTION, "--json", "--no-refresh"]);
        let told = seen.stdout() + &seen.stderr();
        seen.check(!told.contains("damaged"), &format!("no damage; seed {seed}, round {round}"));
        if round % 12 == 11 {
            let fresh = tree.home().join(format!("fresh-{round}"));
            let expected = hits(&tree, &["--index-dir", fresh.to_str().unwrap()]);
            assert_eq!(hits(&tree, &[]), expected, "seed {seed}, round {round}");
        }
    }
}

#[test]
fn c17_fifteen_at_once_write_once() {
    let tree = tree_of(60, 20);
    let children: Vec<_> = (0..15)
        .map(|i| match i % 3 {
            0 => start(&tree, &["index", "-q"]),
            1 => start(&tree, &[QUESTION, "--json"]),
            _ => start(&tree, &["redirect", "--mode", "exact", "-q"]),
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let status = tree.run(&["status", "--json"]);
    let generation = status.status(0).json()["generation"].clone();
    status.check(generation == 1, "one generation: no work was done twice");
}

#[test]
fn c17_questions_go_on_while_another_process_writes() {
    let tree = tree_of(40, 20);
    tree.run(&["index", "-q"]).status(0);
    let mut writer = start(&tree, &["index", "-q", "--rebuild"]);
    for _ in 0..5 {
        tree.run(&[QUESTION, "--json"]).status(0);
    }
    writer.wait().unwrap();
}

#[test]
fn c24_each_try_goes_on_where_the_last_ended() {
    let tree = tree_of(80, 700);
    let limited = |tree: &Tree| {
        let mut command = tree.command(&["index", "-q", "--threads", "1"]);
        command.env("WHEREIN_COMMIT_EVERY_MS", "50");
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let mut done = 0;
    for attempt in 0..3 {
        let mut child = limited(&tree).spawn().unwrap();
        let kept = loop {
            std::thread::sleep(Duration::from_millis(50));
            let status = tree.run(&["status", "--json"]);
            let files = status.status(0).json()["files"].as_u64().unwrap();
            if files > done || child.try_wait().unwrap().is_some() {
                break files;
            }
        };
        let _ = child.kill();
        child.wait().unwrap();
        assert!(kept > done, "attempt {attempt}: {kept} files after {done}");
        done = kept;
    }
    let last = tree.run(&["index", "--json"]);
    let added = last.status(0).json()["added"].as_u64().unwrap();
    last.check(added <= 80 - done, "only the rest is indexed");
    assert_eq!(tree.run(&["status", "--json"]).json()["files"], 80);
}

#[test]
fn c19_no_network_is_no_trouble() {
    let tree = tree_of(3, 3);
    let mut command = tree.command(&[QUESTION]);
    for name in ["http_proxy", "https_proxy", "ALL_PROXY"] {
        command.env(name, "http://192.0.2.1:9");
    }
    let started = std::time::Instant::now();
    tree.finish(command).status(0).says("pkg");
    assert!(started.elapsed() < Duration::from_secs(5));
}

/// A small file system, gone with the value; `None` where this user may not mount.
#[cfg(target_os = "linux")]
pub(super) struct SmallDisk(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl SmallDisk {
    pub(super) fn mount(at: std::path::PathBuf, size: &str) -> Option<SmallDisk> {
        std::fs::create_dir_all(&at).unwrap();
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(&at)
            .stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(SmallDisk(at))
    }

    pub(super) fn path(&self) -> &std::path::Path {
        &self.0
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_line_and_leaves_the_last_generation() {
    let tree = tree_of(4, 10);
    let Some(disk) = SmallDisk::mount(tree.home().join("disk"), "256k") else {
        println!("SKIPPED: this user may not mount a small file system");
        return;
    };
    let index_dir = disk.path().to_str().unwrap();
    let before = hits(&tree, &["--index-dir", index_dir]);
    // An index takes about a fifth of its source: far more than the disk holds, however it is cut.
    for i in 100..500 {
        tree.write(&format!("more/module_{i}.py"), &source(i, 100));
    }
    let full = tree.run(&[QUESTION, "--index-dir", index_dir]);
    full.status(2).check(full.stderr().lines().count() == 2, "one line of error and one of hint");
    full.complains("hint: ");
    assert_eq!(hits(&tree, &["--index-dir", index_dir, "--no-refresh"]), before);
}

#[test]
fn c16_damage_deep_inside_is_mended_by_the_question_that_meets_it() {
    let tree = tree_of(8, 40);
    let before = hits(&tree, &[]);
    let status = tree.run(&["status", "--json"]).json();
    let folder = std::path::PathBuf::from(status["index_dir"].as_str().unwrap());
    for entry in std::fs::read_dir(folder.join("segments")).unwrap().flatten() {
        let mut bytes = std::fs::read(entry.path()).unwrap();
        let body = bytes.len() * 9 / 10;
        bytes[..body].iter_mut().for_each(|byte| *byte = !*byte);
        std::fs::write(entry.path(), bytes).unwrap();
    }
    let mended = tree.run(&[QUESTION]);
    mended.status(0).complains("damaged");
    assert_eq!(hits(&tree, &["--no-refresh"]), before);
}

//! Mining small clones that the tests make: what is refused and why, what is left out, and that it goes on.

use std::path::Path;
use std::process::Command;

use super::{MineJob, counts, mine, pairs_file};
use crate::manifest;

const MIT: &str = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this \
software. The above copyright notice and this permission notice shall be included.\n";
const CODE: &str = "//! Cookies.\n\n/// Forgets every cookie that is older than the given time.\npub fn drop_stale_cookies(jar: \
&mut Jar, now: u64) {\n    let limit = now.saturating_sub(jar.max_age);\n    jar.cookies.retain(|cookie| cookie.made_at >= limit);\n    \
jar.n_dropped = jar.n_all - jar.cookies.len();\n    jar.notify_listeners(jar.n_dropped);\n    jar.saved_at = now;\n    jar.write_to_disk(limit);\n}\n";

/// A folder of clones and a manifest of them.
struct Clones(tempfile::TempDir);

impl Clones {
    fn new() -> Clones {
        Clones(tempfile::tempdir().unwrap())
    }

    /// A clone with these files; its commit.
    fn add(&self, name: &str, files: &[(&str, &str)]) -> String {
        let folder = self.0.path().join("clones").join(name.replace('/', "+"));
        std::fs::create_dir_all(&folder).unwrap();
        for (path, text) in files {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.current_dir(&folder).args(["-c", "user.name=t", "-c", "user.email=t@t"]);
            let output = command.args(arguments).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        git(&["init", "-q"]);
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", "Begin"]);
        git(&["rev-parse", "HEAD"])
    }

    fn job(&self, excluded: &str, revision: &str, licence: &str) -> MineJob {
        let text = format!(
            "excluded = [{excluded}]\n[[repository]]\nname = \"a/jar\"\nrevision = \"{revision}\"\nlicence = \"{licence}\"\n"
        );
        let path = self.0.path().join("manifest.toml");
        std::fs::write(&path, text).unwrap();
        MineJob {
            manifest: manifest::read(&path).unwrap(),
            clones: self.0.path().join("clones"),
            out: self.0.path().join("work"),
            seed: 1,
        }
    }
}

#[track_caller]
fn refused(job: &MineJob, why: &str) {
    let error = format!("{:#}", mine(job).unwrap_err());
    assert!(error.contains(why), "{error}");
    assert!(!pairs_file(&job.out, &job.manifest.repository[0]).exists());
}

#[test]
fn a_clone_is_mined_and_not_mined_twice() {
    let clones = Clones::new();
    let revision = clones.add("a/jar", &[("LICENSE", MIT), ("src/jar.rs", CODE)]);
    let job = clones.job("", &revision, "MIT");
    mine(&job).unwrap();
    let repository = &job.manifest.repository[0];
    let found = counts(&job.out, repository).unwrap();
    assert_eq!((found.kinds["doc"], found.kinds["name"]), (1, 1), "{found:?}");
    let path = pairs_file(&job.out, repository);
    let before = std::fs::read(&path).unwrap();
    std::fs::remove_dir_all(clones.0.path().join("clones")).unwrap();
    mine(&job).unwrap();
    // What was cut off is done again, and that needs the clone.
    std::fs::remove_file(&path).unwrap();
    refused(&job, "there is no clone of a/jar");
    assert!(!before.is_empty());
}

#[test]
fn wrong_clones_are_refused_with_the_reason() {
    let clones = Clones::new();
    refused(&clones.job("", &"0".repeat(40), "MIT"), "there is no clone of a/jar");
    let revision = clones.add("a/jar", &[("LICENSE", MIT), ("src/jar.rs", CODE)]);
    refused(&clones.job("", &"0".repeat(40), "MIT"), "has no commit 000");
    refused(&clones.job("", &revision, "Apache-2.0"), "is not Apache-2.0");
    refused(&clones.job("", &revision, "GPL-3.0"), "not among the permissive");
    refused(&clones.job("\"b/gone\"", &revision, "MIT"), "no clone of b/gone");
}

#[test]
fn who_asks_not_to_be_trained_on_is_not() {
    let clones = Clones::new();
    let readme = "This code may not be used for training of AI models.";
    let revision =
        clones.add("a/jar", &[("LICENSE", MIT), ("README.md", readme), ("src/jar.rs", CODE)]);
    refused(&clones.job("", &revision, "MIT"), "asks not to be trained on");
}

#[test]
fn copies_of_what_is_excluded_are_left_out_by_content() {
    let clones = Clones::new();
    clones.add("b/suite", &[("LICENSE", MIT), ("lib/cookies.rs", CODE)]);
    // A copy under another name, among files of its own: too many of these are a fork.
    let revision = clones.add("a/jar", &[("LICENSE", MIT), ("src/jar.rs", CODE)]);
    refused(&clones.job("\"b/suite\"", &revision, "MIT"), "it is a copy of one");
    // An edited copy is another file, but its lines are the same.
    let edited = CODE.replace("//! Cookies.", "//! Biscuits.");
    std::fs::remove_dir_all(clones.0.path().join("clones/a+jar")).unwrap();
    let revision = clones.add("a/jar", &[("LICENSE", MIT), ("src/jar.rs", &edited)]);
    let job = clones.job("\"b/suite\"", &revision, "MIT");
    mine(&job).unwrap();
    let found = counts(&job.out, &job.manifest.repository[0]).unwrap();
    assert_eq!((found.kinds["doc"], found.kinds["name"]), (0, 0), "{found:?}");
    assert!(found.pairs_excluded > 0);
}

#[test]
fn a_manifest_that_contradicts_itself_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let read = |text: &str| {
        let path = folder.path().join("m.toml");
        std::fs::write(&path, text).unwrap();
        format!("{:#}", manifest::read(&path).unwrap_err())
    };
    let revision = "0".repeat(40);
    let one =
        format!("[[repository]]\nname = \"a/b\"\nrevision = \"{revision}\"\nlicence = \"MIT\"\n");
    assert!(read(&format!("excluded = [\"A/B\"]\n{one}")).contains("excluded and listed"));
    assert!(read(&format!("excluded = []\n{one}{one}")).contains("twice"));
    assert!(
        read(&format!("excluded = []\n{}", one.replace(&revision, "main"))).contains("40 digits")
    );
    assert!(manifest::read(Path::new("no-such-file")).is_err());
}

//! A temporary tree and the binary in it, cut off from the user's own settings and indexes.
//!
//! A failed expectation prints all that is needed to run it again: command, status, output and tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A tree below a temporary folder, with home and index folders beside it.
pub(crate) struct Tree {
    folder: tempfile::TempDir,
}

/// What one run of the binary did.
pub(crate) struct Run {
    command: String,
    tree: String,
    output: Output,
}

impl Tree {
    /// A tree of `files`, each a path and its text.
    pub(crate) fn new(files: &[(&str, &str)]) -> Tree {
        let tree = Tree { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(tree.root()).unwrap();
        fs::create_dir_all(tree.home()).unwrap();
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    /// The searched folder.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    /// The folder that holds the index folders.
    pub(crate) fn index_base(&self) -> PathBuf {
        self.folder.path().join("index")
    }

    /// The home folder.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Writes a file of the tree.
    pub(crate) fn write(&self, path: &str, text: &str) {
        write_all(&self.root().join(path), text);
    }

    /// Writes the user's settings file.
    pub(crate) fn write_user_settings(&self, text: &str) {
        write_all(&self.home().join(".config/wherein/config.toml"), text);
    }

    /// The binary in the root of the tree.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wherein"));
        for (name, _) in std::env::vars_os() {
            let name_text = name.to_string_lossy();
            if ["WHEREIN_", "HF_"].iter().any(|start| name_text.starts_with(start)) {
                command.env_remove(name);
            }
        }
        command
            .args(args)
            .current_dir(self.root())
            .stdin(Stdio::null())
            .env("HOME", self.home())
            .env("XDG_CONFIG_HOME", self.home().join(".config"))
            .env("XDG_CACHE_HOME", self.home().join(".cache"))
            .env("XDG_DATA_HOME", self.home().join(".local/share"))
            .env("APPDATA", self.home().join(".config"))
            .env("LOCALAPPDATA", self.home().join(".cache"))
            .env("WHEREIN_INDEX_DIR", self.folder.path().join("index"));
        command
    }

    /// The committed model of that name, with small random weights.
    pub(crate) fn model(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../wherein-embed/tests/models").join(name)
    }

    /// A copy of a committed model that may be broken.
    pub(crate) fn copied_model(&self, name: &str) -> PathBuf {
        let copy = self.folder.path().join("copies").join(name);
        copy_all(&Tree::model(name), &copy);
        copy
    }

    /// The folder in which the binary looks for models.
    pub(crate) fn models(&self) -> PathBuf {
        let data = if cfg!(windows) { ".config" } else { ".local/share" };
        self.home().join(data).join("wherein").join("models")
    }

    /// Takes in a committed model under the name `mine`.
    pub(crate) fn add_model(&self, name: &str) {
        let folder = Tree::model(name).display().to_string();
        self.run(&["model", "add", &folder, "--name", "mine"]).status(0);
    }

    /// Runs the binary in the root of the tree.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.finish(self.command(args))
    }

    /// Runs a prepared command.
    pub(crate) fn finish(&self, mut command: Command) -> Run {
        let output = command.output().unwrap();
        Run { command: format!("{command:?}"), tree: listing(&self.root(), 0), output }
    }
}

impl Run {
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// Standard output as one JSON value.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout()).unwrap_or_else(|error| self.fail(&error.to_string()))
    }

    /// Expects this exit status.
    pub(crate) fn status(&self, expected: i32) -> &Run {
        self.check(self.output.status.code() == Some(expected), &format!("status {expected}"))
    }

    /// Expects `text` in standard output.
    pub(crate) fn says(&self, text: &str) -> &Run {
        self.check(self.stdout().contains(text), &format!("stdout with {text:?}"))
    }

    /// Expects `text` in standard error.
    pub(crate) fn complains(&self, text: &str) -> &Run {
        self.check(self.stderr().contains(text), &format!("stderr with {text:?}"))
    }

    /// Expects a usage error: exit 2, one line, and a hint after it.
    pub(crate) fn refused(&self) -> &Run {
        let stderr = self.stderr();
        let lines: Vec<&str> = stderr.lines().collect();
        let shape = matches!(lines[..], [message, hint]
            if message.starts_with("wherein: ") && hint.starts_with("hint: "));
        self.status(2).check(shape, "one line of error and one of hint")
    }

    /// Fails with everything there is to know unless `holds`.
    pub(crate) fn check(&self, holds: bool, expected: &str) -> &Run {
        if !holds {
            self.fail(expected);
        }
        self
    }

    fn fail(&self, expected: &str) -> ! {
        panic!(
            "expected {expected}\ncommand: {}\nstatus: {}\nstdout:\n{}\nstderr:\n{}\ntree:\n{}",
            self.command,
            self.output.status,
            self.stdout(),
            self.stderr(),
            self.tree
        )
    }
}

fn write_all(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(crate) fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let place = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_all(&entry.path(), &place),
            false => drop(fs::copy(entry.path(), place).unwrap()),
        }
    }
}

fn listing(folder: &Path, depth: usize) -> String {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut lines = String::new();
    for entry in entries {
        lines.push_str(&format!("{}{:?}\n", "  ".repeat(depth), entry.file_name()));
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            lines.push_str(&listing(&entry.path(), depth + 1));
        }
    }
    lines
}

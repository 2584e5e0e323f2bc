//! Small trees written as one string, and the few verbs that tests use on them.
//!
//! A fixture is `//- path` lines, each followed by the text of that file; indentation common to all lines is
//! taken off. `check` is the whole of most tests. On failure the fixture, the question and both lists of
//! hits are printed, which is all that is needed to see it again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use wherein_engine::{
    Answer, Engine, EngineOptions, Hit, Mode, RefreshReport, SearchRequest, SkipCounts,
};

/// A folder to search and a place for its index; both go away with it.
pub(crate) struct Tree {
    dir: TempDir,
    fixture: String,
}

impl Tree {
    pub(crate) fn new(fixture: &str) -> Tree {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(dir.path().join("root")).expect("a root");
        let tree = Tree { dir, fixture: fixture.to_owned() };
        for (path, text) in parse(fixture) {
            tree.write(path, text);
        }
        tree
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    /// The folder above the root, for what must lie outside it.
    pub(crate) fn outside(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root().join(path)
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(&path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }

    pub(crate) fn remove(&self, path: impl AsRef<Path>) {
        let path = self.path(path);
        let removed = match path.is_dir() {
            true => std::fs::remove_dir_all(&path),
            false => std::fs::remove_file(&path),
        };
        removed.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }

    pub(crate) fn options(&self) -> EngineOptions {
        EngineOptions::new(self.root(), self.dir.path().join("index"))
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine::open(self.options()).expect("an engine")
    }

    /// The printed hits of a question, after a refresh.
    #[track_caller]
    pub(crate) fn ask(&self, request: &SearchRequest) -> Vec<String> {
        printed(&ask(&self.engine(), request).hits)
    }

    /// Asks and compares, whatever the order of the hits.
    #[track_caller]
    pub(crate) fn check_set(&self, request: &SearchRequest, expected: &[&str]) {
        let mut found = self.ask(request);
        found.sort();
        let mut wanted: Vec<String> = expected.iter().map(|s| (*s).to_owned()).collect();
        wanted.sort();
        self.same(request, &found, &wanted);
    }

    /// Asks and compares, best first.
    #[track_caller]
    pub(crate) fn check(&self, request: &SearchRequest, expected: &[&str]) {
        let found = self.ask(request);
        let wanted: Vec<String> = expected.iter().map(|s| (*s).to_owned()).collect();
        self.same(request, &found, &wanted);
    }

    #[track_caller]
    fn same(&self, request: &SearchRequest, found: &[String], wanted: &[String]) {
        let skipped = self.engine().refresh(&|_| ()).expect("a refresh").skipped;
        assert!(
            found == wanted,
            "fixture:\n{}\nquestion: {:?} ({}), filter {:?}\nexpected: {wanted:#?}\nfound: {found:#?}\nskipped: {}",
            self.fixture,
            request.text,
            request.mode.as_str(),
            request.filter,
            counts(&skipped),
        );
    }
}

/// Builds the tree, asks the keyword question and compares the hits, one `path:start-end` a line.
#[track_caller]
pub(crate) fn check(fixture: &str, query: &str, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    Tree::new(fixture).check(&keyword(query), &expected);
}

pub(crate) fn keyword(text: &str) -> SearchRequest {
    SearchRequest { mode: Mode::Keyword, ..SearchRequest::new(text) }
}

pub(crate) fn exact(text: &str) -> SearchRequest {
    SearchRequest { mode: Mode::Exact, ..SearchRequest::new(text) }
}

pub(crate) fn regex(text: &str) -> SearchRequest {
    SearchRequest { mode: Mode::Regex, ..SearchRequest::new(text) }
}

/// The same question, asked of these paths only.
pub(crate) fn within(mut request: SearchRequest, paths: &[&str]) -> SearchRequest {
    request.filter.paths = paths.iter().map(|path| (*path).to_owned()).collect();
    request
}

/// Makes the index true to the tree, then answers.
#[track_caller]
pub(crate) fn ask(engine: &Engine, request: &SearchRequest) -> Answer {
    refresh(engine);
    engine.search(request).unwrap_or_else(|e| panic!("asking {:?}: {e}", request.text))
}

#[track_caller]
pub(crate) fn refresh(engine: &Engine) -> RefreshReport {
    let report = engine.refresh(&|_| ()).unwrap_or_else(|e| panic!("refreshing: {e}"));
    assert!(report.degraded.is_empty(), "{:?}", report.degraded);
    report
}

pub(crate) fn printed(hits: &[Hit]) -> Vec<String> {
    hits.iter().map(|hit| format!("{}:{}-{}", hit.path, hit.start_line, hit.end_line)).collect()
}

/// The files that are searched and have at least one line, sorted.
#[track_caller]
pub(crate) fn kept(engine: &Engine) -> Vec<String> {
    let every_line = SearchRequest { snippets: false, ..regex("^") };
    let mut paths: Vec<String> =
        ask(engine, &every_line).hits.into_iter().map(|hit| hit.path).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// Skip counts without the zeros.
pub(crate) fn counts(skipped: &SkipCounts) -> String {
    let some = skipped.iter().filter(|(_, n)| *n > 0);
    some.map(|(reason, n)| format!("{} {n}", reason.as_str())).collect::<Vec<_>>().join(", ")
}

/// Runs git in `dir` with nothing of the user's settings; `None` where there is no git.
pub(crate) fn git(dir: &Path, home: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    for name in
        ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME"]
    {
        command.env_remove(name);
    }
    command
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"])
        .args(["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"])
        .args(["-c", "core.quotePath=false", "-c", "core.autocrlf=false"])
        .args(arguments)
        .current_dir(dir)
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::null());
    let output = match command.output() {
        Ok(output) => output,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("SKIPPED: git is not installed");
            return None;
        }
        Err(e) => panic!("git: {e}"),
    };
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?} in {}: {words}", dir.display());
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The paths and texts of a fixture.
fn parse(fixture: &str) -> Vec<(String, String)> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let lines = || fixture.lines().skip_while(|line| line.trim().is_empty());
    let common = lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut files: Vec<(String, String)> = Vec::new();
    // What closes the string is the indentation of its last line, not a line of the file.
    let text = fixture.trim_end_matches(' ');
    for line in text.lines().skip_while(|line| line.trim().is_empty()) {
        let line = line.get(common..).unwrap_or("");
        if let Some(path) = line.strip_prefix("//- ") {
            files.push((path.trim().to_owned(), String::new()));
        } else if let Some((_, text)) = files.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    files
}

#[test]
fn a_fixture_is_read_as_it_is_written() {
    let files =
        parse("\n    //- a/b.rs\n    fn a() {\n        x\n    }\n\n    //- c.txt\n    c\n    ");
    let text = "fn a() {\n    x\n}\n\n".to_owned();
    assert_eq!(files, [("a/b.rs".to_owned(), text), ("c.txt".to_owned(), "c\n".to_owned())]);
}

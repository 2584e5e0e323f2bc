//! What training reads of a clone, through git itself.
//!
//! Must not change a clone, and must not run anything that it configures.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// A clone.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    folder: PathBuf,
}

/// A file of a tree.
#[derive(Debug, Clone)]
pub(crate) struct Blob {
    pub(crate) id: String,
    pub(crate) path: String,
}

impl Git {
    pub(crate) fn at(folder: &Path) -> Git {
        Git { folder: folder.to_owned() }
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        // A clone's own settings could name programs to run.
        command.args([
            "-c",
            "core.fsmonitor=",
            "-c",
            "diff.external=",
            "-c",
            "core.attributesFile=",
        ]);
        command.env("GIT_CONFIG_NOSYSTEM", "1").arg("--git-dir").arg(&self.folder);
        command.stdin(Stdio::null()).stderr(Stdio::null());
        command
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Result<String> {
        let output = self.command().args(arguments).output().context("run git")?;
        ensure!(output.status.success(), "git {} failed", arguments.join(" "));
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Whether the clone has that commit.
    pub(crate) fn check_revision(&self, revision: &str) -> Result<()> {
        if self.output(&["cat-file", "-e", &format!("{revision}^{{commit}}")]).is_err() {
            let head = self.output(&["rev-parse", "HEAD"]).unwrap_or_default();
            bail!("the clone has no commit {revision} (it is at {})", head.trim());
        }
        Ok(())
    }

    /// The files at a revision.
    pub(crate) fn tree(&self, revision: &str) -> Result<Vec<Blob>> {
        let list = self.output(&["ls-tree", "-r", "-z", revision])?;
        Ok(list.split('\0').filter_map(file_entry).collect())
    }

    /// The files at the top of the tree.
    pub(crate) fn top_files(&self, revision: &str) -> Result<Vec<String>> {
        let list = self.output(&["ls-tree", "-z", revision])?;
        Ok(list.split('\0').filter_map(file_entry).map(|blob| blob.path).collect())
    }

    pub(crate) fn show(&self, revision: &str, path: &str) -> Result<String> {
        self.output(&["cat-file", "blob", &format!("{revision}:{path}")])
    }

    /// Ids of all blobs of the clone, whatever commit they belong to.
    pub(crate) fn all_blobs(&self) -> Result<Vec<String>> {
        let format = "--batch-check=%(objectname) %(objecttype) %(objectsize)";
        let list = self.output(&["cat-file", "--batch-all-objects", "--unordered", format])?;
        // Tiny files are alike everywhere.
        let large = |line: &str| {
            let mut parts = line.split(' ');
            let (id, kind, size) = (parts.next()?, parts.next()?, parts.next()?);
            (kind == "blob" && size.parse::<u64>().ok()? > 200).then(|| id.to_owned())
        };
        Ok(list.lines().filter_map(large).collect())
    }

    /// Reads blobs one after the other.
    pub(crate) fn blobs(&self) -> Result<BlobReader> {
        let mut command = self.command();
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("run git")?;
        let stdin = child.stdin.take().context("git takes no input")?;
        let stdout = child.stdout.take().context("git gives no output")?;
        Ok(BlobReader { child, stdin, stdout: BufReader::new(stdout) })
    }

    /// A command whose output is read as it comes.
    pub(crate) fn stream(&self, arguments: &[String]) -> Result<(Child, BufReader<ChildStdout>)> {
        let mut command = self.command();
        let mut child =
            command.args(arguments).stdout(Stdio::piped()).spawn().context("run git")?;
        let stdout = child.stdout.take().context("git gives no output")?;
        Ok((child, BufReader::with_capacity(1 << 18, stdout)))
    }
}

/// A line of `git ls-tree`; `None` for folders, links and submodules.
fn file_entry(entry: &str) -> Option<Blob> {
    let (about, path) = entry.split_once('\t')?;
    let mut about = about.split(' ');
    let is_file = about.next()?.starts_with("100") && about.next()? == "blob";
    let id = about.next()?;
    is_file.then(|| Blob { id: id.to_owned(), path: path.to_owned() })
}

/// `git cat-file --batch`, kept running.
#[derive(Debug)]
pub(crate) struct BlobReader {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl BlobReader {
    /// The bytes of a blob; `None` where the clone lacks it.
    pub(crate) fn read(&mut self, id: &str) -> Result<Option<Vec<u8>>> {
        writeln!(self.stdin, "{id}")?;
        self.stdin.flush()?;
        let mut header = String::new();
        self.stdout.read_line(&mut header)?;
        let Some(size) = header.trim_end().rsplit(' ').next().and_then(|n| n.parse::<usize>().ok())
        else {
            return Ok(None);
        };
        let mut bytes = vec![0; size + 1];
        self.stdout.read_exact(&mut bytes)?;
        bytes.pop();
        Ok(Some(bytes))
    }
}

impl Drop for BlobReader {
    fn drop(&mut self) {
        // It ends by itself when its input does; this is for one that hangs.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

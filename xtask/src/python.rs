//! Python and pip as fetchers: pip honours the machine's proxies and mirrors and checks hashes.
//!
//! Nothing here runs what was fetched.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, bail};

/// Programs that may be Python 3, most likely first.
const PYTHONS: [&str; 3] = ["python3", "python", "py"];

pub(crate) fn find() -> anyhow::Result<&'static str> {
    let works = |name: &&str| {
        let probe = "import sys; sys.exit(sys.version_info < (3, 8))";
        run(name, ["-c", probe]).is_ok_and(|output| output.status.success())
    };
    PYTHONS.into_iter().find(works).context("no Python 3 with pip was found")
}

/// Downloads what `requirements` pins by hash into `folder`; `options` say in which form.
pub(crate) fn download(
    python: &str,
    folder: &Path,
    requirements: &str,
    options: &str,
) -> anyhow::Result<()> {
    let file = folder.join("requirements.txt");
    std::fs::write(&file, requirements)
        .with_context(|| format!("cannot write {}", file.display()))?;
    // Few and short tries: without a network the tests go on, soon.
    let common = "-m pip download --quiet --disable-pip-version-check --retries 1 --timeout 15 \
                  --no-deps --require-hashes";
    let words = common.split_whitespace().chain(options.split_whitespace());
    let mut arguments: Vec<&OsStr> = words.map(OsStr::new).collect();
    arguments.extend([OsStr::new("--requirement"), file.as_os_str()]);
    arguments.extend([OsStr::new("--dest"), folder.as_os_str()]);
    check("pip download", &run(python, arguments)?)
}

pub(crate) fn run<A: AsRef<OsStr>>(
    python: &str,
    arguments: impl IntoIterator<Item = A>,
) -> anyhow::Result<Output> {
    Command::new(python)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {python}"))
}

pub(crate) fn check(what: &str, output: &Output) -> anyhow::Result<()> {
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let last =
        words.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no reason given");
    bail!("{what} failed: {}", last.trim())
}

//! `cargo xtask clients`: the official MCP clients, the MCP inspector and a browser drive the program that was built.
//!
//! Each part fetches what it needs by its lock file and runs as a process of its own. What a part needs and this machine
//! lacks is said loudly and skipped, or an error where `WHEREIN_REQUIRE_CLIENTS=1`. Must not know what is checked.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, bail, ensure};

use crate::chores::{cargo, status, target_folder};
use crate::{python, say};

/// Where it is set to 1, a part that cannot run is an error.
const REQUIRE_VARIABLE: &str = "WHEREIN_REQUIRE_CLIENTS";
/// Names the program that clients drive.
const BINARY_VARIABLE: &str = "WHEREIN_BIN";
/// Names the browser of the page's tests.
const CHROMIUM_VARIABLE: &str = "WHEREIN_CHROMIUM";
const CHROMIUM: &str = "/usr/bin/chromium";
/// The official client for Python runs on this and newer.
const PYTHON_PROBE: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";

/// What the parts share.
struct Bench<'a> {
    root: &'a Path,
    /// What is fetched for them.
    folder: PathBuf,
    binary: PathBuf,
}

/// One client, or one kind of test.
struct Part {
    name: &'static str,
    /// Fetches what it needs and says how it is run; an error where something is missing.
    prepare: fn(&Bench<'_>) -> anyhow::Result<Command>,
}

const PARTS: [Part; 5] = [
    Part { name: "MCP client for Python", prepare: python_client },
    Part {
        name: "MCP client for Node",
        prepare: |bench| npm_script(bench, "clients/node", "test"),
    },
    Part {
        name: "MCP inspector",
        prepare: |bench| npm_script(bench, "clients/node", "test:inspector"),
    },
    Part { name: "page, its parts", prepare: |bench| npm_script(bench, "web", "test") },
    Part { name: "page, in a browser", prepare: page },
];

/// How a part ended.
enum End {
    Passed,
    Failed,
    Skipped(String),
}

/// Builds the program and runs every part, also after one has failed.
pub(crate) fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let built = status(cargo(root).args(["build", "--quiet", "--package", "wherein"]))?;
    ensure!(built.success(), "the program does not build");
    let target = target_folder(root);
    let bench = Bench {
        root,
        folder: target.join("clients"),
        binary: target.join("debug").join(format!("wherein{}", std::env::consts::EXE_SUFFIX)),
    };
    std::fs::create_dir_all(&bench.folder)
        .with_context(|| format!("cannot create {}", bench.folder.display()))?;
    let is_required = std::env::var_os(REQUIRE_VARIABLE).is_some_and(|value| value == "1");
    let mut summary = Vec::new();
    let mut holds = true;
    for part in PARTS {
        let started = Instant::now();
        let end = one(&bench, &part);
        holds &= match end {
            End::Passed => true,
            End::Failed => false,
            End::Skipped(_) => !is_required,
        };
        summary.push(line(part.name, &end, started.elapsed().as_secs_f64()));
    }
    summary.iter().for_each(|line| say(line));
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn one(bench: &Bench<'_>, part: &Part) -> End {
    say(&format!("clients: {} …", part.name));
    let ran = (part.prepare)(bench).map(|mut command| {
        command.env(BINARY_VARIABLE, &bench.binary).stdin(Stdio::null());
        status(&mut command)
    });
    match ran {
        Err(missing) => End::Skipped(format!("{missing:#}")),
        Ok(Ok(status)) if status.success() => End::Passed,
        Ok(_) => End::Failed,
    }
}

fn line(name: &str, end: &End, seconds: f64) -> String {
    match end {
        End::Passed => format!("clients: {name}: passed ({seconds:.0} s)"),
        End::Failed => format!("clients: {name}: FAILED ({seconds:.0} s)"),
        End::Skipped(why) => format!("clients: {name}: SKIPPED, not run at all: {why}"),
    }
}

/// The client in a virtual environment of its own.
fn python_client(bench: &Bench<'_>) -> anyhow::Result<Command> {
    let folder = bench.root.join("clients").join("python");
    let environment = bench.folder.join("venv");
    let own = match cfg!(windows) {
        true => environment.join("Scripts").join("python.exe"),
        false => environment.join("bin").join("python"),
    };
    let requirements = folder.join("requirements.txt");
    once(&requirements, &environment, || {
        let python = python::find()?;
        python::check("Python 3.10 with venv", &python::run(python, ["-c", PYTHON_PROBE])?)?;
        let mut make = Command::new(python);
        fetch("python -m venv", make.args(["-m", "venv", "--clear"]).arg(&environment))?;
        let words = "-m pip install --quiet --disable-pip-version-check --requirement";
        fetch("pip install", Command::new(&own).args(words.split(' ')).arg(&requirements))
    })?;
    let mut command = Command::new(own);
    // Nothing is written beside the sources.
    command.arg("-B").arg(folder.join("client.py"));
    Ok(command)
}

/// The tests of the page need a browser besides.
fn page(bench: &Bench<'_>) -> anyhow::Result<Command> {
    let chromium =
        std::env::var_os(CHROMIUM_VARIABLE).map_or_else(|| CHROMIUM.into(), PathBuf::from);
    ensure!(
        chromium.is_file(),
        "there is no {}; {CHROMIUM_VARIABLE} may name another",
        chromium.display()
    );
    npm_script(bench, "web", "test:page")
}

/// A script of a package, with what its lock names installed.
fn npm_script(bench: &Bench<'_>, package: &str, script: &str) -> anyhow::Result<Command> {
    let folder = bench.root.join(package);
    let modules = folder.join("node_modules");
    once(&folder.join("package-lock.json"), &modules, || {
        fetch("npm ci", npm(&folder).args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))
    })?;
    let mut command = npm(&folder);
    command.args(["run", "--silent", script]);
    Ok(command)
}

fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

/// Fills `folder` by what `lock` says, unless that was done before.
fn once(
    lock: &Path,
    folder: &Path,
    fill: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let wanted = std::fs::read(lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let mark = folder.join(".filled-by");
    if std::fs::read(&mark).is_ok_and(|filled| filled == wanted) {
        return Ok(());
    }
    fill()?;
    std::fs::write(&mark, wanted).with_context(|| format!("cannot write {}", mark.display()))
}

/// Runs what fetches, out of sight unless it fails.
fn fetch(what: &str, command: &mut Command) -> anyhow::Result<()> {
    let started = command.stdin(Stdio::null()).output();
    let output = started.with_context(|| format!("{what} cannot be started"))?;
    if output.status.success() {
        return Ok(());
    }
    // The first lines tell; npm adds its manual.
    String::from_utf8_lossy(&output.stderr).lines().take(12).for_each(say);
    bail!("{what} failed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_filled_once_for_each_lock() {
        let base = std::env::temp_dir().join(format!("xtask-clients-{}", std::process::id()));
        std::fs::create_dir_all(&base).unwrap();
        let lock = base.join("lock");
        let mut n_filled = 0;
        for (text, wanted) in [("a", 1), ("a", 1), ("b", 2)] {
            std::fs::write(&lock, text).unwrap();
            once(&lock, &base, || {
                n_filled += 1;
                Ok(())
            })
            .unwrap();
            assert_eq!(n_filled, wanted, "{text}");
        }
        std::fs::write(&lock, "c").unwrap();
        assert!(once(&lock, &base, || bail!("no network")).is_err());
        // What failed is tried again.
        once(&lock, &base, || {
            n_filled += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(n_filled, 3);
        std::fs::remove_dir_all(&base).unwrap();
    }

    #[test]
    fn a_part_that_is_skipped_says_so_loudly() {
        let skipped = line("page", &End::Skipped("there is no browser".to_owned()), 0.0);
        assert!(skipped.contains("SKIPPED") && skipped.contains("there is no browser"));
        assert_eq!(line("page", &End::Passed, 2.4), "clients: page: passed (2 s)");
    }
}

//! The chores that build and run things: `test` and `demo`.
//!
//! Each starts cargo as a person would and passes its exit status on. Nothing here checks rules (that is
//! `tidy`) or downloads (that is `fixture`).

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::Context;

use crate::{clients, fixture, models, say};

/// Where the tests find the unpacked source archive of psf/requests 2.32.3.
const SDIST_VARIABLE: &str = "WHEREIN_TEST_REQUESTS_SDIST";

/// Where the tests find the folder of all-MiniLM-L6-v2.
const MINILM_VARIABLE: &str = "WHEREIN_TEST_MINILM";

/// The question of the demonstration.
const QUESTION: &str = "do we stop following a redirect loop";

/// Runs all tests; `arguments` go to `cargo test`, and may name a package in place of all. Without any, clients drive the
/// program afterwards.
pub(crate) fn test(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let mut tests = cargo(root);
    tests.arg("test");
    // Cargo takes `--workspace` for more than any `--package` beside it.
    if !names_package(arguments) {
        tests.arg("--workspace");
    }
    tests.args(arguments);
    offer(&mut tests, SDIST_VARIABLE, "psf/requests 2.32.3", fixture::requests_sdist(root));
    offer(&mut tests, MINILM_VARIABLE, "all-MiniLM-L6-v2", models::minilm(root));
    let tested = status(&mut tests)?;
    match tested.success() && arguments.is_empty() {
        true => clients::run(root),
        false => Ok(exit_code(tested)),
    }
}

/// Tells the tests where a fixture lies. They need no network: those that want it say that they were skipped.
fn offer(tests: &mut Command, variable: &str, what: &str, fixture: anyhow::Result<PathBuf>) {
    match fixture {
        Ok(folder) => {
            tests.env(variable, folder);
        }
        Err(error) => say(&format!("note: no {what} here, its tests will be skipped: {error:#}")),
    }
}

/// Builds the release binary and asks a question about psf/requests 2.32.3.
pub(crate) fn demo(root: &Path) -> anyhow::Result<ExitCode> {
    let code = fixture::requests_sdist(root)
        .context("the demonstration needs the source archive of psf/requests 2.32.3")?;
    let built = status(cargo(root).args(["build", "--release", "--package", "wherein"]))?;
    if !built.success() {
        return Ok(exit_code(built));
    }
    let binary = target_folder(root)
        .join("release")
        .join(format!("wherein{}", std::env::consts::EXE_SUFFIX));
    say(&format!("\n$ cd {}\n$ wherein \"{QUESTION}\"\n", code.display()));
    status(Command::new(binary).arg(QUESTION).current_dir(code)).map(exit_code)
}

/// The folder that cargo builds in, also where a person moved it.
pub(crate) fn target_folder(root: &Path) -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        // Relative to where cargo was started, which for a chore is the repository.
        Some(folder) => root.join(folder),
        None => root.join("target"),
    }
}

fn names_package(arguments: &[String]) -> bool {
    // What follows `--` is for the tests themselves.
    let mut own = arguments.iter().take_while(|argument| *argument != "--");
    own.any(|argument| argument.starts_with("-p") || argument.starts_with("--package"))
}

pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

pub(crate) fn status(command: &mut Command) -> anyhow::Result<ExitStatus> {
    command
        .status()
        .with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))
}

fn exit_code(status: ExitStatus) -> ExitCode {
    // Ended by a signal: no code of its own.
    status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}

#[cfg(test)]
mod tests {
    use super::names_package;

    #[test]
    fn a_named_package_replaces_the_workspace() {
        let names = |line: &str| {
            names_package(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        assert!(names("-p wherein") && names("--package=wherein --quiet"));
        assert!(!names("") && !names("--quiet name -- -p"));
    }
}

//! The git program, kept from asking, from running anything of the repository's, and from telling secrets.
//!
//! It is started with an argument list, never through a shell. Hooks, helpers that are programs, submodules and large
//! files of LFS stay out; what it says passes through the address's redaction.

use std::io::ErrorKind as IoKind;
use std::path::Path;
use std::process::{Command, Stdio};

use wherein_engine::{Error, ErrorKind, Result};

use super::Address;
use super::address::Scheme;

/// What git takes from the environment about which repository it works on; a hook that starts us sets them.
const OF_ANOTHER: [&str; 10] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_TEMPLATE_DIR",
];

/// Settings that hold whatever the user's say.
const SETTINGS: [&str; 12] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.autocrlf=false",
    "core.logAllRefUpdates=false",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    "gc.autoDetach=false",
    "maintenance.autoDetach=false",
    "protocol.ext.allow=never",
];

/// A connection that brings less than a byte a second for this many seconds is dead.
const PATIENCE: &str = "30";

/// Git at work on a clone of one address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Git<'a> {
    pub(super) address: &'a Address,
}

impl Git<'_> {
    /// Runs git in `folder`: what it printed, without the white space around.
    ///
    /// # Errors
    /// [`ErrorKind::Network`] with git's reason in one line; [`ErrorKind::Usage`] where there is no git.
    pub(super) fn run(self, folder: &Path, args: &[&str]) -> Result<String> {
        let output = self.command(folder).args(args).output().map_err(|error| missing(&error))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        let said = self.address.redacted(&String::from_utf8_lossy(&output.stderr));
        let reason = reason(&said);
        Err(Error::new(ErrorKind::Network, format!("git: {reason}")).with_hint(advice(&reason)))
    }

    fn command(self, folder: &Path) -> Command {
        let mut command = plain(folder);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(["-c", "http.lowSpeedLimit=1", "-c"]);
        command.arg(format!("http.lowSpeedTime={PATIENCE}"));
        // The list overrules settings, also where they rewrite addresses.
        let scheme = self.address.scheme();
        let allowed = match scheme {
            Scheme::File => "file",
            _ => "https:http:ssh:git",
        };
        command
            .env("GIT_ALLOW_PROTOCOL", allowed)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_LFS_SKIP_SMUDGE", "1")
            .env("LC_ALL", "C");
        if scheme == Scheme::Ssh && !has_own_ssh(folder) {
            // Without it ssh asks on the terminal behind our back.
            command
                .env("GIT_SSH_COMMAND", format!("ssh -oBatchMode=yes -oConnectTimeout={PATIENCE}"));
        }
        command
    }
}

/// Git in `folder`, which asks nobody and knows of no other repository.
fn plain(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).stdin(Stdio::null());
    for name in OF_ANOTHER {
        command.env_remove(name);
    }
    command
}

/// Where a folder comes from: host and path of the remote of its git repository, and where in it the folder lies; `None`
/// where there is no git, no repository or no remote.
pub(crate) fn origin(folder: &Path) -> Option<String> {
    let asked = |args: &[&str]| {
        let output = plain(folder).args(args).stderr(Stdio::null()).output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let url = asked(&["config", "--get", "remote.origin.url"])?;
    let place = Address::parse(&url).ok()?.place();
    let below = asked(&["rev-parse", "--show-prefix"])?;
    Some(format!("{place}/{below}").trim_end_matches('/').to_owned())
}

/// Whether the user has said how ssh is started.
fn has_own_ssh(folder: &Path) -> bool {
    let named = ["GIT_SSH_COMMAND", "GIT_SSH"].iter().any(|name| std::env::var_os(name).is_some());
    let mut asked = Command::new("git");
    asked.arg("-C").arg(folder).args(["config", "--get", "core.sshCommand"]).stdin(Stdio::null());
    named || asked.output().is_ok_and(|output| output.status.success())
}

fn missing(error: &std::io::Error) -> Error {
    match error.kind() {
        IoKind::NotFound => Error::usage("there is no git program here")
            .with_hint("install git, or clone by hand and declare the folder with path = \"…\""),
        _ => Error::new(ErrorKind::Io, format!("cannot start git: {error}")),
    }
}

/// The line of git's complaint that says why.
fn reason(said: &str) -> String {
    let noise = |line: &&str| {
        line.is_empty() || ["warning:", "hint:"].iter().any(|start| line.starts_with(start))
    };
    let line = said.lines().map(str::trim).find(|line| !noise(line)).unwrap_or("it failed");
    let line = ["fatal: ", "error: ", "remote: "]
        .iter()
        .find_map(|start| line.strip_prefix(start))
        .unwrap_or(line);
    line.chars().filter(|c| !c.is_control()).take(300).collect()
}

fn advice(reason: &str) -> &'static str {
    if reason.contains("couldn't find remote ref") || reason.contains("not our ref") {
        "ref names a branch, a tag, or a commit by its whole hash"
    } else if reason.contains("terminal prompts disabled") || reason.contains("Permission denied") {
        "git has to get in without asking: set up a credential helper or an ssh key"
    } else {
        "check the address, the network and your access: git ls-remote shows whether git gets in"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_why() {
        let said = "warning: slow\nfatal: couldn't find remote ref nope\n";
        assert_eq!(reason(said), "couldn't find remote ref nope");
        assert!(advice(&reason(said)).contains("branch"));
        assert_eq!(reason("remote: Not found.\nfatal: repository 'x' not found"), "Not found.");
        assert_eq!(reason(""), "it failed");
    }
}

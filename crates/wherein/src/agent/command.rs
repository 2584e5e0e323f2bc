//! Which command line clients are told to start: the plain name where it means this program, else its path.
//!
//! Looks at files and at PATH; starts nothing.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use wherein_engine::{Error, Result};

use super::clients::Client;

/// The MCP server as clients start it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
    /// This program, where nobody typed another: entries that start it by whatever path are ours.
    pub(super) program: Option<PathBuf>,
}

impl Server {
    /// Whether `command` starts this server: as it would be written, by the plain name, or by another path to this program.
    pub(super) fn is_started_by(&self, command: &str) -> bool {
        let is_program = |program: &PathBuf| {
            let path = Path::new(command);
            command == super::clients::NAME
                || (path.is_absolute() && path.canonicalize().is_ok_and(|path| path == *program))
        };
        command == self.command || self.program.as_ref().is_some_and(is_program)
    }
}

/// The server for `client`: by `--command`, else by name where `wherein` on the search path is this program, else by
/// the program's path.
pub(crate) fn resolve(
    client: Client,
    typed: Option<&Path>,
    mcp_root: Option<&Path>,
) -> Result<Server> {
    let (command, program) = match typed {
        Some(typed) => (text(typed.as_os_str())?, None),
        None => {
            let exe = current_exe()?;
            let command = command(client, &exe, std::env::var_os("PATH").as_deref())?;
            (command, exe.canonicalize().ok())
        }
    };
    let mut args = vec!["mcp".to_owned()];
    if let Some(root) = mcp_root {
        let root = std::path::absolute(root).map_err(|error| Error::io("find", root, &error))?;
        args.extend(["--root".to_owned(), text(root.as_os_str())?]);
    }
    Ok(Server { command, args, program })
}

fn current_exe() -> Result<PathBuf> {
    std::env::current_exe().map_err(|error| {
        Error::io("find", Path::new("this program"), &error)
            .with_hint("name it: --command /path/to/wherein")
    })
}

/// Desktop programs do not see the search path of the shell on every system; Claude Desktop is told a path always.
fn command(client: Client, exe: &Path, search_path: Option<&OsStr>) -> Result<String> {
    match on_path(exe, search_path) {
        Some(found) if client == Client::ClaudeDesktop => text(found.as_os_str()),
        Some(_) => Ok(super::clients::NAME.to_owned()),
        None => text(exe.as_os_str()),
    }
}

/// Where the first `wherein` of the search path lies, if it is the program `exe`.
fn on_path(exe: &Path, search_path: Option<&OsStr>) -> Option<PathBuf> {
    let name = format!("{}{}", super::clients::NAME, std::env::consts::EXE_SUFFIX);
    let mut places = std::env::split_paths(search_path?).map(|folder| folder.join(&name));
    let first = places.find(|place| place.is_absolute() && place.is_file())?;
    let is_same = first.canonicalize().ok()? == exe.canonicalize().ok()?;
    is_same.then_some(first)
}

/// Settings files hold text.
fn text(path: &OsStr) -> Result<String> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Error::usage(format!("the path {} is not UTF-8", Path::new(path).display()))
            .with_hint("name a command that is: --command wherein")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn one_program_by_several_names() {
        let folder = tempfile::tempdir().unwrap();
        let exe = folder.path().canonicalize().unwrap().join("wherein");
        fs::write(&exe, "").unwrap();
        let path = exe.to_str().unwrap().to_owned();
        let args = vec!["mcp".to_owned()];
        let own = Server { command: path.clone(), args: args.clone(), program: Some(exe) };
        assert!(own.is_started_by(&path) && own.is_started_by("wherein"));
        assert!(!own.is_started_by("/somewhere/else/wherein") && !own.is_started_by("npx"));
        let other =
            Server { command: "wherein".to_owned(), args: args.clone(), program: own.program };
        assert!(other.is_started_by(&path));
        let typed = Server { command: "w".to_owned(), args, program: None };
        assert!(typed.is_started_by("w") && !typed.is_started_by("wherein"));
    }

    #[test]
    fn the_plain_name_where_it_means_this_program() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        let name = format!("wherein{}", std::env::consts::EXE_SUFFIX);
        for place in [&one, &two] {
            fs::create_dir_all(place).unwrap();
            fs::write(place.join(&name), place.as_os_str().as_encoded_bytes()).unwrap();
        }
        let exe = two.join(&name);
        let told = |client, places: &[&PathBuf]| {
            command(client, &exe, Some(&std::env::join_paths(places).unwrap())).unwrap()
        };
        assert_eq!(told(Client::Cursor, &[&two, &one]), "wherein");
        assert_eq!(told(Client::Cursor, &[&one, &two]), exe.to_str().unwrap());
        assert_eq!(told(Client::Cursor, &[]), exe.to_str().unwrap());
        assert_eq!(told(Client::ClaudeDesktop, &[&two]), exe.to_str().unwrap());
    }
}

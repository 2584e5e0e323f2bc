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
}

/// The server for `client`: by `--command`, else by name where `wherein` on the search path is this program, else by
/// the program's path.
pub(crate) fn resolve(
    client: Client,
    typed: Option<&Path>,
    mcp_root: Option<&Path>,
) -> Result<Server> {
    let command = match typed {
        Some(typed) => text(typed.as_os_str())?,
        None => command(client, &current_exe()?, std::env::var_os("PATH").as_deref())?,
    };
    let mut args = vec!["mcp".to_owned()];
    if let Some(root) = mcp_root {
        let root = std::path::absolute(root).map_err(|error| Error::io("find", root, &error))?;
        args.extend(["--root".to_owned(), text(root.as_os_str())?]);
    }
    Ok(Server { command, args })
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

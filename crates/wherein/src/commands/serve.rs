//! `wherein serve`: a page, an HTTP API and MCP over HTTP, for as long as it is wanted.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wherein_engine::{Error, Result};
use wherein_serve::ServeOptions;

use super::opener::{self, Folders};
use crate::cli::{AccessArgs, ServeArgs};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::Printer;

/// A shorter secret is guessed.
const MIN_TOKEN: usize = 8;

/// Runs the command.
pub(super) fn run(args: &ServeArgs) -> Outcome<Exit> {
    let opener = Folders::new(&args.common, (&args.model, &args.store), &args.repo)?;
    let mut printer = Printer::new(opener.settings());
    let is_quiet = opener.settings().quiet;
    let options = options(args, &opener)?;
    let has_token = options.token.is_some();
    let started = |address: SocketAddr| {
        if let Some(file) = &args.port_file {
            write_whole(file, &format!("{}\n", address.port()))
                .map_err(|error| Error::io("write", file, &error))?;
        }
        if !is_quiet {
            // Nobody can be told if standard error is closed, and serving goes on.
            let _ = printer.note(&format!("serving at http://{address}  (Ctrl-C ends it)"));
            if has_token {
                let _ = printer.hint("requests need the token: Authorization: Bearer …");
            }
        }
        Ok(())
    };
    wherein_serve::serve(Arc::new(opener), options, wherein_serve::stopped(), started)?;
    Ok(Exit::Found)
}

fn options(args: &ServeArgs, opener: &Folders) -> Result<ServeOptions> {
    let (patience, deadline) = opener::limits(&args.limits)?;
    let folders = match args.empty {
        true => Vec::new(),
        false => opener.meant(&args.folders, args.common.root.as_ref())?,
    };
    let AccessArgs { token: _, token_file: _, hosts, roots } = &args.access;
    Ok(ServeOptions {
        folders,
        allowed_roots: roots.iter().map(|root| allowed(root)).collect::<Result<_>>()?,
        address: SocketAddr::new(args.address, args.port),
        token: token(&args.access)?,
        hosts: hosts.clone(),
        watches: !args.no_watch,
        n_searches: args.max_searches,
        max_waiting: args.max_waiting,
        patience,
        deadline,
    })
}

fn allowed(root: &Path) -> Result<PathBuf> {
    root.canonicalize().map_err(|error| Error::io("open", root, &error))
}

/// The secret that requests have to show.
fn token(access: &AccessArgs) -> Result<Option<String>> {
    let token = match (&access.token, &access.token_file) {
        (Some(token), _) => token.clone(),
        (None, Some(file)) => {
            let text = std::fs::read_to_string(file);
            let text = text.map_err(|error| Error::io("read", file, &error))?;
            text.lines().next().unwrap_or_default().trim().to_owned()
        }
        (None, None) => return Ok(None),
    };
    match token.len() >= MIN_TOKEN {
        true => Ok(Some(token)),
        false => Err(Error::usage(format!("the token has fewer than {MIN_TOKEN} bytes"))
            .with_hint("make one with: openssl rand -hex 32")),
    }
}

/// Writes a file so that whoever waits for it never sees a part of it.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let mut file = std::fs::File::create(&new)?;
    file.write_all(text.as_bytes())?;
    std::fs::rename(&new, path)
}

//! Which folders a session may ask: those the program was started for, else those the client names, else the repository
//! around the current folder. Over HTTP, those the server keeps.
//!
//! The current folder alone is no answer: clients start servers anywhere. Must not open a folder that is not asked.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use percent_encoding::percent_decode_str;
use rmcp::RoleServer;
use rmcp::model::{
    InputRequest, InputRequests, InputRequiredResult, InputResponses, ProtocolVersion,
};
use rmcp::service::RequestContext;
use wherein_engine::{Error, ErrorKind, Result};

use crate::folder::Folder;
use crate::folders::Folders;
use crate::runtime::blocking;

/// A client that does not say its roots in this time has none.
const TELL_WITHIN: Duration = Duration::from_millis(1500);

/// What the client's roots are asked for under, where a call is answered with a question.
const KEY: &str = "roots";

/// Which folders a session may ask.
#[derive(Debug, Clone)]
pub(crate) struct Roots {
    folders: Arc<Folders>,
    from: From,
    /// What the client named, once it was asked.
    named: Arc<Mutex<Option<Vec<String>>>>,
}

/// Where folders come from.
#[derive(Debug, Clone)]
enum From {
    /// What a server keeps.
    Served,
    /// What the program was started for.
    Started(Vec<PathBuf>),
    /// The client; the current folder where it names nothing.
    Client { cwd: Option<PathBuf> },
}

impl Roots {
    /// Those that a server keeps.
    pub(crate) fn served(folders: Arc<Folders>) -> Roots {
        Roots { folders, from: From::Served, named: Arc::default() }
    }

    /// `started`, or what the client names where that is empty.
    pub(crate) fn of_client(
        folders: Arc<Folders>,
        started: Vec<PathBuf>,
        cwd: Option<PathBuf>,
    ) -> Roots {
        let from = if started.is_empty() { From::Client { cwd } } else { From::Started(started) };
        Roots { folders, from, named: Arc::default() }
    }

    /// Asks the client again the next time: its roots have changed.
    pub(super) fn forget(&self) {
        *self.named() = None;
    }

    /// What the client has to say before its call can be answered, in protocols where a server cannot ask by itself.
    // The library calls roots old, since newer protocols advise against them; clients that exist have nothing else.
    #[expect(deprecated)]
    pub(super) fn required(
        &self,
        answers: Option<&InputResponses>,
        context: &RequestContext<RoleServer>,
    ) -> Option<InputRequiredResult> {
        if !matches!(self.from, From::Client { .. }) {
            return None;
        }
        if let Some(answer) = answers.and_then(|answers| answers.get(KEY)) {
            let roots = answer["roots"].as_array().into_iter().flatten();
            let uris = roots.filter_map(|root| Some(root["uri"].as_str()?.to_owned()));
            *self.named() = Some(uris.collect());
            return None;
        }
        let is_new = context
            .protocol_version()
            .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        let tells = context.client_capabilities().is_some_and(|client| client.roots.is_some());
        if !is_new || !tells || self.named().is_some() {
            return None;
        }
        let asked = InputRequest::ListRoots(rmcp::model::ListRootsRequest::default());
        Some(InputRequiredResult::from_input_requests(InputRequests::from([(
            KEY.to_owned(),
            asked,
        )])))
    }

    /// The folder that `asked` means; the only one where nothing is asked.
    pub(super) async fn find(
        &self,
        asked: Option<String>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Arc<Folder>> {
        let paths = match &self.from {
            From::Served => return pick(&self.folders.all(), asked.as_deref()),
            From::Started(paths) => paths.clone(),
            From::Client { cwd } => {
                let named = self.named_by(context).await;
                if named.is_empty() { around(cwd.as_deref())? } else { of_uris(&named)? }
            }
        };
        let folders = Arc::clone(&self.folders);
        let open = move || open(&folders, &paths, asked.as_deref());
        blocking("opening the folder", open).await
    }

    /// The roots as the client names them; none where it cannot.
    // Newer protocols have no roots, so the library calls them old; clients that exist have nothing else.
    #[expect(deprecated)]
    async fn named_by(&self, context: &RequestContext<RoleServer>) -> Vec<String> {
        let known = self.named().clone();
        if let Some(known) = known {
            return known;
        }
        let tells = context.client_capabilities().is_some_and(|client| client.roots.is_some());
        if !tells {
            return Vec::new();
        }
        let asked = context.peer.list_roots();
        let roots: Vec<String> = match tokio::time::timeout(TELL_WITHIN, asked).await {
            Ok(Ok(told)) => told.roots.into_iter().map(|root| root.uri).collect(),
            _ => Vec::new(),
        };
        *self.named() = Some(roots.clone());
        roots
    }

    fn named(&self) -> MutexGuard<'_, Option<Vec<String>>> {
        self.named.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens the one of `paths` that is meant. One that cannot be opened does not keep another from being asked.
fn open(folders: &Folders, paths: &[PathBuf], asked: Option<&str>) -> Result<Arc<Folder>> {
    let (mut opened, mut trouble) = (Vec::new(), None);
    for path in paths {
        match folders.add(path) {
            Ok((folder, _)) => opened.push(folder),
            Err(error) => trouble = trouble.or(Some(error)),
        }
    }
    match trouble {
        Some(error) if opened.is_empty() => Err(error),
        _ => pick(&opened, asked),
    }
}

/// The folder that is meant: by path, file address, id or name.
fn pick(folders: &[Arc<Folder>], asked: Option<&str>) -> Result<Arc<Folder>> {
    let names = || {
        let shown: Vec<String> =
            folders.iter().map(|folder| folder.root.display().to_string()).collect();
        format!("these are open: {}", shown.join(", "))
    };
    let Some(asked) = asked else {
        return match folders {
            [] => Err(crate::folders::no_folder()),
            [only] => Ok(Arc::clone(only)),
            _ => {
                Err(Error::usage("several folders are open: which root is meant?")
                    .with_hint(names()))
            }
        };
    };
    let path = of_uri(asked).unwrap_or_else(|_| PathBuf::from(asked));
    let real = path.canonicalize().unwrap_or(path);
    let is_meant =
        |folder: &&Arc<Folder>| folder.root == real || folder.id == asked || folder.name == asked;
    folders.iter().find(is_meant).cloned().ok_or_else(|| {
        Error::new(ErrorKind::Forbidden, format!("{asked} is not among the open folders"))
            .with_hint(names())
    })
}

/// The repository around the current folder.
fn around(cwd: Option<&Path>) -> Result<Vec<PathBuf>> {
    let repository = cwd.and_then(|cwd| cwd.ancestors().find(|above| above.join(".git").exists()));
    match repository {
        Some(repository) => Ok(vec![repository.to_path_buf()]),
        None => Err(Error::new(
            ErrorKind::NotIndexed,
            "no folder is known: the client told no roots, and this is no repository",
        )
        .with_hint("start it as: wherein mcp --root DIR")),
    }
}

/// The folders that addresses mean; those that mean none do not keep the others from being asked.
fn of_uris(uris: &[String]) -> Result<Vec<PathBuf>> {
    let read: Vec<Result<PathBuf>> = uris.iter().map(|uri| of_uri(uri)).collect();
    let paths: Vec<PathBuf> = read.iter().flatten().cloned().collect();
    match read.into_iter().find_map(Result::err) {
        Some(error) if paths.is_empty() => Err(error),
        _ => Ok(paths),
    }
}

/// The path of a file address.
fn of_uri(uri: &str) -> Result<PathBuf> {
    let refused = || {
        let mut shown = uri.to_owned();
        shown.truncate(shown.floor_char_boundary(200));
        Error::usage(format!("the root {shown:?} is no folder of this machine"))
            .with_hint("roots are file addresses: file:///srv/project")
    };
    let rest = uri.strip_prefix("file://").ok_or_else(refused)?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let bytes: Vec<u8> = percent_decode_str(path).collect();
    if !path.starts_with('/') || bytes.contains(&0) {
        return Err(refused());
    }
    let path = String::from_utf8(bytes).map_err(|_| refused())?;
    // `/C:/src` on the systems that have drives.
    let is_drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    Ok(PathBuf::from(if is_drive { &path[1..] } else { &path }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn file_addresses_are_paths() {
        assert_eq!(of_uri("file:///srv/me/a%20b").unwrap(), PathBuf::from("/srv/me/a b"));
        assert_eq!(of_uri("file://localhost/x").unwrap(), PathBuf::from("/x"));
        for uri in [
            "",
            "x",
            "/home",
            "http://a/b",
            "file://host/x",
            "file://",
            "file:///a%00b",
            "file:///%ff",
        ] {
            assert!(of_uri(uri).is_err(), "{uri}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_address_is_too_strange(uri in ".{0,60}") {
            let _ = of_uri(&uri);
            let _ = of_uri(&format!("file://{uri}"));
        }
    }
}

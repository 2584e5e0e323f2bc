//! `wherein watch`: keeps indexes true as files change, and tells of it.

use std::sync::{Arc, Mutex, PoisonError};

use wherein_wire::Folder;

use super::opener::Folders;
use crate::cli::{PublishedArgs, WatchArgs};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::watching::Teller;

/// Runs the command.
pub(super) fn run(args: &WatchArgs) -> Outcome<Exit> {
    let store = PublishedArgs::default();
    let opener = Folders::new(&args.common, (&args.model, &store), &args.repo)?;
    let roots = opener.meant(&args.folders, args.common.root.as_ref())?;
    let teller = Mutex::new(Teller::new(opener.settings().quiet, args.jsonl));
    let tell = move |folder: &Folder| {
        teller.lock().unwrap_or_else(PoisonError::into_inner).tell(folder);
    };
    wherein_serve::watch(Arc::new(opener), &roots, wherein_serve::stopped(), tell)?;
    Ok(Exit::Found)
}

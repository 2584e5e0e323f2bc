//! Watching without serving: indexes are kept true, and whoever asked is told what each refresh did.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::runtime::Builder;
use wherein_engine::Result;
use wherein_wire::Folder as Told;

use crate::folder::Folder;
use crate::folders::Folders;
use crate::port::Opener;
use crate::runtime;

/// Keeps the indexes of `roots` true until `stop` ends; `tell` is told of each folder whenever it has changed.
///
/// # Errors
/// Those of opening the folders.
pub fn watch(
    opener: Arc<dyn Opener>,
    roots: &[PathBuf],
    stop: impl Future<Output = ()>,
    tell: impl Fn(&Told) + Send + Sync + 'static,
) -> Result<()> {
    let runtime = runtime::start(Builder::new_current_thread())?;
    let folders = Folders::new(opener, Vec::new(), true);
    let tell = Arc::new(tell);
    runtime.block_on(async {
        for root in roots {
            let (folder, _) = folders.add(root)?;
            folder.ask(false);
            tokio::spawn(follow(folder, Arc::clone(&tell)));
        }
        stop.await;
        folders.close();
        Ok(())
    })
}

async fn follow(folder: Arc<Folder>, tell: Arc<impl Fn(&Told)>) {
    let mut changed = folder.subscribe();
    while changed.changed().await.is_ok() && !folder.is_closed() {
        changed.borrow_and_update();
        tell(&folder.wire());
    }
}

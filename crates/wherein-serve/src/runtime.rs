//! Threads of the async side: the runtime of a command, and work that blocks beside it.

use tokio::runtime::{Builder, Runtime};
use wherein_engine::{Error, Result};

/// Starts a runtime with its timers and sockets.
pub(crate) fn start(mut builder: Builder) -> Result<Runtime> {
    let started = builder.enable_all().build();
    started.map_err(|error| Error::bug(format!("cannot start: {error}")))
}

/// Does what blocks on a thread of its own.
pub(crate) async fn blocking<T: Send + 'static>(
    what: &str,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Error::bug(format!("{what} panicked"))))
}

//! MCP over standard input and output: one client, for as long as it listens.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use tokio::runtime::Builder;
use wherein_engine::Result;

use crate::ask::Asker;
use crate::folders::Folders;
use crate::limits::Limits;
use crate::mcp::{Mcp, Roots};
use crate::metrics::{Front, Metrics};
use crate::port::Opener;
use crate::runtime;

/// No message of ours is longer.
const MAX_LINE: usize = 4 << 20;
/// One agent does not ask more at once.
const MAX_WAITING: usize = 64;

/// How the server for one agent runs.
#[derive(Debug)]
pub struct McpOptions {
    /// The folders that may be asked; those that the client names where this is empty.
    pub roots: Vec<PathBuf>,
    /// The current folder, whose repository is asked where nobody names a folder.
    pub cwd: Option<PathBuf>,
    /// Whether changes of files are noticed as they happen; otherwise each question looks for them.
    pub watches: bool,
    /// How long a question waits for an index that is being made before it is answered with what there is.
    pub patience: Duration,
    /// No question takes longer.
    pub deadline: Duration,
}

/// Serves MCP on standard input and output until the client goes. Nothing else is written there.
///
/// # Errors
/// [`wherein_engine::ErrorKind::Io`] where the streams fail.
pub fn mcp(opener: Arc<dyn Opener>, options: McpOptions) -> Result<()> {
    // One client needs one thread; searches run on the engine's.
    let runtime = runtime::start(Builder::new_current_thread())?;
    let served = runtime.block_on(serve(opener, options));
    // A read of standard input that is under way cannot be ended, and need not be.
    runtime.shutdown_background();
    served
}

async fn serve(opener: Arc<dyn Opener>, options: McpOptions) -> Result<()> {
    let McpOptions { roots, cwd, watches, patience, deadline } = options;
    let folders = Arc::new(Folders::new(opener, Vec::new(), watches));
    let asker = Asker {
        limits: Arc::new(Limits::new(None, MAX_WAITING, deadline)),
        metrics: Arc::new(Metrics::default()),
        front: Front::Mcp,
        patience,
    };
    let server = Mcp::new(asker, Roots::of_client(Arc::clone(&folders), roots, cwd));
    let (input, output) = stdio_pipes();
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(MAX_LINE);
    // A client that goes before it has said anything has done nothing wrong.
    if let Ok(running) = server.serve(transport).await {
        let _ = running.waiting().await;
    }
    folders.close();
    Ok(())
}

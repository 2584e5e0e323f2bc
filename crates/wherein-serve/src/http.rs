//! The HTTP server: a socket, the routes, and a graceful end.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio_util::sync::CancellationToken;
use wherein_engine::{Error, ErrorKind, Result};

use crate::api::{App, Guard, Token, router};
use crate::ask::Asker;
use crate::folders::Folders;
use crate::limits::Limits;
use crate::mcp::{Mcp, Roots};
use crate::metrics::{Front, Metrics};
use crate::port::Opener;
use crate::runtime;

/// Requests that are under way when the server stops are given this long.
const GRACE: Duration = Duration::from_secs(5);
/// Messages of MCP hold questions, not files.
const MAX_MESSAGE: usize = 1 << 20;

/// How a server runs.
#[derive(Debug)]
pub struct ServeOptions {
    /// The folders to serve from the start.
    pub folders: Vec<PathBuf>,
    /// Below which folders requests may add others; canonical.
    pub allowed_roots: Vec<PathBuf>,
    /// Where to listen; port 0 takes a free one.
    pub address: SocketAddr,
    /// What requests have to show; needed for addresses that others reach.
    pub token: Option<String>,
    /// Host names that it answers to, besides `localhost` and addresses.
    pub hosts: Vec<String>,
    /// Whether changes of files are noticed as they happen; otherwise each question looks for them.
    pub watches: bool,
    /// Searches at once; one per core where this is `None`.
    pub n_searches: Option<usize>,
    /// Searches that may wait for their turn; further ones are refused.
    pub max_waiting: usize,
    /// How long a question waits for an index that is being made before it is answered with what there is.
    pub patience: Duration,
    /// No question takes longer.
    pub deadline: Duration,
}

/// Serves until `stop` ends; `started` is told the address that it listens on.
///
/// # Errors
/// [`ErrorKind::Usage`] for an address that others reach without a token, [`ErrorKind::Io`] where the socket fails, and
/// those of opening the folders.
pub fn serve(
    opener: Arc<dyn Opener>,
    options: ServeOptions,
    stop: impl Future<Output = ()> + Send + 'static,
    started: impl FnOnce(SocketAddr) -> Result<()>,
) -> Result<()> {
    check(&options)?;
    let runtime = runtime::start(Builder::new_multi_thread())?;
    let served = runtime.block_on(run(opener, options, stop, started));
    // Searches that are under way end by themselves; nobody waits for them.
    runtime.shutdown_background();
    served
}

/// Code that is worth finding is worth a token.
fn check(options: &ServeOptions) -> Result<()> {
    if is_loopback(options.address.ip()) || options.token.is_some() {
        return Ok(());
    }
    Err(Error::usage(format!("{} can be reached from other machines", options.address.ip()))
        .with_hint("give a secret with --token-file FILE, or listen on 127.0.0.1"))
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

async fn run(
    opener: Arc<dyn Opener>,
    options: ServeOptions,
    stop: impl Future<Output = ()> + Send + 'static,
    started: impl FnOnce(SocketAddr) -> Result<()>,
) -> Result<()> {
    let folders = Arc::new(Folders::new(opener, options.allowed_roots, options.watches));
    for folder in &options.folders {
        folders.add(folder)?.0.ask(false);
    }
    let stopping = CancellationToken::new();
    let asker = Asker {
        limits: Arc::new(Limits::new(options.n_searches, options.max_waiting, options.deadline)),
        metrics: Arc::new(Metrics::default()),
        front: Front::Http,
        patience: options.patience,
    };
    let guard = Guard { hosts: options.hosts, token: options.token.map(Token::new) };
    let mcp = mcp(&asker, &folders, &stopping);
    let app = App { folders: Arc::clone(&folders), asker, stopping: stopping.clone() };
    let listener = TcpListener::bind(options.address).await.map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot listen on {}: {error}", options.address))
            .with_hint("choose another port with --port N; 0 takes a free one")
    })?;
    let address = listener.local_addr().map_err(|e| Error::bug(format!("no address: {e}")))?;
    started(address)?;
    // Answers are small and somebody waits for them.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let ended = CancellationToken::new();
    let ending = ended.clone();
    let served =
        axum::serve(listener, router(app, guard, mcp)).with_graceful_shutdown(async move {
            stop.await;
            stopping.cancel();
            ending.cancel();
        });
    let served = tokio::select! {
        served = async { served.await } => served,
        () = async { ended.cancelled().await; tokio::time::sleep(GRACE).await } => Ok(()),
    };
    folders.close();
    served.map_err(|error| Error::new(ErrorKind::Io, format!("cannot serve: {error}")))
}

/// MCP at its address; who may ask is decided before.
fn mcp(asker: &Asker, folders: &Arc<Folders>, stopping: &CancellationToken) -> Router {
    let server =
        Mcp::new(Asker { front: Front::Mcp, ..asker.clone() }, Roots::served(Arc::clone(folders)));
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MAX_MESSAGE)
        .with_cancellation_token(stopping.child_token());
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    Router::new().nest_service("/mcp", service)
}

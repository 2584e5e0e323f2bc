//! The long-lived fronts: MCP over standard streams and HTTP, an HTTP API, a web page, and the watcher that keeps indexes
//! true while they run.
//!
//! The only async code of the project. The engine stays synchronous: its work runs on threads of its own, a bounded number
//! at a time. Settings and models are the program's, behind [`Opener`]; answers are those of `wherein-wire`.

mod api;
mod ask;
mod code;
mod folder;
mod folders;
mod http;
mod limits;
mod mcp;
mod metrics;
mod port;
mod refusal;
mod runtime;
mod signal;
mod stdio;
mod watcher;

pub use http::{ServeOptions, serve};
pub use port::{Opened, Opener};
pub use signal::stopped;
pub use stdio::{McpOptions, mcp};
pub use watcher::watch;

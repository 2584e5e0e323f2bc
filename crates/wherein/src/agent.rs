//! Coding agents: which there are, where each keeps its settings, and what `wherein agent` writes there.
//!
//! Texts are edited by splices, so what is not ours stays byte for byte. Nothing here prints, and nothing is
//! written before everything that is to be written for a client is known.

mod clients;
mod command;
mod edit;
mod edit_json;
mod edit_toml;
mod file;
mod layout;
mod places;
mod plan;
mod rules;
mod write;

pub(crate) use clients::{Client, Scope};
pub(crate) use command::{Server, resolve};
pub(crate) use places::Places;
pub(crate) use plan::{Done, Job, State as ClientState, Status as ClientStatus, Step};
pub(crate) use plan::{install, snippet, status, uninstall};
pub(crate) use write::{Written, apply, unified_diff};

#[cfg(test)]
#[path = "agent/edit_tests.rs"]
mod edit_tests;
#[cfg(test)]
#[path = "agent/files_tests.rs"]
mod files_tests;

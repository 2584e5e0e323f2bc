//! The JSON contract that the command line, HTTP and MCP share.
//!
//! Engine types never serialise to the outside; these do. Every conversion takes its engine type apart
//! by naming each field, so that a new field is a compile error here and not a silent gap in the
//! contract. Nothing in this crate searches, prints or decides.

mod code;
mod counts;
mod error;
mod folder;
mod lookup;
mod number;
mod repository;
mod search;
mod status;
mod symbol;
mod why_place;

pub use code::Code;
pub use counts::Counts;
pub use error::{ErrorBody, ErrorObject, kind_name};
pub use folder::{Folder, FolderProgress, FolderState, FolderSummary, FolderWatch};
pub use lookup::{FileOutline, FoundSymbol, FoundUsage, OutlineResult, SymbolResult, UsageResult};
pub use number::Score;
pub use repository::{AskedRepository, Outcome, Repositories, RepositoryReport};
pub use search::{Copy, Highlight, Hit, Parts, SearchMeta, SearchResult, Term};
pub use status::{Problem, Refresh, Status, Why};
pub use symbol::{Route, Symbol};
pub use why_place::{Loss, WhyPlace};

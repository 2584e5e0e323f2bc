//! The scale-out store: published indexes kept in Qdrant, one collection for many repositories.
//!
//! [`QdrantCollection`] is the engine's [`wherein_engine::Collection`] over gRPC. `schema` says what a collection is made of,
//! `payload` how points are written and read, `ask` how candidates are asked for, `retry` what is tried again, `trouble` what
//! errors mean. It starts a small runtime of its own, so that the engine stays synchronous.
//! Must not rank, and must not know how files are cut.

mod ask;
mod client;
mod collection;
mod options;
mod payload;
mod retry;
mod schema;
mod trouble;
mod write;

pub use collection::QdrantCollection;
pub use options::{Layout, QdrantOptions, Quantization};

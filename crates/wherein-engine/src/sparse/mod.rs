//! Text → sparse vectors: terms as dimensions, for stores that rank by them (Qdrant's sparse vectors).
//!
//! `bm25` is byte-compatible with fastembed's `Qdrant/bm25`, so that an index which that library filled can be asked and extended;
//! `identifiers` is the step before it that the `semcode` profile takes. `server` is what the server computes from such vectors, to
//! check a store against. `profile` says which encoder made an index. A learned encoder lies behind the port
//! [`crate::SparseEmbedder`].
//! Must not change what a text's vector is without a new version in its identity: vectors of two encoders are never compared.

mod bm25;
mod class;
mod identifiers;
mod profile;
mod semcode;
mod server;
mod stop_words;
mod vector;

pub use bm25::{BM25_VERSION, Bm25};
pub use identifiers::split_code_identifiers;
pub use profile::{SparseIdentity, SparseProfile};
pub use semcode::Semcode;
pub use server::{idf, rrf};
pub use vector::SparseVector;

/// The dimension of a term: the absolute value of its murmur3 (x86, 32 bits, seed 0) read as a signed number, 0 to 2147483648.
/// Two terms may share one; among a million terms one in two thousand does.
pub(crate) fn index_of(term: &str) -> u32 {
    murmurhash32::murmurhash3_with_seed::<0>(term.as_bytes()).cast_signed().unsigned_abs()
}

#[cfg(test)]
mod tests;

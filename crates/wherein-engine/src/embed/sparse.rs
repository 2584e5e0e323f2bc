//! The port to sparse encoders: texts in, sparse vectors out, in order.
//!
//! As `Embedder`, for vectors of which only few components are not zero. Must not know what a component means.

use super::Role;
use crate::Result;
use crate::sparse::{SparseIdentity, SparseVector};

/// Turns texts into sparse vectors, in order.
pub trait SparseEmbedder: std::fmt::Debug + Send + Sync {
    /// What the vectors may be compared with.
    fn identity(&self) -> &SparseIdentity;

    /// One vector a text, in order; any number of texts, which the encoder cuts into batches itself. A text without terms has an empty
    /// vector: it is like no other.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Model`] when a learned model fails; encoders that count terms never do.
    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<SparseVector>>;
}

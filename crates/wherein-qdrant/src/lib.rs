//! The scale-out store: indexes kept in Qdrant.

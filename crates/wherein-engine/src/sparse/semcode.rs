//! The `semcode` profile: identifiers taken apart, then BM25, for passages and questions alike.
//!
//! For indexes that semcode filled, and for those who want its ranking. Must not differ from it; what it does badly (a text that is
//! taken apart is twice as long, and is weighed down for it) is the business of the `code` profile.

use super::{Bm25, SparseIdentity, SparseVector, split_code_identifiers};
use crate::Result;
use crate::embed::{Role, SparseEmbedder};

/// The encoder of the `semcode` profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Semcode {
    bm25: Bm25,
    identity: SparseIdentity,
}

impl Semcode {
    /// The encoder with these constants; semcode itself uses [`Bm25::default`].
    pub fn new(bm25: Bm25) -> Semcode {
        Semcode { bm25, identity: SparseIdentity::semcode(bm25) }
    }
}

impl Default for Semcode {
    fn default() -> Self {
        Semcode::new(Bm25::default())
    }
}

impl SparseEmbedder for Semcode {
    fn identity(&self) -> &SparseIdentity {
        &self.identity
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<SparseVector>> {
        let embed = |text: &&str| {
            let text = split_code_identifiers(text);
            match role {
                Role::Passage => self.bm25.passage(&text),
                Role::Question => self.bm25.question(&text),
            }
        };
        Ok(texts.iter().map(embed).collect())
    }
}

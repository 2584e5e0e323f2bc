//! Which sparse encoder, and what makes the vectors of two of them incomparable.
//!
//! A profile is what somebody asks for, an identity what an index was made with. The identity is stored beside the vectors and compared
//! before a question is put to them; its fields must not change their meaning. Must not encode anything.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{BM25_VERSION, Bm25};
use crate::embed::ModelIdentity;
use crate::error::Error;
use crate::search::CODE_BM25;
use crate::tokenize::TOKENIZER_VERSION;

/// What somebody asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SparseProfile {
    /// Our own tokenizer and BM25F over its fields.
    Code {
        /// How slowly repeats of a term saturate.
        k: f64,
        /// How much the length of a passage counts, 0 to 1.
        b: f64,
    },
    /// [`super::Semcode`], byte-compatible with fastembed's `Qdrant/bm25` after its step of pre-processing.
    Semcode,
    /// A learned sparse model (SPLADE).
    Learned {
        /// The folder of the model, or what it is called.
        model: String,
    },
}

impl SparseProfile {
    /// `code`, `semcode` or `learned`.
    pub fn as_str(&self) -> &'static str {
        match self {
            SparseProfile::Code { .. } => "code",
            SparseProfile::Semcode => "semcode",
            SparseProfile::Learned { .. } => "learned",
        }
    }
}

impl FromStr for SparseProfile {
    type Err = Error;

    /// A profile by its name, with the usual constants. A learned one has none of its own: callers try for a model folder first.
    fn from_str(name: &str) -> Result<SparseProfile, Error> {
        let Bm25 { k, b, .. } = CODE_BM25;
        match name {
            "code" => Ok(SparseProfile::Code { k, b }),
            "semcode" => Ok(SparseProfile::Semcode),
            other => Err(Error::usage(format!("there is no sparse profile '{other}'"))
                .with_hint("one of code, semcode, or the folder of a learned sparse model")),
        }
    }
}

/// Everything that makes the vectors of two sparse encoders incomparable. Plain enough for formats that do not describe themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SparseIdentity {
    /// [`SparseProfile::as_str`].
    pub profile: String,
    /// The constants of `code` and `semcode`; `None` for a learned model.
    pub bm25: Option<Bm25>,
    /// Of what makes terms of text: [`TOKENIZER_VERSION`] for `code`, [`BM25_VERSION`] for `semcode`, 0 for a learned model, whose
    /// tokenizer has a hash.
    pub tokenizer_version: u32,
    /// A learned model with the hashes of its weights and tokenizer; its `dimensions` are the size of its vocabulary.
    pub model: Option<ModelIdentity>,
}

impl SparseIdentity {
    /// Of the `code` profile with these constants.
    pub fn code(bm25: Bm25) -> SparseIdentity {
        SparseIdentity::of_terms("code", bm25, TOKENIZER_VERSION)
    }

    /// Of the `semcode` profile with these constants.
    pub fn semcode(bm25: Bm25) -> SparseIdentity {
        SparseIdentity::of_terms("semcode", bm25, BM25_VERSION)
    }

    /// Of a learned model.
    pub fn learned(model: ModelIdentity) -> SparseIdentity {
        let profile = "learned".to_owned();
        SparseIdentity { profile, bm25: None, tokenizer_version: 0, model: Some(model) }
    }

    /// The same for any average length, which a collection measures for itself.
    pub(crate) fn at_any_length(&self) -> SparseIdentity {
        let bm25 = self.bm25.map(|bm25| Bm25 { average_length: 0.0, ..bm25 });
        SparseIdentity { bm25, ..self.clone() }
    }

    fn of_terms(profile: &str, bm25: Bm25, tokenizer_version: u32) -> SparseIdentity {
        SparseIdentity {
            profile: profile.to_owned(),
            bm25: Some(bm25),
            tokenizer_version,
            model: None,
        }
    }
}

/// One line for people: `semcode (k 1.2, b 0.75, average length 256, tokenizer 1)`.
impl fmt::Display for SparseIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.profile)?;
        if let Some(Bm25 { k, b, average_length }) = self.bm25 {
            let version = self.tokenizer_version;
            write!(f, " (k {k}, b {b}, average length {average_length}, tokenizer {version})")?;
        }
        if let Some(model) = &self.model {
            let short = |hash: &str| hash.chars().take(SHORT_HASH).collect::<String>();
            let (weights, tokenizer) = (short(&model.weights_hash), short(&model.tokenizer_hash));
            let (name, n) = (&model.name, model.max_tokens);
            write!(f, " ({name}, weights {weights}, tokenizer {tokenizer}, {n} tokens)")?;
        }
        Ok(())
    }
}

/// Digits of a hash that people compare.
const SHORT_HASH: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> ModelIdentity {
        ModelIdentity {
            name: "splade".to_owned(),
            weights_hash: "0123456789abcdef".to_owned(),
            tokenizer_hash: "fedcba9876543210".to_owned(),
            pooling: "max".to_owned(),
            question_prefix: String::new(),
            passage_prefix: String::new(),
            max_tokens: 512,
            dimensions: 30522,
            normalised: false,
        }
    }

    #[test]
    fn names_go_both_ways_and_others_get_a_hint() {
        for name in ["code", "semcode"] {
            assert_eq!(name.parse::<SparseProfile>().unwrap().as_str(), name);
        }
        let error = "splade".parse::<SparseProfile>().unwrap_err();
        assert!(error.to_string().contains("'splade'") && error.hint().is_some());
    }

    #[test]
    fn an_identity_is_one_line() {
        for (identity, line) in [
            (
                SparseIdentity::semcode(Bm25::default()),
                "semcode (k 1.2, b 0.75, average length 256, tokenizer 1)",
            ),
            (
                SparseIdentity::learned(model()),
                "learned (splade, weights 01234567, tokenizer fedcba98, 512 tokens)",
            ),
        ] {
            assert_eq!(identity.to_string(), line);
        }
    }

    #[test]
    fn an_identity_survives_storage_and_differs_by_what_counts() {
        let code = SparseIdentity::code(Bm25::default());
        for identity in [code.clone(), SparseIdentity::learned(model())] {
            let bytes = postcard::to_stdvec(&identity).unwrap();
            assert_eq!(postcard::from_bytes::<SparseIdentity>(&bytes).unwrap(), identity);
            let text = serde_json::to_string(&identity).unwrap();
            assert_eq!(serde_json::from_str::<SparseIdentity>(&text).unwrap(), identity);
        }
        assert_ne!(code, SparseIdentity::semcode(Bm25::default()));
        assert_ne!(code, SparseIdentity::code(Bm25 { b: 0.5, ..Bm25::default() }));
        let other = ModelIdentity { weights_hash: "other".to_owned(), ..model() };
        assert_ne!(SparseIdentity::learned(model()), SparseIdentity::learned(other));
    }
}

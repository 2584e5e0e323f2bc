//! The port to models: texts in, unit vectors out, in order.
//!
//! The engine knows what a model can do and what makes two of them incomparable; it must not know any
//! model's name or file. `batch` cuts the work, `cache` keeps what is finished; `table`, `bag`, `words` and `reader` are the models
//! that need neither; `lexicon`, `likeness` and `asked` what is remembered of words between questions. `sparse` is the port to encoders
//! whose vectors are mostly zeros.

mod asked;
mod bag;
mod batch;
mod cache;
mod lexicon;
mod likeness;
mod reader;
mod sparse;
mod table;
mod words;

pub(crate) use asked::{Asked, Likeness, MAX_LIKENED, Seen};
pub use bag::{Bag, settle};
pub use batch::BATCH_TOKENS;
pub(crate) use batch::{Embeddings, question};
pub(crate) use cache::{Key, VectorCache, folder_key};
pub(crate) use lexicon::{Lexicon, NumberReader};
pub(crate) use likeness::Likenesses;
pub use reader::TableReader;
pub(crate) use reader::{dot, known_sum};
pub use sparse::SparseEmbedder;
pub use table::{TermTable, TermTableBuilder, piece_hash, pieces, spell, term_hash};
pub(crate) use words::Words;

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::model::VectorEncoding;
use crate::symbol::Symbol;

/// Whether a text is a question or a passage: models put different words in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// What somebody asks.
    Question,
    /// What is searched.
    Passage,
}

/// Everything that makes two models' vectors incomparable.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// What people call it; vectors of the same name may still differ in what follows.
    pub name: String,
    /// blake3 of the weights, as hexadecimal digits.
    pub weights_hash: String,
    /// blake3 of the tokenizer, as hexadecimal digits.
    pub tokenizer_hash: String,
    /// `cls`, `mean` or `last`.
    pub pooling: String,
    /// Put in front of each question.
    pub question_prefix: String,
    /// Put in front of each passage.
    pub passage_prefix: String,
    /// Tokens that are read of a text, prefix and special tokens included; the rest is cut off. [`ModelIdentity::ALL_TOKENS`]
    /// where nothing is.
    pub max_tokens: u32,
    /// Components of a vector.
    pub dimensions: u32,
    /// Whether vectors have length one.
    pub normalised: bool,
}

impl ModelIdentity {
    /// The `max_tokens` of a model that reads texts to their end.
    pub const ALL_TOKENS: u32 = u32::MAX;
}

/// Turns texts into unit vectors, in order.
pub trait Embedder: std::fmt::Debug + Send + Sync {
    /// What the vectors may be compared with.
    fn identity(&self) -> &ModelIdentity;

    /// Tokens that the model will read of each text, prefix and specials included, uncapped.
    fn count_tokens(&self, role: Role, texts: &[&str]) -> Result<Vec<usize>>;

    /// One unit vector of `identity().dimensions` a text, in order. One call is one batch. A text that the model knows
    /// nothing of has zeros: it is like no other.
    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>>;

    /// The table of a model that is nothing else: its chunks are embedded while they are read, and no vector of it is
    /// worth keeping elsewhere.
    fn table(&self) -> Option<&TermTable> {
        None
    }
}

/// How vectors of a model are kept where nobody says: those of a table are sums of bytes and lose nothing as bytes.
pub fn usual_encoding(model: &dyn Embedder) -> VectorEncoding {
    match model.table() {
        Some(_) => VectorEncoding::Int8,
        None => VectorEncoding::F32,
    }
}

/// Whether a vector says anything; one of zeros is like no other.
pub(crate) fn has_meaning(vector: &[f32]) -> bool {
    vector.iter().any(|value| *value != 0.0)
}

/// The line in front of a passage: where it stands and, with symbols, what it is.
pub fn head(path: &str, language: &str, symbol: Option<&Symbol>) -> String {
    let head = match symbol {
        None => path.to_owned(),
        Some(symbol) => {
            let route = symbol.route.as_ref().map(|route| format!(" {route}")).unwrap_or_default();
            format!("{language} {} {} in {path}{route}", symbol.kind, symbol.qualified())
        }
    };
    // Paths may hold newlines; the head is one line.
    if head.contains('\n') { head.replace('\n', " ") } else { head }
}

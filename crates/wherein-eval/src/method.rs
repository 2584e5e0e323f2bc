//! The ways in which a comparison asks: a mode, with the model that it needs. Plain data.

use std::sync::Arc;

use wherein_engine::{Embedder, Mode};

/// One way to answer a question; a column of the tables.
#[derive(Debug, Clone)]
pub struct Method {
    /// What its column is called.
    pub name: String,
    /// How questions are answered.
    pub mode: Mode,
    /// What compares meanings; none for modes that go by words.
    pub embedder: Option<Arc<dyn Embedder>>,
}

impl Method {
    /// Words alone.
    pub fn keyword() -> Method {
        Method { name: Mode::Keyword.as_str().to_owned(), mode: Mode::Keyword, embedder: None }
    }

    /// Meaning alone; called as its model is.
    pub fn semantic(embedder: Arc<dyn Embedder>) -> Method {
        let name = embedder.identity().name.clone();
        Method { name, mode: Mode::Semantic, embedder: Some(embedder) }
    }

    /// Words and meaning, fused.
    pub fn hybrid(embedder: Arc<dyn Embedder>) -> Method {
        let name = format!("{} {}", Mode::Hybrid.as_str(), embedder.identity().name);
        Method { name, mode: Mode::Hybrid, embedder: Some(embedder) }
    }

    /// The columns of a comparison: words, each model, then words with each model.
    pub fn all(models: &[Arc<dyn Embedder>]) -> Vec<Method> {
        let semantic = models.iter().cloned().map(Method::semantic);
        let hybrid = models.iter().cloned().map(Method::hybrid);
        std::iter::once(Method::keyword()).chain(semantic).chain(hybrid).collect()
    }
}

//! A model that remembers questions: each is embedded once, and the time that it took is known.
//!
//! A comparison asks one question by several methods and in several scopes. Whether the engine keeps
//! vectors of questions must not decide what those methods seem to cost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use wherein_engine::{Embedder, ModelIdentity, Result, Role, TermTable};

/// A model with the questions that it has seen.
#[derive(Debug)]
pub(crate) struct Remembering {
    model: Arc<dyn Embedder>,
    seen: Mutex<BTreeMap<String, Seen>>,
}

#[derive(Debug, Clone)]
struct Seen {
    vector: Vec<f32>,
    took: Duration,
}

impl Remembering {
    pub(crate) fn new(model: Arc<dyn Embedder>) -> Remembering {
        Remembering { model, seen: Mutex::default() }
    }

    /// Whether this remembers for `model`.
    pub(crate) fn is_of(&self, model: &Arc<dyn Embedder>) -> bool {
        Arc::ptr_eq(&self.model, model)
    }

    /// Loads the model, where that waits for its first use, so that no question pays for it.
    pub(crate) fn warm_up(&self) -> Result<()> {
        self.model.count_tokens(Role::Question, &["warm"]).map(|_| ())
    }

    /// How long it takes to embed a question; measured when the question comes first.
    pub(crate) fn time(&self, question: &str) -> Result<Duration> {
        self.question(question).map(|seen| seen.took)
    }

    fn question(&self, question: &str) -> Result<Seen> {
        if let Some(seen) = self.seen().get(question) {
            return Ok(seen.clone());
        }
        let started = Instant::now();
        let vector = self.model.embed(Role::Question, &[question])?.pop().unwrap_or_default();
        let seen = Seen { vector, took: started.elapsed() };
        self.seen().insert(question.to_owned(), seen.clone());
        Ok(seen)
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<String, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Embedder for Remembering {
    fn identity(&self) -> &ModelIdentity {
        self.model.identity()
    }

    fn count_tokens(&self, role: Role, texts: &[&str]) -> Result<Vec<usize>> {
        self.model.count_tokens(role, texts)
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        match role {
            Role::Passage => self.model.embed(role, texts),
            Role::Question => {
                texts.iter().map(|text| self.question(text).map(|seen| seen.vector)).collect()
            }
        }
    }

    fn table(&self) -> Option<&TermTable> {
        self.model.table()
    }
}

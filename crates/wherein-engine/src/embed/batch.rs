//! Texts → vectors by way of the cache: only what no run has embedded reaches the model, in batches.
//!
//! Texts are sorted by their tokens, so that little of a batch is padding, and cut where a batch would have too
//! many. Each batch is kept before the next begins. A model that is a table needs neither: a look-up in the cache would
//! take longer than the vector. Must not know where texts come from or where vectors go.

use std::collections::HashMap;

use rayon::prelude::*;

use super::cache::{Key, VectorCache, key};
use super::{Embedder, Role};
use crate::error::{Error, Result};

/// Tokens of one batch, padding included. More is slower on two cores (MiniLM over texts of 256 tokens: 96 ms a text one
/// or two at a time, 104 to 112 eight at a time), and more to lose.
pub const BATCH_TOKENS: usize = 512;

/// Texts that a table gets at once: one piece of work for a thread.
const TABLE_TEXTS: usize = 64;

/// A model with the cache of its vectors, where it has one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Embeddings<'a> {
    pub(crate) model: &'a dyn Embedder,
    pub(crate) cache: Option<&'a VectorCache>,
}

/// What became of some texts.
#[derive(Debug, Default)]
pub(crate) struct Embedded {
    /// In order; `None` only for what was not done before the caller said to stop.
    pub(crate) vectors: Vec<Option<Vec<f32>>>,
    /// How many texts the model embedded.
    pub(crate) n_embedded: u64,
    /// How many the cache knew.
    pub(crate) n_cached: u64,
}

impl Embeddings<'_> {
    /// The vectors of `texts`. `go_on` is asked before each batch with the number of texts done since it was last
    /// asked; when it says no, the rest is left.
    pub(crate) fn embed(
        &self,
        role: Role,
        texts: &[&str],
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Embedded> {
        self.embed_in((role, BATCH_TOKENS), texts, go_on)
    }

    /// As [`Embeddings::embed`], each text by itself: beside others a text's vector is another by a rounding, and which
    /// others there are depends on what the cache knows. MiniLM takes no longer for it.
    pub(crate) fn embed_apart(
        &self,
        role: Role,
        texts: &[&str],
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Embedded> {
        self.embed_in((role, 0), texts, go_on)
    }

    /// In batches of so many tokens where there is a cache.
    fn embed_in(
        &self,
        (role, batch_tokens): (Role, usize),
        texts: &[&str],
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Embedded> {
        match self.cache {
            Some(cache) => self.embed_by_cache(cache, (role, batch_tokens), texts, go_on),
            None => self.embed_all(role, texts, go_on),
        }
    }

    /// Without a cache: all at once, on all threads.
    fn embed_all(
        &self,
        role: Role,
        texts: &[&str],
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Embedded> {
        if !go_on(0) {
            return Ok(Embedded { vectors: vec![None; texts.len()], ..Embedded::default() });
        }
        let embed = |texts: &[&str]| {
            let made = self.model.embed(role, texts)?;
            check(self.model, &made, texts.len())?;
            Ok(made)
        };
        // To hand a single question to another thread takes longer than to embed it.
        let made: Result<Vec<Vec<Vec<f32>>>> = match texts.len() {
            0..=TABLE_TEXTS => embed(texts).map(|made| vec![made]),
            _ => texts.par_chunks(TABLE_TEXTS).map(embed).collect(),
        };
        let vectors: Vec<_> = made?.into_iter().flatten().map(Some).collect();
        let n_embedded = texts.len() as u64;
        go_on(n_embedded);
        Ok(Embedded { vectors, n_embedded, n_cached: 0 })
    }

    fn embed_by_cache(
        &self,
        cache: &VectorCache,
        (role, batch_tokens): (Role, usize),
        texts: &[&str],
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Embedded> {
        let identity = self.model.identity();
        let keys: Vec<Key> = texts.iter().map(|text| key(identity, role, text)).collect();
        let mut vectors = cache.get(&keys, identity.dimensions as usize)?;
        let n_cached = vectors.iter().flatten().count() as u64;
        let mut missing = Missing::of(&keys, &vectors);
        let mut n_embedded = 0;
        let mut n_done = n_cached;
        if !missing.firsts.is_empty() {
            for batch in self.batches((role, batch_tokens), texts, &missing.firsts)? {
                if !go_on(std::mem::take(&mut n_done)) {
                    break;
                }
                let made = self.embed_batch(role, texts, &batch)?;
                keep(cache, &keys, &batch, &made)?;
                n_embedded += made.len() as u64;
                for (idx, vector) in batch.into_iter().zip(made) {
                    for twin in missing.twins(idx) {
                        vectors[twin] = Some(vector.clone());
                        n_done += 1;
                    }
                }
            }
        }
        go_on(n_done);
        Ok(Embedded { vectors, n_embedded, n_cached })
    }

    /// Positions of texts, cut into batches.
    fn batches(
        &self,
        (role, batch_tokens): (Role, usize),
        texts: &[&str],
        wanted: &[usize],
    ) -> Result<Vec<Vec<usize>>> {
        let wanted_texts: Vec<&str> = wanted.iter().map(|idx| texts[*idx]).collect();
        let most = self.model.identity().max_tokens as usize;
        let counts = self.model.count_tokens(role, &wanted_texts)?;
        if counts.len() != wanted.len() {
            return Err(odd(self.model, "counts another number of texts than it was given"));
        }
        let mut sized: Vec<(usize, usize)> =
            counts.into_iter().map(|n| n.min(most)).zip(wanted.iter().copied()).collect();
        sized.sort_unstable();
        Ok(cut(&sized, batch_tokens))
    }

    fn embed_batch(&self, role: Role, texts: &[&str], batch: &[usize]) -> Result<Vec<Vec<f32>>> {
        let batch_texts: Vec<&str> = batch.iter().map(|idx| texts[*idx]).collect();
        let made = self.model.embed(role, &batch_texts)?;
        check(self.model, &made, batch.len())?;
        Ok(made)
    }
}

fn keep(cache: &VectorCache, keys: &[Key], batch: &[usize], made: &[Vec<f32>]) -> Result<()> {
    let kept: Vec<(Key, &[f32])> =
        batch.iter().zip(made).map(|(idx, vector)| (keys[*idx], vector.as_slice())).collect();
    cache.put(&kept)
}

/// The vector of a question. The cache only saves work here: without one, or with one that cannot be used, the vector
/// is made all the same.
pub(crate) fn question(
    model: &dyn Embedder,
    cache: Option<&VectorCache>,
    text: &str,
) -> Result<Vec<f32>> {
    let identity = model.identity();
    let key = key(identity, Role::Question, text);
    let known = cache.and_then(|cache| cache.get(&[key], identity.dimensions as usize).ok());
    if let Some([Some(vector)]) = known.as_deref() {
        return Ok(vector.clone());
    }
    let made = model.embed(Role::Question, &[text])?;
    check(model, &made, 1)?;
    let vector = made.into_iter().next().unwrap_or_default();
    if let Some(cache) = cache {
        let _ = cache.put(&[(key, &vector)]);
    }
    Ok(vector)
}

/// Texts that the cache does not know, each text once.
struct Missing {
    /// The first position of each text.
    firsts: Vec<usize>,
    /// All its positions, by the first.
    all: HashMap<usize, Vec<usize>>,
}

impl Missing {
    fn of(keys: &[Key], found: &[Option<Vec<f32>>]) -> Missing {
        let mut first_of: HashMap<Key, usize> = HashMap::new();
        let mut missing = Missing { firsts: Vec::new(), all: HashMap::new() };
        for (idx, key) in keys.iter().enumerate().filter(|(idx, _)| found[*idx].is_none()) {
            let first = *first_of.entry(*key).or_insert(idx);
            if first == idx {
                missing.firsts.push(idx);
            }
            missing.all.entry(first).or_default().push(idx);
        }
        missing
    }

    fn twins(&mut self, first: usize) -> Vec<usize> {
        self.all.remove(&first).unwrap_or_default()
    }
}

/// Cuts (tokens, position) pairs, shortest first, so that the longest of a batch times their number stays within
/// `budget`; one text alone may exceed it.
fn cut(sized: &[(usize, usize)], budget: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for (n_tokens, idx) in sized {
        match batches.last_mut() {
            Some(open) if (open.len() + 1) * n_tokens <= budget => open.push(*idx),
            _ => batches.push(vec![*idx]),
        }
    }
    batches
}

/// One finite vector of the right length for each text, or it is the model's fault.
fn check(model: &dyn Embedder, made: &[Vec<f32>], wanted: usize) -> Result<()> {
    let dimensions = model.identity().dimensions as usize;
    if made.len() != wanted {
        return Err(odd(model, &format!("gave {} vectors for {wanted} texts", made.len())));
    }
    for vector in made {
        if vector.len() != dimensions {
            let message = format!("gave {} dimensions instead of {dimensions}", vector.len());
            return Err(odd(model, &message));
        }
        if !vector.iter().all(|value| value.is_finite()) {
            return Err(odd(model, "gave a vector that is not a number"));
        }
    }
    Ok(())
}

fn odd(model: &dyn Embedder, what: &str) -> Error {
    let name = &model.identity().name;
    Error::model(format!("the model {name} {what}"))
        .with_hint(format!("see what is wrong with it: wherein model verify {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_keep_to_the_budget_and_lose_no_text() {
        let sized: Vec<(usize, usize)> = (1..=50).map(|i| (i * 7, i)).collect();
        let batches = cut(&sized, 512);
        for batch in &batches {
            let longest = batch.iter().max().unwrap() * 7;
            assert!(batch.len() == 1 || batch.len() * longest <= 512, "{batch:?}");
        }
        let all: Vec<usize> = batches.concat();
        assert_eq!(all, (1..=50).collect::<Vec<_>>());
        assert_eq!(cut(&[(4096, 0), (4096, 1)], 512), [[0], [1]]);
    }
}

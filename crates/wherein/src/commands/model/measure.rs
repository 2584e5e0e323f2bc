//! What a model costs on given texts: tokens, cut-offs, times and memory.
//!
//! It measures and says what it measured; a figure that was estimated is never passed off as measured.

use std::time::{Duration, Instant};

use wherein_engine::{BATCH_TOKENS, Embedder, Error, Event, Result, Role};

use crate::output::models::{Figures, limit};

/// Texts that the tokenizer gets at once.
const COUNT_TEXTS: usize = 512;

/// Questions of several lengths, to time one.
const QUESTIONS: [&str; 9] = [
    "where do we stop following a redirect loop",
    "parse the config file",
    "retry with backoff after a timeout",
    "how is the cache invalidated when a file changes on disk",
    "authentication token refresh",
    "read a line without its line ending",
    "which function decides whether a path is ignored",
    "open a connection",
    "convert an error of the operating system into a message for people",
];

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cost {
    /// The model's name.
    pub(crate) model: String,
    /// Components of a vector.
    pub(crate) dimensions: u32,
    /// Tokens that are read of a text.
    pub(crate) max_tokens: u32,
    /// Tokens of each chunk, uncapped, shortest first.
    pub(crate) n_tokens: Vec<usize>,
    /// Chunks that were embedded: all, or the sample.
    pub(crate) n_embedded: usize,
    /// Tokens that were embedded, cut at the limit.
    pub(crate) tokens_embedded: usize,
    /// How long that took.
    pub(crate) embed_time: Duration,
    /// The median time of one question.
    pub(crate) question_time: Duration,
    /// How many questions that is the median of.
    pub(crate) n_questions: usize,
}

impl From<Cost> for Figures {
    fn from(cost: Cost) -> Figures {
        let cap = cost.max_tokens as usize;
        let cut = |n: &usize| n.saturating_sub(cap);
        let (n_chunks, n_bytes) = (cost.n_tokens.len(), u64::from(cost.dimensions));
        let seconds = cost.embed_time.as_secs_f64();
        let all: usize = cost.n_tokens.iter().map(|n| (*n).min(cap)).sum();
        let is_sample = cost.n_embedded < n_chunks;
        let longest = cost.n_tokens.last().copied().unwrap_or(0);
        Figures {
            dimensions: cost.dimensions,
            max_tokens: limit(cost.max_tokens),
            chunks: n_chunks,
            chunks_truncated: cost.n_tokens.iter().filter(|n| **n > cap).count(),
            tokens_cut: cost.n_tokens.iter().map(cut).sum(),
            tokens_cut_at_most: cut(&longest),
            tokens_median: cost.n_tokens.get(n_chunks / 2).copied().unwrap_or(0),
            tokens_longest: longest,
            chunks_embedded: cost.n_embedded,
            is_sample,
            embed_seconds: seconds,
            tokens_per_second: cost.tokens_embedded as f64 / seconds.max(f64::MIN_POSITIVE),
            embed_seconds_all: match is_sample {
                true => seconds * all as f64 / cost.tokens_embedded.max(1) as f64,
                false => seconds,
            },
            question_ms: cost.question_time.as_secs_f64() * 1000.0,
            questions_asked: cost.n_questions,
            vector_bytes_f32: n_chunks as u64 * n_bytes * 4,
            // A byte a component and four for the scale.
            vector_bytes_int8: n_chunks as u64 * (n_bytes + 4),
            model: cost.model,
        }
    }
}

/// Measures `model` on `passages`: on all, or on `sample` of them, evenly spread.
///
/// # Errors
/// Without a passage, and those of the model.
pub(super) fn cost(
    model: &dyn Embedder,
    passages: &[String],
    sample: Option<usize>,
    progress: &dyn Fn(Event),
) -> Result<Cost> {
    if passages.is_empty() {
        return Err(Error::usage("the folder has no text to embed")
            .with_hint("wherein status tells what is not searched there"));
    }
    let identity = model.identity();
    let n_tokens = count(model, passages)?;
    let cap = identity.max_tokens as usize;
    let mut picked = spread(passages.len(), sample.unwrap_or(passages.len()));
    // As an index does it: neighbours in length waste the least on padding.
    picked.sort_by_key(|idx| (n_tokens[*idx].min(cap), *idx));
    let question_time = question_time(model)?;
    let embed_time = embed(model, passages, &picked, &|idx| n_tokens[idx].min(cap), progress)?;
    let tokens_embedded = picked.iter().map(|idx| n_tokens[*idx].min(cap)).sum();
    let mut n_tokens = n_tokens;
    n_tokens.sort_unstable();
    Ok(Cost {
        model: identity.name.clone(),
        dimensions: identity.dimensions,
        max_tokens: identity.max_tokens,
        n_tokens,
        n_embedded: picked.len(),
        tokens_embedded,
        embed_time,
        question_time,
        n_questions: QUESTIONS.len(),
    })
}

fn count(model: &dyn Embedder, passages: &[String]) -> Result<Vec<usize>> {
    let mut counts = Vec::with_capacity(passages.len());
    for some in passages.chunks(COUNT_TEXTS) {
        let texts: Vec<&str> = some.iter().map(String::as_str).collect();
        counts.extend(model.count_tokens(Role::Passage, &texts)?);
    }
    Ok(counts)
}

/// `n` of `total` positions, evenly spread: each time the same ones.
fn spread(total: usize, n: usize) -> Vec<usize> {
    let n = n.min(total);
    (0..n).map(|idx| idx * total / n).collect()
}

fn embed(
    model: &dyn Embedder,
    passages: &[String],
    picked: &[usize],
    n_tokens: &dyn Fn(usize) -> usize,
    progress: &dyn Fn(Event),
) -> Result<Duration> {
    progress(Event::EmbedPlanned { n_chunks: picked.len() as u64 });
    let started = Instant::now();
    let mut done = 0;
    while done < picked.len() {
        // Sorted by length, so the last text that still fits is the longest.
        let fits = |n: &usize| n_tokens(picked[done + n - 1]) * n <= BATCH_TOKENS;
        let n = (2..=picked.len() - done).take_while(fits).last().unwrap_or(1);
        let batch = &picked[done..done + n];
        let texts: Vec<&str> = batch.iter().map(|idx| passages[*idx].as_str()).collect();
        model.embed(Role::Passage, &texts)?;
        done += n;
        progress(Event::Embedded { n_chunks: done as u64 });
    }
    Ok(started.elapsed())
}

fn question_time(model: &dyn Embedder) -> Result<Duration> {
    // The first run also makes room and is no measure of the others.
    model.embed(Role::Question, &QUESTIONS[..1])?;
    let mut times = Vec::new();
    for question in QUESTIONS {
        let started = Instant::now();
        model.embed(Role::Question, &[question])?;
        times.push(started.elapsed());
    }
    times.sort_unstable();
    Ok(times[times.len() / 2])
}

/// Forgets the memory peak so far, where the system can: what was indexed before is not the model's doing.
pub(super) fn reset_peak() {
    // Where it cannot, the peak is that of the whole process.
    let _ = std::fs::OpenOptions::new()
        .write(true)
        .open("/proc/self/clear_refs")
        .and_then(|mut file| std::io::Write::write_all(&mut file, b"5"));
}

/// The most memory that the process held, in bytes, where the system tells.
pub(super) fn peak() -> Option<u64> {
    peak_of(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use wherein_engine::ModelIdentity;

    /// One token a character; remembers the batches.
    #[derive(Debug)]
    struct Fake {
        identity: ModelIdentity,
        batches: Mutex<Vec<Vec<usize>>>,
    }

    impl Embedder for Fake {
        fn identity(&self) -> &ModelIdentity {
            &self.identity
        }

        fn count_tokens(&self, _: Role, texts: &[&str]) -> Result<Vec<usize>> {
            Ok(texts.iter().map(|text| text.len()).collect())
        }

        fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
            if role == Role::Passage {
                self.batches.lock().unwrap().push(texts.iter().map(|text| text.len()).collect());
            }
            Ok(vec![vec![1.0, 0.0]; texts.len()])
        }
    }

    fn fake(max_tokens: u32) -> Fake {
        let text = String::new;
        let identity = ModelIdentity {
            name: "fake".to_owned(),
            weights_hash: text(),
            tokenizer_hash: text(),
            pooling: text(),
            question_prefix: text(),
            passage_prefix: text(),
            max_tokens,
            dimensions: 2,
            normalised: true,
        };
        Fake { identity, batches: Mutex::default() }
    }

    #[test]
    fn every_passage_is_embedded_once_shortest_first() {
        let model = fake(5_000);
        let passages: Vec<String> = [9_000, 3, 4_000, 2, 1].map(|n| "x".repeat(n)).into();
        let cost = cost(&model, &passages, None, &|_| ()).unwrap();
        let batches = model.batches.into_inner().unwrap();
        assert_eq!(batches, [vec![1, 2, 3], vec![4_000], vec![9_000]]);
        assert_eq!(cost.n_tokens, [1, 2, 3, 4_000, 9_000]);
        assert_eq!((cost.n_embedded, cost.tokens_embedded), (5, 9_006));
        let figures = Figures::from(cost);
        assert_eq!((figures.chunks_truncated, figures.tokens_cut), (1, 4_000));
        assert_eq!((figures.tokens_median, figures.tokens_longest), (3, 9_000));
        assert_eq!((figures.vector_bytes_f32, figures.vector_bytes_int8), (40, 30));
        assert!(!figures.is_sample && figures.embed_seconds_all == figures.embed_seconds);
    }

    #[test]
    fn a_sample_is_spread_and_never_more_than_there_is() {
        assert_eq!(spread(10, 3), [0, 3, 6]);
        assert_eq!(spread(2, 9), [0, 1]);
        let error = cost(&fake(8), &[], Some(2), &|_| ()).unwrap_err();
        assert!(error.hint().is_some());
    }

    #[test]
    fn the_peak_is_read_where_the_system_tells() {
        assert_eq!(peak_of("Name:\tx\nVmHWM:\t    2048 kB\n"), Some(2 << 20));
        assert_eq!(peak_of("Name:\tx\n"), None);
    }
}

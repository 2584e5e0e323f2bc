//! Counts and times for those who watch a server, in the text format of Prometheus.
//!
//! Labels take few values: nothing that a request says becomes one.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use wherein_wire::Folder;

/// Upper bounds of the histogram of question times, in seconds.
const BOUNDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Front {
    Http,
    Mcp,
}

impl Front {
    fn as_str(self) -> &'static str {
        match self {
            Front::Http => "http",
            Front::Mcp => "mcp",
        }
    }
}

/// What is counted.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    questions: Family<Question, Counter>,
    seconds: Family<Kind, Histogram>,
    refreshes: Family<Index, Gauge<u64, AtomicU64>>,
    files: Family<Index, Gauge<u64, AtomicU64>>,
    chunks: Family<Index, Gauge<u64, AtomicU64>>,
    vectors: Family<Index, Gauge<u64, AtomicU64>>,
    bytes: Family<Index, Gauge<u64, AtomicU64>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Question {
    front: &'static str,
    mode: &'static str,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    mode: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Index {
    index: String,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("wherein");
        let questions = Family::default();
        registry.register("questions", "Questions by front, mode and outcome", questions.clone());
        let seconds =
            Family::new_with_constructor((|| Histogram::new(BOUNDS)) as fn() -> Histogram);
        registry.register("question_seconds", "Time of a question by mode", seconds.clone());
        let mut gauge = |name: &str, help: &str| {
            let family = Family::<Index, Gauge<u64, AtomicU64>>::default();
            registry.register(name, help, family.clone());
            family
        };
        let refreshes = gauge("refreshes", "Refreshes since the start, by index");
        let files = gauge("index_files", "Source files, by index");
        let chunks = gauge("index_chunks", "Chunks, by index");
        let vectors = gauge("index_vectors", "Vectors, by index");
        let bytes = gauge("index_bytes", "Bytes on disk, by index");
        Metrics { questions, seconds, refreshes, files, chunks, vectors, bytes, registry }
    }
}

impl Metrics {
    /// Counts one question.
    pub(crate) fn asked(
        &self,
        front: Front,
        mode: &'static str,
        took: Duration,
        outcome: &'static str,
    ) {
        let question = Question { front: front.as_str(), mode, outcome };
        self.questions.get_or_create(&question).inc();
        self.seconds.get_or_create(&Kind { mode }).observe(took.as_secs_f64());
    }

    /// The text form, with the folders as they are now and how often each was refreshed.
    pub(crate) fn text(&self, folders: &[(Folder, u64)]) -> String {
        let gauges = [&self.refreshes, &self.files, &self.chunks, &self.vectors, &self.bytes];
        gauges.iter().for_each(|gauge| gauge.clear());
        for (folder, n_refreshes) in folders {
            let index = Index { index: folder.id.clone() };
            self.refreshes.get_or_create(&index).set(*n_refreshes);
            if let Some(summary) = &folder.summary {
                self.files.get_or_create(&index).set(summary.files);
                self.chunks.get_or_create(&index).set(summary.chunks);
                self.vectors.get_or_create(&index).set(summary.vectors);
                self.bytes.get_or_create(&index).set(summary.index_bytes);
            }
        }
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_counted_by_what_they_were() {
        let metrics = Metrics::default();
        metrics.asked(Front::Http, "hybrid", Duration::from_millis(3), "ok");
        metrics.asked(Front::Mcp, "exact", Duration::from_millis(30), "too_many");
        let text = metrics.text(&[]);
        let line = r#"wherein_questions_total{front="http",mode="hybrid",outcome="ok"} 1"#;
        assert!(text.contains(line), "{text}");
        let bucket = r#"wherein_question_seconds_bucket{le="0.005",mode="hybrid"} 1"#;
        assert!(text.contains(bucket), "{text}");
        assert!(text.ends_with("# EOF\n"));
    }
}

//! Models, as tables for people and as JSON for programs: the list, one model, and what one costs.
//!
//! Figures arrive measured; only sums, shares and units are made here.

use std::path::Path;

use indicatif::HumanBytes;
use serde::Serialize;
use wherein_embed::{BuiltinModel, FileRecord, KnownModel, ModelInfo};
use wherein_engine::{Embedder, Error, ModelIdentity};

use super::Printer;
use super::text::visible;
use crate::failure::Outcome;

/// Where the built-in model lies.
const OF_PROGRAM: &str = "part of the program";
/// The limit of a model that has none.
const ALL: &str = "all";

/// The tokens that are read of a text, where there is a limit.
pub(crate) fn limit(max_tokens: u32) -> Option<u32> {
    Some(max_tokens).filter(|most| *most != ModelIdentity::ALL_TOKENS)
}

/// `model list`.
#[derive(Debug, Serialize)]
pub(crate) struct List {
    pub(crate) model_dir: String,
    pub(crate) models: Vec<Row>,
}

/// One model of the list.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    name: String,
    dimensions: u32,
    /// Tokens that are read of a text; `null` where all are.
    max_tokens: Option<u32>,
    /// Tokens that it could read, at a cost that grows with their square; `null` where only its folder knows.
    most_tokens: Option<u32>,
    /// Bytes of its files; `null` where nobody has measured them.
    size_bytes: Option<u64>,
    licence: Option<String>,
    /// Whether it is on this machine.
    here: bool,
    /// Whether it is part of the program.
    built_in: bool,
    /// Its repository on the hub, or where it came from.
    source: String,
    /// Whether `model pull` can fetch it.
    can_pull: bool,
}

impl Row {
    /// The model that is part of the program.
    pub(crate) fn builtin(model: &BuiltinModel) -> Row {
        let identity = model.identity();
        Row {
            name: identity.name.clone(),
            dimensions: identity.dimensions,
            max_tokens: limit(identity.max_tokens),
            most_tokens: None,
            size_bytes: Some(model.size()),
            licence: Some(model.licence().to_owned()),
            here: true,
            built_in: true,
            source: OF_PROGRAM.to_owned(),
            can_pull: false,
        }
    }

    /// A model of the store.
    pub(crate) fn here(info: &ModelInfo) -> Row {
        let known = wherein_embed::known(&info.name);
        Row {
            name: info.name.clone(),
            dimensions: info.identity.dimensions,
            max_tokens: limit(info.identity.max_tokens),
            most_tokens: known.map(|known| known.max_tokens),
            size_bytes: Some(info.size()),
            licence: info.licence().map(str::to_owned),
            here: true,
            built_in: false,
            source: info.source.clone(),
            can_pull: known.is_some_and(|known| !known.files.is_empty()),
        }
    }

    /// A model that is known and not here.
    pub(crate) fn known(known: &KnownModel) -> Row {
        // Side files are small; a size without the weights would say nothing.
        let is_large = |path: &str| path.contains("model.onnx") || path == "tokenizer.json";
        let large = known.files.iter().filter(|file| is_large(file.path));
        let sizes: Option<Vec<u64>> = large
            .filter(|file| file.path.contains("model") || file.size.is_some())
            .map(|file| file.size)
            .collect();
        Row {
            name: known.name.to_owned(),
            dimensions: known.dimensions,
            max_tokens: Some(known.default_max_tokens),
            most_tokens: Some(known.max_tokens),
            size_bytes: sizes.map(|sizes| sizes.iter().sum()).filter(|sum| *sum > 0),
            licence: Some(known.licence.to_owned()),
            here: false,
            built_in: false,
            source: known.repository.to_owned(),
            can_pull: !known.files.is_empty(),
        }
    }

    /// `512`, or `2048 of 8192` where it could read more.
    fn tokens(&self) -> String {
        match (self.max_tokens, self.most_tokens) {
            (None, _) => ALL.to_owned(),
            (Some(read), Some(most)) if most > read => format!("{read} of {most}"),
            (Some(read), _) => read.to_string(),
        }
    }

    fn state(&self) -> &'static str {
        match (self.here, self.can_pull) {
            _ if self.built_in => "built in",
            (true, _) => "here",
            (false, true) => "can be pulled",
            (false, false) => "can be added",
        }
    }
}

/// That a model is gone.
pub(crate) fn removed(printer: &mut Printer, name: &str) -> Outcome<()> {
    Ok(writeln!(printer.out(), "removed {name}")?)
}

/// The list as a table.
pub(crate) fn list(printer: &mut Printer, list: &List) -> Outcome<()> {
    let width = list.models.iter().map(|row| row.name.len()).max().unwrap_or(0).max(4);
    writeln!(
        printer.out(),
        "{:width$}  dimensions  {:<12}  {:<10}  {:<10}  state",
        "name",
        "tokens",
        "size",
        "licence"
    )?;
    for row in &list.models {
        let size = row.size_bytes.map_or_else(|| "-".to_owned(), |n| HumanBytes(n).to_string());
        let Row { name, dimensions, licence, .. } = row;
        let tokens = row.tokens();
        let (licence, state) = (licence.as_deref().unwrap_or("-"), row.state());
        let line = format!(
            "{name:width$}  {dimensions:>10}  {tokens:<12}  {size:<10}  {licence:<10}  {state}"
        );
        writeln!(printer.out(), "{}", visible(&line))?;
    }
    writeln!(printer.out(), "models live in {}", visible(&list.model_dir))?;
    Ok(())
}

/// `model info`.
#[derive(Debug, Serialize)]
pub(crate) struct Info {
    #[serde(flatten)]
    identity: ModelIdentity,
    licence: Option<String>,
    source: String,
    revision: Option<String>,
    folder: String,
    size_bytes: u64,
    files: Vec<FileRecord>,
}

impl Info {
    /// What is recorded of the model in `folder`.
    pub(crate) fn new(info: &ModelInfo, folder: &Path) -> Info {
        Info {
            identity: info.identity.clone(),
            licence: info.licence().map(str::to_owned),
            source: info.source.clone(),
            revision: info.revision.clone(),
            folder: folder.display().to_string(),
            size_bytes: info.size(),
            files: info.files.clone(),
        }
    }

    /// What the card of the built-in model says.
    pub(crate) fn builtin(model: &BuiltinModel) -> Info {
        Info {
            identity: model.identity().clone(),
            licence: Some(model.licence().to_owned()),
            source: OF_PROGRAM.to_owned(),
            revision: None,
            folder: OF_PROGRAM.to_owned(),
            size_bytes: model.size(),
            files: Vec::new(),
        }
    }
}

/// One model, a fact a line.
pub(crate) fn info(printer: &mut Printer, info: &Info) -> Outcome<()> {
    let identity = &info.identity;
    let or_none =
        |text: &str| if text.is_empty() { "none".to_owned() } else { format!("{text:?}") };
    rows(
        printer,
        &[
            ("name", identity.name.clone()),
            ("dimensions", identity.dimensions.to_string()),
            ("max tokens", tokens(limit(identity.max_tokens))),
            ("pooling", identity.pooling.clone()),
            ("normalised", if identity.normalised { "yes" } else { "no" }.to_owned()),
            ("question prefix", or_none(&identity.question_prefix)),
            ("passage prefix", or_none(&identity.passage_prefix)),
            ("licence", info.licence.clone().unwrap_or_else(|| "unknown".to_owned())),
            ("source", info.source.clone()),
            ("revision", info.revision.clone().unwrap_or_else(|| "unknown".to_owned())),
            ("folder", info.folder.clone()),
            ("size", HumanBytes(info.size_bytes).to_string()),
            ("weights", format!("blake3 {}", identity.weights_hash)),
            ("tokenizer", format!("blake3 {}", identity.tokenizer_hash)),
        ],
    )?;
    for file in &info.files {
        let line = format!("{}  {:>12}  {}", file.sha256, file.size, file.path);
        writeln!(printer.out(), "{}", visible(&line))?;
    }
    Ok(())
}

/// What a command did to a model.
pub(crate) fn changed(
    printer: &mut Printer,
    what: &str,
    info: &ModelInfo,
    place: &Path,
) -> Outcome<()> {
    let (size, licence) = (HumanBytes(info.size()), info.licence().unwrap_or("unknown"));
    let ModelIdentity { dimensions, max_tokens, .. } = &info.identity;
    let line = format!("{what} {} ({size}) in {}", info.name, place.display());
    writeln!(printer.out(), "{}", visible(&line))?;
    writeln!(
        printer.out(),
        "{dimensions} dimensions, reads {max_tokens} tokens, licence {licence}"
    )?;
    Ok(())
}

/// That the built-in model is whole.
pub(crate) fn verified_builtin(printer: &mut Printer, name: &str) -> Outcome<()> {
    Ok(writeln!(printer.out(), "{name}: as its card says")?)
}

fn tokens(limit: Option<u32>) -> String {
    limit.map_or_else(|| ALL.to_owned(), |limit| limit.to_string())
}

/// Which files of a model are not as recorded.
pub(crate) fn verified(printer: &mut Printer, info: &ModelInfo, wrong: &[Error]) -> Outcome<()> {
    for error in wrong {
        let line = format!("{}: {error}", info.name);
        writeln!(printer.out(), "{}", visible(&line))?;
    }
    if wrong.is_empty() {
        let n_files = info.files.len();
        writeln!(printer.out(), "{}: {n_files} files as they were recorded", visible(&info.name))?;
    }
    Ok(())
}

/// `model bench`.
#[derive(Debug, Serialize)]
pub(crate) struct Bench {
    pub(crate) folder: String,
    pub(crate) threads: usize,
    pub(crate) load_seconds: f64,
    /// `null` where the system does not tell.
    pub(crate) peak_memory_bytes: Option<u64>,
    #[serde(flatten)]
    pub(crate) cost: Figures,
}

/// The figures of a model on the chunks of a folder.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Figures {
    pub(crate) model: String,
    pub(crate) dimensions: u32,
    /// `null` where all are read.
    pub(crate) max_tokens: Option<u32>,
    pub(crate) chunks: usize,
    pub(crate) chunks_truncated: usize,
    /// Tokens beyond the limit, of all chunks together and of the longest.
    pub(crate) tokens_cut: usize,
    pub(crate) tokens_cut_at_most: usize,
    pub(crate) tokens_median: usize,
    pub(crate) tokens_longest: usize,
    /// Chunks that were embedded to measure: all of them unless `is_sample`.
    pub(crate) chunks_embedded: usize,
    pub(crate) is_sample: bool,
    pub(crate) embed_seconds: f64,
    pub(crate) tokens_per_second: f64,
    /// Measured, or of a sample scaled by the tokens of all.
    pub(crate) embed_seconds_all: f64,
    pub(crate) question_ms: f64,
    pub(crate) questions_asked: usize,
    pub(crate) vector_bytes_f32: u64,
    pub(crate) vector_bytes_int8: u64,
}

/// A cost table for people.
pub(crate) fn bench(printer: &mut Printer, bench: &Bench) -> Outcome<()> {
    let cost = &bench.cost;
    let measured = match cost.is_sample {
        false => "measured on all".to_owned(),
        true => format!("measured on a sample of {}", cost.chunks_embedded),
    };
    let all = match cost.is_sample {
        false => format!("{:.2} s ({measured})", cost.embed_seconds),
        true => format!(
            "about {:.2} s ({measured}: {:.2} s)",
            cost.embed_seconds_all, cost.embed_seconds
        ),
    };
    let memory = bench
        .peak_memory_bytes
        .map_or_else(|| "unknown on this system".to_owned(), |n| HumanBytes(n).to_string());
    let cut = format!(
        "{} of {} ({} tokens cut off, {} at most)",
        cost.chunks_truncated, cost.chunks, cost.tokens_cut, cost.tokens_cut_at_most
    );
    rows(
        printer,
        &[
            ("model", cost.model.clone()),
            ("folder", bench.folder.clone()),
            ("vector size", format!("{} dimensions", cost.dimensions)),
            ("input limit", format!("{} tokens", tokens(cost.max_tokens))),
            ("chunks", cost.chunks.to_string()),
            ("truncated", cut),
            (
                "chunk length",
                format!("median {}, longest {} tokens", cost.tokens_median, cost.tokens_longest),
            ),
            ("embed all", all),
            (
                "throughput",
                format!("{:.0} tokens/s, {} threads", cost.tokens_per_second, bench.threads),
            ),
            (
                "one question",
                format!("{:.1} ms (median of {})", cost.question_ms, cost.questions_asked),
            ),
            ("load", format!("{:.2} s", bench.load_seconds)),
            ("peak memory", memory),
            ("vectors as f32", HumanBytes(cost.vector_bytes_f32).to_string()),
            ("vectors as int8", HumanBytes(cost.vector_bytes_int8).to_string()),
        ],
    )
}

fn rows(printer: &mut Printer, rows: &[(&str, String)]) -> Outcome<()> {
    for (name, value) in rows {
        writeln!(printer.out(), "{name:<16}{}", visible(value))?;
    }
    Ok(())
}

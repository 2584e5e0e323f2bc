//! The arguments about models, as typed: which one a search uses, and those of `wherein model …`.
//!
//! Values that are also settings stay text, as in `args`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::{CommonArgs, examples};

/// Which model compares meanings, for commands that open an index.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArgs {
    /// Compare meanings with this model; none compares words alone (that of the index, else builtin-code-v1).
    /// One that is not built in compares the first places that words and builtin-code-v1 propose
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) dir: ModelDirArgs,
    #[command(flatten)]
    pub(crate) encoding: EncodingArgs,
    /// Spend at most this many seconds on making vectors (10; wherein index takes the time it needs)
    #[arg(long, value_name = "SECONDS", hide_short_help = true, allow_negative_numbers = true)]
    pub(crate) embed_within: Option<String>,
}

/// How much of a folder is embedded with a model that is not built in.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct EmbedArgs {
    /// With a model other than builtin-code-v1: touched lets it compare the first places of each question and
    /// embeds only those (the default); all embeds the whole folder, so that it proposes places, too
    #[arg(long, value_name = "WHAT")]
    pub(crate) embed: Option<String>,
}

/// How vectors are kept.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct EncodingArgs {
    /// Keep vectors as f32 or int8, which is a quarter as large (as the index has them, else int8 for the
    /// built-in model and f32 for others)
    #[arg(long, value_name = "ENCODING", hide_short_help = true)]
    pub(crate) vectors: Option<String>,
}

/// Where models live.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ModelDirArgs {
    /// Models live here (also WHEREIN_MODEL_DIR)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) model_dir: Option<PathBuf>,
}

/// How hybrid mode makes one list of two, in place of the weighed ranking.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Fusion (hybrid mode)")]
pub(crate) struct FusionArgs {
    /// Fuse the two lists instead of ranking by weighed features: by scores stretched to 0..1 (minmax) or by
    /// places alone (rrf); any of these flags asks for it
    #[arg(long, value_name = "HOW", hide_short_help = true)]
    pub(crate) fusion: Option<String>,
    /// The k of reciprocal rank fusion (60)
    #[arg(long, value_name = "K", hide_short_help = true, allow_negative_numbers = true)]
    pub(crate) rrf_k: Option<String>,
    /// How many of each list take part (30)
    #[arg(long, value_name = "N", hide_short_help = true, allow_negative_numbers = true)]
    pub(crate) fusion_depth: Option<String>,
    /// What the list by words counts for (1)
    #[arg(long, value_name = "W", hide_short_help = true, allow_negative_numbers = true)]
    pub(crate) keyword_weight: Option<String>,
    /// What the list by meaning counts for (1)
    #[arg(long, value_name = "W", hide_short_help = true, allow_negative_numbers = true)]
    pub(crate) semantic_weight: Option<String>,
}

/// The arguments of `model`.
#[derive(Debug, Args)]
pub(crate) struct ModelCommandArgs {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: ModelCommand,
}

/// What can be done with models.
#[derive(Debug, Subcommand)]
#[command(subcommand_help_heading = "Commands", disable_help_subcommand = true)]
pub(crate) enum ModelCommand {
    /// The models known by name, and those that are here
    List(ModelListArgs),
    /// Fetch a model known by name; the only command that uses the network
    #[command(after_help = examples::MODEL_PULL)]
    Pull(ModelPullArgs),
    /// Take in a model that lies in a folder
    #[command(after_help = examples::MODEL_ADD)]
    Add(ModelAddArgs),
    /// Read every file of a model again and compare with what was recorded
    Verify(ModelVerifyArgs),
    /// What a model is and how it is used
    Info(ModelInfoArgs),
    /// Measure what a model costs on a folder
    #[command(after_help = examples::MODEL_BENCH)]
    Bench(Box<ModelBenchArgs>),
    /// Delete a model from this machine
    Remove(ModelRemoveArgs),
}

/// What every `model` command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "General")]
pub(crate) struct StoreArgs {
    #[command(flatten)]
    pub(crate) dir: ModelDirArgs,
    /// No progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// How a model is used, in place of what its folder says.
#[derive(Debug, Args)]
#[command(next_help_heading = "How it is used")]
pub(crate) struct UseArgs {
    /// Read at most N tokens of a text; cost grows with them
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_tokens: Option<String>,
    /// Which tokens' vectors make that of the text: cls, mean or last
    #[arg(long, value_name = "POOLING")]
    pub(crate) pooling: Option<String>,
    /// Put this in front of each question
    #[arg(long, value_name = "TEXT")]
    pub(crate) question_prefix: Option<String>,
    /// Put this in front of each passage
    #[arg(long, value_name = "TEXT")]
    pub(crate) passage_prefix: Option<String>,
}

/// The arguments of `model list`.
#[derive(Debug, Args)]
pub(crate) struct ModelListArgs {
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `model pull`.
#[derive(Debug, Args)]
pub(crate) struct ModelPullArgs {
    /// A name that `wherein model list` shows
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) usage: UseArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `model add`.
#[derive(Debug, Args)]
pub(crate) struct ModelAddArgs {
    /// The folder with an ONNX file and tokenizer.json
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// Call it this (the folder's name)
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The ONNX file to take, relative to the folder, where there are several
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) onnx: Option<PathBuf>,
    /// Leave vectors at the length that the model gives them
    #[arg(long)]
    pub(crate) no_normalise: bool,
    #[command(flatten)]
    pub(crate) usage: UseArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `model verify`.
#[derive(Debug, Args)]
pub(crate) struct ModelVerifyArgs {
    /// The model (all that are here, the built-in one included)
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `model info`.
#[derive(Debug, Args)]
pub(crate) struct ModelInfoArgs {
    /// The model
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The arguments of `model bench`.
#[derive(Debug, Args)]
pub(crate) struct ModelBenchArgs {
    /// The model: its name, or a folder that holds one (that of the index, else the only one that was added)
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The folder whose code is embedded (the current one)
    #[arg(value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub(crate) path: Option<PathBuf>,
    /// Embed only N of the chunks, evenly spread, and say what all would take
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) sample: Option<String>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) usage: UseArgs,
    #[command(flatten)]
    pub(crate) dir: ModelDirArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The arguments of `model remove`.
#[derive(Debug, Args)]
pub(crate) struct ModelRemoveArgs {
    /// The model
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

//! The arguments about published indexes: where they are kept, how they are asked, and those of `wherein store`.
//!
//! Values that are also settings stay text, as in `args`.

use clap::{Args, Subcommand};

use super::{CommonArgs, ModelArgs, RepoArgs, examples};

/// Where indexes are kept.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Store")]
pub(crate) struct PublishedArgs {
    /// Where the index is: embedded (a folder of this machine, the default) or qdrant
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// The gRPC address of the Qdrant server (http://localhost:6334); its key comes by WHEREIN_QDRANT_API_KEY
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub(crate) qdrant_url: Option<String>,
    /// The collection of published indexes (wherein)
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) collection: Option<String>,
    /// What the current folder is called in the collection (its own name)
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) repo_name: Option<String>,
    /// What makes sparse vectors: code (the default), semcode, or the folder of a learned sparse model
    #[arg(long, value_name = "PROFILE", hide_short_help = true)]
    pub(crate) sparse: Option<String>,
    /// How slowly repeats of a term saturate in sparse vectors (code 4, semcode 1.2)
    #[arg(long, value_name = "K", hide_short_help = true, allow_negative_numbers = true)]
    pub(crate) sparse_k: Option<String>,
    /// How far length counts in sparse vectors, 0 to 1 (code 0.4, semcode 0.75)
    #[arg(long, value_name = "B", hide_short_help = true, allow_negative_numbers = true)]
    pub(crate) sparse_b: Option<String>,
    /// Compare every vector of the collection (exact) or those that its index leads to (approximate, the default)
    #[arg(long, value_name = "HOW", hide_short_help = true)]
    pub(crate) vector_search: Option<String>,
    /// The seconds that the store has for one question (5)
    #[arg(long, value_name = "SECONDS", hide_short_help = true, allow_negative_numbers = true)]
    pub(crate) store_timeout: Option<String>,
}

/// How a collection is laid out where it is made now.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Layout of a new collection")]
pub(crate) struct LayoutArgs {
    /// Shards (as the server has it)
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) shards: Option<u32>,
    /// Copies of each shard (as the server has it)
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) replicas: Option<u32>,
    /// Copies that have to keep a write before it counts (as the server has it)
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) write_consistency: Option<u32>,
    /// Keep small copies of dense vectors in memory: none (the default), scalar or binary
    #[arg(long, value_name = "HOW", hide_short_help = true)]
    pub(crate) quantization: Option<String>,
    /// Keep dense vectors on disk
    #[arg(long, hide_short_help = true)]
    pub(crate) dense_on_disk: bool,
    /// Keep the index of sparse vectors on disk
    #[arg(long, hide_short_help = true)]
    pub(crate) sparse_on_disk: bool,
    /// Keep the indexes of paths, names and kinds on disk
    #[arg(long, hide_short_help = true)]
    pub(crate) payload_index_on_disk: bool,
}

/// The arguments of `store`.
#[derive(Debug, Args)]
pub(crate) struct StoreCommandArgs {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

/// What can be done with stores.
#[derive(Debug, Subcommand)]
#[command(subcommand_help_heading = "Commands", disable_help_subcommand = true)]
pub(crate) enum StoreCommand {
    /// The repositories of a collection, and what it was made for
    #[command(after_help = examples::STORE_STATUS)]
    Status(StoreStatusArgs),
    /// Move the index of a folder into a collection, or back, without embedding again
    #[command(after_help = examples::STORE_MIGRATE)]
    Migrate(Box<StoreMigrateArgs>),
    /// Remove a repository from a collection
    Remove(StoreRemoveArgs),
}

/// The arguments of `store status`.
#[derive(Debug, Args)]
pub(crate) struct StoreStatusArgs {
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The arguments of `store migrate`.
#[derive(Debug, Args)]
pub(crate) struct StoreMigrateArgs {
    /// Where to: qdrant, or embedded for the way back
    #[arg(long, value_name = "STORE")]
    pub(crate) to: String,
    /// Replace a repository of that name that came from elsewhere
    #[arg(long)]
    pub(crate) replace: bool,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
    #[command(flatten)]
    pub(crate) repo: RepoArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The arguments of `store remove`.
#[derive(Debug, Args)]
pub(crate) struct StoreRemoveArgs {
    /// The repository
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

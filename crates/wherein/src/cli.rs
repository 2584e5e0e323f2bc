//! The command line as typed: names, help and examples. Doc comments are the help.
//!
//! Nothing here touches the world: values become settings in `settings`, paths become places in `place`.

mod agent_args;
mod args;
pub(crate) mod examples;
mod lookup_args;
mod model_args;
mod published_args;
mod repo_args;
mod serve_args;
mod why_args;
pub(crate) mod words;

use clap::{Parser, Subcommand};

pub(crate) use agent_args::{
    AgentArgs, AgentCommand, AgentInstallArgs, AgentStatusArgs, AgentUninstallArgs, ClientArgs,
    ClientName,
};
pub(crate) use args::{CommonArgs, FilterArgs, SearchArgs};
pub(crate) use args::{CompletionsArgs, ConfigArgs, IndexArgs, StatusArgs};
pub(crate) use args::{EvalArgs, EvalCommand, EvalInitArgs};
pub(crate) use lookup_args::{LookupArgs, OutlineArgs, SymbolKindArgs, SymbolsArgs, UsagesArgs};
pub(crate) use model_args::{EmbedArgs, EncodingArgs, FusionArgs, ModelArgs, ModelDirArgs};
pub(crate) use model_args::{
    ModelAddArgs, ModelBenchArgs, ModelCommand, ModelCommandArgs, ModelInfoArgs, ModelListArgs,
    ModelPullArgs, ModelRemoveArgs, ModelVerifyArgs, StoreArgs, UseArgs,
};
pub(crate) use published_args::{
    LayoutArgs, PublishedArgs, StoreCommand, StoreCommandArgs, StoreMigrateArgs, StoreRemoveArgs,
    StoreStatusArgs,
};
pub(crate) use repo_args::{RepoArgs, RepoFileArgs};
pub(crate) use serve_args::{AccessArgs, LimitArgs, McpArgs, ServeArgs, WatchArgs};
pub(crate) use why_args::WhyArgs;

/// Find code by what it does or what it is called: prints path:start-end with a snippet.
///
/// Ask a question in words, or name an identifier, in any folder. The first question makes an index in
/// your cache directory; every later one brings it up to date first. Nothing leaves this machine. With a
/// model (wherein model list) it also compares meanings.
#[derive(Debug, Parser)]
#[command(
    name = "wherein",
    version,
    args_conflicts_with_subcommands = true,
    after_help = examples::MAIN,
    max_term_width = 100,
    override_usage = "wherein [OPTIONS] QUESTION [PATH...]\n       wherein COMMAND [OPTIONS]"
)]
pub(crate) struct Cli {
    /// What to do instead of answering a question.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// The main job.
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
#[command(subcommand_help_heading = "Commands", disable_help_subcommand = true)]
pub(crate) enum Command {
    /// Answer a question (the main job, spelled out: for words that are also commands)
    #[command(after_help = examples::SEARCH)]
    Search(Box<SearchArgs>),
    /// Find symbols by name: functions, methods, types …
    #[command(after_help = examples::SYMBOLS)]
    Symbols(Box<SymbolsArgs>),
    /// Find the lines that use a name: calls, then mentions, definitions left out
    #[command(after_help = examples::USAGES)]
    Usages(Box<UsagesArgs>),
    /// List the symbols of files with their lines
    #[command(after_help = examples::OUTLINE)]
    Outline(Box<OutlineArgs>),
    /// Tell why a place is not higher among the hits of a question
    #[command(after_help = examples::WHY)]
    Why(Box<WhyArgs>),
    /// Build the index or bring it up to date now
    #[command(after_help = examples::INDEX)]
    Index(IndexArgs),
    /// Show what is indexed, what is not, and why
    #[command(after_help = examples::STATUS)]
    Status(StatusArgs),
    /// List, fetch, add, check, measure and remove models, which compare meanings
    #[command(after_help = examples::MODEL)]
    Model(ModelCommandArgs),
    /// Published indexes: what a collection has, and moving an index there and back
    #[command(after_help = examples::STORE)]
    Store(StoreCommandArgs),
    /// Register with coding agents: Claude Code, Cursor, VS Code, Codex …
    #[command(after_help = examples::AGENT)]
    Agent(AgentArgs),
    /// Measure search quality on questions with known answers
    #[command(after_help = examples::EVAL)]
    Eval(Box<EvalArgs>),
    /// Serve coding agents over MCP on standard input and output
    #[command(after_help = examples::MCP)]
    Mcp(Box<McpArgs>),
    /// Serve a web page, an HTTP API and MCP over HTTP, and keep indexes true
    #[command(after_help = examples::SERVE)]
    Serve(Box<ServeArgs>),
    /// Keep indexes true as files change
    #[command(after_help = examples::WATCH)]
    Watch(Box<WatchArgs>),
    /// Print the settings in force
    #[command(after_help = examples::CONFIG)]
    Config(ConfigArgs),
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page (roff)
    Man,
}

impl Cli {
    /// Whether it runs until it is stopped, and stops in an orderly way.
    pub(crate) fn is_long_lived(&self) -> bool {
        matches!(self.command, Some(Command::Serve(_) | Command::Watch(_)))
    }
}

#[cfg(test)]
#[path = "cli_tests.rs"]
mod tests;

//! The arguments of each command, as typed. Doc comments are the help.
//!
//! Values that are also settings stay text here: `settings` parses them once, wherever they come from.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};
use clap_complete::Shell;

use super::{
    EmbedArgs, EncodingArgs, FusionArgs, LayoutArgs, ModelArgs, ModelDirArgs, PublishedArgs,
};
use super::{RepoArgs, RepoFileArgs, SymbolKindArgs};

/// The arguments of the main job.
#[derive(Debug, Default, Args)]
pub(crate) struct SearchArgs {
    /// What to look for: a question, words, an identifier; with -F a text, with -E a pattern
    #[arg(value_name = "QUESTION")]
    pub(crate) question: Option<String>,
    /// Folders, files or globs to search in, relative to the current folder
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) how: HowArgs,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) symbols: SymbolKindArgs,
    #[command(flatten)]
    pub(crate) repo: RepoArgs,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) fusion: FusionArgs,
    #[command(flatten)]
    pub(crate) format: Format,
    /// Show what each score is made of
    #[arg(long, help_heading = "Output")]
    pub(crate) explain: bool,
    /// End paths with a NUL byte instead of ':' or a newline
    #[arg(short = '0', long, help_heading = "Output", conflicts_with_all = ["json", "jsonl"])]
    pub(crate) null: bool,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// How the question is answered.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct HowArgs {
    /// hybrid (words and meaning, the default), keyword, semantic, exact (this text) or regex
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,
    /// Every line with this text: the same as --mode exact
    #[arg(short = 'F', long, conflicts_with_all = ["mode", "regex"])]
    pub(crate) exact: bool,
    /// Every line that matches this regular expression: the same as --mode regex
    #[arg(short = 'E', long, visible_short_alias = 'e', conflicts_with = "mode")]
    pub(crate) regex: bool,
    /// Fold case in exact and regex mode (ranked modes always do)
    #[arg(short, long)]
    pub(crate) ignore_case: bool,
    /// At most N results (10; all in exact and regex mode)
    #[arg(short = 'k', long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<String>,
    /// N lines of context around each matching line
    #[arg(short = 'C', long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) context: Option<String>,
    /// Answer from the index as it stands, without bringing it up to date first
    #[arg(long)]
    pub(crate) no_refresh: bool,
}

/// Which files may answer.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct FilterArgs {
    /// Only files that match (repeatable; narrows the PATH arguments)
    #[arg(long = "path", value_name = "GLOB")]
    pub(crate) globs: Vec<String>,
    /// No files that match (repeatable)
    #[arg(long = "not-path", value_name = "GLOB")]
    pub(crate) not_paths: Vec<String>,
    /// Only this language, by name or extension (repeatable)
    #[arg(long = "lang", value_name = "LANG", value_delimiter = ',')]
    pub(crate) languages: Vec<String>,
    /// Only this kind of file: source, test, docs, config or generated (repeatable)
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<String>,
}

/// How results are printed.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
#[group(id = "output_format", multiple = false)]
pub(crate) struct Format {
    /// Only the paths of files with results
    #[arg(short = 'l', long, group = "output_format")]
    pub(crate) files_with_matches: bool,
    /// Only path:count, the number of results in each file
    #[arg(short, long, group = "output_format")]
    pub(crate) count: bool,
    /// path:line:column:text, as editors read it
    #[arg(long, group = "output_format")]
    pub(crate) vimgrep: bool,
    /// One JSON object
    #[arg(long, group = "output_format")]
    pub(crate) json: bool,
    /// One JSON object a line for each result
    #[arg(long, group = "output_format")]
    pub(crate) jsonl: bool,
}

impl Format {
    /// Whether results are laid out for people, as opposed to editors and programs.
    pub(crate) fn is_for_people(&self) -> bool {
        let Format { files_with_matches, count, vimgrep, json, jsonl } = self;
        ![files_with_matches, count, vimgrep, json, jsonl].into_iter().any(|is_asked| *is_asked)
    }
}

/// What every command that opens an index takes.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "General")]
pub(crate) struct CommonArgs {
    /// Search exactly this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) root: Option<PathBuf>,
    /// Keep indexes below this folder (also WHEREIN_INDEX_DIR); never inside the searched folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) index_dir: Option<PathBuf>,
    /// How files are cut into chunks: symbols (functions and types, the default) or lines (about 700
    /// tokens of whole lines, whatever the language)
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// Index files that look like secrets, too
    #[arg(long)]
    pub(crate) include_sensitive: bool,
    /// Skip files larger than this (1MB; takes K, M, G)
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_file_size: Option<String>,
    /// Worker threads (one per core)
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<String>,
    /// Allow the whole file system or the home folder as the searched folder
    #[arg(long)]
    pub(crate) yes: bool,
    /// Colours: auto, always or never (NO_COLOR is respected)
    #[arg(long, value_name = "WHEN")]
    pub(crate) color: Option<String>,
    /// Clickable paths: auto, always or never
    #[arg(long, value_name = "WHEN")]
    pub(crate) hyperlink: Option<String>,
    /// No progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The arguments of `index`.
#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// Folders, names of repositories of the settings, and git addresses (the current folder)
    #[arg(value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// Every repository of the settings
    #[arg(long, conflicts_with_all = ["paths", "names", "root"])]
    pub(crate) all: bool,
    /// Throw the index away and build it again
    #[arg(long)]
    pub(crate) rebuild: bool,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) embed: EmbedArgs,
    #[command(flatten)]
    pub(crate) repo: RepoArgs,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The arguments of `status`.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The folder (the current one)
    #[arg(value_name = "PATH", value_hint = ValueHint::DirPath, conflicts_with = "names")]
    pub(crate) path: Option<PathBuf>,
    /// Say which rule decides whether this path is searched
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) why: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) repo: RepoArgs,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The arguments of `eval`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub(crate) struct EvalArgs {
    #[command(subcommand)]
    pub(crate) command: Option<EvalCommand>,
    /// Questions with known answers; `wherein eval init` writes a file to fill in
    #[arg(value_name = "SUITE.json", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) suite: Option<PathBuf>,
    /// The folder that holds each repository of the suite under its name (the current folder is the
    /// checkout of a suite with one repository)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) checkouts: Option<PathBuf>,
    /// hybrid, keyword, semantic, exact or regex: judge one mode
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,
    /// The model that compares meanings, none for words alone (builtin-code-v1; with --compare: repeatable,
    /// or names with commas). In hybrid mode one that is not built in compares the first places, as in use
    #[arg(long = "model", value_name = "NAME", value_delimiter = ',')]
    pub(crate) models: Vec<String>,
    /// Compare methods instead of judging one: grep, keyword, each --model alone, and each fused with
    /// keyword (hybrid). Named for what it answers: which of them finds more of your answers?
    #[arg(long, conflicts_with_all = ["mode", "results"])]
    pub(crate) compare: bool,
    /// Only files that match (repeatable; with --compare each is counted apart, beside the whole tree)
    #[arg(long = "path", value_name = "GLOB")]
    pub(crate) paths: Vec<String>,
    /// Write the places of each question here, one JSON line a question
    #[arg(long, value_name = "OUT.jsonl", value_hint = ValueHint::FilePath)]
    pub(crate) results: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Tables in Markdown, with questions in full and what grep was asked
    #[arg(long, requires = "compare", conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// Also the ranks that the suite quotes from a publication (JSON always holds them)
    #[arg(long, requires = "compare")]
    pub(crate) published: bool,
    /// Also draw the answers in the top 5 and top 10, as an SVG picture
    #[arg(long, value_name = "FILE.svg", requires = "compare", value_hint = ValueHint::FilePath)]
    pub(crate) plot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model_dir: ModelDirArgs,
    #[command(flatten)]
    pub(crate) encoding: EncodingArgs,
    #[command(flatten)]
    pub(crate) embed: EmbedArgs,
    #[command(flatten)]
    pub(crate) fusion: FusionArgs,
    #[command(flatten)]
    pub(crate) store: PublishedArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// What `eval` can do besides judging.
#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// Write a question file to fill in, for the repository in the current folder
    #[command(after_help = super::examples::EVAL_INIT)]
    Init(EvalInitArgs),
}

/// The arguments of `eval init`.
#[derive(Debug, Args)]
pub(crate) struct EvalInitArgs {
    /// The file to write
    #[arg(value_name = "FILE.json", default_value = "wherein-questions.json")]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// What the repository is called (the current folder's name)
    #[arg(long, value_name = "NAME")]
    pub(crate) repo_name: Option<String>,
    /// Overwrite the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

/// The arguments of `config`.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// Also say where each value comes from
    #[arg(long)]
    pub(crate) origin: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) embed: EmbedArgs,
    #[command(flatten)]
    pub(crate) repositories: RepoFileArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

//! Each tool: its arguments as a request, the answer as text and as structure.

use std::path::{Component, Path};
use std::sync::Arc;

use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::{Value, json};
use wherein_engine::{
    Error, ErrorKind, Filter, Mode, Result, SearchRequest, SymbolRequest, UsageRequest,
};
use wherein_wire::{FolderState, Status};

use super::args::Args;
use super::{text, tools};
use crate::ask::Asker;
use crate::code;
use crate::folder::{Folder, Freshness};
use crate::refusal::{Outcome, Refusal};

/// Lines of one answer of `read_code` where nobody asks for more.
const READ_LINES: u32 = 200;

/// An answer in both forms.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) structured: Value,
}

impl Answer {
    fn new(text: String, structured: impl Serialize) -> Outcome<Answer> {
        let structured = serde_json::to_value(structured)
            .map_err(|error| Error::bug(format!("cannot write JSON: {error}")))?;
        Ok(Answer { text, structured })
    }
}

/// A call that is understood.
#[derive(Debug)]
pub(super) enum Call {
    Ranked(SearchRequest),
    Exact(SearchRequest),
    Symbols(SymbolRequest),
    Usages(UsageRequest),
    Code(code::Wanted),
    Status,
    Reindex { rebuild: bool },
}

impl Call {
    /// The call of a tool, and the root that it names; `None` where there is no such tool.
    pub(super) fn read(
        tool: &str,
        arguments: Option<JsonObject>,
    ) -> Option<Result<(Call, Option<String>)>> {
        let read: fn(&Args<'_>) -> Result<Call> = match tool {
            "folder_search" => ranked,
            "exact_search" => exact,
            "find_symbol" => symbols,
            "find_usages" => usages,
            "read_code" => code,
            "index_status" => |_| Ok(Call::Status),
            "reindex" => |args| Ok(Call::Reindex { rebuild: args.flag("rebuild")? }),
            _ => return None,
        };
        let args = Args::new(arguments, tools::properties(tool)?);
        Some(args.and_then(|args| Ok((read(&args)?, args.text("root")?))))
    }

    /// Carries it out.
    pub(super) async fn run(self, asker: &Asker, folder: &Arc<Folder>) -> Outcome<Answer> {
        match self {
            Call::Ranked(request) => {
                let request = below(folder, request, |request| &mut request.filter)?;
                let result = asker.search(folder, request, false).await?;
                Answer::new(text::ranked(&result), result)
            }
            Call::Exact(request) => {
                let request = below(folder, request, |request| &mut request.filter)?;
                let result = asker.search(folder, request, false).await?;
                Answer::new(text::exact(&result), result)
            }
            Call::Symbols(request) => {
                let request = below(folder, request, |request| &mut request.filter)?;
                let result = asker.symbols(folder, request).await?;
                Answer::new(text::symbols(&result), result)
            }
            Call::Usages(request) => {
                let request = below(folder, request, |request| &mut request.filter)?;
                let result = asker.usages(folder, request).await?;
                Answer::new(text::usages(&result), result)
            }
            Call::Code(mut wanted) => {
                if let code::Place::File(path) = &mut wanted.place {
                    *path = relative(folder, path)?;
                }
                let code = asker.code(folder, wanted).await?;
                Answer::new(text::code(&code), code)
            }
            Call::Status => status(asker, folder, None).await,
            Call::Reindex { rebuild } => {
                let number = folder.ask(rebuild);
                match folder.wait_for(number, asker.patience).await? {
                    Freshness::Fresh => status(asker, folder, None).await,
                    Freshness::Late(told) => status(asker, folder, Some(told)).await,
                }
            }
        }
    }
}

fn ranked(args: &Args<'_>) -> Result<Call> {
    let mode = match args.text("mode")? {
        None => Mode::Hybrid,
        Some(mode) => mode.parse()?,
    };
    if !mode.is_ranked() {
        return Err(Error::usage(format!("{} is not for questions", mode.as_str()))
            .with_hint("exact_search finds texts and patterns"));
    }
    Ok(Call::Ranked(SearchRequest {
        mode,
        filter: Filter {
            paths: args.texts("path")?,
            languages: args.texts("languages")?,
            kinds: args.texts("kinds")?.iter().map(|kind| kind.parse()).collect::<Result<_>>()?,
            ..Filter::default()
        },
        limit: Some(args.limit()?),
        ..SearchRequest::new(args.needed("question")?)
    }))
}

fn exact(args: &Args<'_>) -> Result<Call> {
    let mode = if args.flag("regex")? { Mode::Regex } else { Mode::Exact };
    Ok(Call::Exact(SearchRequest {
        mode,
        filter: Filter { paths: args.texts("path")?, ..Filter::default() },
        limit: Some(args.limit()?),
        ignore_case: args.flag("ignore_case")?,
        ..SearchRequest::new(args.needed("text")?)
    }))
}

fn symbols(args: &Args<'_>) -> Result<Call> {
    let kinds = args.texts("kinds")?;
    Ok(Call::Symbols(SymbolRequest {
        name: args.needed("name")?,
        filter: Filter {
            paths: args.texts("path")?,
            symbol_kinds: kinds.iter().map(|kind| kind.parse()).collect::<Result<_>>()?,
            ..Filter::default()
        },
        limit: args.limit()?,
    }))
}

fn usages(args: &Args<'_>) -> Result<Call> {
    Ok(Call::Usages(UsageRequest {
        name: args.needed("name")?,
        filter: Filter { paths: args.texts("path")?, ..Filter::default() },
        limit: Some(args.limit()?),
        comments: args.flag("comments")?,
    }))
}

fn code(args: &Args<'_>) -> Result<Call> {
    let place = match (args.text("path")?, args.text("symbol")?) {
        (Some(path), None) => code::Place::File(path),
        (None, Some(symbol)) => code::Place::Symbol(symbol),
        _ => {
            return Err(Error::usage("either path or symbol says what to read")
                .with_hint("such as path src/main.rs with start_line 1 and end_line 40"));
        }
    };
    let line = |key: &str| {
        let line = args.number(key)?;
        Ok::<_, Error>(line.map(|line| u32::try_from(line).unwrap_or(u32::MAX)))
    };
    let (start, end) = (line("start_line")?, line("end_line")?);
    // Who names the last line gets as much as there may be.
    let max_lines = if end.is_some() { code::MAX_LINES } else { READ_LINES };
    Ok(Call::Code(code::Wanted { place, start, end, max_lines }))
}

async fn status(asker: &Asker, folder: &Arc<Folder>, late: Option<String>) -> Outcome<Answer> {
    let opened = folder.opened();
    let status = asker.limits.run(move |_| opened.engine.status()).await?;
    let (status, now) = (Status::from(status), folder.wire());
    let state = match (late, now.state) {
        (Some(late), _) => late,
        (None, FolderState::Indexing) => folder.snapshot().told(),
        (None, FolderState::Failed) => "failed".to_owned(),
        (None, _) if status.stale => "not up to date".to_owned(),
        (None, _) => "ready".to_owned(),
    };
    let text = text::status(&status, &state);
    let mut structured = serde_json::to_value(status)
        .map_err(|error| Error::bug(format!("cannot write JSON: {error}")))?;
    structured["state"] = json!(state);
    structured["progress"] = json!(now.progress);
    structured["watch"] = json!(now.watch);
    Ok(Answer { text, structured })
}

/// The request with the paths of its filter relative to the root.
fn below<R>(folder: &Folder, mut request: R, filter: impl Fn(&mut R) -> &mut Filter) -> Outcome<R> {
    for path in &mut filter(&mut request).paths {
        *path = relative(folder, path)?;
    }
    Ok(request)
}

/// A path as agents give it, relative to the root. What leads out of the root is refused.
fn relative(folder: &Folder, path: &str) -> Outcome<String> {
    let outside = || {
        let root = folder.root.display();
        let error =
            Error::new(ErrorKind::Forbidden, format!("{path} lies outside the root {root}"))
                .with_hint("paths are relative to the root");
        Refusal::Engine(error)
    };
    let path = path.strip_prefix("file://").unwrap_or(path);
    let below = match Path::new(path) {
        absolute if absolute.is_absolute() => {
            absolute.strip_prefix(&folder.root).map_err(|_| outside())?
        }
        relative => relative,
    };
    let mut names = Vec::new();
    for component in below.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                names.pop().ok_or_else(outside)?;
            }
            Component::Normal(name) => names.push(name.to_string_lossy().into_owned()),
            Component::RootDir | Component::Prefix(_) => return Err(outside()),
        }
    }
    // The root itself is everything.
    Ok(if names.is_empty() { ".".to_owned() } else { names.join("/") })
}

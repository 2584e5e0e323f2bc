//! The main job: make the index true, ask, print.

use std::time::Instant;

use wherein_engine::{Answer, Error, ErrorKind, Filter, Mode, Result, SearchRequest};
use wherein_wire::{Hit, SearchMeta, SearchResult};

use super::meaning::Meaning;
use super::session::{Purpose, Session};
use crate::cli::SearchArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{human, json, lines, notices};
use crate::place::not_paths;
use crate::settings::{Flags, Key, ModelChoice, Origin, Settings};

/// Answers a question.
pub(super) fn run(args: &SearchArgs) -> Outcome<Exit> {
    let started = Instant::now();
    let question = question(args)?;
    let flags = Flags::of_search(args);
    let (paths, globs) = (&args.paths, &args.filter.globs);
    let mut session = Session::open(&flags, &args.common, paths, globs, Purpose::Question)?;
    require_words(question, session.mode)?;
    let asked = match ask(args, &session, question) {
        Err(error) if session.goes_on_without_model(&error) => {
            session.drop_model(&error)?;
            ask(args, &session, question)?
        }
        asked => asked?,
    };
    let Asked { mut answer, rebuilt } = asked;
    for hit in &mut answer.hits {
        hit.path = session.place.shown(&hit.path).to_owned();
    }
    let exit = Exit::of_search(answer.hits.len());
    if args.format.json {
        let meta = SearchMeta { elapsed: started.elapsed() };
        json::object(&mut session.printer, &SearchResult::new(answer, meta))?;
    } else {
        print(args, &mut session, &answer)?;
        let told = told(&session, &answer.degraded);
        notices::degraded(&mut session.printer, rebuilt.as_deref(), &told)?;
        if answer.hits.is_empty() {
            let is_filtered = filter(&session) != Filter::default();
            notices::nothing_found(&mut session.printer, &answer, is_filtered)?;
        }
    }
    session.printer.finish()?;
    Ok(exit)
}

/// An answer, and why the index was built again for it, if it was.
struct Asked {
    answer: Answer,
    rebuilt: Option<String>,
}

/// Makes the index true and asks.
fn ask(args: &SearchArgs, session: &Session, question: &str) -> Result<Asked> {
    let request = request(args, session, question);
    let (mut rebuilt, degraded) = freshen(session)?;
    let mut answer = match session.engine.search(&request) {
        // Damage deep inside shows only when it is read. The tree is at hand, so the index is made anew.
        Err(error) if error.kind() == ErrorKind::IndexFormat && !session.settings.no_refresh => {
            rebuilt = Some(error.to_string());
            session.rebuild()?;
            session.engine.search(&request)?
        }
        answer => answer?,
    };
    answer.degraded.splice(0..0, degraded);
    let lack = session.meaning.lack().map(str::to_owned);
    answer.degraded.extend(lack);
    Ok(Asked { answer, rebuilt })
}

/// The question, if it is one.
fn question(args: &SearchArgs) -> Result<&str> {
    let question = args.question.as_deref().ok_or_else(|| {
        Error::usage("there is no question")
            .with_hint("ask one: wherein \"where do we …\"; wherein --help shows more")
    })?;
    if question.len() > SearchRequest::MAX_BYTES {
        let message = format!("the question has {} bytes", question.len());
        return Err(Error::usage(message).with_hint("ask one of at most 64 KiB"));
    }
    if question.is_empty() {
        return Err(empty_question());
    }
    Ok(question)
}

/// White space can be searched for as text, but not asked about.
fn require_words(question: &str, mode: Mode) -> Result<()> {
    match mode {
        mode if mode.is_ranked() && question.trim().is_empty() => Err(empty_question()),
        _ => Ok(()),
    }
}

fn empty_question() -> Error {
    Error::usage("the question is empty").with_hint("ask in words: wherein \"where do we …\"")
}

/// What people are told of `degraded`. That there is no model holds for every question, so scripts and those who asked
/// for none are spared; programs find it in JSON.
fn told(session: &Session, degraded: &[String]) -> Vec<String> {
    let is_known = match (&session.meaning, &session.settings.model) {
        (Meaning::NoModel, ModelChoice::Nothing) => true,
        (Meaning::NoModel, _) => !session.settings.is_typed(Key::Mode) && !notices::is_watched(),
        _ => false,
    };
    let lack = session.meaning.lack().filter(|_| is_known);
    degraded.iter().filter(|line| Some(line.as_str()) != lack).cloned().collect()
}

/// Makes the index true unless told not to: why it was rebuilt, and why it may not be true.
fn freshen(session: &Session) -> Result<(Option<String>, Vec<String>)> {
    if session.settings.no_refresh {
        return Ok((None, vec!["not refreshed: --no-refresh".to_owned()]));
    }
    let report = session.refresh()?;
    Ok((report.rebuilt, report.degraded))
}

/// Counts and exact lines are complete unless the limit was typed: a setting, which may come with other people's
/// code, must not hide a line that grep shows.
fn limit(args: &SearchArgs, settings: &Settings) -> Option<usize> {
    match settings.mode {
        Mode::Exact | Mode::Regex if args.format.count || !settings.is_typed(Key::Limit) => None,
        _ => settings.limit,
    }
}

/// The request that arguments and settings make.
fn request(args: &SearchArgs, session: &Session, question: &str) -> SearchRequest {
    let settings = &session.settings;
    SearchRequest {
        mode: session.mode,
        filter: filter(session),
        limit: limit(args, settings),
        context: settings.context,
        ignore_case: args.how.ignore_case,
        fusion: settings.fusion,
        explain: args.explain,
        snippets: !(args.format.files_with_matches || args.format.count),
        ..SearchRequest::new(question)
    }
}

fn filter(session: &Session) -> Filter {
    let settings = &session.settings;
    let of_project = matches!(settings.origin(Key::NotPaths), Origin::Project(_));
    Filter {
        paths: session.place.paths.clone(),
        not_paths: not_paths(&session.place, &settings.not_paths, of_project),
        languages: settings.languages.clone(),
        kinds: settings.kinds.clone(),
    }
}

/// Prints the hits in the format asked for; JSON objects for whole answers are the caller's.
fn print(args: &SearchArgs, session: &mut Session, answer: &Answer) -> Outcome<()> {
    let (printer, hits, format) = (&mut session.printer, &answer.hits, &args.format);
    let searched = &session.place.searched;
    if format.jsonl {
        json::each(printer, hits.iter().cloned().map(Hit::from))
    } else if format.files_with_matches {
        lines::files(printer, hits, args.null)
    } else if format.count {
        lines::counts(printer, hits, args.null)
    } else if format.vimgrep {
        lines::vimgrep(printer, hits)
    } else if answer.mode.is_ranked() {
        human::ranked(printer, searched, hits, args.explain)
    } else if printer.terminal {
        human::grouped(printer, searched, hits)
    } else {
        lines::grep(printer, hits, args.null)
    }
}

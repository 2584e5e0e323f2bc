//! The main job: make the index true, ask, print.

mod repositories;

use std::time::Instant;

use wherein_engine::{Answer, Error, Filter, Mode, Result, SearchRequest};
use wherein_wire::{Hit, SearchMeta, SearchResult};

use super::meaning::Meaning;
use super::session::{Asked, Purpose, Session};
use crate::cli::SearchArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::human::Stand;
use crate::output::{Printer, human, json, lines, notices};
use crate::settings::{Flags, Key, ModelChoice, Settings};

/// Answers a question.
pub(super) fn run(args: &SearchArgs) -> Outcome<Exit> {
    let started = Instant::now();
    let question = question(args)?;
    let flags = Flags::of_search(args);
    if !args.repo.names.is_empty() {
        return repositories::run(args, question, &flags, started);
    }
    let (paths, globs) = (&args.paths, &args.filter.globs);
    let mut session = Session::open(&flags, &args.common, paths, globs, Purpose::Question)?;
    let Asked { mut answer, rebuilt, .. } = answered(args, &mut session, question)?;
    for hit in &mut answer.hits {
        hit.path = session.place.shown(&hit.path).to_owned();
        for copy in &mut hit.copies {
            copy.path = session.place.shown(&copy.path).to_owned();
        }
    }
    let exit = Exit::of_search(answer.hits.len());
    if args.format.json {
        let meta = SearchMeta { elapsed: started.elapsed(), ..SearchMeta::default() };
        json::object(&mut session.printer, &SearchResult::new(answer, meta))?;
    } else {
        answer.degraded = told(&session, &answer.degraded);
        let filter = Filter { symbol_kinds: Vec::new(), ..session.filter() };
        let Session { mut printer, place, settings, .. } = session;
        print(args, &mut printer, Stand { searched: &place.searched, names: &[] }, &answer)?;
        notices::degraded(&mut printer, rebuilt.as_deref(), &answer.degraded)?;
        closing(args, &mut printer, &settings, &answer, filter != Filter::default())?;
        printer.finish()?;
        return Ok(exit);
    }
    session.printer.finish()?;
    Ok(exit)
}

/// The answer of one folder; without the model that fails, where words may answer.
fn answered(args: &SearchArgs, session: &mut Session, question: &str) -> Result<Asked<Answer>> {
    require_words(question, session.mode)?;
    judge_symbol_kinds(session)?;
    match ask(args, session, question) {
        Err(error) if session.goes_on_without_model(&error) => {
            session.drop_model(&error)?;
            ask(args, session, question)
        }
        asked => asked,
    }
}

/// What people are told after the hits.
fn closing(
    args: &SearchArgs,
    printer: &mut Printer,
    settings: &Settings,
    answer: &Answer,
    is_filtered: bool,
) -> Outcome<()> {
    if args.format.is_for_people() && !settings.quiet {
        notices::unsure(printer, answer)?;
        notices::reranked(printer, answer)?;
    }
    if answer.hits.is_empty() {
        notices::nothing_found(printer, answer, is_filtered)?;
        notices::some_symbol_kinds(printer, &settings.symbol_kinds)?;
    }
    Ok(())
}

/// Makes the index true and asks.
fn ask(args: &SearchArgs, session: &Session, question: &str) -> Result<Asked<Answer>> {
    let request = request(args, session, question);
    let mut asked = session.ask(|engine| engine.search(&request))?;
    let degraded = &mut asked.answer.degraded;
    degraded.splice(0..0, std::mem::take(&mut asked.degraded));
    degraded.extend(session.lacks());
    Ok(asked)
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

/// Kinds of symbols need a profile and a mode that know symbols. Those of a setting are not meant for lines.
fn judge_symbol_kinds(session: &mut Session) -> Result<()> {
    if session.settings.symbol_kinds.is_empty() {
        return Ok(());
    }
    if session.mode.is_ranked() {
        return session.require_symbols();
    }
    if session.settings.is_typed(Key::SymbolKinds) {
        let message =
            format!("{} mode shows lines, whatever symbol they are in", session.mode.as_str());
        return Err(Error::usage(message).with_hint("drop --symbol-kind, or ask in words"));
    }
    session.settings.symbol_kinds = Vec::new();
    Ok(())
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
        filter: session.filter(),
        limit: limit(args, settings),
        context: settings.context,
        ignore_case: args.how.ignore_case,
        fusion: settings.asked_fusion(),
        explain: args.explain,
        snippets: !(args.format.files_with_matches || args.format.count),
        ..SearchRequest::new(question)
    }
}

/// Prints the hits in the format asked for; JSON objects for whole answers are the caller's.
fn print(
    args: &SearchArgs,
    printer: &mut Printer,
    stand: Stand<'_>,
    answer: &Answer,
) -> Outcome<()> {
    let (hits, format) = (&answer.hits, &args.format);
    let paths = hits.iter().map(|hit| hit.path.as_str());
    if format.jsonl {
        json::each(printer, hits.iter().cloned().map(Hit::from))
    } else if format.files_with_matches {
        lines::files(printer, paths, args.null)
    } else if format.count {
        lines::counts(printer, paths, args.null)
    } else if format.vimgrep {
        lines::vimgrep(printer, hits)
    } else if answer.mode.is_ranked() {
        human::ranked(printer, stand, hits, args.explain)
    } else if printer.terminal {
        human::grouped(printer, stand, hits)
    } else {
        lines::grep(printer, hits, args.null)
    }
}

//! A question to several repositories: each answers from its own index, and the answers become one.
//!
//! What is said and printed is as for one folder, with paths that can be opened from the current folder.

use std::time::Instant;

use wherein_engine::{Answer, Error, Result, SearchRequest};
use wherein_wire::{Hit, SearchMeta, SearchResult};

use super::super::chosen::{Chosen, here};
use super::super::merge::{Merged, merged};
use super::super::session::{Asked, Purpose};
use super::{answered, closing, limit, print, told};
use crate::cli::SearchArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::human::Stand;
use crate::output::{json, notices};
use crate::settings::{Flags, Settings};

/// The first hits of a ranked mode where nobody says how many.
const LIMIT: usize = 10;

/// Published repositories that one question is asked in: of more, a look at the whole collection tells which.
const MOST_ASKED: usize = 8;

/// Asks the repositories that the arguments name.
pub(super) fn run(
    args: &SearchArgs,
    question: &str,
    flags: &Flags,
    started: Instant,
) -> Outcome<Exit> {
    let mut chosen = Chosen::named(flags, &args.common, &args.repo)?;
    let narrowed = match chosen.settings.mode.is_ranked() {
        true => chosen.narrow(&SearchRequest::new(question), MOST_ASKED)?,
        false => None,
    };
    let mut merged = ask(args, question, &chosen)?;
    merged.answer.degraded.splice(0..0, narrowed);
    let exit = Exit::of_search(merged.answer.hits.len());
    let mut printer = chosen.printer();
    if args.format.json {
        let (names, asked) = (merged.names(), merged.asked());
        let meta = SearchMeta { elapsed: started.elapsed(), ..SearchMeta::default() };
        let mut result = SearchResult::new(merged.answer, meta);
        for (hit, name) in result.hits.iter_mut().zip(names) {
            hit.repository = Some(name);
        }
        result.repositories = asked;
        json::object(&mut printer, &result)?;
    } else {
        let names = merged.names();
        if args.format.jsonl {
            let hits = merged.answer.hits.iter().cloned().zip(&names);
            let named =
                |(hit, name)| Hit { repository: Some(String::clone(name)), ..Hit::from(hit) };
            json::each(&mut printer, hits.map(named))?;
        }
        let here = here();
        let answer = merged.opened_from(&here);
        if !args.format.jsonl {
            print(args, &mut printer, Stand { searched: &here, names: &names }, &answer)?;
        }
        notices::degraded(&mut printer, None, &answer.degraded)?;
        let is_filtered = is_filtered(args, &chosen.settings);
        closing(args, &mut printer, &chosen.settings, &answer, is_filtered)?;
    }
    printer.finish()?;
    Ok(exit)
}

/// Whether only some files of the repositories were asked.
fn is_filtered(args: &SearchArgs, settings: &Settings) -> bool {
    let Settings { not_paths, languages, kinds, .. } = settings;
    let is_whole = args.paths.is_empty() && args.filter.globs.is_empty() && not_paths.is_empty();
    !(is_whole && languages.is_empty() && kinds.is_empty())
}

/// The answers of all as one.
fn ask(args: &SearchArgs, question: &str, chosen: &Chosen) -> Result<Merged<Answer>> {
    let parts = chosen.ask((&args.paths, &args.filter), Purpose::Question, |session| {
        let Asked { mut answer, rebuilt, .. } = answered(args, session, question)?;
        let said = std::mem::take(&mut answer.degraded);
        let degraded = if args.format.json { said } else { told(session, &said) };
        Ok(Asked { answer, rebuilt, degraded })
    })?;
    let settings = &chosen.settings;
    let limit = match settings.mode.is_ranked() {
        true => Some(settings.limit.unwrap_or(LIMIT)),
        false => limit(args, settings),
    };
    merged(parts, limit).ok_or_else(|| Error::bug("no repository was asked"))
}

//! `wherein usages`: the lines that use a name.

use std::time::Instant;

use wherein_engine::{UsageAnswer, UsageRequest};
use wherein_wire::{FoundUsage, SearchMeta, UsageResult};

use super::lookup::{self, Looked, View, Where};
use crate::cli::UsagesArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{json, lookup as output, notices};
use crate::settings::{Flags, Settings};

/// The most lines unless more are asked for.
const LIMIT: usize = 100;

/// Runs the command.
pub(super) fn run(args: &UsagesArgs) -> Outcome<Exit> {
    let started = Instant::now();
    lookup::require_name(&args.name)?;
    let flags = Flags::of_lookup(&args.lookup);
    let limit = |settings: &Settings| lookup::limit(&args.lookup, settings, LIMIT);
    let Looked { merged, rebuilt, mut view } =
        lookup::ask(&Where::of(&args.lookup, flags), limit, |session| {
            // Kinds of symbols are about what is defined; a setting of them says nothing of uses.
            session.settings.symbol_kinds = Vec::new();
            let request = UsageRequest {
                name: args.name.clone(),
                filter: session.filter(),
                limit: limit(&session.settings),
                comments: args.comments,
            };
            session.ask(|engine| engine.usages(&request))
        })?;
    let exit = Exit::of_search(merged.answer.usages.len());
    let names = merged.names();
    if args.lookup.format.json {
        let asked = merged.asked();
        let meta = SearchMeta { elapsed: started.elapsed(), ..SearchMeta::default() };
        let mut result = UsageResult::new(merged.answer, meta);
        result.repositories = asked;
        for (found, name) in result.usages.iter_mut().zip(names) {
            found.repository = Some(name);
        }
        json::object(&mut view.printer, &result)?;
    } else if args.lookup.format.jsonl && !names.is_empty() {
        let usages = merged.answer.usages.into_iter().map(FoundUsage::from).zip(names);
        let named = |(found, name)| FoundUsage { repository: Some(name), ..found };
        json::each(&mut view.printer, usages.map(named))?;
    } else {
        let answer = merged.opened_from(&view.searched);
        print(args, &mut view, &answer)?;
        notices::degraded(&mut view.printer, rebuilt.as_deref(), &answer.degraded)?;
    }
    view.printer.finish()?;
    Ok(exit)
}

/// Prints the lines in the format asked for, and what has to be said of them.
fn print(args: &UsagesArgs, view: &mut View, answer: &UsageAnswer) -> Outcome<()> {
    let UsageAnswer { usages, n_matches, skipped, .. } = answer;
    if usages.is_empty() {
        nothing(args, view, answer.n_definitions)?;
        return lookup::explain_nothing(view, skipped);
    }
    let format = &args.lookup.format;
    let paths = usages.iter().map(|found| found.path.as_str());
    if !lookup::print_files(&args.lookup, view, paths)? {
        let (printer, searched) = (&mut view.printer, &view.searched);
        if format.jsonl {
            json::each(printer, usages.iter().cloned().map(FoundUsage::from))?;
        } else if format.vimgrep {
            output::vimgrep_usages(printer, &args.name, usages)?;
        } else {
            output::usages(printer, searched, &args.name, usages)?;
        }
    }
    notices::more(&mut view.printer, usages.len(), *n_matches, "usages")
}

/// Nothing uses the name: whether it is there at all, and where else it may stand.
fn nothing(args: &UsagesArgs, view: &mut View, n_definitions: u64) -> Outcome<()> {
    let name = &args.name;
    let typed = lookup::typed(name);
    let printer = &mut view.printer;
    match n_definitions {
        0 => printer.note(&format!("nothing uses {name}, and nothing defines it"))?,
        1 => printer.note(&format!("nothing uses {name}, but one line defines it"))?,
        n => printer.note(&format!("nothing uses {name}, but {n} lines define it"))?,
    }
    match n_definitions {
        0 => printer.hint(&format!(
            "usages takes a name in full; wherein symbols {typed} finds names that are alike"
        ))?,
        _ => printer.hint(&format!("wherein symbols {typed} shows where it is defined"))?,
    }
    if !args.comments {
        printer.hint("--comments also looks in comments and strings")?;
    }
    Ok(())
}

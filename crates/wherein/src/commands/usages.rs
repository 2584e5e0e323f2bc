//! `wherein usages`: the lines that use a name.

use std::time::Instant;

use wherein_engine::{UsageAnswer, UsageRequest};
use wherein_wire::{FoundUsage, SearchMeta, UsageResult};

use super::lookup;
use super::session::{Asked, Session};
use crate::cli::UsagesArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{json, lookup as output, notices};
use crate::settings::Flags;

/// The most lines unless more are asked for.
const LIMIT: usize = 100;

/// Runs the command.
pub(super) fn run(args: &UsagesArgs) -> Outcome<Exit> {
    let started = Instant::now();
    let mut session = lookup::open(&args.name, &Flags::of_lookup(&args.lookup), &args.lookup)?;
    // Kinds of symbols are about what is defined; a setting of them says nothing of uses.
    session.settings.symbol_kinds = Vec::new();
    let request = UsageRequest {
        name: args.name.clone(),
        filter: session.filter(),
        limit: lookup::limit(&args.lookup, &session, LIMIT),
        comments: args.comments,
    };
    let Asked { mut answer, rebuilt, degraded } = session.ask(|engine| engine.usages(&request))?;
    answer.degraded.splice(0..0, degraded);
    for found in &mut answer.usages {
        found.path = session.place.shown(&found.path).to_owned();
    }
    let exit = Exit::of_search(answer.usages.len());
    if args.lookup.format.json {
        let meta = SearchMeta { elapsed: started.elapsed(), ..SearchMeta::default() };
        json::object(&mut session.printer, &UsageResult::new(answer, meta))?;
    } else {
        print(args, &mut session, &answer)?;
        notices::degraded(&mut session.printer, rebuilt.as_deref(), &answer.degraded)?;
    }
    session.printer.finish()?;
    Ok(exit)
}

/// Prints the lines in the format asked for, and what has to be said of them.
fn print(args: &UsagesArgs, session: &mut Session, answer: &UsageAnswer) -> Outcome<()> {
    let UsageAnswer { usages, n_matches, skipped, .. } = answer;
    if usages.is_empty() {
        nothing(args, session, answer.n_definitions)?;
        return lookup::explain_nothing(session, skipped);
    }
    let format = &args.lookup.format;
    let paths = usages.iter().map(|found| found.path.as_str());
    if !lookup::print_files(&args.lookup, session, paths)? {
        let (printer, searched) = (&mut session.printer, &session.place.searched);
        if format.jsonl {
            json::each(printer, usages.iter().cloned().map(FoundUsage::from))?;
        } else if format.vimgrep {
            output::vimgrep_usages(printer, &args.name, usages)?;
        } else {
            output::usages(printer, searched, &args.name, usages)?;
        }
    }
    notices::more(&mut session.printer, usages.len(), *n_matches, "usages")
}

/// Nothing uses the name: whether it is there at all, and where else it may stand.
fn nothing(args: &UsagesArgs, session: &mut Session, n_definitions: u64) -> Outcome<()> {
    let name = &args.name;
    let typed = lookup::typed(name);
    let printer = &mut session.printer;
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

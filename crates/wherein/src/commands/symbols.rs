//! `wherein symbols`: where a name is defined.

use std::time::Instant;

use wherein_engine::{NameMatch, SymbolAnswer, SymbolRequest};
use wherein_wire::{FoundSymbol, SearchMeta, SymbolResult};

use super::lookup;
use super::session::{Asked, Session};
use crate::cli::SymbolsArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{json, lookup as output, notices};
use crate::settings::Flags;

/// The most symbols unless more are asked for.
const LIMIT: usize = 50;

/// Runs the command.
pub(super) fn run(args: &SymbolsArgs) -> Outcome<Exit> {
    let started = Instant::now();
    let flags = Flags::of_lookup(&args.lookup).with_symbol_kinds(&args.symbols);
    let mut session = lookup::open(&args.name, &flags, &args.lookup)?;
    let request = SymbolRequest {
        name: args.name.clone(),
        filter: session.filter(),
        limit: lookup::limit(&args.lookup, &session, LIMIT).unwrap_or(usize::MAX),
    };
    let Asked { mut answer, rebuilt, degraded } = session.ask(|engine| engine.symbols(&request))?;
    answer.degraded.splice(0..0, degraded);
    for found in &mut answer.symbols {
        found.path = session.place.shown(&found.path).to_owned();
    }
    let exit = Exit::of_search(answer.symbols.len());
    if args.lookup.format.json {
        let meta = SearchMeta { elapsed: started.elapsed(), ..SearchMeta::default() };
        json::object(&mut session.printer, &SymbolResult::new(answer, meta))?;
    } else {
        print(args, &mut session, &answer)?;
        notices::degraded(&mut session.printer, rebuilt.as_deref(), &answer.degraded)?;
    }
    session.printer.finish()?;
    Ok(exit)
}

/// Prints the symbols in the format asked for, and what has to be said of them.
fn print(args: &SymbolsArgs, session: &mut Session, answer: &SymbolAnswer) -> Outcome<()> {
    let SymbolAnswer { symbols, n_matches, skipped, .. } = answer;
    let Some(first) = symbols.first() else {
        session.printer.note(&format!("no symbol is called {}", args.name))?;
        return lookup::explain_nothing(session, skipped);
    };
    // They stand in order, so where the first one is a guess all are.
    if first.matched == NameMatch::Typo {
        session.printer.note(&format!("no symbol is called {}; alike:", args.name))?;
    }
    let format = &args.lookup.format;
    let paths = symbols.iter().map(|found| found.path.as_str());
    if !lookup::print_files(&args.lookup, session, paths)? {
        let (printer, searched) = (&mut session.printer, &session.place.searched);
        if format.jsonl {
            json::each(printer, symbols.iter().cloned().map(FoundSymbol::from))?;
        } else if format.vimgrep {
            output::vimgrep_symbols(printer, symbols)?;
        } else {
            output::symbols(printer, searched, symbols)?;
        }
    }
    notices::more(&mut session.printer, symbols.len(), *n_matches, "symbols")
}

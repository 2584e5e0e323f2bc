//! `wherein symbols`: where a name is defined.

use std::time::Instant;

use wherein_engine::{NameMatch, SymbolAnswer, SymbolRequest};
use wherein_wire::{FoundSymbol, SearchMeta, SymbolResult};

use super::lookup::{self, Looked, View, Where};
use crate::cli::SymbolsArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{json, lookup as output, notices};
use crate::settings::{Flags, Settings};

/// The most symbols unless more are asked for.
const LIMIT: usize = 50;

/// Runs the command.
pub(super) fn run(args: &SymbolsArgs) -> Outcome<Exit> {
    let started = Instant::now();
    lookup::require_name(&args.name)?;
    let flags = Flags::of_lookup(&args.lookup).with_symbol_kinds(&args.symbols);
    let limit = |settings: &Settings| lookup::limit(&args.lookup, settings, LIMIT);
    let Looked { merged, rebuilt, mut view } =
        lookup::ask(&Where::of(&args.lookup, flags), limit, |session| {
            let request = SymbolRequest {
                name: args.name.clone(),
                filter: session.filter(),
                limit: limit(&session.settings).unwrap_or(usize::MAX),
            };
            session.ask(|engine| engine.symbols(&request))
        })?;
    let exit = Exit::of_search(merged.answer.symbols.len());
    let names = merged.names();
    if args.lookup.format.json {
        let asked = merged.asked();
        let meta = SearchMeta { elapsed: started.elapsed(), ..SearchMeta::default() };
        let mut result = SymbolResult::new(merged.answer, meta);
        result.repositories = asked;
        for (found, name) in result.symbols.iter_mut().zip(names) {
            found.repository = Some(name);
        }
        json::object(&mut view.printer, &result)?;
    } else if args.lookup.format.jsonl && !names.is_empty() {
        let symbols = merged.answer.symbols.into_iter().map(FoundSymbol::from).zip(names);
        let named = |(found, name)| FoundSymbol { repository: Some(name), ..found };
        json::each(&mut view.printer, symbols.map(named))?;
    } else {
        let answer = merged.opened_from(&view.searched);
        print(args, &mut view, &answer)?;
        notices::degraded(&mut view.printer, rebuilt.as_deref(), &answer.degraded)?;
    }
    view.printer.finish()?;
    Ok(exit)
}

/// Prints the symbols in the format asked for, and what has to be said of them.
fn print(args: &SymbolsArgs, view: &mut View, answer: &SymbolAnswer) -> Outcome<()> {
    let SymbolAnswer { symbols, n_matches, skipped, .. } = answer;
    let Some(first) = symbols.first() else {
        view.printer.note(&format!("no symbol is called {}", args.name))?;
        return lookup::explain_nothing(view, skipped);
    };
    // They stand in order, so where the first one is a guess all are.
    if first.matched == NameMatch::Typo {
        view.printer.note(&format!("no symbol is called {}; alike:", args.name))?;
    }
    let format = &args.lookup.format;
    let paths = symbols.iter().map(|found| found.path.as_str());
    if !lookup::print_files(&args.lookup, view, paths)? {
        let (printer, searched) = (&mut view.printer, &view.searched);
        if format.jsonl {
            json::each(printer, symbols.iter().cloned().map(FoundSymbol::from))?;
        } else if format.vimgrep {
            output::vimgrep_symbols(printer, symbols)?;
        } else {
            output::symbols(printer, searched, symbols)?;
        }
    }
    notices::more(&mut view.printer, symbols.len(), *n_matches, "symbols")
}

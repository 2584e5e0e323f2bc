//! `wherein outline`: the symbols of files, for readers who would else read the files.

use std::path::PathBuf;
use std::time::Instant;

use wherein_engine::{Outline, OutlineRequest};
use wherein_wire::{FileOutline, OutlineResult, SearchMeta};

use super::lookup;
use super::session::{Asked, Purpose, Session};
use crate::cli::OutlineArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{json, lookup as output, notices};
use crate::settings::Flags;

/// Runs the command.
pub(super) fn run(args: &OutlineArgs) -> Outcome<Exit> {
    let started = Instant::now();
    let (flags, globs) = (Flags::of_outline(args), &args.filter.globs);
    let mut session = Session::open(&flags, &args.common, &args.paths, globs, Purpose::Name)?;
    session.require_symbols()?;
    let request = OutlineRequest { filter: session.filter() };
    let Asked { mut answer, rebuilt, degraded } = session.ask(|engine| engine.outline(&request))?;
    answer.degraded.splice(0..0, degraded);
    for file in &mut answer.files {
        file.path = session.place.shown(&file.path).to_owned();
    }
    let exit = Exit::of_search(answer.files.iter().map(|file| file.symbols.len()).sum());
    if args.json {
        let meta = SearchMeta { elapsed: started.elapsed(), ..SearchMeta::default() };
        json::object(&mut session.printer, &OutlineResult::new(answer, meta))?;
    } else {
        print(args, &mut session, &answer)?;
        notices::degraded(&mut session.printer, rebuilt.as_deref(), &answer.degraded)?;
        if exit == Exit::NothingFound {
            nothing(&mut session, &answer)?;
        }
    }
    session.printer.finish()?;
    Ok(exit)
}

/// Prints the symbols in the format asked for.
fn print(args: &OutlineArgs, session: &mut Session, outline: &Outline) -> Outcome<()> {
    if args.jsonl {
        let files = outline.files.iter().cloned();
        return json::each(&mut session.printer, files.map(FileOutline::from));
    }
    let is_one_file = is_one_file(&args.paths, session);
    output::outline(&mut session.printer, &session.place.searched, &outline.files, is_one_file)
}

/// Whether the arguments name one file, whose name then says nothing new.
fn is_one_file(paths: &[PathBuf], session: &Session) -> bool {
    matches!(paths, [path] if path.is_file() || session.place.searched.join(path).is_file())
}

/// No file has a symbol: which files those are.
fn nothing(session: &mut Session, outline: &Outline) -> Outcome<()> {
    let said = match &outline.files[..] {
        [] => "no file was searched".to_owned(),
        [file] => format!("{} has no symbols", file.path),
        files => format!("none of {} files has symbols", files.len()),
    };
    session.printer.note(&said)?;
    lookup::explain_nothing(session, &outline.skipped)
}

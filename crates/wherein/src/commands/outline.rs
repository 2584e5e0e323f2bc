//! `wherein outline`: the symbols of files, for readers who would else read the files.

use std::path::PathBuf;
use std::time::Instant;

use wherein_engine::{Outline, OutlineRequest};
use wherein_wire::{FileOutline, OutlineResult, SearchMeta};

use super::lookup::{self, Looked, View, Where};
use crate::cli::OutlineArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{json, lookup as output, notices};
use crate::settings::Flags;

/// Runs the command.
pub(super) fn run(args: &OutlineArgs) -> Outcome<Exit> {
    let started = Instant::now();
    let OutlineArgs { common, repo, paths, filter, .. } = args;
    let wanted = Where { flags: Flags::of_outline(args), common, repo, paths, filter };
    let Looked { merged, rebuilt, mut view } = lookup::ask(
        &wanted,
        |_| None,
        |session| {
            let request = OutlineRequest { filter: session.filter() };
            session.ask(|engine| engine.outline(&request))
        },
    )?;
    let exit = Exit::of_search(merged.answer.files.iter().map(|file| file.symbols.len()).sum());
    let names = merged.names();
    if args.json {
        let asked = merged.asked();
        let meta = SearchMeta { elapsed: started.elapsed(), ..SearchMeta::default() };
        let mut result = OutlineResult::new(merged.answer, meta);
        result.repositories = asked;
        for (file, name) in result.files.iter_mut().zip(names) {
            file.repository = Some(name);
        }
        json::object(&mut view.printer, &result)?;
    } else if args.jsonl && !names.is_empty() {
        let files = merged.answer.files.into_iter().map(FileOutline::from).zip(names);
        let named = |(file, name)| FileOutline { repository: Some(name), ..file };
        json::each(&mut view.printer, files.map(named))?;
    } else {
        let answer = merged.opened_from(&view.searched);
        print(args, &mut view, &answer)?;
        notices::degraded(&mut view.printer, rebuilt.as_deref(), &answer.degraded)?;
        if exit == Exit::NothingFound {
            nothing(&mut view, &answer)?;
        }
    }
    view.printer.finish()?;
    Ok(exit)
}

/// Prints the symbols in the format asked for.
fn print(args: &OutlineArgs, view: &mut View, outline: &Outline) -> Outcome<()> {
    if args.jsonl {
        let files = outline.files.iter().cloned();
        return json::each(&mut view.printer, files.map(FileOutline::from));
    }
    let is_one_file = is_one_file(&args.paths, view);
    output::outline(&mut view.printer, &view.searched, &outline.files, is_one_file)
}

/// Whether the arguments name one file, whose name then says nothing new.
fn is_one_file(paths: &[PathBuf], view: &View) -> bool {
    matches!(paths, [path] if path.is_file() || view.searched.join(path).is_file())
}

/// No file has a symbol: which files those are.
fn nothing(view: &mut View, outline: &Outline) -> Outcome<()> {
    let said = match &outline.files[..] {
        [] => "no file was searched".to_owned(),
        [file] => format!("{} has no symbols", file.path),
        files => format!("none of {} files has symbols", files.len()),
    };
    view.printer.note(&said)?;
    lookup::explain_nothing(view, &outline.skipped)
}

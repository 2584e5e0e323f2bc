//! `wherein why`: where a place stands for a question, and why it is not higher.
//!
//! Opens the folder and asks as a search does, so that both speak of the same answer.

use std::path::Path;
use std::time::Instant;

use wherein_engine::{Error, Result, SearchRequest, Standing, WhyPlace};
use wherein_wire::{self as wire, SearchMeta};

use super::session::{Asked, Purpose, Session};
use crate::cli::WhyArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{json, notices, why as output};
use crate::place::{Place, lexical};
use crate::settings::Flags;

/// Runs the command.
pub(super) fn run(args: &WhyArgs) -> Outcome<Exit> {
    let started = Instant::now();
    if args.question.trim().is_empty() {
        return Err(Error::usage("the question is empty")
            .with_hint("ask as you asked before: wherein why src/a.rs:12 \"where do we …\"")
            .into());
    }
    let (flags, globs) = (Flags::of_why(args), &args.filter.globs);
    let mut session = Session::open(&flags, &args.common, &args.paths, globs, Purpose::Question)?;
    if !session.settings.symbol_kinds.is_empty() {
        session.require_symbols()?;
    }
    let asked = match ask(args, &session) {
        Err(error) if session.goes_on_without_model(&error) => {
            session.drop_model(&error)?;
            ask(args, &session)?
        }
        asked => asked?,
    };
    let Asked { answer: mut why, rebuilt, .. } = asked;
    show_paths(&session.place, &mut why);
    let exit = if why.standing == Standing::Ranked { Exit::Found } else { Exit::NothingFound };
    if args.json {
        let meta = SearchMeta { elapsed: started.elapsed(), ..SearchMeta::default() };
        json::object(&mut session.printer, &wire::WhyPlace::new(why, meta))?;
    } else {
        output::place(&mut session.printer, &session.place.searched, &why)?;
        notices::degraded(&mut session.printer, rebuilt.as_deref(), &why.degraded)?;
    }
    session.printer.finish()?;
    Ok(exit)
}

/// Makes the index true and asks.
fn ask(args: &WhyArgs, session: &Session) -> Result<Asked<WhyPlace>> {
    let (path, lines) = place(&args.place, |path| session.place.searched.join(path).exists())?;
    let path = lexical(&session.place.searched.join(path));
    let request = SearchRequest {
        mode: session.mode,
        filter: session.filter(),
        fusion: session.settings.asked_fusion(),
        ..SearchRequest::new(&*args.question)
    };
    let mut asked = session.ask(|engine| engine.why_not(&request, &path, lines))?;
    let degraded = &mut asked.answer.degraded;
    degraded.splice(0..0, std::mem::take(&mut asked.degraded));
    degraded.extend(session.lacks());
    Ok(asked)
}

/// Lines of a place, 1-based and inclusive.
type Lines = Option<(u32, u32)>;

/// The path and lines of `path`, `path:line`, `path:line:column` or `path:start-end`; a file of the whole name is that file.
fn place(text: &str, exists: impl Fn(&Path) -> bool) -> Result<(&Path, Lines)> {
    if exists(Path::new(text)) {
        return Ok((Path::new(text), None));
    }
    let mut parts = text.trim_end_matches(':').rsplitn(3, ':');
    let (last, middle, start) = (parts.next(), parts.next(), parts.next());
    let (path, lines) = match (start, middle.and_then(range), last.and_then(range)) {
        (Some(path), Some(lines), Some(_)) => (path, lines),
        (_, _, Some(lines)) if middle.is_some() => {
            let path = text.trim_end_matches(':').rsplit_once(':').map_or(text, |(path, _)| path);
            (path, lines)
        }
        _ => return Ok((Path::new(text), None)),
    };
    match lines {
        (first, last) if first == 0 || last < first => {
            Err(Error::usage(format!("'{text}' names no lines"))
                .with_hint("lines are counted from 1: src/config.rs:12 or src/config.rs:12-40"))
        }
        lines => Ok((Path::new(path), Some(lines))),
    }
}

/// `12` or `12-40`.
fn range(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// Paths as they are printed: relative to the searched folder.
fn show_paths(place: &Place, why: &mut WhyPlace) {
    let hits = [&mut why.place, &mut why.first, &mut why.tenth];
    let paths = hits.into_iter().flatten().map(|hit| &mut hit.path);
    let copies = why.copy_of.iter_mut().map(|copy| &mut copy.path);
    for path in paths.chain(copies).chain([&mut why.path]) {
        *path = place.shown(path).to_owned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, path: &str, lines: Lines) {
        assert_eq!(place(text, |_| false).unwrap(), (Path::new(path), lines), "{text}");
    }

    #[test]
    fn a_place_is_written_as_results_show_it() {
        check("src/a.rs", "src/a.rs", None);
        check("src/a.rs:12", "src/a.rs", Some((12, 12)));
        check("src/a.rs:12:", "src/a.rs", Some((12, 12)));
        check("src/a.rs:12:5", "src/a.rs", Some((12, 12)));
        check("src/a.rs:12-40", "src/a.rs", Some((12, 40)));
        check(r"C:\src\a.rs:12", r"C:\src\a.rs", Some((12, 12)));
        check("src/a.rs:x", "src/a.rs:x", None);
        let odd = place("notes:12", |path| path == Path::new("notes:12")).unwrap();
        assert_eq!(odd, (Path::new("notes:12"), None));
    }

    #[test]
    fn lines_that_are_none_are_refused() {
        assert!(place("a.rs:0", |_| false).is_err());
        assert!(place("a.rs:9-3", |_| false).is_err());
    }
}

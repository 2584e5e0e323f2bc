//! `wherein status`: what is indexed, what is not, and which rule hides a path. Changes nothing.

use std::path::Path;

use wherein_wire as wire;

use super::chosen::Chosen;
use super::session::{Purpose, Session};
use crate::cli::StatusArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{json, report, repositories as output};
use crate::place::lexical;
use crate::settings::Flags;

/// Runs the command.
pub(super) fn run(args: &StatusArgs) -> Outcome<Exit> {
    let flags =
        Flags::of_common(&args.common).with_repositories(&args.repo.file).with_store(&args.store);
    if !args.repo.names.is_empty() {
        return of_repositories(args, &flags);
    }
    let common = super::with_root(&args.common, args.path.as_deref())?;
    one(args, Session::open(&flags, &common, &[], &[], Purpose::Look)?)
}

fn one(args: &StatusArgs, mut session: Session) -> Outcome<Exit> {
    let exit = match &args.why {
        Some(path) => why(&mut session, path, args.json)?,
        None => status(&mut session, args.json)?,
    };
    session.printer.finish()?;
    Ok(exit)
}

/// The state of each repository that is named; of one alone as of a folder.
fn of_repositories(args: &StatusArgs, flags: &Flags) -> Outcome<Exit> {
    let chosen = Chosen::named(flags, &args.common, &args.repo)?;
    let open = |repository| chosen.open(repository, (&[], &[]), Purpose::Look);
    if args.why.is_some() || chosen.repositories.len() == 1 {
        return one(args, open(chosen.only()?)?);
    }
    let mut printer = chosen.printer();
    let (mut reports, mut exit) = (Vec::new(), Exit::Found);
    for repository in &chosen.repositories {
        let status = open(repository).and_then(|session| session.engine.status());
        if status.is_err() {
            exit = Exit::Error;
        }
        if args.json {
            reports.push(wire::RepositoryReport::of(
                (repository.name.clone(), repository.url(), repository.commit()),
                status.map(wire::Status::from),
            ));
        } else {
            output::status(&mut printer, repository, &status)?;
        }
    }
    if args.json {
        json::object(&mut printer, &wire::Repositories { repositories: reports })?;
    }
    printer.finish()?;
    Ok(exit)
}

fn status(session: &mut Session, as_json: bool) -> Outcome<Exit> {
    let status = session.engine.status()?;
    if as_json {
        json::object(&mut session.printer, &wire::Status::from(status))?;
    } else {
        report::status(&mut session.printer, &status)?;
    }
    Ok(Exit::Found)
}

/// The verdict on a path; one that does not exist was not found.
fn why(session: &mut Session, path: &Path, as_json: bool) -> Outcome<Exit> {
    // Relative paths mean the searched folder; links in it must stay, they are what is asked about.
    let path = lexical(&session.place.searched.join(path));
    let why = session.engine.why(&path)?;
    let missing = why.reason.as_deref() == Some("missing");
    if as_json {
        json::object(&mut session.printer, &wire::Why::from(why))?;
    } else {
        report::why(&mut session.printer, &why)?;
    }
    Ok(if missing { Exit::NothingFound } else { Exit::Found })
}

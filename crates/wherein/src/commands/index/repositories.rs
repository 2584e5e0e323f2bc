//! Several targets of `wherein index`: fetched where they are clones, indexed one after the other, told of one by one.
//!
//! The trouble of one keeps no other from being indexed.

use wherein_engine::{PublishReport, RefreshReport, Result};
use wherein_wire::RepositoryReport;

use super::super::chosen::Chosen;
use super::super::session::{Purpose, Session};
use super::{folders_not_repositories, indexed, publish, reach, targets};
use crate::cli::IndexArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::progress::Progress;
use crate::output::{Printer, json, notices, repositories as output, stores};
use crate::repositories::{Clones, Fetched, Repository};
use crate::settings::Flags;

/// What was indexed, and what was published of it.
type Done = (RefreshReport, Option<PublishReport>);

/// Indexes what the arguments name.
pub(super) fn run(args: &IndexArgs, flags: &Flags) -> Outcome<Exit> {
    let chosen = targets::read(args, flags)?;
    if let [only] = &chosen.repositories[..] {
        let (mut session, done, published) = index(args, &chosen, only)?;
        super::tell(args, &mut session, done, published.as_ref())?;
        return Ok(Exit::Found);
    }
    let mut printer = chosen.printer();
    let (mut reports, mut failed) = (Vec::new(), Vec::new());
    for repository in &chosen.repositories {
        let done = index(args, &chosen, repository);
        let done = done.map(|(_, done, published)| (done, published));
        if done.is_err() {
            failed.push(repository.name.as_str());
        }
        match args.json {
            true => reports.push(told(repository, done)),
            false => tell(&mut printer, &repository.name, &done)?,
        }
    }
    if args.json {
        let repositories = reports;
        json::object(&mut printer, &wherein_wire::Repositories { repositories })?;
    }
    printer.finish()?;
    folders_not_repositories(&mut printer, args, &chosen.settings)?;
    if failed.is_empty() {
        return Ok(Exit::Found);
    }
    output::failed(&mut printer, &failed, chosen.repositories.len())?;
    Ok(Exit::Error)
}

/// Fetches a clone and indexes it; what could not be fetched is indexed as it is.
fn index(
    args: &IndexArgs,
    chosen: &Chosen,
    repository: &Repository,
) -> Result<(Session, RefreshReport, Option<PublishReport>)> {
    let stale = fetch(chosen, repository)?;
    let session = chosen.open(repository, (&[], &[]), Purpose::Index)?;
    reach(&session)?;
    let mut done = indexed(&session, args.rebuild)?;
    done.degraded.extend(stale);
    let published = publish(args, &session)?;
    Ok((session, done, published))
}

/// Brings a clone up to date: why it could not be.
fn fetch(chosen: &Chosen, repository: &Repository) -> Result<Option<String>> {
    let Some((url, reference)) = &repository.remote else {
        return Ok(None);
    };
    let clones = Clones::of(&chosen.settings.index_base);
    let progress = Progress::new(chosen.settings.quiet);
    progress.fetching(&repository.name);
    let waits = || progress.waiting(&repository.name);
    let update = clones.update(url, reference.as_deref(), waits);
    progress.finish();
    let update = update?;
    let commit = update.commit.get(..12).unwrap_or(&update.commit);
    Ok(match update.fetched {
        Fetched::Cloned | Fetched::Moved | Fetched::Same => None,
        Fetched::Stale(why) => Some(format!("not fetched, so this is commit {commit}: {why}")),
    })
}

fn told(repository: &Repository, done: Result<Done>) -> RepositoryReport<stores::Indexed> {
    let about = (repository.name.clone(), repository.url(), repository.commit());
    let indexed = done.map(|(done, published)| stores::Indexed::of(done, published.as_ref()));
    RepositoryReport::of(about, indexed)
}

/// One line for one repository, and what has to be said of it.
fn tell(printer: &mut Printer, name: &str, done: &Result<Done>) -> Outcome<()> {
    match done {
        Ok((done, published)) => {
            output::refreshed(printer, name, done)?;
            let degraded = done.degraded.iter().map(|line| format!("{name}: {line}"));
            let rebuilt = done
                .rebuilt
                .as_ref()
                .map(|why| format!("{name}: the index was built again: {why}"));
            notices::degraded(
                printer,
                None,
                &rebuilt.into_iter().chain(degraded).collect::<Vec<_>>(),
            )?;
            if let Some(published) = published {
                stores::published(printer, published)?;
            }
        }
        Err(error) => output::error(printer, name, error)?,
    }
    printer.finish()
}

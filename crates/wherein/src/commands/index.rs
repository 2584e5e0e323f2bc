//! `wherein index`: bring the index up to date now, or build it anew; of a folder, or of repositories.

mod repositories;
mod targets;

use wherein_engine::{Engine, PublishReport, RefreshReport, Result};
use wherein_wire::Refresh;

use super::meaning::Meaning;
use super::reranker::Reranker;
use super::session::{Purpose, Session};
use super::{published, store};
use crate::cli::IndexArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{Printer, json, notices, report, stores};
use crate::settings::{Flags, Settings, StoreKind};

/// Runs the command.
pub(super) fn run(args: &IndexArgs) -> Outcome<Exit> {
    let flags = Flags::of_common(&args.common)
        .with_model(&args.model)
        .with_embed(&args.embed)
        .with_repositories(&args.repo.file)
        .with_store(&args.store);
    let is_folder = match &args.paths[..] {
        [] => true,
        [path] => path.is_dir(),
        _ => false,
    };
    if args.all || !args.repo.names.is_empty() || !is_folder {
        return repositories::run(args, &flags);
    }
    let common = super::with_root(&args.common, args.paths.first().map(|path| path.as_path()))?;
    let mut session = Session::open(&flags, &common, &[], &[], Purpose::Index)?;
    // Trouble with a server is told before the work, not after it.
    reach(&session)?;
    let done = indexed(&session, args.rebuild)?;
    let published = publish(args, &session)?;
    tell(args, &mut session, done, published.as_ref())?;
    folders_not_repositories(&mut session.printer, args, &session.settings)?;
    Ok(Exit::Found)
}

/// Fails where the collection of the settings cannot be reached.
fn reach(session: &Session) -> Result<()> {
    match published::collection(&session.settings)? {
        Some(collection) => collection.guard().map(drop),
        None => Ok(()),
    }
}

/// Publishes the index of a folder, where indexes are published.
fn publish(args: &IndexArgs, session: &Session) -> Result<Option<PublishReport>> {
    if session.settings.store.kind == StoreKind::Embedded {
        return Ok(None);
    }
    let layout = published::layout(&args.layout)?;
    store::there(session, args.rebuild, layout).map(Some)
}

/// Tells what was done to one folder.
fn tell(
    args: &IndexArgs,
    session: &mut Session,
    done: RefreshReport,
    published: Option<&PublishReport>,
) -> Outcome<()> {
    match published {
        Some(_) if args.json => {
            json::object(&mut session.printer, &stores::Indexed::of(done, published))?;
        }
        Some(published) => {
            report(args, session, done)?;
            stores::published(&mut session.printer, published)?;
        }
        None => drop(report(args, session, done)?),
    }
    session.printer.finish()
}

/// That a folder was indexed where a repository has its name: somebody may have meant that.
fn folders_not_repositories(
    printer: &mut Printer,
    args: &IndexArgs,
    settings: &Settings,
) -> Outcome<()> {
    for path in args.paths.iter().filter(|path| path.is_dir()) {
        if settings.repositories.iter().any(|one| path.as_os_str() == one.name.as_str()) {
            let name = path.display();
            printer
                .aside(&format!("{name} is a folder here; --repo {name} means the repository"))?;
        }
    }
    Ok(())
}

/// Brings the index up to date, or builds it anew.
fn indexed(session: &Session, rebuild: bool) -> Result<RefreshReport> {
    let mut done = match rebuild {
        true => session.rebuild()?,
        false => session.refresh()?,
    };
    if let Meaning::Unusable(why) = &session.meaning {
        done.degraded.push(why.clone());
    }
    if let Reranker::Unusable(why) = &session.reranker {
        done.degraded.push(why.clone());
    }
    Ok(done)
}

/// Tells what was done to one folder.
fn report(args: &IndexArgs, session: &mut Session, done: RefreshReport) -> Outcome<()> {
    if args.json {
        json::object(&mut session.printer, &Refresh::from(done))?;
    } else {
        let model = model_name(session, &done);
        report::refresh(&mut session.printer, &done, model.as_deref())?;
        if let Some(reranker) = touching(session) {
            report::reranker(&mut session.printer, &reranker)?;
        }
        notices::degraded(&mut session.printer, done.rebuilt.as_deref(), &done.degraded)?;
    }
    session.printer.finish()
}

/// The model that embeds only what questions touch, where there is one.
fn touching(session: &Session) -> Option<String> {
    let name = session.reranker.model()?.identity().name.clone();
    let proposes = session.meaning.embedder().is_some_and(|model| model.identity().name == name);
    (!proposes).then_some(name)
}

/// The model that vectors are of, where any are in play.
fn model_name(session: &Session, done: &RefreshReport) -> Option<String> {
    let kept = || Engine::indexed_model(&session.settings.index_base, &session.place.root);
    match session.meaning.embedder() {
        Some(model) => Some(model.identity().name.clone()),
        None if done.n_vectors > 0 => kept().map(|identity| identity.name),
        None => None,
    }
}

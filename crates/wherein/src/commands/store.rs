//! `wherein store`: what a collection has, moving an index there and back, and removing a repository.

use std::sync::Arc;

use wherein_engine::{Collection, Error, ErrorKind, PublishReport, RefreshReport, Result};
use wherein_qdrant::Layout;

use super::published;
use super::session::{Purpose, Session};
use crate::cli::{StoreCommand, StoreMigrateArgs, StoreRemoveArgs, StoreStatusArgs};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::progress::Progress;
use crate::output::{Printer, json, report, stores};
use crate::settings::{Flags, Sources};

/// Runs the command.
pub(super) fn run(command: &StoreCommand) -> Outcome<Exit> {
    match command {
        StoreCommand::Status(args) => status(args),
        StoreCommand::Migrate(args) => migrate(args),
        StoreCommand::Remove(args) => remove(args),
    }
}

fn status(args: &StoreStatusArgs) -> Outcome<Exit> {
    let flags = Flags::of_common(&args.common).with_store(&args.store);
    let settings = Sources::read(&flags)?.before_project()?;
    let collection = published::qdrant(&settings, Layout::default())?;
    let guard = collection.guard()?.ok_or_else(|| no_collection(&collection))?;
    let heads = collection.heads()?;
    let mut printer = Printer::new(&settings);
    match args.json {
        true => json::object(&mut printer, &stores::to_json(&collection.name(), &guard, &heads))?,
        false => stores::status(&mut printer, &collection.name(), &guard, &heads)?,
    }
    printer.finish()?;
    Ok(Exit::Found)
}

fn no_collection(collection: &dyn Collection) -> Error {
    let name = collection.name();
    Error::new(ErrorKind::NotIndexed, format!("there is no collection {name}"))
        .with_hint("publish a repository with: wherein index --store qdrant")
}

fn remove(args: &StoreRemoveArgs) -> Outcome<Exit> {
    let flags = Flags::of_common(&args.common).with_store(&args.store);
    let settings = Sources::read(&flags)?.before_project()?;
    let collection = published::qdrant(&settings, Layout::default())?;
    let missing = || {
        Error::new(
            ErrorKind::NotFound,
            format!("{} has no repository {}", collection.name(), args.name),
        )
        .with_hint("wherein store status lists those that it has")
    };
    collection.guard()?.ok_or_else(|| no_collection(&collection))?;
    // Without a head there may be what a publication or a removal has left that was killed.
    if collection.head(&args.name)?.is_none() && collection.present(&args.name)?.is_empty() {
        return Err(missing().into());
    }
    collection.forget(&args.name)?;
    let mut printer = Printer::new(&settings);
    stores::removed(&mut printer, &args.name)?;
    printer.finish()?;
    Ok(Exit::Found)
}

fn migrate(args: &StoreMigrateArgs) -> Outcome<Exit> {
    let flags = Flags::of_common(&args.common).with_model(&args.model).with_store(&args.store);
    // The folder's index is at one end of either way.
    let purpose = match args.to.as_str() {
        "qdrant" => Purpose::Name,
        "embedded" => Purpose::Look,
        other => {
            return Err(Error::usage(format!("'{other}' is not a store to move to"))
                .with_hint("move to qdrant, or back to embedded")
                .into());
        }
    };
    let mut session = Session::embedded(&flags, &args.common, purpose)?;
    match purpose {
        Purpose::Name => {
            let layout = published::layout(&args.layout)?;
            // What has changed since it was indexed could not be published.
            session.refresh()?;
            let done = there(&session, args.replace, layout)?;
            tell(&mut session.printer, args.json, &done)?;
        }
        _ => {
            let done = back(&session)?;
            match args.json {
                true => json::object(&mut session.printer, &wherein_wire::Refresh::from(done))?,
                false => report::refresh(&mut session.printer, &done, None)?,
            }
        }
    }
    session.printer.finish()?;
    Ok(Exit::Found)
}

/// What was published, for people or programs.
pub(super) fn tell(printer: &mut Printer, as_json: bool, done: &PublishReport) -> Outcome<()> {
    match as_json {
        true => json::object(printer, &stores::report_to_json(done)),
        false => stores::published(printer, done),
    }
}

/// Publishes the index of a session.
pub(super) fn there(session: &Session, replace: bool, layout: Layout) -> Result<PublishReport> {
    let Session { settings, place, engine, .. } = session;
    let collection = published::qdrant(settings, layout)?;
    let options = published::publishing(&collection, &place.root, settings, replace)?;
    let progress = Progress::new(settings.quiet);
    let done = engine.publish(&collection, &options, &|event| progress.event(event));
    progress.finish();
    done
}

fn back(session: &Session) -> Result<RefreshReport> {
    let Session { settings, place, engine, .. } = session;
    let collection = Arc::new(published::qdrant(settings, Layout::default())?);
    let name = published::name(&place.root, settings);
    let options = published::options(collection, name, settings)?;
    let progress = Progress::new(settings.quiet);
    let done = engine.restore(&options, &|event| progress.event(event));
    progress.finish();
    done
}

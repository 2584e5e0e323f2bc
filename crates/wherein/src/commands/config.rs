//! `wherein config`: the settings in force and, with `--origin`, where each comes from.

use super::session::find_place;
use crate::cli::ConfigArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{Printer, report, repositories};
use crate::settings::{Flags, Sources};

/// Runs the command.
pub(super) fn run(args: &ConfigArgs) -> Outcome<Exit> {
    let flags = Flags::of_common(&args.common)
        .with_model(&args.model)
        .with_embed(&args.embed)
        .with_repositories(&args.repositories);
    let sources = Sources::read(&flags)?;
    let early = sources.before_project()?;
    // Settings can be shown in folders that would not be searched, such as the home folder.
    let settings = match find_place(&args.common, &[], &[], &early) {
        Ok(place) => sources.for_root(&place.root)?,
        Err(error) if args.common.root.is_some() => return Err(error.into()),
        Err(_) => early,
    };
    let mut printer = Printer::new(&settings);
    report::settings(&mut printer, &settings, args.origin)?;
    repositories::declared(&mut printer, &settings.repositories, args.origin)?;
    printer.finish()?;
    Ok(Exit::Found)
}

//! `wherein index`: bring the index up to date now, or build it anew.

use wherein_wire::Refresh;

use super::session::Session;
use crate::cli::IndexArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::{json, notices, report};
use crate::settings::Flags;

/// Runs the command.
pub(super) fn run(args: &IndexArgs) -> Outcome<Exit> {
    let flags = Flags::of_common(&args.common);
    let common = super::with_root(&args.common, args.path.as_deref())?;
    let mut session = Session::open(&flags, &common, &[], &[])?;
    let done = match args.rebuild {
        true => session.rebuild()?,
        false => session.refresh()?,
    };
    if args.json {
        json::object(&mut session.printer, &Refresh::from(done))?;
    } else {
        report::refresh(&mut session.printer, &done)?;
        notices::degraded(&mut session.printer, done.rebuilt.as_deref(), &done.degraded)?;
    }
    session.printer.finish()?;
    Ok(Exit::Found)
}

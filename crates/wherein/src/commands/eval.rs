//! `wherein eval`: search quality on questions with known answers.

use wherein_engine::{Error, ErrorKind};

use crate::cli::EvalArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::Printer;
use crate::output::progress::Progress;
use crate::settings::{Flags, Settings, Sources};

/// Runs the command.
pub(super) fn run(args: &EvalArgs) -> Outcome<Exit> {
    if let Some(model) = &args.model {
        return Err(Error::usage(format!("there is no model '{model}'"))
            .with_hint("this version ranks by words alone; leave --model out")
            .into());
    }
    let flags = Flags::of_common(&args.common).with_mode(args.mode.as_ref());
    let settings = Sources::read(&flags)?.before_project()?;
    let report = judge(args, &settings)?;
    let mut printer = Printer::new(&settings);
    let text = if args.json { report.to_json().to_string() } else { report.to_text() };
    writeln!(printer.out(), "{}", text.trim_end())?;
    printer.finish()?;
    Ok(Exit::Found)
}

/// The one call of the judge.
fn judge(args: &EvalArgs, settings: &Settings) -> Result<wherein_eval::Report, Error> {
    let options = wherein_eval::EvalOptions {
        suite: args.suite.clone(),
        checkouts: args.checkouts.clone(),
        index_base: settings.index_base.clone(),
        mode: settings.mode,
        profile: settings.profile,
        paths: args.paths.clone(),
        results: args.results.clone(),
    };
    let progress = Progress::new(settings.quiet || args.json);
    let report = wherein_eval::run(&options, &|done, total| progress.count(done, total));
    progress.finish();
    report.map_err(|error| match (&error, error.hint()) {
        (wherein_eval::Error::Engine { source, .. }, _) => source.clone(),
        (_, Some(hint)) => Error::new(ErrorKind::Usage, error.message()).with_hint(hint),
        (_, None) => Error::new(ErrorKind::Usage, error.message()),
    })
}

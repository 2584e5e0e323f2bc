//! `wherein eval`: search quality on questions with known answers.

use wherein_engine::{Error, ErrorKind, Profile};

use crate::cli::EvalArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::Printer;
use crate::output::progress::Progress;
use crate::settings::{Flags, Settings, Sources};

// Stands in for the crate `wherein_eval` until it is there; delete the line and the module then.
use shim as wherein_eval;

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
    let text = if args.json {
        report.to_json().to_string()
    } else {
        report.to_text()
    };
    writeln!(printer.out(), "{}", text.trim_end())?;
    printer.finish()?;
    Ok(Exit::Found)
}

/// The one call of the judge.
fn judge(args: &EvalArgs, settings: &Settings) -> Result<wherein_eval::Report, Error> {
    let profile = args
        .profile
        .as_deref()
        .map_or(Ok(Profile::default()), str::parse)?;
    let options = wherein_eval::EvalOptions {
        suite: args.suite.clone(),
        checkouts: args.checkouts.clone(),
        index_base: settings.index_base.clone(),
        mode: settings.mode,
        profile,
        paths: args.paths.clone(),
        results: args.results.clone(),
    };
    let progress = Progress::new(settings.quiet || args.json);
    let report = wherein_eval::run(&options, &|done, total| progress.count(done, total));
    progress.finish();
    report.map_err(|error| Error::new(ErrorKind::Usage, error.to_string()))
}

/// The shape of `wherein_eval`.
#[expect(
    dead_code,
    reason = "the crate that it stands in for is built in parallel"
)]
mod shim {
    use std::path::PathBuf;
    use wherein_engine::{Error, Mode, Profile};

    #[derive(Debug)]
    pub(super) struct EvalOptions {
        pub(super) suite: PathBuf,
        pub(super) checkouts: PathBuf,
        pub(super) index_base: PathBuf,
        pub(super) mode: Mode,
        pub(super) profile: Profile,
        pub(super) paths: Vec<String>,
        pub(super) results: Option<PathBuf>,
    }

    #[derive(Debug)]
    pub(super) struct Report;

    impl Report {
        pub(super) fn to_text(&self) -> String {
            String::new()
        }
        pub(super) fn to_json(&self) -> String {
            String::new()
        }
    }

    pub(super) fn run(
        _options: &EvalOptions,
        _progress: &dyn Fn(usize, usize),
    ) -> Result<Report, Error> {
        Err(Error::bug("not built yet"))
    }
}

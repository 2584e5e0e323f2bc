//! Errors as people and programs see them: one line, a hint, and with `--json` the object too.

use clap::error::{ContextKind, ContextValue, ErrorKind as ClapKind};
use wherein_engine::Error;
use wherein_wire::ErrorObject;

use super::printer::{to_stderr, to_stdout};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};

/// Tells the user why a command stopped, and gives the exit status for it.
pub(crate) fn report(failure: &Failure, as_json: bool) -> Exit {
    let Failure::Error(error) = failure else {
        return Exit::Found;
    };
    if as_json && let Ok(object) = serde_json::to_string(&ErrorObject::from(error)) {
        // Standard error still says it when standard output is gone.
        let _ = to_stdout(format!("{object}\n").as_bytes());
    }
    to_stderr(&format!("wherein: {error}"));
    if let Some(hint) = error.hint() {
        to_stderr(&format!("hint: {hint}"));
    }
    Exit::from(error.kind())
}

/// What the argument parser stopped for: help is printed, a mistake becomes a usage error of one line.
pub(crate) fn from_clap(error: &clap::Error) -> Outcome<Exit> {
    if matches!(error.kind(), ClapKind::DisplayHelp | ClapKind::DisplayVersion) {
        // Clap knows whether its stream shows colours.
        error.print()?;
        return Ok(Exit::Found);
    }
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("the arguments make no sense");
    let mut message = first.trim_start_matches("error: ").to_owned();
    if message.ends_with(':') {
        // Missing arguments stand on the lines that follow.
        let rest: Vec<&str> = lines.clone().take_while(|line| !line.starts_with("Usage")).collect();
        message = format!("{message} {}", rest.join(", "));
    }
    let tip = lines.find_map(|line| line.strip_prefix("tip: "));
    let hint = match (tip, error.get(ContextKind::InvalidArg)) {
        (Some(tip), _) => tip.to_owned(),
        (None, Some(ContextValue::String(arg))) => format!("wherein --help explains {arg}"),
        _ => "wherein --help lists what can be given".to_owned(),
    };
    Err(Error::usage(message).with_hint(hint).into())
}

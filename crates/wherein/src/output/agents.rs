//! What was done about coding agents, and what is there: lines for people, JSON for programs.
//!
//! Decides nothing about clients.

use serde::Serialize;

use super::Printer;
use super::text::visible;
use crate::agent::{Client, ClientState, ClientStatus, Done, Scope, Step, Written};
use crate::failure::Outcome;

/// `agent status`.
#[derive(Debug, Serialize)]
pub(crate) struct Status {
    pub(crate) clients: Vec<Row>,
}

/// One client.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    client: String,
    title: &'static str,
    scope: &'static str,
    /// Whether its settings folder is here.
    detected: bool,
    /// The settings file; `null` where the client has none in this scope.
    config: Option<String>,
    /// `installed`, `other command`, `not installed`, `unreadable` or `no such scope`.
    state: &'static str,
    /// The other command, or why the file is unreadable.
    detail: Option<String>,
    /// The file for rules; `null` where the client reads none in this scope.
    rules_file: Option<String>,
    /// Whether our rules are in it.
    rules: bool,
}

impl Row {
    /// The row of a client.
    pub(crate) fn new(status: &ClientStatus, scope: Scope) -> Row {
        let shown = |path: &Option<std::path::PathBuf>| {
            path.as_ref().map(|path| path.display().to_string())
        };
        let (state, detail) = match &status.state {
            _ if status.settings.is_none() => ("no such scope", None),
            ClientState::Installed => ("installed", None),
            ClientState::Other(command) => ("other command", Some(command.clone())),
            ClientState::NotInstalled => ("not installed", None),
            ClientState::Unreadable(why) => ("unreadable", Some(why.clone())),
        };
        Row {
            client: status.client.name(),
            title: status.client.title(),
            scope: scope.name(),
            detected: status.detected,
            config: shown(&status.settings),
            state,
            detail,
            rules_file: shown(&status.rules),
            rules: status.has_rules,
        }
    }

    /// Whether the client starts our server.
    pub(crate) fn is_installed(&self) -> bool {
        self.state == "installed"
    }
}

/// The clients as a table.
pub(crate) fn status(printer: &mut Printer, status: &Status) -> Outcome<()> {
    let head =
        format!("{:<14}  {:<5}  {:<13}  {:<5}  settings", "client", "here", "state", "rules");
    writeln!(printer.out(), "{head}")?;
    let yes = |truth: bool| if truth { "yes" } else { "no" };
    for row in &status.clients {
        let rules = if row.rules_file.is_some() { yes(row.rules) } else { "-" };
        let config = row.config.as_deref().unwrap_or("-");
        let detail = row.detail.as_ref().map(|detail| format!("  ({detail})")).unwrap_or_default();
        let line = format!(
            "{:<14}  {:<5}  {:<13}  {rules:<5}  {config}{detail}",
            row.client,
            yes(row.detected),
            row.state
        );
        writeln!(printer.out(), "{}", visible(&line))?;
    }
    Ok(())
}

/// What a step did.
pub(crate) fn step(
    printer: &mut Printer,
    client: Client,
    step: &Step,
    written: &Written,
) -> Outcome<()> {
    let what = if step.is_rules { "rules" } else { "wherein" };
    let path = step.path.display();
    let told = match step.done {
        Done::Added => format!("added {what} to {path}"),
        Done::Replaced => format!("replaced {what} in {path}"),
        Done::Removed => format!("removed {what} from {path}"),
        Done::Present => format!("{what} already in {path}, nothing changed"),
        Done::Missing => format!("no {what} in {path}, nothing changed"),
    };
    let backup = written.backup.as_ref().map(|backup| format!(" (original: {})", backup.display()));
    let line = format!("{}: {told}{}", client.title(), backup.unwrap_or_default());
    writeln!(printer.out(), "{}", visible(&line))?;
    Ok(())
}

/// What would change in a file.
pub(crate) fn diff(printer: &mut Printer, diff: &str) -> Outcome<()> {
    if !printer.guards() {
        return Ok(printer.out().write_all(diff.as_bytes())?);
    }
    for line in diff.lines() {
        writeln!(printer.out(), "{}", visible(line))?;
    }
    Ok(())
}

/// What to paste, under the client's name where there are several.
pub(crate) fn snippet(printer: &mut Printer, title: Option<&str>, text: &str) -> Outcome<()> {
    if let Some(title) = title {
        writeln!(printer.out(), "{title}:")?;
    }
    Ok(write!(printer.out(), "{text}")?)
}

/// Which clients are here, and how to name them.
pub(crate) fn offer(printer: &mut Printer, detected: &[Client]) -> Outcome<()> {
    if detected.is_empty() {
        writeln!(printer.out(), "No client was found here. Those known:")?;
    } else {
        writeln!(printer.out(), "Found here:")?;
    }
    let listed = if detected.is_empty() { &Client::ALL } else { detected };
    for client in listed {
        writeln!(printer.out(), "  {:<14}  {}", client.name(), client.title())?;
    }
    let first = listed.first().map(|client| client.name()).unwrap_or_default();
    writeln!(printer.out(), "Register with one, several or all that were found:")?;
    writeln!(printer.out(), "  wherein agent install {first}")?;
    writeln!(printer.out(), "  wherein agent install all --rules")?;
    Ok(())
}

/// That clients read their settings when they start.
pub(crate) fn restart(printer: &mut Printer, clients: &[Client]) -> Outcome<()> {
    let what = match clients {
        [client] => client.title(),
        _ => "the clients",
    };
    printer.aside(&format!("restart {what} for the change to be seen"))
}

/// Which clients read no rules from a file in this scope.
pub(crate) fn without_rules(printer: &mut Printer, clients: &[Client]) -> Outcome<()> {
    for client in clients {
        let title = client.title();
        printer.aside(&format!("{title} reads no rules from a file in this scope"))?;
    }
    Ok(())
}

/// That a path of this machine stands in files that others will read.
pub(crate) fn path_is_shared(printer: &mut Printer) -> Outcome<()> {
    printer.aside("the entry names a path of this machine; --command wherein suits a shared file")
}

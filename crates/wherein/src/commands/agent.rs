//! `wherein agent …`: registers the MCP server with coding agents, takes it out again, and tells where it is.
//!
//! What is to be written is planned by `agent`; here clients are chosen, plans are carried out, and all is printed.

use std::io::IsTerminal;

use wherein_engine::{Error, Result};

use crate::agent::{self, Client, Job, Places, Scope, Server, Step};
use crate::cli::{AgentCommand, AgentInstallArgs, AgentStatusArgs, AgentUninstallArgs};
use crate::cli::{ClientArgs, ClientName};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::agents::{self, Row};
use crate::output::{Printer, errors, json};
use crate::settings::{Flags, Sources};

/// Runs the command.
pub(super) fn run(command: &AgentCommand) -> Outcome<Exit> {
    let settings = Sources::read(&Flags::default())?.before_project()?;
    let mut printer = Printer::new(&settings);
    let exit = match command {
        AgentCommand::Install(args) => install(&mut printer, args),
        AgentCommand::Uninstall(args) => uninstall(&mut printer, args),
        AgentCommand::Status(args) => status(&mut printer, args),
    }?;
    printer.finish()?;
    Ok(exit)
}

fn install(printer: &mut Printer, args: &AgentInstallArgs) -> Outcome<Exit> {
    let which = &args.which;
    let server =
        |client| agent::resolve(client, which.program.as_deref(), args.mcp_root.as_deref());
    let places = places_of(which)?;
    if args.print {
        return print(printer, &places, which, server);
    }
    if which.clients.is_empty() {
        return offer(printer, &places);
    }
    let clients = chosen(&places, which)?;
    if clients.is_empty() {
        return Err(nobody_here().into());
    }
    let plan = |client| {
        let server = server(client)?;
        let (rules, force) = (args.rules, args.force);
        let job = Job { client, scope: which.scope, server: &server, rules, force };
        agent::install(&places, &job)
    };
    let exit = each(printer, &clients, args.dry_run, plan)?;
    if args.rules {
        agents::without_rules(printer, &places.without_rules(&clients, which.scope))?;
    }
    let path = clients.first().map(|client| server(*client)).transpose()?;
    let is_path = path.is_some_and(|server| std::path::Path::new(&server.command).is_absolute());
    if which.scope == Scope::Project && is_path {
        agents::path_is_shared(printer)?;
    }
    Ok(exit)
}

fn uninstall(printer: &mut Printer, args: &AgentUninstallArgs) -> Outcome<Exit> {
    let which = &args.which;
    let places = places_of(which)?;
    let mut clients = chosen(&places, which)?;
    if which.clients.contains(&ClientName::All) {
        // A client that is gone may have left our entry behind.
        let others = Client::ALL.into_iter().filter(|client| !clients.contains(client));
        let mut left = Vec::new();
        for client in others {
            let server = agent::resolve(client, which.program.as_deref(), None)?;
            let status = agent::status(&places, client, which.scope, &server);
            left.extend(status.is_left().then_some(client));
        }
        clients.extend(left);
    }
    if clients.is_empty() {
        return Err(nobody_here().into());
    }
    each(printer, &clients, args.dry_run, |client| {
        let server = agent::resolve(client, which.program.as_deref(), None)?;
        let (rules, force) = (true, args.force);
        let job = Job { client, scope: which.scope, server: &server, rules, force };
        agent::uninstall(&places, &job)
    })
}

fn status(printer: &mut Printer, args: &AgentStatusArgs) -> Outcome<Exit> {
    let which = &args.which;
    let places = places_of(which)?;
    let named = named(which);
    let clients = if named.is_empty() { Client::ALL.to_vec() } else { named.clone() };
    let mut rows = Vec::new();
    for client in clients {
        let server = agent::resolve(client, which.program.as_deref(), None)?;
        rows.push(Row::new(&agent::status(&places, client, which.scope, &server), which.scope));
    }
    let is_missing = !named.is_empty() && rows.iter().any(|row| !row.is_installed());
    let status = agents::Status { clients: rows };
    match args.json {
        true => json::object(printer, &status)?,
        false => agents::status(printer, &status)?,
    }
    Ok(if is_missing { Exit::NothingFound } else { Exit::Found })
}

fn places_of(which: &ClientArgs) -> Result<Places> {
    if which.root.is_some() && which.scope != Scope::Project {
        return Err(Error::usage("--root names a project, and the scope is the user's")
            .with_hint("add --scope project, or leave --root out"));
    }
    Places::of_user(which.root.as_deref())
}

/// What to paste, for each client named, or for one that is not known.
fn print(
    printer: &mut Printer,
    places: &Places,
    which: &ClientArgs,
    server: impl Fn(Client) -> Result<Server>,
) -> Outcome<Exit> {
    if which.clients.is_empty() {
        agents::snippet(printer, None, &agent::snippet(None, &server(Client::Cursor)?))?;
        return Ok(Exit::Found);
    }
    let clients = chosen(places, which)?;
    if clients.is_empty() {
        return Err(nobody_here().into());
    }
    let is_one = clients.len() == 1;
    for client in clients {
        let title = (!is_one).then(|| client.title());
        agents::snippet(printer, title, &agent::snippet(Some(client), &server(client)?))?;
    }
    Ok(Exit::Found)
}

/// Nobody was named: somebody who watches is told who could be.
fn offer(printer: &mut Printer, places: &Places) -> Outcome<Exit> {
    let detected = places.all_detected();
    if !std::io::stdout().is_terminal() {
        return Err(Error::usage("no client is named").with_hint(naming(&detected)).into());
    }
    agents::offer(printer, &detected)?;
    Ok(Exit::Found)
}

fn naming(detected: &[Client]) -> String {
    match detected.first() {
        Some(client) => format!("name one, or all: wherein agent install {}", client.name()),
        None => "name one: wherein agent install claude-code".to_owned(),
    }
}

/// The clients named one by one.
fn named(which: &ClientArgs) -> Vec<Client> {
    let mut clients: Vec<Client> = Vec::new();
    for name in &which.clients {
        if let ClientName::One(client) = name
            && !clients.contains(client)
        {
            clients.push(*client);
        }
    }
    clients
}

/// The clients that are meant: those named, and with `all` those that are here, of which there may be none.
fn chosen(places: &Places, which: &ClientArgs) -> Result<Vec<Client>> {
    let mut clients = named(which);
    if which.clients.contains(&ClientName::All) {
        let others = places.all_detected();
        let with_settings = others.into_iter().filter(|client| places.has(*client, which.scope));
        clients.extend(with_settings.filter(|client| !named(which).contains(client)));
    } else if clients.is_empty() {
        return Err(Error::usage("no client is named").with_hint(naming(&places.all_detected())));
    }
    Ok(clients)
}

fn nobody_here() -> Error {
    Error::usage("no client was found here")
        .with_hint("name one; wherein agent status lists those that are known")
}

/// Plans and carries out for each client. One that fails does not stop the others; alone it is the command's error.
fn each(
    printer: &mut Printer,
    clients: &[Client],
    is_dry: bool,
    plan: impl Fn(Client) -> Result<Vec<Step>>,
) -> Outcome<Exit> {
    let (mut has_failed, mut has_changed) = (false, false);
    for client in clients {
        let done = plan(*client).map_err(Into::into).and_then(|steps| {
            has_changed |= steps.iter().any(|step| step.change.is_some());
            steps.iter().try_for_each(|step| carry_out(printer, *client, step, is_dry))
        });
        match done {
            Ok(()) => {}
            Err(failure) if clients.len() == 1 => return Err(failure),
            Err(failure) => {
                printer.finish()?;
                errors::report(&failure, false);
                has_failed = true;
            }
        }
    }
    if has_changed && !is_dry && !has_failed {
        agents::restart(printer, clients)?;
    }
    Ok(if has_failed { Exit::Error } else { Exit::Found })
}

fn carry_out(printer: &mut Printer, client: Client, step: &Step, is_dry: bool) -> Outcome<()> {
    match &step.change {
        Some(change) if is_dry => agents::diff(printer, &agent::unified_diff(change)),
        Some(change) => {
            let written = agent::apply(change)?;
            agents::step(printer, client, step, &written)
        }
        None => agents::step(printer, client, step, &agent::Written::default()),
    }
}

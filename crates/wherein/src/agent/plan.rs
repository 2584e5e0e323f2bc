//! What installing and uninstalling would do for one client, and what is there: decided before anything is written.
//!
//! Reads files and changes none.

use std::fs;
use std::path::PathBuf;

use wherein_engine::{Error, Result};

use super::clients::{Client, NAME, Scope};
use super::command::Server;
use super::edit::{self, Found, Syntax};
use super::file::{self, Target};
use super::places::{Places, RulesPlace};
use super::write::{Change, backups};
use super::{edit_json, edit_toml, rules};

/// What is asked for one client.
#[derive(Debug, Clone)]
pub(crate) struct Job<'s> {
    pub(crate) client: Client,
    pub(crate) scope: Scope,
    pub(crate) server: &'s Server,
    /// Whether rules are written, too.
    pub(crate) rules: bool,
    /// Whether what is not ours may be overwritten or removed.
    pub(crate) force: bool,
}

/// What a step does to its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    Added,
    Replaced,
    Removed,
    /// It is there already.
    Present,
    /// There is nothing of ours to remove.
    Missing,
}

/// One file's part of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// Whether it is about rules, not about the server.
    pub(crate) is_rules: bool,
    pub(crate) done: Done,
    pub(crate) path: PathBuf,
    /// `None` where nothing has to be written.
    pub(crate) change: Option<Change>,
}

/// What is there for a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Status {
    pub(crate) client: Client,
    pub(crate) detected: bool,
    /// `None` where the client has no settings file in this scope.
    pub(crate) settings: Option<PathBuf>,
    pub(crate) state: State,
    pub(crate) rules: Option<PathBuf>,
    pub(crate) has_rules: bool,
}

impl Status {
    /// Whether there is something of ours to take out.
    pub(crate) fn is_left(&self) -> bool {
        self.state == State::Installed || self.has_rules
    }
}

/// What a settings file says about `wherein`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    Installed,
    /// Another command under our name, in full.
    Other(String),
    NotInstalled,
    /// It cannot be read; why.
    Unreadable(String),
}

/// What to do so that the client starts the server.
pub(crate) fn install(places: &Places, job: &Job<'_>) -> Result<Vec<Step>> {
    let rules_place = places.rules(job.client, job.scope).filter(|_| job.rules);
    let mut steps = Vec::new();
    match places.settings(job.client, job.scope) {
        Some(path) => steps.push(install_entry(places, job, path)?),
        None if rules_place.is_none() => return Err(no_project(job.client)),
        None => {}
    }
    if let Some(place) = rules_place {
        steps.push(install_rules(places, job, place)?);
    }
    Ok(steps)
}

/// What to do so that nothing of ours is left with the client.
pub(crate) fn uninstall(places: &Places, job: &Job<'_>) -> Result<Vec<Step>> {
    let rules_place = places.rules(job.client, job.scope);
    let mut steps = Vec::new();
    match places.settings(job.client, job.scope) {
        Some(path) => steps.push(uninstall_entry(places, job, path)?),
        None if rules_place.is_none() => return Err(no_project(job.client)),
        None => {}
    }
    if let Some(place) = rules_place {
        let step = uninstall_rules(places, job, place)?;
        // Who never wrote rules is not told about them.
        steps.extend((step.done != Done::Missing || steps.is_empty()).then_some(step));
    }
    Ok(steps)
}

fn no_project(client: Client) -> Error {
    let title = client.title();
    Error::usage(format!("{title} has no settings of a project"))
        .with_hint("register it for all of yours: --scope user")
}

fn install_entry(places: &Places, job: &Job<'_>, path: PathBuf) -> Result<Step> {
    let target = file::read(&path)?;
    let text = target.text.clone().unwrap_or_default();
    let (syntax, keys) = (job.client.syntax(), job.client.path(&text));
    let entry = job.client.entry(job.server, &text);
    let about = |error| file::about(&path, &error);
    let (done, after) = match edit::find(syntax, &text, keys).map_err(about)? {
        None => (Done::Added, edit::insert(syntax, &text, keys, &entry).map_err(about)?),
        Some(found) if is_wanted(&found, job.server) => {
            return Ok(Step { is_rules: false, done: Done::Present, path, change: None });
        }
        Some(_) if job.force => {
            (Done::Replaced, edit::replace(syntax, &text, keys, &entry).map_err(about)?)
        }
        Some(found) => return Err(taken(&path, &found)),
    };
    let is_kept = is_kept(&target, |text, before| kept_entry(syntax, text, keys, before));
    let base = places.base(job.scope).to_owned();
    let change = Some(Change { target, after: Some(after), is_kept, base });
    Ok(Step { is_rules: false, done, path, change })
}

/// Whether the entry starts our command. More arguments are the user's own, unless others were asked for.
fn is_wanted(found: &Found, server: &Server) -> bool {
    let Some((command, args)) = found.words.split_first() else { return false };
    let has_args = match server.args.len() {
        1 => args.starts_with(&server.args),
        _ => args == server.args,
    };
    has_args && server.is_started_by(command)
}

/// Whether an entry is one that we may take out: whatever `wherein` it starts, wherever that lies.
fn is_ours(found: &Found, server: &Server) -> bool {
    let Some((command, args)) = found.words.split_first() else { return false };
    // Paths of either system, wherever this runs.
    let name = command.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    (name == NAME || server.is_started_by(command)) && args.first().is_some_and(|arg| arg == "mcp")
}

fn taken(path: &std::path::Path, found: &Found) -> Error {
    let words =
        if found.words.is_empty() { "no command".to_owned() } else { found.words.join(" ") };
    Error::usage(format!("{} has another entry called {NAME}: {words}", path.display()))
        .with_hint("--force takes its place (its file is backed up first)")
}

fn uninstall_entry(places: &Places, job: &Job<'_>, path: PathBuf) -> Result<Step> {
    let target = file::read(&path)?;
    let missing = Step { is_rules: false, done: Done::Missing, path: path.clone(), change: None };
    let Some(text) = target.text.clone() else { return Ok(missing) };
    let (syntax, keys) = (job.client.syntax(), job.client.path(&text));
    let about = |error| file::about(&path, &error);
    match edit::find(syntax, &text, keys).map_err(about)? {
        None => return Ok(missing),
        Some(found) if !job.force && !is_ours(&found, job.server) => {
            return Err(taken(&path, &found).with_hint("--force removes it all the same"));
        }
        Some(_) => {}
    }
    let kept = backup_texts(&target.path);
    let after = without_entry(syntax, &text, keys, &kept).map_err(about)?;
    let is_kept = is_kept(&target, |text, before| kept_entry(syntax, text, keys, before));
    let base = places.base(job.scope).to_owned();
    let change = Some(Change { target, after, is_kept, base });
    Ok(Step { is_rules: false, done: Done::Removed, path, change })
}

/// The text without the entry: the original where there is one that lacks nothing else; `None` where the file was ours.
fn without_entry(
    syntax: Syntax,
    text: &str,
    keys: &[&str],
    kept: &[String],
) -> Result<Option<String>> {
    for before in kept {
        if edit::without(syntax, text, keys, Some(before))? == *before {
            return Ok(Some(before.clone()));
        }
    }
    match kept.last() {
        Some(before) => edit::without(syntax, text, keys, Some(before)).map(Some),
        None if edit::without(syntax, text, keys, Some(""))?.is_empty() => Ok(None),
        None => edit::without(syntax, text, keys, None).map(Some),
    }
}

fn kept_entry(syntax: Syntax, text: &str, keys: &[&str], before: &str) -> bool {
    matches!(edit::find(syntax, text, keys), Ok(Some(_)))
        && edit::without(syntax, text, keys, Some(before)).is_ok_and(|bare| bare == before)
}

/// Whether a backup holds all that the user wrote into the file.
fn is_kept(target: &Target, holds: impl Fn(&str, &str) -> bool) -> bool {
    let Some(text) = &target.text else { return true };
    backup_texts(&target.path).iter().any(|before| before == text || holds(text, before))
}

fn backup_texts(path: &std::path::Path) -> Vec<String> {
    backups(path).iter().filter_map(|backup| fs::read_to_string(backup).ok()).collect()
}

fn install_rules(places: &Places, job: &Job<'_>, place: RulesPlace) -> Result<Step> {
    let RulesPlace { path, form } = place;
    let target = file::read(&path)?;
    let text = target.text.as_deref();
    let after = rules::with(text, form, job.force).map_err(|error| file::about(&path, &error))?;
    let done = match text {
        Some(text) if text == after => Done::Present,
        Some(text) if rules::is_in(text) => Done::Replaced,
        _ => Done::Added,
    };
    let is_kept = is_kept(&target, |text, before| {
        rules::without(text, form).is_ok_and(|rest| rest.is_none_or(|rest| rest == before))
    });
    // Old text of ours is no original.
    let is_kept =
        is_kept || text.is_some_and(|text| matches!(rules::without(text, form), Ok(None)));
    let base = places.base(job.scope).to_owned();
    let change = Change { target, after: Some(after), is_kept, base };
    Ok(Step { is_rules: true, done, path, change: (done != Done::Present).then_some(change) })
}

fn uninstall_rules(places: &Places, job: &Job<'_>, place: RulesPlace) -> Result<Step> {
    let RulesPlace { path, form } = place;
    let target = file::read(&path)?;
    let text = target.text.clone().filter(|text| rules::is_in(text));
    let Some(text) = text else {
        return Ok(Step { is_rules: true, done: Done::Missing, path, change: None });
    };
    let rest = rules::without(&text, form).map_err(|error| file::about(&path, &error))?;
    let kept = backup_texts(&target.path);
    // A file that was empty before it was ours is empty again.
    let rest = rest.or_else(|| kept.iter().find(|before| before.is_empty()).cloned());
    let is_kept = rest.is_none() || kept.iter().any(|before| rest.as_ref() == Some(before));
    let base = places.base(job.scope).to_owned();
    let change = Some(Change { target, after: rest, is_kept, base });
    Ok(Step { is_rules: true, done: Done::Removed, path, change })
}

/// What is there for a client.
pub(crate) fn status(places: &Places, client: Client, scope: Scope, server: &Server) -> Status {
    let settings = places.settings(client, scope);
    let state = settings.as_ref().map_or(State::NotInstalled, |path| state(client, path, server));
    let rules = places.rules(client, scope).map(|place| place.path);
    let text = rules.as_ref().and_then(|path| fs::read_to_string(path).ok());
    let has_rules = text.is_some_and(|text| rules::is_in(&text));
    Status { client, detected: places.detected(client), settings, state, rules, has_rules }
}

fn state(client: Client, path: &std::path::Path, server: &Server) -> State {
    let found = file::read(path).and_then(|target| {
        let text = target.text.unwrap_or_default();
        edit::find(client.syntax(), &text, client.path(&text))
            .map_err(|error| file::about(path, &error))
    });
    match found {
        Ok(None) => State::NotInstalled,
        Ok(Some(found)) if is_wanted(&found, server) => State::Installed,
        Ok(Some(found)) => State::Other(found.words.join(" ")),
        Err(error) => State::Unreadable(error.to_string()),
    }
}

/// What to paste into the settings of a client, or of one that is not known.
pub(crate) fn snippet(client: Option<Client>, server: &Server) -> String {
    let client = client.unwrap_or(Client::Cursor);
    let (keys, entry) = (client.path(""), client.entry(server, ""));
    match client.syntax() {
        Syntax::Json => edit_json::snippet(keys, &entry),
        Syntax::Toml => edit_toml::snippet(keys, &entry),
    }
}

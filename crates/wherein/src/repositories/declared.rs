//! `[[repository]]` tables of settings files: read, checked, and merged by name.
//!
//! A project file comes with other people's code: what it declares stays inside its own folder or is fetched from
//! elsewhere, when somebody asks for that. Nothing is looked for here; a path that leads nowhere is told when it is used.

use std::path::{Component, Path, PathBuf};

use wherein_engine::{Error, Result};

use super::Address;
use crate::settings::Origin;

/// The key of the tables in a settings file.
pub(crate) const KEY: &str = "repository";

/// The fields of a table.
const FIELDS: [&str; 6] = ["name", "path", "url", "ref", "root", "exclude"];

/// A repository as settings declare it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    /// What it is asked by.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) source: Source,
    /// The sub-folder that is searched, `/`-separated; empty is all of it.
    pub(crate) root: String,
    /// Patterns of what is left out, relative to what is searched, as `--not-path` takes them.
    pub(crate) exclude: Vec<String>,
    /// Who declared it.
    pub(crate) origin: Origin,
}

/// Where a repository is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A git repository that is cloned: its address, and the branch, tag or commit (the remote's choice without one).
    Remote { url: Address, reference: Option<String> },
}

impl Declared {
    /// A repository that only its address says anything of.
    pub(crate) fn of_address(text: &str, origin: Origin) -> Result<Declared> {
        let url = Address::parse(text)?;
        let name = url.name().to_owned();
        check_name(&name)?;
        let source = Source::Remote { url, reference: None };
        Ok(Declared { name, source, root: String::new(), exclude: Vec::new(), origin })
    }
}

/// Who wrote a file, which decides what it may declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writer {
    /// The user, or whoever the user trusts.
    User,
    /// Anyone.
    Anyone,
}

/// The repositories that the value of [`KEY`] in the settings file `file` declares.
///
/// # Errors
/// One line that names the file and the repository.
pub(crate) fn declared(
    value: toml::Value,
    file: &Path,
    writer: Writer,
    origin: &Origin,
) -> Result<Vec<Declared>> {
    let tables: Vec<toml::Table> = match value {
        toml::Value::Array(items) => {
            items.into_iter().map(|item| item.try_into().ok()).collect::<Option<_>>()
        }
        _ => None,
    }
    .ok_or_else(|| {
        Error::usage(format!("{}: repositories are declared by tables", file.display())).with_hint(
            "write [[repository]] and below it name = \"…\" and path = \"…\" or url = \"…\"",
        )
    })?;
    let mut all: Vec<Declared> = Vec::with_capacity(tables.len());
    for (idx, table) in tables.into_iter().enumerate() {
        let named = table.get("name").and_then(toml::Value::as_str).map(visible);
        let which = named
            .map_or_else(|| format!("repository {}", idx + 1), |n| format!("repository '{n}'"));
        let one = Table { table, file, writer }.declared(origin).map_err(|error| {
            let message = format!("{}: {which}: {error}", file.display());
            let hint = error.hint().unwrap_or("docs/repositories.md shows how they are declared");
            Error::usage(message).with_hint(hint)
        })?;
        if all.iter().any(|known| known.name == one.name) {
            let message = format!("{}: two repositories are called '{}'", file.display(), one.name);
            return Err(Error::usage(message).with_hint("give one of them another name = \"…\""));
        }
        all.push(one);
    }
    Ok(all)
}

/// The repositories of a file that declares nothing else; relative paths are relative to its folder.
pub(crate) fn named_file(text: &str, file: &Path, origin: &Origin) -> Result<Vec<Declared>> {
    let mut table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let what = error.message().lines().next().unwrap_or_default();
        Error::usage(format!("{}: {what}", file.display()))
            .with_hint("files of repositories are TOML: [[repository]] tables")
    })?;
    let value = table.remove(KEY);
    if let Some(name) = table.keys().next() {
        let message = format!("{}: unknown key '{}'", file.display(), visible(name));
        return Err(
            Error::usage(message).with_hint("it holds [[repository]] tables and nothing else")
        );
    }
    value.map_or_else(|| Ok(Vec::new()), |value| declared(value, file, Writer::User, origin))
}

/// One list of several, the strongest last: of two with one name the later one holds. In order of name.
pub(crate) fn merged(lists: &[&[Declared]]) -> Vec<Declared> {
    let all = lists.iter().flat_map(|list| list.iter());
    let by_name: std::collections::BTreeMap<&str, &Declared> =
        all.map(|declared| (declared.name.as_str(), declared)).collect();
    by_name.into_values().cloned().collect()
}

/// One table and where it stands.
struct Table<'f> {
    table: toml::Table,
    file: &'f Path,
    writer: Writer,
}

impl Table<'_> {
    fn declared(&self, origin: &Origin) -> Result<Declared> {
        if let Some(name) = self.table.keys().find(|name| !FIELDS.contains(&name.as_str())) {
            return Err(Error::usage(format!("unknown field '{}'", visible(name)))
                .with_hint(format!("the fields are {}", FIELDS.join(", "))));
        }
        let source = self.source()?;
        let name = match (self.text("name")?, &source) {
            (Some(name), _) => name,
            (None, Source::Remote { url, .. }) => url.name().to_owned(),
            (None, Source::Folder(path)) => {
                path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            }
        };
        check_name(&name)?;
        let root = self.text("root")?.unwrap_or_default();
        let (root, exclude) = (sub_folder(&root)?, self.list("exclude")?);
        Ok(Declared { name, source, root, exclude, origin: origin.clone() })
    }

    fn source(&self) -> Result<Source> {
        let reference = self.text("ref")?;
        match (self.text("path")?, self.text("url")?) {
            (Some(_), None) if reference.is_some() => Err(Error::usage("ref goes with url")
                .with_hint("a folder of this machine is searched as it is; drop ref")),
            (Some(path), None) => self.folder(&path).map(Source::Folder),
            (None, Some(url)) => {
                let url = Address::parse(&url)?;
                if self.writer == Writer::Anyone && !url.allowed_in_project() {
                    return Err(Error::usage(
                        "a project file may name https and ssh addresses only",
                    )
                    .with_hint("declare it in your own settings file"));
                }
                reference.as_deref().map_or(Ok(()), check_reference)?;
                Ok(Source::Remote { url, reference })
            }
            (Some(_), Some(_)) => Err(Error::usage("has both path and url")
                .with_hint("path is a folder of this machine, url is cloned; give one of them")),
            (None, None) => Err(Error::usage("has neither path nor url")
                .with_hint("path is a folder of this machine, url is cloned; give one of them")),
        }
    }

    /// A path as the file has it: `~/` is the home folder, and relative ones begin at the file's folder.
    fn folder(&self, path: &str) -> Result<PathBuf> {
        if path.is_empty() || path.chars().any(char::is_control) {
            return Err(Error::usage("path is no path").with_hint("name a folder"));
        }
        let base = self.file.parent().unwrap_or(Path::new(""));
        if self.writer == Writer::Anyone {
            let inside = sub_folder(path).ok().filter(|_| !path.starts_with('~'));
            return inside.map(|inside| base.join(inside)).ok_or_else(|| {
                Error::usage("a project file may name folders inside the project only")
                    .with_hint("declare it in your own settings file")
            });
        }
        match path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => {
                let home =
                    etcetera::home_dir().map_err(|_| Error::usage("there is no home folder"))?;
                Ok(home.join(rest.trim_start_matches('/')))
            }
            None => Ok(base.join(path)),
        }
    }

    fn text(&self, field: &str) -> Result<Option<String>> {
        match self.table.get(field) {
            None => Ok(None),
            Some(toml::Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(Error::usage(format!("{field} is not text"))
                .with_hint(format!("write {field} = \"…\""))),
        }
    }

    fn list(&self, field: &str) -> Result<Vec<String>> {
        let bad = || {
            Error::usage(format!("{field} is not a list of patterns"))
                .with_hint(format!("write {field} = [\"vendor/\", \"*.min.js\"]"))
        };
        let items = match self.table.get(field) {
            None => return Ok(Vec::new()),
            Some(toml::Value::Array(items)) => items,
            Some(_) => return Err(bad()),
        };
        let texts = items.iter().map(|item| item.as_str().filter(|text| !text.is_empty()));
        texts.map(|text| text.map(str::to_owned)).collect::<Option<_>>().ok_or_else(bad)
    }
}

/// Names stand in output before a colon, in globs, and between commas.
fn check_name(name: &str) -> Result<()> {
    let is_bad = |c: char| c.is_control() || "/\\*?[]{},:".contains(c);
    let reason = if name.is_empty() {
        "it has no name"
    } else if name.chars().count() > 100 {
        "the name has more than 100 characters"
    } else if matches!(name, "." | "..") || name.starts_with('-') || name.trim() != name {
        "the name would be taken for something else"
    } else if name.chars().any(is_bad) {
        "the name has a character that names cannot have"
    } else {
        return Ok(());
    };
    Err(Error::usage(reason).with_hint("give name = \"…\" of letters, digits, '.', '-' and '_'"))
}

/// A branch, tag or commit that git takes for nothing else.
fn check_reference(reference: &str) -> Result<()> {
    let is_bad = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let is_odd = reference.is_empty()
        || reference.starts_with(['-', '+', '/', '.'])
        || reference.ends_with(['/', '.'])
        || ["..", "@{", "//"].iter().any(|part| reference.contains(part));
    if is_odd || reference.chars().any(is_bad) {
        return Err(Error::usage(format!("ref '{}' is no name of git", visible(reference)))
            .with_hint("name a branch, a tag, or a commit by its whole hash"));
    }
    Ok(())
}

/// A folder below another, `/`-separated.
fn sub_folder(text: &str) -> Result<String> {
    let path = Path::new(text);
    let is_inside =
        path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    if !is_inside || text.contains('\\') || text.chars().any(char::is_control) {
        return Err(Error::usage(format!("root '{}' is no folder inside of it", visible(text)))
            .with_hint("name a sub-folder, such as root = \"services/api\""));
    }
    let parts = path.components().filter(|c| matches!(c, Component::Normal(_)));
    Ok(crate::place::slashed(&parts.collect::<PathBuf>()))
}

/// Text of a file for a message of one line.
fn visible(text: &str) -> String {
    text.chars()
        .take(100)
        .flat_map(|c| match c.is_control() {
            true => c.escape_default().collect::<Vec<_>>(),
            false => vec![c],
        })
        .collect()
}

#[cfg(test)]
#[path = "declared_tests.rs"]
mod tests;

//! The parser of each setting, the defaults, and how values are shown.
//!
//! An error names the source of the bad value, because it may stand in a file the user never saw.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use wherein_engine::{EngineOptions, Error, Mode, Profile, Result};

use super::{Key, Origin, Settings};

/// When to do something that depends on the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

impl When {
    fn as_str(self) -> &'static str {
        match self {
            When::Auto => "auto",
            When::Always => "always",
            When::Never => "never",
        }
    }
}

impl FromStr for When {
    type Err = Error;

    fn from_str(text: &str) -> Result<When> {
        [When::Auto, When::Always, When::Never]
            .into_iter()
            .find(|when| when.as_str() == text)
            .ok_or_else(|| {
                Error::usage(format!("'{text}' is not known"))
                    .with_hint("it is auto, always or never")
            })
    }
}

impl Settings {
    /// What holds when nobody says anything.
    pub(super) fn defaults(index_base: Option<PathBuf>) -> Settings {
        Settings {
            mode: Mode::default(),
            limit: None,
            context: 0,
            kinds: Vec::new(),
            languages: Vec::new(),
            not_paths: Vec::new(),
            color: When::Auto,
            hyperlink: When::Auto,
            index_base: index_base.unwrap_or_default(),
            profile: Profile::default(),
            include_sensitive: false,
            max_file_bytes: EngineOptions::MAX_FILE_BYTES,
            threads: None,
            commit_every: EngineOptions::COMMIT_EVERY,
            yes: false,
            no_refresh: false,
            quiet: false,
            origins: BTreeMap::new(),
        }
    }

    /// Takes a value as text; the error of a bad one names its origin.
    pub(super) fn set(&mut self, key: Key, raw: &[OsString], origin: &Origin) -> Result<()> {
        self.parse(key, raw).map_err(|error| {
            let named = Error::new(error.kind(), format!("{} ({origin}): {error}", key.name()));
            match error.hint() {
                Some(hint) => named.with_hint(hint),
                None => named,
            }
        })?;
        self.origins.insert(key, origin.clone());
        Ok(())
    }

    fn parse(&mut self, key: Key, raw: &[OsString]) -> Result<()> {
        match key {
            Key::Mode => self.mode = one(raw)?.parse()?,
            Key::Limit => self.limit = Some(at_least_one(one(raw)?)?),
            Key::Context => self.context = number(one(raw)?)?,
            Key::Kinds => {
                self.kinds = texts(raw)?.into_iter().map(str::parse).collect::<Result<_>>()?;
            }
            Key::Languages => self.languages = owned(raw)?,
            Key::NotPaths => self.not_paths = owned(raw)?,
            Key::Color => self.color = one(raw)?.parse()?,
            Key::Hyperlink => self.hyperlink = one(raw)?.parse()?,
            Key::IndexDir => self.index_base = directory(raw)?,
            Key::Profile => self.profile = one(raw)?.parse()?,
            Key::IncludeSensitive => self.include_sensitive = truth(one(raw)?)?,
            Key::MaxFileSize => self.max_file_bytes = size(one(raw)?)?,
            Key::Threads => self.threads = Some(at_least_one(one(raw)?)?),
            Key::CommitEveryMs => {
                self.commit_every = Duration::from_millis(at_least_one(one(raw)?)? as u64);
            }
            Key::Yes => self.yes = truth(one(raw)?)?,
            Key::NoRefresh => self.no_refresh = truth(one(raw)?)?,
            Key::Quiet => self.quiet = truth(one(raw)?)?,
        }
        Ok(())
    }

    /// Where the value of `key` came from.
    pub(crate) fn origin(&self, key: Key) -> Origin {
        self.origins.get(&key).cloned().unwrap_or(Origin::Default)
    }

    /// The value of `key` as a settings file would hold it.
    pub(crate) fn shown(&self, key: Key) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let list = |items: Vec<&str>| toml::Value::from(items).to_string();
        match key {
            Key::Mode => quoted(self.mode.as_str()),
            Key::Limit => shown_or(self.limit, "10 (all in exact and regex mode)"),
            Key::Context => self.context.to_string(),
            Key::Kinds => list(self.kinds.iter().map(|kind| kind.as_str()).collect()),
            Key::Languages => list(self.languages.iter().map(String::as_str).collect()),
            Key::NotPaths => list(self.not_paths.iter().map(String::as_str).collect()),
            Key::Color => quoted(self.color.as_str()),
            Key::Hyperlink => quoted(self.hyperlink.as_str()),
            Key::IndexDir => quoted(&self.index_base.to_string_lossy()),
            Key::Profile => quoted(self.profile.as_str()),
            Key::IncludeSensitive => self.include_sensitive.to_string(),
            Key::MaxFileSize => self.max_file_bytes.to_string(),
            Key::Threads => shown_or(self.threads, "one per core"),
            Key::CommitEveryMs => self.commit_every.as_millis().to_string(),
            Key::Yes => self.yes.to_string(),
            Key::NoRefresh => self.no_refresh.to_string(),
            Key::Quiet => self.quiet.to_string(),
        }
    }
}

/// A number, or in words what holds without one.
fn shown_or(value: Option<usize>, otherwise: &str) -> String {
    value.map_or_else(|| otherwise.to_owned(), |value| value.to_string())
}

fn text(raw: &OsStr) -> Result<&str> {
    raw.to_str().ok_or_else(|| Error::usage("the value is not UTF-8"))
}

fn texts(raw: &[OsString]) -> Result<Vec<&str>> {
    raw.iter().map(|item| text(item)).collect()
}

fn owned(raw: &[OsString]) -> Result<Vec<String>> {
    Ok(texts(raw)?.into_iter().map(str::to_owned).collect())
}

fn one(raw: &[OsString]) -> Result<&str> {
    match raw {
        [single] => text(single),
        _ => Err(Error::usage("takes one value")),
    }
}

fn directory(raw: &[OsString]) -> Result<PathBuf> {
    match raw {
        [single] if !single.is_empty() => Ok(PathBuf::from(single)),
        _ => Err(Error::usage("takes one folder")),
    }
}

fn number(text: &str) -> Result<usize> {
    text.trim().parse().map_err(|_| {
        Error::usage(format!("'{text}' is not a whole number")).with_hint("give digits, such as 10")
    })
}

fn at_least_one(text: &str) -> Result<usize> {
    match number(text)? {
        0 => Err(Error::usage("0 is too small").with_hint("give a number from 1 up")),
        value => Ok(value),
    }
}

fn truth(text: &str) -> Result<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err(Error::usage(format!("'{text}' is neither true nor false"))),
    }
}

/// A size in bytes: `1000000`, `500K`, `2MB`, `1MiB`. Without an `i`, units are powers of 1000.
fn size(text: &str) -> Result<u64> {
    let bad = || {
        Error::usage(format!("'{text}' is not a size"))
            .with_hint("sizes read 1000000, 500K, 2MB or 1MiB")
    };
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor: u64 = match &lower[digits.len()..] {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(bad()),
    };
    let count: u64 = digits.trim().parse().map_err(|_| bad())?;
    count.checked_mul(factor).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("1000000").unwrap(), 1_000_000);
        assert_eq!(size("500K").unwrap(), 500_000);
        assert_eq!(size("2 MB").unwrap(), 2_000_000);
        assert_eq!(size("1MiB").unwrap(), 1_048_576);
        for bad in ["", "x", "1X", "-1", "99999999999999999999", "99999999999G"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn zero_results_are_refused_with_a_hint() {
        let error = at_least_one("0").unwrap_err();
        assert!(error.hint().is_some());
        assert!(at_least_one("-3").is_err());
        assert_eq!(at_least_one("7").unwrap(), 7);
    }

    #[test]
    fn truth_has_several_spellings() {
        assert!(truth("Yes").unwrap());
        assert!(!truth("0").unwrap());
        assert!(truth("maybe").is_err());
    }
}

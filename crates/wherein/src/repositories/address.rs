//! Addresses of git repositories: which ones git may be handed, and how they are shown.
//!
//! An address may come with other people's code, and git has forms of it that run programs (`ext::`, hosts and users
//! that read as flags). Only forms that are known to fetch pass; a password never leaves here but to git.

use wherein_engine::{Error, Result};

/// The address of a repository that git can fetch.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Address {
    raw: String,
    scheme: Scheme,
}

/// How a repository is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    Https,
    Http,
    Ssh,
    Git,
    /// `file://`: a repository on this machine, cloned all the same.
    File,
}

impl Scheme {
    const ALL: [Scheme; 5] = [Scheme::Https, Scheme::Http, Scheme::Ssh, Scheme::Git, Scheme::File];

    /// As addresses begin, and as git's list of allowed protocols has it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Scheme::Https => "https",
            Scheme::Http => "http",
            Scheme::Ssh => "ssh",
            Scheme::Git => "git",
            Scheme::File => "file",
        }
    }

    /// Whether other people's settings may name such an address: nothing on this machine, nothing that anybody on the
    /// way can change.
    fn allowed_in_project(self) -> bool {
        matches!(self, Scheme::Https | Scheme::Ssh)
    }
}

impl Address {
    /// Takes an address as it was written.
    ///
    /// # Errors
    /// What git could take for a flag or for a program to run, and what is no address.
    pub(crate) fn parse(text: &str) -> Result<Address> {
        if text.is_empty() || text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(bad(text, "is no address of a git repository"));
        }
        if text.starts_with('-') || has_helper(text) {
            return Err(bad(text, "is no address that is safe to fetch from"));
        }
        let scheme = match text.split_once("://") {
            Some((name, rest)) => of_url(text, name, rest)?,
            None => of_short_form(text)?,
        };
        Ok(Address { raw: text.to_owned(), scheme })
    }

    /// Whether `text` was meant as an address, a good one or not, rather than as a name or a path.
    pub(crate) fn is_meant(text: &str) -> bool {
        let is_drive =
            text.as_bytes().get(1) == Some(&b':') && text.as_bytes()[0].is_ascii_alphabetic();
        let before_slash = text.split('/').next().unwrap_or_default();
        text.contains("://") || (!is_drive && before_slash.contains(':'))
    }

    /// As git takes it, with whatever secret stands in it.
    pub(super) fn raw(&self) -> &str {
        &self.raw
    }

    pub(super) fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Whether other people's settings may name it.
    pub(super) fn allowed_in_project(&self) -> bool {
        self.scheme.allowed_in_project()
    }

    /// Without user and password, where those are a secret: what may be printed and kept.
    pub(crate) fn shown(&self) -> String {
        let Some((scheme, rest)) = self.raw.split_once("://") else {
            return self.raw.clone();
        };
        let (authority, path) = split_authority(rest);
        let host = authority.rsplit('@').next().unwrap_or(authority);
        let user = authority.strip_suffix(host).unwrap_or_default().trim_end_matches('@');
        match user.split(':').next().filter(|user| self.scheme == Scheme::Ssh && !user.is_empty()) {
            Some(user) => format!("{scheme}://{user}@{host}{path}"),
            None => format!("{scheme}://{host}{path}"),
        }
    }

    /// Host and path: the same for every way to reach it.
    pub(crate) fn place(&self) -> String {
        let shown = self.shown();
        let rest = match shown.split_once("://") {
            Some((_, rest)) => rest.to_owned(),
            None => shown.replacen(':', "/", 1),
        };
        let (authority, path) = split_authority(&rest);
        let host = authority.rsplit('@').next().unwrap_or(authority);
        let place = format!("{host}{path}");
        let place = place.trim_end_matches('/');
        place.strip_suffix(".git").unwrap_or(place).to_owned()
    }

    /// `text` of git without the secret that may stand in this address.
    pub(super) fn redacted(&self, text: &str) -> String {
        let shown = self.shown();
        let text = text.replace(&self.raw, &shown);
        let Some((_, rest)) = self.raw.split_once("://") else {
            return text;
        };
        match split_authority(rest).0.rsplit_once('@') {
            // Git may print a part of the address; a bare user of ssh is no secret.
            Some((user, _)) if self.scheme != Scheme::Ssh || user.contains(':') => {
                text.replace(&format!("{user}@"), "").replace(user, "…")
            }
            _ => text,
        }
    }

    /// The last part of its path without `.git`.
    pub(crate) fn name(&self) -> &str {
        let path = self.raw.trim_end_matches('/');
        let last = path.rsplit(['/', ':']).next().unwrap_or(path);
        last.strip_suffix(".git").unwrap_or(last)
    }
}

/// A password must not reach a log through a derived form.
impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown())
    }
}

/// `scheme://authority/path`.
fn of_url(text: &str, name: &str, rest: &str) -> Result<Scheme> {
    let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.as_str() == name);
    let scheme = scheme.ok_or_else(|| bad(text, "has a kind that is not fetched from"))?;
    let (authority, path) = split_authority(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let has_host = !host.is_empty() || scheme == Scheme::File;
    if !has_host || path.trim_matches('/').is_empty() {
        return Err(bad(text, "names no repository"));
    }
    // Git hands user and host to ssh, which would take them for flags.
    if authority.starts_with('-') || host.starts_with('-') {
        return Err(bad(text, "is no address that is safe to fetch from"));
    }
    Ok(scheme)
}

/// `[user@]host:path`, as ssh has it.
fn of_short_form(text: &str) -> Result<Scheme> {
    let (authority, path) = match text.split_once(':') {
        Some((authority, path)) if !authority.contains('/') => (authority, path),
        _ => return Err(bad(text, "is no address of a git repository")),
    };
    let host = authority.rsplit('@').next().unwrap_or(authority);
    if host.chars().count() < 2 || path.is_empty() {
        return Err(bad(text, "is no address of a git repository"));
    }
    if host.starts_with('-') || path.starts_with('-') {
        return Err(bad(text, "is no address that is safe to fetch from"));
    }
    Ok(Scheme::Ssh)
}

/// `helper::rest` hands the rest to a program of that name; an address in brackets has `::`, too.
fn has_helper(text: &str) -> bool {
    text.split_once("::").is_some_and(|(before, _)| !before.contains(['/', '[']))
}

fn split_authority(rest: &str) -> (&str, &str) {
    rest.split_at(rest.find('/').unwrap_or(rest.len()))
}

/// The address is not repeated where it is doubtful: there may be a password in it.
fn bad(text: &str, what: &str) -> Error {
    let is_secret = text.contains('@') && text.contains("://");
    let shown = match is_secret {
        true => "the address".to_owned(),
        // One line, whatever stands in a stranger's file.
        false => format!("'{}'", text.chars().take(200).collect::<String>().escape_debug()),
    };
    Error::usage(format!("{shown} {what}")).with_hint(
        "addresses read https://host/owner/name.git, ssh://git@host/name or git@host:owner/name; a folder of this machine is a path",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_addresses_pass_and_name_their_repository() {
        for (text, name) in [
            ("https://github.com/psf/requests", "requests"),
            ("https://github.com/psf/requests.git/", "requests"),
            ("git@github.com:psf/requests.git", "requests"),
            ("host:requests", "requests"),
            ("ssh://git@host:2222/srv/a.b.git", "a.b"),
            ("file:///srv/git/a", "a"),
            ("https://[::1]:8080/a/b", "b"),
        ] {
            assert!(Address::is_meant(text), "{text}");
            assert_eq!(Address::parse(text).unwrap().name(), name, "{text}");
        }
    }

    #[test]
    fn one_place_has_many_addresses() {
        for text in [
            "https://host.org/team/api.git",
            "https://somebody:secret@host.org/team/api",
            "http://host.org/team/api.git/",
            "ssh://git@host.org/team/api.git",
            "git@host.org:team/api.git",
        ] {
            assert_eq!(Address::parse(text).unwrap().place(), "host.org/team/api", "{text}");
        }
        for text in ["https://host.org/@team/api", "git@host.org:@team/api.git"] {
            assert_eq!(Address::parse(text).unwrap().place(), "host.org/@team/api", "{text}");
        }
    }

    #[test]
    fn what_git_would_run_or_take_for_a_flag_is_refused() {
        for text in [
            "ext::sh -c touch% /tmp/x",
            "ext::sh",
            "fd::17",
            "-u",
            "--upload-pack=touch",
            "ssh://-oProxyCommand=touch/x",
            "ssh://-l@host/x",
            "-oProxyCommand=x:path",
            "git@-oProxyCommand=x:path",
            "host:-x",
            "https://host/a\nb",
            "https://",
            "https://host",
            "ftp://host/x",
            "HTTPS://host/x",
            "C:/src/a",
            "../a",
            "a",
            "",
        ] {
            let error = Address::parse(text).unwrap_err();
            assert!(error.hint().is_some(), "{text}");
            assert!(!error.to_string().contains('\n'), "{text}");
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        let address = Address::parse("https://me:hunter2@host/a/b.git").unwrap();
        assert_eq!(address.shown(), "https://host/a/b.git");
        assert_eq!(format!("{address:?}"), "https://host/a/b.git");
        let said = address.redacted("fatal: unable to access 'https://me:hunter2@host/a/b.git/'");
        assert_eq!(said, "fatal: unable to access 'https://host/a/b.git/'");
        assert!(!address.redacted("host me:hunter2 unknown").contains("hunter2"));
        let ssh = Address::parse("ssh://git:hunter2@host/a").unwrap();
        assert_eq!(ssh.shown(), "ssh://git@host/a");
        let error = Address::parse("https://me:hunter2@").unwrap_err();
        assert!(!error.to_string().contains("hunter2"));
    }
}

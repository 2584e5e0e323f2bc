//! Which repositories a command means: names, globs of names, addresses.
//!
//! Looks at the list alone; whether a repository is here is found out when it is used.

use wherein_engine::{Error, Result};

use super::{Address, Declared};
use crate::settings::Origin;

/// The repositories that `words` mean, each once, in order of name.
///
/// # Errors
/// A word that means none, and two different repositories of one name.
pub(crate) fn choose(words: &[String], declared: &[Declared]) -> Result<Vec<Declared>> {
    let mut chosen: Vec<Declared> = Vec::new();
    for word in words {
        let meant = find(word, declared)?;
        if meant.is_empty() {
            return Err(unknown(word, declared));
        }
        for one in meant {
            match chosen.iter().find(|known| known.name == one.name) {
                Some(known) if *known == one => {}
                Some(_) => {
                    return Err(Error::usage(format!(
                        "two repositories are called '{}'",
                        one.name
                    ))
                    .with_hint("declare them in a settings file with name = \"…\""));
                }
                None => chosen.push(one),
            }
        }
    }
    chosen.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(chosen)
}

/// Every declared repository.
///
/// # Errors
/// Where there is none.
pub(crate) fn choose_all(declared: &[Declared]) -> Result<Vec<Declared>> {
    if declared.is_empty() {
        return Err(Error::usage("no repository is declared").with_hint(how()));
    }
    Ok(declared.to_vec())
}

/// What one word means; nothing where it is neither a name, a glob that fits one, nor an address.
pub(crate) fn find(word: &str, declared: &[Declared]) -> Result<Vec<Declared>> {
    if let Some(one) = declared.iter().find(|one| one.name == word) {
        return Ok(vec![one.clone()]);
    }
    if Address::is_meant(word) {
        return Ok(vec![Declared::of_address(word, Origin::Flag("address"))?]);
    }
    if !word.contains(['*', '?']) {
        return Ok(Vec::new());
    }
    let pattern: Vec<char> = word.chars().collect();
    let fits = |one: &&Declared| is_like(&pattern, &one.name.chars().collect::<Vec<_>>());
    Ok(declared.iter().filter(fits).cloned().collect())
}

fn unknown(word: &str, declared: &[Declared]) -> Error {
    let error = Error::usage(format!("no repository is called '{word}'"));
    let likeness = |one: &&Declared| strsim::jaro_winkler(&one.name, word);
    let nearest = declared
        .iter()
        .max_by(|left, right| likeness(left).total_cmp(&likeness(right)))
        .filter(|one| likeness(one) > 0.7);
    let names = || declared.iter().take(12).map(|one| one.name.as_str()).collect::<Vec<_>>();
    match (nearest, declared.len()) {
        (_, 0) => error.with_hint(how()),
        (Some(one), _) => error.with_hint(format!("did you mean {}?", one.name)),
        (None, 1..=12) => error.with_hint(format!("these are declared: {}", names().join(", "))),
        (None, n) => error.with_hint(format!(
            "{n} are declared, among them {}; wherein config shows all",
            names().join(", ")
        )),
    }
}

fn how() -> String {
    "declare repositories in your settings file: [[repository]] with path = \"…\" or url = \"…\""
        .to_owned()
}

/// Whether `text` fits a pattern in which `*` stands for any characters and `?` for one.
fn is_like(pattern: &[char], text: &[char]) -> bool {
    let (mut at, mut star) = ((0, 0), None);
    while at.1 < text.len() {
        match pattern.get(at.0) {
            Some('*') => {
                star = Some(at);
                at.0 += 1;
            }
            Some(c) if *c == '?' || *c == text[at.1] => at = (at.0 + 1, at.1 + 1),
            // The last star takes one character more.
            _ => match star {
                Some((p, t)) => {
                    star = Some((p, t + 1));
                    at = (p + 1, t + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at.0..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repositories::Source;

    fn declared(names: &[&str]) -> Vec<Declared> {
        let one = |name: &&str| Declared {
            name: (*name).to_owned(),
            source: Source::Folder(format!("/srv/{name}").into()),
            root: String::new(),
            exclude: Vec::new(),
            origin: Origin::Default,
        };
        names.iter().map(one).collect()
    }

    fn names(words: &[&str], of: &[&str]) -> Result<Vec<String>> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Ok(choose(&words, &declared(of))?.into_iter().map(|one| one.name).collect())
    }

    #[test]
    fn names_and_globs_mean_each_once_in_order() {
        let all = ["api", "team-a", "team-b", "web"];
        assert_eq!(names(&["web", "team-*", "team-b"], &all).unwrap(), ["team-a", "team-b", "web"]);
        assert_eq!(names(&["*"], &all).unwrap(), all);
        assert_eq!(names(&["?pi"], &all).unwrap(), ["api"]);
        assert_eq!(names(&["*a*"], &all).unwrap(), ["api", "team-a", "team-b"]);
    }

    #[test]
    fn a_word_that_means_nothing_says_what_there_is() {
        let hint = |words: &[&str], of: &[&str]| {
            names(words, of).unwrap_err().hint().unwrap_or_default().to_owned()
        };
        assert_eq!(hint(&["apy"], &["api", "web"]), "did you mean api?");
        assert_eq!(hint(&["zzz"], &["api", "web"]), "these are declared: api, web");
        assert!(hint(&["x*"], &["api"]).contains("api"));
        assert!(hint(&["api"], &[]).contains("[[repository]]"));
    }

    #[test]
    fn an_address_is_a_repository_of_its_own() {
        assert_eq!(names(&["https://host/a/b.git"], &["api"]).unwrap(), ["b"]);
        assert!(names(&["https://host/a/api"], &["api"]).is_ok());
        assert!(names(&["https://host/a/api", "api"], &["api"]).is_err());
        assert!(names(&["ext::sh"], &["api"]).is_err());
    }
}

//! A question file to fill in: two worked examples, with what to write where.
//!
//! JSON has no comments, so advice stands under `about` and `how`, keys that are never read. An entry says
//! `"example": true` until it is replaced, and is refused while it does. Nothing here knows the tree.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::error::{Error, Result};

/// The file's text; `@NAME@` stands for the repository's name without quotes.
const TEMPLATE: &str = include_str!("template.json");

/// Writes a question file for the repository `repo`, over an old one only when told to.
///
/// # Errors
/// [`Error::Exists`] where there is such a file, [`Error::Io`] when it cannot be written.
pub fn write_template(path: &Path, repo: &str, overwrite: bool) -> Result<()> {
    let io = |action| move |source| Error::Io { action, path: path.to_owned(), source };
    let mut open = OpenOptions::new();
    open.write(true);
    match overwrite {
        true => open.create(true).truncate(true),
        false => open.create_new(true),
    };
    let mut file = match open.open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(Error::Exists { path: path.to_owned() });
        }
        opened => opened.map_err(io("create"))?,
    };
    file.write_all(template(repo).as_bytes()).map_err(io("write"))
}

/// The template with the repository's name in it.
fn template(repo: &str) -> String {
    let quoted = serde_json::Value::from(repo).to_string();
    TEMPLATE.replace("\r\n", "\n").replace("@NAME@", quoted.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Suite;

    #[test]
    fn an_unfilled_file_names_the_question_to_fill_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("q.json");
        write_template(&path, "od\"d", false).unwrap();
        let error = Suite::read(&path).unwrap_err();
        assert!(error.message().starts_with("question 'od\"d/0' of "), "{error}");
        assert!(error.hint().unwrap().contains("\"example\": true"));
    }

    #[test]
    fn a_filled_file_is_a_suite() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("q.json");
        write_template(&path, "mine", false).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"example\": true", "\"example\": false")).unwrap();
        let suite = Suite::read(&path).unwrap();
        assert_eq!((suite.name.as_str(), suite.repositories[0].name.as_str()), ("mine", "mine"));
        let categories: Vec<_> = suite.questions.iter().map(|q| q.category.as_str()).collect();
        assert_eq!(categories, ["concept", "identifier"]);
        assert!(suite.questions.iter().all(|q| q.answers[0].symbol.is_some()));
        assert!(suite.has_grep());
    }

    #[test]
    fn what_exists_is_kept_unless_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("q.json");
        std::fs::write(&path, "work of an hour").unwrap();
        let error = write_template(&path, "r", false).unwrap_err();
        assert!(error.hint().unwrap().contains("--force"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "work of an hour");
        write_template(&path, "r", true).unwrap();
        assert!(std::fs::read_to_string(&path).unwrap().starts_with('{'));
    }
}

//! Reads and writes results files: one line a question, `{"id", "results": [{"path", "start", "end"}]}`.
//!
//! The format is the scoring script's, so that results of any tool can be judged and ours can be judged by
//! others. Nothing here searches or judges.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::suite::Place;

/// The results of each question by its id, best first.
pub type RankedPlaces = BTreeMap<String, Vec<Place>>;

#[derive(Serialize, Deserialize)]
struct Line<'a> {
    id: std::borrow::Cow<'a, str>,
    results: std::borrow::Cow<'a, [Place]>,
}

/// Reads a results file. Blank lines are skipped; of two lines for one question the later counts.
///
/// # Errors
/// When the file cannot be read, or a line is not a results line.
pub fn read_results(path: &Path) -> Result<RankedPlaces> {
    let text = std::fs::read_to_string(path).map_err(|source| io("read", path, source))?;
    let mut ranked = RankedPlaces::new();
    for (idx, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line: Line<'_> =
            serde_json::from_str(text).map_err(|error| Error::MalformedResults {
                path: path.to_owned(),
                line: idx + 1,
                reason: error.to_string(),
            })?;
        ranked.insert(line.id.into_owned(), line.results.into_owned());
    }
    Ok(ranked)
}

/// Writes a results file, one line a question in the order of `ids`; an id without results is left out.
///
/// # Errors
/// When the file cannot be created or written.
pub fn write_results<'a>(
    path: &Path,
    ids: impl IntoIterator<Item = &'a str>,
    ranked: &RankedPlaces,
) -> Result<()> {
    let file = std::fs::File::create(path).map_err(|source| io("create", path, source))?;
    let mut out = BufWriter::new(file);
    for id in ids {
        let Some(results) = ranked.get(id) else {
            continue;
        };
        write_line(&mut out, id, results).map_err(|source| io("write", path, source))?;
    }
    out.flush().map_err(|source| io("write", path, source))
}

fn write_line(out: &mut impl Write, id: &str, results: &[Place]) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, &Line { id: id.into(), results: results.into() })?;
    out.write_all(b"\n")
}

fn io(action: &'static str, path: &Path, source: std::io::Error) -> Error {
    Error::Io { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Lines;

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        let place = |lines| Place::new("odd \"name\".rs", lines);
        let places = vec![place(Some(Lines { start: 1, end: 9 })), place(None)];
        let ranked: RankedPlaces =
            [("q/1".to_owned(), places), ("q/0".to_owned(), Vec::new())].into();
        write_results(&path, ["q/1", "q/0", "q/2"], &ranked).unwrap();
        assert_eq!(read_results(&path).unwrap(), ranked);
        let text = std::fs::read_to_string(&path).unwrap();
        let wanted = concat!(
            r#"{"id":"q/1","results":[{"path":"odd \"name\".rs","start":1,"end":9},"#,
            r#"{"path":"odd \"name\".rs"}]}"#,
            "\n",
            r#"{"id":"q/0","results":[]}"#,
            "\n"
        );
        assert_eq!(text, wanted);
    }

    #[test]
    fn the_later_line_counts_and_a_bad_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.jsonl");
        let twice = "{\"id\": \"q\", \"results\": [{\"path\": \"a\"}]}\n\n{\"id\": \"q\", \"results\": []}\n";
        std::fs::write(&path, twice).unwrap();
        assert!(read_results(&path).unwrap()["q"].is_empty());
        std::fs::write(&path, format!("{twice}{{\"id\": 3}}\n")).unwrap();
        let message = read_results(&path).unwrap_err().message();
        assert!(message.contains("in.jsonl:4 is not a results line"), "{message}");
    }
}

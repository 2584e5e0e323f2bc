//! The texts that a model embeds of a folder, one a chunk.
//!
//! Until the engine hands them out (`Engine::passages`), they are put together from its lines here, cut as the `lines`
//! profile cuts them. It must go when that is there.

use std::collections::BTreeMap;

use wherein_engine::{Mode, Result, SearchRequest};

use super::super::session::Session;

/// Characters of a chunk, and those that two neighbours share.
const CHARACTERS: usize = 2_800;
const OVERLAP: usize = 320;

/// The text of every chunk of the index: path, newline, lines.
pub(super) fn of(session: &Session) -> Result<Vec<String>> {
    let every_line = SearchRequest { mode: Mode::Regex, ..SearchRequest::new("^") };
    let answer = session.engine.search(&every_line)?;
    let mut files: BTreeMap<String, BTreeMap<u32, String>> = BTreeMap::new();
    for hit in answer.hits {
        let lines = files.entry(hit.path).or_default();
        lines.extend(hit.snippet.into_iter().map(|line| (line.number, line.text)));
    }
    let passages = files.into_iter().flat_map(|(path, lines)| {
        let lines: Vec<String> = lines.into_values().collect();
        let texts = chunks(&lines);
        texts.into_iter().map(move |text| format!("{path}\n{text}"))
    });
    Ok(passages.collect())
}

fn chunks(lines: &[String]) -> Vec<String> {
    let length = |line: &String| line.chars().count() + 1;
    let (mut found, mut start) = (Vec::new(), 0);
    while start < lines.len() {
        let (mut end, mut sum) = (start, 0);
        while end < lines.len() && sum < CHARACTERS {
            sum += length(&lines[end]);
            end += 1;
        }
        found.push(lines[start..end].join("\n"));
        if end == lines.len() {
            break;
        }
        let (mut next, mut shared) = (end, 0);
        while next > start && shared < OVERLAP {
            next -= 1;
            shared += length(&lines[next]);
        }
        start = if next > start { next } else { end };
    }
    found.retain(|text| !text.trim().is_empty());
    found
}

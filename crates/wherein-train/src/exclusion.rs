//! What must not be learned from: the content of the suites' repositories, wherever it was copied to.
//!
//! By git's own hash of each file that they ever held, and by runs of lines of what they hold now, so that neither a fork
//! nor a vendored or edited copy slips in. Must not look at names alone.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result};
use rayon::prelude::*;

use crate::git::Git;
use crate::manifest::{Manifest, locate};

/// Lines that are alike by chance are fewer than this in a row.
const RUN_LINES: usize = 6;
/// … or have fewer letters.
const RUN_BYTES: usize = 160;
/// Larger files are data.
const MAX_FILE: usize = 400_000;

/// Hashes of what is excluded.
#[derive(Debug, Default)]
pub(crate) struct Exclusion {
    blobs: HashSet<[u8; 8]>,
    runs: HashSet<u64>,
}

impl Exclusion {
    /// Reads the excluded repositories; each must be there, since what is not seen cannot be excluded.
    pub(crate) fn read(manifest: &Manifest, clones: &Path) -> Result<Exclusion> {
        let parts: Result<Vec<Exclusion>> = manifest
            .excluded
            .par_iter()
            .map(|name| of_repository(&locate(clones, name)?).with_context(|| name.clone()))
            .collect();
        let mut all = Exclusion::default();
        for part in parts? {
            all.blobs.extend(part.blobs);
            all.runs.extend(part.runs);
        }
        Ok(all)
    }

    /// Whether a file of that id is one of theirs.
    pub(crate) fn has_blob(&self, id: &str) -> bool {
        short(id).is_some_and(|id| self.blobs.contains(&id))
    }

    /// Whether a text has a run of lines of theirs.
    pub(crate) fn has_run(&self, text: &str) -> bool {
        let mut found = false;
        runs(text, |hash| found |= self.runs.contains(&hash));
        found
    }

    pub(crate) fn n_blobs(&self) -> usize {
        self.blobs.len()
    }

    pub(crate) fn n_runs(&self) -> usize {
        self.runs.len()
    }
}

fn of_repository(folder: &Path) -> Result<Exclusion> {
    let git = Git::at(folder);
    let mut found = Exclusion::default();
    found.blobs.extend(git.all_blobs()?.iter().filter_map(|id| short(id)));
    let mut blobs = git.blobs()?;
    for blob in git.tree("HEAD")? {
        let Some(bytes) = blobs.read(&blob.id)?.filter(|bytes| bytes.len() <= MAX_FILE) else {
            continue;
        };
        if let Ok(text) = std::str::from_utf8(&bytes) {
            runs(text, |hash| {
                found.runs.insert(hash);
            });
        }
    }
    Ok(found)
}

/// Eight bytes tell a few million ids apart.
fn short(id: &str) -> Option<[u8; 8]> {
    let number = u64::from_str_radix(id.get(..16)?, 16).ok()?;
    Some(number.to_be_bytes())
}

/// Calls `emit` with the hash of each run of lines that is long enough to be no accident.
fn runs(text: &str, mut emit: impl FnMut(u64)) {
    let has_letters = |line: &&str| line.bytes().filter(u8::is_ascii_alphanumeric).count() > 2;
    let lines: Vec<&str> = text.lines().map(str::trim).filter(has_letters).collect();
    for run in lines.windows(RUN_LINES) {
        if run.iter().map(|line| line.len()).sum::<usize>() >= RUN_BYTES && !is_licence(run) {
            let mut hasher = blake3::Hasher::new();
            run.iter().for_each(|line| {
                hasher.update(line.as_bytes()).update(b"\n");
            });
            let mut first = [0; 8];
            first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
            emit(u64::from_le_bytes(first));
        }
    }
}

/// Every project of one licence has its lines.
fn is_licence(run: &[&str]) -> bool {
    run.iter().any(|line| {
        let lower = line.to_ascii_lowercase();
        ["copyright", "licen", "warrant", "liab"].iter().any(|word| lower.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "fn parse(input: &str) -> Result<Config> {\n    let mut lines = input.lines();\n    let head = lines.next().ok_or(Error::Empty)?;\n    let (name, value) = head.split_once('=').ok_or(Error::NoSign)?;\n    let value = value.trim_matches('\"').to_owned();\n    Ok(Config { name: name.to_owned(), value })\n}\n";

    #[test]
    fn a_copy_is_known_however_it_is_indented_and_where_it_lies() {
        let mut exclusion = Exclusion::default();
        runs(BODY, |hash| {
            exclusion.runs.insert(hash);
        });
        let moved = format!("// something else\n{}", BODY.replace("    ", "\t\t"));
        assert!(exclusion.has_run(&moved));
        assert!(!exclusion.has_run(&BODY.replace("name", "key")));
        assert!(!exclusion.has_run("}\n}\n}\n}\n}\n}\n}\n"));
    }
}

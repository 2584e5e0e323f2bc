//! Clones → pairs, one file a repository, so that an interrupted run goes on where it stopped.
//!
//! What is excluded is dropped by content, before anything is learned of it. Must not write outside its folder.

mod code;
mod comments;
mod commits;
mod prose;
mod questions;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use wherein_engine::SourceReader;

use crate::exclusion::Exclusion;
use crate::git::Git;
use crate::manifest::{Manifest, Repository, locate};
use crate::pair::{Pair, PairKind};
use crate::random::mix;
use crate::{licence, say};
pub(crate) use code::{doc_lines, question_of_doc};
pub(crate) use questions::subject;

/// Changes when the same clones would give other pairs.
const VERSION: u32 = 1;
/// A repository of which this share of files is excluded is a copy of one that is.
const MAX_EXCLUDED_SHARE: f64 = 0.05;
/// Files read of one repository.
const MAX_FILES: usize = 4000;
/// Larger files are data.
const MAX_BYTES: usize = 400_000;
/// Pairs kept of one repository, by kind.
const fn most(kind: PairKind) -> usize {
    match kind {
        PairKind::Doc => 8000,
        PairKind::Name | PairKind::Inline => 6000,
        PairKind::Test => 4000,
        PairKind::Prose => 2000,
        PairKind::Commit => 9000,
    }
}

/// Extensions of the languages that are learned.
const EXTENSIONS: &[&str] = &[
    "py", "js", "jsx", "mjs", "cjs", "ts", "tsx", "vue", "svelte", "go", "java", "kt", "kts", "rb",
    "rs", "php", "swift", "cs", "c", "h", "cc", "cpp", "hpp", "cxx", "ex", "exs", "hs", "lua",
    "zig", "scala", "sh", "bash", "zsh", "bats", "dart",
];

/// Folders and endings of what others wrote or machines made.
const LEFT_OUT: &[&str] = &[
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "dist",
    "build",
    "generated",
    ".yarn",
    "deps",
    "_vendor",
    "fixture",
    "fixtures",
    "__snapshots__",
    "testdata",
    "data",
    "locale",
    "i18n",
    "minified",
    "target",
    "external",
    "bundled",
];
const LEFT_OUT_ENDINGS: &[&str] =
    &[".min.js", ".pb.go", "_pb2.py", ".d.ts", ".g.dart", ".designer.cs"];

fn is_left_out(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut folders = lower.split('/').rev().skip(1);
    folders.any(|folder| LEFT_OUT.contains(&folder))
        || LEFT_OUT_ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

fn is_learned(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| {
        EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// The language of a file that is known by its path alone.
fn language_of(reader: &mut SourceReader, path: &str) -> Option<String> {
    is_learned(path).then(|| reader.read(path, "").language)
}

/// Where to read and write.
#[derive(Debug)]
pub(crate) struct MineJob {
    pub(crate) manifest: Manifest,
    pub(crate) clones: PathBuf,
    pub(crate) out: PathBuf,
    pub(crate) seed: u64,
}

/// What a repository gave, by kind and by language.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Counts {
    version: u32,
    revision: String,
    pub(crate) kinds: BTreeMap<String, usize>,
    pub(crate) languages: BTreeMap<String, usize>,
    pub(crate) files_excluded: usize,
    pub(crate) pairs_excluded: usize,
}

/// The pairs of a repository.
pub(crate) fn pairs_file(out: &Path, repository: &Repository) -> PathBuf {
    out.join("pairs").join(format!("{}.jsonl", repository.slug()))
}

fn counts_file(out: &Path, repository: &Repository) -> PathBuf {
    out.join("pairs").join(format!("{}.counts.json", repository.slug()))
}

/// The counts of a repository that was mined.
pub(crate) fn counts(out: &Path, repository: &Repository) -> Result<Counts> {
    let path = counts_file(out, repository);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("{} was not mined; run: wherein-train mine", repository.name))?;
    Ok(serde_json::from_str(&text)?)
}

/// Mines every repository of the manifest that was not mined before.
pub(crate) fn mine(job: &MineJob) -> Result<()> {
    std::fs::create_dir_all(job.out.join("pairs"))?;
    let waiting: Vec<&Repository> =
        job.manifest.repository.iter().filter(|r| !is_done(job, r)).collect();
    let gits = open_all(job, &waiting)?;
    if waiting.is_empty() {
        say("everything is mined already");
        return Ok(());
    }
    say(&format!("reading what is excluded: {} repositories", job.manifest.excluded.len()));
    let exclusion = Exclusion::read(&job.manifest, &job.clones)?;
    say(&format!("excluded: {} files, {} runs of lines", exclusion.n_blobs(), exclusion.n_runs()));
    let results: Vec<Result<()>> = waiting
        .par_iter()
        .zip(&gits)
        .map(|(repository, git)| {
            let counts =
                one(job, &exclusion, repository, git).with_context(|| repository.name.clone())?;
            say(&format!(
                "{}: {:?}; left out as excluded: {} files, {} pairs",
                repository.name, counts.kinds, counts.files_excluded, counts.pairs_excluded
            ));
            Ok(())
        })
        .collect();
    results.into_iter().collect()
}

/// The clones, each with the right commit and licence; everything that is wrong is said at once.
fn open_all(job: &MineJob, repositories: &[&Repository]) -> Result<Vec<Git>> {
    let open = |repository: &&Repository| -> Result<Git> {
        let git = Git::at(&locate(&job.clones, &repository.name)?);
        git.check_revision(&repository.revision).with_context(|| repository.name.clone())?;
        licence::check(&git, repository)?;
        Ok(git)
    };
    let (opened, wrong): (Vec<_>, Vec<_>) =
        repositories.iter().map(open).partition(|result| result.is_ok());
    let wrong: Vec<String> =
        wrong.into_iter().filter_map(|r| r.err()).map(|e| format!("{e:#}")).collect();
    ensure!(wrong.is_empty(), "nothing was mined:\n{}", wrong.join("\n"));
    Ok(opened.into_iter().flatten().collect())
}

fn is_done(job: &MineJob, repository: &Repository) -> bool {
    counts(&job.out, repository)
        .is_ok_and(|c| c.version == VERSION && c.revision == repository.revision)
        && pairs_file(&job.out, repository).is_file()
}

/// The pairs of a repository while they are gathered.
struct Gathered<'a> {
    exclusion: &'a Exclusion,
    seen: HashSet<u64>,
    pairs: HashMap<PairKind, Vec<Pair>>,
    n_excluded: usize,
}

impl Gathered<'_> {
    fn add(&mut self, pair: Pair) {
        if pair.question.is_empty() || pair.text.trim().len() < 40 {
            return;
        }
        let start = &pair.text[..pair.text.floor_char_boundary(300)];
        let key = mix(
            0,
            format!("{:?}\0{}\0{start}", pair.kind, pair.question.to_lowercase()).as_bytes(),
        );
        if !self.seen.insert(key) {
            return;
        }
        if self.exclusion.has_run(&pair.text) {
            self.n_excluded += 1;
            return;
        }
        self.pairs.entry(pair.kind).or_default().push(pair);
    }
}

fn one(job: &MineJob, exclusion: &Exclusion, repository: &Repository, git: &Git) -> Result<Counts> {
    let mut gathered =
        Gathered { exclusion, seen: HashSet::new(), pairs: HashMap::new(), n_excluded: 0 };
    let files_excluded = files(job, repository, git, &mut gathered)?;
    commits::mine(git, &repository.revision, &mut |pair| gathered.add(pair))?;
    let mut counts = Counts {
        version: VERSION,
        revision: repository.revision.clone(),
        files_excluded,
        pairs_excluded: gathered.n_excluded,
        ..Counts::default()
    };
    write(job, repository, gathered, &mut counts)?;
    Ok(counts)
}

/// The pairs of the files at the revision; returns how many files were left out as excluded.
fn files(
    job: &MineJob,
    repository: &Repository,
    git: &Git,
    gathered: &mut Gathered<'_>,
) -> Result<usize> {
    let is_page = |path: &str| path.ends_with(".md") && !path.to_lowercase().contains("change");
    let mut tree = git.tree(&repository.revision)?;
    tree.retain(|blob| !is_left_out(&blob.path) && (is_learned(&blob.path) || is_page(&blob.path)));
    let n_all = tree.len();
    tree.retain(|blob| !gathered.exclusion.has_blob(&blob.id));
    let n_excluded = n_all - tree.len();
    ensure!(
        (n_excluded as f64) <= MAX_EXCLUDED_SHARE * n_all as f64,
        "{n_excluded} of {n_all} files are those of excluded repositories: it is a copy of one"
    );
    tree.sort_by_key(|blob| mix(job.seed, blob.path.as_bytes()));
    tree.truncate(MAX_FILES);
    let mut blobs = git.blobs()?;
    let mut reader = SourceReader::default();
    let (mut functions, mut tests) = (Vec::new(), Vec::new());
    for blob in &tree {
        let Some(bytes) = blobs.read(&blob.id)?.filter(|bytes| bytes.len() <= MAX_BYTES) else {
            continue;
        };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if is_page(&blob.path) {
            prose::mine(&blob.path, &text).into_iter().for_each(|pair| gathered.add(pair));
            continue;
        }
        let mined = code::mine(&mut reader, &blob.path, &text);
        mined.pairs.into_iter().for_each(|pair| gathered.add(pair));
        functions.extend(mined.functions);
        tests.extend(mined.tests);
    }
    called(&mut reader, &functions, &tests, gathered);
    Ok(n_excluded)
}

/// Test name → the function that the test calls, where there is one of that name only and the names share a word.
fn called(
    reader: &mut SourceReader,
    functions: &[code::Function],
    tests: &[code::TestCase],
    gathered: &mut Gathered<'_>,
) {
    let mut by_name: HashMap<&str, Option<&code::Function>> = HashMap::new();
    for function in functions {
        let entry = by_name.entry(&function.name);
        entry.and_modify(|known| *known = None).or_insert(Some(function));
    }
    for test in tests {
        let asked: HashSet<String> = test.question.split(' ').map(str::to_lowercase).collect();
        let is_word = |c: char| !(c.is_alphanumeric() || c == '_');
        let names: HashSet<&str> = test.text.split(is_word).collect();
        let mut found: Vec<&code::Function> = names
            .iter()
            .filter_map(|name| *by_name.get(name)?)
            .filter(|function| {
                let words = code::words_of(reader, &function.name);
                let n_shared = words.split(' ').filter(|word| asked.contains(*word)).count();
                n_shared >= 1 && n_shared * 2 >= words.split(' ').count()
            })
            .collect();
        found.sort_by(|a, b| a.head.cmp(&b.head));
        for function in found.into_iter().take(2) {
            gathered.add(Pair {
                kind: PairKind::Test,
                language: test.language.clone(),
                question: test.question.clone(),
                head: function.head.clone(),
                text: function.text.clone(),
            });
        }
    }
}

fn write(
    job: &MineJob,
    repository: &Repository,
    mut gathered: Gathered<'_>,
    counts: &mut Counts,
) -> Result<()> {
    let path = pairs_file(&job.out, repository);
    let unfinished = path.with_extension("part");
    let mut file = BufWriter::new(std::fs::File::create(&unfinished)?);
    for kind in PairKind::ALL {
        let mut pairs = gathered.pairs.remove(&kind).unwrap_or_default();
        pairs.sort_by_cached_key(|pair| {
            mix(job.seed, format!("{}{}", pair.question, pair.text).as_bytes())
        });
        pairs.truncate(most(kind));
        counts.kinds.insert(kind.as_str().to_owned(), pairs.len());
        for pair in pairs {
            *counts.languages.entry(pair.language.clone()).or_default() += 1;
            serde_json::to_writer(&mut file, &pair)?;
            file.write_all(b"\n")?;
        }
    }
    file.flush()?;
    std::fs::rename(&unfinished, &path)?;
    std::fs::write(counts_file(&job.out, repository), serde_json::to_string_pretty(counts)?)?;
    Ok(())
}

#[cfg(test)]
mod tests;

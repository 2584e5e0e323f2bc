//! Questions about the repositories that nothing was learned from, with checkouts to ask them of.
//!
//! Two kinds: subjects of commits, answered by the lines that they changed in files that were still the same, and first
//! sentences of doc comments, answered by the function, in a checkout in which that comment is blank. Weights are chosen on these.

use std::collections::{HashMap, HashSet};
use std::io::BufRead;
use std::path::{Component, Path};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use wherein_engine::{Kind, SourceReader};

use crate::git::{Blob, Git};
use crate::manifest::{Manifest, Repository, locate};
use crate::mine::{doc_lines, question_of_doc, subject};
use crate::random::mix;
use crate::say;

/// How many commits before the revision the checkout lies.
const COMMITS_BACK: usize = 500;
/// Questions of each kind and repository at most.
const MAX_QUESTIONS: usize = 40;
/// Answers of a commit at most: more is about everything.
const MAX_ANSWERS: usize = 8;
/// Larger files are left out of checkouts.
const MAX_BYTES: usize = 1 << 20;

/// A path, its first and its last line.
type Answer = (String, u32, u32);

/// Writes `develop.json` and the folder `develop`.
pub(crate) fn run(manifest: &Manifest, clones: &Path, work: &Path, seed: u64) -> Result<()> {
    let (mut repositories, mut questions) = (Vec::new(), Vec::new());
    for repository in manifest.repository.iter().filter(|r| r.development) {
        let git = Git::at(&locate(clones, &repository.name)?);
        git.check_revision(&repository.revision).with_context(|| repository.name.clone())?;
        let name = repository.name.rsplit('/').next().unwrap_or_default();
        let base = base(&git, repository)?;
        repositories.push(json!({ "name": name, "language": "", "root": "", "revision": base }));
        let n_before = questions.len();
        questions.extend(commits(&git, repository, &base, name)?);
        questions.extend(docs(&git, &base, name, work, seed)?);
        say(&format!("{name}: {} questions", questions.len() - n_before));
    }
    let suite = json!({ "suite": "develop", "repositories": repositories, "questions": questions });
    std::fs::write(work.join("develop.json"), serde_json::to_string_pretty(&suite)?)?;
    Ok(())
}

fn base(git: &Git, repository: &Repository) -> Result<String> {
    let count = format!("-n{COMMITS_BACK}");
    let list = git.output(&["rev-list", "--no-merges", &count, &repository.revision])?;
    Ok(list.lines().last().context("a clone without commits")?.to_owned())
}

fn question(name: &str, idx: usize, category: &str, text: &str, answers: &[Answer]) -> Value {
    let answer = |(path, start, end): &Answer| json!({ "path": path, "start": start, "end": end });
    let answers: Vec<Value> = answers.iter().map(answer).collect();
    json!({
        "id": format!("{name}/{category}/{idx}"), "repo": name, "question": text,
        "category": category, "answers": answers,
    })
}

/// Subjects of commits after `base` whose files were still those of `base`.
fn commits(git: &Git, repository: &Repository, base: &str, name: &str) -> Result<Vec<Value>> {
    let blobs: HashMap<String, String> =
        git.tree(base)?.into_iter().map(|blob| (blob.path, blob.id)).collect();
    let range = format!("{base}..{}", repository.revision);
    let arguments =
        ["log", "-p", "-U0", "--full-index", "--no-merges", "--no-renames", "--no-ext-diff"];
    let more =
        ["--no-textconv", "--no-color", "--diff-filter=M", "--format=%x01%s", "--reverse", &range];
    let arguments: Vec<String> = arguments.iter().chain(&more).map(|s| (*s).to_owned()).collect();
    let (mut child, stream) = git.stream(&arguments)?;
    let mut reader = SourceReader::default();
    let mut found = Vec::new();
    let mut commit = Changes::default();
    for line in stream.split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        if let Some(subject) = line.strip_prefix('\u{1}') {
            let done = std::mem::replace(&mut commit, Changes::of(subject));
            found.extend(done.question(&mut reader));
        } else {
            commit.read(&line, &blobs);
        }
    }
    found.extend(commit.question(&mut reader));
    let _ = child.wait();
    found.truncate(MAX_QUESTIONS);
    let asked = found.iter().zip(0..);
    Ok(asked.map(|((text, answers), idx)| question(name, idx, "commit", text, answers)).collect())
}

/// One commit, line by line.
#[derive(Debug, Default)]
struct Changes {
    subject: String,
    path: String,
    is_same: bool,
    /// Whether it changed a file that had changed before.
    is_stale: bool,
    answers: Vec<Answer>,
}

impl Changes {
    fn of(subject: &str) -> Changes {
        Changes { subject: subject.to_owned(), ..Changes::default() }
    }

    fn read(&mut self, line: &str, blobs: &HashMap<String, String>) {
        if let Some(header) = line.strip_prefix("diff --git ") {
            self.path = header.rsplit_once(" b/").map_or("", |(_, path)| path).to_owned();
        } else if let Some(ids) = line.strip_prefix("index ") {
            let before = ids.split("..").next().unwrap_or_default();
            self.is_same = blobs.get(&self.path).is_some_and(|id| id == before);
            self.is_stale |= !self.is_same;
        } else if let Some(position) = line.strip_prefix("@@ -")
            && self.is_same
        {
            let before = position.split(' ').next().unwrap_or_default();
            let (start, count) = before.split_once(',').unwrap_or((before, "1"));
            if let (Ok(start), Ok(count)) = (start.parse::<u32>(), count.parse::<u32>()) {
                let end = (start + count).saturating_sub(1).max(start);
                self.answers.push((self.path.clone(), start.max(1), end.max(1)));
            }
        }
    }

    fn question(mut self, reader: &mut SourceReader) -> Option<(String, Vec<Answer>)> {
        let text = subject(&self.subject)?;
        let mut is_source = |path: &str| reader.read(path, "").kind == Kind::Source;
        self.answers.retain(|(path, _, _)| is_source(path));
        let fits = !self.is_stale && (1..=MAX_ANSWERS).contains(&self.answers.len());
        fits.then_some((text, self.answers))
    }
}

/// First sentences of doc comments; writes the checkout in which these are blank.
fn docs(git: &Git, base: &str, name: &str, work: &Path, seed: u64) -> Result<Vec<Value>> {
    let folder = work.join("develop").join(name);
    let mut blobs = git.blobs()?;
    let mut reader = SourceReader::default();
    let mut texts: Vec<(Blob, String)> = Vec::new();
    let mut found: Vec<Documented> = Vec::new();
    for blob in git.tree(base)? {
        let Some(bytes) = blobs.read(&blob.id)?.filter(|bytes| bytes.len() <= MAX_BYTES) else {
            continue;
        };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        found.extend(documented(&mut reader, texts.len(), &blob.path, &text));
        texts.push((blob, text));
    }
    found.sort_by_key(|doc| mix(seed, doc.question.as_bytes()));
    let mut asked = HashSet::new();
    found.retain(|doc| asked.insert(doc.question.clone()));
    found.truncate(MAX_QUESTIONS);
    let mut blank: HashMap<usize, HashSet<usize>> = HashMap::new();
    for doc in &found {
        blank.entry(doc.file).or_default().extend(&doc.lines);
    }
    for (idx, (blob, text)) in texts.iter().enumerate() {
        write(&folder, &blob.path, text, blank.get(&idx))?;
    }
    let ask = |(doc, idx): (&Documented, usize)| {
        let answer = (texts[doc.file].0.path.clone(), doc.range.0, doc.range.1);
        question(name, idx, "doc", &doc.question, &[answer])
    };
    Ok(found.iter().zip(0..).map(ask).collect())
}

/// A function with a doc comment.
#[derive(Debug)]
struct Documented {
    file: usize,
    question: String,
    range: (u32, u32),
    /// The lines of the comment, from 0.
    lines: Vec<usize>,
}

fn documented(reader: &mut SourceReader, file: usize, path: &str, text: &str) -> Vec<Documented> {
    let parts = reader.read(path, text);
    if parts.kind != Kind::Source {
        return Vec::new();
    }
    let lines: Vec<&str> = text.lines().collect();
    let of = |part: &wherein_engine::SymbolPart| -> Option<Documented> {
        let symbol = &part.symbol;
        let is_long = symbol.end_line >= symbol.start_line + 4;
        let question = question_of_doc(part).filter(|_| symbol.kind.is_callable() && is_long)?;
        let above = part.top_line as usize - 1..symbol.start_line as usize - 1;
        let lines = above.chain(doc_lines(part, &lines)).collect();
        Some(Documented { file, question, range: (symbol.start_line, symbol.end_line), lines })
    };
    parts.symbols.iter().filter_map(of).collect()
}

fn write(folder: &Path, path: &str, text: &str, blank: Option<&HashSet<usize>>) -> Result<()> {
    let relative = Path::new(path);
    let is_inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
    ensure!(is_inside, "{path} leaves its folder");
    let target = folder.join(relative);
    if let Some(parent) = target.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let Some(blank) = blank else {
        return Ok(std::fs::write(target, text)?);
    };
    let kept = |(idx, line): (usize, &'_ str)| match blank.contains(&idx) {
        true => "\n".to_owned(),
        false => line.to_owned(),
    };
    let text: String = text.split_inclusive('\n').enumerate().map(kept).collect();
    Ok(std::fs::write(target, text)?)
}

//! Files that a question names → files of the index, and the chunks that lie there.
//!
//! A name is compared from its end, at `/` boundaries, so that traces of other machines find their files here. What is only
//! alike (`lib.rs` somewhere else) is no match: a wrong file in front is worse than none. Must not read files.

use std::collections::HashMap;

use super::question::{PlaceMention, Question, QuestionType, is_jvm};
use crate::error::Result;
use crate::model::Candidate;
use crate::store::Generation;

/// Files that one name may mean: `mod.rs` means too many to lead.
const MAX_FILES: usize = 8;
/// Chunks that are put in front.
pub(super) const MAX_LEADING: usize = 10;
/// Of a stack trace the innermost frames lead; the others are found by their words.
const MAX_LEADING_FRAMES: usize = 3;
/// What stands in front of a path that a package or a runtime brought along; behind it the path is relative.
const FOREIGN: &[&str] = &[
    "/site-packages/",
    "/dist-packages/",
    "/node_modules/",
    "/go/pkg/mod/",
    "/usr/local/go/src/",
    "/usr/local/lib/",
    "/usr/lib/",
];
/// The same, with one more folder that says only where it was fetched from.
const FETCHED: &[&str] = &["/rustc/", "/registry/src/", "/git/checkouts/"];

/// What became of the places of a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mentioned {
    /// Position in the file table and line, in the order of the question: of a stack trace the innermost frame first.
    pub(super) files: Vec<(usize, Option<u32>)>,
    /// Names of no file here, as written.
    pub(super) missing: Vec<String>,
}

/// Finds the files that a question names.
pub(super) fn mentioned(generation: &Generation, question: &Question) -> Mentioned {
    if question.places.is_empty() {
        return Mentioned::default();
    }
    let root = generation.manifest.root.rsplit(['/', '\\']).next().unwrap_or("");
    let mut targets: Vec<Target<'_>> = question.places.iter().map(Target::new).collect();
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, target) in targets.iter().enumerate() {
        by_name.entry(target.parts[0].to_ascii_lowercase()).or_default().push(i);
    }
    for (file_idx, entry) in generation.manifest.files.iter().enumerate() {
        let path = entry.path.text.as_str();
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        for i in by_name.get(&name).into_iter().flatten() {
            targets[*i].look_at(file_idx, path, root);
        }
    }
    let mut mentioned = Mentioned::default();
    for target in targets {
        let Some((_, found)) = target.best else {
            if target.mention.is_certain {
                mentioned.missing.push(target.mention.path.clone());
            }
            continue;
        };
        for file_idx in found.into_iter().take(MAX_FILES) {
            let place = (file_idx, target.mention.line);
            // What was read and left out is known, and cannot answer.
            if generation.source_file(file_idx).is_some() && !mentioned.files.contains(&place) {
                mentioned.files.push(place);
            }
        }
    }
    mentioned
}

/// A place that is looked for.
struct Target<'q> {
    mention: &'q PlaceMention,
    /// The parts of its path, last first; never empty.
    parts: Vec<&'q str>,
    is_absolute: bool,
    /// The best match so far with the files that have it.
    best: Option<(Match, Vec<usize>)>,
}

/// How well a file fits, better last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Match {
    degree: Degree,
    n_parts: usize,
    is_exact: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Degree {
    /// The name of a file whose folders say little.
    Name,
    /// The ends of both paths, for two parts and more.
    End,
    /// All of the file's path is the end of what was named.
    File,
    /// All that was named is the end of the file's path, or all but the way to the root.
    Named,
    /// Both are the same.
    Same,
}

impl<'q> Target<'q> {
    fn new(mention: &'q PlaceMention) -> Target<'q> {
        let path = mention.path.as_str();
        let relative = without_foreign(path);
        let parts: Vec<&str> = relative.rsplit('/').filter(|part| !part.is_empty()).collect();
        let is_absolute = relative.len() == path.len() && path.starts_with('/');
        Target {
            mention,
            parts: if parts.is_empty() { vec![path] } else { parts },
            is_absolute,
            best: None,
        }
    }

    fn look_at(&mut self, file_idx: usize, path: &str, root: &str) {
        let Some(found) = self.fit(path, root) else { return };
        match &mut self.best {
            Some((best, files)) if *best == found => files.push(file_idx),
            Some((best, _)) if *best > found => {}
            best => *best = Some((found, vec![file_idx])),
        }
    }

    fn fit(&self, path: &str, root: &str) -> Option<Match> {
        let pairs = || self.parts.iter().zip(path.rsplit('/'));
        let n_parts = pairs().take_while(|(named, here)| named.eq_ignore_ascii_case(here)).count();
        let is_exact = pairs().take(n_parts).all(|(named, here)| *named == here);
        let is_file = n_parts == path.split('/').count();
        let degree = match self.parts.get(n_parts) {
            None if is_file => Degree::Same,
            None => Degree::Named,
            Some(above) if is_file && names_root(above, root) => Degree::Same,
            Some(_) if is_file && self.is_absolute => Degree::File,
            Some(_) if n_parts >= 2 && self.is_absolute => Degree::End,
            // Kotlin and Scala leave out folders of the package.
            Some(_) if n_parts >= 1 && is_jvm(self.parts[0]) => Degree::Name,
            Some(_) => return None,
        };
        Some(Match { degree, n_parts, is_exact })
    }
}

/// Whether a folder is the root by its name; `serde-1.0.2` and `mod@v1.2` are versions of it.
fn names_root(part: &str, root: &str) -> bool {
    let Some(rest) = part.strip_prefix(root).filter(|_| !root.is_empty()) else {
        return false;
    };
    let version = rest.trim_start_matches(['-', '@', 'v']);
    rest.is_empty()
        || (version.len() < rest.len() && version.starts_with(|c: char| c.is_ascii_digit()))
}

/// The path behind the folder that holds packages; all of it where there is none.
fn without_foreign(path: &str) -> &str {
    let behind = |mark: &&str| path.rfind(*mark).map(|at| at + mark.len());
    if let Some(at) = FETCHED.iter().filter_map(behind).max() {
        return path[at..].split_once('/').map_or("", |(_, below)| below);
    }
    FOREIGN.iter().filter_map(behind).max().map_or(path, |at| &path[at..])
}

/// The chunks of the places, first those that come first, where the question is nothing but places or was pasted.
pub(super) fn leading(
    generation: &Generation,
    question: &Question,
    mentioned: &Mentioned,
    accepts: &dyn Fn(usize, u32, u32) -> bool,
) -> Result<Vec<Candidate>> {
    let n_leading = match question.kind {
        QuestionType::Pasted => MAX_LEADING_FRAMES,
        _ if question.is_place() => MAX_LEADING,
        _ => return Ok(Vec::new()),
    };
    let mut leading: Vec<Candidate> = Vec::new();
    for (file_idx, line) in &mentioned.files {
        if question.kind == QuestionType::Pasted
            && !is_sure(generation, mentioned, *file_idx, *line)
        {
            continue;
        }
        for chunk in chunks_at(generation, *file_idx, *line)? {
            let is_new = !leading.iter().any(|known| is_same(known, &chunk));
            if is_new && accepts(*file_idx, chunk.start_line, chunk.end_line) {
                leading.push(chunk);
            }
        }
    }
    leading.truncate(n_leading);
    Ok(leading)
}

/// Puts chunks, of which there are some, in front of both lists. Their scores there are made up, above the first.
pub(super) fn lead(leading: &[Candidate], [by_words, by_meaning]: [&mut Vec<Candidate>; 2]) {
    put_in_front(by_words, leading);
    if !by_meaning.is_empty() {
        put_in_front(by_meaning, leading);
    }
}

/// Whether a frame says which chunk is meant: it has a line, and one file only has its name.
fn is_sure(
    generation: &Generation,
    mentioned: &Mentioned,
    file_idx: usize,
    line: Option<u32>,
) -> bool {
    let name = |idx: usize| {
        let path = generation.source_file(idx).map(|(entry, _)| entry.path.text.as_str());
        path.map(|path| path.rsplit('/').next().unwrap_or(path))
    };
    let is_rival = |(idx, at): &(usize, Option<u32>)| {
        *idx != file_idx && *at == line && name(*idx) == name(file_idx)
    };
    line.is_some() && !mentioned.files.iter().any(is_rival)
}

pub(super) fn is_same(a: &Candidate, b: &Candidate) -> bool {
    (a.file_idx, a.start_line) == (b.file_idx, b.start_line)
}

fn put_in_front(list: &mut Vec<Candidate>, leading: &[Candidate]) {
    list.retain(|candidate| !leading.iter().any(|chunk| is_same(chunk, candidate)));
    let most = list.first().map_or(1.0, |first| first.score.max(f32::MIN_POSITIVE));
    let steps = (1..=leading.len()).rev();
    // Far enough above for a test to stay in front once tests are sunk.
    let score = |step: usize| most * (3.0 + step as f32 / 10.0);
    let raised =
        leading.iter().zip(steps).map(|(chunk, step)| Candidate { score: score(step), ..*chunk });
    list.splice(0..0, raised.collect::<Vec<_>>());
}

/// The chunks of a file that hold a line, the shortest first, or the one before where none does; without a line all, in order.
fn chunks_at(
    generation: &Generation,
    file_idx: usize,
    line: Option<u32>,
) -> Result<Vec<Candidate>> {
    let mut chunks = chunks_of(generation, file_idx)?;
    chunks.sort_by_key(|chunk| (chunk.start_line, chunk.end_line));
    let Some(line) = line else { return Ok(chunks) };
    let holds = |chunk: &&Candidate| (chunk.start_line..=chunk.end_line).contains(&line);
    let mut found: Vec<Candidate> = chunks.iter().filter(holds).copied().collect();
    if found.is_empty() {
        let before = chunks.iter().rfind(|chunk| chunk.start_line <= line).or(chunks.first());
        found.extend(before.copied());
    }
    found.sort_by_key(|chunk| chunk.end_line - chunk.start_line);
    Ok(found)
}

/// The chunks of a file, in order.
pub(super) fn chunks_of(generation: &Generation, file_idx: usize) -> Result<Vec<Candidate>> {
    let Some((position, docs)) = generation.docs_of(file_idx)? else {
        return Ok(Vec::new());
    };
    let segment = &generation.segments[position];
    let candidate = |doc: u32| {
        let (start_line, end_line) = segment.lines(doc);
        Candidate {
            file_idx: file_idx as u32,
            start_line,
            end_line,
            score: 0.0,
            segment_idx: position as u32,
            doc,
        }
    };
    Ok(docs.map(candidate).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(named: &str, path: &str, expected: Option<Degree>) {
        let mention = PlaceMention { path: named.to_owned(), line: None, is_certain: true };
        let found = Target::new(&mention).fit(path, "shop").map(|found| found.degree);
        assert_eq!(found, expected, "{named} and {path}");
    }

    #[test]
    fn a_name_is_compared_from_its_end() {
        check("src/a.rs", "src/a.rs", Some(Degree::Same));
        check("src/a.rs", "crates/x/src/a.rs", Some(Degree::Named));
        check("a.rs", "src/a.rs", Some(Degree::Named));
        check("A.rs", "src/a.rs", Some(Degree::Named));
        check("c/a.rs", "src/a.rs", None);
        check("other/src/a.rs", "src/a.rs", None);
        check("shop/src/a.rs", "src/a.rs", Some(Degree::Same));
    }

    #[test]
    fn paths_of_other_machines_fit_by_their_longest_end() {
        check("/srv/ann/shop/src/a.rs", "src/a.rs", Some(Degree::Same));
        check("/builds/42/src/a.rs", "src/a.rs", Some(Degree::File));
        check("/builds/42/src/a.rs", "x/src/a.rs", Some(Degree::End));
        check("/builds/42/src/a.rs", "x/y/a.rs", None);
        check("/builds/main.go", "main.go", Some(Degree::File));
    }

    #[test]
    fn what_packages_brought_is_not_ours() {
        check("/usr/lib/python3/typing.py", "typing.py", None);
        check("/x/node_modules/left/index.js", "index.js", None);
        check("/x/node_modules/shop/index.js", "index.js", Some(Degree::Same));
        check("/x/site-packages/shop/cart.py", "src/shop/cart.py", Some(Degree::Named));
        check("/rustc/9fc6b431/library/core/src/lib.rs", "src/lib.rs", None);
        check(
            "/h/.cargo/registry/src/idx-1/shop-1.2.0/src/lib.rs",
            "src/lib.rs",
            Some(Degree::Same),
        );
        check("/h/.cargo/registry/src/idx-1/shopping-1.2.0/src/lib.rs", "src/lib.rs", None);
    }

    #[test]
    fn packages_of_java_may_lie_elsewhere() {
        check("com/acme/Cart.java", "src/main/java/com/acme/Cart.java", Some(Degree::Named));
        check("com/acme/Cart.kt", "src/main/kotlin/Cart.kt", Some(Degree::Name));
    }
}

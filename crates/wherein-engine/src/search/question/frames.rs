//! Lines that only programs print: a frame of a stack trace, a place in a compiler's message.
//!
//! One pattern a language, each anchored where that language writes it, so that prose with a path in it is no frame. Matching is
//! linear in the line.

use std::ops::Range;
use std::sync::OnceLock;

use regex::{Captures, Regex};

use super::{SymbolMention, paths, symbols};

/// Lines are looked at as far as this.
const MAX_LINE_BYTES: usize = 1000;

/// What stands in one line, by its place in it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    pub(super) path: Option<(Range<usize>, String)>,
    pub(super) line: Option<u32>,
    pub(super) function: Option<(Range<usize>, SymbolMention)>,
    /// What is said in the midst of it.
    pub(super) message: Option<Range<usize>>,
    /// Where it ends; behind it a compiler says what is wrong.
    pub(super) end: usize,
    /// Whether the frames of such a trace end with the innermost.
    pub(super) is_last_innermost: bool,
    /// Whether it lies in what others wrote: a runtime, a package.
    pub(super) is_foreign: bool,
}

/// A pattern with marks one of which each of its lines has: it is compiled when a mark is first seen.
struct Pattern {
    marks: &'static [&'static str],
    text: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    const fn new(marks: &'static [&'static str], text: &'static str) -> Pattern {
        Pattern { marks, text, compiled: OnceLock::new() }
    }

    fn captures<'l>(&self, line: &'l str) -> Option<Captures<'l>> {
        if !self.marks.iter().any(|mark| line.contains(mark)) {
            return None;
        }
        self.compiled.get_or_init(|| Regex::new(self.text).ok()).as_ref()?.captures(line)
    }
}

/// `p` the path, `l` the line, `f` the function, `m` a message among them.
static FRAMES: [Pattern; 18] = [
    // Python.
    Pattern::new(
        &[r#"", line "#],
        r#"^\s*File "(?P<p>[^"]+)", line (?P<l>[0-9]+)(?:, in (?P<f>[^\s(]+))?"#,
    ),
    // C#.
    Pattern::new(&[":line "], r"^\s*at (?P<f>[^\s(]+)\(.*\) in (?P<p>.+):line (?P<l>[0-9]+)"),
    // Java, Kotlin, Scala.
    Pattern::new(
        &["at "],
        r"^\s*at (?P<f>[^\s()]+)\((?:(?P<p>[^():\s]+\.[a-z]+)(?::(?P<l>[0-9]+))?|Native Method|Unknown Source)\).*",
    ),
    // JavaScript with a function, then without; the backtraces of Rust look like the latter.
    Pattern::new(
        &["at "],
        r"^\s*at (?:async )?(?:new )?(?P<f>[^\s(]+)(?: \[as [^\]]+\])? \((?P<p>[^()]+?):(?P<l>[0-9]+)(?::[0-9]+)?\)",
    ),
    Pattern::new(
        &["at "],
        r"^\s*at (?:async )?(?P<p>[^\s()]+\.[A-Za-z]+):(?P<l>[0-9]+)(?::[0-9]+)?\s*$",
    ),
    // JavaScript of Firefox and Safari.
    Pattern::new(
        &["@"],
        r"^(?P<f>[A-Za-z0-9_$.<>/*]*)@(?P<p>[^\s@]+\.[a-z]+):(?P<l>[0-9]+):[0-9]+\s*$",
    ),
    // Go.
    Pattern::new(&["+0x"], r"^\s*(?P<p>\S+\.(?:go|s)):(?P<l>[0-9]+)(?: \+0x[0-9a-f]+)\s*$"),
    // Rust.
    Pattern::new(&["--> ", "::: "], r"^\s*(?:-->|:::) (?P<p>[^\s:]+):(?P<l>[0-9]+):[0-9]+"),
    Pattern::new(
        &["panicked at "],
        r"^\s*thread '.*' (?:\([0-9]+\) )?panicked at (?:'(?P<m>.*)', )?(?P<p>[^\s:']+):(?P<l>[0-9]+)(?::[0-9]+)?",
    ),
    // Ruby.
    Pattern::new(
        &[":in "],
        r"^\s*(?:[0-9]+: )?(?:from )?(?P<p>[^\s:]+\.[A-Za-z]+):(?P<l>[0-9]+):in ['`](?P<f>[^']+)'",
    ),
    // Compilers and linters: gcc, clang, go, javac, tsc, MSVC.
    Pattern::new(
        &["error", "warning", "note", "undefined reference"],
        r"^\s*(?P<p>(?:[A-Za-z]:)?[^\s:(]+\.[A-Za-z+]+):(?P<l>[0-9]+)(?::[0-9]+)?:? (?:- )?(?:fatal )?(?:error|warning|note|undefined reference)\b",
    ),
    Pattern::new(
        &["error", "warning"],
        r"^\s*(?P<p>[^\s(]+\.[A-Za-z+]+)\((?P<l>[0-9]+)(?:,[0-9]+)?\) ?: (?:fatal )?(?:error|warning)\b",
    ),
    Pattern::new(
        &[": In "],
        r"^(?P<p>[^\s:]+\.[A-Za-z+]+): In (?:member )?function ['‘](?P<f>[^'’]+)['’]",
    ),
    // PHP.
    Pattern::new(&[".php"], r"^#[0-9]+ (?P<p>\S+\.php)\((?P<l>[0-9]+)\): (?P<f>[^\s(]+)"),
    Pattern::new(
        &[".php"],
        r"^(?P<m>.*\b(?:Error|error|Warning|Notice|Exception)\b.*) in (?P<p>\S+\.php)(?: on line |:)(?P<l>[0-9]+)",
    ),
    // gdb, lldb, sanitizers.
    Pattern::new(
        &["#"],
        r"^\s*(?:frame )?#[0-9]+:?\s+(?:0x[0-9a-f]+ in )?(?P<f>[^\s(]+).*? (?:at )?(?P<p>[^\s:]+\.[A-Za-z+]+):(?P<l>[0-9]+)",
    ),
    // Elixir.
    Pattern::new(
        &[".ex"],
        r"^\s*\([a-z_0-9]+ [0-9.]+\) (?P<p>\S+\.exs?):(?P<l>[0-9]+): (?P<f>[^\s(/]+)",
    ),
    // pytest.
    Pattern::new(
        &[".py:"],
        r"^(?P<p>[^\s:]+\.py):(?P<l>[0-9]+): (?:in (?P<f>[A-Za-z0-9_]+)|[A-Z][A-Za-z0-9]*(?:Error|Exception|Failed)\b)",
    ),
];

/// Lines that hold a function whose place is in the next: Go, and the backtraces of Rust.
static NAMES: [Pattern; 2] = [
    Pattern::new(
        &["."],
        r"^(?:created by )?(?P<f>[A-Za-z0-9_./*()-]+\.[A-Za-z0-9_.*()]+?)(?:\(.*\)| in goroutine [0-9]+)?\s*$",
    ),
    Pattern::new(&[": "], r"^\s*[0-9]+:\s+(?:0x[0-9a-f]+ - )?(?P<f>[A-Za-z0-9_<>:{}#, ]+)\s*$"),
];

/// Whether a text may hold a frame at all, by marks that each of them has.
pub(super) fn may_hold_some(text: &str) -> bool {
    let has_number = |mark: u8| {
        text.as_bytes().windows(2).any(|pair| pair[0] == mark && pair[1].is_ascii_digit())
    };
    has_number(b':')
        || has_number(b'(')
        || [", line ", "on line ", ":line ", "Native Method", "Unknown Source", ": In "]
            .iter()
            .any(|mark| text.contains(mark))
}

/// Reads a line as a frame.
pub(super) fn read(line: &str) -> Option<Frame> {
    let line = &line[..line.floor_char_boundary(MAX_LINE_BYTES)];
    let found = FRAMES.iter().find_map(|pattern| pattern.captures(line))?;
    let function = found.name("f");
    let parsed = function.and_then(|f| Some((f.range(), symbols::of_frame(f.as_str())?)));
    let path = path_of(&found, function.map(|f| f.as_str()));
    if path.is_none() && parsed.is_none() {
        return None;
    }
    let is_foreign = found.name("p").is_some_and(|p| is_foreign_path(p.as_str()))
        || function.is_some_and(|f| is_foreign_package(f.as_str()));
    Some(Frame {
        path,
        line: found.name("l").and_then(|l| l.as_str().parse().ok()),
        function: parsed,
        message: found.name("m").map(|message| message.range()),
        end: found.get(0).map_or(line.len(), |all| all.end()),
        is_last_innermost: line.trim_start().starts_with("File \""),
        is_foreign,
    })
}

/// Reads a line as the function of the frame in the next one.
pub(super) fn read_function(line: &str) -> Option<(Range<usize>, SymbolMention)> {
    let line = &line[..line.floor_char_boundary(MAX_LINE_BYTES)];
    let found = NAMES.iter().find_map(|pattern| pattern.captures(line))?;
    let function = found.name("f")?;
    Some((function.range(), symbols::of_frame(function.as_str())?))
}

fn path_of(found: &Captures<'_>, function: Option<&str>) -> Option<(Range<usize>, String)> {
    let path = found.name("p")?;
    let fetched = without_address(path.as_str());
    let cleaned = paths::clean(fetched)?;
    let packages = function.filter(|_| !cleaned.contains('/')).and_then(|f| packages(f, &cleaned));
    let path_text =
        packages.map_or_else(|| cleaned.clone(), |folder| format!("{folder}/{cleaned}"));
    // The file and its folder: what lies above is the same for all.
    let start = tail(path.as_str(), 2);
    Some((path.start() + start..path.end(), path_text))
}

/// `webpack:///./src/a.js?x` and `http://localhost:3000/src/a.js` are files of some tree.
fn without_address(path: &str) -> &str {
    let path = path.split('?').next().unwrap_or(path);
    match path.split_once("://") {
        Some(("http" | "https", rest)) => rest.split_once('/').map_or("", |(_, below)| below),
        Some((scheme, rest)) if scheme.starts_with("webpack") => {
            rest.trim_start_matches(['/', '.'])
        }
        _ => path,
    }
}

/// The folders that Java's packages stand for: `a.b.C.m` lies in `a/b`.
fn packages(function: &str, file: &str) -> Option<String> {
    if !is_jvm(file) {
        return None;
    }
    let function = function.rsplit('/').next().unwrap_or(function);
    let is_package = |part: &&str| part.starts_with(|c: char| c.is_ascii_lowercase());
    let parts: Vec<&str> = function.split('.').take_while(is_package).collect();
    let n_folders = parts.len().min(function.split('.').count().saturating_sub(2));
    (n_folders > 0).then(|| parts[..n_folders].join("/"))
}

/// Whether files of such a name may lie in other folders than their packages say.
pub(crate) fn is_jvm(file: &str) -> bool {
    [".java", ".kt", ".scala", ".groovy", ".clj"].iter().any(|end| file.ends_with(end))
}

/// Where the last `n` parts of a path begin.
pub(super) fn tail(path: &str, n: usize) -> usize {
    let cuts = path.rmatch_indices(['/', '\\']);
    cuts.map(|(at, _)| at + 1).nth(n - 1).unwrap_or(0)
}

fn is_foreign_path(path: &str) -> bool {
    const MARKS: &[&str] = &[
        "node_modules/",
        "site-packages/",
        "dist-packages/",
        "/rustc/",
        ".cargo/registry/",
        "/go/pkg/mod/",
        "/usr/lib/",
        "/usr/local/lib/",
        "/usr/local/go/",
        "node:",
        "<frozen",
        "/gems/",
        "/vendor/",
    ];
    let path = path.replace('\\', "/");
    MARKS.iter().any(|mark| path.contains(mark))
}

fn is_foreign_package(function: &str) -> bool {
    const MARKS: &[&str] = &[
        "java.",
        "javax.",
        "jdk.",
        "sun.",
        "kotlin.",
        "kotlinx.",
        "scala.",
        "org.junit.",
        "System.",
        "Microsoft.",
        "runtime.",
        "std::",
        "core::",
        "alloc::",
    ];
    MARKS.iter().any(|mark| function.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_valid() {
        for pattern in FRAMES.iter().chain(&NAMES) {
            assert!(Regex::new(pattern.text).is_ok(), "{}", pattern.text);
        }
    }
}

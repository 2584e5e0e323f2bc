//! Pasted text: stack traces, diffs, messages of compilers, logs, code.
//!
//! Its places and functions lead; the rest counts less, because it repeats what every trace holds. What a person wrote in front
//! of it counts fully. Must read each line once: a question may have 64 KiB.

use std::ops::Range;

use super::frames::{self, Frame};
use super::{Focus, MAX_MENTIONS, PlaceMention, SymbolMention, add_once, mentions, symbols};

/// The function of the innermost frame; each one further out counts this share of the one before.
const FUNCTION_WEIGHT: f32 = 2.0;
const OUTWARD: f32 = 0.85;
/// The function of a frame never counts less, but for those of packages.
const LEAST_FUNCTION: f32 = 0.7;
/// The function of a frame in a runtime or a package.
const FOREIGN_FUNCTION: f32 = 0.4;
/// The name and folder of a frame's file.
const PATH_WEIGHT: f32 = 1.0;
/// Code between frames, and what follows them indented.
const BETWEEN_WEIGHT: f32 = 0.5;
/// Lines that a diff adds or removes, and those around them.
const CHANGED_WEIGHT: f32 = 0.7;
const AROUND_WEIGHT: f32 = 0.4;

/// A pasted text, read.
#[derive(Debug, Default)]
pub(super) struct Pasted {
    pub(super) places: Vec<PlaceMention>,
    pub(super) symbols: Vec<SymbolMention>,
    pub(super) focus: Vec<Focus>,
    /// How much of the text, from its start, the asker wrote.
    pub(super) n_own_bytes: usize,
}

/// A frame with where its line lies in the text.
struct Found {
    frame: Frame,
    lines: Range<usize>,
    /// Where the function's name, the path and a message lie in the text.
    function: Option<Range<usize>>,
    path: Option<Range<usize>>,
    message: Option<Range<usize>>,
}

/// Reads a text; `None` where it was written by a person.
pub(super) fn read(text: &str) -> Option<Pasted> {
    let lines = lines(text);
    if let Some(first) = lines.iter().position(|line| is_diff_line(&text[line.clone()])) {
        return Some(read_diff(text, &lines, first));
    }
    let found = match frames::may_hold_some(text) {
        true => find_frames(text, &lines),
        false => Vec::new(),
    };
    let told = lines.iter().find(|line| is_told(&text[(*line).clone()])).map(|line| line.start);
    let first = match (found.first().map(|found| found.lines.start), told) {
        (Some(frame), told) => told.map_or(frame, |told| told.min(frame)),
        (None, Some(told)) => told,
        (None, None) if looks_like_code(text, &lines) => 0,
        (None, None) => return None,
    };
    let mut pasted = Pasted { n_own_bytes: first, ..Pasted::default() };
    pasted.add_frames(text, found, &lines);
    pasted.add_named(text, &lines);
    Some(pasted)
}

/// Where each line lies, without what ends it.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let range = |line: &str| {
        let at = start;
        start += line.len() + 1;
        at..at + line.trim_end_matches('\r').len()
    };
    text.split('\n').map(range).collect()
}

fn find_frames(text: &str, lines: &[Range<usize>]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let Some(mut frame) = frames::read(&text[line.clone()]) else { continue };
        let mut function = frame.function.as_ref().map(|(range, _)| shift(range, line.start));
        let mut whole = line.start..line.start + frame.end;
        if frame.function.is_none() && i > 0 {
            let above = lines[i - 1].clone();
            let is_free = found.last().is_none_or(|last| last.lines.end < above.start);
            if let Some((range, symbol)) =
                frames::read_function(&text[above.clone()]).filter(|_| is_free)
            {
                function = Some(shift(&range, above.start));
                frame.function = Some((range, symbol));
                whole.start = above.start;
            }
        }
        let path = frame.path.as_ref().map(|(range, _)| shift(range, line.start));
        let message = frame.message.as_ref().map(|range| shift(range, line.start));
        found.push(Found { frame, lines: whole, function, path, message });
    }
    found
}

fn shift(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

impl Pasted {
    fn add_frames(&mut self, text: &str, mut found: Vec<Found>, lines: &[Range<usize>]) {
        let Some(first) = found.first().map(|found| found.lines.start) else { return };
        let end = |found: &Vec<Found>| found.last().map_or(first, |found| found.lines.end);
        let last = end(&found);
        let is_between = |line: &&Range<usize>| {
            line.start >= first
                && (line.end <= last || text[(*line).clone()].starts_with([' ', '\t']))
                && !found.iter().any(|found| found.lines.contains(&line.start))
        };
        let between = lines.iter().filter(|line| line.start > first).filter(is_between);
        let mut focus: Vec<Focus> =
            between.map(|line| Focus { range: line.clone(), weight: BETWEEN_WEIGHT }).collect();
        if found.iter().any(|found| found.frame.is_last_innermost) {
            found.reverse();
        }
        let mut weight = FUNCTION_WEIGHT;
        for found in &found {
            let is_foreign = found.frame.is_foreign;
            focus.extend(found.focus(if is_foreign { FOREIGN_FUNCTION } else { weight }));
            if !is_foreign {
                weight = (weight * OUTWARD).max(LEAST_FUNCTION);
            }
        }
        // What others wrote is seldom asked for.
        for is_foreign in [false, true] {
            for found in found.iter().filter(|found| found.frame.is_foreign == is_foreign) {
                self.add_frame(&found.frame);
            }
        }
        focus.sort_by_key(|focus| focus.range.start);
        self.focus = focus;
    }

    fn add_frame(&mut self, frame: &Frame) {
        if let Some((_, path)) = &frame.path {
            let place = PlaceMention { path: path.clone(), line: frame.line, is_certain: true };
            add_once(&mut self.places, place);
        }
        if let Some((_, symbol)) = &frame.function {
            add_once(&mut self.symbols, symbol.clone());
        }
    }

    /// Names in what is no frame: in a message, in code.
    fn add_named(&mut self, text: &str, lines: &[Range<usize>]) {
        for line in lines {
            if self.symbols.len() == MAX_MENTIONS {
                break;
            }
            let start = self.end_of_focus(line);
            for mention in mentions::read(&text[start..line.end]) {
                if let mentions::Mention::Symbol(symbol) = mention {
                    add_once(&mut self.symbols, symbol);
                }
            }
        }
    }

    /// Where in a line the last part ends that counts by itself.
    fn end_of_focus(&self, line: &Range<usize>) -> usize {
        let n_before = self.focus.partition_point(|focus| focus.range.start < line.end);
        let last = n_before.checked_sub(1).and_then(|at| self.focus.get(at));
        last.map_or(line.start, |focus| focus.range.end.clamp(line.start, line.end))
    }
}

impl Found {
    /// The line counts nothing but for its function and its file.
    fn focus(&self, function: f32) -> Vec<Focus> {
        let mut parts: Vec<Focus> = Vec::new();
        parts.extend(self.function.clone().map(|range| Focus { range, weight: function }));
        parts.extend(self.path.clone().map(|range| Focus { range, weight: PATH_WEIGHT }));
        parts.extend(self.message.clone().map(|range| Focus { range, weight: 1.0 }));
        fill(self.lines.clone(), parts, 0.0)
    }
}

/// The whole of `around` in order: `parts`, and what lies between them.
fn fill(around: Range<usize>, mut parts: Vec<Focus>, between: f32) -> Vec<Focus> {
    parts.sort_by_key(|part| part.range.start);
    let mut all = Vec::with_capacity(2 * parts.len() + 1);
    let mut at = around.start;
    for part in parts {
        if part.range.start > at {
            all.push(Focus { range: at..part.range.start, weight: between });
        }
        at = part.range.end;
        all.push(part);
    }
    if at < around.end {
        all.push(Focus { range: at..around.end, weight: between });
    }
    all
}

fn is_diff_line(line: &str) -> bool {
    line.starts_with("diff --git ") || hunk_start(line).is_some()
}

/// The line of the new file at which `@@ -1,2 +3,4 @@` begins.
fn hunk_start(line: &str) -> Option<u32> {
    let (old, new) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let number = |text: &str| text.split([',', ' ']).next().and_then(|n| n.parse().ok());
    number(old).and_then(|_: u32| number(new))
}

/// A unified diff, from the first line that is one on.
fn read_diff(text: &str, lines: &[Range<usize>], first: usize) -> Pasted {
    // The names of the files stand above the first hunk.
    let is_header = |line: &Range<usize>| text[line.clone()].starts_with(['-', '+']);
    let n_above = lines[..first].iter().rev().take_while(|line| is_header(line)).count();
    let first = first - n_above;
    let mut pasted = Pasted { n_own_bytes: lines[first].start, ..Pasted::default() };
    let mut diff = Diff::default();
    for line in &lines[first..] {
        diff.read_line(&mut pasted, text, line);
    }
    diff.close(&mut pasted);
    pasted
}

/// Where the reading of a diff stands.
#[derive(Debug, Default)]
struct Diff {
    path: Option<String>,
    /// The line of the new file; `None` once the first change of the hunk was seen.
    line: Option<u32>,
    is_in_hunk: bool,
    has_place: bool,
}

impl Diff {
    fn read_line(&mut self, pasted: &mut Pasted, text: &str, range: &Range<usize>) {
        let line = &text[range.clone()];
        if let Some(start) = hunk_start(line) {
            (self.line, self.is_in_hunk) = (Some(start), true);
            pasted.focus.extend(hunk_focus(&mut pasted.symbols, line, range));
        } else if self.is_header(line) {
            self.header(pasted, line, range);
        } else if line.starts_with(['+', '-']) && self.is_in_hunk {
            self.change(pasted);
            pasted.focus.push(Focus { range: range.clone(), weight: CHANGED_WEIGHT });
        } else {
            self.line = self.line.map(|line| line.saturating_add(1));
            let weight = if self.is_in_hunk { AROUND_WEIGHT } else { 0.0 };
            pasted.focus.push(Focus { range: range.clone(), weight });
        }
    }

    /// In a hunk `--- text` may be a line that is gone: one with blanks is no path.
    fn is_header(&self, line: &str) -> bool {
        let path = ["--- ", "+++ "].iter().find_map(|mark| line.strip_prefix(mark));
        let may_be = |path: &str| !self.is_in_hunk || !path.trim_end().contains(' ');
        line.starts_with("diff --git ") || path.is_some_and(may_be)
    }

    /// `+++ b/src/a.rs`, or the old name of a file that is gone.
    fn header(&mut self, pasted: &mut Pasted, line: &str, range: &Range<usize>) {
        if line.starts_with("diff ") {
            self.close(pasted);
        }
        self.is_in_hunk = false;
        let written = line.get(4..).unwrap_or("").split('\t').next().unwrap_or("").trim_end();
        let is_name = !line.starts_with("diff ") && written != "/dev/null";
        let mut parts = Vec::new();
        if is_name {
            let path =
                ["a/", "b/"].iter().find_map(|side| written.strip_prefix(side)).unwrap_or(written);
            if line.starts_with('-') {
                self.close(pasted);
            }
            (self.path, self.has_place) = (Some(path.to_owned()), false);
            let end = range.start + 4 + written.len();
            let start = end - path.len() + frames::tail(path, 2);
            parts.push(Focus { range: start..end, weight: PATH_WEIGHT });
        }
        pasted.focus.extend(fill(range.clone(), parts, 0.0));
    }

    /// The first change of a hunk is what the hunk is about.
    fn change(&mut self, pasted: &mut Pasted) {
        if let (Some(path), Some(line)) = (&self.path, self.line.take()) {
            self.has_place = true;
            let place = PlaceMention { path: path.clone(), line: Some(line), is_certain: true };
            add_once(&mut pasted.places, place);
        }
    }

    /// A file without hunks is named all the same.
    fn close(&mut self, pasted: &mut Pasted) {
        if let Some(path) = self.path.take().filter(|_| !self.has_place) {
            add_once(&mut pasted.places, PlaceMention { path, line: None, is_certain: true });
        }
    }
}

/// Behind `@@` stands the function that the hunk lies in.
fn hunk_focus(names: &mut Vec<SymbolMention>, line: &str, range: &Range<usize>) -> Vec<Focus> {
    let behind = line[2..].find("@@").map_or(line.len(), |at| at + 4).min(line.len());
    let mut parts = Vec::new();
    if let Some(name) = symbols::of_code(&line[behind..]) {
        let name = shift(&name, behind);
        add_once(names, SymbolMention::plain(&line[name.clone()]));
        parts.push(Focus { range: shift(&name, range.start), weight: FUNCTION_WEIGHT });
    }
    fill(range.clone(), parts, 0.0)
}

/// Whether a line is one that a program says: an error with its kind, the head of a trace, a line of a log.
fn is_told(line: &str) -> bool {
    const HEADS: &[&str] = &[
        "Traceback (most recent call last)",
        "Exception in thread ",
        "Caused by: ",
        "Uncaught ",
        "Unhandled ",
        "npm ERR!",
        "panic: ",
        "fatal error: ",
        "fatal: ",
        "error: ",
        "Segmentation fault",
        "goroutine ",
        "error[E",
        "ERROR: ",
        "FAILED ",
        "Fatal error: ",
        "```",
        "PHP Fatal error",
        "E   ",
    ];
    let line = line.trim_start();
    HEADS.iter().any(|head| line.starts_with(head)) || names_an_error(line) || is_logged(line)
}

/// `pkg.SomeError: message`, `error TS2322: …`.
fn names_an_error(line: &str) -> bool {
    let Some((front, message)) = line.split_once(": ") else { return false };
    let name = front.rsplit(['.', ':']).next().unwrap_or(front);
    let is_kind = ["Error", "Exception", "Warning", "Fault", "Panic"].iter().any(|end| {
        name.strip_suffix(end)
            .is_some_and(|start| start.is_empty() || start.ends_with(char::is_alphanumeric))
    });
    let is_code = front.strip_prefix("error ").is_some_and(|code| {
        code.len() > 2
            && code.ends_with(|c: char| c.is_ascii_digit())
            && code.starts_with(char::is_uppercase)
    });
    !message.is_empty() && (is_code || (is_kind && !front.contains(char::is_whitespace)))
}

/// A date or a time with a level: `2024-01-02 12:00:00 ERROR …`, `[WARN] …`.
fn is_logged(line: &str) -> bool {
    const LEVELS: &[&str] =
        &["TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL"];
    let mut words = line
        .split_whitespace()
        .take(5)
        .map(|word| word.trim_matches(['[', ']', ':', '|', '(', ')']));
    let first = words.next().unwrap_or("");
    let is_time = first.len() >= 8
        && first.starts_with(|c: char| c.is_ascii_digit())
        && first.bytes().filter(|b| matches!(b, b'-' | b':' | b'/')).count() >= 2;
    let is_bracketed = line.starts_with('[') && LEVELS.contains(&first);
    is_bracketed || (is_time && words.any(|word| LEVELS.contains(&word)))
}

/// Several lines, most of which end or begin as no sentence does.
fn looks_like_code(text: &str, lines: &[Range<usize>]) -> bool {
    let written =
        || lines.iter().map(|line| text[line.clone()].trim_end()).filter(|l| !l.is_empty());
    let is_code = |line: &&str| {
        line.ends_with(['{', '}', ';', '(', ')', '[', ']', '=', ':'])
            || line.starts_with(['\t'])
            || line.starts_with("    ")
    };
    let (n_lines, n_code) = (written().count(), written().filter(is_code).count());
    n_lines > 1 && 2 * n_code > n_lines
}

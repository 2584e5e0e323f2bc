//! Comments without their marks: what a doc comment says.

use super::signature::collapse;

/// A summary is cut at this many characters.
const MAX_SUMMARY_CHARS: usize = 240;
/// Of a longer doc comment the rest is found through the body's text.
const MAX_BYTES: usize = 4000;

/// Marks that begin a line of a comment, the longer before those that they begin with.
const OPENERS: &[&str] = &[
    "///",
    "//!",
    "//",
    "/**",
    "/*!",
    "/*",
    "#'",
    "##",
    "#!",
    "#:",
    "#",
    "--[[",
    "---",
    "-- |",
    "-- ^",
    "--",
    "{-|",
    "{-",
    "<!--",
    "\"\"\"",
    "'''",
    "@doc \"\"\"",
    "@doc ~S\"\"\"",
    "@doc \"",
    "@typedoc \"\"\"",
    "@typedoc \"",
    "@moduledoc \"\"\"",
    ";;",
    ";",
    "%",
    "\"",
    "'",
    "r\"\"\"",
    "(**",
    "(*",
];
/// Marks that end one.
const CLOSERS: &[&str] = &["*/", "-}", "-->", "]]", "\"\"\"", "'''", "*)", "\"", "'"];

/// Appends the words of a comment to `out`, line by line.
pub(super) fn clean_into(comment: &str, out: &mut String) {
    let comment = CLOSERS
        .iter()
        .find_map(|closer| comment.trim_end().strip_suffix(closer))
        .unwrap_or(comment);
    for (i, line) in comment.lines().enumerate() {
        let line = line.trim();
        // A word to the compiler.
        if line.starts_with("//go:") {
            continue;
        }
        let opener = OPENERS.iter().find_map(|opener| line.strip_prefix(opener));
        let line = match opener {
            Some(rest) if i == 0 || line.starts_with(['/', '#', '-', ';']) => rest,
            // The border of a block comment.
            _ => line.strip_prefix('*').unwrap_or(line),
        };
        if out.len() + line.len() > MAX_BYTES {
            return;
        }
        let line = line.trim();
        if !(out.is_empty() && line.is_empty()) {
            out.push_str(line);
            out.push('\n');
        }
    }
}

/// The first paragraph on one line; `None` where a comment says nothing.
pub(super) fn summary(doc: &str) -> Option<String> {
    // C# says in tags what is the summary.
    let tagged = doc.trim_start().strip_prefix("<summary>").map(|rest| rest.split("</summary>"));
    let doc = tagged.and_then(|mut parts| parts.next()).unwrap_or(doc);
    let paragraph = doc.trim_start().split("\n\n").next().unwrap_or_default();
    let line = collapse(paragraph, MAX_SUMMARY_CHARS);
    (!line.is_empty()).then_some(line)
}

//! Comments without their marks: what a doc comment says.

use super::signature::collapse;

/// A summary is cut at this many characters.
const MAX_SUMMARY_CHARS: usize = 240;
/// Of a longer doc comment the rest is found through the body's text.
const MAX_BYTES: usize = 4000;

/// Marks around a comment or a doc string, the longer before those that they begin with.
const BLOCKS: &[(&str, &str)] = &[
    ("/**", "*/"),
    ("/*!", "*/"),
    ("/*", "*/"),
    ("{- |", "-}"),
    ("{-|", "-}"),
    ("{-", "-}"),
    ("--[[", "]]"),
    ("<!---", "-->"),
    ("<!--", "-->"),
    ("(**", "*)"),
    ("(*", "*)"),
    ("\"\"\"", "\"\"\""),
    ("'''", "'''"),
    ("\"", "\""),
    ("'", "'"),
];
/// What may stand before the quotes of a doc string.
const STRING_PREFIXES: &[&str] = &["@moduledoc", "@typedoc", "@doc", "~S", "~s", "r", "R", "u"];
/// Marks that begin a line, the longer before those that they begin with.
const LINES: &[&str] = &[
    "////", "///", "//!", "//", "#'", "##", "#!", "#:", "#", "--- |", "-- |", "-- ^", "---", "--",
    ";;;", ";;", ";", "%%", "%",
];
/// A line of these alone is a rule, not a word.
const RULES: &[char] = &['-', '=', '*', '#', '/', '~', '_', '+', ';', '%'];

/// Appends the words of a comment to `out`, line by line.
pub(super) fn clean_into(comment: &str, out: &mut String) {
    let comment = comment.trim();
    // Words to the system and to the compiler.
    if comment.starts_with("#!/") || comment.starts_with("//go:") {
        return;
    }
    let (inner, is_block) = match without_block(comment) {
        Some(inner) => (inner, true),
        None => (comment, false),
    };
    for line in inner.lines() {
        let line = line.trim();
        let line = if is_block { without_border(line) } else { without_mark(line) }.trim();
        let is_rule = line.len() > 2 && line.chars().all(|c| RULES.contains(&c));
        let line = if is_rule { "" } else { line };
        if out.len() + line.len() > MAX_BYTES {
            return;
        }
        if !(out.is_empty() && line.is_empty()) {
            out.push_str(line);
            out.push('\n');
        }
    }
}

/// What stands between the marks of a block; `None` where there are none.
fn without_block(comment: &str) -> Option<&str> {
    let bare = STRING_PREFIXES.iter().fold(comment, |text, prefix| {
        match text.strip_prefix(prefix).map(str::trim_start) {
            Some(rest) if rest.starts_with(['"', '\'', '~']) => rest,
            _ => text,
        }
    });
    BLOCKS.iter().find_map(|(open, close)| {
        let inner = bare.strip_prefix(open)?;
        // A block that broken code leaves open has no end.
        let is_string = open.starts_with(['"', '\'']);
        inner.strip_suffix(close).or((!is_string && !bare.ends_with(close)).then_some(inner))
    })
}

/// A line of a block without the star before it.
fn without_border(line: &str) -> &str {
    match line.strip_prefix('*') {
        Some(rest) if !rest.starts_with('*') => rest,
        _ => line,
    }
}

fn without_mark(line: &str) -> &str {
    LINES.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(comment: &str) -> String {
        let mut out = String::new();
        clean_into(comment, &mut out);
        out.trim_end().to_owned()
    }

    #[test]
    fn comments_of_every_style_lose_their_marks() {
        let same = [
            "/// Adds one.",
            "//! Adds one.",
            "// Adds one.",
            "//Adds one.",
            "/** Adds one. */",
            "/**\n * Adds one.\n */",
            "/*! Adds one. */",
            "/* Adds one. */",
            "# Adds one.",
            "## Adds one.",
            "#' Adds one.",
            "-- Adds one.",
            "--- Adds one.",
            "-- | Adds one.",
            "{-| Adds one. -}",
            "{- | Adds one.\n-}",
            "--[[ Adds one. ]]",
            "--[[\n  Adds one.\n]]",
            "<!-- Adds one. -->",
            "(* Adds one. *)",
            "(** Adds one. *)",
            "; Adds one.",
            ";;; Adds one.",
            "% Adds one.",
            "\"\"\"Adds one.\"\"\"",
            "r\"\"\"Adds one.\n    \"\"\"",
            "'''Adds one.'''",
            "\"Adds one.\"",
            "@doc \"\"\"\n  Adds one.\n  \"\"\"",
            "@moduledoc \"Adds one.\"",
            "@doc ~S\"\"\"\n  Adds one.\n  \"\"\"",
        ];
        for comment in same {
            assert_eq!(cleaned(comment), "Adds one.", "{comment}");
        }
    }

    #[test]
    fn words_keep_their_quotes_stars_and_marks() {
        assert_eq!(cleaned("// says \"hi\""), "says \"hi\"");
        assert_eq!(cleaned("# it's the 'x'"), "it's the 'x'");
        assert_eq!(cleaned("// see a[b[0]]"), "see a[b[0]]");
        assert_eq!(cleaned("/* **bold**\n **too** */"), "**bold**\n**too**");
        assert_eq!(cleaned("/**\n * - one\n * - two\n */"), "- one\n- two");
        assert_eq!(cleaned("\"\"\"One.\n\n    # not a mark\n    \"\"\""), "One.\n\n# not a mark");
        assert_eq!(cleaned("-- | One\n-- two."), "One\ntwo.");
        assert_eq!(cleaned("// größer — 주문"), "größer — 주문");
    }

    #[test]
    fn rules_and_empty_comments_say_nothing() {
        for comment in [
            "//",
            "/**/",
            "/***/",
            "/** */",
            "#",
            "--",
            "//////////",
            "# -----",
            "/* === */",
            "<!-- -->",
        ] {
            assert_eq!(cleaned(comment), "", "{comment}");
        }
        assert_eq!(cleaned("#!/bin/sh"), "");
        assert_eq!(cleaned("// ----\n// Title\n// ----\n// More."), "Title\n\nMore.");
        assert_eq!(summary("Title\n\nMore."), Some("Title".to_owned()));
        assert_eq!(summary(" \n"), None);
    }

    #[test]
    fn comments_that_broken_code_leaves_open_are_read_to_their_end() {
        assert_eq!(cleaned("/* Adds\n * one"), "Adds\none");
        assert_eq!(cleaned("/*"), "");
        assert_eq!(cleaned("\""), "\"");
    }

    #[test]
    fn long_comments_are_cut_and_summaries_are_one_line() {
        let long = "// word\n".repeat(4000);
        assert!(cleaned(&long).len() <= MAX_BYTES + 1);
        let line = summary(&"word ".repeat(400)).expect("a summary");
        assert!(line.chars().count() <= MAX_SUMMARY_CHARS + 1 && line.ends_with('…'), "{line}");
        assert_eq!(summary("One\n  two\n\nthree"), Some("One two".to_owned()));
    }
}

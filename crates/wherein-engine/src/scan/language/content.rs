//! What the first bytes of a file say about its language.
//!
//! Consulted only where the name leaves a doubt: extensions that two languages share, and files
//! without a telling name. Signs are taken from the starts of code lines, never from comments, so that
//! a header that talks about classes does not become C++. It must not allocate.

/// The longest valid UTF-8 start of the head, without a byte order mark.
pub(super) fn text_of(head: &[u8]) -> &str {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or(""),
    }
}

/// The program of a `#!` line, without its folder and version: `python` of `#!/usr/bin/env python3.12`.
pub(super) fn interpreter(head: &str) -> Option<&str> {
    let line = head.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_ascii_whitespace();
    let mut program = base_name(words.next()?);
    if program == "env" {
        // `env -S uv run`, `env VAR=1 python`: options and assignments come before the program.
        program = base_name(words.find(|word| !word.starts_with('-') && !word.contains('='))?);
    }
    // `Rscript` keeps its capital in the wild, the table is lower case.
    if program == "Rscript" {
        return Some("rscript");
    }
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-'))
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The mode of an Emacs line, `// -*- C++ -*-`: the standard headers of C++ have nothing else.
pub(super) fn mode_line(head: &str) -> Option<&str> {
    let first = head.lines().find(|line| !line.trim().is_empty())?;
    let (_, after) = first.split_once("-*-")?;
    let (mode, _) = after.split_once("-*-")?;
    let lower_key = mode.find("mode:").or_else(|| mode.find("Mode:"));
    let mode = lower_key.map_or(mode, |at| &mode[at + "mode:".len()..]);
    let mode = mode.split(';').next()?.trim();
    if mode.contains(':') { None } else { Some(mode) }
}

/// Files without a telling name that open with a mark of their format.
pub(super) fn opening(head: &str) -> Option<&'static str> {
    let start = head.trim_start();
    let begins =
        |mark: &str| start.get(..mark.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(mark));
    match () {
        () if begins("<?php") => Some("php"),
        () if begins("<?xml") => Some("xml"),
        () if begins("<!doctype html") || begins("<html") => Some("html"),
        () if begins("diff --git ") => Some("diff"),
        () => None,
    }
}

/// Decides between the languages that share an extension; `language` is the usual owner.
pub(super) fn refine(file_name: &str, language: &'static str, head: &str) -> &'static str {
    let ending = file_name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        // `.C` and `.H` are C++ on Unix, plain C in trees that came from DOS.
        "h" | "H" | "C" => c_family(head),
        "m" | "M" => objective_c_or_matlab(head),
        "pl" | "PL" if is_prolog(head) => "prolog",
        "inc" if language == "c" => included(head),
        // ProGuard's rules have the ending of qmake's projects.
        "pro" if any_line(head, |line| line.starts_with("-keep")) => "",
        "pro" if is_prolog(head) => "prolog",
        "v" => verilog_coq_or_v(head),
        "t" if any_line(head, |line| line.starts_with("#!/usr/bin/env tarantool")) => "lua",
        "d" if is_make_dependency(head) => "make",
        "fs" if is_glsl(head) => "glsl",
        // Qt's translations.
        "ts" if head.starts_with("<?xml") || head.starts_with("<!DOCTYPE TS") => "xml",
        "cls" if !any_line(head, |line| line.starts_with(['\\', '%'])) => "apex",
        "pp" if !any_line(head, is_pascal_line) => "puppet",
        "cl" if head.trim_start().starts_with([';', '(']) => "lisp",
        "asc" if head.trim_start().starts_with("-----BEGIN PGP") => "",
        "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" if !is_manual_page(head) => "",
        "cgi" | "command" => interpreter_language(head).unwrap_or(language),
        _ => language,
    }
}

fn interpreter_language(head: &str) -> Option<&'static str> {
    super::BY_INTERPRETER.get(interpreter(head)?).copied()
}

fn any_line(head: &str, test: impl Fn(&str) -> bool) -> bool {
    head.lines().any(|line| test(line.trim_start()))
}

/// The lines of a C-like head that are not comment, trimmed at the start.
fn code_lines(head: &str) -> impl Iterator<Item = &str> {
    let mut in_comment = false;
    head.lines().map(str::trim_start).filter(move |line| {
        let was_in = in_comment;
        if line.starts_with("/*") {
            in_comment = true;
        }
        let commented = in_comment || line.starts_with("//");
        if line.contains("*/") {
            in_comment = false;
        }
        !(was_in || commented)
    })
}

/// `.inc` is whatever includes it: PHP, the C family, or unknown.
fn included(head: &str) -> &'static str {
    if head.starts_with("<?php") {
        return "php";
    }
    let is_c = |line: &str| line.starts_with("#include") || line.starts_with("#define");
    let is_code = any_line(head, is_c) || head.starts_with("//") || head.starts_with("/*");
    if is_code { c_family(head) } else { "" }
}

/// Starts of lines that only Objective-C has.
const OBJECTIVE_C_LINES: &[&str] = &[
    "@interface",
    "@protocol",
    "@class",
    "@import",
    "@property",
    "@implementation",
    "#import ",
    "NS_ASSUME_NONNULL_BEGIN",
    "FOUNDATION_EXPORT",
    "typedef NS_ENUM",
];

/// Starts of lines that C++ has and C has not.
const CPP_LINES: &[&str] = &[
    "namespace ",
    "template<",
    "template <",
    "using ",
    "public:",
    "private:",
    "protected:",
    "constexpr ",
    "consteval ",
    "concept ",
    "inline namespace ",
    "friend ",
    "virtual ",
    "explicit ",
    "static constexpr ",
    "enum class ",
    "enum struct ",
    "export module ",
];

/// C, C++ or Objective-C, for a header.
fn c_family(head: &str) -> &'static str {
    let starts = |line: &str, marks: &[&str]| marks.iter().any(|mark| line.starts_with(mark));
    let mut guarded = 0;
    for line in code_lines(head) {
        guarded = cplusplus_depth(line, guarded);
        if starts(line, OBJECTIVE_C_LINES) {
            return "objective-c";
        }
        // What only C++ compilers see in a header for both is no sign.
        let is_cpp = starts(line, CPP_LINES) || is_class(line) || is_bare_include(line);
        if guarded == 0 && (is_cpp || line.contains("std::")) {
            return "cpp";
        }
    }
    "c"
}

/// How deep the line stands below an `#ifdef __cplusplus`.
fn cplusplus_depth(line: &str, depth: u32) -> u32 {
    let opens = line.starts_with("#if");
    match () {
        () if opens && (depth > 0 || line.contains("__cplusplus")) => depth + 1,
        () if line.starts_with("#endif") => depth.saturating_sub(1),
        () => depth,
    }
}

/// `class Name …` as code: a name, then nothing or the sign that a declaration goes on.
fn is_class(line: &str) -> bool {
    line.strip_prefix("class ").is_some_and(|rest| {
        rest.contains(['{', ';', ':']) || rest.split_ascii_whitespace().count() <= 2
    })
}

/// `#include <vector>`: no header of C lacks the `.h`.
fn is_bare_include(line: &str) -> bool {
    let name = line.strip_prefix("#include").and_then(|rest| rest.trim_start().strip_prefix('<'));
    name.and_then(|rest| rest.split_once('>')).is_some_and(|(name, _)| !name.contains(['.', '/']))
}

fn objective_c_or_matlab(head: &str) -> &'static str {
    let objective = |line: &str| line.starts_with(['#', '@']) || line.starts_with("//");
    let matlab = |line: &str| {
        line.starts_with('%') || line.starts_with("function ") || line.starts_with("classdef ")
    };
    let decided = head.lines().map(str::trim_start).find_map(|line| match () {
        () if line.starts_with("/*") || objective(line) => Some("objective-c"),
        () if matlab(line) => Some("matlab"),
        () => None,
    });
    decided.unwrap_or("objective-c")
}

/// A clause neck, and no sign of Perl.
fn is_prolog(head: &str) -> bool {
    let perl = |line: &str| {
        ["use ", "#!", "my ", "package ", "sub ", "require "].iter().any(|p| line.starts_with(p))
            && !line.contains(":-")
    };
    let neck = |line: &str| {
        line.starts_with(":- ") || line.trim_end().ends_with(":-") || line.contains(") :- ")
    };
    any_line(head, neck) && !any_line(head, perl)
}

/// Starts of sentences of Coq.
const COQ_LINES: &[&str] = &[
    "Require ",
    "From ",
    "Theorem ",
    "Lemma ",
    "Definition ",
    "Inductive ",
    "Fixpoint ",
    "Proof.",
    "Section ",
    "Module ",
    "Set ",
    "Import ",
    "(**",
    "(* ",
];

/// `module counter (` is Verilog, `module main` V, `Require Import` Coq.
fn verilog_coq_or_v(head: &str) -> &'static str {
    const V: &[&str] = &["fn ", "pub fn ", "import ", "pub struct ", "struct ", "const (", "@["];
    for line in code_lines(head) {
        if line.starts_with("module ") {
            return if line.contains(['(', ';', '#']) || line.contains("//") {
                "verilog"
            } else {
                "v"
            };
        }
        if COQ_LINES.iter().any(|mark| line.starts_with(mark)) {
            return "coq";
        }
        if V.iter().any(|mark| line.starts_with(mark)) {
            return "v";
        }
    }
    "verilog"
}

/// What compilers write with `-MD`: `main.o: main.c \`.
fn is_make_dependency(head: &str) -> bool {
    let first = head.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    first.split_once(':').is_some_and(|(target, _)| {
        target.ends_with(".o") || target.ends_with(".obj") || target.ends_with(".rlib")
    })
}

fn is_glsl(head: &str) -> bool {
    const MARKS: &[&str] = &["#version", "void main", "precision ", "varying ", "uniform "];
    any_line(head, |line| MARKS.iter().any(|mark| line.starts_with(mark)))
}

fn is_pascal_line(line: &str) -> bool {
    let word = line.split([' ', ';']).next().unwrap_or("");
    let known = ["unit", "program", "interface", "uses", "library"];
    line.starts_with("{$") || known.iter().any(|mark| word.eq_ignore_ascii_case(mark))
}

/// A manual page begins with a request or a comment of roff.
fn is_manual_page(head: &str) -> bool {
    let start = head.trim_start();
    [".\\\"", "'\\\"", ".TH", ".Dd", ".so ", ".de", ".ds", ".ig", ".if", ".nr"]
        .iter()
        .any(|mark| start.starts_with(mark))
}

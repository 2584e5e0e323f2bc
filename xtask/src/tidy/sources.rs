//! Rules of a single Rust file: its header, its size, the length of its functions, forbidden calls.
//!
//! They see the file through `blank`, so words in strings and comments break nothing. Code of tests is
//! everything in a `tests` folder or file and every item behind `#[cfg(test)]`.

use super::blank::blank;
use super::{Breach, TextFile};

/// A production file ends here; 60 to 200 lines are aimed at.
const MAX_FILE_LINES: usize = 500;
/// A function ends here; under 25 lines are aimed at.
const MAX_FUNCTION_LINES: usize = 80;
/// Calls that panic where an error is due.
const FORBIDDEN: [&str; 3] = [".unwrap()", "todo!(", "unimplemented!("];

/// Checks one Rust file.
pub(crate) fn check(file: &TextFile) -> Vec<Breach> {
    let code = blank(&file.text);
    let lines: Vec<&str> = code.lines().collect();
    let in_tests = test_lines(&file.path, &lines);
    let mut breaches: Vec<Breach> = header(file).into_iter().collect();
    breaches.extend(file_size(&file.path, &in_tests));
    breaches.extend(functions(&file.path, &lines));
    breaches.extend(forbidden_calls(&file.path, &lines, &in_tests));
    breaches
}

fn header(file: &TextFile) -> Option<Breach> {
    let first = file.text.lines().next().unwrap_or_default();
    let opens = first.strip_prefix("//!").is_some_and(|words| !words.trim().is_empty());
    let rule = "open the file with //! what it is, why, and what it must not do";
    (!opens).then(|| Breach::new(&file.path, 1, rule))
}

fn file_size(path: &str, in_tests: &[bool]) -> Option<Breach> {
    let n_lines = in_tests.iter().filter(|is_test| !**is_test).count();
    let rule = format!("{n_lines} production lines; a file stops at {MAX_FILE_LINES}");
    (n_lines > MAX_FILE_LINES).then(|| Breach::new(path, MAX_FILE_LINES + 1, rule))
}

fn functions(path: &str, lines: &[&str]) -> Vec<Breach> {
    let length = |start: usize| item_end(lines, start) - start + 1;
    let too_long =
        |start: &usize| is_function(lines[*start]) && length(*start) > MAX_FUNCTION_LINES;
    let breach = |start: usize| {
        let rule = format!("{} lines; a function stops at {MAX_FUNCTION_LINES}", length(start));
        Breach::new(path, start + 1, rule)
    };
    (0..lines.len()).filter(too_long).map(breach).collect()
}

fn forbidden_calls(path: &str, lines: &[&str], in_tests: &[bool]) -> Vec<Breach> {
    let production = lines.iter().enumerate().filter(|(idx, _)| !in_tests[*idx]);
    production
        .flat_map(|(idx, line)| {
            let found = FORBIDDEN.into_iter().filter(|call| line.contains(call));
            found.map(move |call| (idx, call))
        })
        .map(|(idx, call)| Breach::new(path, idx + 1, format!("{call} outside tests")))
        .collect()
}

/// Which lines belong to tests.
fn test_lines(path: &str, lines: &[&str]) -> Vec<bool> {
    if path.contains("/tests/")
        || path.ends_with("/tests.rs")
        || path.ends_with("_tests.rs")
        || path.contains("/benches/")
    {
        return vec![true; lines.len()];
    }
    let mut in_tests = vec![false; lines.len()];
    for start in 0..lines.len() {
        if lines[start].trim_start().starts_with("#[cfg(test)]") {
            let end = item_end(lines, start);
            in_tests[start..=end].fill(true);
        }
    }
    in_tests
}

fn is_function(line: &str) -> bool {
    let mut words = line.split_whitespace().peekable();
    let is_qualifier = |word: &&str| {
        word.starts_with("pub")
            || ["const", "async", "unsafe", "extern", "in"].contains(word)
            || (word.ends_with(')') && !word.contains(':') && !word.contains("fn"))
    };
    while words.next_if(is_qualifier).is_some() {}
    words.next() == Some("fn")
}

/// The last line of the item that starts at `start`: where its braces close, or its `;`.
fn item_end(lines: &[&str], start: usize) -> usize {
    let mut depth = 0i32;
    for (idx, line) in lines.iter().enumerate().skip(start) {
        let mut closed = false;
        for c in line.chars() {
            match c {
                '{' | '(' | '[' => depth += 1,
                '}' | ')' | ']' => {
                    depth -= 1;
                    closed |= depth == 0 && c == '}';
                }
                ';' => closed |= depth == 0,
                _ => {}
            }
        }
        if closed && depth <= 0 {
            return idx;
        }
    }
    lines.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(path: &str, text: &str) -> Vec<String> {
        let file = TextFile { path: path.to_owned(), text: text.to_owned() };
        check(&file).iter().map(|breach| format!("{}: {}", breach.line, breach.rule)).collect()
    }

    #[test]
    fn a_file_opens_with_its_header() {
        assert!(rules("crates/a/src/lib.rs", "//! What it is.\n").is_empty());
        for text in ["", "use a;\n", "// plain\n", "//!\n", "\n//! late\n"] {
            let found = rules("crates/a/src/lib.rs", text);
            assert!(found[0].starts_with("1: open the file"), "{text}: {found:?}");
        }
    }

    #[test]
    fn production_lines_are_counted_without_tests() {
        let long = "//! x\n".to_owned() + &"a();\n".repeat(499);
        assert!(rules("crates/a/src/lib.rs", &long).is_empty());
        let tests = format!("{long}#[cfg(test)]\nmod tests {{\n{}}}\n", "    b();\n".repeat(300));
        assert!(rules("crates/a/src/lib.rs", &tests).is_empty());
        assert!(rules("crates/a/tests/all.rs", &(long.clone() + "b();\n")).is_empty());
        let found = rules("crates/a/src/lib.rs", &(long + "b();\n"));
        assert_eq!(found, ["501: 501 production lines; a file stops at 500"]);
    }

    #[test]
    fn a_function_stops_at_its_limit() {
        let function =
            |head: &str, n: usize| format!("//! x\n{head}\n{}}}\n", "    a();\n".repeat(n));
        for head in ["fn f() {", "pub(crate) async fn f() -> [u8; 2] {", "pub const fn f() {"] {
            assert!(rules("xtask/src/a.rs", &function(head, 78)).is_empty());
            let found = rules("xtask/src/a.rs", &function(head, 79));
            assert_eq!(found, ["2: 81 lines; a function stops at 80"], "{head}");
        }
        // A declaration without a body is one line, and braces in strings do not count.
        let text =
            "//! x\ntrait T {\n    fn f(&self);\n".to_owned() + &"    // }\n".repeat(99) + "}\n";
        assert!(rules("xtask/src/a.rs", &text).is_empty());
    }

    #[test]
    fn calls_that_panic_are_for_tests() {
        let call = "//! x\nfn f() {\n    a.unwrap();\n    todo!();\n}\n";
        let found = rules("crates/a/src/b.rs", call);
        assert_eq!(found, ["3: .unwrap() outside tests", "4: todo!( outside tests"]);
        assert!(rules("crates/a/src/b/tests.rs", call).is_empty());
        let behind =
            "//! x\n#[cfg(test)]\nmod tests {\n    fn f() {\n        a.unwrap();\n    }\n}\n";
        assert!(rules("crates/a/src/b.rs", behind).is_empty());
        let after = format!("{behind}fn g() {{ a.unwrap(); }}\n");
        assert_eq!(rules("crates/a/src/b.rs", &after), ["8: .unwrap() outside tests"]);
        let words = "//! x\n// a.unwrap()\nconst A: &str = \"todo!()\";\n";
        assert!(rules("crates/a/src/b.rs", words).is_empty());
    }

    #[test]
    fn a_test_module_in_a_file_of_its_own_hides_nothing() {
        let text = "//! x\n#[cfg(test)]\nmod tests;\nfn f() { a.unwrap(); }\n";
        assert_eq!(rules("crates/a/src/b.rs", text), ["4: .unwrap() outside tests"]);
    }
}

//! C7: `exact` and `regex` find the very lines that `grep -rn` finds in the same files.
//!
//! The generated tree has odd names and odd contents. grep runs on the list of kept files, with `-a` and
//! in a UTF-8 locale; what it prints is compared as a set of path and line.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::process::{Command, Stdio};

use wherein_engine::{Mode, SearchRequest};

use crate::fixture::{Tree, ask, exact, kept, regex};

/// Names that trip programs which parse or quote paths.
const ODD_NAMES: &[&str] = &[
    "plain.rs",
    "with space.py",
    "co:lon:12:.js",
    "quo\"te's`.go",
    "ünïcødé-한글.kt",
    "-leading-dash.c",
    "new\nline.rb",
    "tab\tname.txt",
    "back\\slash.md",
    "deep/er/and deeper/x.ts",
    "[brackets]/{a,b}*?.java",
    "$HOME/~x!.sh",
    "%41.cs",
];

fn odd_tree() -> Tree {
    let tree = Tree::new("");
    for (i, name) in ODD_NAMES.iter().enumerate() {
        tree.write(name, body(i));
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        tree.write(OsString::from_vec(b"bytes-\xff\xfe.rs".to_vec()), body(3));
        tree.write(OsString::from_vec(b"dir-\xe9/caf\xe9.rs".to_vec()), body(4));
    }
    let long: String = (1..=6000).map(|i| format!("line {i} of a long file\n")).collect();
    tree.write("long.txt", format!("{long}needle at the end"));
    tree.write("crlf.txt", "needle\r\nsecond needle\r\n\r\nlast needle\r\n");
    let far = "x".repeat(9_999);
    tree.write("columns.txt", format!("needle at 1\n{far}needle at 10000\n{far}nothing\n"));
    tree.write("latin1.txt", b"caf\xe9 needle\nplain needle\n\xff\xfe needle\n");
    tree.write(
        "late_nul.txt",
        [b"text\n".repeat(120), b"a\0needle\nneedle\0b\n".to_vec()].concat(),
    );
    tree.write("no_newline.txt", "first\nneedle");
    tree.write("blank.txt", "\n\n   \n\t\n");
    tree.write("one_newline.txt", "\n");
    tree.write("cr_only.txt", "needle\rneedle\rneedle");
    tree
}

/// A few lines that differ from file to file.
fn body(i: usize) -> String {
    format!(
        "needle number {i}\n\n  foo.bar(baz[{i}]) -> $x * (a|b)+ ^start end$\n\
         Needle NEEDLE needles\nprice {i}.50 a{i}b needle{i}\ntab\there\\n \"quoted\" 'q'\n\
         größe 한국어 naïve {i}{i}{i}\n"
    )
}

/// What grep says of the kept files; `None` where there is no GNU grep.
fn grep(
    tree: &Tree,
    files: &[OsString],
    flags: &str,
    text: &str,
) -> Option<BTreeSet<(String, u32)>> {
    let output = Command::new("grep")
        .args(["-anHZ", flags, "-e", text, "--"])
        .args(files)
        .current_dir(tree.root())
        .env("LC_ALL", "C.UTF-8")
        .env_remove("GREP_OPTIONS")
        .stdin(Stdio::null())
        .output();
    let Ok(output) = output else {
        eprintln!("SKIPPED: grep is not installed");
        return None;
    };
    if String::from_utf8_lossy(&output.stderr).contains("option") {
        eprintln!("SKIPPED: this grep lacks -Z: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    assert!(output.status.code() < Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found = BTreeSet::new();
    // Each record is path, NUL, number, colon, line; the line may hold NUL bytes itself.
    let mut rest = output.stdout.as_slice();
    while let Some(end) = rest.iter().position(|b| *b == 0) {
        let path = String::from_utf8_lossy(&rest[..end]).into_owned();
        let colon = end + rest[end..].iter().position(|b| *b == b':').expect("a number");
        let number = std::str::from_utf8(&rest[end + 1..colon]).unwrap().parse().unwrap();
        let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
        found.insert((path, number));
        let newline = rest[colon..].iter().position(|b| *b == b'\n').expect("a line");
        rest = &rest[colon + newline + 1..];
    }
    Some(found)
}

/// Every file of the tree as grep takes it; all are kept, which the caller checks.
fn files_of(tree: &Tree) -> Vec<OsString> {
    let mut files = Vec::new();
    let mut folders = vec![tree.root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                let path = entry.path().strip_prefix(tree.root()).unwrap().to_path_buf();
                files.push(std::path::Path::new(".").join(path).into_os_string());
            }
        }
    }
    files
}

#[track_caller]
fn compare(requests: &[SearchRequest]) {
    let tree = odd_tree();
    let files = files_of(&tree);
    let engine = tree.engine();
    assert_eq!(kept(&engine).len(), files.len(), "all files are kept: {:?}", kept(&engine));
    for request in requests {
        let flags = if request.mode == Mode::Exact { "-F" } else { "-E" };
        let flags = if request.ignore_case { format!("{flags}i") } else { flags.to_owned() };
        let Some(wanted) = grep(&tree, &files, &flags, &request.text) else { return };
        let answer = ask(&engine, request);
        assert_eq!(answer.n_matches as usize, answer.hits.len());
        let found: BTreeSet<(String, u32)> =
            answer.hits.iter().map(|hit| (hit.path.clone(), hit.start_line)).collect();
        assert_eq!(found.len(), answer.hits.len(), "no line comes twice");
        let missing: Vec<_> = wanted.difference(&found).collect();
        let surplus: Vec<_> = found.difference(&wanted).collect();
        assert!(
            missing.is_empty() && surplus.is_empty(),
            "grep {flags} {:?}: missing {missing:?}, surplus {surplus:?}",
            request.text
        );
    }
}

#[test]
fn c07_exact_equals_grep() {
    let texts = [
        "needle",
        "Needle",
        "foo.bar(",
        "$x * (a|b)+",
        "^start",
        "end$",
        "[1]",
        "\\n",
        "\"quoted\"",
        "'q'",
        "\t",
        "한국어",
        "ß",
        "naïve",
        "-> ",
        "-",
        "--",
        "at 10000",
        "nothing here",
        ".",
        "*",
        "end\r",
        "needle\r",
        "a\0",
        "of a long file",
        " ",
        "  ",
        "\\",
    ];
    compare(&texts.map(exact));
}

#[test]
fn c07_regex_equals_grep() {
    let patterns = [
        "needle",
        "^needle",
        "needle$",
        "needle.$",
        "^$",
        "^ +$",
        "n(e+)dle[0-9]+",
        "foo\\.bar\\(",
        "\\(a\\|b\\)\\+",
        "(foo|price) ?[^a-z]",
        "[0-9]{3}",
        "^line (1|22|333)[^0-9]",
        "^.{10000}",
        "x{50}needle",
        "\\bneedle\\b",
        "\\w+\\[",
        "gr..e",
        "^[^ ]+ [^ ]+$",
        "한.어",
        "caf. ",
        ".",
        "^",
        "$",
        "[[:digit:]]+\\.[[:digit:]]",
        "\\$x \\*",
        "^needle.needle",
        "[\"']q",
        "a.needle",
        "(^| )Needle",
        "e{2}dle",
        "\\s$",
        "\\S\\s\\S",
    ];
    compare(&patterns.map(regex));
}

#[test]
fn c07_case_is_folded_as_grep_does() {
    let folded = |request| SearchRequest { ignore_case: true, ..request };
    compare(
        &[exact("NEEDLE"), exact("GRÖSSE"), exact("GRÖßE"), regex("^NEEDLE"), regex("naÏve")]
            .map(folded),
    );
}

/// Not compared: `\\b` beside bytes that are no text, where GNU grep sees no boundary and ripgrep does.
#[test]
fn c07_next_to_bytes_that_are_no_text() {
    let tree = Tree::new("");
    tree.write("a.txt", b"caf\xe9needle\n\xe9needle\nx\xffneedle\xff\nneedle\n");
    let files = files_of(&tree);
    for (request, flags) in [
        (exact("needle"), "-F"),
        (regex("needle$"), "-E"),
        (regex("^needle"), "-E"),
        (regex("^.needle"), "-E"),
        (regex("f.needle"), "-E"),
        (regex("x[^ ]needle"), "-E"),
    ] {
        let Some(wanted) = grep(&tree, &files, flags, &request.text) else { return };
        let answer = ask(&tree.engine(), &request);
        let found = answer.hits.iter().map(|hit| (hit.path.clone(), hit.start_line)).collect();
        assert_eq!(wanted, found, "{:?}", request.text);
    }
}

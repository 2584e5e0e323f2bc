//! A source file → pairs of docs, names, tests and comments with the code that they speak of.

use std::collections::HashSet;

use wherein_engine::{Kind, SourceParts, SourceReader, Symbol, SymbolKind, SymbolPart, head};

use super::comments;
use super::questions::{is_good, sentence, shorten};
use crate::pair::{Pair, PairKind};

/// Lines of code that a pair has at most.
const MAX_LINES: usize = 48;
/// … and bytes.
const MAX_BYTES: usize = 3500;
/// Code shorter than this answers nothing.
const MIN_BYTES: usize = 40;

/// A function that a test may call.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) head: String,
    pub(super) text: String,
}

/// What a file gives.
#[derive(Debug, Default)]
pub(super) struct Mined {
    pub(super) pairs: Vec<Pair>,
    pub(super) functions: Vec<Function>,
    pub(super) tests: Vec<TestCase>,
}

/// A test before the functions that it calls are known.
#[derive(Debug)]
pub(super) struct TestCase {
    pub(super) language: String,
    pub(super) question: String,
    pub(super) text: String,
}

/// Reads a file.
pub(super) fn mine(reader: &mut SourceReader, path: &str, text: &str) -> Mined {
    let parts = reader.read(path, text);
    let mut mined = Mined::default();
    if parts.kind == Kind::Generated {
        return mined;
    }
    let lines: Vec<&str> = text.lines().collect();
    let file = File { path, lines: &lines, parts: &parts };
    for part in &parts.symbols {
        file.symbol(reader, part, &mut mined);
    }
    if matches!(parts.kind, Kind::Source | Kind::Test) {
        file.comments(&mut mined);
    }
    mined
}

struct File<'a> {
    path: &'a str,
    lines: &'a [&'a str],
    parts: &'a SourceParts,
}

impl File<'_> {
    fn symbol(&self, reader: &mut SourceReader, part: &SymbolPart, mined: &mut Mined) {
        let symbol = &part.symbol;
        if !(symbol.kind.is_callable() || symbol.kind.is_type() || symbol.kind == SymbolKind::Test)
        {
            return;
        }
        let text = self.body(part);
        if text.len() < MIN_BYTES || symbol.end_line <= symbol.start_line {
            return;
        }
        let is_test = self.parts.kind == Kind::Test;
        if symbol.kind == SymbolKind::Test || (is_test && says_test(&symbol.name)) {
            return self.test(reader, symbol, &text, mined);
        }
        let full = head(self.path, &self.parts.language, Some(symbol));
        if let Some(doc) = question_of_doc(part) {
            mined.pairs.push(self.pair(PairKind::Doc, &doc, full.clone(), text.clone()));
        }
        if symbol.kind.is_callable() && !is_test {
            let function = Function { name: symbol.name.clone(), head: full, text: text.clone() };
            mined.functions.push(function);
        }
        let name = words_of(reader, &symbol.name);
        if name.split(' ').count() >= 2 && symbol.end_line - symbol.start_line >= 3 {
            let hidden = self.head_without_name(symbol);
            mined.pairs.push(self.pair(
                PairKind::Name,
                &name,
                hidden,
                without(&text, &symbol.name),
            ));
        }
    }

    fn test(&self, reader: &mut SourceReader, symbol: &Symbol, text: &str, mined: &mut Mined) {
        let words = match symbol.name.contains(' ') {
            true => symbol.name.clone(),
            false => words_of(reader, &symbol.name),
        };
        let words = words.trim_start_matches("test ").trim_start_matches("it ").to_owned();
        if !is_good(&words, 2, 30) {
            return;
        }
        let case = TestCase {
            language: self.parts.language.clone(),
            question: words.clone(),
            text: text.to_owned(),
        };
        mined.tests.push(case);
        let hidden = self.head_without_name(symbol);
        mined.pairs.push(self.pair(PairKind::Test, &words, hidden, without(text, &symbol.name)));
    }

    fn comments(&self, mined: &mut Mined) {
        for found in comments::find(&self.parts.language, self.lines) {
            let question = sentence(found.text.iter().map(String::as_str));
            if !is_good(&question, 4, 40) {
                continue;
            }
            let line = found.code.start as u32 + 1;
            let inside =
                |part: &&SymbolPart| part.symbol.start_line < line && line <= part.symbol.end_line;
            // A comment above a definition is its doc, which is another kind of pair.
            if self
                .parts
                .symbols
                .iter()
                .any(|part| (part.top_line..=part.symbol.name_line).contains(&line))
            {
                continue;
            }
            let around = self.parts.symbols.iter().rfind(inside).map(|part| &part.symbol);
            let head = head(self.path, &self.parts.language, around);
            let text = cut(self.lines[found.code].iter().copied());
            if text.len() >= MIN_BYTES {
                mined.pairs.push(self.pair(PairKind::Inline, &question, head, text));
            }
        }
    }

    /// The code of a symbol without its doc comment.
    fn body(&self, part: &SymbolPart) -> String {
        let doc: HashSet<usize> = doc_lines(part, self.lines).collect();
        let (start, end) = (part.symbol.start_line as usize - 1, part.symbol.end_line as usize);
        let lines = (start..end.min(self.lines.len())).filter(|idx| !doc.contains(idx));
        cut(lines.map(|idx| self.lines[idx]))
    }

    fn head_without_name(&self, symbol: &Symbol) -> String {
        let nameless = Symbol { name: String::new(), route: None, ..symbol.clone() };
        without(&head(self.path, &self.parts.language, Some(&nameless)), &symbol.name)
    }

    fn pair(&self, kind: PairKind, question: &str, head: String, text: String) -> Pair {
        let question = shorten(question);
        Pair { kind, language: self.parts.language.clone(), question, head, text }
    }
}

/// The lines inside a symbol that belong to its doc comment, counted from 0.
pub(crate) fn doc_lines<'a>(
    part: &'a SymbolPart,
    lines: &'a [&'a str],
) -> impl Iterator<Item = usize> + 'a {
    let marks = |c: char| c.is_whitespace() || "/*#-!|{}\"'".contains(c);
    let doc: HashSet<&str> = part.doc.lines().map(|l| l.trim_matches(marks)).collect();
    let (start, end) = (part.symbol.start_line as usize - 1, part.symbol.end_line as usize);
    (start..end.min(lines.len())).filter(move |idx| {
        let bare = lines[*idx].trim_matches(marks);
        bare.len() > 2 && doc.contains(bare)
    })
}

/// What a doc comment could have been asked by.
pub(crate) fn question_of_doc(part: &SymbolPart) -> Option<String> {
    let doc = sentence(part.doc.lines());
    is_good(&doc, 3, 40).then_some(doc)
}

/// Whole lines up to what a pair may have.
pub(super) fn cut<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for line in lines.take(MAX_LINES) {
        let line = &line[..line.floor_char_boundary(400)];
        if text.len() + line.len() > MAX_BYTES {
            break;
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// A text without an identifier, where it stands as a whole.
fn without(text: &str, name: &str) -> String {
    if name.is_empty() {
        return text.to_owned();
    }
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut rest = String::with_capacity(text.len());
    let mut from = 0;
    for (at, found) in text.match_indices(name) {
        let end = at + found.len();
        if !is_part(text[..at].chars().next_back()) && !is_part(text[end..].chars().next()) {
            rest.push_str(&text[from..at]);
            from = end;
        }
    }
    rest.push_str(&text[from..]);
    rest
}

fn says_test(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.starts_with("test") || lower.ends_with("test") || lower.starts_with("should")
}

/// The words of a name as they are written, in lower case.
pub(super) fn words_of(reader: &mut SourceReader, name: &str) -> String {
    let mut words = String::new();
    reader.spelled_words(name, |_, spelled| {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(&spelled.to_lowercase());
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(path: &str, text: &str) -> Vec<Pair> {
        mine(&mut SourceReader::default(), path, text).pairs
    }

    const PYTHON: &str = "class Jar:\n    def drop_stale_cookies(self, now):\n        \"\"\"Forget every cookie that is too old.\n\n        More words.\n        \"\"\"\n        for name in list(self.cookies):\n            if self.cookies[name].expires < now:\n                # Somebody may still hold the old one.\n                old = self.cookies.pop(name)\n                old.release(self.drop_stale_cookies)\n        return self.cookies\n";

    #[test]
    fn a_doc_is_asked_of_the_code_without_it() {
        let pairs = pairs("src/jar.py", PYTHON);
        let doc = pairs.iter().find(|p| p.kind == PairKind::Doc).unwrap();
        assert_eq!(doc.question, "Forget every cookie that is too old.");
        assert!(
            doc.text.contains("expires < now") && !doc.text.contains("too old"),
            "{}",
            doc.text
        );
        assert!(!doc.text.contains("More words"), "{}", doc.text);
        assert!(doc.head.contains("Jar.drop_stale_cookies in src/jar.py"), "{}", doc.head);
    }

    #[test]
    fn a_name_is_asked_of_the_code_without_it() {
        let pairs = pairs("src/jar.py", PYTHON);
        let name = pairs.iter().find(|p| p.kind == PairKind::Name).unwrap();
        assert_eq!(name.question, "drop stale cookies");
        assert!(!name.text.contains("drop_stale") && !name.head.contains("stale"), "{name:?}");
    }

    #[test]
    fn a_comment_is_asked_of_the_lines_below() {
        let pairs = pairs("src/jar.py", PYTHON);
        let inline = pairs.iter().find(|p| p.kind == PairKind::Inline).unwrap();
        assert_eq!(inline.question, "Somebody may still hold the old one.");
        assert!(inline.text.trim_start().starts_with("old = self.cookies.pop(name)"));
    }

    #[test]
    fn names_are_taken_out_only_as_wholes() {
        assert_eq!(
            without("run(); rerun(); run_all(); x.run", "run"),
            "(); rerun(); run_all(); x."
        );
    }
}

//! Identifiers of a chunk with their lines: what `usages` finds without opening a file.
//!
//! Every word of code is one, whatever the grammar calls it, so none is missed; comments and string literals are left
//! out. Words that no language lets anybody define are left out, too: they would be most of the index.

use crate::chunk::{Cut, Cuts};
use crate::store::{SEPARATOR, Usage};
use crate::symbol::UsageClass;

/// Words that are reserved wherever they are used at all.
const RESERVED: &[&str] = &[
    "abstract",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "def",
    "do",
    "double",
    "elif",
    "else",
    "enum",
    "extends",
    "extern",
    "false",
    "finally",
    "float",
    "fn",
    "for",
    "func",
    "function",
    "goto",
    "if",
    "implements",
    "import",
    "in",
    "int",
    "interface",
    "let",
    "long",
    "namespace",
    "null",
    "package",
    "private",
    "protected",
    "pub",
    "public",
    "return",
    "short",
    "static",
    "struct",
    "switch",
    "this",
    "throw",
    "throws",
    "true",
    "try",
    "typedef",
    "unsigned",
    "using",
    "var",
    "void",
    "while",
];
/// By first letter, a bit for each length that a reserved word has: most words are none by this alone.
const RESERVED_LENGTHS: [u32; 128] = {
    let mut lengths = [0; 128];
    let mut i = 0;
    while i < RESERVED.len() {
        lengths[RESERVED[i].as_bytes()[0] as usize] |= 1 << RESERVED[i].len();
        i += 1;
    }
    lengths
};
/// Longer words are data.
const MAX_BYTES: usize = 128;

/// Words of a line that are compared with a new one: lines with more are tables.
const MAX_COMPARED: usize = 64;

/// Gathers usages; one per thread.
#[derive(Debug, Default)]
pub(super) struct UsageWriter {
    found: Vec<(Usage, std::ops::Range<usize>)>,
}

impl UsageWriter {
    /// Writes the usages of a chunk to `out`, a term and a place a line, each identifier once a line.
    pub(super) fn write(&mut self, text: &str, cuts: &Cuts<'_>, cut: &Cut<'_>, out: &mut String) {
        self.found.clear();
        self.gather(text, cuts, cut);
        for (usage, word) in &self.found {
            out.push_str(&text[word.clone()]);
            out.push(SEPARATOR);
            push_number(out, usage.position());
            out.push('\n');
        }
    }

    /// Keeps an identifier once a line, as the strongest that it is there. Places of one identifier must not go down, so
    /// where a line has too many words to compare, they are all mentions.
    fn keep(&mut self, text: &str, mut usage: Usage, word: std::ops::Range<usize>) {
        let bytes = text.as_bytes();
        let fresh = &bytes[word.clone()];
        let mut n_in_line = 0;
        for (known, at) in self.found.iter_mut().rev().take(MAX_COMPARED) {
            if known.row != usage.row {
                break;
            }
            // Most words of a line differ in length or in their first byte.
            if at.len() == fresh.len() && bytes[at.start] == fresh[0] && bytes[at.clone()] == *fresh
            {
                known.class = known.class.min(usage.class);
                return;
            }
            n_in_line += 1;
        }
        if n_in_line == MAX_COMPARED {
            usage.class = UsageClass::Mention;
        }
        self.found.push((usage, word));
    }

    fn gather(&mut self, text: &str, cuts: &Cuts<'_>, cut: &Cut<'_>) {
        let (start, end) = (cut.at, cut.at + cut.chunk.text.len());
        let syntax = &cuts.syntax;
        let mut prose = syntax.prose.partition_point(|range| range.end as usize <= start);
        let from = |list: &[u32]| list.partition_point(|at| (*at as usize) < start);
        let (mut name, mut call) = (from(&syntax.names), from(&syntax.calls));
        let bytes = text.as_bytes();
        let (mut at, mut row) = (start, 0);
        while at < end {
            let next = syntax.prose.get(prose).map_or(usize::MAX, |range| range.start as usize);
            if at >= next {
                let until = (syntax.prose[prose].end as usize).clamp(at, end);
                row += memchr::memchr_iter(b'\n', &bytes[at..until]).count() as u32;
                at = until;
                prose += 1;
                continue;
            }
            let byte = bytes[at];
            row += u32::from(byte == b'\n');
            if !is_word_byte(byte) {
                at += 1;
                continue;
            }
            let word = at..word_end(bytes, at, end.min(next));
            at = word.end;
            let class = match () {
                () if is_next(&syntax.names, &mut name, word.start) => UsageClass::Definition,
                () if is_next(&syntax.calls, &mut call, word.start) => UsageClass::Call,
                () => UsageClass::Mention,
            };
            if is_identifier(&text[word.clone()], class) {
                self.keep(text, Usage { row, class }, word);
            }
        }
    }
}

/// Appends a number in decimal digits; the formatting machinery would be most of the work.
fn push_number(out: &mut String, number: u32) {
    if number >= 10 {
        push_number(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// Whether `at` stands in the sorted list, whose earlier entries are behind.
fn is_next(list: &[u32], position: &mut usize, at: usize) -> bool {
    while list.get(*position).is_some_and(|next| (*next as usize) < at) {
        *position += 1;
    }
    list.get(*position).is_some_and(|next| *next as usize == at)
}

/// Which bytes belong to words.
static IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < table.len() {
        let byte = i as u8;
        table[i] = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
        i += 1;
    }
    table
};

fn is_word_byte(byte: u8) -> bool {
    IS_WORD[usize::from(byte)]
}

/// The end of the word that begins at `at`; at a character's bound.
fn word_end(bytes: &[u8], at: usize, end: usize) -> usize {
    bytes[at..end].iter().position(|byte| !is_word_byte(*byte)).map_or(end, |i| at + i)
}

fn is_identifier(word: &str, class: UsageClass) -> bool {
    let is_number = word.as_bytes()[0].is_ascii_digit();
    !is_number && word.len() <= MAX_BYTES && (class != UsageClass::Mention || !is_reserved(word))
}

fn is_reserved(word: &str) -> bool {
    let lengths =
        RESERVED_LENGTHS.get(usize::from(word.as_bytes()[0])).copied().unwrap_or_default();
    let may_be = word.len() < 32 && lengths & (1 << word.len()) != 0;
    may_be && RESERVED.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{Chunker, Source};
    use crate::model::{Kind, Profile};

    #[track_caller]
    fn check(file_name: &str, text: &str, word: &str, expected: &[(u32, UsageClass)]) {
        let language = crate::scan::language::detect(file_name, text.as_bytes());
        let source = Source { language, file_name, kind: Kind::Source, text };
        let cuts = Chunker::default().cut(Profile::Symbols, &source);
        let (mut found, mut out) = (Vec::new(), String::new());
        for cut in &cuts.chunks {
            out.clear();
            UsageWriter::default().write(text, &cuts, cut, &mut out);
            for line in out.lines() {
                let (term, place) = line.split_once('\t').expect("a place");
                if term == word {
                    let usage = Usage::at(place.parse().expect("a number"));
                    found.push((cut.chunk.start_line + usage.row, usage.class));
                }
            }
        }
        assert_eq!(found, expected, "{word} in {text}");
    }

    #[test]
    fn reserved_words_are_sorted() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn definitions_calls_and_mentions_are_told_apart_and_prose_is_left_out() {
        use UsageClass::*;
        let text = "import load\n\ndef load(x):\n    # load it\n    y = load(x)\n    return load or 'load'\n";
        check("a.py", text, "load", &[(1, Mention), (3, Definition), (5, Call), (6, Mention)]);
        check("a.py", text, "return", &[]);
    }

    #[test]
    fn a_line_of_many_words_keeps_its_places_in_order() {
        let many: String = (0..200).map(|i| format!("w{i} = ")).collect();
        let text = format!("walrus(walrus) = {many}walrus(1) = walrus\n");
        let source = Source { language: "go", file_name: "a.go", kind: Kind::Source, text: &text };
        let cuts = Chunker::default().cut(Profile::Symbols, &source);
        let mut out = String::new();
        UsageWriter::default().write(&text, &cuts, &cuts.chunks[0], &mut out);
        let places = out.lines().filter_map(|line| line.strip_prefix("walrus\t"));
        let places: Vec<u32> = places.map(|place| place.parse().expect("a number")).collect();
        assert!(places.len() > 1 && places.is_sorted(), "{places:?}");
    }

    #[test]
    fn interpolated_code_is_code() {
        check("a.py", "x = f'size {size(y)} size'\n", "size", &[(1, UsageClass::Call)]);
    }

    #[test]
    fn any_alphabet_and_no_grammar() {
        check("a.py", "수주 = 찾기(번호)\n", "번호", &[(1, UsageClass::Mention)]);
        check("a.txt", "see load_all\n", "load_all", &[(1, UsageClass::Mention)]);
    }
}

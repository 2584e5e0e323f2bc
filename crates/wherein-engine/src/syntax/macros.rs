//! Macros of C and C++ that stand where their grammars expect none, blanked out, so that the declaration around can be
//! read: `class API Name {`, `void f() ATTRIBUTE(x) {`, `API type f(`, `type x ATTRIBUTE;`, `BEGIN_NAMESPACE`.
//!
//! Blanks keep every byte and line where it was. A word is a macro by its capitals and by its place: one where a type
//! or a call could stand is left alone. Must not touch comments, strings and directives.

/// Before them a macro can only be a specifier: no type precedes these.
const SPECIFIERS: &[&str] = &[
    "auto",
    "bool",
    "char",
    "class",
    "constexpr",
    "double",
    "enum",
    "explicit",
    "extern",
    "float",
    "friend",
    "inline",
    "int",
    "long",
    "namespace",
    "short",
    "signed",
    "static",
    "struct",
    "template",
    "typedef",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "size_t",
];
/// Types that are keywords.
const TYPES: &[&str] = &[
    "auto", "bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned",
    "void", "size_t",
];
/// Keywords that are neither a type nor a name.
const OTHERS: &[&str] = &[
    "break",
    "case",
    "catch",
    "const",
    "continue",
    "default",
    "delete",
    "do",
    "else",
    "final",
    "for",
    "goto",
    "if",
    "new",
    "noexcept",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "return",
    "sizeof",
    "switch",
    "throw",
    "typename",
    "volatile",
    "while",
];

/// The text without such macros; `None` where there are none.
pub(super) fn blank(language: &str, text: &str) -> Option<String> {
    if !matches!(language, "c" | "cpp") {
        return None;
    }
    let code = Code::of(text);
    let mut bytes = text.as_bytes().to_vec();
    let mut i = 0;
    while i < code.tokens.len() {
        if let Some(close) = code.statement_at(i) {
            // `NAME(…)` becomes `NAME();`, as long as it was.
            let (start, end) = (code.tokens[i].1, code.tokens[close].1);
            let left = b"();".iter().chain(std::iter::repeat(&b' '));
            let inside = bytes[start..end].iter_mut().filter(|byte| **byte != b'\n');
            inside.zip(left).for_each(|(byte, with)| *byte = *with);
            i = close + 1;
            continue;
        }
        let Some(end) = code.macros_at(i) else {
            i += 1;
            continue;
        };
        let range = code.tokens[i].0..code.tokens[end - 1].1;
        bytes[range].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        i = end;
    }
    if bytes == text.as_bytes() { None } else { String::from_utf8(bytes).ok() }
}

/// Words, single signs, `"` for a literal and `#` for a directive.
struct Code<'a> {
    text: &'a str,
    tokens: Vec<(usize, usize)>,
    /// By token: the other parenthesis, or itself.
    partner: Vec<usize>,
    /// By token: whether no braces but those of namespaces are around.
    is_outside: Vec<bool>,
}

impl<'a> Code<'a> {
    fn of(text: &'a str) -> Code<'a> {
        let tokens = tokens(text.as_bytes());
        let partner = (0..tokens.len()).collect();
        let mut code = Code { text, tokens, partner, is_outside: Vec::new() };
        let (mut open, mut braces, mut n_inside) = (Vec::new(), Vec::new(), 0);
        for i in 0..code.tokens.len() {
            match code.word(i) {
                "(" => open.push(i),
                ")" => {
                    if let Some(start) = open.pop() {
                        (code.partner[i], code.partner[start]) = (start, i);
                    }
                }
                "{" => {
                    let is_space = (1..8)
                        .map(|n| code.before(i, n))
                        .take_while(|w| !matches!(*w, ";" | "}" | "{" | ")"));
                    let is_space = code.before(i, 1) == "\""
                        || is_space.into_iter().any(|word| word == "namespace");
                    braces.push(is_space);
                    n_inside += usize::from(!is_space);
                }
                "}" => n_inside -= usize::from(braces.pop() == Some(false)),
                _ => {}
            }
            code.is_outside.push(n_inside == 0 && open.is_empty());
        }
        code
    }

    /// The token; nothing beyond the ends.
    fn word(&self, i: usize) -> &'a str {
        let Some((start, end)) = self.tokens.get(i) else { return "" };
        match self.text.as_bytes()[*start] {
            b'#' => "#",
            b'"' | b'\'' => "\"",
            _ => self.text.get(*start..*end).unwrap_or_default(),
        }
    }

    fn before(&self, i: usize, n: usize) -> &'a str {
        i.checked_sub(n).map_or("", |i| self.word(i))
    }

    /// The end of `NAME(int, x)` that stands alone outside of functions and classes: no statement of the language.
    fn statement_at(&self, i: usize) -> Option<usize> {
        let close = *self.partner.get(i + 1)?;
        let is_first = matches!(self.before(i, 1), "" | "#" | ";" | "}" | "{" | ")");
        if !is_macro(self.word(i)) || close < i + 3 || !self.is_outside[i] || !is_first {
            return None;
        }
        let has_type = |i: usize| {
            let word = self.word(i);
            SPECIFIERS.contains(&word) || matches!(word, "const" | "<") || word.ends_with("_t")
        };
        let next = self.word(close + 1);
        let is_statement = match next {
            ";" => (i + 2..close).any(has_type),
            "" | "#" | "}" => true,
            _ => {
                SPECIFIERS.contains(&next)
                    || (is_name(next) && (is_macro(next) || self.word(close + 2) != "("))
            }
        };
        let rest = self.text[self.tokens[close].1..].split('\n').next().unwrap_or_default();
        (is_statement && (next == ";" || rest.trim().is_empty())).then_some(close)
    }

    /// The end of the macros that begin at a token and can be blanked.
    fn macros_at(&self, i: usize) -> Option<usize> {
        if !is_capitals(self.word(i)) {
            return None;
        }
        let end = self.run(i, true);
        let is_blank = match self.before(i, 1) {
            "class" | "struct" | "union" => self.names_type(end),
            ")" | "const" | "noexcept" | "override" | "final" | "&" => {
                self.follows_parameters(i, end)
            }
            prev => is_name(prev) && is_macro(self.word(i)) && self.follows_name(i, end),
        };
        if is_blank {
            return Some(end);
        }
        // The last of several may be the type.
        let end = self.run(i, false);
        (i + 1..=end).rev().find(|end| self.leads(i, *end))
    }

    /// Behind the macros that begin at a token, with their arguments.
    fn run(&self, start: usize, with_arguments: bool) -> usize {
        let mut i = start;
        while is_capitals(self.word(i)) {
            i += 1;
            if with_arguments && self.word(i) == "(" && self.partner[i] > i {
                i = self.partner[i] + 1;
            }
        }
        i
    }

    /// `class API Name {`
    fn names_type(&self, mut i: usize) -> bool {
        if !is_name(self.word(i)) {
            return false;
        }
        i += 1;
        while self.word(i) == ":" && self.word(i + 1) == ":" && is_name(self.word(i + 2)) {
            i += 3;
        }
        if self.word(i) == "<" {
            let end = (i..i + 64).find(|i| self.word(*i) == ">");
            i = end.map_or(i, |end| end + 1);
        }
        matches!(self.word(i), "{" | ":" | "final")
    }

    /// `void f(int x) const ATTRIBUTE(y) {`
    fn follows_parameters(&self, i: usize, end: usize) -> bool {
        let mut close = i - 1;
        while matches!(self.word(close), "const" | "noexcept" | "override" | "final" | "&")
            && close > 0
        {
            close -= 1;
        }
        let open = self.partner[close];
        let name = self.before(open, 1);
        if self.word(close) != ")" || open >= close || OTHERS.contains(&name) {
            return false;
        }
        let is_declared = match self.before(open, 2) {
            "*" | "&" | ">" | "~" | ":" => true,
            before => is_name(before) || TYPES.contains(&before),
        };
        match self.word(end) {
            "{" | "const" | "override" | "final" | "noexcept" => true,
            ":" => self.word(end + 1) != ":",
            ";" | "=" | "-" => is_declared,
            _ => false,
        }
    }

    /// `int x ATTRIBUTE(y);`, `namespace x ABI {`
    fn follows_name(&self, i: usize, end: usize) -> bool {
        let is_declared = match self.before(i, 2) {
            ">" | "*" | "&" | "namespace" => true,
            before => (is_name(before) && !is_macro(before)) || TYPES.contains(&before),
        };
        is_declared
            && !is_macro(self.before(i, 1))
            && matches!(self.word(end), ";" | "=" | "{" | "," | ")")
    }

    /// `API type name(`, and a line of its own.
    fn leads(&self, i: usize, end: usize) -> bool {
        if !is_macro(self.word(i)) {
            return false;
        }
        let prev = self.before(i, 1);
        let is_first = match prev {
            "" | "#" | ";" | "}" | "{" | ">" | "static" | "inline" | "extern" | "virtual"
            | "constexpr" | "explicit" | "friend" => true,
            ":" => matches!(self.before(i, 2), "public" | "private" | "protected"),
            _ => false,
        };
        let (next, after) = (self.word(end), self.word(end + 1));
        let is_type = is_name(next) && (is_name(after) || matches!(after, "*" | "&"));
        // `INLINE Name(int x) : x_(x) {`
        let close = self.partner.get(end + 1).map_or(0, |close| close + 1);
        let is_constructor =
            is_name(next) && after == "(" && self.word(close) == ":" && self.word(close + 1) != ":";
        let is_line = end == i + 1
            && self.is_alone(i)
            && match next {
                "#" | "" => prev != "{",
                _ => {
                    (is_name(next) && after != "(")
                        || next == "~"
                        || matches!(next, "public" | "private" | "protected")
                }
            };
        is_first && (is_type || is_constructor || is_line || SPECIFIERS.contains(&next))
    }

    /// Whether nothing else stands in its line.
    fn is_alone(&self, i: usize) -> bool {
        let (start, end) = self.tokens[i];
        let before = self.text[..start].rsplit('\n').next().unwrap_or_default();
        let behind = self.text[end..].split('\n').next().unwrap_or_default();
        before.trim().is_empty() && behind.trim().is_empty()
    }
}

fn is_capitals(word: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    word.len() > 2 && word.as_bytes()[0].is_ascii_uppercase() && word.bytes().all(is_part)
}

/// Capitals alone may be a type: `FILE`, `DWORD`.
fn is_macro(word: &str) -> bool {
    is_capitals(word) && word.contains('_')
}

fn is_name(word: &str) -> bool {
    let is_word = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_word && !SPECIFIERS.contains(&word) && !OTHERS.contains(&word)
}

/// The tokens of a text; comments are none.
fn tokens(text: &[u8]) -> Vec<(usize, usize)> {
    let mut tokens = Vec::new();
    let (mut i, mut is_line_start) = (0, true);
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    while i < text.len() {
        let start = i;
        let rest = &text[i..];
        i = match text[i] {
            b'\n' => {
                is_line_start = true;
                i += 1;
                continue;
            }
            b if b.is_ascii_whitespace() => {
                i += 1;
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                i = end_of_line(text, i);
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                i = find(text, i + 2, b"*/");
                continue;
            }
            b'#' if is_line_start => end_of_line(text, i),
            b'R' if rest.starts_with(b"R\"") => raw_string(text, i),
            quote @ (b'"' | b'\'') => end_of_literal(text, i + 1, quote),
            b if b.is_ascii_digit() => number(text, i),
            b if is_part(b) => i + rest.iter().position(|b| !is_part(*b)).unwrap_or(rest.len()),
            _ => i + 1,
        };
        is_line_start = false;
        tokens.push((start, i));
    }
    tokens
}

/// The end of a line that a backslash may continue.
fn end_of_line(text: &[u8], mut i: usize) -> usize {
    while let Some(at) = memchr::memchr(b'\n', &text[i..]) {
        i += at;
        if !text[..i].ends_with(b"\\") && !text[..i].ends_with(b"\\\r") {
            return i;
        }
        i += 1;
    }
    text.len()
}

fn find(text: &[u8], from: usize, what: &[u8]) -> usize {
    let from = from.min(text.len());
    memchr::memmem::find(&text[from..], what).map_or(text.len(), |at| from + at + what.len())
}

fn raw_string(text: &[u8], start: usize) -> usize {
    let Some(n) = text[start + 2..].iter().take(18).position(|b| *b == b'(') else {
        return start + 1;
    };
    let mut end = vec![b')'];
    end.extend(&text[start + 2..start + 2 + n]);
    end.push(b'"');
    find(text, start + 2 + n, &end)
}

/// Literals end with their line at the latest.
fn end_of_literal(text: &[u8], mut i: usize, quote: u8) -> usize {
    while i < text.len() && text[i] != b'\n' {
        match text[i] {
            b'\\' => i += 2,
            b if b == quote => return i + 1,
            _ => i += 1,
        }
    }
    i.min(text.len())
}

/// `0x1F`, `1'000`, `1.5e3`
fn number(text: &[u8], start: usize) -> usize {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'\'');
    text[start..].iter().position(|b| !is_part(b)).map_or(text.len(), |n| start + n)
}

#[cfg(test)]
mod tests {
    use super::blank;

    #[track_caller]
    fn becomes(before: &str, after: &str) {
        let blanked = blank("cpp", before).unwrap_or_else(|| before.to_owned());
        assert_eq!(blanked.len(), before.len(), "{before}");
        let words: Vec<&str> = blanked.split_whitespace().collect();
        assert_eq!(words.join(" "), after, "{before}");
    }

    #[test]
    fn macros_where_the_grammar_expects_none_are_blanked() {
        becomes("class API Name {", "class Name {");
        becomes("class API_X ALIGNED(8) a::Name : public B {", "class a::Name : public B {");
        becomes("struct API Name<a::B> {", "struct Name<a::B> {");
        becomes("void f(int x) const LOCKED(mu) {", "void f(int x) const {");
        becomes("int f() PURE_X(\")\");", "int f() ;");
        becomes("; LUA_API State f(int x);", "; State f(int x);");
        becomes("; MY_API MY_RESULT f(int x);", "; MY_RESULT f(int x);");
        becomes("; MY_API MY_RESULT *f(int x);", "; MY_RESULT *f(int x);");
        becomes("; MY_API MY_INLINE void f() {", "; void f() {");
        becomes("; MY_INLINE Name(int x) : x_(x) {", "; Name(int x) : x_(x) {");
        becomes("; int x GUARDED_BY(mu) = 1;", "; int x = 1;");
        becomes("void f(A* a MAYBE_UNUSED) {", "void f(A* a ) {");
        becomes("BEGIN_SPACE\nclass A;\nEND_SPACE\n", "class A;");
        becomes("; A_FLAG(int, x, 1, \"help\");", "; A_FLAG(); ;");
        becomes(
            "DEFINE_X(a, const b *)\nDEFINE_X(b)\nvoid f() {",
            "DEFINE_X(); DEFINE_X(); void f() {",
        );
        becomes("class A {\n  Q_OBJECT_X\n public:", "class A { public:");
    }

    #[test]
    fn types_values_and_calls_are_left_alone() {
        for code in [
            "struct MY_T name = {1};",
            "struct MY_T f(int x) {",
            "; MY_T x;",
            "; MY_T f(int x) {",
            "; MY_T A::f(int x) {",
            "; MY_T const x = 1;",
            "static MY_T *f(void);",
            "typedef struct a MY_T;",
            "typedef a_t MY_T;",
            "enum { MY_A, MY_B };",
            "if (x) RETURN_IF(y);",
            "return MY_A; case MY_B: f(MY_C, a * MY_D);",
            "; MY_CALL(x); MY_OTHER();",
            "int MY_FUNCTION(int x) {",
            "MY_TEST(a, int) {",
            "MY_TYPE(int) f(int x) {",
            "void f() { MY_CALL(int, x); }",
            "A_FLAG(x, 1);",
            "// class API Name {",
            "f(\"class API Name {\", 'x', R\"(class API Name {)\");",
            "#define X class API Name {",
        ] {
            becomes(code, code);
        }
        assert_eq!(blank("rust", "class API Name {"), None);
    }

    #[test]
    fn any_text_is_read_to_its_end() {
        for text in [
            "\"",
            "'\\",
            "R\"x(",
            "/*",
            "#\\",
            "((",
            "))",
            "class A_B",
            "A_B",
            "x A_B(",
            "é A_B é;",
        ] {
            for n in 0..3 {
                blank("c", &text.repeat(n));
            }
        }
    }
}

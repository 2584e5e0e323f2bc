//! Blanks comments and literals of Rust source, so that rules see code alone.
//!
//! Every blanked character becomes a space and every newline stays, so lines and columns are kept. It knows
//! just enough of the language for that: it does not parse.

/// The source with comments, strings and character literals replaced by spaces.
pub(crate) fn blank(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    while at < chars.len() {
        let end = literal_end(&chars, at);
        if end == at {
            out.push(chars[at]);
            at += 1;
        } else {
            out.extend(chars[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    out
}

/// Where the comment or literal that starts at `at` ends; `at` itself where none starts.
fn literal_end(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    match chars[at] {
        '/' if next == Some('/') => line_end(chars, at),
        '/' if next == Some('*') => block_comment_end(chars, at),
        '"' => quoted_end(chars, at, '"'),
        '\'' => char_end(chars, at),
        'r' if !follows_name(chars, at) => raw_string_end(chars, at),
        _ => at,
    }
}

/// Whether the character at `at` continues a name; `br"…"` is a raw string all the same.
fn follows_name(chars: &[char], at: usize) -> bool {
    let is_name = |back: usize| {
        at.checked_sub(back).is_some_and(|i| chars[i].is_alphanumeric() || chars[i] == '_')
    };
    let prefixed = matches!(at.checked_sub(1).map(|i| chars[i]), Some('b' | 'c'));
    if prefixed { is_name(2) } else { is_name(1) }
}

fn line_end(chars: &[char], at: usize) -> usize {
    chars[at..].iter().position(|c| *c == '\n').map_or(chars.len(), |offset| at + offset)
}

fn block_comment_end(chars: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn quoted_end(chars: &[char], start: usize, quote: char) -> usize {
    let mut at = start + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// The end of a character literal; a lifetime (`'a`) is none.
fn char_end(chars: &[char], at: usize) -> usize {
    let is_char = chars.get(at + 1) == Some(&'\\') || chars.get(at + 2) == Some(&'\'');
    if is_char { quoted_end(chars, at, '\'') } else { at }
}

fn raw_string_end(chars: &[char], start: usize) -> usize {
    let n_hashes = chars[start + 1..].iter().take_while(|c| **c == '#').count();
    let open = start + 1 + n_hashes;
    if chars.get(open) != Some(&'"') {
        return start;
    }
    let closes = |at: usize| {
        chars[at] == '"' && chars[at + 1..].iter().take_while(|c| **c == '#').count() >= n_hashes
    };
    (open + 1..chars.len()).find(|at| closes(*at)).map_or(chars.len(), |at| at + 1 + n_hashes)
}

#[cfg(test)]
mod tests {
    use super::blank;

    #[test]
    fn only_code_is_left_in_its_place() {
        let cases = [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            (r#"f("}\"{") g"#, "f(      ) g"),
            ("r#\"a\"b\n}\"# c", "      \n    c"),
            ("br\"}\" c", "b     c"),
            ("let r = var\"x\"", "let r = var   "),
            ("'{' '\\'' 'a: &'b str", "         'a: &'b str"),
            ("r#type x", "r#type x"),
        ];
        for (source, wanted) in cases {
            assert_eq!(blank(source), wanted, "{source}");
        }
    }

    #[test]
    fn what_never_ends_ends_with_the_file() {
        for source in ["\"abc", "/* abc", "r#\"abc\"", "'\\"] {
            assert_eq!(blank(source).trim(), "", "{source}");
        }
    }
}

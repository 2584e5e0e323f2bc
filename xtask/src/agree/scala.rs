//! A line pattern in the place of ctags for Scala: `^\s*(modifiers )*(def|class|object|trait) NAME`.
//!
//! It knows no comments and no strings; lines it takes wrongly are differences that the report judges.

use super::Tag;

const MODIFIERS: [&str; 13] = [
    "private",
    "protected",
    "final",
    "sealed",
    "abstract",
    "implicit",
    "lazy",
    "override",
    "case",
    "inline",
    "open",
    "transparent",
    "infix",
];
const WORDS: [&str; 4] = ["def", "class", "object", "trait"];

/// What the pattern finds in the lines of a file.
pub(super) fn tags(path: &str, lines: &[String]) -> Vec<Tag> {
    let tag = |(idx, line): (usize, &String)| {
        let (kind, name) = declared(line)?;
        Some(Tag { file: path.to_owned(), line: idx + 1, name, kind: kind.to_owned() })
    };
    lines.iter().enumerate().filter_map(tag).collect()
}

fn declared(line: &str) -> Option<(&str, String)> {
    let mut rest = line.trim_start();
    loop {
        let (word, after) = rest.split_once(char::is_whitespace)?;
        rest = after.trim_start();
        if WORDS.contains(&word) {
            return name(rest).map(|name| (word, name));
        }
        // `private[core]`
        let bare = word.split('[').next().unwrap_or(word);
        if !MODIFIERS.contains(&bare) {
            return None;
        }
    }
}

/// An identifier: in back quotes, of letters with an operator behind `_`, or an operator.
fn name(text: &str) -> Option<String> {
    if let Some(quoted) = text.strip_prefix('`') {
        return quoted.split_once('`').map(|(name, _)| name.to_owned());
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let is_operator = |c: char| "!#%&*+-/:<=>?@\\^|~".contains(c) || !c.is_ascii();
    let word: String = text.chars().take_while(|c| is_word(*c)).collect();
    let operator = text.get(word.len()..).unwrap_or_default().chars();
    let operator: String = operator.take_while(|c| is_operator(*c)).collect();
    let takes_operator = word.is_empty() || word.ends_with('_');
    let name = if takes_operator { word + &operator } else { word };
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_by_line() {
        let of = |line: &str| declared(line).map(|(kind, name)| format!("{kind} {name}"));
        for (line, found) in [
            ("  final case class Point(x: Int)", "class Point"),
            ("private[core] def run_=(x: Int)", "def run_="),
            ("def :: (a: A)", "def ::"),
            ("object `a b` {", "object a b"),
            ("sealed trait Functor[F[_]]", "trait Functor"),
        ] {
            assert_eq!(of(line).as_deref(), Some(found), "{line}");
        }
        for line in ["val x = 1", "// def f", "class", "new class X", ""] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}

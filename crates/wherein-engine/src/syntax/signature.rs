//! A declaration without its body, on one line.

/// Longer ones are cut: a line of results has to be read.
const MAX_CHARS: usize = 240;

/// The text of a declaration, white space collapsed, without what opens its body.
pub(super) fn of(text: &str) -> String {
    let mut line = collapse(text, MAX_CHARS);
    // What several lines of parameters leave behind.
    for (wide, narrow) in [("( ", "("), (" )", ")"), (",)", ")"), ("[ ", "["), (" ]", "]")] {
        if line.contains(wide) {
            line = line.replace(wide, narrow);
        }
    }
    while line.ends_with(['{', ':', '=', ' ', '(', ';', ',']) && line.len() > 1 {
        // `operator=` and `a(` of a broken declaration are all there is.
        line.pop();
    }
    line
}

/// The words of `text` with single spaces between, at most `max_chars`.
pub(super) fn collapse(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    let mut n_chars = 0;
    for word in text.split_whitespace() {
        n_chars += word.chars().count() + 1;
        if n_chars > max_chars {
            if line.is_empty() {
                line.extend(word.chars().take(max_chars));
            }
            line.push('…');
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

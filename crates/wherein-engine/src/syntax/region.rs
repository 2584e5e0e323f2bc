//! Files of several languages: the part that has a grammar, with everything else blanked out.
//!
//! Blanks keep every byte and line where it was, so symbols of the part are symbols of the file.

use std::borrow::Cow;

/// The part of a file that can be parsed.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) language: &'static str,
    /// As long as the file, with the same lines.
    pub(super) text: String,
}

/// Languages whose files hold scripts between tags.
const WITH_SCRIPTS: &[&str] = &["vue", "svelte", "astro"];

/// The scripts of a component; `None` for other files.
pub(super) fn find(language: &str, text: &str) -> Option<Region> {
    if !WITH_SCRIPTS.contains(&language) {
        return None;
    }
    let mut kept = Vec::new();
    if language == "astro" {
        kept.extend(front_matter(text));
    }
    let mut at = 0;
    while let Some(script) = next_script(text, at) {
        at = script.end;
        kept.push(script);
    }
    let is_kept = |i: usize| kept.iter().any(|part| part.contains(&i));
    let blank = |(i, byte): (usize, u8)| if byte == b'\n' || is_kept(i) { byte } else { b' ' };
    let bytes = text.bytes().enumerate().map(blank).collect();
    // TypeScript reads JavaScript, too.
    String::from_utf8(bytes).ok().map(|text| Region { language: "typescript", text })
}

/// What stands between the two `---` lines at the start.
fn front_matter(text: &str) -> Option<std::ops::Range<usize>> {
    let start = text.strip_prefix("---\n").map(|_| 4)?;
    let end = text[start..].find("\n---")?;
    Some(start..start + end)
}

/// The inside of the first `<script …>` at or after `from`.
fn next_script(text: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let open = from + text[from..].find("<script")?;
    let start = open + text[open..].find('>')? + 1;
    let end = text[start..].find("</script").map_or(text.len(), |i| start + i);
    Some(start..end)
}

/// The text that the grammar is given: as long as the file, with words in place of those that it does not know.
pub(super) fn readable<'t>(language: &str, text: &'t str) -> Cow<'t, str> {
    const UNKNOWN: &[u8] = b"PROCEDURE";
    if language != "sql" {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    let is_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    for at in memchr::memchr2_iter(b'p', b'P', text.as_bytes()) {
        let (before, after) = (at.checked_sub(1), at + UNKNOWN.len());
        let is_alone = !is_word(before.and_then(|i| bytes.get(i))) && !is_word(bytes.get(after));
        if let Some(word) = bytes.get_mut(at..after).filter(|_| is_alone)
            && word.eq_ignore_ascii_case(UNKNOWN)
        {
            word.copy_from_slice(b"FUNCTION ");
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

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
    let bytes = text.as_bytes();
    let (mut at, mut start) = (from, None);
    while start.is_none() {
        let name_end = find_tag(bytes, at, b"<script")?;
        at = name_end;
        start = tag_end(bytes, name_end);
    }
    let start = start?;
    let end = find_tag(bytes, start, b"</script").map_or(text.len(), |i| i - b"</script".len());
    Some(start..end)
}

/// Where `tag` ends, in whatever case it is written and not as a part of a longer name.
fn find_tag(bytes: &[u8], from: usize, tag: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    memchr::memchr_iter(b'<', rest).map(|i| from + i).find_map(|open| {
        let end = open + tag.len();
        let is_tag = bytes.get(open..end)?.eq_ignore_ascii_case(tag);
        let is_whole = bytes.get(end).is_none_or(|b| b.is_ascii_whitespace() || b"/>".contains(b));
        (is_tag && is_whole).then_some(end)
    })
}

/// Behind the `>` of a tag; one inside quotes is not it.
fn tag_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut quote = None;
    for (i, byte) in bytes.iter().enumerate().skip(from) {
        match (quote, byte) {
            (None, b'>') => return Some(i + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::SyntaxParser;

    /// The symbols of a file: name, first and last line.
    fn symbols(file_name: &str, text: &str) -> Vec<(String, u32, u32)> {
        let language = crate::scan::language::detect(file_name, text.as_bytes());
        let syntax = SyntaxParser::default().parse(language, file_name, text);
        let place = |node: crate::syntax::SymbolNode| {
            (node.symbol.name, node.symbol.start_line, node.symbol.end_line)
        };
        syntax.symbols.into_iter().map(place).collect()
    }

    fn found(name: &str, start: u32, end: u32) -> (String, u32, u32) {
        (name.to_owned(), start, end)
    }

    #[test]
    fn vue_files_give_the_symbols_of_both_scripts() {
        let text = "<template>\n  <p>{{ größe }}</p>\n</template>\n\n<script lang=\"ts\">\n\
            export function load(id: string) {\n  return id;\n}\n</script>\n\n\
            <script setup lang=\"ts\">\nfunction save() {}\n</script>\n\
            <style>\n.a { color: red; }\n</style>\n";
        assert_eq!(symbols("App.vue", text), [found("load", 6, 8), found("save", 12, 12)]);
    }

    #[test]
    fn svelte_files_give_the_symbols_of_their_script() {
        let text = "<script>\n  let count = 0;\n  function add() {\n    count += 1;\n  }\n</script>\n\
            <button on:click={add}>주문 {count}</button>\n";
        assert_eq!(symbols("Counter.svelte", text), [found("count", 2, 2), found("add", 3, 5)]);
    }

    #[test]
    fn astro_files_give_the_symbols_of_front_matter_and_scripts() {
        let text = "---\nconst title = \"Größe\";\nfunction greet() {}\n---\n<h1>{title}</h1>\n\
            <script>\n  function late() {}\n</script>\n";
        let expected = [found("title", 2, 2), found("greet", 3, 3), found("late", 7, 7)];
        assert_eq!(symbols("index.astro", text), expected);
    }

    #[test]
    fn files_without_or_with_unfinished_scripts_do_no_harm() {
        assert_eq!(symbols("A.vue", "<template>function no() {}</template>\n"), []);
        assert_eq!(symbols("A.vue", "<script"), []);
        assert_eq!(symbols("A.vue", ""), []);
        assert_eq!(symbols("A.astro", "---\nconst a = 1;\n"), []);
        let open = "<script>\nfunction open() {}\n";
        assert_eq!(symbols("A.svelte", open), [found("open", 2, 2)]);
    }

    #[test]
    fn tags_are_found_whatever_their_case_and_not_inside_longer_names() {
        let text = "<SCRIPT>\nfunction loud() {}\n</SCRIPT>\n<script-like>\nfunction no() {}\n</script-like>\n";
        assert_eq!(symbols("A.vue", text), [found("loud", 2, 2)]);
    }

    #[test]
    fn arrows_in_the_attributes_of_a_tag_do_not_end_it() {
        let text =
            "<script generic=\"T extends Array<X>\" lang=\"ts\">\nfunction one() {}\n</script>\n";
        assert_eq!(symbols("A.vue", text), [found("one", 2, 2)]);
    }

    #[test]
    fn regions_keep_every_byte_in_its_place() {
        let text = "<p>é</p>\r\n<script>\nlet ä = 1;\n</script>\n";
        let region = find("vue", text).expect("a region");
        assert_eq!(region.text.len(), text.len());
        assert_eq!(region.text.find("let ä"), text.find("let ä"));
        assert_eq!(region.text.matches('\n').count(), text.matches('\n').count());
    }

    #[test]
    fn procedures_are_read_as_functions_in_place() {
        let text =
            "create procedure a(); -- Procedures, my_procedure, größe\nCREATE PROCEDURE b();\n";
        let read = readable("sql", text);
        assert_eq!(read.len(), text.len());
        assert_eq!(
            read,
            "create FUNCTION  a(); -- Procedures, my_procedure, größe\nCREATE FUNCTION  b();\n"
        );
        assert!(matches!(readable("python", text), Cow::Borrowed(_)));
    }
}

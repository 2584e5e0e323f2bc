//! A page of Markdown → pairs of a heading or sentence with the block of code that follows.

use super::code::cut;
use super::questions::{is_good, sentence, shorten};
use crate::pair::{Pair, PairKind};

/// Blocks in these are commands, data or output.
const NO_CODE: &[&str] = &[
    "sh", "bash", "shell", "console", "text", "txt", "diff", "json", "yaml", "yml", "toml", "ini",
    "xml", "http", "zsh", "mermaid",
];

pub(super) fn mine(path: &str, text: &str) -> Vec<Pair> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut pairs, mut heading, mut paragraph) = (Vec::new(), "", Vec::new());
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if let Some(fence) = line.trim_start().strip_prefix("```") {
            let is_end = |line: &&str| line.trim_start().starts_with("```");
            let n = lines[at + 1..].iter().take_while(|line| !is_end(line)).count();
            let code = &lines[at + 1..at + 1 + n];
            pairs.extend(pair(path, fence, heading, &paragraph, code));
            paragraph.clear();
            at += n + 2;
            continue;
        }
        if line.starts_with('#') {
            heading = line.trim_matches(['#', ' ']);
            paragraph.clear();
        } else if !line.trim().is_empty() {
            paragraph.push(line);
        } else if lines.get(at + 1).is_some_and(|next| !next.trim_start().starts_with("```")) {
            paragraph.clear();
        }
        at += 1;
    }
    pairs
}

fn pair(path: &str, fence: &str, heading: &str, paragraph: &[&str], code: &[&str]) -> Option<Pair> {
    let language = fence.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let language = language.to_lowercase();
    let said = sentence(paragraph.iter().copied());
    let question = match (said.is_empty(), heading.is_empty()) {
        (true, _) => heading.to_owned(),
        // A sentence in front of code often says no more than "for example".
        (false, false) if said.len() < 60 => format!("{heading}: {said}"),
        _ => said,
    };
    let is_code = !NO_CODE.contains(&language.as_str()) && code.len() >= 3;
    (is_code && is_good(&question, 2, 40)).then(|| Pair {
        kind: PairKind::Prose,
        language,
        question: shorten(&question),
        head: path.to_owned(),
        text: cut(code.iter().copied()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_asked_for_by_what_stands_above() {
        let page = "# Retry\n\nTry a request again when the server is busy:\n\n```rust\nlet a = 1;\nlet b = 2;\nretry(a, b);\n```\n\n```sh\ncargo add retry\nx\ny\n```\n";
        let pairs = mine("docs/a.md", page);
        assert_eq!(pairs.len(), 1);
        assert_eq!(pairs[0].question, "Retry: Try a request again when the server is busy:");
        assert_eq!(pairs[0].text, "let a = 1;\nlet b = 2;\nretry(a, b);\n");
    }
}

//! Files that a question names: `src/a.rs`, `a.rs:12`, `C:\\x\\a.cs(3,4)`.
//!
//! A name is a file where its ending is one that code has and its shape allows nothing else. Must not ask whether it exists.

use super::PlaceMention;
use crate::scan::language;

/// Endings by which a bare name is a file: those that are no usual names of methods or things.
const ENDINGS: &[&str] = &[
    "bat", "c", "cc", "cfg", "cjs", "clj", "cmake", "conf", "cpp", "cs", "css", "cxx", "dart",
    "erl", "ex", "exs", "go", "gradle", "graphql", "groovy", "h", "hh", "hpp", "hs", "html", "ini",
    "ipynb", "java", "jl", "js", "json", "jsx", "kt", "kts", "less", "lua", "md", "mjs", "ml",
    "mli", "mts", "php", "pl", "pm", "proto", "ps1", "py", "pyi", "pyx", "rb", "rs", "rst",
    "scala", "scss", "sh", "sql", "svelte", "swift", "tf", "toml", "ts", "tsx", "txt", "vb", "vue",
    "xml", "yaml", "yml", "zig",
];
/// Those that are also names of methods and products (`response.json`, `node.js`).
const DOUBTFUL: &[&str] = &[
    "c", "cc", "conf", "css", "ex", "go", "h", "html", "js", "json", "less", "md", "pl", "sh",
    "sql", "xml",
];
/// Products, in small letters.
const PRODUCTS: &[&str] = &[
    "alpine.js",
    "angular.js",
    "backbone.js",
    "bun.sh",
    "chart.js",
    "d3.js",
    "discord.js",
    "ember.js",
    "express.js",
    "next.js",
    "node.js",
    "nuxt.js",
    "p5.js",
    "react.js",
    "socket.io",
    "solid.js",
    "three.js",
    "vue.js",
];
/// Longer ones are data.
const MAX_PATH_BYTES: usize = 1024;

/// Reads a written word as a file, with its line.
pub(super) fn parse(word: &str) -> Option<PlaceMention> {
    if word.len() > MAX_PATH_BYTES {
        return None;
    }
    let (path, line) = split_line(word);
    let path = clean(path)?;
    let name = path.rsplit('/').next().unwrap_or(&path);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let ending = ending.to_ascii_lowercase();
    let has_folder = path.contains('/');
    let is_file = match has_folder || line.is_some() {
        true => is_known(name) && !is_host(&path),
        false => {
            ENDINGS.binary_search(&ending.as_str()).is_ok() && !stem.is_empty() && !is_product(name)
        }
    };
    let is_certain =
        has_folder || line.is_some() || DOUBTFUL.binary_search(&ending.as_str()).is_err();
    (is_file && is_path(&path)).then_some(PlaceMention { path, line, is_certain })
}

/// Whether it is the name of a product that looks like that of a file.
pub(super) fn is_product(name: &str) -> bool {
    PRODUCTS.binary_search(&name.to_ascii_lowercase().as_str()).is_ok()
}

fn is_known(name: &str) -> bool {
    !language::detect(name, b"").is_empty()
}

/// `example.com/a.html` lies on the web.
fn is_host(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or("");
    path.contains('/')
        && [".com", ".org", ".net", ".io", ".dev"].iter().any(|end| first.ends_with(end))
}

fn is_path(path: &str) -> bool {
    !path.contains(|c: char| c.is_control() || c.is_whitespace() || "<>|?*\"`;=,(){}".contains(c))
        && path.contains(char::is_alphanumeric)
        && !path.contains("//")
}

/// A path as it may be compared: `/` between its parts, without what says how to fetch it. `None` where it is no file of a
/// tree (`<stdin>`, `node:fs`, `https://…`).
pub(super) fn clean(path: &str) -> Option<String> {
    let mut rest = path.strip_prefix("file://").unwrap_or(path);
    if rest.starts_with('<') || rest.starts_with("node:") || rest.contains("://") {
        return None;
    }
    let mut parts = rest.splitn(2, ':');
    if let (Some(drive), Some(below)) = (parts.next(), parts.next()) {
        match drive.trim_start_matches('/') {
            letter if letter.len() == 1 && letter.bytes().all(|b| b.is_ascii_alphabetic()) => {
                rest = below;
            }
            _ => return None,
        }
    }
    let mut path = rest.replace('\\', "/");
    while let Some(below) = path.strip_prefix("./") {
        path = below.to_owned();
    }
    (!path.is_empty()).then_some(path)
}

/// The line of `a.rs:12`, `a.rs:12:5`, `a.rs:12-30`, `a.rs#L12`, `a.rs(12)`, `a.rs(12,5)` and `a.cs:line 12`.
fn split_line(word: &str) -> (&str, Option<u32>) {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let first_number = |text: &str| {
        let number = text.split(['-', ',', ':']).next().unwrap_or("");
        let all = text.split(['-', ',', ':']).all(|n| is_number(n.trim_start_matches('L')));
        all.then(|| number.trim_start_matches('L').parse().ok()).flatten()
    };
    if let Some((path, line)) = word.split_once("#L")
        && let Some(line) = first_number(line)
    {
        return (path, Some(line));
    }
    if let Some((path, inner)) = word.trim_end_matches(')').rsplit_once('(')
        && let Some(line) = first_number(inner)
    {
        return (path, Some(line));
    }
    // Behind the ending of the name: a drive has a colon too.
    let name = word.rfind(['/', '\\']).map_or(0, |at| at + 1);
    match word[name..].split_once(':').map(|(name, line)| (name.len(), first_number(line))) {
        Some((n_bytes, Some(line))) => (&word[..name + n_bytes], Some(line)),
        _ => (word, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(ENDINGS.is_sorted() && DOUBTFUL.is_sorted() && PRODUCTS.is_sorted());
    }
}

//! Trees of invented code for the speed bars: the same on every machine.

use std::fmt::Write as _;
use std::path::Path;

const VERBS: [&str; 25] = [
    "get", "set", "load", "save", "find", "parse", "make", "send", "read", "write", "open",
    "close", "merge", "split", "check", "count", "fetch", "build", "apply", "strip", "sort",
    "filter", "encode", "decode", "reset",
];
const NOUNS: [&str; 40] = [
    "User", "Order", "Session", "Token", "Index", "Query", "Chunk", "Model", "Vector", "Field",
    "Header", "Cookie", "Route", "Frame", "Block", "Batch", "Cache", "Config", "Event", "Entry",
    "File", "Folder", "Graph", "Group", "Image", "Item", "Job", "Key", "Label", "Line", "Link",
    "List", "Lock", "Message", "Node", "Packet", "Path", "Plan", "Point", "Price",
];

/// 10,000 small files of invented code in 100 folders.
pub(super) fn small_files(scratch: &Path) -> anyhow::Result<String> {
    let tree = scratch.join("tree");
    for i in 0..10_000 {
        let folder = tree.join(format!("dir{}", i % 100));
        std::fs::create_dir_all(&folder)?;
        let mut text = String::new();
        for f in 0..20 {
            let token = (i * 7919 + f * 104_729) % 65_536;
            writeln!(
                text,
                "def handle_{i}_{f}(session):\n    return session.send(token='{token:x}')\n"
            )?;
        }
        if i % 500 == 0 {
            text.push_str("def follow_redirect(session):\n    return session.next\n");
        }
        std::fs::write(folder.join(format!("file{i}.py")), text)?;
    }
    Ok(tree.display().to_string())
}

/// 2,500 Go files of 100 functions each, 250,000 symbols; each function calls three others. One is called
/// `GetWebAuthnSession`.
pub(super) fn many_symbols(scratch: &Path) -> anyhow::Result<String> {
    let tree = scratch.join("symbols");
    for i in 0..2_500_usize {
        let folder = tree.join(format!("pkg{}", i % 50));
        std::fs::create_dir_all(&folder)?;
        let mut text = format!("package pkg{}\n", i % 50);
        for f in 0..100 {
            let n = i * 100 + f;
            writeln!(
                text,
                "\n// {} does its part.\nfunc {}(input string) string {{\n\tfirst := {}(input)\n\tsecond := {}(first)\n\treturn first + {}(second)\n}}",
                name(n),
                name(n),
                name(n * 7 + 1),
                name(n * 13 + 5),
                name(n * 31 + 11),
            )?;
        }
        std::fs::write(folder.join(format!("file{i}.go")), text)?;
    }
    Ok(tree.display().to_string())
}

/// The name of the `n`th function, in camel case.
fn name(n: usize) -> String {
    let n = n % 250_000;
    if n == 123_456 {
        return "GetWebAuthnSession".to_owned();
    }
    let (verb, one, two) = (n % 25, n / 25 % 40, n / 1000 % 40);
    format!("{}{}{}{}", VERBS[verb], NOUNS[one], NOUNS[two], n / 40_000)
}

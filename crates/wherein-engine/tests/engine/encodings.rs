//! C12: encodings, line endings and odd names leave line numbers as `sed -n` and editors count them.

use wherein_engine::SkipReason;

use crate::fixture::{Tree, ask, exact, keyword, printed, refresh};

fn utf16(text: &str, to_bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(to_bytes).collect()
}

/// The text with the wanted line in the middle, in many encodings; the line is the third.
fn texts() -> Vec<(&'static str, Vec<u8>)> {
    let unix = "first\n\nfn walrus() {} // größe\nlast\n";
    let dos = unix.replace('\n', "\r\n");
    let latin1 = unix.chars().map(|c| c as u32 as u8).collect();
    let late_nul = format!("first\n{}\nfn walrus() {{}}\0\nlast\0\n", "x".repeat(600));
    vec![
        ("unix.rs", unix.into()),
        ("dos.rs", dos.clone().into()),
        ("bom.rs", format!("\u{feff}{unix}").into()),
        ("bom_dos.rs", format!("\u{feff}{dos}").into()),
        ("latin1.rs", latin1),
        ("utf16le.rs", utf16(unix, u16::to_le_bytes)),
        ("utf16be.rs", utf16(unix, u16::to_be_bytes)),
        ("utf16le_dos.rs", utf16(&dos, u16::to_le_bytes)),
        ("utf16_odd.rs", [utf16(unix, u16::to_le_bytes), vec![0x41]].concat()),
        ("late_nul.rs", late_nul.into()),
        ("separators.rs", "\u{2028}\u{85}\x0c\x0b\r\n\rx\nfn walrus() {}\nlast\n".into()),
        ("no_end.rs", "first\n\nfn walrus() {}".into()),
        ("bad_bytes.rs", b"\xc0\xaf\n\xed\xa0\x80\nfn walrus() {} \xff\n\xf8".into()),
    ]
}

#[test]
fn c12_line_numbers_are_those_of_sed() {
    for (name, bytes) in texts() {
        let tree = Tree::new("");
        tree.write(name, bytes);
        let engine = tree.engine();
        let lines = ask(&engine, &exact("fn walrus()")).hits;
        assert_eq!(printed(&lines), [format!("{name}:3-3")], "exact in {name}");
        let hits = ask(&engine, &keyword("walrus")).hits;
        assert_eq!(hits.len(), 1, "{name}");
        let line = hits[0].snippet.iter().find(|line| line.number == 3).expect("the third line");
        assert!(line.text.contains("fn walrus() {}"), "{name}: {line:?}");
        assert!(!line.text.ends_with('\r'), "{name}: {line:?}");
        let marked: Vec<&str> = line.highlights.iter().map(|r| &line.text[r.clone()]).collect();
        assert_eq!(marked, ["walrus"], "{name}");
        let shown = &lines[0].snippet[0];
        assert!(shown.text.starts_with("fn walrus() {}") && shown.number == 3, "{shown:?}");
    }
}

#[test]
fn c12_early_nul_bytes_are_binary_and_counted() {
    let tree = Tree::new("//- a.rs\nfn walrus() {}\n");
    tree.write("early.rs", b"fn walrus() {}\0\n");
    tree.write("at_511.rs", [vec![b'x'; 511], b"\0\nwalrus\n".to_vec()].concat());
    tree.write("at_512.rs", [vec![b'x'; 512], b"\0\nwalrus\n".to_vec()].concat());
    tree.write(
        "utf16_unmarked.rs",
        "walrus\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
    );
    tree.check_set(&exact("walrus"), &["a.rs:1-1", "at_512.rs:2-2"]);
    assert_eq!(refresh(&tree.engine()).skipped.get(SkipReason::Binary), 3);
}

#[test]
fn c12_odd_names() {
    let names = [
        "with space.rs",
        "co:lon.rs",
        "quo\"te.rs",
        "apos'trophe.rs",
        "유니코드.rs",
        "-dash.rs",
        "new\nline.rs",
        "tab\t.rs",
        "back\\slash.rs",
        "[x]{y}*?.rs",
        " lead.rs",
        "trail ",
        "dir with space/-x/y.rs",
        "%20.rs",
    ];
    let tree = Tree::new("");
    for name in names {
        tree.write(name, "one\ntwo\nfn walrus() {}\n");
    }
    let whole: Vec<String> = names.iter().map(|name| format!("{name}:1-3")).collect();
    let line: Vec<String> = names.iter().map(|name| format!("{name}:3-3")).collect();
    let all = wherein_engine::SearchRequest { limit: Some(100), ..keyword("walrus") };
    tree.check_set(&all, &whole.iter().map(String::as_str).collect::<Vec<_>>());
    tree.check_set(&exact("walrus"), &line.iter().map(String::as_str).collect::<Vec<_>>());
    for name in names {
        assert!(tree.engine().why(name.as_ref()).unwrap().searched, "{name:?}");
    }
}

#[cfg(unix)]
#[test]
fn c12_names_that_are_not_utf8() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let tree = Tree::new("");
    // These two look the same to people and must not be taken for one file.
    for name in [&b"d\xe9/caf\xe9.rs"[..], b"d\xe9/caf\xe8.rs"] {
        tree.write(OsString::from_vec(name.to_vec()), "fn walrus() {}\n");
    }
    let shown = "d\u{fffd}/caf\u{fffd}.rs:1-1";
    tree.check(&keyword("walrus"), &[shown, shown]);
    tree.check(&exact("walrus"), &[shown, shown]);
    let hits = ask(&tree.engine(), &keyword("walrus")).hits;
    assert!(hits.iter().all(|hit| hit.snippet.len() == 1), "both have a snippet");
    tree.remove(OsString::from_vec(b"d\xe9/caf\xe9.rs".to_vec()));
    tree.check(&keyword("walrus"), &[shown]);
}

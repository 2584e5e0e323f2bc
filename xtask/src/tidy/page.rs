//! The built page is that of its sources: its stamp, `SOURCES`, names the hashes of both.
//!
//! The build writes the stamp (`web/build/sources.mjs`); this computes the same without Node, so that a page
//! that was not rebuilt, or was edited by hand, does not pass. What counts stands in both places; neither may
//! know more than the other.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::{Breach, TextFile};

const SOURCES: &str = "web/";
const ASSETS: &str = "crates/wherein-serve/assets/";
const STAMP: &str = "crates/wherein-serve/assets/SOURCES";

/// What below `web/` the built page depends on: folders with all in them, and files.
const FOLDERS: [&str; 3] = ["build/", "public/", "src/"];
const FILES: [&str; 5] =
    ["index.html", "package-lock.json", "package.json", "tsconfig.json", "vite.config.ts"];

/// Compares the stamp with the files; nothing to say where there is no page.
pub(crate) fn check(files: &[TextFile]) -> Vec<Breach> {
    let sources = below(files, SOURCES, is_source);
    let assets = below(files, ASSETS, |name| name != "SOURCES");
    if sources.is_empty() && assets.is_empty() {
        return Vec::new();
    }
    let Some(stamp) = files.iter().find(|file| file.path == STAMP) else {
        return vec![Breach::new(STAMP, 1, "the file is missing: build the page (web/README.md)")];
    };
    let mut wanted = vec![("sources".to_owned(), hash(&listing(&sources)))];
    wanted.extend(assets.iter().map(|(name, text)| ((*name).to_owned(), hash(text))));
    differences(&stamp.text, &wanted)
}

fn is_source(name: &str) -> bool {
    FILES.contains(&name) || FOLDERS.iter().any(|folder| name.starts_with(folder))
}

/// The texts below a folder by name, in the order of their bytes.
fn below<'a>(
    files: &'a [TextFile],
    folder: &str,
    counts: impl Fn(&str) -> bool,
) -> BTreeMap<&'a str, &'a str> {
    let named = files.iter().filter_map(|file| Some((file.path.strip_prefix(folder)?, file)));
    named.filter(|(name, _)| counts(name)).map(|(name, file)| (name, file.text.as_str())).collect()
}

/// One line a file, `hash  path`.
fn listing(sources: &BTreeMap<&str, &str>) -> String {
    sources.iter().map(|(name, text)| format!("{}  {name}\n", hash(text))).collect()
}

fn hash(text: &str) -> String {
    Sha256::digest(text).iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// One breach for each line that the stamp lacks, has too much or has otherwise.
fn differences(stamp: &str, wanted: &[(String, String)]) -> Vec<Breach> {
    let stamped: BTreeMap<&str, &str> =
        stamp.lines().filter_map(|line| line.split_once(' ')).collect();
    let mut breaches = Vec::new();
    for (name, hash) in wanted {
        let rule = match stamped.get(name.as_str()) {
            Some(stamped) if stamped == hash => continue,
            _ if name == "sources" => "the page is older than its sources in web/".to_owned(),
            Some(_) => format!("{name} is not what the build made"),
            None => format!("{name} is not from the build"),
        };
        breaches.push(Breach::new(STAMP, 1, rule + ": build it (web/README.md)"));
    }
    for name in stamped.keys().filter(|name| wanted.iter().all(|(wanted, _)| wanted != *name)) {
        let rule = format!("{name} is missing: build the page (web/README.md)");
        breaches.push(Breach::new(STAMP, 1, rule));
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile { path: path.to_owned(), text: text.to_owned() }
    }

    /// A small page whose stamp was computed apart, with `sha256sum`.
    fn page() -> Vec<TextFile> {
        vec![
            file("web/src/main.ts", "main();\n"),
            file("web/index.html", "<p>\n"),
            file("web/README.md", "Not built.\n"),
            file("web/tests/a.mjs", "not built\n"),
            file("crates/wherein-serve/assets/app.js", "main()"),
            file(
                STAMP,
                "sources 5707f6c7cb384e4854c9ec644645c0dd15ac981092016d93b2f3710bd0e0eefb\n\
                 app.js ea1a0f9102305e02f12ac58acc01ab6365ca5bb5e56e25b917139808b9c932c1\n",
            ),
        ]
    }

    fn rules(files: &[TextFile]) -> Vec<String> {
        check(files).into_iter().map(|breach| breach.rule).collect()
    }

    fn changed(path: &str, text: &str) -> Vec<TextFile> {
        let others = page().into_iter().filter(|file| file.path != path);
        others.chain([file(path, text)]).collect()
    }

    #[test]
    fn a_page_of_its_sources_passes() {
        assert!(rules(&page()).is_empty(), "{:?}", rules(&page()));
        assert!(rules(&[]).is_empty());
        assert!(rules(&changed("web/README.md", "Other words.\n")).is_empty());
        assert!(rules(&changed("web/tests/a.mjs", "other tests\n")).is_empty());
    }

    #[test]
    fn a_changed_source_wants_a_build() {
        let wanted = ["the page is older than its sources in web/: build it (web/README.md)"];
        assert_eq!(rules(&changed("web/src/main.ts", "main(1);\n")), wanted);
        assert_eq!(rules(&changed("web/src/new.ts", "")), wanted);
        assert_eq!(rules(&changed("web/index.html", "<b>\n")), wanted);
        let renamed: Vec<TextFile> = changed("web/src/main.ts", "")
            .into_iter()
            .filter(|file| file.path != "web/src/main.ts")
            .chain([file("web/src/other.ts", "main();\n")])
            .collect();
        assert_eq!(rules(&renamed), wanted);
    }

    #[test]
    fn a_page_edited_by_hand_is_found() {
        let edited = changed("crates/wherein-serve/assets/app.js", "main();");
        assert_eq!(rules(&edited), ["app.js is not what the build made: build it (web/README.md)"]);
        let more = changed("crates/wherein-serve/assets/extra.js", "");
        assert_eq!(rules(&more), ["extra.js is not from the build: build it (web/README.md)"]);
        let less: Vec<TextFile> =
            page().into_iter().filter(|file| !file.path.ends_with("app.js")).collect();
        assert_eq!(rules(&less), ["app.js is missing: build the page (web/README.md)"]);
        let unstamped: Vec<TextFile> =
            page().into_iter().filter(|file| file.path != STAMP).collect();
        assert_eq!(rules(&unstamped), ["the file is missing: build the page (web/README.md)"]);
    }
}

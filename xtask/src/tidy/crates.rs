//! Rules of a crate's manifest: who may depend on whom, and that the workspace lints apply.
//!
//! The arrows are those of the design; a new crate is refused until it has its line here. Nothing here reads
//! source files.

use toml::Table;

use super::{Breach, TextFile};

/// Each crate with the crates of this workspace that it may depend on.
const ARROWS: [(&str, &[&str]); 9] = [
    ("wherein-engine", &[]),
    ("wherein-embed", &["wherein-engine"]),
    ("wherein-qdrant", &["wherein-engine"]),
    ("wherein-wire", &["wherein-engine"]),
    ("wherein-serve", &["wherein-wire", "wherein-engine"]),
    ("wherein-eval", &["wherein-engine", "wherein-embed"]),
    ("wherein-train", &["wherein-engine", "wherein-embed"]),
    (
        "wherein",
        &[
            "wherein-engine",
            "wherein-embed",
            "wherein-eval",
            "wherein-qdrant",
            "wherein-serve",
            "wherein-wire",
        ],
    ),
    ("xtask", &[]),
];

/// The tables of a manifest that name dependencies.
const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// The crate whose manifest lies at `path`; none where it is no manifest of a crate.
pub(crate) fn crate_of(path: &str) -> Option<&str> {
    let folder = path.strip_suffix("/Cargo.toml")?;
    let name = folder.strip_prefix("crates/").unwrap_or(folder);
    (!name.contains('/')).then_some(name)
}

/// Checks the manifest of the crate `name`.
pub(crate) fn check(name: &str, manifest: &TextFile) -> Vec<Breach> {
    let breach = |line, rule: String| Breach::new(&manifest.path, line, rule);
    let table: Table = match manifest.text.parse() {
        Ok(table) => table,
        Err(error) => return vec![breach(1, format!("no manifest: {}", error.message()))],
    };
    let mut breaches = Vec::new();
    match ARROWS.iter().find(|(known, _)| *known == name) {
        None => breaches.push(breach(1, format!("crate {name} has no arrows in xtask's tidy"))),
        Some((_, allowed)) => {
            for target in workspace_dependencies(&table) {
                if !allowed.contains(&target.as_str()) {
                    let rule = format!("{name} must not depend on {target}");
                    breaches.push(breach(line_of(&manifest.text, &target), rule));
                }
            }
        }
    }
    if !inherits_lints(&table) {
        breaches.push(breach(1, "[lints] workspace = true is missing".to_owned()));
    }
    breaches
}

fn workspace_dependencies(manifest: &Table) -> Vec<String> {
    let targets = manifest.get("target").and_then(|target| target.as_table());
    let per_target =
        targets.into_iter().flat_map(Table::values).filter_map(|value| value.as_table());
    std::iter::once(manifest)
        .chain(per_target)
        .flat_map(|owner| TABLES.into_iter().filter_map(|table| owner.get(table)?.as_table()))
        .flat_map(Table::keys)
        .filter(|name| ARROWS.iter().any(|(known, _)| known == name))
        .cloned()
        .collect()
}

fn inherits_lints(manifest: &Table) -> bool {
    let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
    lints.and_then(|value| value.as_bool()) == Some(true)
}

fn line_of(text: &str, dependency: &str) -> usize {
    let names = |line: &str| {
        let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
        name == dependency
    };
    text.lines().position(names).map_or(1, |idx| idx + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(name: &str, text: &str) -> Vec<String> {
        let text = format!("{text}\n[lints]\nworkspace = true\n");
        let file = TextFile { path: "Cargo.toml".to_owned(), text };
        check(name, &file)
            .iter()
            .map(|breach| format!("{}: {}", breach.line, breach.rule))
            .collect()
    }

    #[test]
    fn manifests_of_crates_are_known_by_their_place() {
        assert_eq!(crate_of("crates/wherein-wire/Cargo.toml"), Some("wherein-wire"));
        assert_eq!(crate_of("xtask/Cargo.toml"), Some("xtask"));
        assert_eq!(crate_of("Cargo.toml"), None);
        assert_eq!(crate_of("crates/a/fixtures/b/Cargo.toml"), None);
    }

    #[test]
    fn arrows_point_one_way() {
        let engine = "[dependencies]\nserde = \"1\"\nwherein-engine.workspace = true";
        assert!(rules("wherein-wire", engine).is_empty());
        let eval = "[dev-dependencies]\nwherein-eval = { path = \"x\" }";
        let wanted = ["2: wherein-engine must not depend on wherein-eval"];
        assert_eq!(rules("wherein-engine", eval), wanted);
        let target = "[target.'cfg(unix)'.dependencies]\nwherein = { path = \"x\" }";
        assert_eq!(rules("xtask", target), ["2: xtask must not depend on wherein"]);
        assert!(rules("wherein-new", "")[0].contains("has no arrows"));
    }

    #[test]
    fn workspace_lints_apply_everywhere() {
        let file = TextFile { path: "Cargo.toml".to_owned(), text: "[dependencies]\n".to_owned() };
        assert_eq!(check("xtask", &file)[0].rule, "[lints] workspace = true is missing");
    }
}

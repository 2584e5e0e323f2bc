//! Settings, manifests, build and CI files.
//!
//! Formats that only carry settings or data count as such; of programming languages only the file
//! names that a build tool itself looks for. `config.py` is source.

use super::place::{File, fold};
use super::prose;

pub(super) fn is_config(file: &File<'_>) -> bool {
    if file.name.starts_with('.') && !file.language.is_empty() {
        return true;
    }
    match file.language {
        "json" | "yaml" | "toml" | "ini" | "properties" | "dotenv" | "gitignore"
        | "gitattributes" | "codeowners" | "nginx" | "apache" | "dockerfile" | "make" | "cmake"
        | "gradle" | "meson" | "gn" | "just" | "m4" | "qmake" | "kconfig" | "cabal" | "dune"
        | "gomod" | "solution" | "csv" | "gettext" => true,
        "text" => prose::is_text_setting(file),
        "xml" => is_xml_setting(file),
        "" => is_plain_setting(file),
        "starlark" => file.ending != "bzl" && file.ending != "star",
        language => is_build_script(file, language),
    }
}

/// XML is mostly manifests; what draws or transforms is code.
fn is_xml_setting(file: &File<'_>) -> bool {
    let is_code =
        matches!(file.ending, "xaml" | "xsl" | "xslt" | "xib" | "storyboard" | "svg" | "ui");
    let is_layout = file.dirs.contains("res/layout") || file.dirs.contains("res/drawable");
    !is_code && !is_layout
}

/// Names of no language.
fn is_plain_setting(file: &File<'_>) -> bool {
    let known = matches!(
        file.name,
        "Procfile"
            | "Cartfile"
            | "Mintfile"
            | "Podfile.lock"
            | "Gemfile.lock"
            | "MANIFEST.in"
            | "DESCRIPTION"
            | "NAMESPACE"
            | "METADATA"
            | "PKG-INFO"
            | "RECORD"
            | "OWNERS"
            | "yarn.lock"
            | "bun.lockb"
            | "gradle.lockfile"
            | "Earthfile"
            | "Caddyfile"
    );
    known
        || matches!(file.ending, "lock" | "lockfile" | "xcconfig" | "pbxproj" | "rc" | "config")
        || file.name.starts_with('.')
        || prose::is_text_setting(file)
}

/// Files of a programming language that a build tool looks for by name.
fn is_build_script(file: &File<'_>, language: &str) -> bool {
    let mut buffer = [0; 32];
    let name = fold(file.name, &mut buffer);
    match language {
        "python" => matches!(
            name,
            "setup.py" | "noxfile.py" | "sconstruct" | "sconscript" | "wscript" | "conanfile.py"
        ),
        "ruby" => is_ruby_manifest(file, name),
        "kotlin" => name.ends_with(".gradle.kts"),
        "scala" => file.ending == "sbt",
        "swift" => name == "package.swift",
        "elixir" => name == "mix.exs" || name == "mix.lock" || name == ".formatter.exs",
        "erlang" => name.starts_with("rebar."),
        "clojure" => matches!(name, "project.clj" | "deps.edn" | "shadow-cljs.edn" | "build.boot"),
        "groovy" => name.starts_with("jenkinsfile") || name.ends_with(".jenkinsfile"),
        "lua" => file.ending == "rockspec",
        "nim" => file.ending == "nimble",
        "haskell" => file.name == "Setup.hs",
        "zig" => name == "build.zig" || name == "build.zig.zon",
        // Cargo runs `build.rs` beside the manifest; a module of that name lies in a source folder.
        "rust" => name == "build.rs" && !file.place.source_root,
        "perl" => matches!(name, "makefile.pl" | "build.pl" | "cpanfile"),
        "javascript" | "typescript" => is_tool_settings(name),
        "bash" => matches!(name, "configure" | "pkgbuild" | "apkbuild"),
        _ => false,
    }
}

fn is_ruby_manifest(file: &File<'_>, name: &str) -> bool {
    matches!(
        name,
        "gemfile"
            | "rakefile"
            | "podfile"
            | "vagrantfile"
            | "brewfile"
            | "guardfile"
            | "fastfile"
            | "appfile"
            | "dangerfile"
            | "capfile"
            | "berksfile"
            | "puppetfile"
            | "steepfile"
            | "config.ru"
    ) || matches!(file.ending, "gemspec" | "podspec")
}

/// JavaScript tools that read `NAME.config.js`.
const JS_TOOLS: &[&str] = &[
    "astro",
    "babel",
    "commitlint",
    "cypress",
    "docusaurus",
    "drizzle",
    "esbuild",
    "eslint",
    "jest",
    "jsdoc",
    "knip",
    "lint-staged",
    "metro",
    "next",
    "nuxt",
    "playwright",
    "postcss",
    "prettier",
    "quasar",
    "remix",
    "rollup",
    "rspack",
    "rsbuild",
    "semantic-release",
    "stylelint",
    "svelte",
    "tailwind",
    "tsdown",
    "tsup",
    "typedoc",
    "uno",
    "vite",
    "vitest",
    "vue",
    "webpack",
];

/// `vite.config.ts` and its like. By tool: Angular's `app.config.ts` is part of the program.
fn is_tool_settings(name: &str) -> bool {
    let tool = name.split('.').next().unwrap_or("");
    let is_known = JS_TOOLS.contains(&tool) && name[tool.len()..].starts_with(".config.");
    is_known
        || (tool == "webpack" && name.split('.').count() > 2)
        || matches!(tool, "gulpfile" | "gruntfile" | "jakefile" | "gatsby-config" | "gatsby-node")
        || name.starts_with("karma.conf.")
        || name.starts_with("protractor.conf.")
        || name.starts_with("vitest.workspace.")
        || name.starts_with("vitest.shims.")
}

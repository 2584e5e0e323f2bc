//! What the folders above a file say, in one pass over the path.
//!
//! Knows folder conventions only; file names and contents are judged by its neighbours. It must not
//! decide a kind.

use std::ops::ControlFlow;

/// A file as the rules look at it.
pub(super) struct File<'a> {
    /// The folders above it, `/`-separated; empty at the root.
    pub(super) dirs: &'a str,
    /// Its name, as written.
    pub(super) name: &'a str,
    /// The name up to the first dot that is not its first byte: `app` of `app.test.ts`.
    pub(super) first_stem: &'a str,
    /// The name up to the last dot: `app.test` of `app.test.ts`.
    pub(super) stem: &'a str,
    /// What follows the last dot, as written; empty without one.
    pub(super) ending: &'a str,
    pub(super) language: &'a str,
    pub(super) head: &'a str,
    pub(super) place: Place,
}

impl<'a> File<'a> {
    pub(super) fn new(path: &'a str, language: &'a str, head: &'a str) -> Self {
        let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
        let last_dot = name.rfind('.').filter(|at| *at > 0);
        let (stem, ending) = last_dot.map_or((name, ""), |at| (&name[..at], &name[at + 1..]));
        let first_dot = name.char_indices().skip(1).find(|(_, c)| *c == '.').map(|(at, _)| at);
        let first_stem = first_dot.map_or(name, |at| &name[..at]);
        let place = Place::of(dirs, language);
        File { dirs, name, first_stem, stem, ending, language, head, place }
    }
}

/// What the folders say. Several may hold.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Below a folder of tests.
    pub(super) test: bool,
    /// Below a folder of documentation or examples.
    pub(super) docs: bool,
    /// Below a copy of other people's code, or a folder that tools write.
    pub(super) generated: bool,
    /// Below `src/main` of a Maven or Gradle layout: what ships, whatever its packages are called.
    pub(super) main: bool,
    /// Below `src`, `lib` and the like, where folders name what the code is about.
    pub(super) source_root: bool,
}

impl Place {
    fn of(dirs: &str, language: &str) -> Place {
        let mut place = Place::default();
        let mut walk = Walk { before: "", depth: 0, language };
        let mut rest = (!dirs.is_empty()).then_some(dirs);
        while let Some(dirs) = rest {
            let (dir, below) = dirs.split_once('/').map_or((dirs, None), |(d, b)| (d, Some(b)));
            if walk.step(dir, below.unwrap_or(""), &mut place).is_break() {
                break;
            }
            walk.before = dir;
            walk.depth += 1;
            rest = below;
        }
        place
    }
}

/// Where the pass stands.
struct Walk<'a> {
    before: &'a str,
    depth: usize,
    language: &'a str,
}

impl Walk<'_> {
    fn step(&self, dir: &str, below: &str, place: &mut Place) -> ControlFlow<()> {
        let mut buffer = [0; 32];
        let folded = fold(dir, &mut buffer);
        if self.before == "src" && (dir == "main" || is_source_set(dir, "Main")) {
            place.main = true;
            // Below it every folder is a package, and packages may be called `test` or `example`.
            return ControlFlow::Break(());
        }
        place.generated |= self.is_generated(folded, below);
        place.test |= self.is_test(dir, folded, below, *place);
        place.docs |= is_docs(folded, *place);
        place.source_root |= is_source_root(folded);
        ControlFlow::Continue(())
    }

    fn is_test(&self, dir: &str, folded: &str, below: &str, place: Place) -> bool {
        match folded {
            "test" | "tests" | "__tests__" | "__test__" | "__mocks__" | "__fixtures__" => true,
            "unittest" | "unittests" | "unit_tests" | "unit-tests" | "testdata" | "test_data" => {
                true
            }
            "test-data" | "test-d" | "test262" | "androidtest" => true,
            "integration-test" | "test-fixtures" | "testfixtures" | "benches" => true,
            // These words name subjects too (`src/crypto/e2e`, `lib/openapi/spec`).
            "e2e" | "cypress" | "integration_test" | "testsuite" | "testsuites" | "test-suite"
            | "test_suite" | "testcases" => !place.source_root,
            "spec" | "specs" => !place.source_root && (self.has_specs() || is_spec_support(below)),
            "step_definitions" => true,
            // A project that *is* a benchmark library keeps it below `src` or `include`.
            "benchmarks" => !place.source_root,
            "bench" | "benchmark" => self.depth <= 1 && !place.source_root,
            "t" | "xt" => self.depth == 0 && matches!(self.language, "perl" | "bash" | ""),
            "it" => self.before == "src",
            _ => is_test_folder_by_suffix(dir, folded) || self.is_test_source_set(dir),
        }
    }

    fn has_specs(&self) -> bool {
        matches!(
            self.language,
            "ruby"
                | "erb"
                | "lua"
                | "javascript"
                | "typescript"
                | "crystal"
                | "coffeescript"
                | "php"
                | "haml"
                | "slim"
        )
    }

    /// Gradle's and Kotlin's source sets: `src/commonTest`, `src/testFixtures`.
    fn is_test_source_set(&self, dir: &str) -> bool {
        let begins = dir.strip_prefix("test").and_then(|rest| rest.bytes().next());
        self.before == "src"
            && (is_source_set(dir, "Test") || begins.is_some_and(|b| b.is_ascii_uppercase()))
    }

    fn is_generated(&self, folded: &str, below: &str) -> bool {
        match folded {
            "node_modules" | "bower_components" | "jspm_packages" | "_vendor" | "__generated__" => {
                true
            }
            "third_party" | "third-party" | "thirdparty" | "3rdparty" | "3rd_party" => true,
            "generated" | "generated-sources" | "generated_sources" | "__snapshots__" => true,
            "pods" => self.depth == 0,
            // `vendor` is also who sells something (`app/models/vendor/`), so a sign is needed: the
            // root, a folder of web assets, or the host name that Go's layout begins with.
            "vendor" => {
                let first = below.split('/').next().unwrap_or("");
                self.depth == 0 || first.contains('.') || is_asset_folder(self.before)
            }
            "dist" => matches!(self.language, "javascript" | "css"),
            _ => false,
        }
    }
}

/// `FooTests`, `Foo.Tests`, `Foo.UnitTests`, `foo-tests`: plural, because the singular is what
/// libraries *for* tests are called (`kotlinx-coroutines-test`).
fn is_test_folder_by_suffix(dir: &str, folded: &str) -> bool {
    dir.ends_with("Tests")
        || dir.ends_with(".Test")
        || dir.ends_with(".Specs")
        || folded.ends_with("-tests")
        || folded.ends_with("_tests")
}

/// `jvmMain` for "Main", `commonTest` for "Test".
fn is_source_set(dir: &str, suffix: &str) -> bool {
    dir.strip_suffix(suffix).is_some_and(|start| {
        start.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
    })
}

fn is_spec_support(below: &str) -> bool {
    let next = below.split('/').next().unwrap_or("");
    matches!(next, "fixtures" | "support" | "factories" | "dummy" | "cassettes" | "data")
}

fn is_docs(folded: &str, place: Place) -> bool {
    match folded {
        "examples" | "samples" | "demos" => true,
        // As packages and features these name subjects (`com/example`, `src/doc`).
        "docs" | "doc" | "documentation" | "example" | "sample" | "demo" | "tutorial"
        | "tutorials" | "docs_src" | "man" | "javadoc" => !place.source_root,
        _ => false,
    }
}

fn is_source_root(folded: &str) -> bool {
    matches!(
        folded,
        "src"
            | "source"
            | "sources"
            | "lib"
            | "libs"
            | "app"
            | "pkg"
            | "internal"
            | "cmd"
            | "include"
            | "java"
            | "kotlin"
            | "com"
            | "org"
            | "net"
            | "io"
            | "pages"
            | "components"
    )
}

fn is_asset_folder(dir: &str) -> bool {
    matches!(
        dir,
        "static"
            | "assets"
            | "public"
            | "js"
            | "css"
            | "lib"
            | "libs"
            | "stylesheets"
            | "javascripts"
            | "scripts"
            | "wwwroot"
    )
}

/// `text` in ASCII lower case, without allocating; empty when longer than any known word.
pub(super) fn fold<'b>(text: &str, buffer: &'b mut [u8; 32]) -> &'b str {
    let Some(room) = buffer.get_mut(..text.len()) else {
        return "";
    };
    room.copy_from_slice(text.as_bytes());
    room.make_ascii_lowercase();
    std::str::from_utf8(room).unwrap_or("")
}

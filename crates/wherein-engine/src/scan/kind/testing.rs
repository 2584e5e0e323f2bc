//! Code that checks the work: by folder, by the file names that each ecosystem's runner collects and,
//! where the name alone is weak, by what the file imports.
//!
//! A helper that ships (`click/testing.py`, Go's `httptest`) is source: it is the product.

use super::place::File;
use super::prose;

pub(super) fn is_test(file: &File<'_>) -> bool {
    if is_for_readers(file) {
        return false;
    }
    file.place.test || (!file.place.main && is_named_so(file))
}

/// Notes about the tests, and pages of a manual that has a chapter on tests.
fn is_for_readers(file: &File<'_>) -> bool {
    let is_prose =
        matches!(file.language, "markdown" | "restructuredtext" | "asciidoc" | "text" | "org");
    is_prose && (file.place.docs || prose::is_note(file.first_stem))
}

/// By the rules of the language's test runners.
fn is_named_so(file: &File<'_>) -> bool {
    let stem = file.stem;
    match file.language {
        "python" | "cython" => is_python(file),
        "javascript" | "typescript" | "coffeescript" | "vue" | "svelte" => is_script(file),
        "go" | "dart" | "gleam" | "v" => stem.ends_with("_test") && stem.len() > "_test".len(),
        "rust" => is_rust(file),
        "java" | "kotlin" | "scala" | "groovy" => {
            is_type_name(stem, JVM) && imports(file, JVM_TESTS)
        }
        "csharp" | "fsharp" | "visual-basic" => is_type_name(stem, NET) && imports(file, NET_TESTS),
        "swift" | "objective-c" => is_type_name(stem, APPLE) && imports(file, APPLE_TESTS),
        "php" => is_php(file),
        "haskell" => is_type_name(stem, HASKELL) && shown_to_test(file, HASKELL_TESTS),
        "c" | "cpp" | "cuda" => is_c(file),
        "ruby" | "crystal" => is_ruby(file),
        "lua" => stem.ends_with("_spec") || stem.ends_with("_test"),
        "elixir" => file.ending == "exs" && (stem.ends_with("_test") || stem == "test_helper"),
        "erlang" => stem.ends_with("_SUITE") || stem.ends_with("_tests"),
        "clojure" => stem.ends_with("_test"),
        "zig" => matches!(stem, "test" | "tests") || stem.ends_with("_test"),
        "bash" | "fish" => (file.ending == "bats" && !file.place.docs) || is_shell(file),
        "powershell" => stem.ends_with(".Tests"),
        "perl" | "raku" => file.ending == "t" || file.ending == "rakutest",
        "r" => stem.starts_with("test-") || stem.starts_with("test_"),
        "julia" => stem == "runtests",
        "ocaml" | "nim" => stem.starts_with("test_") || stem.ends_with("_test"),
        "verilog" | "systemverilog" | "vhdl" => stem.ends_with("_tb") || stem.starts_with("tb_"),
        "solidity" => stem.ends_with(".t"),
        "terraform" => stem.ends_with(".tftest"),
        "starlark" => file.ending == "bzl" && (stem.ends_with("_test") || stem.ends_with("_tests")),
        "gherkin" => true,
        _ => file.ending == "phpt",
    }
}

fn is_python(file: &File<'_>) -> bool {
    match file.stem {
        "conftest" | "tests" => true,
        // Django's command `test.py` is source.
        "test" => {
            imports(file, &["import unittest", "from unittest", "import pytest", "def test_"])
        }
        stem => {
            let after = stem.strip_prefix("test_").or_else(|| stem.strip_suffix("_test"));
            after.is_some_and(|rest| !rest.is_empty())
        }
    }
}

fn is_script(file: &File<'_>) -> bool {
    const RUNNERS: &[&str] = &[
        "'tape'",
        "\"tape\"",
        "'ava'",
        "'vitest'",
        "\"vitest\"",
        "node:test",
        "describe(",
        "tap'",
    ];
    let stem = file.stem;
    let marked =
        [".test", ".spec", ".e2e", ".cy", ".e2e-spec", ".test-d", ".bench", "_test", "_spec"]
            .iter()
            .any(|mark| stem.len() > mark.len() && stem.ends_with(mark));
    // `app.test.browser.ts`, `x.spec.integration.js`: the mark may stand before another part.
    marked
        || stem.contains(".test.")
        || stem.contains(".spec.")
        || stem == "setupTests"
        || (stem == "test" && (file.dirs.is_empty() || imports(file, RUNNERS)))
}

fn is_rust(file: &File<'_>) -> bool {
    match file.stem {
        "tests" => true,
        "test" => imports(file, &["#[cfg(test)]", "#![cfg(test)]", "#[test]"]),
        stem => stem.ends_with("_test") || stem.ends_with("_tests"),
    }
}

/// `test_` in front also names helpers (`test_util.h`) and hooks (`src/test_hooks.c`).
fn is_c(file: &File<'_>) -> bool {
    const ENDS: &[&str] =
        &["_test", "_tests", "_unittest", "_unittests", "_gtest", "_benchmark", "_benchmarks"];
    let stem = file.stem;
    let is_header = file.ending.starts_with(['h', 'H']);
    let in_front = stem.len() > "test_".len() && stem.starts_with("test_");
    (in_front && !is_header && shown_to_test(file, C_TESTS))
        || ENDS.iter().any(|end| stem.len() > end.len() && stem.ends_with(end))
}

/// Rails ships a `test_helper.rb` and a `test_case.rb` in `lib/`: in front, `test_` needs a proof.
fn is_ruby(file: &File<'_>) -> bool {
    let stem = file.stem;
    match stem {
        "spec_helper" | "test_helper" | "rails_helper" => !file.place.source_root,
        _ if stem.starts_with("test_") => imports(file, RUBY_TESTS),
        _ => stem.ends_with("_spec") || (stem.ends_with("_test") && stem.len() > "_test".len()),
    }
}

/// Shell has no common runner: the `.sh` of shunit2 and bash_unit counts, a library of functions whose
/// subject is testing (`lib/test_functions.bash`) does not.
fn is_shell(file: &File<'_>) -> bool {
    let named = file.stem.starts_with("test_") || file.stem.ends_with("_test");
    file.ending == "sh" && named && !file.place.source_root
}

/// PHPUnit collects `*Test.php`; in a source folder the name alone is no proof (`AbTest.php`).
fn is_php(file: &File<'_>) -> bool {
    file.ending == "phpt"
        || (is_type_name(file.stem, &["Test", "TestCase", "Cest"])
            && shown_to_test(file, PHP_TESTS))
}

/// Outside the folders of the product, or importing a test library.
fn shown_to_test(file: &File<'_>, libraries: &[&str]) -> bool {
    !file.place.source_root || imports(file, libraries)
}

const JVM: &[&str] = &["Test", "Tests", "TestCase", "IT", "Spec", "Suite", "Specification"];
const NET: &[&str] = &["Test", "Tests", "Specs", "Fixture"];
const APPLE: &[&str] = &["Test", "Tests", "TestCase", "Spec"];
const HASKELL: &[&str] = &["Spec", "Test", "Tests"];

const JVM_TESTS: &[&str] = &[
    "import org.junit",
    "import static org.junit",
    "import junit.framework",
    "import org.testng",
    "import kotlin.test",
    "import io.kotest",
    "import org.scalatest",
    "import munit",
    "import org.specs2",
    "import spock.lang",
    "import zio.test",
    "import org.scalacheck",
    "import utest",
    "import weaver",
    "import com.google.common.truth",
];
const NET_TESTS: &[&str] = &[
    "using Xunit",
    "using NUnit",
    "using Microsoft.VisualStudio.TestTools",
    "open Xunit",
    "open NUnit",
    "using TUnit",
    "open Expecto",
];
const APPLE_TESTS: &[&str] = &[
    "import XCTest",
    "import Testing",
    "@import XCTest",
    "<XCTest/",
    "import Quick",
    "import Nimble",
];
const HASKELL_TESTS: &[&str] = &[
    "import Test.Hspec",
    "import Test.Tasty",
    "import Test.QuickCheck",
    "import Test.HUnit",
    "hspec-discover",
];
const RUBY_TESTS: &[&str] =
    &["minitest", "Minitest::", "test/unit", "Test::Unit", "test_helper", "TestCase", "describe "];
const C_TESTS: &[&str] =
    &["TEST(", "TEST_F(", "TEST_CASE", "int main(", "gtest", "unity.h", "cmocka", "doctest"];
const PHP_TESTS: &[&str] = &["use PHPUnit\\", "extends TestCase", "extends PHPUnit", "Tests\\"];

/// `FooTest` for "Test": the suffix begins a word, so `Latest` and `Contest` do not match.
fn is_type_name(stem: &str, suffixes: &[&str]) -> bool {
    suffixes.iter().any(|suffix| {
        stem.strip_suffix(suffix).is_some_and(|start| {
            start.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || c == '_')
                || (suffix.len() > 2 && start.ends_with(|c: char| c.is_ascii_uppercase()))
        })
    })
}

/// Whether a line of the head begins so, or, for marks of code, holds it.
fn imports(file: &File<'_>, marks: &[&str]) -> bool {
    file.head
        .lines()
        .map(str::trim_start)
        .filter(|line| !is_comment(line))
        .any(|line| marks.iter().any(|mark| line.contains(mark)))
}

fn is_comment(line: &str) -> bool {
    let is_attribute = line.starts_with("#[") || line.starts_with("#!") || line.starts_with("#i");
    (line.starts_with('#') && !is_attribute) || line.starts_with("//") || line.starts_with('*')
}

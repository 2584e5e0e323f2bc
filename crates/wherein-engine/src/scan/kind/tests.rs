//! Conventions and look-alikes, by path and content, both ways.

use super::*;
use crate::scan::language;

/// Classifies as the scan does, with the language detected from the same input.
fn kind_of(path: &str, head: &str) -> Kind {
    let name = path.rsplit('/').next().unwrap_or(path);
    classify(path, language::detect(name, head.as_bytes()), head)
}

fn check(expected: Kind, cases: &[(&str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|(path, head)| (*path, kind_of(path, head)))
        .filter(|(_, kind)| *kind != expected)
        .collect();
    assert!(wrong.is_empty(), "expected {expected:?}: {wrong:?}");
}

fn check_paths(expected: Kind, paths: &[&str]) {
    let cases: Vec<_> = paths.iter().map(|path| (*path, "")).collect();
    check(expected, &cases);
}

#[test]
#[rustfmt::skip]
fn tests_by_path() {
    check_paths(Kind::Test, &[
        // Python
        "tests/test_requests.py", "tests/conftest.py", "conftest.py", "pkg/test_x.py", "pkg/x_test.py",
        "app/tests.py",  "src/pkg/tests/helpers.py",
        // JavaScript, TypeScript
        "src/__tests__/a.js", "src/a.test.ts", "src/a.spec.tsx", "cypress/support/index.ts",
        "e2e/login.ts", "src/a.cy.ts", "test/unit/a.js", "test.js", "src/__mocks__/fs.js",
        "packages/x/test/fixtures/a.json", "src/a.test-d.ts", "lib/a_test.ts", "spec/a.js",
        "src/setupTests.ts", "src/a.test.browser.ts",
        // Go
        "gin_test.go", "internal/x/x_test.go", "testdata/in.go", "x/testdata/golden.json",
        // Rust
        "tests/cli.rs", "crates/x/tests/it/main.rs", "benches/b.rs", "src/tests.rs", "src/foo/tests.rs",
        "src/foo_test.rs", "crates/x/src/tests/mod.rs",
        // Java, Kotlin, Scala
        "src/test/java/a/B.java", "core/src/test/resources/a.json", "src/commonTest/kotlin/A.kt",
        "src/jvmTest/kotlin/A.kt", "app/src/androidTest/java/A.java", "src/testFixtures/java/A.java",
        "src/it/scala/A.scala", "src/integrationTest/java/A.java",
        // C, C++
        "tests/unit/a.c", "unittests/a.cpp", "absl/strings/str_cat_test.cc", "a_unittest.cc",
        "test_list.c", "absl/a_benchmark.cc",
        // C#
        "src/Newtonsoft.Json.Tests/JsonTests.cs", "Foo.UnitTests/A.cs", "FooTests/A.cs",
        // Ruby, PHP, Swift, Dart, Elixir, Haskell, Lua …
        "spec/a_spec.rb", "spec/support/a.rb", "test/a_test.rb", "lib/a_spec.rb", "spec/spec_helper.rb",
        "tests/Unit/ATest.php", "ATest.php", "tests/a.phpt", "Tests/FooTests/A.swift",
        "AlamofireTests/Base.swift", "lib/a_test.dart", "test/a_test.exs", "test/support/conn.ex",
        "test/Main.hs", "tests/XMonadSpec.hs", "FooSpec.hs", "spec/a.lua", "lua/x/a_spec.lua",
        "src/test.zig", "test/a.zig", "a.bats", "test/fixtures/bats/x.bash", "tests/testthat/test-a.R",
        "t/basic.t", "t/lib/A.pm", "t/t0001-init.sh", "test/runtests.jl", "src/a_SUITE.erl",
        "scripts/test_deploy.sh", "A.Tests.ps1", "src/tb_alu.v", "src/Vault.t.sol",
        "features/login.feature", "features/step_definitions/a.rb",
        // What lies beside tests is theirs.
        "tests/data.json", "tests/Makefile", "test/fixtures/page.html", "examples/x/tests/test_a.py",
        "spec/fixtures/a.yml", "tests/fixtures/foo.md",
    ]);
}

#[test]
#[rustfmt::skip]
fn source_despite_its_name() {
    check_paths(Kind::Source, &[
        "src/latest.rs", "contest.py", "attest/verify.go", "fastest.go", "protest.c", "testimony.rb",
        "src/contest_test_helper.py", "click/testing.py", "src/click/testing.py", "src/testing.rs",
        "src/testing/mod.rs", "net/http/httptest/server.go", "testutil/a.go", "latest_spectrum.rb",
        "src/main/java/a/TestRunner.java", "src/main/java/a/FooTest.java",
        "src/main/java/org/springframework/test/context/A.java", "src/main/kotlin/test/A.kt",
        "src/commonMain/kotlin/test/A.kt", "kotlinx-coroutines-test/common/src/TestScope.kt",
        "src/TestRunner.java", "src/AbTest.php", "src/Latest.php", "app/Contest.php", "src/Spec.hs",
        "src/Text/OpenApiSpec.hs", "Sources/Latest.swift", "Sources/LoadTest.swift", "src/Contests/A.cs",
        "src/test.rs", "src/commands/test.ts", "management/commands/test.py", "test_.c", "_test.go",
        "inspect.lua", "lib/inspector.rb", "spectrum/a.rb", "src/specification/a.ts", "src/crypto/e2e/a.ts",
        "src/spec/openapi.ts", "lib/test_utils_not.ex", "lib/latest.exs", "protester/a.php",
        "detest.js", "src/backtest.py", "lib/contest.dart", "src/benchmark/timer.cc",
        "docs.py", "doc.go", "documentation.ts", "license.go", "history.js", "readme.py", "changelog.rb",
        "src/main/java/com/example/app/A.java", "src/com/example/A.java", "app/docs/page.tsx",
        "src/doc/parser.rs", "internal/doc/a.go", "src/demo.rs", "exampled/a.c", "sampler/a.py",
        "config.py", "src/config.ts", "settings.py", "config/database.rb", "src/app/app.config.ts",
        "src/build.rs", "src/makefile.rs", "setup/setup_db.py", "lib/dockerfile.rb", "lib/bazel.bzl",
        "generated.py", "src/generator.rs", "is_generated.py", "linguist/generated.rb", "mapper.go",
        "src/admin.js", "src/min.js", "minjs.ts", "bundle.js", "src/bundle/a.ts",
        "app/models/vendor/invoice.rb", "src/vendor.ts", "src/main/java/a/vendor/V.java",
        "schema.sql", "api.proto", "main.tf", "index.html", "app.vue", "styles.css", "notebook.ipynb",
        "activejob/lib/active_job/test_helper.rb", "lib/rails/test_case.rb", "test_unit/railtie.rb",
        "lib/rails/generators/integration_test/a.rb", "absl/log/internal/test_util.h", "src/test_hooks.c",
        "lib/bats/test_functions.bash", "lib/history.bash", "lib/history.unknownthing",
        "a.unknownthing", "src/dist.ts", "res/layout/main.xml", "ui/Main.xaml", "",
    ]);
}

#[test]
#[rustfmt::skip]
fn docs_by_path() {
    check_paths(Kind::Docs, &[
        "README", "README.md", "README.rst", "src/README.md", "CHANGELOG.md", "HISTORY.md", "LICENSE",
        "LICENSE-MIT", "COPYING.LESSER", "LICENSE.txt", "COPYING", "NOTICE", "AUTHORS.rst", "docs/conf.py", "docs/examples/a.bats", "docs/index.rst",
        "doc/guide.adoc", "notes.txt", "examples/server.rs", "example/main.go", "samples/A.java",
        "demo/app.js", "crates/x/examples/a.rs", "docs/examples/a.c", "src/a.md", "man/tool.1.md",
        "docs/dev/test/intro.md", "tests/README.md", "src/Button.stories.tsx", "docs/style.css",
        "readme.html", "docs_src/a/tutorial001.py",
    ]);
    check(Kind::Docs, &[
        ("docs/curl.1", ".\\\" manual\n.TH curl 1"),
        ("ref.md", "<!-- This file is automatically generated by tool. Do not edit. -->\n# Ref"),
        ("page.md", "Explains the `@generated` tag.\n\n@generated marks a file."),
    ]);
}

#[test]
#[rustfmt::skip]
fn config_by_path() {
    check_paths(Kind::Config, &[
        "Cargo.toml", "package.json", "tsconfig.json", "a.yaml", ".github/workflows/ci.yml", "setup.cfg",
        "setup.py", "pyproject.toml", "requirements.txt", "requirements-dev.txt", "requirements/dev.txt",
        "dev-requirements.txt", "CMakeLists.txt", "cmake/a.cmake", "Dockerfile", "docker/Dockerfile.dev",
        "Makefile", "build.gradle", "build.gradle.kts", "settings.gradle.kts", "build.sbt", "pom.xml",
        "A.csproj", ".editorconfig", ".gitignore", ".eslintrc.js", ".prettierrc", ".bashrc", "vite.config.ts",
        "jest.config.js", "webpack.prod.js", "gulpfile.js", "Rakefile", "Gemfile", "a.gemspec", "Gemfile.lock",
        "mix.exs", "mix.lock", "rebar.config", "go.mod", "go.sum", "build.rs", "crates/x/build.rs", "build.zig",
        "Package.swift", "app.properties", "nginx.conf", "my.cnf", "Jenkinsfile", "meson.build", "BUILD.bazel",
        "WORKSPACE", "configure.ac", "x.cabal", "stack.yaml", "Cargo.lock", "package-lock.json", "yarn.lock",
        "docs/mkdocs.yml", "docs/requirements.txt", "examples/x/package.json", "docs/Makefile", "MANIFEST.in",
        "robots.txt", "Procfile", "src/pkg.egg-info/SOURCES.txt", "src/main/resources/application.yml",
        "src/main/AndroidManifest.xml", "CODEOWNERS", "locale/de.po", "karma.conf.js", "config.ru",
    ]);
    check(Kind::Config, &[(
        "Cargo.lock",
        "# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\n",
    )]);
}

#[test]
#[rustfmt::skip]
fn generated_by_path() {
    check_paths(Kind::Generated, &[
        "api.pb.go", "api_grpc_pb.js", "a_pb2.py", "a_pb2_grpc.py", "a_pb2.pyi", "lib/model.g.dart",
        "m.freezed.dart", "Form1.Designer.cs", "resources.designer.cs", "jquery.min.js", "a.min.css",
        "app.js.map", "a.css.map", "vendor/github.com/a/b/c.go", "cmd/x/vendor/golang.org/x/a.go",
        "third_party/zlib/inflate.c", "src/third_party/a.c", "node_modules/a/index.js", "pip/_vendor/a.py",
        "static/vendor/jquery.js", "src/__snapshots__/a.test.js.snap", "a.snap", "src/__generated__/a.ts",
        "src/generated/a.rs", "zz_generated.deepcopy.go", "parser.tab.c", "lex.yy.c", "dist/axios.js",
        "packages/a/dist/index.mjs", "api.generated.ts", "gradlew", "monster_generated.h", "types.gen.go",
    ]);
}

#[test]
#[rustfmt::skip]
fn generated_by_header() {
    check(Kind::Generated, &[
        ("a.go", "// Code generated by stringer; DO NOT EDIT.\n\npackage a"),
        ("a.go", "// Copyright\n// License\n\n// Code generated by x. DO NOT EDIT.\npackage a"),
        ("a.go", "package a\n\n// Code generated by x. DO NOT EDIT.\n"),
        ("a.rs", "// @generated\nfn a() {}"),
        ("a.rs", "// This file is @generated by prost-build.\npub struct A;"),
        ("a.rs", "/* automatically generated by rust-bindgen 0.69 */\npub type a = u8;"),
        ("a.js", "/**\n * @generated SignedSource<<abc>>\n */\nmodule.exports = 1"),
        ("a.js", "'use strict';\n// This file is auto-generated. Do not edit.\n"),
        ("a.dart", "// GENERATED CODE - DO NOT MODIFY BY HAND\nlibrary a;"),
        ("a.cs", "//---------\n// <auto-generated>\n//   This code was generated by a tool.\n"),
        ("A.java", "// Generated by the protocol buffer compiler.  DO NOT EDIT!\npackage a;"),
        ("a.py", "# Generated by x from y\n# DO NOT EDIT\nimport a"),
        ("a.py", "\"\"\"\nThis file was automatically generated by x.\n\"\"\"\nimport a"),
        ("a.c", "/* Autogenerated by tool */\nint a;"),
        ("a.h", "#ifndef A\n/* WARNING: this file is generated by gen.py; do not edit */\nint a;"),
        ("a.sql", "-- This file was generated from schema.rb.\nCREATE"),
        ("a.rb", "# DO NOT EDIT: this is generated by rake.\nclass A"),
        ("a.xml", "<?xml version=\"1.0\"?>\n<!-- Automatically generated by x -->\n<a/>"),
        ("a.php", "<?php\n// Autogenerated by Thrift Compiler (0.9)\n"),
        ("configure", "#! /bin/sh\n# Guess values for system-dependent variables.\n# Generated by GNU Autoconf 2.71\n"),
        ("test/a_test.go", "// Code generated by mockgen. DO NOT EDIT.\npackage a"),
        ("a.map", "{\"version\":3,\"sources\":[]}"),
    ]);
    let line = "function a(b){return b+1};".repeat(60);
    check(Kind::Generated, &[
        ("app.js", line.as_str()),
        ("theme.css", format!("/*! v1 */\n{}", ".a{color:red}".repeat(150)).as_str()),
        ("app.js", format!("/*\n * x\n * MIT\n */\n\n{line}").as_str()),
    ]);
}

#[test]
#[rustfmt::skip]
fn words_about_generation_label_nothing() {
    check(Kind::Source, &[
        ("a.py", "# this module handles generated files\nimport a"),
        ("a.py", "\"\"\"Skips generated files: those whose header says DO NOT EDIT.\"\"\"\nimport a"),
        ("a.go", "package a\n\nconst header = `\n// Code generated by x. DO NOT EDIT.\n`"),
        ("a.go", "package a\n\nimport \"x\"\n\n// Code generated by x. DO NOT EDIT. is what we look for\n"),
        ("a.go", "// Package gen writes the line \"Code generated by x. DO NOT EDIT.\" first.\npackage gen"),
        ("a.rs", "//! Finds `@generated` markers.\nfn a() {}"),
        ("a.rs", "// This file is generated when the user asks for it\nfn a() {}"),
        ("a.rs", "//! Generated code is checked by the compiler.\nfn a() {}"),
        ("A.java", "// @GeneratedValue is used here\nclass A {}"),
        ("a.py", "# Generated by Django 4.2 on 2023-01-01\nfrom django.db import migrations"),
        ("a.py", "# Please do not edit without asking.\nimport a"),
        ("a.js", "const MARK = '@generated';\n// @generated\n"),
        ("a.js", "module.exports = { short: true };\n"),
        ("a.js", "// eslint-disable-next-line\nexport const a = 1;\n"),
        ("a.rb", "MARKER = 'DO NOT EDIT'\n# generated by x\n"),
    ]);
}

#[test]
#[rustfmt::skip]
fn imports_decide_where_the_name_is_weak() {
    check(Kind::Test, &[
        ("a/FooTest.java", "package a;\nimport org.junit.Test;\nclass FooTest {}"),
        ("a/FooTests.kt", "import kotlin.test.Test\nclass FooTests"),
        ("a/FooSpec.scala", "import org.scalatest.flatspec.AnyFlatSpec\n"),
        ("src/JsonTests.cs", "using NUnit.Framework;\nclass JsonTests {}"),
        ("App/FooTests.swift", "import XCTest\n"),
        ("src/FooTest.php", "<?php\nuse PHPUnit\\Framework\\TestCase;\n"),
        ("src/FooSpec.hs", "module FooSpec where\nimport Test.Hspec\n"),
        ("src/test.rs", "#![cfg(test)]\nuse super::*;"),
        ("pkg/test.py", "import unittest\n"),
        ("src/test_list.c", "#include <x.h>\n\nint main(void) {"),
        ("test_a.rb", "require \"minitest/autorun\"\n"),
        ("src/test.js", "import { test } from 'vitest'\n"),
    ]);
    check(Kind::Source, &[
        ("a/FooTest.java", "package a;\nclass FooTest {}"),
        ("src/main/java/a/Latest.java", "import org.junit.Test;"),
        ("src/main/java/a/FooTest.java", "import org.junit.Test;"),
        ("a/Contest.java", "import org.junit.Test;"),
        ("src/Latest.cs", "using NUnit.Framework;"),
        ("src/test.rs", "// looks for #[cfg(test)] in sources\npub fn test() {}"),
        ("pkg/test.py", "# no import unittest here\nclass Command: pass"),
    ]);
}

#[test]
fn odd_input_is_no_trouble() {
    for path in ["", "/", "//", ".", "..", "a/", "/a", ".git", "é/ü.py", "a//b.rs", "x.", ".x."] {
        for head in ["", "\u{feff}", "/*", "<!--", "#", "\"\"\"", "\r\n\r\n", "// é"] {
            kind_of(path, head);
            kind_of(&format!("tests/{path}"), head);
        }
    }
    let long = "é".repeat(300);
    kind_of(&format!("{long}/{long}.py"), &format!("// {long}"));
}

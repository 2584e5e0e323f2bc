//! The language table against names and contents, both ways.

use std::collections::HashMap;

use super::*;

fn check(cases: &[(&str, &str, &str)]) {
    for (name, head, expected) in cases {
        assert_eq!(detect(name, head.as_bytes()), *expected, "{name} with {head:?}");
    }
}

#[test]
fn names_and_extensions() {
    check(&[
        ("sessions.py", "", "python"),
        ("types.pyi", "", "python"),
        ("App.tsx", "", "typescript"),
        ("index.d.ts", "", "typescript"),
        ("a.mts", "", "typescript"),
        ("a.cjs", "", "javascript"),
        ("main.go", "", "go"),
        ("go.mod", "", "gomod"),
        ("lib.RS", "", "rust"),
        ("Foo.java", "", "java"),
        ("a.cc", "", "cpp"),
        ("a.c", "", "c"),
        ("Program.cs", "", "csharp"),
        ("Rakefile", "", "ruby"),
        ("Gemfile", "", "ruby"),
        ("build.gradle", "", "gradle"),
        ("build.gradle.kts", "", "kotlin"),
        ("build.sbt", "", "scala"),
        ("Dockerfile", "", "dockerfile"),
        ("Dockerfile.dev", "", "dockerfile"),
        ("prod.Dockerfile", "", "dockerfile"),
        ("Makefile", "", "make"),
        ("Makefile.inc", "", "make"),
        ("Makefile.linux", "", "make"),
        ("CMakeLists.txt", "", "cmake"),
        ("BUILD", "", "starlark"),
        ("BUILD.bazel", "", "starlark"),
        ("Jenkinsfile", "", "groovy"),
        (".bashrc", "", "bash"),
        (".gitignore", "", "gitignore"),
        (".editorconfig", "", "ini"),
        (".env", "", "dotenv"),
        (".env.local", "", "dotenv"),
        (".env.example", "", "dotenv"),
        ("prod.env", "", "dotenv"),
        ("README", "", "text"),
        ("README.md", "", "markdown"),
        ("x.bats", "", "bash"),
        ("x.bash", "", "bash"),
        ("x.zsh", "", "bash"),
        ("config.h.in", "", "c"),
        ("nginx.conf.tmpl", "", "nginx"),
        ("settings.yaml.j2", "", "jinja"),
        ("x.ipynb", "", "jupyter"),
        ("kernel.cu", "", "cuda"),
        ("x.wgsl", "", "wgsl"),
        ("main.tf", "", "terraform"),
        ("Cargo.lock", "", "toml"),
        ("noextension", "plain words", ""),
        ("a.unknownthing", "", ""),
        ("", "", ""),
        (".", "", ""),
        ("py", "", ""),
        (".py", "", ""),
        ("trailing.", "", ""),
    ]);
}

#[test]
fn first_line_decides_without_a_telling_name() {
    check(&[
        ("tool", "#!/usr/bin/env python3\nimport os", "python"),
        ("tool", "#!/usr/bin/python3.12 -u\n", "python"),
        ("tool", "#! /bin/sh\n", "bash"),
        ("tool", "#!/usr/bin/env -S node --no-warnings\n", "javascript"),
        ("tool", "#!/usr/bin/env VAR=1 ruby\n", "ruby"),
        ("tool", "#!/usr/bin/env Rscript\n", "r"),
        ("tool", "\u{feff}#!/bin/bash\r\n", "bash"),
        ("tool", "#!/opt/unknown\n", ""),
        ("tool", "#!\n", ""),
        ("vector", "// -*- C++ -*-\n#include <x>", "cpp"),
        ("thing", "# -*- mode: python; coding: utf-8 -*-\n", "python"),
        ("thing", "# -*- coding: utf-8 -*-\n", ""),
        ("page", "<?php echo 1;", "php"),
        ("page", "<!DOCTYPE html>", "html"),
        // A known extension wins over the first line.
        ("run.js", "#!/bin/sh\n", "javascript"),
    ]);
}

#[test]
fn content_decides_shared_extensions() {
    check(&[
        ("a.h", "#ifndef A_H\nint f(void);\n", "c"),
        ("a.h", "/* class of things\n class foo {\n*/\nint f(void);\n", "c"),
        ("a.h", "#ifdef __cplusplus\nextern \"C\" {\nnamespace x {\n#endif\nint f(void);", "c"),
        ("a.h", "#include <vector>\n", "cpp"),
        ("a.h", "#include <stdio.h>\n", "c"),
        ("a.h", "#include <sys/types.h>\n", "c"),
        ("a.h", "namespace absl {\n", "cpp"),
        ("a.h", "class Foo : public Bar {\n", "cpp"),
        ("a.h", "#import <Foundation/Foundation.h>\n", "objective-c"),
        ("a.h", "@interface Foo : NSObject\n", "objective-c"),
        ("a.m", "#import \"A.h\"\n@implementation A", "objective-c"),
        ("a.m", "function y = f(x)\n% doc\n", "matlab"),
        ("a.m", "% comment\nx = 1;", "matlab"),
        ("a.pl", "use strict;\nmy $x;", "perl"),
        ("a.pl", "parent(X, Y) :- child(Y, X).", "prolog"),
        ("a.pl", ":- module(a, []).", "prolog"),
        ("a.v", "module counter (\n  input clk);", "verilog"),
        ("a.v", "// doc\nmodule main\n\nfn main() {", "v"),
        ("a.v", "Require Import Arith.\n", "coq"),
        ("a.v", "", "verilog"),
        ("a.d", "main.o: main.c \\\n", "make"),
        ("a.d", "module foo;", "d"),
        ("a.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>", "xml"),
        ("a.fs", "#version 330\nvoid main() {}", "glsl"),
        ("a.fs", "module A\nlet x = 1", "fsharp"),
        ("curl.1", ".\\\" comment\n.TH curl 1", "roff"),
        ("log.1", "12:00 started", ""),
        ("a.inc", "<?php\n", "php"),
        ("a.inc", "// x\nnamespace absl {\n", "cpp"),
        ("a.inc", "mov ax, bx", ""),
        ("rules.pro", "-keep class a.B\n", ""),
        ("app.pro", "QT += core\n", "qmake"),
        ("a.mdx", "", "markdown"),
        ("a.pp", "unit Foo;\ninterface", "pascal"),
        ("a.pp", "class foo {\n}", "puppet"),
    ]);
    assert_eq!(detect("a.h", b"namespace x {\n\xff\xfe"), "cpp", "cut or foreign bytes");
}

#[test]
fn the_flag_takes_names_aliases_and_extensions() {
    let cases = [
        ("py", "python"),
        ("Python", "python"),
        (".PY", "python"),
        ("rs", "rust"),
        ("c++", "cpp"),
        ("C#", "csharp"),
        ("js", "javascript"),
        ("ts", "typescript"),
        ("tsx", "typescript"),
        ("sh", "bash"),
        ("shell", "bash"),
        ("golang", "go"),
        ("h", "c"),
        ("objc", "objective-c"),
        ("yml", "yaml"),
        ("tf", "terraform"),
        ("hcl", "terraform"),
        ("dockerfile", "dockerfile"),
        ("md", "markdown"),
        ("kt", "kotlin"),
        ("hs", "haskell"),
        ("rb", "ruby"),
        ("v", "v"),
        ("d", "d"),
        ("r", "r"),
        ("zsh", "bash"),
        ("scss", "css"),
        ("f#", "fsharp"),
    ];
    for (given, expected) in cases {
        assert_eq!(resolve(given), Some(expected), "{given}");
    }
    for unknown in ["", ".", "klingon", "..py", "python rust"] {
        assert_eq!(resolve(unknown), None, "{unknown}");
    }
}

#[test]
fn nothing_is_claimed_twice() {
    for list in [
        (|row| row.name) as fn(&'static Language) -> &'static str,
        |row| row.aliases,
        |row| row.extensions,
        |row| row.file_names,
        |row| row.interpreters,
    ] {
        let mut owners = HashMap::new();
        for row in LANGUAGES {
            for word in list(row).split_ascii_whitespace() {
                assert_eq!(word, word.to_lowercase(), "{} is not lower case", row.name);
                let before = owners.insert(word, row.name);
                assert_eq!(before, None, "{word} is claimed by {} too", row.name);
            }
        }
    }
}

#[test]
fn an_alias_never_hides_another_languages_name_or_extension() {
    for row in LANGUAGES {
        for alias in row.aliases.split_ascii_whitespace() {
            assert!(BY_NAME.get(alias).is_none(), "alias {alias} is a name");
            let owner = BY_EXTENSION.get(alias).copied().unwrap_or(row.name);
            assert_eq!(owner, row.name, "alias {alias} is {owner}'s extension");
        }
        assert_eq!(resolve(row.name), Some(row.name));
    }
    assert!(names().count() > 120);
}

//! Which licence a text is, by the sentences that only it has.
//!
//! Enough to notice that a manifest is wrong; must not be taken for legal advice.

use anyhow::{Context, Result, bail, ensure};
use regex::Regex;

use crate::git::Git;
use crate::manifest::Repository;

/// Licences that let anybody learn from the code, by SPDX name, with sentences that must stand in their text.
const PERMISSIVE: &[(&str, &[&str])] = &[
    (
        "MIT",
        &[
            "permission is hereby granted, free of charge, to any person obtaining a copy",
            "the above copyright notice and this permission notice",
        ],
    ),
    ("Apache-2.0", &["apache license", "version 2.0"]),
    (
        "BSD-3-Clause",
        &[
            "redistribution and use in source and binary forms",
            "without specific prior written permission",
        ],
    ),
    ("BSD-2-Clause", &["redistribution and use in source and binary forms"]),
    (
        "ISC",
        &[
            "permission to use, copy, modify, and",
            "distribute this software for any purpose with or without fee is hereby granted",
        ],
    ),
    (
        "PostgreSQL",
        &[
            "permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee",
        ],
    ),
    ("BSL-1.0", &["boost software license"]),
];
/// Sentences of licences that are not permissive.
const OTHERS: &[&str] = &[
    "gnu general public license",
    "gnu affero general public license",
    "gnu lesser general public license",
    "mozilla public license",
    "business source license",
    "server side public license",
    "elastic license",
    "creative commons attribution-noncommercial",
];

/// Holds a repository's licence against its clone.
pub(crate) fn check(git: &Git, repository: &Repository) -> Result<()> {
    let name = &repository.name;
    let path = match &repository.licence_file {
        Some(path) => path.clone(),
        None => find(git, &repository.revision).with_context(|| name.clone())?,
    };
    let text = git
        .show(&repository.revision, &path)
        .with_context(|| format!("{name}: there is no {path} at that revision"))?;
    let text = plain(&text);
    let known = PERMISSIVE.iter().find(|(spdx, _)| *spdx == repository.licence);
    let Some((_, sentences)) = known else {
        bail!("{name}: {} is not among the permissive licences", repository.licence);
    };
    let holds = sentences.iter().all(|sentence| text.contains(sentence));
    ensure!(holds, "{name}: {path} is not {}, as the manifest says", repository.licence);
    let head = &text[..text.floor_char_boundary(1500)];
    if let Some(other) = OTHERS.iter().find(|other| head.contains(**other)) {
        bail!("{name}: {path} names another licence, too: {other}");
    }
    refuses_training(git, repository)
}

fn find(git: &Git, revision: &str) -> Result<String> {
    let names = git.top_files(revision)?;
    let is_licence = |name: &&String| {
        let lower = name.to_lowercase();
        ["licen", "copying", "mit-licen"].iter().any(|start| lower.starts_with(start))
    };
    names.iter().find(is_licence).cloned().context("no licence file at the top of the tree")
}

/// Some projects ask not to be trained on in words.
fn refuses_training(git: &Git, repository: &Repository) -> Result<()> {
    let asks = Regex::new(
        r"(?i)\b(not|no|never|prohibit\w*|forbid\w*)\b[^.]{0,80}\btrain(ing)?\b[^.]{0,60}\b(models?|ai|llms?|machine learning)\b",
    )?;
    for name in git.top_files(&repository.revision)? {
        let lower = name.to_lowercase();
        let says = ["readme", "licen", "copying", "ai.txt", "notice"];
        if says.iter().any(|start| lower.starts_with(start)) {
            let text = plain(&git.show(&repository.revision, &name)?);
            ensure!(!asks.is_match(&text), "{}: {name} asks not to be trained on", repository.name);
        }
    }
    Ok(())
}

/// Lower case, white space collapsed, comment marks and quotes that licences differ in gone.
fn plain(text: &str) -> String {
    let words: Vec<&str> =
        text.split_whitespace().filter(|w| !matches!(*w, "*" | "#" | "//" | ">")).collect();
    words.join(" ").to_lowercase()
}

//! What `wherein index A B …` is about: folders, repositories of the settings, addresses.
//!
//! A folder that is there is meant as a folder; `--repo` names the repository of that name.

use std::path::{Path, PathBuf};

use wherein_engine::{Error, Result};

use super::super::chosen::{Chosen, Known};
use crate::cli::IndexArgs;
use crate::repositories::{self, Declared, Source};
use crate::settings::{Flags, Origin};

/// The targets as repositories, in the order in which they were typed.
pub(super) fn read(args: &IndexArgs, flags: &Flags) -> Result<Chosen> {
    let known = Known::read(flags, &args.common)?;
    if args.common.root.is_some() && !args.paths.is_empty() {
        return Err(
            Error::usage("both PATH and --root name the folder").with_hint("give one of them")
        );
    }
    let declared = known.declared();
    let mut targets = match args.all {
        true => repositories::choose_all(declared)?,
        false => repositories::choose(&args.repo.names, declared)?,
    };
    for path in &args.paths {
        for one in of_path(path, declared)? {
            match targets.iter().find(|target| target.name == one.name) {
                Some(target) if target.source == one.source => {}
                Some(_) => return Err(twice(&one.name)),
                None => targets.push(one),
            }
        }
    }
    Ok(known.choose(targets))
}

/// What one argument means.
fn of_path(path: &Path, declared: &[Declared]) -> Result<Vec<Declared>> {
    if path.is_dir() {
        return Ok(vec![of_folder(path)]);
    }
    let word = path.to_str().unwrap_or_default();
    let meant = repositories::find(word, declared)?;
    if meant.is_empty() {
        let message =
            format!("there is no folder {0}, and no repository is called that", path.display());
        return Err(Error::usage(message).with_hint(
            "name folders, repositories of your settings (wherein config shows them), or git addresses",
        ));
    }
    Ok(meant)
}

/// A folder that nobody declared, under the path that was typed.
fn of_folder(path: &Path) -> Declared {
    Declared {
        name: path.display().to_string(),
        source: Source::Folder(PathBuf::from(path)),
        root: String::new(),
        exclude: Vec::new(),
        origin: Origin::Flag("PATH"),
    }
}

fn twice(name: &str) -> Error {
    Error::usage(format!("two repositories are called '{name}'"))
        .with_hint("declare them in a settings file with name = \"…\"")
}

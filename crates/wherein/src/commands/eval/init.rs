//! `wherein eval init`: a question file to fill in for the repository in the current folder.

use std::path::Path;

use wherein_engine::{Error, Result};

use crate::cli::EvalInitArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output::verdict;

/// Writes the file and says what to do next.
pub(super) fn run(args: &EvalInitArgs) -> Outcome<Exit> {
    let repo = match &args.repo_name {
        Some(name) => name.clone(),
        None => folder_name()?,
    };
    wherein_eval::write_template(&args.file, &repo, args.force).map_err(super::error)?;
    let file = args.file.display().to_string();
    verdict::questions_written(&file, &next_command(&args.file))?;
    Ok(Exit::Found)
}

/// What to run once the questions are written, from the same folder.
fn next_command(file: &Path) -> String {
    let file = file.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/\\:._-~".contains(c);
    match file.chars().all(is_plain) {
        true => format!("wherein eval {file} --compare"),
        false => format!("wherein eval '{}' --compare", file.replace('\'', "'\\''")),
    }
}

fn folder_name() -> Result<String> {
    let folder = std::env::current_dir().ok();
    let name = folder.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
    name.map(std::borrow::Cow::into_owned).ok_or_else(|| {
        Error::usage("the current folder has no name").with_hint("name the repository: --repo-name")
    })
}

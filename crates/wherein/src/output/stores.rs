//! What is told of collections: their repositories, and what a publication did.

use serde::Serialize;
use serde_json::{Value, json};
use wherein_engine::{Guard, Head, PublishReport, RefreshReport};
use wherein_wire::Refresh;

use super::Printer;
use super::text::visible;
use crate::failure::Outcome;

/// The repositories of a collection, one a line.
pub(crate) fn status(
    printer: &mut Printer,
    name: &str,
    guard: &Guard,
    heads: &[Head],
) -> Outcome<()> {
    writeln!(printer.out(), "collection  {name}")?;
    // All of it comes from the server.
    writeln!(printer.out(), "index       {}", visible(&guard.index))?;
    let model = guard.model.as_ref().map_or("none", |model| model.name.as_str());
    writeln!(printer.out(), "model       {}", visible(model))?;
    writeln!(printer.out(), "sparse      {}", visible(&guard.sparse.to_string()))?;
    writeln!(printer.out(), "{} repositories", heads.len())?;
    let width = heads.iter().map(|head| head.repository.chars().count()).max().unwrap_or(0);
    for head in heads {
        writeln!(
            printer.out(),
            "  {:width$}  {:>8} files  {:>9} chunks  {:>9} vectors  from {}",
            visible(&head.repository),
            head.n_files,
            head.n_chunks,
            head.n_vectors,
            visible(&head.origin)
        )?;
    }
    Ok(())
}

/// The same for programs.
pub(crate) fn to_json(name: &str, guard: &Guard, heads: &[Head]) -> Value {
    let repositories: Vec<Value> = heads
        .iter()
        .map(|head| {
            json!({
                "name": head.repository,
                "origin": head.origin,
                "version": head.version,
                "files": head.n_files,
                "chunks": head.n_chunks,
                "vectors": head.n_vectors,
                "published_ms": head.published_ms,
            })
        })
        .collect();
    json!({
        "collection": name,
        "format": guard.format,
        "index": guard.index,
        "model": guard.model.as_ref().map(|model| model.name.clone()),
        "sparse": guard.sparse.to_string(),
        "repositories": repositories,
    })
}

/// What a publication did, in a line.
pub(crate) fn published(printer: &mut Printer, done: &PublishReport) -> Outcome<()> {
    let PublishReport { n_files, n_chunks, n_vectors, n_written, n_kept, n_removed, problems } =
        done;
    writeln!(
        printer.out(),
        "published {n_files} files, {n_chunks} chunks, {n_vectors} vectors: \
         {n_written} points written, {n_kept} kept, {n_removed} removed"
    )?;
    for problem in problems {
        printer.note(&format!("{}: {}", visible(&problem.path), problem.reason))?;
    }
    Ok(())
}

/// The same for programs.
pub(crate) fn report_to_json(done: &PublishReport) -> Value {
    json!({
        "files": done.n_files,
        "chunks": done.n_chunks,
        "vectors": done.n_vectors,
        "points": { "written": done.n_written, "kept": done.n_kept, "removed": done.n_removed },
        "problems": done.problems.iter().map(|problem| {
            json!({ "path": problem.path, "reason": problem.reason })
        }).collect::<Vec<_>>(),
    })
}

/// What was indexed, and then published, for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Indexed {
    #[serde(flatten)]
    index: Refresh,
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<Value>,
}

impl Indexed {
    pub(crate) fn of(done: RefreshReport, published: Option<&PublishReport>) -> Indexed {
        Indexed { index: Refresh::from(done), published: published.map(report_to_json) }
    }
}

/// That a repository is gone.
pub(crate) fn removed(printer: &mut Printer, name: &str) -> Outcome<()> {
    writeln!(printer.out(), "removed {name}")?;
    Ok(())
}

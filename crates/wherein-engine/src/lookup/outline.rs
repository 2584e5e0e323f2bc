//! The symbols of a file, or of every file of a folder, in line order.

use super::{FileOutline, Outline, OutlineRequest};
use crate::error::Result;
use crate::model::SkipCounts;
use crate::search::allowed_files;
use crate::store::Generation;

/// The positions of the files that may answer.
pub(crate) fn outlined(generation: &Generation, request: &OutlineRequest) -> Result<Vec<usize>> {
    let allowed = allowed_files(generation, &request.filter)?;
    Ok((0..allowed.len()).filter(|file_idx| allowed[*file_idx]).collect())
}

/// Answers `request`.
pub(crate) fn outline(generation: &Generation, request: &OutlineRequest) -> Result<Outline> {
    let filter = &request.filter;
    let mut files = Vec::new();
    for file_idx in outlined(generation, request)? {
        let Some((entry, indexed)) = generation.source_file(file_idx) else {
            continue;
        };
        let mut symbols = Vec::new();
        if let Some((table, file)) = generation.symbols_of(file_idx)? {
            for row in table.rows(file.symbols)? {
                if filter.has_symbol_kind(row.kind) {
                    symbols.push(table.symbol(row)?);
                }
            }
        }
        files.push(FileOutline {
            path: entry.path.text.clone(),
            language: generation.language(indexed).to_owned(),
            kind: indexed.kind,
            symbols,
            fallback: indexed.fallback.map(|why| why.to_string()),
        });
    }
    let generation = generation.manifest.generation;
    Ok(Outline { generation, files, degraded: Vec::new(), skipped: SkipCounts::default() })
}

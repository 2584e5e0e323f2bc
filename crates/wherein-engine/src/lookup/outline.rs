//! The symbols of a file, or of every file of a folder, in line order.

use super::{FileOutline, Outline, OutlineRequest};
use crate::error::Result;
use crate::model::SkipCounts;
use crate::search::allowed_files;
use crate::store::Generation;

/// Answers `request`.
pub(crate) fn outline(generation: &Generation, request: &OutlineRequest) -> Result<Outline> {
    let filter = &request.filter;
    let allowed = allowed_files(generation, filter)?;
    let mut files = Vec::new();
    for file_idx in (0..allowed.len()).filter(|idx| allowed[*idx]) {
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

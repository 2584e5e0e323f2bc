//! The patterns of a query file, and how they are found in a tree.
//!
//! tree-sitter's own queries are analysed against the grammar before they can be used, which takes up to a second for
//! one language and is needed anew in every process. This reads the same files in a millisecond, and finds the same:
//! the tests hold each against the other. Only what begins at one node can be asked. Must not know what a capture
//! means.

mod matcher;
mod parse;
mod predicate;
mod program;
#[cfg(test)]
mod tests;

use tree_sitter::Language;

pub(super) use matcher::Matcher;
pub(super) use parse::PatternError;
use program::Program;

/// The patterns of a query file.
#[derive(Debug)]
pub(super) struct Patterns {
    programs: Vec<Program>,
    names: Vec<String>,
    /// The patterns that begin with a kind of node; the last are those of broken code.
    by_kind: Vec<Vec<usize>>,
}

impl Patterns {
    /// Reads a query file against its grammar.
    pub(super) fn read(language: &Language, text: &str) -> Result<Patterns, PatternError> {
        let (written, names) = parse::parse(language, text)?;
        let programs: Vec<Program> = written.into_iter().map(Program::of).collect();
        let mut by_kind = vec![Vec::new(); language.node_kind_count() + 1];
        for (i, program) in programs.iter().enumerate() {
            let slot = usize::from(program.root).min(by_kind.len() - 1);
            by_kind[slot].push(i);
        }
        Ok(Patterns { programs, names, by_kind })
    }

    /// By capture number.
    pub(super) fn capture_names(&self) -> &[String] {
        &self.names
    }

    /// The kind that each pattern begins with, and its capture if it is nothing but a captured node.
    pub(super) fn roots(&self) -> impl Iterator<Item = (u16, Option<&str>)> {
        self.programs.iter().map(|program| {
            (program.root, program.simple.map(|idx| self.names[usize::from(idx)].as_str()))
        })
    }

    /// Leaves out patterns that somebody else sees to; the numbers of the others stay.
    pub(super) fn leave_out(&mut self, is_left_out: impl Fn(usize) -> bool) {
        self.by_kind.iter_mut().for_each(|list| list.retain(|pattern| !is_left_out(*pattern)));
    }

    /// The numbers of the patterns that begin with a kind.
    fn beginning_with(&self, kind: u16) -> &[usize] {
        // Broken code has a kind of its own, far beyond those of the grammar.
        self.by_kind.get(usize::from(kind)).or(self.by_kind.last()).map_or(&[], Vec::as_slice)
    }

    /// The regular expressions of all predicates, to see whether they compile.
    #[cfg(test)]
    pub(super) fn expressions(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().flat_map(|program| &program.predicates).filter_map(|one| one.regex())
    }
}

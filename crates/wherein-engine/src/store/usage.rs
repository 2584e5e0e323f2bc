//! A usage: where an identifier stands, and as what.
//!
//! Kept as a position in the postings: lines below the chunk's first times four, plus the class. So one look-up gives
//! every line of every file without opening one.

use crate::symbol::UsageClass;

/// One identifier in one line of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Usage {
    /// Lines below the chunk's first.
    pub(crate) row: u32,
    pub(crate) class: UsageClass,
}

impl Usage {
    /// The position that it is kept as.
    pub(crate) fn position(self) -> u32 {
        self.row * 4 + self.class as u32
    }

    /// What a position stands for.
    pub(crate) fn at(position: u32) -> Usage {
        Usage { row: position / 4, class: class(position % 4) }
    }
}

fn class(number: u32) -> UsageClass {
    match number {
        0 => UsageClass::Definition,
        1 => UsageClass::Call,
        _ => UsageClass::Mention,
    }
}

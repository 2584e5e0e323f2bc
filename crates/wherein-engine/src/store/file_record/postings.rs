//! The postings of a record: every term with the fields and chunks that it stands in.
//!
//! An entry is found by the CRC-32 of its term: `hashes` are sorted, `offsets` say where each entry begins. An entry is the
//! term, a byte with one bit a field, and for each of these fields the length of its list and the list: for each chunk its
//! distance to the one before, how often, and the positions where the field keeps them; all numbers as varints.
//! Reading stops where the bytes make no sense.

use super::super::segment::TextField;

/// All postings of one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Postings<'a> {
    pub(super) hashes: &'a [u8],
    pub(super) offsets: &'a [u8],
    pub(super) entries: &'a [u8],
    pub(super) n_docs: u32,
}

/// A term with its lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) text: &'a str,
    mask: u8,
    lists: &'a [u8],
    n_docs: u32,
}

/// Where a term stands in one field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TermEntry<'a> {
    field: TextField,
    list: &'a [u8],
    n_docs: u32,
}

/// The checksum that a term is found by.
pub(super) fn hash(text: &str) -> u32 {
    crc32fast::hash(text.as_bytes())
}

/// The number at a position of a table.
pub(super) fn number(table: &[u8], at: usize) -> Option<u32> {
    let bytes = table.get(4 * at..)?.get(..4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

impl<'a> Postings<'a> {
    fn n_entries(&self) -> usize {
        self.hashes.len() / 4
    }

    /// Whether entries stand one after another.
    pub(super) fn is_in_order(&self) -> bool {
        let offsets = (0..self.n_entries()).map(|at| number(self.offsets, at));
        offsets.is_sorted_by(|a, b| a < b)
    }

    /// The entry of a term.
    pub(super) fn entry(&self, text: &str) -> Option<Entry<'a>> {
        let wanted = hash(text);
        let (mut low, mut high) = (0, self.n_entries());
        while low < high {
            let middle = low.midpoint(high);
            if number(self.hashes, middle)? < wanted { low = middle + 1 } else { high = middle }
        }
        (low..self.n_entries())
            .take_while(|at| number(self.hashes, *at) == Some(wanted))
            .filter_map(|at| self.at(at))
            .find(|entry| entry.text == text)
    }

    pub(super) fn find(&self, field: TextField, text: &str) -> Option<TermEntry<'a>> {
        self.entry(text)?.field(field)
    }

    /// Every entry, in the order of the checksums.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'a>> + use<'a> {
        let own = *self;
        (0..self.n_entries()).filter_map(move |at| own.at(at))
    }

    fn at(&self, at: usize) -> Option<Entry<'a>> {
        // An entry ends where the next begins, so that a damaged table cannot make one piece of bytes many entries.
        let end = number(self.offsets, at + 1).map_or(self.entries.len(), |end| end as usize);
        let mut bytes = self.entries.get(number(self.offsets, at)? as usize..end)?;
        let length = take_varint(&mut bytes)? as usize;
        let text = std::str::from_utf8(bytes.get(..length)?).ok()?;
        let (mask, lists) = bytes[length..].split_first()?;
        Some(Entry { text, mask: *mask, lists, n_docs: self.n_docs })
    }
}

impl<'a> Entry<'a> {
    /// Where it stands in a field.
    pub(super) fn field(&self, field: TextField) -> Option<TermEntry<'a>> {
        let mut rest = self.lists;
        for known in TextField::ALL.into_iter().filter(|known| self.has(*known)) {
            let length = take_varint(&mut rest)? as usize;
            let list = rest.get(..length)?;
            if known == field {
                return Some(TermEntry { field, list, n_docs: self.n_docs });
            }
            rest = &rest[length..];
        }
        None
    }

    fn has(&self, field: TextField) -> bool {
        self.mask >> field as u8 & 1 == 1
    }

    /// Where it stands, field by field.
    pub(super) fn fields(&self) -> impl Iterator<Item = TermEntry<'a>> {
        TextField::ALL.into_iter().filter_map(|field| self.field(field))
    }
}

impl TermEntry<'_> {
    pub(super) fn text_field(&self) -> TextField {
        self.field
    }

    /// How many chunks have it.
    pub(crate) fn n_docs(&self) -> u32 {
        let mut n_docs = 0;
        self.each(&mut |_, _, _| {
            n_docs += 1;
            true
        });
        n_docs
    }

    /// Its chunks, in order, with how often it stands in each and where; `visit` says whether to go on.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(u32, u32, &[u32]) -> bool) {
        let (mut rest, mut doc) = (self.list, 0_u32);
        let mut positions = Vec::new();
        while let Some(step) = take_varint(&mut rest) {
            doc = doc.saturating_add(step);
            let Some(freq) = self.take_freq(&mut rest) else { return };
            if doc >= self.n_docs || !self.take_positions(&mut rest, freq, &mut positions) {
                return;
            }
            if !visit(doc, freq, &positions) {
                return;
            }
        }
    }

    fn take_freq(&self, rest: &mut &[u8]) -> Option<u32> {
        match self.field {
            TextField::Suffixes => Some(1),
            _ => take_varint(rest),
        }
    }

    fn take_positions(&self, rest: &mut &[u8], freq: u32, positions: &mut Vec<u32>) -> bool {
        if self.field != TextField::Usages {
            return true;
        }
        positions.clear();
        let mut last = 0_u32;
        for _ in 0..freq {
            let Some(step) = take_varint(rest) else { return false };
            last = last.saturating_add(step);
            positions.push(last);
        }
        true
    }
}

/// Adds one chunk to a list.
pub(super) fn put_posting(
    list: &mut Vec<u8>,
    field: TextField,
    step: u32,
    (freq, positions): (u32, &[u32]),
) {
    put_varint(list, step);
    if field == TextField::Usages {
        put_varint(list, positions.len() as u32);
        let mut last = 0;
        for position in positions {
            put_varint(list, position - last);
            last = *position;
        }
    } else if field != TextField::Suffixes {
        put_varint(list, freq);
    }
}

pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0_u32;
    for shift in (0..32).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

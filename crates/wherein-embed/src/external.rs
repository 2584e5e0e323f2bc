//! Which other files an ONNX file needs: the locations of its external data.
//!
//! Models beyond 2 GB keep their weights beside the graph (onnx.proto, `TensorProto.external_data`). Only as
//! much of the protobuf encoding is read as that takes; it judges nothing else about the graph, and it keeps
//! no tensor in memory.

use std::collections::BTreeSet;

/// Field numbers of onnx.proto on the way down: model → graph → initializer → external_data.
const GRAPH: u64 = 7;
const INITIALIZER: u64 = 5;
const EXTERNAL_DATA: u64 = 13;
const KEY: u64 = 1;
const VALUE: u64 = 2;

/// The file ends in the middle of a field, or is no protobuf at all.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// The files named as external data, relative to the ONNX file, sorted.
pub(crate) fn locations(model: &[u8]) -> Result<BTreeSet<String>, Malformed> {
    let mut found = BTreeSet::new();
    for graph in fields(model, GRAPH) {
        for initializer in fields(graph?, INITIALIZER) {
            for entry in fields(initializer?, EXTERNAL_DATA) {
                let entry = entry?;
                if text(entry, KEY)? == Some("location") {
                    found.extend(text(entry, VALUE)?.map(str::to_owned));
                }
            }
        }
    }
    Ok(found)
}

fn text(message: &[u8], number: u64) -> Result<Option<&str>, Malformed> {
    let Some(bytes) = fields(message, number).next() else { return Ok(None) };
    std::str::from_utf8(bytes?).map(Some).map_err(|_| Malformed)
}

/// The length-delimited fields of one number, in order; every other field is stepped over.
fn fields(message: &[u8], number: u64) -> impl Iterator<Item = Result<&[u8], Malformed>> {
    let mut rest = message;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            match field(&mut rest) {
                Some((found, Some(bytes))) if found == number => return Some(Ok(bytes)),
                Some(_) => {}
                None => {
                    rest = &[];
                    return Some(Err(Malformed));
                }
            }
        }
        None
    })
}

/// Takes one field off the front: its number, and its bytes where it has a length.
fn field<'a>(rest: &mut &'a [u8]) -> Option<(u64, Option<&'a [u8]>)> {
    let tag = varint(rest)?;
    let bytes = match tag & 7 {
        0 => {
            varint(rest)?;
            None
        }
        1 => take(rest, 8).map(|_| None)?,
        2 => {
            let length = usize::try_from(varint(rest)?).ok()?;
            Some(take(rest, length)?)
        }
        5 => take(rest, 4).map(|_| None)?,
        _ => return None,
    };
    (tag >> 3 != 0).then_some((tag >> 3, bytes))
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(head)
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, tail) = rest.split_first()?;
        *rest = tail;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(number: u8, bytes: &[u8]) -> Vec<u8> {
        let mut field = vec![number << 3 | 2, u8::try_from(bytes.len()).unwrap()];
        field.extend(bytes);
        field
    }

    fn model() -> Vec<u8> {
        let entry = [message(1, b"location"), message(2, b"model.onnx_data")].concat();
        let offset = [message(1, b"offset"), message(2, b"0")].concat();
        let tensor = [vec![2 << 3, 1], message(13, &entry), message(13, &offset)].concat();
        [vec![1 << 3, 8], message(7, &message(5, &tensor))].concat()
    }

    #[test]
    fn the_location_is_found_below_graph_and_initializer() {
        let found = locations(&model()).unwrap();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["model.onnx_data"]);
        assert!(locations(&[]).unwrap().is_empty());
    }

    #[test]
    fn every_cut_is_noticed_or_harmless() {
        let whole = model();
        for length in 3..whole.len() {
            assert_eq!(locations(&whole[..length]), Err(Malformed), "{length}");
        }
        assert_eq!(locations(b"<html>not found</html>"), Err(Malformed));
    }
}

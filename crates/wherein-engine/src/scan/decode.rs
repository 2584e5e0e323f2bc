//! Bytes of a file → text whose line numbers agree with `sed -n`.
//!
//! UTF-8, with invalid bytes shown as U+FFFD; UTF-16 with a byte order mark; all else with a NUL byte near
//! its start is binary. Line endings are left alone: a line ends at `\n`, a `\r` before it is white space.

use std::borrow::Cow;

/// A NUL byte in this many leading bytes makes a file binary (design §8).
const SNIFFED_BYTES: usize = 512;

/// The text of a file; `None` where it is binary. A byte order mark is dropped.
pub(crate) fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if let Some((encoding, n_mark)) = utf16_mark(bytes) {
        return Some(encoding.decode_without_bom_handling(&bytes[n_mark..]).0);
    }
    if is_binary(bytes) {
        return None;
    }
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // Valid text is told in a tenth of the time that looking for invalid bytes takes.
    Some(match std::str::from_utf8(body) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(body),
    })
}

/// Whether the bytes are not text.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    utf16_mark(bytes).is_none() && bytes.iter().take(SNIFFED_BYTES).any(|b| *b == 0)
}

fn utf16_mark(bytes: &[u8]) -> Option<(&'static encoding_rs::Encoding, usize)> {
    encoding_rs::Encoding::for_bom(bytes).filter(|(encoding, _)| *encoding != encoding_rs::UTF_8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_encoding_gives_its_text() {
        let cases: [(&[u8], Option<&str>); 8] = [
            (b"plain\r\n", Some("plain\r\n")),
            (b"\xef\xbb\xbfmarked", Some("marked")),
            (b"\xff\xfeh\0i\0\n\0", Some("hi\n")),
            (b"\xfe\xff\0h\0i", Some("hi")),
            (b"caf\xe9", Some("caf\u{fffd}")),
            (b"a\0b", None),
            (b"", Some("")),
            (b"\xff\xfe", Some("")),
        ];
        for (bytes, text) in cases {
            assert_eq!(decode(bytes).as_deref(), text, "{bytes:?}");
        }
    }

    #[test]
    fn a_late_nul_byte_is_text() {
        let mut bytes = vec![b'x'; SNIFFED_BYTES];
        bytes.push(0);
        assert!(decode(&bytes).is_some());
    }
}

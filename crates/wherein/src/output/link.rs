//! Clickable paths (OSC 8) for terminals that have them.

use std::path::Path;

use crate::place::slashed;

/// `shown` linked to the file at `path`, which must be absolute.
pub(super) fn linked(shown: &str, path: &Path) -> String {
    let address = encoded(&slashed(path));
    format!("\x1b]8;;file:///{address}\x1b\\{shown}\x1b]8;;\x1b\\")
}

/// The path as a URL has it: everything but unreserved characters and `/` in percent form.
fn encoded(path: &str) -> String {
    let mut url = String::with_capacity(path.len());
    for byte in path.trim_start_matches('/').bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_cannot_leave_the_link() {
        assert_eq!(encoded("/a b/\x1b\\é"), "a%20b/%1B%5C%C3%A9");
    }
}

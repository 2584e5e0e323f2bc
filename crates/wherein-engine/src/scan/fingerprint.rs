//! What tells quickly that a file has probably not changed: size, times and inode.
//!
//! Only a pre-filter: equal fingerprints of settled files are trusted, all else is decided by content hash.

use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

/// A file changed this shortly before it was looked at may change again without its times moving
/// (coarse clocks; FAT counts in two seconds).
const SETTLING_NS: i64 = 2_000_000_000;

/// Size, times (nanoseconds since 1970) and inode of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Fingerprint {
    pub(crate) n_bytes: u64,
    mtime_ns: i64,
    ctime_ns: i64,
    inode: u64,
}

impl Fingerprint {
    pub(crate) fn of(metadata: &Metadata) -> Fingerprint {
        let (ctime_ns, inode) = change_time_and_inode(metadata);
        Fingerprint {
            n_bytes: metadata.len(),
            mtime_ns: metadata.modified().map_or(0, nanoseconds),
            ctime_ns,
            inode,
        }
    }

    /// That of a file which no tree has: equal to none that was looked at.
    pub(crate) fn unknown(n_bytes: u64) -> Fingerprint {
        Fingerprint { n_bytes, mtime_ns: i64::MIN, ctime_ns: i64::MIN, inode: 0 }
    }

    /// Whether the file had settled at `seen_at_ns`: an equal fingerprint then means equal content.
    pub(crate) fn is_settled(&self, seen_at_ns: i64) -> bool {
        self.mtime_ns.max(self.ctime_ns).saturating_add(SETTLING_NS) < seen_at_ns
    }
}

/// Now, in nanoseconds since 1970.
pub(crate) fn now_ns() -> i64 {
    nanoseconds(SystemTime::now())
}

fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |ns| -ns),
    }
}

#[cfg(unix)]
fn change_time_and_inode(metadata: &Metadata) -> (i64, u64) {
    use std::os::unix::fs::MetadataExt;
    let ctime_ns =
        metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec());
    (ctime_ns, metadata.ino())
}

#[cfg(not(unix))]
fn change_time_and_inode(metadata: &Metadata) -> (i64, u64) {
    (metadata.created().map_or(0, nanoseconds), 0)
}

//! One writer and one embedder at a time, by an operating system lock that dies with its process.
//!
//! The writer's is held only while writing; readers never take it.

use std::fs::{File, OpenOptions, TryLockError};
use std::time::{Duration, Instant};

use super::layout::IndexDir;
use crate::error::{IoContext, Result};

/// How often a waiting process looks again.
const POLL: Duration = Duration::from_millis(5);

/// The right to do one kind of work on an index folder, for as long as the value lives.
#[derive(Debug)]
pub(crate) struct WriterLock {
    _file: File,
}

/// What a lock keeps others from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Changing the index folder: held for as long as it takes to write.
    Write,
    /// Embedding: held while the model works, and questions and refreshes go on.
    Embed,
}

/// Takes the lock, waiting until `patience` has passed; `None` if another process still holds it then.
/// `on_wait` is called once, when the lock turns out to be taken.
pub(crate) fn lock(
    dir: &IndexDir,
    work: Work,
    patience: Duration,
    on_wait: impl FnOnce(),
) -> Result<Option<WriterLock>> {
    dir.create()?;
    let path = match work {
        Work::Write => dir.lock(),
        Work::Embed => dir.embed_lock(),
    };
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .at("open", &path)
        .map_err(|e| e.with_hint("name a folder that can be written to with --index-dir"))?;
    let started = Instant::now();
    let mut on_wait = Some(on_wait);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(WriterLock { _file: file })),
            Err(TryLockError::Error(e)) => return Err(e).at("lock", &path),
            Err(TryLockError::WouldBlock) if started.elapsed() >= patience => return Ok(None),
            Err(TryLockError::WouldBlock) => {
                if let Some(tell) = on_wait.take() {
                    tell();
                }
                std::thread::sleep(POLL);
            }
        }
    }
}

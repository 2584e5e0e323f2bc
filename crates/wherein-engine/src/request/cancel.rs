//! The wish to stop, told from another thread: the asker went away.
//!
//! Nothing is left half done by it: a search only reads. Must not decide who may wish so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, ErrorKind, Result};

/// Stops the searches that carry a copy of it. All copies are one: whoever cancels one cancels all.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// One that nobody has cancelled.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Asks for an early end. What is already answered stays so.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked for an early end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The error that ends a search whose asker went away.
    pub(crate) fn check(wish: Option<&Cancel>) -> Result<()> {
        match wish {
            Some(wish) if wish.is_cancelled() => {
                Err(Error::new(ErrorKind::Cancelled, "the search was cancelled"))
            }
            _ => Ok(()),
        }
    }
}

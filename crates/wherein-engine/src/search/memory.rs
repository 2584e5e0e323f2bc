//! What an engine remembers between questions: texts, the numbers of their words, vectors of their lines, names.
//!
//! All of it follows from the index and from files that look as they did when they were indexed, so an answer with it is the
//! answer without it. Bounded: files that were not asked for give way, and when there are too many words all is forgotten.
//! Must not know a question.

mod files;
mod text;

use std::sync::{Arc, Mutex, PoisonError};

use crate::embed::{Lexicon, Likenesses, NumberReader};
use crate::tokenize::Tokenizer;
pub(super) use files::{
    AroundName, ChunkMemory, FileMemory, Files, OfFile, Read, SymbolNames, Vectors,
};
pub(super) use text::Text;

/// Readers that wait for work: more are dropped when they are done.
const MAX_IDLE: usize = 4;

/// What a question may remember for itself where nothing is kept.
const ONE_QUESTION: usize = 64 << 20;

/// The memory of one engine.
#[derive(Debug)]
pub(crate) struct Memory {
    most_bytes: usize,
    epoch: Mutex<Arc<Epoch>>,
}

/// What was remembered since all was forgotten the last time.
#[derive(Debug)]
pub(crate) struct Epoch {
    pub(super) lexicon: Lexicon,
    pub(super) likenesses: Likenesses,
    pub(super) files: Files,
    readers: Mutex<Vec<NumberReader>>,
    tokenizers: Mutex<Vec<Tokenizer>>,
}

impl Memory {
    /// Remembers about so many bytes.
    pub(crate) fn new(most_bytes: usize) -> Memory {
        Memory { most_bytes, epoch: Mutex::new(Arc::new(Epoch::new(most_bytes))) }
    }

    /// What a question may look at; it stays as long as the question holds it.
    pub(crate) fn epoch(&self) -> Arc<Epoch> {
        // With nothing to keep, a question still reads no file twice.
        if self.most_bytes == 0 {
            return Arc::new(Epoch::new(ONE_QUESTION));
        }
        let mut epoch = self.epoch.lock().unwrap_or_else(PoisonError::into_inner);
        if epoch.lexicon.is_full() {
            *epoch = Arc::new(Epoch::new(self.most_bytes));
        }
        Arc::clone(&epoch)
    }

    /// Forgets everything.
    pub(crate) fn forget(&self) {
        let mut epoch = self.epoch.lock().unwrap_or_else(PoisonError::into_inner);
        *epoch = Arc::new(Epoch::new(self.most_bytes));
    }

    /// Memory in use, about.
    pub(crate) fn n_bytes(&self) -> usize {
        let epoch = self.epoch.lock().unwrap_or_else(PoisonError::into_inner);
        let Epoch { lexicon, likenesses, files, .. } = &**epoch;
        lexicon.n_bytes() + likenesses.n_bytes(lexicon.len()) + files.n_bytes()
    }
}

impl Epoch {
    fn new(most_bytes: usize) -> Epoch {
        Epoch {
            lexicon: Lexicon::new(most_bytes / 4),
            likenesses: Likenesses::new(most_bytes / 4),
            files: Files::new(most_bytes / 2),
            readers: Mutex::default(),
            tokenizers: Mutex::default(),
        }
    }

    /// Lends a reader, which remembers the words that it has seen.
    pub(super) fn with_reader<T>(&self, read: impl FnOnce(&mut NumberReader) -> T) -> T {
        lend(&self.readers, read)
    }

    /// Lends a tokenizer, which remembers the stems of the words that it has seen.
    pub(super) fn with_tokenizer<T>(&self, read: impl FnOnce(&mut Tokenizer) -> T) -> T {
        lend(&self.tokenizers, read)
    }

    /// The words of some texts as numbers, text by text.
    pub(super) fn numbers<const N: usize>(&self, texts: [&str; N]) -> [Box<[u32]>; N] {
        self.with_reader(|reader| {
            texts.map(|text| {
                let mut numbers = Vec::new();
                reader.read(&self.lexicon, text, &mut numbers);
                numbers.into()
            })
        })
    }
}

/// Lends what no thread is using, or a new one.
fn lend<L: Default, T>(idle: &Mutex<Vec<L>>, work: impl FnOnce(&mut L) -> T) -> T {
    let all = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all().pop();
    let mut lent = known.unwrap_or_default();
    let done = work(&mut lent);
    let mut all = all();
    if all.len() < MAX_IDLE {
        all.push(lent);
    }
    done
}

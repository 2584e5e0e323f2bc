//! What is remembered of files and their chunks.
//!
//! A file is known by its number in the index, its path and the hash of its content: another of them is another file. Its
//! text is only remembered where the file had settled when it was read, so that an equal fingerprint means an equal text.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use foldhash::fast::RandomState;

use super::Text;
use crate::search::features::Place;
use crate::store::{ContentHash, Generation, SymbolRow};

/// What a file and a chunk take beside what hangs on them.
const FILE_BYTES: usize = 400;
const CHUNK_BYTES: usize = 300;

/// What some lines are compared by; `None` for those that are not.
type Sketch = Option<Arc<[u64]>>;

/// A chunk and its lines.
type Placed = ((u32, u32), Arc<ChunkMemory>);

/// Files by their number in the index.
#[derive(Debug)]
pub(in crate::search) struct Files {
    by_id: RwLock<HashMap<u32, Arc<FileMemory>, RandomState>>,
    most_bytes: usize,
    n_bytes: AtomicUsize,
    clock: AtomicU64,
}

/// One file.
#[derive(Debug)]
pub(in crate::search) struct FileMemory {
    path: Box<str>,
    hash: ContentHash,
    used: AtomicU64,
    /// Its bytes, and whether it was given up meanwhile: then nothing is counted any more.
    counted: Mutex<(usize, bool)>,
    text: OnceLock<Arc<Text>>,
    /// By their lines, in order.
    chunks: Mutex<Vec<Placed>>,
    sketches: Mutex<HashMap<(u32, u32), Sketch, RandomState>>,
    /// What its path says.
    pub(in crate::search) about: OnceLock<OfFile>,
}

/// One chunk of a file.
#[derive(Debug)]
pub(in crate::search) struct ChunkMemory {
    read: OnceLock<Arc<Read>>,
    pub(in crate::search) names: OnceLock<Box<[SymbolNames]>>,
}

/// What the path of a file says.
#[derive(Debug)]
pub(in crate::search) struct OfFile {
    /// The words of its name, and those of its folders.
    pub(in crate::search) stem: Box<[u32]>,
    pub(in crate::search) dirs: Box<[u32]>,
    /// Its name in lower case, and without separators.
    pub(in crate::search) lower: Box<str>,
    pub(in crate::search) folded: Box<str>,
    pub(in crate::search) place: Place,
}

/// What the name of a symbol says.
#[derive(Debug)]
pub(in crate::search) struct SymbolNames {
    pub(in crate::search) row: SymbolRow,
    /// Without separators, in lower case.
    pub(in crate::search) folded: Box<str>,
    pub(in crate::search) words: Box<[u32]>,
    pub(in crate::search) around: OnceLock<AroundName>,
}

/// What is said around the name of a symbol.
#[derive(Debug)]
pub(in crate::search) struct AroundName {
    /// The words of the names of what it lies in.
    pub(in crate::search) parent: Box<[u32]>,
    /// Those of its doc comment, where it has one.
    pub(in crate::search) doc: Option<Box<[u32]>>,
}

/// The lines of a chunk, read in runs.
#[derive(Debug)]
pub(in crate::search) struct Read {
    /// Lines of a run.
    pub(in crate::search) window_lines: usize,
    /// The words of each run, each once, end to end.
    pub(in crate::search) words: Box<[u32]>,
    /// Where the words of each run end.
    pub(in crate::search) ends: Box<[u32]>,
    /// With a table, where somebody asked for them.
    pub(in crate::search) vectors: OnceLock<Vectors>,
    /// The unit vector of all runs together, where there is one.
    pub(in crate::search) whole: OnceLock<Option<Box<[f32]>>>,
}

/// The vectors of runs of lines.
#[derive(Debug)]
pub(in crate::search) struct Vectors {
    /// The unit vector of each run, end to end.
    pub(in crate::search) sums: Box<[f32]>,
    /// Which of them the table knows something of.
    pub(in crate::search) known: Box<[bool]>,
}

impl Vectors {
    /// Memory in use.
    pub(in crate::search) fn n_bytes(&self) -> usize {
        4 * self.sums.len() + self.known.len()
    }
}

impl Read {
    /// The words of each run.
    pub(in crate::search) fn runs(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let run = &self.words[start..*end as usize];
            start = *end as usize;
            run
        })
    }
}

impl Files {
    pub(super) fn new(most_bytes: usize) -> Files {
        let (n_bytes, clock) = (AtomicUsize::new(0), AtomicU64::new(0));
        Files { by_id: RwLock::default(), most_bytes, n_bytes, clock }
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.n_bytes.load(Ordering::Relaxed)
    }

    /// A source file of a generation.
    pub(in crate::search) fn file(
        &self,
        generation: &Generation,
        file_idx: usize,
    ) -> Option<Arc<FileMemory>> {
        let (entry, indexed) = generation.source_file(file_idx)?;
        let path = entry.path.text.as_str();
        let used = self.clock.fetch_add(1, Ordering::Relaxed);
        let is_it = |known: &&Arc<FileMemory>| known.hash == entry.hash && *known.path == *path;
        let by_id = self.by_id.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = by_id.get(&indexed.file_id).filter(is_it) {
            known.used.store(used, Ordering::Relaxed);
            return Some(Arc::clone(known));
        }
        drop(by_id);
        let mut by_id = self.by_id.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = by_id.get(&indexed.file_id).filter(is_it) {
            return Some(Arc::clone(known));
        }
        let file = Arc::new(FileMemory::new(path, entry.hash, used));
        if let Some(other) = by_id.insert(indexed.file_id, Arc::clone(&file)) {
            self.uncount(&other);
        }
        drop(by_id);
        self.count(&file, FILE_BYTES);
        Some(file)
    }

    /// Counts bytes that hang on a file now; others give way where there are too many.
    fn count(&self, file: &FileMemory, n_bytes: usize) {
        let mut counted = lock(&file.counted);
        if counted.1 {
            return;
        }
        counted.0 += n_bytes;
        let all = self.n_bytes.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes;
        drop(counted);
        if all > self.most_bytes {
            self.shrink();
        }
    }

    fn uncount(&self, file: &FileMemory) {
        let mut counted = lock(&file.counted);
        self.n_bytes.fetch_sub(std::mem::take(&mut counted.0), Ordering::Relaxed);
        counted.1 = true;
    }

    /// Gives up those that were used longest ago, a little more than is needed.
    fn shrink(&self) {
        let mut by_id = self.by_id.write().unwrap_or_else(PoisonError::into_inner);
        let mut used: Vec<(u64, u32)> =
            by_id.iter().map(|(id, file)| (file.used.load(Ordering::Relaxed), *id)).collect();
        used.sort_unstable();
        for (_, id) in used {
            if self.n_bytes() <= self.most_bytes - self.most_bytes / 8 {
                break;
            }
            if let Some(file) = by_id.remove(&id) {
                self.uncount(&file);
            }
        }
    }

    /// Remembers the text of a file that had settled when it was read.
    pub(in crate::search) fn keep_text(&self, file: &FileMemory, text: &Arc<Text>) {
        if file.text.set(Arc::clone(text)).is_ok() {
            self.count(file, text.n_bytes());
        }
    }

    /// The chunk of a file on these lines.
    pub(in crate::search) fn chunk(
        &self,
        file: &FileMemory,
        lines: (u32, u32),
    ) -> Arc<ChunkMemory> {
        let mut chunks = lock(&file.chunks);
        let at = match chunks.binary_search_by_key(&lines, |(lines, _)| *lines) {
            Ok(at) => return Arc::clone(&chunks[at].1),
            Err(at) => at,
        };
        let (read, names) = (OnceLock::new(), OnceLock::new());
        let chunk = Arc::new(ChunkMemory { read, names });
        chunks.insert(at, (lines, Arc::clone(&chunk)));
        drop(chunks);
        self.count(file, CHUNK_BYTES);
        chunk
    }

    /// Remembers what was read of a chunk whose file had settled.
    pub(in crate::search) fn keep_read(
        &self,
        file: &FileMemory,
        chunk: &ChunkMemory,
        read: &Arc<Read>,
    ) {
        if chunk.read.set(Arc::clone(read)).is_ok() {
            self.count(file, 4 * (read.words.len() + read.ends.len()));
        }
    }

    /// Works something out, unless it is known; what it takes is counted with the file where it hangs on one.
    pub(in crate::search) fn once<'o, T>(
        &self,
        file: Option<&FileMemory>,
        slot: &'o OnceLock<T>,
        n_bytes: impl Fn(&T) -> usize,
        work_out: impl FnOnce() -> T,
    ) -> &'o T {
        if let Some(known) = slot.get() {
            return known;
        }
        let mut is_new = false;
        let known = slot.get_or_init(|| {
            is_new = true;
            work_out()
        });
        if let Some(file) = file.filter(|_| is_new) {
            self.count(file, n_bytes(known));
        }
        known
    }

    /// What is remembered of lines of a file for [`crate::search::copies`], which `work_out` works out.
    pub(in crate::search) fn sketch(
        &self,
        file: &FileMemory,
        lines: (u32, u32),
        work_out: impl FnOnce() -> Sketch,
    ) -> Sketch {
        if let Some(known) = lock(&file.sketches).get(&lines) {
            return known.clone();
        }
        let sketch = work_out();
        let n_bytes = 64 + sketch.as_ref().map_or(0, |sketch| 8 * sketch.len());
        if lock(&file.sketches).insert(lines, sketch.clone()).is_none() {
            self.count(file, n_bytes);
        }
        sketch
    }
}

impl OfFile {
    /// Memory in use.
    pub(in crate::search) fn n_bytes(&self) -> usize {
        4 * (self.stem.len() + self.dirs.len()) + self.lower.len() + self.folded.len()
    }
}

impl SymbolNames {
    /// Memory in use, without what is said around it.
    pub(in crate::search) fn n_bytes(&self) -> usize {
        size_of::<SymbolNames>() + self.folded.len() + 4 * self.words.len()
    }
}

impl AroundName {
    /// Memory in use.
    pub(in crate::search) fn n_bytes(&self) -> usize {
        4 * (self.parent.len() + self.doc.as_ref().map_or(0, |doc| doc.len()))
    }
}

impl FileMemory {
    fn new(path: &str, hash: ContentHash, used: u64) -> FileMemory {
        FileMemory {
            path: path.into(),
            hash,
            used: AtomicU64::new(used),
            counted: Mutex::default(),
            text: OnceLock::new(),
            chunks: Mutex::default(),
            sketches: Mutex::default(),
            about: OnceLock::new(),
        }
    }

    /// Its text, where it is remembered.
    pub(in crate::search) fn text(&self) -> Option<&Arc<Text>> {
        self.text.get()
    }
}

impl ChunkMemory {
    /// What was read of it in runs of so many lines, where that is remembered.
    pub(in crate::search) fn read(&self, window_lines: usize) -> Option<&Arc<Read>> {
        self.read.get().filter(|read| read.window_lines == window_lines)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

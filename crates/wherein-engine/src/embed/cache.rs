//! Finished embeddings, kept for every index and working tree of this user.
//!
//! Keyed by the model's identity, the role and the text, so that a chunk is embedded once, wherever it stands.
//! One SQLite file: each batch is a transaction, so that a killed process loses the batch it was in and no more, and
//! several processes may write. A damaged file is begun anew, a damaged row is no row: the cache only saves work.
//! Beside the vectors it is noted which chunks of which folder have them, for those that are embedded when a question
//! first touches them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OptionalExtension};

use super::{ModelIdentity, Role};
use crate::error::{Error, ErrorKind, Result};

/// How long one process waits for another's transaction.
const PATIENCE: Duration = Duration::from_secs(20);
const CHECKSUM_BYTES: usize = 4;

/// The first 16 bytes of the blake3 hash of identity, role and text.
pub(crate) type Key = [u8; 16];

/// The key of a text for one model.
pub(crate) fn key(model: &ModelIdentity, role: Role, text: &str) -> Key {
    let role = match role {
        Role::Question => 0,
        Role::Passage => 1,
    };
    let mut hasher = hasher_of(model);
    hasher.update(&[u8::from(model.normalised), role]);
    hasher.update(text.as_bytes());
    short(&hasher)
}

/// The key of a folder for one model: what is noted under it is of both.
pub(crate) fn folder_key(model: &ModelIdentity, root: &Path) -> Key {
    let mut hasher = hasher_of(model);
    // No role has this number.
    hasher.update(&[u8::from(model.normalised), 2]);
    hasher.update(root.as_os_str().as_encoded_bytes());
    short(&hasher)
}

fn short(hasher: &blake3::Hasher) -> Key {
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

/// A hasher that has read all of a model but its name and its normalisation.
fn hasher_of(model: &ModelIdentity) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    let ModelIdentity {
        name: _, // What people call it does not change a vector.
        weights_hash,
        tokenizer_hash,
        pooling,
        question_prefix,
        passage_prefix,
        max_tokens,
        dimensions,
        normalised: _,
    } = model;
    for part in [weights_hash, tokenizer_hash, pooling, question_prefix, passage_prefix] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(&max_tokens.to_le_bytes());
    hasher.update(&dimensions.to_le_bytes());
    hasher
}

/// The cache of one index base.
#[derive(Debug)]
pub(crate) struct VectorCache {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl VectorCache {
    /// Opens the cache at `path`, which is made where it is missing.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] when the file cannot be made or read.
    pub(crate) fn open(path: &Path) -> Result<VectorCache> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| Error::io("create", folder, &e))?;
        }
        let connection = match connect(path) {
            Err(error) if is_damage(&error) || is_other_table(&error) => {
                remove(path);
                connect(path)
            }
            connected => connected,
        };
        let connection = Mutex::new(connection.map_err(|e| trouble(path, &e))?);
        Ok(VectorCache { connection, path: path.to_owned() })
    }

    /// The vectors of these keys, where they are known whole.
    pub(crate) fn get(&self, keys: &[Key], dimensions: usize) -> Result<Vec<Option<Vec<f32>>>> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || -> rusqlite::Result<Vec<Option<Vec<f32>>>> {
            let mut statement = connection.prepare("SELECT vector FROM vectors WHERE key = ?1")?;
            let mut one = |key: &Key| {
                let blob = statement.query_row([&key[..]], |row| row.get::<_, Vec<u8>>(0));
                Ok(blob.optional()?.and_then(|blob: Vec<u8>| decode(&blob, dimensions)))
            };
            keys.iter().map(&mut one).collect()
        };
        match read() {
            // What cannot be read is embedded again.
            Err(error) if is_damage(&error) => Ok(vec![None; keys.len()]),
            read => read.map_err(|e| trouble(&self.path, &e)),
        }
    }

    /// Keeps vectors: all of them or, on an error, none.
    pub(crate) fn put(&self, batch: &[(Key, &[f32])]) -> Result<()> {
        self.write(&|transaction| {
            let mut statement =
                transaction.prepare("INSERT OR REPLACE INTO vectors VALUES (?1, ?2)")?;
            batch.iter().try_for_each(|(key, vector)| {
                statement.execute((&key[..], encode(vector))).map(drop)
            })
        })
    }

    /// Notes that the chunks of `folder` that begin on these lines of these files have vectors.
    pub(crate) fn note(&self, folder: &Key, chunks: &[(Key, u32)]) -> Result<()> {
        self.write(&|transaction| {
            let mut statement =
                transaction.prepare("INSERT OR IGNORE INTO touched VALUES (?1, ?2, ?3)")?;
            chunks.iter().try_for_each(|(file, line)| {
                statement.execute((&folder[..], &file[..], line)).map(drop)
            })
        })
    }

    /// Those of these chunks that were not noted.
    pub(crate) fn unnoted(&self, folder: &Key, chunks: &[(Key, u32)]) -> Result<Vec<(Key, u32)>> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || -> rusqlite::Result<Vec<(Key, u32)>> {
            let mut statement = connection
                .prepare("SELECT 1 FROM touched WHERE folder = ?1 AND file = ?2 AND line = ?3")?;
            let mut fresh = Vec::new();
            for (file, line) in chunks {
                if !statement.exists((&folder[..], &file[..], line))? {
                    fresh.push((*file, *line));
                }
            }
            Ok(fresh)
        };
        match read() {
            Err(error) if is_damage(&error) => Ok(chunks.to_vec()),
            read => read.map_err(|e| trouble(&self.path, &e)),
        }
    }

    /// How many chunks of each file of `folder` were noted.
    pub(crate) fn noted(&self, folder: &Key) -> Result<HashMap<Key, u64>> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || -> rusqlite::Result<HashMap<Key, u64>> {
            let mut statement = connection
                .prepare("SELECT file, COUNT(*) FROM touched WHERE folder = ?1 GROUP BY file")?;
            let rows = statement.query_map([&folder[..]], |row| {
                Ok((row.get(0)?, u64::from(row.get::<_, u32>(1)?)))
            })?;
            rows.collect()
        };
        match read() {
            Err(error) if is_damage(&error) => Ok(HashMap::new()),
            read => read.map_err(|e| trouble(&self.path, &e)),
        }
    }

    /// Writes in one transaction; a damaged file is begun anew for it.
    fn write(&self, statements: Statements<'_>) -> Result<()> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let written = match transact(&mut connection, statements) {
            Err(error) if is_damage(&error) => renew(&self.path).and_then(|renewed| {
                *connection = renewed;
                transact(&mut connection, statements)
            }),
            written => written,
        };
        written.map_err(|e| trouble(&self.path, &e))
    }
}

/// What is done in one transaction.
type Statements<'a> = &'a dyn Fn(&rusqlite::Transaction<'_>) -> rusqlite::Result<()>;

fn transact(connection: &mut Connection, statements: Statements<'_>) -> rusqlite::Result<()> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    statements(&transaction)?;
    transaction.commit()
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "page_size", 16384)?;
    // Readers go on while one writes; on file systems without shared memory SQLite keeps its other journal.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY NOT NULL, vector BLOB NOT NULL);
         CREATE TABLE IF NOT EXISTS touched (folder BLOB NOT NULL, file BLOB NOT NULL, \
         line INTEGER NOT NULL, PRIMARY KEY (folder, file, line)) WITHOUT ROWID",
    )?;
    // A table of that name with other columns is nobody's cache.
    connection.prepare("SELECT key, vector FROM vectors LIMIT 0")?;
    connection.prepare("SELECT folder, file, line FROM touched LIMIT 0")?;
    Ok(connection)
}

fn renew(path: &Path) -> rusqlite::Result<Connection> {
    remove(path);
    connect(path)
}

fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        let _ = std::fs::remove_file(name);
    }
}

fn encode(vector: &[f32]) -> Vec<u8> {
    let mut bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// `None` where the bytes are not those of such a vector.
fn decode(bytes: &[u8], dimensions: usize) -> Option<Vec<f32>> {
    let (body, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
    let is_whole =
        body.len() == dimensions * 4 && crc32fast::hash(body) == u32::from_le_bytes(*checksum);
    let floats = body.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four));
    is_whole.then(|| floats.collect())
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// The code of a statement that does not fit the tables.
fn is_other_table(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::Unknown)
}

fn trouble(path: &Path, error: &rusqlite::Error) -> Error {
    let message = format!("cannot use the cache of vectors {}: {error}", path.display());
    let hint = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "free some space, or move the index with --index-dir DIR",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another process is writing it; try again"
        }
        _ => "see that its folder can be written to, or name another with --index-dir DIR",
    };
    Error::new(ErrorKind::Io, message).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> ModelIdentity {
        ModelIdentity {
            name: "m".into(),
            weights_hash: "w".into(),
            tokenizer_hash: "t".into(),
            pooling: "mean".into(),
            question_prefix: "q: ".into(),
            passage_prefix: String::new(),
            max_tokens: 256,
            dimensions: 3,
            normalised: true,
        }
    }

    fn cache(folder: &tempfile::TempDir) -> VectorCache {
        VectorCache::open(&folder.path().join("deep/vectors.sqlite")).unwrap()
    }

    #[test]
    fn what_is_put_is_got() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = ([1; 16], [2; 16]);
        cache(&folder).put(&[(a, &[0.6, 0.8, -0.0])]).unwrap();
        let found = cache(&folder).get(&[b, a], 3).unwrap();
        assert_eq!(found, [None, Some(vec![0.6, 0.8, -0.0])]);
        assert_eq!(cache(&folder).get(&[a], 4).unwrap(), [None], "another length is no vector");
    }

    #[test]
    fn everything_but_the_name_is_in_the_key() {
        let key_of = |model: &ModelIdentity| key(model, Role::Passage, "text");
        let plain = key_of(&identity());
        assert_eq!(plain, key_of(&ModelIdentity { name: "other".into(), ..identity() }));
        let others = [
            ModelIdentity { weights_hash: "x".into(), ..identity() },
            ModelIdentity { tokenizer_hash: "x".into(), ..identity() },
            ModelIdentity { pooling: "cls".into(), ..identity() },
            ModelIdentity { question_prefix: String::new(), ..identity() },
            ModelIdentity {
                passage_prefix: "q: ".into(),
                question_prefix: String::new(),
                ..identity()
            },
            ModelIdentity { max_tokens: 512, ..identity() },
            ModelIdentity { dimensions: 4, ..identity() },
            ModelIdentity { normalised: false, ..identity() },
        ];
        let mut keys: Vec<Key> = others.iter().map(key_of).collect();
        keys.push(key(&identity(), Role::Question, "text"));
        keys.push(key(&identity(), Role::Passage, "text "));
        keys.push(plain);
        let n_keys = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), n_keys);
    }

    #[test]
    fn a_damaged_file_is_begun_anew_and_a_damaged_row_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/vectors.sqlite");
        let first = cache(&folder);
        first.put(&[([1; 16], &[1.0, 0.0, 0.0])]).unwrap();
        let bad = "UPDATE vectors SET vector = zeroblob(16)";
        first.connection.lock().unwrap().execute(bad, []).unwrap();
        assert_eq!(first.get(&[[1; 16]], 3).unwrap(), [None]);
        drop(first);
        std::fs::write(&path, b"no database at all, but long enough to look at twice").unwrap();
        let renewed = cache(&folder);
        assert_eq!(renewed.get(&[[1; 16]], 3).unwrap(), [None]);
        renewed.put(&[([1; 16], &[0.0, 1.0, 0.0])]).unwrap();
        assert_eq!(renewed.get(&[[1; 16]], 3).unwrap(), [Some(vec![0.0, 1.0, 0.0])]);
    }

    #[test]
    fn chunks_are_noted_once_for_each_folder_and_model() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(&folder);
        let keys =
            [(identity(), "/a"), (identity(), "/b")].map(|(m, at)| folder_key(&m, at.as_ref()));
        let other = ModelIdentity { max_tokens: 512, ..identity() };
        assert_ne!(folder_key(&other, "/a".as_ref()), keys[0]);
        cache.note(&keys[0], &[([1; 16], 1), ([1; 16], 40), ([2; 16], 1)]).unwrap();
        cache.note(&keys[0], &[([1; 16], 40)]).unwrap();
        assert_eq!(cache.noted(&keys[0]).unwrap(), [([1; 16], 2), ([2; 16], 1)].into());
        let asked = [([2; 16], 1), ([2; 16], 2)];
        assert_eq!(cache.unnoted(&keys[0], &asked).unwrap(), [([2; 16], 2)]);
        assert!(cache.noted(&keys[1]).unwrap().is_empty());
    }

    #[test]
    fn several_write_at_once() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4_u8 {
                let own = cache(&folder);
                scope.spawn(move || {
                    for i in 0..20_u8 {
                        own.put(&[([writer * 20 + i; 16], &[f32::from(i), 0.0, 0.0])]).unwrap();
                    }
                });
            }
        });
        let keys: Vec<Key> = (0..80).map(|i| [i; 16]).collect();
        assert!(cache(&folder).get(&keys, 3).unwrap().iter().all(Option::is_some));
    }
}

//! Records hold what segments hold, and nothing in one can make reading panic.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::store::{
    Alike, Catalogue, Generation, IndexDir, RecordKey, Segment, SegmentBuilder, each_record,
    record_without_chunks,
};
use crate::{Engine, EngineOptions};

/// A tree with its index.
struct Indexed {
    folder: TempDir,
    generation: Generation,
}

impl Indexed {
    fn new(files: &[(String, String)]) -> Indexed {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("tree");
        std::fs::create_dir(&root).unwrap();
        for (path, text) in files {
            std::fs::write(root.join(path), text).unwrap();
        }
        let engine = Engine::open(EngineOptions::new(&root, folder.path().join("index"))).unwrap();
        engine.refresh(&|_| ()).unwrap();
        // Some of a segment is dead: a file that changed, and one that is gone.
        if let [(first, text), (second, _), ..] = files {
            std::fs::write(root.join(first), format!("{text}\nfn added_later() {{}}\n")).unwrap();
            std::fs::remove_file(root.join(second)).unwrap();
            engine.refresh(&|_| ()).unwrap();
        }
        let base = Engine::resolve_base(&folder.path().join("index"));
        let dir = IndexDir::of(&base, &root.canonicalize().unwrap());
        let generation = Generation::open(&dir).unwrap().unwrap();
        Indexed { folder, generation }
    }

    /// The record of each file, packed, by its place in the file table.
    fn records(&self) -> BTreeMap<usize, Vec<u8>> {
        let mut records = BTreeMap::new();
        for position in 0..self.generation.segments.len() {
            each_record(&self.generation, position, &mut |file_idx, record_of| {
                let (about, text) = self.about(file_idx);
                records.insert(file_idx, record_of(about, &text)?);
                Ok(())
            })
            .unwrap();
        }
        records
    }

    fn about(&self, file_idx: usize) -> (About, String) {
        let (entry, indexed) = self.generation.source_file(file_idx).unwrap();
        let path = entry.path.text.clone();
        let text = std::fs::read_to_string(self.folder.path().join("tree").join(&path)).unwrap();
        let seen = (entry.hash, entry.fingerprint.n_bytes);
        (About::of(&path, seen, self.generation.language(indexed), indexed), text)
    }
}

/// Where each term of a field stands: file, which of its chunks, how often, and the places.
type Postings = BTreeMap<(&'static str, String), Vec<(usize, u32, u32, Vec<u32>)>>;

fn postings_of(segment: &Segment, place: impl Fn(u32) -> Option<(usize, u32)>) -> Postings {
    let mut all = Postings::new();
    for field in TextField::ALL {
        segment
            .each_term(field, &Match::BeginsWith(""), &mut |text, postings| {
                let mut found = Vec::new();
                postings.each(&mut |doc, freq, positions| {
                    let placed = place(doc);
                    found.extend(placed.map(|(file, own)| (file, own, freq, positions.to_vec())));
                    true
                })?;
                if !found.is_empty() {
                    all.insert((field.name(), text.to_owned()), found);
                }
                Ok(true)
            })
            .unwrap();
    }
    all
}

fn together(parts: impl Iterator<Item = Postings>) -> Postings {
    let mut all = Postings::new();
    for (term, found) in parts.flatten() {
        all.entry(term).or_default().extend(found);
    }
    all.values_mut().for_each(|found| found.sort());
    all
}

/// Of every live chunk of a generation.
fn local(generation: &Generation) -> Postings {
    let parts = generation.segments.iter().enumerate().map(|(position, segment)| {
        postings_of(segment, |doc| {
            let file_idx = generation.file_idx(segment.file_id(doc))?;
            let (_, docs) = generation.docs_of(file_idx).unwrap()?;
            generation.live(position).has(doc).then(|| (file_idx, doc - docs.start))
        })
    });
    together(parts)
}

fn opened(records: &BTreeMap<usize, Vec<u8>>) -> Vec<(usize, Arc<FileRecord>)> {
    let open = |(idx, bytes): (&usize, &Vec<u8>)| (*idx, FileRecord::decode(bytes).unwrap());
    records.iter().map(open).map(|(idx, record)| (idx, Arc::new(record))).collect()
}

/// One segment of all records, as the way back makes it.
fn restored(records: &[(usize, Arc<FileRecord>)], folder: &TempDir) -> Option<Segment> {
    let dir = IndexDir::of(folder.path(), "/some/root".as_ref());
    dir.create().unwrap();
    let mut builder = SegmentBuilder::new().unwrap();
    for (file_idx, record) in records {
        let table = record.symbols(7);
        let symbols = table.symbols_of(&table.file(7).unwrap().unwrap()).unwrap();
        builder.begin_file(*file_idx as u32, symbols.iter()).unwrap();
        for chunk in record.chunk_records().unwrap() {
            builder.add(&chunk).unwrap();
        }
    }
    let entry = (!builder.is_empty()).then(|| builder.finish(&dir, 3).unwrap())?;
    Some(Segment::open(&dir, &entry).unwrap())
}

fn check(files: &[(String, String)]) {
    let indexed = Indexed::new(files);
    let generation = &indexed.generation;
    let wanted = local(generation);
    let records = opened(&indexed.records());
    let segments: Vec<Segment> = records
        .iter()
        .map(|(idx, record)| Segment::of_record(Arc::clone(record), *idx as u32))
        .collect();
    let own = |segment: &Segment| postings_of(segment, |doc| Some((segment.id as usize, doc)));
    assert_eq!(together(segments.iter().map(own)), wanted, "records");
    for (file_idx, record) in &records {
        same_chunks(generation, *file_idx, record);
        every_term_is_found(record);
    }
    let Some(restored) = restored(&records, &indexed.folder) else { return };
    let place = |doc: u32| {
        let file = restored.file_id(doc);
        let first = (0..=doc).find(|first| restored.file_id(*first) == file)?;
        Some((file as usize, doc - first))
    };
    assert_eq!(together(std::iter::once(postings_of(&restored, place))), wanted, "restored");
}

/// Lines, lengths, texts and symbols of a file's chunks.
fn same_chunks(generation: &Generation, file_idx: usize, record: &FileRecord) {
    let (position, docs) = generation.docs_of(file_idx).unwrap().unwrap();
    let segment = &generation.segments[position];
    assert_eq!(record.n_chunks() as usize, docs.len());
    let spans: Vec<&str> = record.spans().collect();
    for (own, doc) in (0..record.n_chunks()).zip(docs) {
        let (first, last) = segment.lines(doc);
        assert_eq!(record.lines(own), (first, last));
        assert_eq!(spans[own as usize], record.span(first, last));
        for field in WITH_LENGTHS {
            let code = segment.lengths(field).unwrap().code(doc);
            assert_eq!(record.lengths(field)[own as usize], code, "{field:?}");
        }
    }
    let (table, file) = generation.symbols_of(file_idx).unwrap().unwrap();
    let own = record.symbols(9);
    let own = own.symbols_of(&own.file(9).unwrap().unwrap()).unwrap();
    assert_eq!(own, table.symbols_of(&file).unwrap());
}

fn every_term_is_found(record: &FileRecord) {
    for field in TextField::ALL {
        for (text, entry) in record.terms(field, &Match::BeginsWith("")) {
            let found = record.term(field, text).expect("a term that is there");
            assert_eq!(found.n_docs(), entry.n_docs());
            assert_eq!(record.terms(field, &Match::Whole(text)).len(), 1);
        }
        assert!(record.term(field, "no such term").is_none());
    }
}

/// Files of a few kinds made of words that repeat.
fn any_files() -> impl Strategy<Value = Vec<(String, String)>> {
    let word = prop_oneof![
        3 => "[a-d]{1,4}",
        2 => "(get|put|parse)(Price|_cart|HTTPServer)[0-9]?",
        1 => "[äßпб買 ]{1,4}",
    ];
    let line = proptest::collection::vec(word, 0..9).prop_map(|words| words.join(" "));
    let lines = proptest::collection::vec(line, 0..60);
    let text = (lines, 0..4_u8, any::<bool>()).prop_map(|(lines, shape, is_crlf)| {
        let end = if is_crlf { "\r\n" } else { "\n" };
        let names = lines.iter().enumerate().map(|(at, line)| match (shape, at % 5) {
            (0, 0) => format!("/// {line}\nfn f{at}_{}() {{}}", at % 3),
            (1, 0) => format!("def f{at}_x():\n    \"\"\"{line}\"\"\"\n    return g{at}(1)"),
            _ => line.clone(),
        });
        names.collect::<Vec<_>>().join(end)
    });
    let names = ["a.rs", "b.py", "c.md", "dd.txt", "ee.rs"];
    proptest::collection::vec(text, 1..5)
        .prop_map(move |texts| names.map(str::to_owned).into_iter().zip(texts).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn records_and_what_is_restored_from_them_hold_what_segments_hold(files in any_files()) {
        check(&files);
    }
}

fn sample() -> Indexed {
    let body: String = (0..120)
        .map(|i| format!("    let price_{} = parse_price(total, {i}); // rounds {i}\n", i % 9))
        .collect();
    let code = format!("/// Sums prices.\npub fn sum_prices() {{\n{body}}}\n\nstruct Cart;\n");
    Indexed::new(&[("sum.rs".to_owned(), code)])
}

fn sample_record() -> Vec<u8> {
    sample().records().remove(&0).unwrap()
}

/// Calls everything that reads; what comes back is not looked at, but for how large it is.
fn exercise(record: &FileRecord, words: &[&str]) {
    let alike = Alike::new("parse_pric");
    let wishes = [
        Match::BeginsWith(""),
        Match::BeginsWith("p"),
        Match::Whole("price"),
        Match::Alike(&alike),
    ];
    for field in TextField::ALL {
        for wanted in &wishes {
            for (_, entry) in record.terms(field, wanted) {
                entry.n_docs();
                entry.each(&mut |doc, _, _| doc < 3);
            }
        }
        words.iter().filter_map(|word| record.term(field, word)).for_each(|term| {
            term.each(&mut |_, _, positions| positions.len() < 1000);
        });
        assert!(record.lengths(field).len() <= record.n_chunks() as usize);
    }
    let spans: Vec<&str> = record.spans().collect();
    for (doc, span) in (0..record.n_chunks()).zip(spans) {
        let (first, last) = record.lines(doc);
        assert_eq!(record.span(first, last), span);
    }
    for (first, last) in [(0, 0), (1, u32::MAX), (u32::MAX, 1), (5, 2)] {
        record.span(first, last);
    }
    record.lines(u32::MAX / 4);
    let table = record.symbols(0);
    if let Ok(Some(file)) = table.file(0) {
        let _ = (table.symbols_of(&file), table.held_by(&file, (3, 9)), table.files());
        let _ = table.named_in(&file, 0..=u32::MAX);
    }
    if let Ok(chunks) = record.chunk_records() {
        let n_bytes: usize = chunks.into_iter().map(written).sum();
        assert!(n_bytes <= (1 << 20) + 32 * record.bytes.len(), "{n_bytes} bytes were made");
    }
}

fn written(mut chunk: crate::store::Record) -> usize {
    TextField::ALL.into_iter().map(|field| chunk.field_mut(field).len()).sum()
}

/// A change of bytes.
#[derive(Debug, Clone)]
enum Change {
    Byte(prop::sample::Index, u8),
    Number(prop::sample::Index, u32),
    Cut(prop::sample::Index),
    Grow(Vec<u8>),
    Copy(prop::sample::Index, prop::sample::Index, u8),
}

fn any_change() -> impl Strategy<Value = Change> {
    let at = any::<prop::sample::Index>;
    let number = prop_oneof![Just(u32::MAX), Just(0), Just(u32::MAX / 4), any::<u32>(), 0..300_u32];
    prop_oneof![
        4 => (at(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        4 => (at(), number).prop_map(|(at, number)| Change::Number(at, number)),
        1 => at().prop_map(Change::Cut),
        1 => proptest::collection::vec(any::<u8>(), 1..20).prop_map(Change::Grow),
        2 => (at(), at(), 1..40_u8).prop_map(|(from, to, n)| Change::Copy(from, to, n)),
    ]
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        match change {
            Change::Byte(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Change::Number(at, number) => {
                let at = at.index(bytes.len());
                let end = (at + 4).min(bytes.len());
                bytes[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
            }
            Change::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Change::Grow(more) => bytes.extend(more),
            Change::Copy(from, to, n) => {
                let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
                let n = usize::from(*n).min(bytes.len() - from).min(bytes.len() - to);
                bytes.copy_within(from..from + n, to);
            }
        }
    }
    bytes
}

/// Unpacked sections, packed as they are.
fn repacked(bytes: &[u8]) -> Vec<u8> {
    let mut packed = vec![RECORD_FORMAT];
    packed.extend(lz4_flex::compress_prepend_size(bytes));
    packed
}

const WORDS: [&str; 6] = ["price", "parse", "parse_price", "total", "rounds", "Cart"];

#[test]
fn damaged_records_are_refused_or_read_without_a_panic() {
    let whole = sample_record();
    let plain = sections::unpack(&whole, MAX_BYTES).unwrap();
    let changes = proptest::collection::vec(any_change(), 1..4);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let n_read = std::sync::atomic::AtomicUsize::new(0);
    runner
        .run(&(changes, any::<bool>()), |(changes, is_packed)| {
            let bytes = match is_packed {
                true => changed(whole.clone(), &changes),
                false => repacked(&changed(plain.clone(), &changes)),
            };
            if let Ok(record) = FileRecord::decode(&bytes) {
                n_read.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                exercise(&record, &WORDS);
            }
            Ok(())
        })
        .unwrap();
    assert!(n_read.into_inner() > 100, "changes that are not noticed are tried, too");
}

#[test]
fn every_truncation_is_refused() {
    let whole = sample_record();
    exercise(&FileRecord::decode(&whole).unwrap(), &WORDS);
    for end in 0..whole.len() {
        assert!(FileRecord::decode(&whole[..end]).is_err(), "{end} of {}", whole.len());
    }
}

/// A record that says of a single term whatever it likes.
fn made_up(term: &str, mask: u8, list: &[u8], n_chunks: u32) -> Vec<u8> {
    let about = postcard::to_stdvec(&sample().about(0).0).unwrap();
    let chunks: Vec<u8> = (0..2 * n_chunks).flat_map(|_| 1_u32.to_le_bytes()).collect();
    let lengths = vec![1; n_chunks as usize];
    let mut entries = Vec::new();
    postings::put_varint(&mut entries, term.len() as u32);
    entries.extend_from_slice(term.as_bytes());
    entries.push(mask);
    postings::put_varint(&mut entries, list.len() as u32);
    entries.extend_from_slice(list);
    let hashes = postings::hash(term).to_le_bytes();
    let offsets = 0_u32.to_le_bytes();
    let parts: [&[u8]; sections::N_SECTIONS] = [
        &about, b"a\n", &chunks, &lengths, &lengths, &lengths, &hashes, &offsets, &entries, b"",
        b"",
    ];
    sections::pack(parts).unwrap()
}

#[test]
fn a_count_that_no_file_can_have_is_refused() {
    let term = "t".repeat(5000);
    for (field, freq) in [(TextField::Words, u32::MAX), (TextField::Words, 1 << 20)] {
        let mut list = Vec::new();
        postings::put_posting(&mut list, field, 0, (freq, &[]));
        let record = FileRecord::decode(&made_up(&term, 1 << field as u8, &list, 2)).unwrap();
        assert!(record.chunk_records().is_err());
        exercise(&record, &[&term]);
    }
    // Many places of a long name: each takes one byte here, and the whole name there.
    let places = vec![1; 100_000];
    let mut list = Vec::new();
    let sums: Vec<u32> = places
        .iter()
        .scan(0, |sum, n| {
            *sum += n;
            Some(*sum)
        })
        .collect();
    postings::put_posting(&mut list, TextField::Usages, 0, (0, &sums));
    let record =
        FileRecord::decode(&made_up(&term, 1 << TextField::Usages as u8, &list, 2)).unwrap();
    assert!(record.chunk_records().is_err());
    exercise(&record, &[&term]);
    // A claim to be large is refused before memory is asked for.
    let mut huge = vec![RECORD_FORMAT];
    huge.extend((u32::MAX - 1).to_le_bytes());
    huge.extend([0; 40]);
    assert!(FileRecord::decode(&huge).is_err());
}

#[test]
fn code_stays_far_below_what_is_refused() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search");
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name()?.to_str()?.to_owned();
        Some((name, std::fs::read_to_string(path).ok()?))
    };
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().filter_map(read).collect();
    for (_, record) in opened(&Indexed::new(&files).records()) {
        let chunks = record.chunk_records().unwrap();
        let n_bytes: usize = chunks.into_iter().map(written).sum();
        assert!(n_bytes < 2 * record.bytes.len(), "{n_bytes} of {}", record.about.path);
    }
}

#[test]
fn a_file_without_chunks_has_a_record_too() {
    let (about, _) = sample().about(0);
    let record = FileRecord::decode(&record_without_chunks(&about, "\n \n").unwrap()).unwrap();
    assert_eq!((record.n_chunks(), record.text()), (0, "\n \n"));
    assert!(record.chunk_records().unwrap().is_empty());
    exercise(&record, &WORDS);
}

#[test]
fn a_catalogue_comes_back_and_a_damaged_one_is_refused() {
    let indexed = sample();
    let generation = &indexed.generation;
    let keys: Vec<RecordKey> =
        (0..generation.manifest.files.len()).map(|at| at as u128 + 5).collect();
    let whole = Catalogue::encode(generation, "shop", &keys).unwrap();
    let catalogue = Catalogue::decode(&whole).unwrap();
    assert_eq!(catalogue.records, keys);
    assert_eq!(catalogue.manifest.root, "shop");
    assert_eq!((catalogue.n_chunks, catalogue.n_words), (generation.n_chunks, generation.n_words));
    let all = local(generation);
    for ((field, text), found) in &all {
        let field = TextField::ALL.into_iter().find(|known| known.name() == *field).unwrap();
        if field != TextField::Usages {
            assert_eq!(catalogue.statistics.freq(field, text), found.len() as u64, "{text}");
        }
    }
    for end in 0..whole.len() {
        assert!(Catalogue::decode(&whole[..end]).is_err(), "{end}");
    }
    let changes = proptest::collection::vec(any_change(), 1..4);
    proptest!(ProptestConfig::with_cases(800), |(changes in changes)| {
        let bytes = changed(whole.clone(), &changes);
        prop_assert!(bytes == whole || Catalogue::decode(&bytes).is_err());
    });
}

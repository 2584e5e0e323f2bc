//! Points as they are written, and read again. Nothing that is read is trusted.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use qdrant_client::Payload;
use qdrant_client::qdrant::point_id::PointIdOptions;
use qdrant_client::qdrant::value::Kind as ValueKind;
use qdrant_client::qdrant::vector_output::Vector as VectorOutput;
use qdrant_client::qdrant::with_payload_selector::SelectorOptions;
use qdrant_client::qdrant::with_vectors_selector::SelectorOptions as VectorsOptions;
use qdrant_client::qdrant::{
    NamedVectors, PayloadIncludeSelector, PointStruct, ScoredPoint, Value, Vector, VectorsOutput,
    VectorsSelector,
};
use serde_json::json;
use wherein_engine::{BlobPoint, ChunkPoint, FoundChunk, Point, PointId, SparseVector};

/// The names of vectors.
pub(crate) const DENSE: &str = "text-dense";
pub(crate) const SPARSE: &str = "text-sparse";

/// The keys of payloads.
pub(crate) const WHAT: &str = "what";
pub(crate) const REPOSITORY: &str = "repository";
pub(crate) const PATH: &str = "path";
pub(crate) const FOLDERS: &str = "folders";
pub(crate) const LANGUAGE: &str = "language";
pub(crate) const KIND: &str = "kind";
pub(crate) const SYMBOL_KINDS: &str = "symbol_kinds";
pub(crate) const NAMES: &str = "names";
pub(crate) const NAME_TOKENS: &str = "name_tokens";
pub(crate) const START: &str = "start_line";
pub(crate) const END: &str = "end_line";
pub(crate) const DIGEST: &str = "digest";
pub(crate) const BYTES: &str = "bytes";
pub(crate) const TEXT: &str = "text";

/// The values of [`WHAT`].
pub(crate) const CHUNK: &str = "chunk";
pub(crate) const BLOB: &str = "blob";
pub(crate) const HEAD: &str = "head";
pub(crate) const GUARD: &str = "guard";

/// What is read of a chunk that was found.
pub(crate) const FOUND: [&str; 4] = [REPOSITORY, PATH, START, END];

/// Asks for these keys and no others.
pub(crate) fn only(keys: &[&str]) -> SelectorOptions {
    let fields = keys.iter().map(|key| (*key).to_owned()).collect();
    SelectorOptions::Include(PayloadIncludeSelector { fields })
}

/// An id as the server writes it.
pub(crate) fn uuid(id: PointId) -> String {
    let hex = format!("{id:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// The id of a point that was read.
pub(crate) fn id_of(id: Option<&qdrant_client::qdrant::PointId>) -> Option<PointId> {
    match id?.point_id_options.as_ref()? {
        PointIdOptions::Uuid(text) => PointId::from_str_radix(&text.replace('-', ""), 16).ok(),
        PointIdOptions::Num(_) => None,
    }
}

/// A point as it is written.
pub(crate) fn written(point: Point) -> PointStruct {
    match point {
        Point::Chunk(chunk) => chunk_point(*chunk),
        Point::Blob(blob) => blob_point(&blob),
    }
}

fn chunk_point(chunk: ChunkPoint) -> PointStruct {
    let folders: Vec<&str> =
        chunk.path.match_indices('/').map(|(end, _)| &chunk.path[..end]).collect();
    let symbol_kinds: Vec<&str> = chunk.symbol_kinds.iter().map(|kind| kind.as_str()).collect();
    let payload = json!({
        WHAT: CHUNK,
        REPOSITORY: chunk.repository,
        PATH: chunk.path,
        FOLDERS: folders,
        START: chunk.start_line,
        END: chunk.end_line,
        LANGUAGE: chunk.language,
        KIND: chunk.kind.as_str(),
        SYMBOL_KINDS: symbol_kinds,
        NAMES: chunk.names,
        NAME_TOKENS: chunk.name_tokens,
        DIGEST: hex(chunk.digest),
    });
    let mut vectors = NamedVectors::default();
    if let Some(dense) = chunk.dense {
        vectors = vectors.add_vector(DENSE, dense);
    }
    if !chunk.sparse.is_empty() {
        let sparse = Vector::new_sparse(chunk.sparse.indices, chunk.sparse.values);
        vectors = vectors.add_vector(SPARSE, sparse);
    }
    PointStruct::new(uuid(chunk.id), vectors, payload_of(payload))
}

fn blob_point(blob: &BlobPoint) -> PointStruct {
    let payload = json!({
        WHAT: BLOB,
        REPOSITORY: blob.repository,
        PATH: blob.path,
        DIGEST: hex(blob.digest),
        BYTES: STANDARD.encode(&blob.bytes),
    });
    PointStruct::new(uuid(blob.id), NamedVectors::default(), payload_of(payload))
}

/// A point that says something of the collection or of a repository.
pub(crate) fn note(id: PointId, what: &str, repository: &str, text: &str) -> PointStruct {
    let payload = json!({ WHAT: what, REPOSITORY: repository, TEXT: text });
    PointStruct::new(uuid(id), NamedVectors::default(), payload_of(payload))
}

fn payload_of(value: serde_json::Value) -> Payload {
    Payload::try_from(value).unwrap_or_default()
}

// Numbers of 64 bits do not survive every reader of JSON.
fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}

/// A text of a payload.
pub(crate) fn text<'p>(payload: &'p HashMap<String, Value>, key: &str) -> Option<&'p str> {
    match payload.get(key)?.kind.as_ref()? {
        ValueKind::StringValue(text) => Some(text),
        _ => None,
    }
}

fn number(payload: &HashMap<String, Value>, key: &str) -> Option<u32> {
    match payload.get(key)?.kind.as_ref()? {
        ValueKind::IntegerValue(number) => u32::try_from(*number).ok(),
        _ => None,
    }
}

/// The digest of a point.
pub(crate) fn digest(payload: &HashMap<String, Value>) -> Option<u64> {
    u64::from_str_radix(text(payload, DIGEST)?, 16).ok()
}

/// The bytes of a blob.
pub(crate) fn bytes(payload: &HashMap<String, Value>) -> Option<Vec<u8>> {
    STANDARD.decode(text(payload, BYTES)?).ok()
}

/// A chunk that was found; `None` where its payload is not one of ours.
pub(crate) fn found(point: &ScoredPoint) -> Option<FoundChunk> {
    let ScoredPoint { payload, score, vectors, .. } = point;
    Some(FoundChunk {
        id: id_of(point.id.as_ref())?,
        repository: text(payload, REPOSITORY)?.to_owned(),
        path: text(payload, PATH)?.to_owned(),
        start_line: number(payload, START)?,
        end_line: number(payload, END)?,
        score: *score,
        sparse: vectors.as_ref().and_then(sparse_of),
    })
}

/// The sparse vector of a point that came with it.
pub(crate) fn sparse_of(vectors: &VectorsOutput) -> Option<SparseVector> {
    match vectors.get_vector_by_name(SPARSE)? {
        VectorOutput::Sparse(sparse) => {
            Some(SparseVector::from_pairs(sparse.indices.into_iter().zip(sparse.values).collect()))
        }
        _ => None,
    }
}

/// The dense vector of a point that came with it.
pub(crate) fn dense_of(vectors: &VectorsOutput) -> Option<Vec<f32>> {
    match vectors.get_vector_by_name(DENSE)? {
        VectorOutput::Dense(dense) => Some(dense.data),
        _ => None,
    }
}

/// Asks for one vector and no other.
pub(crate) fn only_vector(name: &str) -> VectorsOptions {
    VectorsOptions::Include(VectorsSelector { names: vec![name.to_owned()] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_survive_the_way_of_a_server() {
        for id in [0, 1, 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef, PointId::MAX] {
            let text = uuid(id);
            assert_eq!(text.len(), 36);
            assert_eq!(id_of(Some(&text.into())), Some(id));
        }
        assert_eq!(id_of(Some(&7_u64.into())), None);
    }
}

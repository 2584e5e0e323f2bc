//! What a collection is made of: two named vectors, the indexes of payloads, and the guard.
//!
//! Repositories are tenants: the server keeps what belongs to one together. The sparse vectors are weighed by how rare a term
//! is where the encoder leaves that to the server. Must not write a repository.

use qdrant_client::qdrant::{
    BinaryQuantizationBuilder, CollectionInfo, CreateCollection, CreateCollectionBuilder,
    CreateFieldIndexCollectionBuilder, Distance, FieldType, HnswConfigDiff, HnswConfigDiffBuilder,
    KeywordIndexParamsBuilder, Modifier, OptimizersConfigDiffBuilder, QuantizationType,
    ScalarQuantizationBuilder, SparseIndexConfigBuilder, SparseVectorParamsBuilder,
    SparseVectorsConfigBuilder, TextIndexParamsBuilder, TokenizerType, VectorParamsBuilder,
    VectorsConfigBuilder, vectors_config,
};
use wherein_engine::Guard;

use crate::options::{Layout, QdrantOptions, Quantization};
use crate::payload::{
    DENSE, FOLDERS, KIND, LANGUAGE, NAME_TOKENS, NAMES, PATH, REPOSITORY, SPARSE, SYMBOL_KINDS,
    WHAT,
};

/// Links of a point in the index of neighbours: the server's own choice.
const LINKS: u64 = 16;
/// Kilobytes of vectors from which a server closes a segment: the server's own choice. An open one takes a time for each term
/// of a point that grows with how many points of the segment have it.
const INDEXING_THRESHOLD: u64 = 10_000;
/// Letters of the shortest and the longest beginning of a name that is indexed.
const PREFIX: (u64, u64) = (1, 20);

/// The collection that `guard` asks for.
pub(crate) fn collection(options: &QdrantOptions, guard: &Guard) -> CreateCollection {
    let Layout { shards, replicas, write_consistency, .. } = options.layout;
    let mut sparse = SparseVectorsConfigBuilder::default();
    let index = SparseIndexConfigBuilder::default().on_disk(options.layout.sparse_on_disk);
    let mut params = SparseVectorParamsBuilder::default().index(index);
    if guard.needs_idf() {
        params = params.modifier(Modifier::Idf);
    }
    sparse.add_named_vector_params(SPARSE, params);
    let mut builder = CreateCollectionBuilder::new(&options.collection)
        .sparse_vectors_config(sparse)
        .on_disk_payload(true)
        .optimizers_config(
            OptimizersConfigDiffBuilder::default().indexing_threshold(INDEXING_THRESHOLD),
        )
        .hnsw_config(neighbours(false));
    if let Some(model) = &guard.model {
        let mut dense = VectorsConfigBuilder::default();
        dense.add_named_vector_params(DENSE, vectors(options.layout, model.dimensions.into()));
        builder = builder.vectors_config(dense);
    }
    if let Some(shards) = shards {
        builder = builder.shard_number(shards);
    }
    if let Some(replicas) = replicas {
        builder = builder.replication_factor(replicas);
    }
    if let Some(copies) = write_consistency {
        builder = builder.write_consistency_factor(copies);
    }
    builder.build()
}

/// Whether the server makes its index of neighbours: it would make it again and again while the first repository is written,
/// so it begins with the first commit.
pub(crate) fn neighbours(is_made: bool) -> HnswConfigDiff {
    HnswConfigDiffBuilder::default().m(if is_made { LINKS } else { 0 }).build()
}

/// Whether a collection still waits for that.
pub(crate) fn lacks_neighbours(info: CollectionInfo) -> bool {
    let neighbours = info.config.and_then(|config| config.hnsw_config);
    neighbours.is_some_and(|neighbours| neighbours.m == Some(0))
}

/// Vectors come with length one, so the cosine is what a local index computes.
fn vectors(layout: Layout, dimensions: u64) -> VectorParamsBuilder {
    let params =
        VectorParamsBuilder::new(dimensions, Distance::Cosine).on_disk(layout.dense_on_disk);
    match layout.quantization {
        Quantization::None => params,
        Quantization::Scalar => params.quantization_config(
            ScalarQuantizationBuilder::default()
                .r#type(QuantizationType::Int8.into())
                .always_ram(true),
        ),
        Quantization::Binary => params.quantization_config(BinaryQuantizationBuilder::new(true)),
    }
}

/// The indexes of payloads, to be made once the first repository is written: each would slow down every write.
pub(crate) fn indexes(options: &QdrantOptions) -> Vec<CreateFieldIndexCollectionBuilder> {
    let index = |field: &str, kind: FieldType| {
        CreateFieldIndexCollectionBuilder::new(&options.collection, field, kind).wait(true)
    };
    let on_disk = options.layout.payload_index_on_disk;
    let params = || KeywordIndexParamsBuilder::default().on_disk(on_disk);
    let keyword = |field: &str| index(field, FieldType::Keyword).field_index_params(params());
    let tenant = params().is_tenant(true);
    let prefixes = TextIndexParamsBuilder::new(TokenizerType::Prefix)
        .on_disk(on_disk)
        .lowercase(true)
        .min_token_len(PREFIX.0)
        .max_token_len(PREFIX.1);
    let mut all = vec![keyword(REPOSITORY).field_index_params(tenant)];
    all.extend([WHAT, PATH, FOLDERS, LANGUAGE, KIND, SYMBOL_KINDS, NAMES].map(keyword));
    all.push(index(NAME_TOKENS, FieldType::Text).field_index_params(prefixes));
    all
}

/// What vectors a collection has: whether there are sparse ones of our name, and the size of the dense ones.
pub(crate) fn vectors_of(info: CollectionInfo) -> (bool, Option<u64>) {
    let params = info.config.and_then(|config| config.params).unwrap_or_default();
    let sparse = params.sparse_vectors_config.unwrap_or_default();
    let dense = match params.vectors_config.and_then(|config| config.config) {
        Some(vectors_config::Config::ParamsMap(named)) => {
            named.map.get(DENSE).map(|params| params.size)
        }
        _ => None,
    };
    (sparse.map.contains_key(SPARSE), dense)
}

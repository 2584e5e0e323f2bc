//! The features of a proposed chunk: numbers that the ranking weighs.
//!
//! One list says name, group and meaning of each; `compute` fills them. docs/ranking.md shows the same list with the
//! weights. Must not judge: that is the weights' work.

mod compute;
mod masses;
mod named;
mod place;

pub(super) use compute::{Facts, compute};
pub(super) use place::{Place, stem};

/// What a feature looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FeatureGroup {
    /// The question's words in the chunk.
    Words,
    /// The built-in model.
    Meaning,
    /// The whole file.
    File,
    /// Names: of the file, its folders, its symbols.
    Names,
    /// What role the file plays.
    Kind,
    /// What the chunk is.
    Shape,
}

impl FeatureGroup {
    /// Every group.
    pub const ALL: [FeatureGroup; 6] = [
        FeatureGroup::Words,
        FeatureGroup::Meaning,
        FeatureGroup::File,
        FeatureGroup::Names,
        FeatureGroup::Kind,
        FeatureGroup::Shape,
    ];

    /// The name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            FeatureGroup::Words => "words",
            FeatureGroup::Meaning => "meaning",
            FeatureGroup::File => "file",
            FeatureGroup::Names => "names",
            FeatureGroup::Kind => "kind",
            FeatureGroup::Shape => "shape",
        }
    }
}

/// A feature's name, group and meaning.
#[derive(Debug, Clone, Copy)]
pub struct FeatureInfo {
    /// The name in the file of weights and in explanations.
    pub name: &'static str,
    /// What it looks at.
    pub group: FeatureGroup,
    /// What its value is, in words.
    pub about: &'static str,
}

macro_rules! features {
    ($($name:ident $group:ident $about:literal,)*) => {
        /// The features of one chunk.
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub(super) struct Features {
            $(#[doc = $about] pub(super) $name: f32,)*
        }

        impl Features {
            /// The values in the order of [`FEATURES`].
            pub(super) fn values(&self) -> Vec<f32> {
                vec![$(self.$name,)*]
            }
        }

        /// Every feature.
        pub const FEATURES: &[FeatureInfo] = &[$(FeatureInfo {
            name: stringify!($name),
            group: FeatureGroup::$group,
            about: $about,
        },)*];
    };
}

features! {
    lex Words "BM25 of the chunk, relative to the best",
    lex_stretched Words "BM25 of the chunk, 0 for the hundredth and 1 for the best",
    lex_place Words "5 / (4 + place by BM25)",
    coverage Words "share of the question's weight that the chunk has",
    coverage_names Words "the same, in names that it defines",
    coverage_docs Words "the same, in its doc comments",
    coverage_path Words "the same, in its path",
    coverage_body Words "the same, in its lines",
    coverage_5 Words "the same, in its best 5 lines",
    coverage_10 Words "the same, in its best 10 lines",
    compounds Words "what identifiers of several parts give, relative to the most",
    has_name Words "whether it has an identifier of several parts that was asked for",
    neighbours Words "BM25 of the better of the chunks before and after",
    meaning Meaning "best lines and whole, mixed: 0 for the hundredth and 1 for the best",
    meaning_cosine Meaning "the same as a cosine",
    meaning_place Meaning "5 / (4 + place by meaning)",
    whole Meaning "the whole chunk, 0 for the hundredth and 1 for the best",
    whole_cosine Meaning "the same as a cosine",
    best_lines Meaning "the best 5 lines, 0 for the hundredth and 1 for the best",
    best_cosine Meaning "the same as a cosine",
    second_cosine Meaning "the second best 5 lines",
    like_5 Meaning "how like the question's words those of the best 5 lines are",
    like_10 Meaning "the same for 10 lines",
    like_all Meaning "the same for all lines",
    close_5 Meaning "the same for words that are close (cosine over 0.3), 5 lines",
    close_10 Meaning "the same, 10 lines",
    close_all Meaning "the same, all lines",
    close_docs Meaning "the same, first paragraph of the doc comment",
    file_lex File "BM25 of the file, relative to the best",
    file_coverage File "share of the question's weight that the file has",
    file_names File "the same, in names that it defines",
    file_best_lex File "BM25 of its best chunk, relative to the best",
    file_meaning File "its best chunk by meaning",
    file_second File "its second best chunk by meaning",
    file_three File "mean of its best three chunks by meaning",
    file_close File "how close the words of its proposed chunks are",
    file_first File "whether the chunk is the best of its file",
    file_chunks File "logarithm of the number of its chunks / 5",
    stem_coverage Names "share of the question's weight in the file's name",
    stem_precision Names "share of the file's name that was asked for",
    stem_close Names "how close the file's name is",
    stem_short Names "share of the question's weight that the file's name shortens, or the other way round",
    stem_asked Names "whether the file's name was asked for as a whole",
    dirs_coverage Names "share of the question's weight in its folders",
    dirs_close Names "how close its folders are",
    name_precision Names "share of the symbol's name that was asked for",
    name_coverage Names "share of the question's weight in the symbol's name",
    name_whole Names "the same, where all of the name was asked for",
    name_close Names "how close the symbol's name is",
    name_like Names "the likest word of the symbol's name",
    parent_coverage Names "share of the question's weight in the names around it",
    parent_close Names "how close those are",
    defines Names "whether it defines a name that was asked for: 1 for types, functions and modules, 0.7 for others",
    primary Names "whether a symbol is named as its file is",
    test Kind "a test that nobody asked for",
    docs Kind "prose that nobody asked for",
    config Kind "settings that nobody asked for",
    generated Kind "generated or vendored",
    asked_kind Kind "of a kind that was asked for",
    asked_language Kind "in a language that was asked for",
    depth Kind "number of folders / 10",
    barrel Kind "a file that gathers others (`index`, `mod`, `__init__`)",
    header Kind "a header of C or C++",
    older Kind "below a folder of an older version",
    internal Kind "below a folder of internals",
    example Kind "below a folder of examples, scripts or benchmarks",
    legacy Kind "below a folder of what is kept for old callers or from others",
    is_type Shape "a type",
    is_callable Shape "a function, method or macro",
    is_value Shape "a constant, field or the like",
    is_nameless Shape "no symbol",
    has_docs Shape "its symbol has a doc comment",
    continued Shape "not the beginning of its symbol",
    first_lines Shape "the beginning of its file",
}

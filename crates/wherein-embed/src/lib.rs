//! Models that turn texts into vectors, on this machine.
//!
//! First the model that is part of the program (`builtin`). Then, in the order of use: the models known by name (`registry`), where they live (`store`) and how they get
//! there (`pull`), what a folder says about its model (`folder`), and the session that runs it (`session`), whose output is a
//! vector of meaning (`onnx`) or of words (`sparse`). The engine knows models only through its ports, [`wherein_engine::Embedder`] and
//! [`wherein_engine::SparseEmbedder`]. Nothing here prints; nothing is
//! downloaded except by [`ModelStore::pull`].

mod builtin;
mod external;
mod files;
mod folder;
mod hub;
mod lazy;
mod onnx;
mod pooling;
mod pull;
mod registry;
mod session;
mod side_files;
mod sparse;
mod store;
mod tokens;

pub use builtin::BuiltinModel;
pub use folder::{ModelFolder, Overrides};
pub use lazy::LazyModel;
pub use onnx::OnnxModel;
pub use pooling::Pooling;
pub use pull::PullEvent;
pub use registry::{KnownFile, KnownModel, known, known_models};
pub use session::OnnxOptions;
pub use sparse::SparseOnnxModel;
pub use store::{FileRecord, ModelInfo, ModelStore, name_of_folder};

//! The tests of models, in one binary: it links the runtime once.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail by panic and say what they skip"
)]

#[path = "embed/bad_input.rs"]
mod bad_input;
#[path = "embed/common.rs"]
mod common;
#[path = "embed/minilm.rs"]
mod minilm;
#[path = "embed/ranks.rs"]
mod ranks;
#[path = "embed/sparse.rs"]
mod sparse;
#[path = "embed/tiny_models.rs"]
mod tiny_models;

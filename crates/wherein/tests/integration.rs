//! The real binary on real trees, in one test program: exit codes, formats, settings and bad input.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail a test by panicking")]
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

mod cli {
    mod agents;
    mod bad_input;
    mod embedding;
    mod evaluation;
    mod formats;
    mod mcp;
    mod meaning;
    mod models;
    mod pages;
    mod processes;
    mod repositories;
    mod serve;
    mod server;
    mod settings;
    mod symbols;
    mod touched;
    pub(crate) mod tree;
    mod why;
}

mod stores {
    mod agreement;
    pub(crate) mod asking;
    pub(crate) mod corpus;
    mod damaged;
    pub(crate) mod double;
    pub(crate) mod failing;
    mod fused;
    mod guards;
    mod interrupted;
    mod lookups;
    pub(crate) mod place;
    mod publishing;
    mod restoring;
    pub(crate) mod shop;
    mod unreachable;
}

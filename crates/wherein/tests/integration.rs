//! The real binary on real trees, in one test program: exit codes, formats, settings and bad input.

mod cli {
    mod bad_input;
    mod formats;
    mod pages;
    mod settings;
    pub(crate) mod tree;
}

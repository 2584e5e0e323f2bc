//! What the engine promises, told in small trees and through its public names alone.
//!
//! Each module holds the tests of one concern; a test that answers a reported fault bears the number of its
//! case (`c03_…`). Tests need no network; those that want git, grep or the requests tree say so and are
//! passed over, loudly, where it is missing.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]
#![allow(clippy::unwrap_used, reason = "clippy takes the helpers of a test for code outside tests")]

mod bad_input;
mod damage;
mod double;
mod encodings;
mod facts;
mod filters;
mod fixture;
mod freshness;
mod grep_equal;
mod guard;
mod ignore_rules;
mod incremental;
mod literals;
mod lookups;
mod meaning;
mod meanwhile;
mod odd_trees;
mod parallel;
mod questions;
mod ranking;
mod remembered;
mod repositories;
mod scripts;
mod secrets;
mod segments;
mod shape;
mod skipped;
mod symbols;
mod table;
mod touched;
mod why;
mod wrecked;

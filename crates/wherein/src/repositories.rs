//! Repositories by name: what the settings declare, what a command means by a name, and where each lies on this machine.
//!
//! The list is plain data for whoever indexes or asks it. Only `git` starts a program and only `clones` writes, below
//! the folder of indexes. Nothing here opens an index or prints.

mod address;
mod choose;
mod clones;
mod declared;
mod git;
mod resolve;

pub(crate) use address::Address;
pub(crate) use choose::{choose, choose_all, find};
pub(crate) use clones::{Clones, Fetched};
pub(crate) use declared::{Declared, KEY, Source, Writer, declared, merged, named_file};
pub(crate) use git::origin;
pub(crate) use resolve::Repository;

//! Native tests that need a host or files: in memory, or over the real file system and the real git.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "cli")]
mod cli;
mod damage;
mod disk;
mod doctor;
mod git;
mod golden;
mod hidden;
mod json;
mod layers;
mod lock;
mod memory;
mod network;
mod operations;
mod owner;
mod pages;
mod partial_file_system;
mod real_texts;
#[cfg(feature = "cli")]
mod reference;
mod restore;
mod scenarios;
mod store;
mod support;
mod task_names;
mod variants;
mod view;
mod wording;
#[cfg(unix)]
mod worktree;

use std::path::PathBuf;

/// A file or folder of this package. As cargo says it when it runs the tests: where the target folder was copied with
/// the clone, they were compiled elsewhere.
fn in_package(path: &str) -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests");
    PathBuf::from(package).join(path)
}

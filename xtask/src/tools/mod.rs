//! The tools of builds and tests, and the hosts that they run on: found, or installed outside
//! the clone.

pub(crate) mod agents;
mod cargo;
mod chromium;
mod debian;
mod firefox;
pub(crate) mod node;
mod npm;
mod oci;
mod peers;
mod postgres;
pub(crate) mod python;
mod strace;
pub(crate) mod toolchain;
mod valgrind;
mod wasmtime;
pub(crate) mod wine;

use std::path::PathBuf;

pub(crate) use cargo::{cargo_cyclonedx, wasm_bindgen_test_runner};
pub(crate) use chromium::{Chromium, chromium};
pub(crate) use firefox::firefox;
pub(crate) use npm::Npm;
pub(crate) use oci::oci;
pub(crate) use peers::peers;
pub(crate) use postgres::postgres;
pub(crate) use strace::strace;
pub(crate) use valgrind::valgrind;
pub(crate) use wasmtime::wasmtime;

/// The result of looking for a tool that a build can do without.
#[derive(Clone, Debug)]
pub(crate) enum ToolLookup {
    /// The program to start.
    At(PathBuf),
    /// It is not there and cannot be installed: why, and what to do.
    Missing(String),
}

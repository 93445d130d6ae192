//! The hosts that tests and benches run on beside the machine's Node: found, or installed outside
//! the clone. None of them is needed to build.

mod cargo;
mod chromium;
mod debian;
mod npm;
mod strace;

use std::path::PathBuf;

pub(crate) use cargo::{wasm_bindgen_test_runner, wasmtime};
pub(crate) use chromium::{Chromium, chromium};
pub(crate) use npm::Npm;
pub(crate) use strace::strace;

/// What came of looking for a host.
#[derive(Debug)]
pub(crate) enum Host {
    /// The program to start.
    At(PathBuf),
    /// It is not there and cannot be installed: why, and what to do.
    Missing(String),
}

//! Makes `crate::blocking`, the variant for hosts that have the answer when the call returns: the modules
//! that request effects, each file without `async` and `await`.

// Cargo reads its instructions from standard output.
#![allow(clippy::print_stdout)]

mod blocking;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use blocking::{MODULES, without_waiting};

fn main() {
    let source = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("src");
    let copies = PathBuf::from(variable("OUT_DIR")).join("blocking");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/effect/io.rs");
    // The copy of a file that was removed from the source would stay.
    let _ = fs::remove_dir_all(&copies);
    for module in MODULES {
        println!("cargo::rerun-if-changed=src/{module}");
        copy(&source.join(module), &copies.join(module));
    }
    copy(&source.join("effect/io.rs"), &copies.join("effect/io.rs"));
    write(&copies.join("effect/mod.rs"), EFFECT);
    write(&copies.join("mod.rs"), MOD);
}

const EFFECT: &str = "\
pub use crate::effect::*;
pub use crate::effect::blocking_io::{Answer, Io};
pub(crate) use crate::effect::blocking_io::{Boxed, boxed};
pub(super) use crate::effect::{answer, blocking_io as async_io};
mod io;
";

const MOD: &str = "\
pub mod effect;
#[cfg(any(feature = \"cli\", not(target_family = \"wasm\")))]
pub mod doctor;
pub mod operation;
#[cfg(any(feature = \"sessions\", not(target_family = \"wasm\")))]
pub mod restore;
pub mod root;
pub mod store;
#[cfg(any(feature = \"sessions\", not(target_family = \"wasm\")))]
pub mod worktree;
#[cfg(feature = \"cli\")]
pub mod cli;
";

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|why| panic!("cargo sets {name}: {why}"))
}

/// Copies a file, or all files of a folder, as the blocking variant.
fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        let text = fs::read_to_string(from)
            .unwrap_or_else(|why| panic!("cannot read {}: {why}", from.display()));
        return write(to, &edited(&text, from));
    }
    let entries = fs::read_dir(from).unwrap_or_else(|why| panic!("{}: {why}", from.display()));
    for entry in entries {
        let name = entry
            .expect("a folder of the source can be listed")
            .file_name();
        copy(&from.join(&name), &to.join(&name));
    }
}

fn write(file: &Path, text: &str) {
    let written = file
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(file, text));
    written.unwrap_or_else(|why| panic!("cannot write {}: {why}", file.display()));
}

fn edited(text: &str, file: &Path) -> String {
    match file.extension().is_some_and(|it| it == "rs") {
        true => without_waiting(text, "crate")
            .unwrap_or_else(|why| panic!("{} is no Rust: {why}", file.display())),
        false => text.to_owned(),
    }
}

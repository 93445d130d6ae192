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
    name_parts();
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
#[cfg(all_operations)]
pub mod doctor;
pub mod operation;
#[cfg(sessions)]
pub mod restore;
pub mod root;
pub mod store;
#[cfg(sessions)]
pub mod worktree;
#[cfg(feature = \"cli\")]
pub mod cli;
";

/// Names the parts of the source that this build has, for `cfg`: a library for the machine itself has all of them, and a
/// wasm those of its features. They gate modules, rows of the table of operations, and exports; what else a build does
/// not use, the linker drops.
fn name_parts() {
    let has = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let is_wasm = variable("CARGO_CFG_TARGET_FAMILY")
        .split(',')
        .any(|it| it == "wasm");
    let is_native = has("NATIVE")
        && ["UNIX", "WINDOWS"]
            .iter()
            .any(|it| env::var_os(format!("CARGO_CFG_{it}")).is_some());
    let is_blocking = has("JS") || has("VIEWER") || has("COMMAND");
    let parts = [
        ("sessions", !is_wasm || has("SESSIONS")),
        // And task checkpoints.
        ("threads", !is_wasm || has("THREADS")),
        ("agents", !is_wasm || has("AGENTS")),
        ("all_operations", !is_wasm || has("CLI")),
        ("viewer", !is_wasm || has("VIEWER")),
        (
            "exact_tokens",
            !is_wasm || has("EXACT_TOKENS") || has("COMMAND"),
        ),
        ("async_variant", !is_wasm || !is_blocking),
        ("native_host", is_native),
        ("program", has("COMMAND") || is_native),
        (
            "javascript",
            ["JS", "DEFERRED", "EXACT_TOKENS", "VIEWER"]
                .iter()
                .any(|it| has(it)),
        ),
        ("host_calls", has("JS") || has("DEFERRED")),
        ("hook_wasm", is_wasm && has("HOOK")),
        ("agent_hook_wasm", is_wasm && has("AGENT_HOOK")),
        ("viewer_wasm", is_wasm && has("VIEWER")),
    ];
    for (part, is_there) in parts {
        println!("cargo::rustc-check-cfg=cfg({part})");
        if is_there {
            println!("cargo::rustc-cfg={part}");
        }
    }
}

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

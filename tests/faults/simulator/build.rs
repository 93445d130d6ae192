//! Makes the blocking variant of what a job does.

// Cargo reads its instructions from standard output.
#![allow(clippy::print_stdout)]

#[path = "../../../build/blocking.rs"]
mod blocking;

use std::env;
use std::fs;
use std::path::PathBuf;

const SOURCE: &str = "src/job/perform.rs";

fn main() {
    println!("cargo::rerun-if-changed={SOURCE}");
    println!("cargo::rerun-if-changed=../../../build/blocking.rs");
    let text = fs::read_to_string(SOURCE).expect("the source stands in its place");
    let text = blocking::without_waiting(&text, "milepost").expect("the source is Rust");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(PathBuf::from(out).join("perform.rs"), text).expect("cargo makes OUT_DIR");
}

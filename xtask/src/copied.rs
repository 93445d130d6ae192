//! A clone that was copied with its target folder works on itself, and not on the one that it was copied from: cargo
//! builds nothing in it, so that what a program had from its compiler is of the other folder.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::tools::toolchain;
use crate::workspace::Workspace;

/// Prints the folder that xtask works on.
const PROGRAM: &str = "\
mod process {
    pub(crate) fn note(_: &str) {}
}
#[allow(dead_code)]
mod workspace;

fn main() {
    let workspace = workspace::Workspace::find().unwrap();
    print!(\"{}\", workspace.root().display());
}
";

const WORKSPACE: &str = "[workspace]\nmembers = [\"xtask\"]\nresolver = \"3\"\n";

const MANIFEST: &str = "\
[package]
name = \"xtask\"
version = \"0.1.0\"
edition = \"2024\"

[dependencies]
anyhow = \"1\"
";

#[test]
fn copied_clone_with_its_target_works_on_itself() {
    let clone = Workspace::find().unwrap();
    let folder = tempfile::tempdir().unwrap();
    // As cargo names it, where the temporary folder is a link.
    let folder = folder.path().canonicalize().unwrap();
    let (original, copy) = (folder.join("original"), folder.join("copy"));
    let sources = original.join("xtask/src");
    fs::create_dir_all(&sources).unwrap();
    fs::write(original.join("Cargo.toml"), WORKSPACE).unwrap();
    // The versions that are on this machine already.
    fs::copy(clone.join("Cargo.lock"), original.join("Cargo.lock")).unwrap();
    fs::write(original.join("xtask/Cargo.toml"), MANIFEST).unwrap();
    fs::write(sources.join("main.rs"), PROGRAM).unwrap();
    let workspace = clone.join("xtask/src/workspace.rs");
    fs::copy(workspace, sources.join("workspace.rs")).unwrap();

    assert_eq!(works_on(&original), original.to_str().unwrap());
    // With the times of all files, by which cargo sees what has changed.
    let copied = Command::new("cp")
        .arg("-a")
        .args([&original, &copy])
        .status();
    assert!(copied.unwrap().success());
    assert_eq!(works_on(&copy), copy.to_str().unwrap());
}

fn works_on(clone: &Path) -> String {
    let mut cargo = toolchain::cargo();
    cargo
        .current_dir(clone)
        .args(["run", "--quiet", "--offline", "--package", "xtask"])
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("RUSTFLAGS");
    let output = cargo.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn no_source_has_its_folder_from_the_compiler() {
    let clone = Workspace::find().unwrap();
    // In two pieces, or this file would have it.
    let from_compiler = ["env!(\"CARGO_", "MANIFEST_DIR\")"].concat();
    let mut git = Command::new("git");
    git.current_dir(clone.root());
    let found = git
        .args(["grep", "--name-only", "--fixed-strings", "-e"])
        .arg(from_compiler)
        .args(["--", "*.rs"]);
    let found = String::from_utf8(found.output().unwrap().stdout).unwrap();
    assert_eq!(found, "", "it is the folder of another clone in a copy");
}

//! `cargo xtask release`: every artefact of a version, made from a clean clone, with its SHA-256.
//!
//! Nothing here publishes: the workflow on a tag does, with what this has made.

mod archive;
mod artefacts;
mod bill;
mod conditions;
mod oci;
mod registry_entry;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::folder;
use crate::process;
use crate::stamp;
use crate::tools::toolchain;
use crate::workspace::Workspace;

/// The list of the artefacts, as `sha256sum --check` reads it.
const SUMS: &str = "SHA256SUMS";

pub(crate) use artefacts::{PROGRAM, crates};

/// Writes the layout of a component for registries of OCI's protocol into an empty folder.
pub(crate) fn oci_layout(workspace: &Workspace, component: &Path, layout: &Path) -> Result<()> {
    oci::write(component, &version(workspace)?, layout)?;
    Ok(())
}

/// The version of the clone, which all parts of a release have.
pub(crate) fn version(workspace: &Workspace) -> Result<String> {
    conditions::version(&fs::read_to_string(workspace.join("Cargo.toml"))?)
}

/// The options of `cargo xtask release`.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Makes the artefacts of a commit that may not be released: without a tag, or without the owner's names
    #[arg(long)]
    dry_run: bool,
    /// The folder of the artefacts, which is emptied: target/milepost/release without it
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Builds in this clone, with what differs from its commit
    #[arg(long, hide = true)]
    here: bool,
}

/// Makes the artefacts in a clean clone of HEAD, and prints their sums.
///
/// # Errors
///
/// Names what forbids a release, or what could not be built.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let out = match &options.out {
        Some(folder) => std::path::absolute(folder)?,
        None => workspace.artefacts().join("release"),
    };
    if options.here {
        return artefacts::make(workspace, &out);
    }
    let reasons = conditions::reasons_against(workspace)?;
    if !reasons.is_empty() {
        let list = reasons.join("\n  ");
        match options.dry_run {
            true => process::note(&format!("could not be released:\n  {list}")),
            false => bail!(
                "nothing is released:\n  {list}\n(--dry-run makes the artefacts of such a commit too)"
            ),
        }
    }
    in_clean_clone(workspace, &out)?;
    note_what_is_missing();
    let sums = sums(&out)?;
    fs::write(out.join(SUMS), &sums).with_context(|| format!("cannot write {SUMS}"))?;
    print!("{sums}");
    Ok(())
}

/// Says what this machine could make and did not.
fn note_what_is_missing() {
    let host = toolchain::fact("host").unwrap_or_default();
    let target = artefacts::free_of_libraries(&host).filter(|it| !toolchain::has_target(it));
    if let Some(target) = target {
        process::note(&format!(
            "skipped: the program for {target}, whose standard library is not installed: `rustup target add {target}`"
        ));
    }
}

/// Has a clone of HEAD make its artefacts: what is not committed is in none of them.
fn in_clean_clone(workspace: &Workspace, out: &Path) -> Result<()> {
    let around = tempfile::tempdir()?;
    let clone = around.path().join("milepost");
    let mut git = Command::new("git");
    git.args(["clone", "--quiet", "--no-hardlinks", "--no-tags"])
        .arg(workspace.root())
        .arg(&clone);
    process::run("cloning HEAD", &mut git)?;
    folder::make_empty(out)?;
    let mut cargo = toolchain::cargo();
    cargo
        .current_dir(&clone)
        // Of the clone that this process runs in.
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_MANIFEST_DIR")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("CARGO_INCREMENTAL", "0")
        .args(["xtask", "release", "--here", "--out"])
        .arg(out);
    process::run("making the artefacts in a clean clone", &mut cargo)?;
    Ok(())
}

/// A line for each file of a folder: its SHA-256 and its path.
fn sums(out: &Path) -> Result<String> {
    let mut lines = String::new();
    for file in folder::files(out)? {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.strip_prefix(out)?.display();
        lines += &format!("{}  {name}\n", stamp::sha256(&bytes));
    }
    Ok(lines)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;

    use super::sums;

    #[test]
    fn the_sums_are_in_the_order_of_the_names_and_as_sha256sum_writes_them() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b.txt"), "").unwrap();
        fs::write(folder.path().join("a.txt"), "abc").unwrap();
        assert_eq!(
            sums(folder.path()).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.txt\n\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b.txt\n"
        );
    }
}

//! Steps on the packed npm package.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::{Outcome, passed};
use crate::building::{BuildContext, package};
use crate::test::Range;
use crate::{folder, process};

/// The most that a package may have, so that it does not grow unseen.
struct Limits {
    name: &'static str,
    /// Its bytes as npm downloads it.
    packed: u64,
    /// Its bytes on a disk.
    unpacked: u64,
    files: usize,
}

const MILEPOST: Limits = Limits {
    name: "milepost",
    packed: 4_000_000,
    unpacked: 9_500_000,
    files: 90,
};

/// Nearly all of it is vocabularies.
const EXACT_TOKENS: Limits = Limits {
    name: "milepost-exact-tokens",
    packed: 1_110_000,
    unpacked: 1_530_000,
    files: 14,
};

pub(super) fn size(context: &BuildContext, _range: Range) -> Result<Outcome> {
    context.package()?;
    let [tarball, exact_tokens_tarball] = tarballs(context);
    let found = [
        MILEPOST.hold(&tarball, &package::folder(context.workspace))?,
        EXACT_TOKENS.hold(
            &exact_tokens_tarball,
            &package::exact_tokens_folder(context.workspace),
        )?,
    ];
    Ok(Outcome::Passed(found.join("; ")))
}

impl Limits {
    /// Holds a package to them, and says how large it is.
    fn hold(&self, tarball: &Path, folder: &Path) -> Result<String> {
        let packed = fs::metadata(tarball)?.len();
        let files = folder::files(folder)?;
        let mut unpacked = 0;
        for file in &files {
            unpacked += fs::metadata(file)?.len();
        }
        let found = format!(
            "{}: {packed} bytes to download, {unpacked} on a disk, {} files",
            self.name,
            files.len()
        );
        if packed > self.packed || unpacked > self.unpacked || files.len() > self.files {
            bail!(
                "{found}; at most {}, {} and {}",
                self.packed,
                self.unpacked,
                self.files
            );
        }
        Ok(found)
    }
}

/// Those of the package's code, and those of the viewer's page.
pub(super) fn types(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let node = context.node()?;
    let mut tsc = node.tool("tsc");
    tsc.arg("--project")
        .arg(context.workspace.join("pkg"))
        .arg("--typeRoots");
    tsc.arg(node.tools().join("node_modules/@types"));
    process::run("tsc", tsc.args(["--noEmit", "--pretty", "false"]))?;
    types_beside_bundled(context, "viewer")?;
    passed()
}

/// The types of code beside those of what is bundled with it, which are found from a copy beside the tools.
pub(super) fn types_beside_bundled(context: &BuildContext, name: &str) -> Result<()> {
    let node = context.node()?;
    let project = context.workspace.artefacts().join(format!("{name}-types"));
    folder::make_empty(&project)?;
    folder::copy(&context.workspace.join("pkg"), &project.join("pkg"))?;
    let modules = node.tools().join("node_modules");
    folder::link(&modules, &project.join("node_modules"))?;
    let mut tsc = node.tool("tsc");
    tsc.current_dir(&project)
        .arg("--project")
        .arg(format!("pkg/tsconfig.{name}.json"))
        .arg("--typeRoots")
        .arg(modules.join("@types"))
        .args(["--noEmit", "--pretty", "false"]);
    process::run("tsc", &mut tsc)?;
    Ok(())
}

pub(super) fn publint(context: &BuildContext, _range: Range) -> Result<Outcome> {
    context.package()?;
    for tarball in tarballs(context) {
        let mut publint = context.node()?.tool("publint");
        publint.arg("run").arg(tarball).arg("--strict");
        process::run("publint", &mut publint)?;
    }
    passed()
}

pub(super) fn attw(context: &BuildContext, _range: Range) -> Result<Outcome> {
    context.package()?;
    for tarball in tarballs(context) {
        let mut attw = context.node()?.tool("attw");
        attw.arg(tarball);
        // TypeScript's oldest resolution knows no exports map, and Node has one since version 12.
        attw.args(["--profile", "node16"]);
        // A wasm file has no types, nor has a program.
        attw.args(["--exclude-entrypoints", "core.wasm", "hook"]);
        attw.args(["--format", "ascii"]);
        process::run("attw", &mut attw)?;
    }
    passed()
}

/// The packages, as they are published.
fn tarballs(context: &BuildContext) -> [PathBuf; 2] {
    let workspace = context.workspace;
    [workspace.tarball(), workspace.exact_tokens_tarball()]
}

//! Steps on the packed npm package.

use std::fs;

use anyhow::{Result, bail};

use super::{Outcome, passed};
use crate::building::{BuildContext, package};
use crate::test::Range;
use crate::{folder, process};

/// The bytes of the package as npm downloads it, so that they do not grow unseen. The aim is four million.
const MOST_PACKED: u64 = 5_300_000;
/// Its bytes on a disk. The aim is ten million.
const MOST_UNPACKED: u64 = 11_500_000;
/// Its files. The aim is 90.
const MOST_FILES: usize = 116;

pub(super) fn size(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let packed = fs::metadata(context.package()?)?.len();
    let files = folder::files(&package::folder(context.workspace))?;
    let mut unpacked = 0;
    for file in &files {
        unpacked += fs::metadata(file)?.len();
    }
    let found = format!(
        "{packed} bytes to download, {unpacked} on a disk, {} files",
        files.len()
    );
    if packed > MOST_PACKED || unpacked > MOST_UNPACKED || files.len() > MOST_FILES {
        bail!("the package has {found}; at most {MOST_PACKED}, {MOST_UNPACKED} and {MOST_FILES}");
    }
    Ok(Outcome::Passed(found))
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
    let mut publint = context.node()?.tool("publint");
    process::run(
        "publint",
        publint.arg("run").arg(context.package()?).arg("--strict"),
    )?;
    passed()
}

pub(super) fn attw(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let mut attw = context.node()?.tool("attw");
    attw.arg(context.package()?);
    // TypeScript's oldest resolution knows no exports map, and Node has one since version 12.
    attw.args(["--profile", "node16"]);
    // A wasm file has no types, nor has a program.
    attw.args(["--exclude-entrypoints", "core.wasm", "hook"]);
    attw.args(["--format", "ascii"]);
    process::run("attw", &mut attw)?;
    passed()
}

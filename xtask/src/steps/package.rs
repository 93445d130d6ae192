//! Steps on the packed npm package.

use anyhow::Result;

use super::{Outcome, passed};
use crate::building::BuildContext;
use crate::test::Range;
use crate::{folder, process};

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

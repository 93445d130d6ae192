//! Steps on the packed npm package.

use anyhow::Result;

use super::{Outcome, passed};
use crate::building::Ground;
use crate::process;

pub(super) fn types(ground: &Ground) -> Result<Outcome> {
    let node = ground.node()?;
    let mut tsc = node.tool("tsc");
    tsc.arg("--project")
        .arg(ground.workspace.join("pkg"))
        .arg("--typeRoots");
    tsc.arg(node.tools().join("node_modules/@types"));
    process::run("tsc", tsc.args(["--noEmit", "--pretty", "false"]))?;
    passed()
}

pub(super) fn publint(ground: &Ground) -> Result<Outcome> {
    let mut publint = ground.node()?.tool("publint");
    process::run(
        "publint",
        publint.arg("run").arg(ground.package()?).arg("--strict"),
    )?;
    passed()
}

pub(super) fn attw(ground: &Ground) -> Result<Outcome> {
    let mut attw = ground.node()?.tool("attw");
    attw.arg(ground.package()?);
    // TypeScript's oldest resolution knows no exports map, and Node has one since version 12.
    attw.args(["--profile", "node16"]);
    // A wasm file has no types, nor has a program.
    attw.args(["--exclude-entrypoints", "core.wasm", "hook"]);
    attw.args(["--format", "ascii"]);
    process::run("attw", &mut attw)?;
    passed()
}

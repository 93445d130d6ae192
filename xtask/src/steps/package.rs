//! Steps on the packed npm package.

use anyhow::Result;

use super::{Ground, Outcome, passed};
use crate::process;

pub(super) fn types(ground: &Ground) -> Result<Outcome> {
    let node = ground.built()?.node();
    let mut tsc = node.tool("tsc");
    tsc.arg("--project")
        .arg(ground.workspace.join("pkg"))
        .arg("--typeRoots");
    tsc.arg(node.tools().join("node_modules/@types"));
    process::run("tsc", tsc.args(["--noEmit", "--pretty", "false"]))?;
    passed()
}

pub(super) fn publint(ground: &Ground) -> Result<Outcome> {
    let mut publint = ground.built()?.node().tool("publint");
    process::run(
        "publint",
        publint
            .arg("run")
            .arg(ground.workspace.tarball())
            .arg("--strict"),
    )?;
    passed()
}

pub(super) fn attw(ground: &Ground) -> Result<Outcome> {
    let mut attw = ground.built()?.node().tool("attw");
    attw.arg(ground.workspace.tarball());
    // TypeScript's oldest resolution knows no exports map, and Node has one since version 12.
    attw.args(["--profile", "node16"]);
    // A wasm file has no types.
    attw.args(["--exclude-entrypoints", "core.wasm", "--format", "ascii"]);
    process::run("attw", &mut attw)?;
    passed()
}

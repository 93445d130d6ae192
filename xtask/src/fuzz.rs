//! `cargo xtask fuzz`: properties on bytes that chance makes, on the stable toolchain.

use std::process::Command;

use anyhow::{Context, Result};

use crate::toolchain;
use crate::workspace::Workspace;

/// Builds the targets and runs them on this process's streams; `false` when a property failed.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<bool> {
    let mut runner = runner(workspace);
    let status = runner.args(arguments).status();
    Ok(status.context("cannot start cargo")?.success())
}

/// The program of the crate in `fuzz/`, built for speed and with every check of its own.
pub(crate) fn runner(workspace: &Workspace) -> Command {
    let mut cargo = toolchain::cargo();
    cargo
        .current_dir(workspace.root())
        .args(["run", "--profile", "fuzz"])
        .args(["--package", "milepost-fuzz", "--"]);
    cargo
}

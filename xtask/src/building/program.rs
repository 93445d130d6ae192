//! Programs of this workspace that take their own arguments.

use std::process::Command;

use anyhow::{Context, Result};

use crate::tools::toolchain;
use crate::workspace::Workspace;

/// One of them.
pub(crate) struct Program {
    package: &'static str,
    profile: &'static str,
}

/// Processes that are stopped and killed at random.
pub(crate) const CHAOS: Program = Program {
    package: "milepost-chaos",
    profile: "dev",
};

/// Properties on bytes that chance makes, on the stable toolchain, with every check of overflow.
pub(crate) const FUZZ: Program = Program {
    package: "milepost-fuzz",
    profile: "fuzz",
};

/// Every crash, loss of power and order of a few writers, in memory.
pub(crate) const SIMULATOR: Program = Program {
    package: "milepost-simulator",
    profile: "release",
};

impl Program {
    /// Builds it and runs it on this process's streams; `false` when it ended otherwise than with 0.
    pub(crate) fn run(&self, workspace: &Workspace, arguments: &[String]) -> Result<bool> {
        let status = self.command(workspace).args(arguments).status();
        Ok(status.context("cannot start cargo")?.success())
    }

    /// What builds and runs it.
    pub(crate) fn command(&self, workspace: &Workspace) -> Command {
        let mut cargo = toolchain::cargo();
        cargo
            .current_dir(workspace.root())
            .args(["run", "--quiet", "--profile", self.profile])
            .args(["--package", self.package, "--"]);
        cargo
    }
}

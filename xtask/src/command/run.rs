//! `cargo xtask run`: the command line on the current directory, or the tour.

use std::process::ExitStatus;

use anyhow::{Context, Result};

use super::tour;
use crate::building::{self, package};
use crate::workspace::Workspace;

/// Sets up, builds, and runs `milepost ARGS…` in the current directory with this process's
/// streams; without arguments, the tour. Returns the exit code.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<u8> {
    let lock = workspace.lock()?;
    building::build(workspace)?;
    if arguments.is_empty() {
        tour::run(workspace)?;
        return Ok(0);
    }
    let project = package::installed(workspace)?;
    // What runs now may take long, or start another.
    drop(lock);
    let status = package::milepost(&project)
        .args(arguments)
        .status()
        .context("cannot start the package's milepost")?;
    Ok(code(status))
}

/// 1 for a process that was killed: it has no code of its own.
fn code(status: ExitStatus) -> u8 {
    status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(1)
}

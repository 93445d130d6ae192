//! `cargo xtask run`: the command line on the current directory, or the tour.

use std::process::{Command, ExitStatus};

use anyhow::{Context, Result};

use super::tour;
use crate::building::program::Program;
use crate::building::{self, Ground, package};
use crate::workspace::Workspace;

/// Sets up, builds, and runs `milepost ARGS…` in the current directory with this process's
/// streams; without arguments, the tour. Returns the exit code.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<u8> {
    let lock = workspace.lock()?;
    let ground = Ground::new(workspace);
    building::build(&ground)?;
    if arguments.is_empty() {
        tour::run(workspace)?;
        return Ok(0);
    }
    let project = ground.project()?;
    // What runs now may take long, or start another.
    drop(lock);
    let status = package::milepost(project)
        .args(arguments)
        .status()
        .context("cannot start the package's milepost")?;
    Ok(code(status))
}

/// Builds a program of this workspace and runs it on this process's streams; `false` when it ended
/// otherwise than with 0.
pub(crate) fn program(
    workspace: &Workspace,
    program: Program,
    arguments: &[String],
) -> Result<bool> {
    let ground = Ground::new(workspace);
    let mut command = Command::new(ground.program(program)?);
    command.current_dir(workspace.root()).args(arguments);
    let status = command.status().context("cannot start it")?;
    Ok(status.success())
}

/// 1 for a process that was killed: it has no code of its own.
fn code(status: ExitStatus) -> u8 {
    status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(1)
}

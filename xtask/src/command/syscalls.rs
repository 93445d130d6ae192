//! `cargo xtask syscalls`: a fault at every system call that one update makes on files.

use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::building::BuildContext;
use crate::building::component::Component;
use crate::building::program::Program;
use crate::test::Range;
use crate::tools::{ToolLookup, node};
use crate::workspace::Workspace;

/// The choice of runs.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Only on this host: Node, wasmtime, native, or "in place", which is how not to do it
    #[arg(long)]
    host: Option<String>,
    /// Only this fault: KILL, EIO, ENOSPC, EACCES or EINTR
    #[arg(long)]
    fault: Option<String>,
}

/// Sets up, runs and prints the table.
///
/// # Errors
///
/// A host or strace is missing, or something did not hold after a fault.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let mut faults = match prepare(&BuildContext::new(workspace))? {
        Ready::Here(node) => node,
        Ready::Missing(why) => bail!(why),
    };
    faults.arg(FAULTS);
    if let Some(host) = &options.host {
        faults.args(["--host", host]);
    }
    if let Some(fault) = &options.fault {
        faults.args(["--fault", fault]);
    }
    let status = faults.status().context("cannot start node")?;
    if !status.success() {
        bail!("something did not hold after a fault ({status})");
    }
    Ok(())
}

/// The result of looking for everything that the runs need.
pub(crate) enum Ready {
    /// Node in the project that has the package and the tests, without words.
    Here(Command),
    /// Why they cannot be made.
    Missing(String),
}

/// The script with a fault at every call.
pub(crate) const FAULTS: &str = "tests/faults/syscalls/run.mjs";

/// The script that looks at the path of every call, and the tests that it looks at.
pub(crate) const AUDIT: [&str; 3] = [
    "tests/faults/syscalls/audit.mjs",
    "tests/hosts/node/scenarios.test.mjs",
    "tests/hosts/wasmtime/scenarios.test.mjs",
];

/// Looks for strace and wasmtime, and builds what they run.
pub(crate) fn prepare(context: &BuildContext) -> Result<Ready> {
    if let ToolLookup::Missing(why) = context.strace()? {
        return Ok(Ready::Missing(why.clone()));
    }
    let wasmtime = match context.wasmtime()? {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => return Ok(Ready::Missing(why.clone())),
    };
    let mut node = node::node();
    node.current_dir(context.project()?)
        .env_remove("GIT_ROOT")
        // Cargo sets it for xtask; the loader would look for libraries there.
        .env_remove("LD_LIBRARY_PATH")
        // The two look at all that there is.
        .env(Range::VARIABLE, Range::All.name())
        .env("MILEPOST_NATIVE", context.program(Program::CommandLine)?)
        .env("MILEPOST_WASMTIME", wasmtime)
        .env("MILEPOST_COMPONENT", context.component(Component::Command)?)
        .env("MILEPOST_COMPILED", context.compiled(wasmtime)?);
    Ok(Ready::Here(node))
}

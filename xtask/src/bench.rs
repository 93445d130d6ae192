//! `cargo xtask bench`: the installed package, measured against plain JavaScript.

use anyhow::{Context, Result, bail};

use crate::node;
use crate::workspace::Workspace;
use crate::{package, setup};

/// Measures everything, or the one row named `what`, and prints the table on standard output.
pub(crate) fn run(workspace: &Workspace, what: Option<&str>) -> Result<()> {
    let setup = setup::build(workspace)?;
    let project = package::installed(workspace)?;
    let mut bench = node::node();
    bench
        .current_dir(workspace.root())
        // The peer of the validation row.
        .env("NODE_PATH", setup.node().tools().join("node_modules"))
        .arg(workspace.join("benches/run.mjs"))
        .arg("--project")
        .arg(&project);
    if let Some(what) = what {
        bench.args(["--only", what]);
    }
    let status = bench.status().context("cannot start node")?;
    if !status.success() {
        bail!("the bench could not measure everything ({status})");
    }
    Ok(())
}

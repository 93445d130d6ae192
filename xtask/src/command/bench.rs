//! `cargo xtask bench`: the installed package, measured against plain JavaScript.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::building::component::Component;
use crate::building::{self, BuildContext};
use crate::process;
use crate::steps::postgres;
use crate::tools::{self, ToolLookup, node, toolchain};
use crate::workspace::Workspace;

/// Measures everything, or the one row named `what`, and prints the table on standard output.
pub(crate) fn run(workspace: &Workspace, what: Option<&str>) -> Result<()> {
    let context = BuildContext::new(workspace);
    building::build(&context)?;
    let project = context.project()?;
    let mut bench = node::node();
    bench
        .current_dir(workspace.root())
        // The peer of the validation row.
        .env("NODE_PATH", context.node()?.tools().join("node_modules"))
        .arg(workspace.join("benches/run.mjs"))
        .arg("--project")
        .arg(project);
    if let Some(what) = what {
        bench.args(["--only", what]);
    }
    match context.wasmtime()? {
        ToolLookup::At(program) => {
            bench
                .env("MILEPOST_WASMTIME", program)
                .env("MILEPOST_COMPONENT", Component::Command.file(workspace))
                .env("MILEPOST_NOTHING", nothing(workspace)?);
        }
        // The row that needs it says so as well.
        ToolLookup::Missing(why) => process::note(why),
    }
    bench.env("MILEPOST_NATIVE", released(workspace)?);
    let npm = context.hosts()?;
    for (variable, host) in [("MILEPOST_DENO", npm.deno()), ("MILEPOST_BUN", npm.bun())] {
        match host {
            ToolLookup::At(program) => {
                bench.env(variable, program);
            }
            ToolLookup::Missing(why) => process::note(&why),
        }
    }
    match &context.chromium()?.browser {
        ToolLookup::At(program) => {
            bench.env("MILEPOST_CHROMIUM", program);
            bench.env("MILEPOST_HOST_MODULES", npm.modules());
        }
        // The row that needs it says so as well.
        ToolLookup::Missing(why) => process::note(why),
    }
    bench.env("MILEPOST_CORE", Component::Core.file(workspace));
    match tools::peers(workspace) {
        Ok(peers) => {
            bench.env("MILEPOST_PEERS", peers);
        }
        Err(error) => process::note(&format!("no packages to compare with: {error:#}")),
    }
    match context.postgres()? {
        ToolLookup::At(programs) => {
            postgres::driver(&context)?;
            bench.env("MILEPOST_POSTGRES", programs);
        }
        // The row that needs it says so as well.
        ToolLookup::Missing(why) => process::note(why),
    }
    match context.valgrind()? {
        ToolLookup::At(program) => {
            bench.env("MILEPOST_VALGRIND", program);
        }
        ToolLookup::Missing(why) => process::note(why),
    }
    let status = bench.status().context("cannot start node")?;
    if !status.success() {
        bail!("the bench could not measure everything ({status})");
    }
    Ok(())
}

/// The native program as `cargo install` makes it.
fn released(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.join("target/install");
    let mut cargo = toolchain::cargo();
    cargo
        .current_dir(workspace.root())
        .args(["build", "--release", "--locked", "--bin", "milepost"])
        .arg("--target-dir")
        .arg(&folder);
    process::run("building milepost as it is installed", &mut cargo)?;
    Ok(folder.join("release/milepost"))
}

/// The component that does nothing, which the rows of wasmtime compare with.
fn nothing(workspace: &Workspace) -> Result<PathBuf> {
    let text = workspace.join("benches/process/nothing.wat");
    let bytes = wat::parse_file(&text)?;
    let file = workspace.artefacts().join("nothing.wasm");
    fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

//! The packages that a careful user would write a hook with, for the bench.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::node::{self, Platform};
use crate::process;
use crate::workspace::Workspace;

/// Installs the packages of `xtask/npm-bench`, and returns the `node_modules` that holds them.
///
/// One of them, `better-sqlite3`, is a library in C. The builds of its authors are outside of
/// the registry, so it is built here; where that cannot be done, the others are there without it.
pub(crate) fn peers(workspace: &Workspace) -> Result<PathBuf> {
    let manifest = workspace.join("xtask/npm-bench");
    let built = build(&manifest);
    let folder = match built {
        Ok(folder) => folder,
        Err(error) => {
            process::note(&format!("better-sqlite3 cannot be built here.\n{error:#}"));
            node::install(&manifest, "npm-bench", Platform::This)?
        }
    };
    Ok(folder.join("node_modules"))
}

fn build(manifest: &Path) -> Result<PathBuf> {
    let asked = "process.versions.modules + ' ' + require('path').dirname(process.execPath)";
    let answer =
        process::stdout_of(node::node().args(["-p", asked])).context("node cannot be asked")?;
    let (binary_interface, folder) = answer.split_once(' ').context("node answered nothing")?;

    let mut install = node::npm();
    install
        .args(["ci", "--no-audit", "--no-fund"])
        .env("npm_config_build_from_source", "true");
    // Without headers beside it, they are those that node-gyp finds, or downloads.
    if let Some(prefix) = Path::new(folder).parent()
        && prefix.join("include/node/node_version.h").is_file()
    {
        install.env("npm_config_nodedir", prefix);
    }
    node::install_by(
        manifest,
        &format!("npm-bench-{binary_interface}"),
        &mut install,
    )
}

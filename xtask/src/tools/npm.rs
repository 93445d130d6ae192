//! Deno, Bun, other versions of Node, and the bundlers: all from one npm lock file.

use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::ToolLookup;
use super::node::{self, Platform};
use crate::workspace::Workspace;

/// The installed packages of `xtask/npm-hosts`.
#[derive(Clone, Debug)]
pub(crate) struct Npm {
    folder: PathBuf,
}

impl Npm {
    /// Installs them once for all clones with the same lock file.
    pub(crate) fn set_up(workspace: &Workspace) -> Result<Self> {
        let folder = node::install(
            &workspace.join("xtask/npm-hosts"),
            "npm-hosts",
            Platform::This,
        )?;
        Ok(Self {
            folder: folder.join("node_modules"),
        })
    }

    /// The `node_modules` that holds them.
    pub(crate) fn modules(&self) -> &Path {
        &self.folder
    }

    // The packages `deno` and `bun` have launchers in JavaScript, or scripts that run when they are
    // installed. The programs themselves lie in packages of their own, one for each system.

    pub(crate) fn deno(&self) -> ToolLookup {
        let libc = if OS == "linux" { "-glibc" } else { "" };
        self.program("Deno", &format!("@deno/{}{libc}/deno", system()))
    }

    pub(crate) fn bun(&self) -> ToolLookup {
        let system = system().replace("arm64", "aarch64");
        self.program("Bun", &format!("@oven/bun-{system}/bin/bun"))
    }

    /// A Node of this major version: 20, 22 or 24.
    pub(crate) fn node(&self, major: u32) -> ToolLookup {
        let program = format!("node-{major}-{}/bin/node", system());
        self.program(&format!("Node {major}"), &program)
    }

    fn program(&self, name: &str, path: &str) -> ToolLookup {
        let program = self.folder.join(path);
        if program.is_file() {
            ToolLookup::At(program)
        } else {
            ToolLookup::Missing(format!("no {name} for {} in npm-hosts", system()))
        }
    }
}

/// The system, as npm's packages name it.
fn system() -> String {
    let cpu = match ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let os = match OS {
        "macos" => "darwin",
        other => other,
    };
    format!("{os}-{cpu}")
}

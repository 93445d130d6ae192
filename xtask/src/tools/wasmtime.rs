//! wasmtime: its makers' release from a wheel, else built from source.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::cargo::WASMTIME;
use super::{ToolLookup, python};
use crate::process;
use crate::workspace::Workspace;

/// The wheel's folder has the program under this name.
const PROGRAM: &str = if cfg!(windows) {
    "wasmtime_cli/wasmtime.exe"
} else {
    "wasmtime_cli/wasmtime"
};

/// `wasmtime`: from the PATH, from a wheel, or built; for the tests and for the bench, whose numbers are of what its
/// makers release.
pub(crate) fn wasmtime(workspace: &Workspace) -> Result<ToolLookup> {
    if let Some(program) = WASMTIME.on_path() {
        return Ok(ToolLookup::At(program));
    }
    // Where it was built once there is no wheel, and a download would be tried each time.
    if let Some(program) = WASMTIME.built()? {
        return Ok(ToolLookup::At(program));
    }
    match from_wheel(workspace)? {
        Ok(program) => Ok(ToolLookup::At(program)),
        Err(why) => {
            process::note(&format!("{why}\nIt is built from source instead."));
            WASMTIME.find_or_install()
        }
    }
}

/// The text says why this machine has no wasmtime.
fn from_wheel(workspace: &Workspace) -> Result<Result<PathBuf, String>> {
    let folder = match python::packages(workspace, "pip-wasmtime")? {
        Ok(folder) => folder,
        Err(why) => return Ok(Err(why)),
    };
    let program = folder.join(PROGRAM);
    // The wheel says that it is one, in a way that pip does not read.
    if let Err(error) = make_executable(&program) {
        return Ok(Err(format!("{error:#}")));
    }
    Ok(if WASMTIME.serves(&program) {
        Ok(program)
    } else {
        // Built for a C library that is newer than this machine's, or for none like it.
        Err(format!("{} does not run here", program.display()))
    })
}

#[cfg(unix)]
fn make_executable(program: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(program, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", program.display()))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}

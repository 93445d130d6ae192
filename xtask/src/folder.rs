//! Whole folders: listed, copied, emptied.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// All files below `folder`, sorted, without what npm installs.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            if entry.file_name() == "node_modules" {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Replaces `to` by what is in `from`.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    make_empty(to)?;
    for file in files(from)? {
        let copied = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(copied.parent().context("a file is in a folder")?)?;
        fs::copy(&file, &copied).with_context(|| format!("cannot copy {}", file.display()))?;
    }
    Ok(())
}

/// Makes the folder `to` another name for the folder `from`.
pub(crate) fn link(from: &Path, to: &Path) -> Result<()> {
    #[cfg(unix)]
    let linked = std::os::unix::fs::symlink(from, to);
    #[cfg(windows)]
    let linked = std::os::windows::fs::symlink_dir(from, to);
    linked.with_context(|| format!("cannot link {}", to.display()))
}

/// Gives every file below a folder one of two modes, regardless of the umask under which it was made.
pub(crate) fn set_modes(folder: &Path) -> Result<()> {
    #[cfg(unix)]
    for file in files(folder)? {
        use std::os::unix::fs::PermissionsExt;
        let is_program = fs::metadata(&file)?.permissions().mode() & 0o100 != 0;
        let mode = if is_program { 0o755 } else { 0o644 };
        fs::set_permissions(&file, fs::Permissions::from_mode(mode))
            .with_context(|| format!("cannot set the mode of {}", file.display()))?;
    }
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Removes what is there, of any kind.
pub(crate) fn make_empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

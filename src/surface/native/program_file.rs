//! The file of this program, and the one that the PATH has under its name.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The name of the program.
pub(super) const NAME: &str = "milepost";

/// The file of this program, where its path is text.
pub(super) fn own() -> Option<String> {
    let file = env::current_exe().ok()?;
    file.into_os_string().into_string().ok()
}

/// The first program of this name in an absolute folder of the PATH.
pub(super) fn on_path() -> Option<PathBuf> {
    let files = absolute_folders().into_iter();
    files
        .map(|folder| folder.join(NAME))
        .find(|it| is_program(it))
}

/// Returns whether a path is that of a regular file that may be executed.
pub(super) fn is_program(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

/// The PATH without the folders that depend on where a program is started; those of the system where no other is left,
/// because an empty PATH is the working folder.
pub(super) fn absolute_path() -> OsString {
    let folders = absolute_folders();
    let joined = env::join_paths(folders).unwrap_or_default();
    if joined.is_empty() {
        OsString::from("/usr/bin:/bin")
    } else {
        joined
    }
}

fn absolute_folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.collect()
}

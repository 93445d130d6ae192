//! The file of this program, and the one that the PATH has under its name.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::system::{PROGRAM_FOLDERS, is_executable};

/// The name of the program.
pub(super) const NAME: &str = "milepost";

/// The file of this program, where its path is text: as shells read it, which on Windows start it without its ending.
pub(super) fn own() -> Option<String> {
    let file = env::current_exe().ok()?;
    let file = file.into_os_string().into_string().ok()?;
    if !cfg!(windows) {
        return Some(file);
    }
    let file = file.replace('\\', "/");
    Some(file.trim_end_matches(env::consts::EXE_SUFFIX).to_owned())
}

/// The first program of this name in an absolute folder of the PATH.
pub(super) fn on_path() -> Option<PathBuf> {
    let files = absolute_folders().into_iter();
    let name = format!("{NAME}{}", env::consts::EXE_SUFFIX);
    files
        .map(|folder| folder.join(&name))
        .find(|it| is_program(it))
}

/// Returns whether a path is that of a regular file that may be executed.
pub(super) fn is_program(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|it| it.is_file() && is_executable(&it))
}

/// The PATH without the folders that depend on where a program is started; those of the system where no other is left,
/// because an empty PATH is the working folder.
pub(super) fn absolute_path() -> OsString {
    let folders = absolute_folders();
    let joined = env::join_paths(folders).unwrap_or_default();
    if joined.is_empty() {
        OsString::from(PROGRAM_FOLDERS)
    } else {
        joined
    }
}

fn absolute_folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.collect()
}

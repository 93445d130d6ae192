//! The file of this program, and the one that the PATH has under its name.

use std::env;
use std::path::PathBuf;

/// The name of the program.
pub(super) const NAME: &str = "milepost";

/// The file of this program, where its path is text.
pub(super) fn own() -> Option<String> {
    let file = env::current_exe().ok()?;
    file.into_os_string().into_string().ok()
}

/// The first file of this name in an absolute folder of the PATH.
pub(super) fn on_path() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let files = env::split_paths(&path).filter(|folder| folder.is_absolute());
    files.map(|folder| folder.join(NAME)).find(|it| it.exists())
}

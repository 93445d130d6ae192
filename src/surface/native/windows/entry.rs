//! Looks at paths and folders.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::path::{self, Path};

use super::super::facts::{FileStatus, ms_of_units, text};
use super::super::fault::{Result, of};
use super::fault::{ERROR_ACCESS_DENIED, SystemError, failed, is_absent};
use crate::effect::{Failed, Fault, Outcome, PathKind};

/// CreateFile: a folder may be opened, and what stands there and not what it leads to.
pub(super) const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const FILE_READ_ATTRIBUTES: u32 = 0x80;

/// The look at a path that follows no link in its last part.
pub(in super::super) fn look(path: &str) -> std::result::Result<FileStatus, SystemError> {
    facts(&opened_to_look(Path::new(path))?)
}

fn opened_to_look(path: &Path) -> std::io::Result<File> {
    OpenOptions::new()
        .access_mode(FILE_READ_ATTRIBUTES)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT)
        .open(path)
}

/// The facts of what was opened. Windows tells the standard library no time of a change beside that of the content.
pub(super) fn facts(file: &File) -> std::result::Result<FileStatus, SystemError> {
    let found = file.metadata()?;
    let number = winapi_util::file::information(file)?.file_index();
    let modified_ms = ms_of_units(found.last_write_time());
    Ok(FileStatus {
        kind: kind(&found),
        size: found.len(),
        mode: None,
        modified_ms,
        changed_ms: modified_ms.max(ms_of_units(found.creation_time())),
        number,
    })
}

fn kind(found: &Metadata) -> PathKind {
    let kind = found.file_type();
    if kind.is_symlink() {
        PathKind::Symlink
    } else if kind.is_dir() {
        PathKind::Folder
    } else if kind.is_file() {
        PathKind::File
    } else {
        PathKind::Other
    }
}

/// The search ends at the top: nothing is out of sight here.
pub(in super::super) fn ascend(from: &str, name: &str) -> Result<Outcome> {
    // Without `..`, as Windows does it.
    let start = path::absolute(from).map_err(failed)?;
    for folder in start.ancestors() {
        let found = look(&text(folder.join(name))?);
        let kind = found.map_or_else(|error| kind_of_failure(&error), |found| found.kind);
        if kind == PathKind::Absent {
            continue;
        }
        // They are ancestors of the path.
        let below = start.strip_prefix(folder).unwrap_or(Path::new(""));
        return Ok(Outcome::Found {
            folder: text(folder.to_owned())?,
            below: text(below.to_owned())?.replace('\\', "/"),
            kind,
        });
    }
    Err(of(
        Fault::NotFound,
        format!("no {name} in any folder above"),
    ))
}

/// The kind that a look which failed leaves to be known.
pub(in super::super) fn kind_of_failure(error: &SystemError) -> PathKind {
    if is_absent(error) {
        PathKind::Absent
    } else if error.raw_os_error() == Some(ERROR_ACCESS_DENIED) {
        PathKind::Denied
    } else {
        PathKind::Other
    }
}

/// Hands over each name in a folder, with the look at it, as long as `take` wants more. A symbolic link in the last
/// part of the path is refused; `folder/.` is what a link leads to.
pub(in super::super) fn each_name(
    path: &str,
    mut take: impl FnMut(&OsStr, &dyn Fn() -> std::result::Result<FileStatus, SystemError>) -> bool,
) -> Result<()> {
    if !path.ends_with("/.") && look(path).map_err(failed)?.kind == PathKind::Symlink {
        return Err(linked());
    }
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let look = || facts(&opened_to_look(&entry.path())?);
        if !take(&entry.file_name(), &look) {
            break;
        }
    }
    Ok(())
}

/// The fault at a link that is not to be followed.
fn linked() -> Failed {
    of(Fault::Symlink, "ELOOP: a symbolic link".to_owned())
}

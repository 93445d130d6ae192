//! Openings of files, and what is asked of them.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, OpenOptionsExt};

use super::super::facts::FileStatus;
use super::super::fault::{Result, of};
use super::entry::{FILE_FLAG_BACKUP_SEMANTICS, facts, look};
use super::fault::{ERROR_CANT_RESOLVE_FILENAME, ERROR_INVALID_FUNCTION, SystemError, failed};
use crate::effect::{Access, Fault, Links, Outcome, PathKind};

/// A file that was replaced so often between two looks at it is no ordinary one.
const REPLACEMENTS: u32 = 100;

/// Opens something that exists, to read it. A folder can be opened too, so that its kind is seen.
pub(in super::super) fn open_existing(
    path: &str,
    links: Links,
) -> std::result::Result<File, SystemError> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    match links {
        Links::Follow => options.open(path),
        Links::Refuse => open_unlinked(path, &options),
    }
}

/// Opens something that exists and is no link, to add to it.
pub(in super::super) fn open_addition(path: &str) -> std::result::Result<File, SystemError> {
    open_unlinked(path, OpenOptions::new().append(true))
}

/// The file that was opened must be the one that stood there just before: no flag refuses a link and opens what else
/// has a tag, such as a file that a cloud keeps.
fn open_unlinked(path: &str, options: &OpenOptions) -> std::result::Result<File, SystemError> {
    for _ in 0..REPLACEMENTS {
        let expected = look(path)?;
        if expected.kind == PathKind::Symlink {
            break;
        }
        if expected.kind == PathKind::Folder {
            // Windows denies access, as to a file that another process has open.
            return Err(io::Error::from_raw_os_error(ERROR_INVALID_FUNCTION));
        }
        let file = options.open(path)?;
        if facts(&file)?.number == expected.number {
            return Ok(file);
        }
        // Replaced in between, as a commit does.
    }
    Err(io::Error::from_raw_os_error(ERROR_CANT_RESOLVE_FILENAME))
}

/// The look at what was opened.
pub(in super::super) fn status(file: &File) -> Result<FileStatus> {
    facts(file).map_err(failed)
}

pub(in super::super) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(bytes, offset)
}

pub(in super::super) fn create_new(path: &str, _: Access) -> Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    file.map_err(failed)
}

pub(in super::super) fn sync_folder(_: &str) -> Result<Outcome> {
    Err(of(
        Fault::Unsupported,
        "folders cannot be synced".to_owned(),
    ))
}

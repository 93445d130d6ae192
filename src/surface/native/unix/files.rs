//! Openings of files, and what is asked of a descriptor.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use rustix::fs::{self, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use super::super::facts::FileStatus;
use super::super::fault::Result;
use super::entry::{facts, no_follow, open_folder};
use super::fault::{failed, failed_unless, io_failed};
use crate::effect::{Access, Links, Outcome};

/// Opens something that exists. No program that is started later has the descriptor.
pub(super) fn open(path: &str, access: OFlags, links: Links) -> std::result::Result<File, Errno> {
    let flags = access | OFlags::NONBLOCK | OFlags::CLOEXEC | no_follow(links);
    retry_on_intr(|| fs::open(path, flags, Mode::empty())).map(File::from)
}

/// Opens something that exists, to read it.
pub(in super::super) fn open_existing(
    path: &str,
    links: Links,
) -> std::result::Result<File, Errno> {
    open(path, OFlags::RDONLY, links)
}

/// Opens something that exists and is no link, to add to it.
pub(in super::super) fn open_addition(path: &str) -> std::result::Result<File, Errno> {
    open(path, OFlags::WRONLY | OFlags::APPEND, Links::Refuse)
}

/// The look at what was opened.
pub(in super::super) fn status(file: &File) -> Result<FileStatus> {
    let found = fs::fstat(file).map_err(failed)?;
    Ok(facts(&found))
}

pub(in super::super) fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(bytes, offset)
}

pub(in super::super) fn create_new(path: &str, access: Access) -> Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    // The system takes away what the umask says.
    let mode = Mode::from_raw_mode(match access {
        Access::Owner => 0o600,
        Access::Shared => 0o666,
    });
    let file = retry_on_intr(|| fs::open(path, flags, mode)).map_err(failed)?;
    Ok(File::from(file))
}

pub(in super::super) fn sync_folder(path: &str) -> Result<Outcome> {
    // The root may be a link that the user named.
    let folder = File::from(open_folder(path, Links::Follow)?);
    let synced = folder.sync_all();
    synced.map(|()| Outcome::Done).map_err(|error| {
        // fsync(2): EINVAL where the file system cannot sync a folder.
        let unsupported = |errno| failed_unless(&[Errno::INVAL], errno);
        Errno::from_io_error(&error).map_or_else(|| io_failed(error), unsupported)
    })
}

//! Effects on the content of files. Nothing is opened through a symbolic link that the core did not allow, and no
//! opening waits for the other end of a FIFO.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::FileExt;

use rustix::fs::{self, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use crate::effect::{Access, Links, Outcome, PathKind, Sync};

use super::entry::{FileStatus, no_follow, open_folder};
use super::fault::{Result, failed, failed_unless, io_failed, irregular, too_large};

/// Opens something that exists. No program that is started later has the descriptor.
pub(super) fn open(path: &str, access: OFlags, links: Links) -> std::result::Result<File, Errno> {
    let flags = access | OFlags::NONBLOCK | OFlags::CLOEXEC | no_follow(links);
    retry_on_intr(|| fs::open(path, flags, Mode::empty())).map(File::from)
}

/// The look at what was opened.
pub(super) fn status(file: &File) -> Result<FileStatus> {
    let found = fs::fstat(file).map_err(failed)?;
    Ok(FileStatus::new(&found))
}

/// Opens a regular file, and says how many bytes it has.
fn open_regular(path: &str, access: OFlags, links: Links) -> Result<(File, u64)> {
    let file = open(path, access, links).map_err(failed)?;
    let found = status(&file)?;
    match found.kind {
        PathKind::File => Ok((file, found.size)),
        _ => Err(irregular()),
    }
}

pub(super) fn read(path: &str, limit: u32, links: Links) -> Result<Outcome> {
    let (file, size) = open_regular(path, OFlags::RDONLY, links)?;
    if size > limit.into() {
        return Err(too_large(limit));
    }
    // One byte more than expected shows in one read that the end was reached.
    let mut bytes = Vec::with_capacity(size as usize + 1);
    let most = u64::from(limit) + 1;
    file.take(most).read_to_end(&mut bytes).map_err(io_failed)?;
    match bytes.len() > limit as usize {
        true => Err(too_large(limit)),
        false => Ok(Outcome::Bytes(bytes)),
    }
}

pub(super) fn part(path: &str, offset: u64, length: u32, links: Links) -> Result<Outcome> {
    let (file, size) = open_regular(path, OFlags::RDONLY, links)?;
    let length = u64::from(length).min(size.saturating_sub(offset));
    let mut bytes = vec![0; length as usize];
    let mut got = 0;
    while got < bytes.len() {
        match file.read_at(&mut bytes[got..], offset + got as u64) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(io_failed(error)),
        }
    }
    bytes.truncate(got);
    Ok(Outcome::Bytes(bytes))
}

pub(super) fn create(path: &str, bytes: &[u8], sync: Sync, access: Access) -> Result<Outcome> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    // The system takes away what the umask says.
    let mode = Mode::from_raw_mode(match access {
        Access::Owner => 0o600,
        Access::Shared => 0o666,
    });
    let file = retry_on_intr(|| fs::open(path, flags, mode)).map_err(failed)?;
    write(&File::from(file), bytes, sync)
}

pub(super) fn append(path: &str, bytes: &[u8], sync: Sync) -> Result<Outcome> {
    let access = OFlags::WRONLY | OFlags::APPEND;
    let (file, _) = open_regular(path, access, Links::Refuse)?;
    write(&file, bytes, sync)
}

/// Writes all of these bytes. Before the answer they are where the system promises to keep them: on macOS that is more
/// than `fsync`, as the standard library knows.
fn write(mut file: &File, bytes: &[u8], sync: Sync) -> Result<Outcome> {
    file.write_all(bytes).map_err(io_failed)?;
    if sync == Sync::Durable {
        file.sync_all().map_err(io_failed)?;
    }
    Ok(Outcome::Done)
}

pub(super) fn sync_folder(path: &str) -> Result<Outcome> {
    // The root may be a link that the user named.
    let folder = File::from(open_folder(path, Links::Follow)?);
    let synced = folder.sync_all();
    synced.map(|()| Outcome::Done).map_err(|error| {
        // fsync(2): EINVAL where the file system cannot sync a folder.
        let unsupported = |errno| failed_unless(&[Errno::INVAL], errno);
        Errno::from_io_error(&error).map_or_else(|| io_failed(error), unsupported)
    })
}

//! Looks at paths and folders. Nothing is opened but the folder that is listed.

use std::ffi::{CStr, OsStr};
#[cfg(any(target_os = "linux", target_os = "android"))]
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path;

#[cfg(any(target_os = "linux", target_os = "android"))]
use rustix::fs::RawDir;
use rustix::fs::{self, AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use super::super::facts::{FileStatus, folded, ms_of, text};
use super::super::fault::Result;
use super::fault::{failed, io_failed};
use crate::effect::{Failed, Fault, Links, Outcome, PathKind};

const PERMISSION_BITS: u32 = 0o7777;
/// The bytes of names that one call may give.
#[cfg(any(target_os = "linux", target_os = "android"))]
const LISTED_BYTES: usize = 32 * 1024;

/// The facts of a look, of the same types on every system.
// Systems differ in the types of these members.
#[allow(clippy::unnecessary_cast)]
pub(super) fn facts(found: &fs::Stat) -> FileStatus {
    let kind = match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => PathKind::File,
        FileType::Directory => PathKind::Folder,
        FileType::Symlink => PathKind::Symlink,
        _ => PathKind::Other,
    };
    FileStatus {
        kind,
        size: found.st_size as u64,
        mode: Some(found.st_mode as u32 & PERMISSION_BITS),
        modified_ms: ms_of(found.st_mtime as i64, found.st_mtime_nsec as i64),
        changed_ms: ms_of(found.st_ctime as i64, found.st_ctime_nsec as i64),
        number: found.st_ino as u64,
    }
}

/// The look at a path that follows no link in its last part.
pub(in super::super) fn look(path: &str) -> std::result::Result<FileStatus, Errno> {
    fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW).map(|found| facts(&found))
}

/// The search ends at the top: nothing is out of sight here.
pub(in super::super) fn ascend(from: &str, name: &str) -> Result<Outcome> {
    let start = path::absolute(from).map_err(io_failed)?;
    let start = text(folded(&start))?;
    let mut folder = start.as_str();
    loop {
        let at_top = folder == "/";
        let found = look(&match at_top {
            true => format!("/{name}"),
            false => format!("{folder}/{name}"),
        });
        let kind = found.map_or_else(|errno| kind_of_failure(&errno), |found| found.kind);
        if kind != PathKind::Absent {
            let below = start[folder.len()..].trim_start_matches('/');
            return Ok(Outcome::Found {
                folder: folder.to_owned(),
                below: below.to_owned(),
                kind,
            });
        }
        if at_top {
            return Err(Failed {
                effect: "",
                fault: Fault::NotFound,
                detail: format!("no {name} in any folder above"),
            });
        }
        folder = match folder.rfind('/') {
            Some(at) if at > 0 => &folder[..at],
            _ => "/",
        };
    }
}

/// The kind that a look which failed leaves to be known.
pub(in super::super) fn kind_of_failure(errno: &Errno) -> PathKind {
    match *errno {
        Errno::NOENT | Errno::NOTDIR => PathKind::Absent,
        Errno::ACCESS | Errno::PERM => PathKind::Denied,
        _ => PathKind::Other,
    }
}

fn is_link(path: &str) -> bool {
    look(path).is_ok_and(|found| found.kind == PathKind::Symlink)
}

/// Hands over each name in a folder, with the look at it from the folder that is open, as long as `take` wants more. A
/// symbolic link in the last part of the path is refused by the opening; `folder/.` is what a link leads to.
pub(in super::super) fn each_name(
    path: &str,
    mut take: impl FnMut(&OsStr, &dyn Fn() -> std::result::Result<FileStatus, Errno>) -> bool,
) -> Result<()> {
    let folder = open_folder(path, Links::Refuse)?;
    let folder = folder.as_fd();
    let mut take = |name: &CStr| {
        let look = || {
            let found = fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
            found.map(|found| facts(&found))
        };
        let is_own = matches!(name.to_bytes(), b"." | b"..");
        is_own || take(OsStr::from_bytes(name.to_bytes()), &look)
    };
    each_entry(folder, &mut take).map_err(failed)
}

/// One call for as many names as a folder of a project has, and one that says that there are no more.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn each_entry(
    folder: BorrowedFd<'_>,
    take: &mut dyn FnMut(&CStr) -> bool,
) -> std::result::Result<(), Errno> {
    let mut buffer = [const { MaybeUninit::uninit() }; LISTED_BYTES];
    let mut names = RawDir::new(folder, &mut buffer);
    loop {
        match names.next() {
            // Of a folder that was removed since it was opened, the system says that it is not there.
            None | Some(Err(Errno::NOENT)) => return Ok(()),
            Some(Err(Errno::INTR)) => {}
            Some(entry) => {
                if !take(entry?.file_name()) {
                    return Ok(());
                }
            }
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn each_entry(
    folder: BorrowedFd<'_>,
    take: &mut dyn FnMut(&CStr) -> bool,
) -> std::result::Result<(), Errno> {
    for entry in rustix::fs::Dir::read_from(folder)? {
        if !take(entry?.file_name()) {
            break;
        }
    }
    Ok(())
}

pub(super) fn open_folder(path: &str, links: Links) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | no_follow(links);
    let opened = retry_on_intr(|| fs::open(path, flags, Mode::empty()));
    opened.map_err(|errno| match errno {
        // open(2): of the two refusals of a link, the one of a folder comes first.
        Errno::NOTDIR if links == Links::Refuse && is_link(path) => failed(Errno::LOOP),
        errno => failed(errno),
    })
}

/// The flag of an opening that follows no link.
pub(super) fn no_follow(links: Links) -> OFlags {
    match links {
        Links::Follow => OFlags::empty(),
        Links::Refuse => OFlags::NOFOLLOW,
    }
}

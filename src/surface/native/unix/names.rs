//! Effects on the names of files and folders.

use rustix::fs::{self, AtFlags, CWD, Mode};
use rustix::io::Errno;

use super::super::fault::{Result, of};
use super::fault::{failed, failed_unless};
use crate::effect::{Access, Fault, Outcome};

pub(in super::super) fn make_folder(path: &str, access: Access) -> Result<Outcome> {
    let mode = Mode::from_raw_mode(match access {
        Access::Owner => 0o700,
        Access::Shared => 0o777,
    });
    done(fs::mkdirat(CWD, path, mode))
}

pub(in super::super) fn rename(from: &str, to: &str) -> Result<Outcome> {
    done(fs::renameat(CWD, from, CWD, to))
}

/// A second name of what stands there, of a symbolic link too.
pub(in super::super) fn link(from: &str, to: &str) -> Result<Outcome> {
    let linked = fs::linkat(CWD, from, CWD, to, AtFlags::empty());
    // link(2): EPERM where the file system has no hard links, EMLINK where it has no more.
    let unsupported = |errno| failed_unless(&[Errno::PERM, Errno::MLINK], errno);
    linked.map(|()| Outcome::Done).map_err(unsupported)
}

pub(in super::super) fn remove(path: &str) -> Result<Outcome> {
    done(fs::unlinkat(CWD, path, AtFlags::empty()))
}

pub(in super::super) fn remove_folder(path: &str) -> Result<Outcome> {
    done(fs::unlinkat(CWD, path, AtFlags::REMOVEDIR))
}

pub(in super::super) fn symlink(path: &str, target: &[u8]) -> Result<Outcome> {
    let made = fs::symlinkat(target, CWD, path);
    // symlink(2): EPERM where the file system has no symbolic links.
    let unsupported = |errno| failed_unless(&[Errno::PERM], errno);
    made.map(|()| Outcome::Done).map_err(unsupported)
}

pub(in super::super) fn read_link(path: &str) -> Result<Outcome> {
    match fs::readlinkat(CWD, path, Vec::new()) {
        Ok(target) => Ok(Outcome::Bytes(target.into_bytes())),
        // readlink(2): EINVAL where no link stands.
        Err(Errno::INVAL) => Err(of(
            Fault::WrongKind,
            "EINVAL: not a symbolic link".to_owned(),
        )),
        Err(errno) => Err(failed(errno)),
    }
}

fn done(result: rustix::io::Result<()>) -> Result<Outcome> {
    result.map(|()| Outcome::Done).map_err(failed)
}

//! Effects on permission bits. Through a descriptor: a path could lead to a link by the time that its mode is changed.

use std::fs::File;

use rustix::fs::{self, Mode, OFlags};
use rustix::io::Errno;

use super::super::facts::FileStatus;
use super::super::fault::{Result, irregular, of};
use super::fault::failed;
use super::files::{open, status};
use crate::effect::{Fault, Links, Outcome, PathKind};

const OWNER_BITS: u32 = 0o700;
const READ_BITS: u32 = 0o444;
const EXECUTE_BITS: u32 = 0o111;
const NINE_BITS: u32 = 0o777;

pub(in super::super) fn restrict(path: &str) -> Result<Outcome> {
    let file = open(path, OFlags::RDONLY, Links::Refuse).map_err(failed)?;
    let found = status(&file)?;
    if !matches!(found.kind, PathKind::File | PathKind::Folder) {
        return Err(of(Fault::WrongKind, "not a file or folder".to_owned()));
    }
    // A bit that the owner does not have stays off.
    change(&file, bits_of(&found) & OWNER_BITS)
}

/// The bits beyond the nine stay as they are.
pub(in super::super) fn set_mode(
    path: &str,
    is_executable: bool,
    bits: Option<u32>,
) -> Result<Outcome> {
    let file = match (open(path, OFlags::RDONLY, Links::Refuse), bits) {
        (Ok(file), _) => file,
        (Err(Errno::ACCESS), Some(bits)) => return set_unreadable(path, bits),
        (Err(errno), _) => return Err(failed(errno)),
    };
    let found = status(&file)?;
    let mode = bits_of(&found);
    match (found.kind, bits) {
        (PathKind::File | PathKind::Folder, Some(bits)) => {
            change(&file, (mode & !NINE_BITS) | bits)
        }
        (PathKind::File, None) if is_executable => change(&file, mode | ((mode & READ_BITS) >> 2)),
        (PathKind::File, None) => change(&file, mode & !EXECUTE_BITS),
        _ => Err(irregular()),
    }
}

/// The permission bits, which every look of Unix has.
fn bits_of(found: &FileStatus) -> u32 {
    found.mode.unwrap_or_default()
}

fn change(file: &File, mode: u32) -> Result<Outcome> {
    let changed = fs::fchmod(file, Mode::from_bits_retain(mode as fs::RawMode));
    changed.map(|()| Outcome::Done).map_err(failed)
}

/// Gives the nine bits to what its owner may not read: a descriptor that opens nothing names it.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn set_unreadable(path: &str, bits: u32) -> Result<Outcome> {
    use std::os::fd::AsRawFd;

    let file = open(path, OFlags::PATH, Links::Refuse).map_err(failed)?;
    let found = status(&file)?;
    if !matches!(found.kind, PathKind::File | PathKind::Folder) {
        return Err(irregular());
    }
    // Such a descriptor takes no mode itself, and its name leads to what it is of.
    let name = format!("/proc/self/fd/{}", file.as_raw_fd());
    let mode = Mode::from_bits_retain((bits_of(&found) & !NINE_BITS) | bits);
    let changed = fs::chmod(name, mode);
    changed.map(|()| Outcome::Done).map_err(failed)
}

/// No other system has such descriptors.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn set_unreadable(_: &str, _: u32) -> Result<Outcome> {
    Err(failed(Errno::ACCESS))
}

//! Effects on the names of files and folders, and on modes, which there are not.

use std::fs;
use std::os::windows::fs::{FileTypeExt, symlink_dir, symlink_file};
use std::path::Path;

use super::super::facts::text;
use super::super::fault::{Result, not_text, of};
use super::fault::{
    ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED, ERROR_PRIVILEGE_NOT_HELD, ERROR_TOO_MANY_LINKS,
    SystemError, failed, failed_unless,
};
use crate::effect::{Access, Fault, Outcome};

pub(in super::super) fn make_folder(path: &str, _: Access) -> Result<Outcome> {
    done(fs::create_dir(path))
}

pub(in super::super) fn rename(from: &str, to: &str) -> Result<Outcome> {
    done(fs::rename(from, to))
}

pub(in super::super) fn link(from: &str, to: &str) -> Result<Outcome> {
    let unsupported = [
        ERROR_INVALID_FUNCTION,
        ERROR_NOT_SUPPORTED,
        ERROR_TOO_MANY_LINKS,
    ];
    let linked = fs::hard_link(from, to);
    linked
        .map(|()| Outcome::Done)
        .map_err(|error| failed_unless(&unsupported, error))
}

pub(in super::super) fn remove(path: &str) -> Result<Outcome> {
    // A link to a folder is one to Windows.
    let kind = fs::symlink_metadata(path).map(|found| found.file_type());
    done(match kind {
        Ok(kind) if kind.is_symlink_dir() => fs::remove_dir(path),
        _ => fs::remove_file(path),
    })
}

pub(in super::super) fn remove_folder(path: &str) -> Result<Outcome> {
    done(fs::remove_dir(path))
}

/// Windows has a kind of link for folders, and follows no `/` in a target.
pub(in super::super) fn symlink(path: &str, target: &[u8]) -> Result<Outcome> {
    let target = std::str::from_utf8(target).map_err(|_| not_text())?;
    let target = target.replace('/', "\\");
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let made = match folder.join(&target).is_dir() {
        true => symlink_dir(&target, path),
        false => symlink_file(&target, path),
    };
    made.map(|()| Outcome::Done)
        .map_err(|error| failed_unless(&[ERROR_PRIVILEGE_NOT_HELD], error))
}

/// Node and git put a `\` in place of each `/` there.
pub(in super::super) fn read_link(path: &str) -> Result<Outcome> {
    let found = fs::symlink_metadata(path).map_err(failed)?;
    if !found.is_symlink() {
        return Err(of(
            Fault::WrongKind,
            "EINVAL: not a symbolic link".to_owned(),
        ));
    }
    let target = text(fs::read_link(path).map_err(failed)?)?;
    Ok(Outcome::Bytes(target.replace('\\', "/").into_bytes()))
}

pub(in super::super) fn restrict(_: &str) -> Result<Outcome> {
    no_modes()
}

pub(in super::super) fn set_mode(_: &str, _: bool, _: Option<u32>) -> Result<Outcome> {
    no_modes()
}

fn no_modes() -> Result<Outcome> {
    Err(of(Fault::Unsupported, "there are no modes".to_owned()))
}

fn done(result: std::result::Result<(), SystemError>) -> Result<Outcome> {
    result.map(|()| Outcome::Done).map_err(failed)
}

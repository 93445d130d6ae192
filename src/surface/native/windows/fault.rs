//! The errors of Windows, by their numbers: the names are those that libuv, and so Node, has for them.

/// An error of a system call.
pub(in super::super) use std::io::Error as SystemError;

use super::super::fault::{of, other};
use crate::effect::{Failed, Fault};

/// winerror.h
pub(super) const ERROR_INVALID_FUNCTION: i32 = 1;
const ERROR_FILE_NOT_FOUND: i32 = 2;
const ERROR_PATH_NOT_FOUND: i32 = 3;
const ERROR_TOO_MANY_OPEN_FILES: i32 = 4;
pub(super) const ERROR_ACCESS_DENIED: i32 = 5;
const ERROR_NOT_SAME_DEVICE: i32 = 17;
const ERROR_WRITE_PROTECT: i32 = 19;
const ERROR_SHARING_VIOLATION: i32 = 32;
const ERROR_LOCK_VIOLATION: i32 = 33;
const ERROR_HANDLE_DISK_FULL: i32 = 39;
pub(super) const ERROR_NOT_SUPPORTED: i32 = 50;
const ERROR_FILE_EXISTS: i32 = 80;
const ERROR_BROKEN_PIPE: i32 = 109;
const ERROR_DISK_FULL: i32 = 112;
const ERROR_INVALID_NAME: i32 = 123;
const ERROR_DIR_NOT_EMPTY: i32 = 145;
const ERROR_BAD_PATHNAME: i32 = 161;
const ERROR_ALREADY_EXISTS: i32 = 183;
const ERROR_FILENAME_EXCED_RANGE: i32 = 206;
const ERROR_NO_DATA: i32 = 232;
const ERROR_DIRECTORY: i32 = 267;
pub(super) const ERROR_TOO_MANY_LINKS: i32 = 1142;
pub(super) const ERROR_PRIVILEGE_NOT_HELD: i32 = 1314;
/// Here a link where none may be as well.
pub(super) const ERROR_CANT_RESOLVE_FILENAME: i32 = 1921;

/// The error of a system call, in the words that other hosts have for it.
pub(in super::super) fn failed(error: SystemError) -> Failed {
    let number = error.raw_os_error();
    match TABLE.iter().find(|(known, _, _)| Some(*known) == number) {
        Some((_, fault, detail)) => of(*fault, (*detail).to_owned()),
        None => other(error.to_string()),
    }
}

/// The error of a system call to which some errors mean that there is no such thing here.
pub(super) fn failed_unless(unsupported: &[i32], error: SystemError) -> Failed {
    match error.raw_os_error() {
        Some(number) if unsupported.contains(&number) => Failed {
            fault: Fault::Unsupported,
            ..failed(error)
        },
        _ => failed(error),
    }
}

/// Returns whether nothing stands at a path, or in the folder of it.
pub(super) fn is_absent(error: &SystemError) -> bool {
    let numbers = [ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND];
    let other = [ERROR_INVALID_NAME, ERROR_BAD_PATHNAME, ERROR_DIRECTORY];
    error
        .raw_os_error()
        .is_some_and(|number| numbers.contains(&number) || other.contains(&number))
}

const NOT_FOUND: &str = "ENOENT: no such file or directory";
const EXISTS: &str = "EEXIST: file already exists";
const NO_SPACE: &str = "ENOSPC: no space left on device";
const BUSY: &str = "EBUSY: resource busy or locked";
const NOT_PERMITTED: &str = "EPERM: operation not permitted";

/// A file that another process has open is refused by any of three errors.
const TABLE: &[(i32, Fault, &str)] = &[
    (ERROR_FILE_NOT_FOUND, Fault::NotFound, NOT_FOUND),
    (ERROR_PATH_NOT_FOUND, Fault::NotFound, NOT_FOUND),
    (ERROR_INVALID_NAME, Fault::NotFound, NOT_FOUND),
    (ERROR_BAD_PATHNAME, Fault::NotFound, NOT_FOUND),
    (ERROR_FILE_EXISTS, Fault::Exists, EXISTS),
    (ERROR_ALREADY_EXISTS, Fault::Exists, EXISTS),
    (ERROR_ACCESS_DENIED, Fault::Sharing, NOT_PERMITTED),
    (ERROR_PRIVILEGE_NOT_HELD, Fault::Sharing, NOT_PERMITTED),
    (ERROR_SHARING_VIOLATION, Fault::Sharing, BUSY),
    (ERROR_LOCK_VIOLATION, Fault::Sharing, BUSY),
    (
        ERROR_CANT_RESOLVE_FILENAME,
        Fault::Symlink,
        "ELOOP: too many symbolic links encountered",
    ),
    (
        ERROR_INVALID_FUNCTION,
        Fault::WrongKind,
        "EISDIR: illegal operation on a directory",
    ),
    (
        ERROR_DIRECTORY,
        Fault::WrongKind,
        "ENOTDIR: not a directory",
    ),
    (ERROR_DISK_FULL, Fault::NoSpace, NO_SPACE),
    (ERROR_HANDLE_DISK_FULL, Fault::NoSpace, NO_SPACE),
    (
        ERROR_NOT_SUPPORTED,
        Fault::Unsupported,
        "ENOTSUP: operation not supported",
    ),
    (ERROR_BROKEN_PIPE, Fault::Closed, "EPIPE: broken pipe"),
    (ERROR_NO_DATA, Fault::Closed, "EPIPE: broken pipe"),
    (
        ERROR_WRITE_PROTECT,
        Fault::Other,
        "EROFS: read-only file system",
    ),
    (
        ERROR_FILENAME_EXCED_RANGE,
        Fault::Other,
        "ENAMETOOLONG: name too long",
    ),
    (
        ERROR_NOT_SAME_DEVICE,
        Fault::Other,
        "EXDEV: cross-device link not permitted",
    ),
    (ERROR_TOO_MANY_LINKS, Fault::Other, "EMLINK: too many links"),
    (
        ERROR_DIR_NOT_EMPTY,
        Fault::Other,
        "ENOTEMPTY: directory not empty",
    ),
    (
        ERROR_TOO_MANY_OPEN_FILES,
        Fault::Other,
        "EMFILE: too many open files",
    ),
];

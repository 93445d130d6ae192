//! The errors of Unix.

use std::io;

use rustix::io::Errno;
/// An error of a system call.
pub(in super::super) use rustix::io::Errno as SystemError;

use super::super::fault::{of, other};
use crate::effect::{Failed, Fault};

/// The error of a system call, in the words that other hosts have for it.
pub(in super::super) fn failed(errno: Errno) -> Failed {
    match TABLE.iter().find(|(known, _, _)| *known == errno) {
        Some((_, fault, detail)) => of(*fault, (*detail).to_owned()),
        None => other(io::Error::from_raw_os_error(errno.raw_os_error()).to_string()),
    }
}

/// The error of a system call to which some errors mean that there is no such thing here.
pub(super) fn failed_unless(unsupported: &[Errno], errno: Errno) -> Failed {
    match unsupported.contains(&errno) {
        true => Failed {
            fault: Fault::Unsupported,
            ..failed(errno)
        },
        false => failed(errno),
    }
}

/// The error of the standard library, which has it from the system.
pub(in super::super) fn io_failed(error: io::Error) -> Failed {
    match Errno::from_io_error(&error) {
        Some(errno) => failed(errno),
        None => other(error.to_string()),
    }
}

/// The errors that have a name on every host. A search among so few is as fast as a failure has to be.
const TABLE: &[(Errno, Fault, &str)] = &[
    (
        Errno::NOENT,
        Fault::NotFound,
        "ENOENT: no such file or directory",
    ),
    (Errno::EXIST, Fault::Exists, "EEXIST: file already exists"),
    (
        Errno::LOOP,
        Fault::Symlink,
        "ELOOP: too many symbolic links encountered",
    ),
    (
        Errno::ISDIR,
        Fault::WrongKind,
        "EISDIR: illegal operation on a directory",
    ),
    (Errno::NOTDIR, Fault::WrongKind, "ENOTDIR: not a directory"),
    // A socket, or a FIFO without a reader.
    (
        Errno::NXIO,
        Fault::WrongKind,
        "ENXIO: no such device or address",
    ),
    (
        Errno::NOSPC,
        Fault::NoSpace,
        "ENOSPC: no space left on device",
    ),
    (Errno::DQUOT, Fault::NoSpace, "EDQUOT: disk quota exceeded"),
    // ENOTSUP has the same number on some systems.
    (
        Errno::OPNOTSUPP,
        Fault::Unsupported,
        "ENOTSUP: operation not supported",
    ),
    (
        Errno::NOTSUP,
        Fault::Unsupported,
        "ENOTSUP: operation not supported",
    ),
    (
        Errno::NOSYS,
        Fault::Unsupported,
        "ENOSYS: function not implemented",
    ),
    (Errno::ACCESS, Fault::Denied, "EACCES: permission denied"),
    (Errno::PERM, Fault::Denied, "EPERM: operation not permitted"),
    (Errno::PIPE, Fault::Closed, "EPIPE: broken pipe"),
    (Errno::ROFS, Fault::Other, "EROFS: read-only file system"),
    (Errno::FBIG, Fault::Other, "EFBIG: file too large"),
    (
        Errno::NAMETOOLONG,
        Fault::Other,
        "ENAMETOOLONG: name too long",
    ),
    (Errno::ILSEQ, Fault::Other, "EILSEQ: illegal byte sequence"),
    (
        Errno::XDEV,
        Fault::Other,
        "EXDEV: cross-device link not permitted",
    ),
    (Errno::MLINK, Fault::Other, "EMLINK: too many links"),
    (
        Errno::NOTEMPTY,
        Fault::Other,
        "ENOTEMPTY: directory not empty",
    ),
    (Errno::BUSY, Fault::Other, "EBUSY: resource busy or locked"),
    (Errno::TXTBSY, Fault::Other, "ETXTBSY: text file is busy"),
    (Errno::NOMEM, Fault::Other, "ENOMEM: not enough memory"),
    (Errno::INVAL, Fault::Other, "EINVAL: invalid argument"),
    (Errno::BADF, Fault::Other, "EBADF: bad file descriptor"),
    (Errno::MFILE, Fault::Other, "EMFILE: too many open files"),
    (Errno::NFILE, Fault::Other, "ENFILE: file table overflow"),
    (Errno::NODEV, Fault::Other, "ENODEV: no such device"),
    (Errno::IO, Fault::Other, "EIO: i/o error"),
];

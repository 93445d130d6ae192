//! From WASI's error codes to the faults that the core acts on.

use crate::effect::{Failed, Fault};

use super::bindings::wasi::filesystem::types::ErrorCode;

/// The error in the words that other hosts have for it.
pub(super) fn failed(code: ErrorCode) -> Failed {
    let (fault, detail) = table(code);
    Failed {
        effect: "",
        fault,
        detail: detail.into(),
    }
}

pub(super) fn too_large(limit: u32) -> Failed {
    Failed {
        effect: "",
        fault: Fault::TooLarge,
        detail: format!("more than {limit} bytes"),
    }
}

fn table(code: ErrorCode) -> (Fault, &'static str) {
    match code {
        ErrorCode::NoEntry => (Fault::NotFound, "ENOENT: no such file or directory"),
        ErrorCode::Exist => (Fault::Exists, "EEXIST: file already exists"),
        ErrorCode::Loop => (Fault::Symlink, "ELOOP: too many symbolic links encountered"),
        ErrorCode::IsDirectory => (Fault::WrongKind, "EISDIR: illegal operation on a directory"),
        ErrorCode::NotDirectory => (Fault::WrongKind, "ENOTDIR: not a directory"),
        ErrorCode::NoSuchDevice => (Fault::WrongKind, "ENXIO: no such device or address"),
        ErrorCode::Unsupported => (Fault::Unsupported, "ENOTSUP: operation not supported"),
        other @ (ErrorCode::InsufficientSpace | ErrorCode::Quota) => (Fault::NoSpace, words(other)),
        ErrorCode::Access => (Fault::Denied, "EACCES: permission denied"),
        other => (Fault::Other, words(other)),
    }
}

fn words(code: ErrorCode) -> &'static str {
    match code {
        // A way that leads out of the opened folders is one too, so that it says nothing of the user.
        ErrorCode::NotPermitted => "EPERM: operation not permitted",
        ErrorCode::ReadOnly => "EROFS: read-only file system",
        ErrorCode::InsufficientSpace => "ENOSPC: no space left on device",
        ErrorCode::Quota => "EDQUOT: disk quota exceeded",
        ErrorCode::FileTooLarge => "EFBIG: file too large",
        ErrorCode::NameTooLong => "ENAMETOOLONG: name too long",
        ErrorCode::IllegalByteSequence => "EILSEQ: illegal byte sequence",
        ErrorCode::CrossDevice => "EXDEV: cross-device link not permitted",
        ErrorCode::TooManyLinks => "EMLINK: too many links",
        ErrorCode::NotEmpty => "ENOTEMPTY: directory not empty",
        ErrorCode::Busy => "EBUSY: resource busy or locked",
        ErrorCode::TextFileBusy => "ETXTBSY: text file is busy",
        ErrorCode::InsufficientMemory => "ENOMEM: not enough memory",
        ErrorCode::Invalid => "EINVAL: invalid argument",
        ErrorCode::BadDescriptor => "EBADF: bad file descriptor",
        // Runtimes have no name for some errors of the system, and say this instead.
        ErrorCode::Io => "EIO: i/o error, or one without a name in WASI (a read-only file system)",
        other => other.name(),
    }
}

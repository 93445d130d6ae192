//! From the system's errors to the faults that the core acts on.

use crate::effect::{Failed, Fault};

pub(super) type Result<T> = std::result::Result<T, Failed>;

/// A failure that the system has no error for.
pub(super) fn other(detail: String) -> Failed {
    of(Fault::Other, detail)
}

/// A text that is not Unicode, where only text is known.
pub(super) fn not_text() -> Failed {
    other("EILSEQ: illegal byte sequence".to_owned())
}

pub(super) fn too_large(limit: u32) -> Failed {
    of(Fault::TooLarge, format!("more than {limit} bytes"))
}

/// Something else than a regular file, where one is needed.
pub(super) fn irregular() -> Failed {
    of(Fault::WrongKind, "not a regular file".to_owned())
}

pub(super) fn of(fault: Fault, detail: String) -> Failed {
    Failed {
        effect: "",
        fault,
        detail,
    }
}

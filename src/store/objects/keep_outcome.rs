//! The outcome for a file that is to be kept.

use crate::effect::{Failed, PathKind};

/// A content that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptContent {
    /// Bytes.
    pub size: u64,
    /// Their SHA-256, in lower-case hex: the name to ask for them by.
    pub sha256: String,
}

/// The outcome for a file that was to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeepOutcome {
    /// It is kept, with the bytes that were read.
    Content(KeptContent),
    /// It is larger than the limit, with so many bytes; none is kept.
    TooLarge(u64),
    /// The decision about its bytes stopped it; none is kept.
    Stopped,
    /// Nothing is there any more.
    Gone,
    /// It was changed while its pieces were read: they may be of two contents, and none is kept.
    Changed,
    /// Something else than a file is there.
    NoFile(PathKind),
    /// It cannot be read.
    Unreadable(Failed),
}

/// The part of a file that is shown before it is kept.
#[derive(Clone, Copy, Debug)]
pub enum ShownFilePart<'a> {
    /// The next bytes.
    Bytes(&'a [u8]),
    /// There are no more.
    End,
}

/// The choice to keep a file or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepDecision {
    /// Keep it, as far as this shows.
    Continue,
    /// Do not keep it.
    Stop,
}

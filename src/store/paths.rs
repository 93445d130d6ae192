//! Where the parts of one document lie, relative to the folder of documents.

use super::Stem;

/// Everything that belongs to the store beside its documents lies in this folder.
pub const SIDE: &str = ".milepost";

/// What lies in a side folder.
pub(super) const LOCK: &str = "lock";
pub(super) const WAITING: &str = "waiting";
pub(super) const TOKENS: &str = "tokens";
pub(super) const HISTORY: &str = "history";
pub(super) const QUARANTINE: &str = "quarantine";

/// Names of bytes that are being prepared end in this: they are no tokens, or copies, yet.
pub(super) const PREPARING: &str = ".new";

/// Names of the link through which the document is read again end in this.
pub(super) const REPLACED: &str = ".tmp";

/// Names of locks that are being taken over end in this.
pub(super) const ASIDE: &str = ".old";

/// The paths of one document, relative to the folder.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    pub(super) document: String,
    side: String,
    /// What belongs to this very name, however a file system folds its case.
    own: String,
}

impl Paths {
    pub(super) fn new(stem: &Stem) -> Self {
        let side = format!("{SIDE}/{}", stem.side());
        let own = match stem.as_str() {
            own if own == stem.side() => side.clone(),
            own => format!("{side}/{own}"),
        };
        Paths {
            document: stem.file(),
            side,
            own,
        }
    }

    pub(super) fn lock(&self) -> String {
        format!("{}/{LOCK}", self.side)
    }

    /// Where a writer puts the lock that it takes over.
    pub(super) fn aside(&self, owner: &str) -> String {
        format!("{}/{owner}{ASIDE}", self.side)
    }

    pub(super) fn side(&self) -> &str {
        &self.side
    }

    pub(super) fn own(&self) -> &str {
        &self.own
    }

    pub(super) fn waiting(&self) -> String {
        format!("{}/{WAITING}", self.side)
    }

    pub(super) fn tokens(&self) -> String {
        format!("{}/{TOKENS}", self.side)
    }

    pub(super) fn token(&self, name: &str) -> String {
        format!("{}/{TOKENS}/{name}", self.side)
    }

    pub(super) fn history(&self) -> String {
        format!("{}/{HISTORY}", self.own)
    }

    pub(super) fn entry(&self, name: &str) -> String {
        format!("{}/{HISTORY}/{name}", self.own)
    }

    pub(super) fn quarantine(&self) -> String {
        format!("{}/{QUARANTINE}", self.own)
    }

    pub(super) fn quarantined(&self, name: &str) -> String {
        format!("{}/{QUARANTINE}/{name}", self.own)
    }
}

//! The places of the parts of one document, relative to the folder of documents.

use super::folder::Storage;
use super::stem::Stem;

/// Everything that belongs to the store beside its documents is in this folder.
pub const SIDE: &str = ".milepost";

/// The names in a side folder.
pub(in crate::store) const LOCK: &str = "lock";
pub(in crate::store) const WAITING: &str = "waiting";
pub(in crate::store) const TOKENS: &str = "tokens";
pub(in crate::store) const HISTORY: &str = "history";
pub(in crate::store) const QUARANTINE: &str = "quarantine";

/// Names of bytes that are being prepared end in this: they are no tokens, or copies, yet.
pub(in crate::store) const PREPARING: &str = ".new";

/// Names of the link through which the document is read again end in this.
pub(in crate::store) const REPLACED: &str = ".tmp";

/// Names of locks that are being taken over end in this.
pub(in crate::store) const ASIDE: &str = ".old";

/// The paths of one document, relative to the folder.
#[derive(Clone, Debug)]
pub(in crate::store) struct Paths {
    pub(in crate::store) document: String,
    side: String,
    /// The folder of this very name, however a file system folds its case.
    own: String,
    history: String,
}

impl Paths {
    pub(in crate::store) fn new(stem: &Stem, storage: Storage) -> Self {
        if storage == Storage::Records {
            let record = stem.as_str().to_owned();
            return Paths {
                document: record.clone(),
                side: record.clone(),
                own: record.clone(),
                history: record,
            };
        }
        let side = format!("{SIDE}/{}", stem.side());
        let own = match stem.as_str() {
            own if own == stem.side() => side.clone(),
            own => format!("{side}/{own}"),
        };
        Paths {
            document: stem.file(),
            side,
            history: format!("{own}/{HISTORY}"),
            own,
        }
    }

    pub(in crate::store) fn lock(&self) -> String {
        format!("{}/{LOCK}", self.side)
    }

    /// Returns the path that a writer moves the lock to that it takes over.
    pub(in crate::store) fn aside(&self, owner: &str) -> String {
        format!("{}/{owner}{ASIDE}", self.side)
    }

    pub(in crate::store) fn side(&self) -> &str {
        &self.side
    }

    pub(in crate::store) fn own(&self) -> &str {
        &self.own
    }

    pub(in crate::store) fn waiting(&self) -> String {
        format!("{}/{WAITING}", self.side)
    }

    pub(in crate::store) fn tokens(&self) -> String {
        format!("{}/{TOKENS}", self.side)
    }

    pub(in crate::store) fn token(&self, name: &str) -> String {
        format!("{}/{TOKENS}/{name}", self.side)
    }

    pub(in crate::store) fn history(&self) -> &str {
        &self.history
    }

    pub(in crate::store) fn entry(&self, name: &str) -> String {
        format!("{}/{name}", self.history)
    }

    pub(in crate::store) fn quarantine(&self) -> String {
        format!("{}/{QUARANTINE}", self.own)
    }

    pub(in crate::store) fn quarantined(&self, name: &str) -> String {
        format!("{}/{QUARANTINE}/{name}", self.own)
    }
}

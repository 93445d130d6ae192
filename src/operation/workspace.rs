//! The workspace of an operation: its host, its settings and the root, beneath every store.

use crate::effect::Io;
use crate::error::{Code, Error};
use crate::root::{self, Root};
use crate::store::{Storage, StoreFolder};

use super::Settings;

/// The context that all stores have in common.
pub(super) struct Workspace<'a> {
    pub(super) io: &'a Io,
    pub(super) settings: &'a Settings,
    pub(super) root: Root,
}

impl<'a> Workspace<'a> {
    /// Finds the root. Nothing is made.
    pub(super) async fn open(io: &'a Io, settings: &'a Settings) -> Result<Self, Error> {
        Ok(Workspace {
            io,
            settings,
            root: root::locate(io, settings).await?,
        })
    }

    /// Refuses to begin in a folder whose place is a guess; see [`root::expect_known`].
    pub(super) async fn expect_known(&self, folder: &StoreFolder) -> Result<(), Error> {
        root::expect_known(self.io, &self.root, folder).await
    }

    /// Refuses a root that does not exist, where something is missing in a folder.
    pub(super) async fn expect_root(&self, folder: &StoreFolder) -> Result<(), Error> {
        root::expect_there(self.io, &self.root, folder).await
    }

    /// The failure in a folder, or that the root does not exist, where that may be why.
    #[cold]
    pub(super) async fn rooted(&self, folder: &StoreFolder, error: Error) -> Error {
        match error.code() {
            Code::Io | Code::UnsafePath => self.expect_root(folder).await.err().unwrap_or(error),
            _ => error,
        }
    }

    /// Returns whether git tracks a file in a folder of the state; `None` where the index cannot be read.
    pub(super) async fn tracks_state(&self, folder: &StoreFolder, path: &str) -> Option<bool> {
        if folder.storage() == Storage::Records || !folder.is_below_root() {
            return Some(false);
        }
        let tracked = root::tracks_state(self.io, &self.root, path).await;
        Some(tracked.ok()? == Some(true))
    }
}

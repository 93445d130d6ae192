//! Listings of the store's folders: whole ones, of bounded length.

use crate::effect::{Failed, Fault, Io};
use crate::error::{Advice, Error};

use super::folder::Folder;

/// A listing that is not whole is made again this often, so long apart. Under wasmtime, 16 busy
/// writers spoil about every second one.
pub(super) const LISTINGS: u32 = 100;
pub(super) const LISTING_WAIT_MS: u32 = 1;

impl Folder {
    /// Every name in a folder; none where it is absent.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] when a part on the way is no folder; [`Error::io`] when it holds more
    /// names than `limit`, or cannot be listed whole.
    pub(super) async fn names(
        &self,
        io: &Io,
        below: &str,
        limit: u32,
    ) -> Result<Vec<String>, Error> {
        let names = self.names_up_to(io, below, limit).await?;
        names.ok_or_else(|| self.too_many(below, limit))
    }

    /// The same; `None` when there are more names than `limit`.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] when a part on the way is no folder; [`Error::io`] when it cannot be
    /// listed whole.
    pub async fn names_up_to(
        &self,
        io: &Io,
        below: &str,
        limit: u32,
    ) -> Result<Option<Vec<String>>, Error> {
        for _ in 0..LISTINGS {
            match io.list(self.host(below), limit).await {
                Ok(listing) if listing.names.len() >= limit as usize => {
                    return Ok(None);
                }
                Ok(listing) if listing.complete => return Ok(Some(listing.names)),
                // A name vanished under the host, which then cannot tell what it missed.
                Ok(_) => {
                    let waited = io.wait(LISTING_WAIT_MS).await;
                    waited.map_err(|failed| self.error("list", below, &failed))?;
                }
                Err(Failed {
                    fault: Fault::NotFound,
                    ..
                }) => return Ok(Some(Vec::new())),
                Err(failed) => return Err(self.error("list", below, &failed)),
            }
        }
        Err(self.not_whole(below))
    }

    /// A folder with more names than the store ever makes.
    pub(super) fn too_many(&self, below: &str, limit: u32) -> Error {
        let path = self.shown(below);
        let message = format!(
            "{path} holds more than {limit} entries, stray files among them that this store did not \
             make"
        );
        Error::io("list", path, message).with_advice(Advice::Doctor)
    }

    /// A folder of which no listing came to its end.
    pub(super) fn not_whole(&self, below: &str) -> Error {
        let path = self.shown(below);
        let message = format!("Cannot list {path}: every listing ended early");
        Error::io("list", path, message)
    }
}

//! Snapshots: those that cannot be read, and what looks like a secret in the others.

use crate::checkpoint::session::document;
use crate::checkpoint::session::id::SnapshotId;
use crate::doctor::facts::{Secret, Unread};
use crate::effect::{Io, Sync};
use crate::error::Error;
use crate::store::{ImmutableDocuments, Stem, StoreFolder};

use super::secrets::of_text;
use super::unread::describe;

const ENDING: &str = ".yaml";

/// Looks through a folder of them. One that cannot be listed is among what cannot be read.
pub(super) async fn scan(
    io: &Io,
    folder: &StoreFolder,
    unread: &mut Vec<Unread>,
    secrets: &mut Vec<Secret>,
) {
    let documents = ImmutableDocuments::new(io, folder, ENDING, Sync::Lazy);
    let mut stems = match documents.list().await {
        Ok(stems) => stems,
        Err(error) => return unread.extend(describe(io, folder, folder.path(), error).await),
    };
    stems.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
    for stem in stems {
        let path = folder.shown(&documents.name(&stem));
        let error = match documents.read(&stem).await {
            Ok(Some(bytes)) => {
                of_text(&path, &bytes, secrets);
                wrong(&stem, &path, &bytes)
            }
            // Gone since the folder was listed.
            Ok(None) => None,
            Err(error) => Some(error),
        };
        if let Some(error) = error {
            unread.extend(describe(io, folder, &path, error).await);
        }
    }
}

/// The failure for bytes that are no checkpoint; `None` too where their file has no name of one.
fn wrong(stem: &Stem, path: &str, bytes: &[u8]) -> Option<Error> {
    let id: SnapshotId = stem.as_str().parse().ok()?;
    let malformed = document::read(bytes, Some(id)).err()?;
    Some(Error::corrupt(path.to_owned(), malformed.to_string(), None))
}

//! Documents in a folder that any number of processes change at the same time.
//!
//! An acknowledged update is never lost, a read is never torn, a corrupt document is never
//! overwritten: [`VersionedDocument::update`] is the only way to change a document, and `write/commit.rs` says
//! why it holds. The store knows bytes, revisions and seals, and not the meaning of a document.
//!
//! ```text
//! .claude/state/
//!   design-checkpoint.json            the truth: plain JSON that anyone can read
//!   .milepost/design-checkpoint/
//!     lock                            a hint against contention
//!     waiting                         a sign that a writer waits for it
//!     tokens/<32 hex>                 the right to commit; holds the new bytes
//!     history/<revision>-<fingerprint>.json
//!     quarantine/<digest>.json
//!   .milepost/.overview               a hint for readers of all documents
//! ```
//!
//! A host that swaps by itself, such as a database, has records instead ([`Storage::Records`]): the
//! document under its stem, and `STEM/ENTRY` for each entry of its history.
//!
//! The side folder's name is in lower case, so that names which a file system may hold for equal
//! share the lock and the tokens. The files that they must not share are one folder deeper, under
//! the exact name: `design-Foo` has `.milepost/design-foo/design-Foo/history/` and `quarantine/`.

mod immutable_documents;
mod keep;
mod location;
#[cfg(threads)]
pub mod manifest;
mod mirror;
#[cfg(sessions)]
pub mod objects;
mod overview;
mod read;
mod versioned_document;
mod write;

pub use immutable_documents::ImmutableDocuments;
pub use keep::{
    Accept, KEPT_REVISIONS, NEVER_PRUNED, Pruned, RecordedContent, Retention, RetentionPolicy,
    RevisionChoice, SideFolder, side_folder,
};
pub(crate) use location::while_shared;
pub use location::{
    IGNORE_ALL, MAX_NAMES, SIDE, Stem, Storage, StoreFolder, make_folder, wrong_kind,
};
pub use mirror::Mirror;
pub use overview::{OVERVIEW, OVERVIEW_NEW, Overview};
pub use read::{
    CommitMark, Document, MAX_DOCUMENT_BYTES, MAX_DOCUMENT_MIB, Origin, Revision, Stamp, copied,
};
pub use versioned_document::{StoredDocument, VersionedDocument};
pub use write::{
    Change, Committed, Current, Decide, DocumentWrite, Keep, MAX_LOCK_BYTES, RecoveredDocument,
    TIME_TO_LIVE_MS,
};

use crate::effect::Io;
use crate::error::Error;
use crate::str_map;

/// The folder of what the store keeps beside a document among files, relative to the folder of documents.
pub fn side_folder_of(stem: &Stem) -> String {
    let paths = location::Paths::new(stem, Storage::Files);
    paths.own().to_owned()
}

/// The documents that may be gone: a side folder is there, and none of these documents is its owner.
/// Of names that differ in case only, one that is there hides the others.
///
/// # Errors
///
/// [`Error::unsafe_path`] when the side folder of all documents is no folder; [`Error::io`] when a folder cannot be listed, or holds more than the store ever makes.
pub async fn orphans(io: &Io, folder: &StoreFolder, present: &[Stem]) -> Result<Vec<Stem>, Error> {
    let mut orphans = Vec::new();
    if folder.storage() == Storage::Records {
        return Ok(orphans);
    }
    check_side(io, folder).await?;
    let sides: Vec<String> = present.iter().map(Stem::side).collect();
    let sides: str_map::StrSet<'_> = sides.iter().map(String::as_str).collect();
    let mut others = folder.names(io, SIDE, MAX_DOCUMENTS).await?;
    others.retain(|side| !sides.contains(side));
    for side in str_map::sort(others) {
        let Ok(stem) = Stem::new(side) else { continue };
        let below = format!("{SIDE}/{}", stem.as_str());
        // The files of a name with capitals are one folder deeper.
        let own = match folder.expect_folders(io, &[folder.shown(&below)]).await {
            Ok(()) => folder.names(io, &below, MAX_NAMES).await,
            Err(error) => Err(error),
        };
        let own = own.unwrap_or_default();
        let own = own
            .into_iter()
            .filter(|name| name.eq_ignore_ascii_case(stem.as_str()));
        orphans.extend(own.filter_map(|name| Stem::new(name).ok()));
        orphans.push(stem);
    }
    Ok(orphans)
}

/// Refuses a side folder of all documents that is not a folder.
///
/// # Errors
///
/// [`Error::unsafe_path`]; [`Error::io`].
pub async fn check_side(io: &Io, folder: &StoreFolder) -> Result<(), Error> {
    folder.expect_folders(io, &[folder.shown(SIDE)]).await
}

/// A folder with more documents than this is listed only in part, which is an error.
pub const MAX_DOCUMENTS: u32 = 100_000;

/// The documents of a folder, sorted; none where the folder is absent.
///
/// # Errors
///
/// [`Error::unsafe_path`] when a part on the way to it is no folder; [`Error::io`] when it cannot be
/// listed, or holds more than a state folder can.
pub async fn stems(io: &Io, folder: &StoreFolder) -> Result<Vec<Stem>, Error> {
    folder.check(io).await?;
    let names = folder.names(io, "", MAX_DOCUMENTS).await?;
    let sorted = str_map::sort(names);
    let stem = |mut name: String| {
        if folder.storage() == Storage::Files {
            let length = name.strip_suffix(Stem::ENDING)?.len();
            name.truncate(length);
        }
        Stem::new(name).ok()
    };
    Ok(sorted.into_iter().filter_map(stem).collect())
}

//! Documents in a folder that any number of processes change at the same time.
//!
//! What was acknowledged is never lost, what is read is never torn, what is corrupt is never
//! overwritten: [`update`] is the only way to change a document, and `commit` says why it holds.
//! The store knows bytes, revisions and seals; what a document means, it does not know.
//!
//! ```text
//! .claude/state/
//!   design-checkpoint.json            the truth: plain JSON that anyone can read
//!   .milepost/design-checkpoint/
//!     lock                            a hint against contention
//!     waiting                         a sign that somebody waits for it
//!     tokens/<32 hex>                 the right to commit; holds the new bytes
//!     history/<revision>-<fingerprint>.json
//!     quarantine/<digest>.json
//! ```
//!
//! The side folder's name is in lower case, so that names which a file system may hold for equal
//! share the lock and the tokens. What they must not share lies one folder deeper, under the name
//! as it is: `design-Foo` has `.milepost/design-foo/design-Foo/history/` and `quarantine/`.

mod aim;
mod commit;
mod document;
mod folder;
mod history;
mod listing;
mod lock;
mod mutation;
mod name;
mod paths;
mod patience;
mod reader;
mod recover;
mod retention;
mod seal;
mod sharing;
mod survey;
mod trim;
mod update;

pub use aim::{Change, Decide};
pub use document::{Document, Origin};
pub use folder::{Folder, IGNORE_ALL, STATE_FOLDER};
pub use history::{Accept, MAX_NAMES, Recorded, Revision, Wanted};
pub use lock::MAX_LOCK_BYTES;
#[cfg(feature = "mutations")]
pub use mutation::Mutation;
pub use name::Name;
pub use paths::SIDE;
pub use reader::MAX_DOCUMENT_BYTES;
pub use recover::{Recovered, recover};
pub use retention::{KEPT_REVISIONS, NEVER_TRIMMED, Retention};
pub use seal::Stamp;
pub use survey::{Survey, survey};
pub use trim::{Trimmed, trim};
pub use update::{Committed, update};

use crate::effect::{Io, Kind};
use crate::error::Error;
use crate::json::Object;
use crate::keys;

use document::Content;
use history::History;
use paths::Paths;
use reader::Reader;

/// A folder with more documents than this is listed only in part, which is an error.
pub const MAX_DOCUMENTS: u32 = 100_000;

/// The document that an update starts from.
#[derive(Clone, Copy, Debug)]
pub struct Current<'a> {
    /// `None` when there is none.
    pub document: Option<&'a Document>,
    /// The state that the caller's change is based on, where that is an earlier one and history
    /// still has it.
    pub base: Option<&'a Object>,
}

/// What [`read`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// `None` when there is no document.
    pub document: Option<Box<Document>>,
    /// Whether the store has written this document before.
    pub has_side: bool,
}

/// Reads a document. Nothing is written, also when it is corrupt.
///
/// # Errors
///
/// [`Error::corrupt`], [`Error::too_large`], [`Error::unsafe_path`], [`Error::io`].
pub async fn read(io: &Io, folder: &Folder, name: &Name) -> Result<Stored, Error> {
    let paths = Paths::new(name);
    let standing = folder.look(io, &paths).await?;
    let has_side = standing.has_side;
    if standing.document.kind == Kind::Absent {
        return Ok(Stored {
            document: None,
            has_side,
        });
    }
    reader::check_size(folder, &paths, standing.document.size)?;
    let reader = Reader {
        io,
        folder,
        paths: &paths,
    };
    match reader.content(has_side).await? {
        Content::Absent => Ok(Stored {
            document: None,
            has_side,
        }),
        Content::Document(document) => Ok(Stored {
            document: Some(document),
            has_side,
        }),
        Content::Corrupt { reason, .. } => {
            let path = folder.shown(&paths.document);
            let history = History { reader: &reader };
            let last_good = history.last_good().await.unwrap_or_default();
            Err(Error::corrupt(path, reason, last_good))
        }
    }
}

/// The revisions of a document that history holds, oldest first.
///
/// # Errors
///
/// [`Error::io`], [`Error::unsafe_path`] when history cannot be listed.
pub async fn revisions(io: &Io, folder: &Folder, name: &Name) -> Result<Vec<Revision>, Error> {
    let paths = Paths::new(name);
    folder.look(io, &paths).await?;
    History {
        reader: &Reader {
            io,
            folder,
            paths: &paths,
        },
    }
    .revisions()
    .await
}

/// One revision from history; `None` when it was trimmed meanwhile.
///
/// # Errors
///
/// [`Error::io`], [`Error::unsafe_path`] when the entry cannot be read.
pub async fn recorded(
    io: &Io,
    folder: &Folder,
    name: &Name,
    revision: &Revision,
) -> Result<Option<Recorded>, Error> {
    let paths = Paths::new(name);
    History {
        reader: &Reader {
            io,
            folder,
            paths: &paths,
        },
    }
    .read(revision)
    .await
}

/// The path of a revision in history, as messages show it.
pub fn entry(folder: &Folder, name: &Name, revision: &Revision) -> String {
    folder.shown(&Paths::new(name).entry(&revision.file()))
}

/// Why a revision that is [`Recorded::Altered`] cannot be had.
pub fn altered(folder: &Folder, name: &Name, revision: &Revision) -> Error {
    history::altered(entry(folder, name, revision), revision)
}

/// The revision that is wanted, as `accept` made it; `None` where history has none
/// below a number. One that is altered, or that `accept` refuses, is passed over, unless it is
/// wanted by its number.
///
/// # Errors
///
/// For a revision that is wanted by its number: [`Error::not_found`], [`Error::corrupt`] when it is
/// altered, and what `accept` returns. [`Error::io`], [`Error::unsafe_path`] when history cannot be
/// listed, and when a revision that may be the wanted one cannot be read.
pub async fn pick(
    io: &Io,
    folder: &Folder,
    name: &Name,
    wanted: Wanted,
    accept: &mut Accept<'_>,
) -> Result<Option<(Revision, Object)>, Error> {
    let paths = Paths::new(name);
    folder.look(io, &paths).await?;
    History {
        reader: &Reader {
            io,
            folder,
            paths: &paths,
        },
    }
    .pick(wanted, accept)
    .await
}

/// The files of a folder of documents, sorted; none where the folder is absent.
///
/// # Errors
///
/// [`Error::unsafe_path`] when a part on the way to it is no folder; [`Error::io`] when it cannot be
/// listed, or holds more than a state folder can.
pub async fn files(io: &Io, folder: &Folder) -> Result<Vec<String>, Error> {
    folder.check(io).await?;
    let names = folder.names(io, "", MAX_DOCUMENTS).await?;
    Ok(keys::sort(names))
}

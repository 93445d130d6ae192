//! Documents in a folder that any number of processes change at the same time.
//!
//! What was acknowledged is never lost, what is read is never torn, what is corrupt is never
//! overwritten: [`Slot::update`] is the only way to change a document, and `commit` says why it holds.
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
mod paths;
mod patience;
mod reader;
mod recover;
mod retention;
mod seal;
mod sharing;
mod slot;
mod stem;
mod survey;
mod trim;
mod update;

pub use aim::{Change, Decide, Keep, Write};
pub use document::{Document, Origin};
pub use folder::{Folder, IGNORE_ALL};
pub use history::{Accept, MAX_NAMES, Recorded, Revision, Wanted};
pub use lock::{MAX_LOCK_BYTES, TIME_TO_LIVE_MS};
pub use paths::SIDE;
pub use reader::{MAX_DOCUMENT_BYTES, MAX_DOCUMENT_MIB};
pub use recover::Recovered;
pub use retention::{KEPT_REVISIONS, NEVER_TRIMMED, Retention};
pub use seal::{Mark, Stamp};
pub use slot::{Policy, Slot, Stored};
pub use stem::Stem;
pub use survey::{Survey, survey};
pub use trim::Trimmed;
pub use update::Committed;

use crate::effect::Io;
use crate::error::Error;
use crate::json::Object;
use crate::keys;

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

/// The documents of a folder, sorted; none where the folder is absent.
///
/// # Errors
///
/// [`Error::unsafe_path`] when a part on the way to it is no folder; [`Error::io`] when it cannot be
/// listed, or holds more than a state folder can.
pub async fn stems(io: &Io, folder: &Folder) -> Result<Vec<Stem>, Error> {
    folder.check(io).await?;
    let names = folder.names(io, "", MAX_DOCUMENTS).await?;
    let sorted = keys::sort(names);
    Ok(sorted.iter().filter_map(|it| Stem::of_file(it)).collect())
}

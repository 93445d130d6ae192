//! Changing a document: the commit protocol, and what leads to it.

mod commit;
mod deadline;
mod lease;
mod next_revision;
mod records;
mod recover;
mod update;

pub use lease::{MAX_LOCK_BYTES, TIME_TO_LIVE_MS};
pub use next_revision::{Change, Current, Decide, DocumentWrite, Keep};
pub use recover::RecoveredDocument;
pub use update::Committed;

#[cfg(threads)]
pub(super) use deadline::Deadline;
pub(super) use recover::recover;
pub(super) use update::{new_id, update};
#[cfg(threads)]
pub(super) use update::{replace, update_found};

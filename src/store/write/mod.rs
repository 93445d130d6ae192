//! Changing a document: the commit protocol, and what leads to it.

mod commit;
mod deadline;
mod lease;
mod records;
mod recover;
mod successor;
mod update;

pub use lease::{MAX_LOCK_BYTES, TIME_TO_LIVE_MS};
pub use recover::Recovered;
pub use successor::{Change, Current, Decide, Keep, Write};
pub use update::Committed;

#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
pub(super) use deadline::Deadline;
pub(super) use recover::recover;
#[cfg(any(feature = "tasks", not(target_family = "wasm")))]
pub(super) use update::replace;
pub(super) use update::{new_id, update};

//! The files kept beside a document: its replaced revisions, and corrupt contents.

mod history;
mod prune;
mod quarantine;
mod retention;
mod side_folder;

pub use history::{Accept, RecordedContent, RevisionChoice};
pub use prune::Pruned;
pub use retention::{KEPT_REVISIONS, NEVER_PRUNED, Retention, RetentionPolicy};
pub use side_folder::{SideFolder, side_folder};

pub(super) use history::{History, altered, revisions};
pub(super) use prune::{PRUNE_EVERY, prune, surplus};
pub(super) use quarantine::{copy_name, quarantine};

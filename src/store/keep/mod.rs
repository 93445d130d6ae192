//! The files kept beside a document: its replaced revisions, and corrupt contents.

mod history;
mod quarantine;
mod retention;
mod side_folder;
mod trim;

pub use history::{Accept, RecordedContent, RevisionChoice};
pub use retention::{KEPT_REVISIONS, NEVER_TRIMMED, Retention, RetentionPolicy};
pub use side_folder::{SideFolder, side_folder};
pub use trim::Trimmed;

pub(super) use history::{History, altered, revisions};
pub(super) use quarantine::{copy_name, quarantine};
pub(super) use trim::{TRIM_EVERY, surplus, trim};

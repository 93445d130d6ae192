//! The text to resume with.

use crate::schema::Shaped;

/// The text for an agent that resumes with a snapshot.
#[derive(Shaped)]
pub(super) struct SnapshotResume {
    /// Null: the text says where it stopped.
    pub(super) phase: Option<String>,
    /// Its context summary.
    pub(super) summary: Option<String>,
    /// The text for the context of an agent.
    pub(super) text: String,
}

//! The request for a snapshot.

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::reason::SnapshotReason;
use crate::json::Object;
use crate::operation::Target;

/// The request for a snapshot.
#[derive(Clone, Debug)]
pub struct Create<'a> {
    /// The occasion.
    pub reason: SnapshotReason,
    /// The message of its maker.
    pub message: Option<&'a str>,
    /// Fields of the document.
    pub given: Object,
    /// The command whose run is captured; by default that of the run updated last.
    pub target: Option<Target>,
    /// The treatment of the files.
    pub files: ChangedFiles,
    /// The checkpoint before whose restore it is made.
    pub undo_of: Option<SnapshotId>,
    /// The hook that makes it, if it was not asked for.
    pub made_by: Option<MadeBy>,
}

/// The hook of a coding agent, in a session of its.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeBy {
    /// The agent, such as `claude-code`.
    pub agent: String,
    /// The session.
    pub session: String,
}

/// The treatment of the files that differ from HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedFiles {
    /// Nothing.
    None,
    /// They are kept. These also where they look like files of secrets, or are large.
    Kept(Vec<String>),
}

//! The difference between two snapshots.

use crate::checkpoint::session::compare::{self, FileChange, SnapshotDifference};
use crate::checkpoint::session::id::SnapshotId;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::snapshot_store::SnapshotStore;

pub(super) const OPERATION: Operation = Operation::at::<DiffSessionsArguments, SnapshotDiff>(
    "diff_sessions",
    "The difference between two snapshots.",
    perform,
)
.of(Capability::Sessions);

/// The checkpoints.
#[derive(ArgumentMembers)]
struct DiffSessionsArguments<'a> {
    /// The id of the first one.
    from: &'a str,
    /// The id of the second one.
    to: &'a str,
}

/// A file whose state differs.
#[derive(Shaped)]
struct SessionFileChange {
    /// Relative to the root.
    path: String,
    /// The side that has it: only the second one, only the first one, or both otherwise.
    change: FileChange,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        match ids(&arguments.read()) {
            Ok((from, to)) => diff(io, settings, from, to).await.map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

fn ids(arguments: &DiffSessionsArguments<'_>) -> Result<(SnapshotId, SnapshotId), Error> {
    Ok((arguments.from.parse()?, arguments.to.parse()?))
}

/// The difference between two snapshots.
#[derive(Clone, Debug, PartialEq, Shaped)]
#[shape(name = "SessionDiff")]
pub struct SnapshotDiff {
    /// The values that differ, in the order of the documents.
    pub changes: Vec<SnapshotDifference>,
    /// The files whose state differs, sorted by path.
    #[shape(into = SessionFileChange)]
    pub files: Vec<(String, FileChange)>,
}

impl From<(String, FileChange)> for SessionFileChange {
    fn from((path, change): (String, FileChange)) -> Self {
        SessionFileChange { path, change }
    }
}

/// Compares two checkpoints: their fields, and the files of their snapshots.
///
/// Fails as [`load`](super::load::load) does.
pub async fn diff(
    io: &Io,
    settings: &Settings,
    from: SnapshotId,
    to: SnapshotId,
) -> Reply<SnapshotDiff> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::open(io, settings).await?;
        let (before, after) = (store.read(from).await?, store.read(to).await?);
        for session in [&before, &after] {
            store.notice(session, warnings).await;
        }
        Ok(SnapshotDiff {
            changes: compare::differences(&before.document, &after.document),
            files: compare::files(&before.document, &after.document),
        })
    })
    .await
}

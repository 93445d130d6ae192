//! The difference between two snapshots.

use crate::checkpoint::session::compare::{self, FileChange, SnapshotDifference};
use crate::checkpoint::session::id::SnapshotId;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation, required, shape};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Kind, Shape};

use super::snapshot_store::SnapshotStore;

pub(super) const OPERATION: Operation = Operation::at(
    "diff_sessions",
    "The difference between two snapshots.",
    &ARGUMENTS,
    Kind::Object(&DIFF),
    perform,
)
.of(Capability::Sessions);

const ARGUMENTS: Shape = shape(
    "DiffSessionsArguments",
    "The checkpoints.",
    &[
        required("from", Kind::String, "The id of the first one."),
        required("to", Kind::String, "The id of the second one."),
    ],
);

const DIFF: Shape = shape(
    "SessionDiff",
    "The difference between two snapshots.",
    &[
        required(
            "changes",
            Kind::List(&Kind::Object(&CHANGE)),
            "The values that differ, in the order of the documents.",
        ),
        required(
            "files",
            Kind::List(&Kind::Object(&FILE)),
            "The files whose state differs, sorted by path.",
        ),
    ],
);

const CHANGE: Shape = shape(
    "SessionChange",
    "A value that differs.",
    &[
        required(
            "path",
            Kind::String,
            "Its position, as a JSON pointer; for an item of a list, the list.",
        ),
        required(
            "before",
            Kind::Any,
            "The value in the first one; null for nothing.",
        ),
        required(
            "after",
            Kind::Any,
            "The value in the second one; null for nothing.",
        ),
    ],
);

const FILE: Shape = shape(
    "SessionFileChange",
    "A file whose state differs.",
    &[
        required("path", Kind::String, "Relative to the root."),
        required(
            "change",
            Kind::Enum(&[
                FileChange::Added.as_str(),
                FileChange::Removed.as_str(),
                FileChange::Changed.as_str(),
            ]),
            "The side that has it: only the second one, only the first one, or both otherwise.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        match ids(arguments) {
            Ok((from, to)) => diff(io, settings, from, to).await.map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

fn ids(arguments: &Arguments) -> Result<(SnapshotId, SnapshotId), Error> {
    Ok((
        arguments.text("from").parse()?,
        arguments.text("to").parse()?,
    ))
}

/// The difference.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotDiff {
    /// The values, in the order of the documents.
    pub changes: Vec<SnapshotDifference>,
    /// The files, sorted by path.
    pub files: Vec<(String, FileChange)>,
}

impl From<SnapshotDiff> for Json {
    fn from(diff: SnapshotDiff) -> Self {
        let changes = diff.changes.into_iter().map(|change| {
            let change = Object::new()
                .with("path", change.at.into_string())
                .with("before", change.before.unwrap_or(Json::Null))
                .with("after", change.after.unwrap_or(Json::Null));
            Json::from(change)
        });
        let files = diff.files.into_iter().map(|(path, change)| {
            let file = Object::new()
                .with("path", path)
                .with("change", change.as_str());
            Json::from(file)
        });
        Object::new()
            .with("changes", changes.collect::<Vec<_>>())
            .with("files", files.collect::<Vec<_>>())
            .into()
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

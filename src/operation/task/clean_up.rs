//! Removes the files that dead writers of task checkpoints left behind.

use crate::effect::{Io, boxed};
use crate::error::{Code, Warning};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::manifest::{Age, Leftovers, SweepAction};

use super::task_store::TaskStore;

pub(super) const OPERATION: Operation =
    Operation::changing::<CleanUpTasksArguments, CleanedUpTasks>(
        "clean_up_tasks",
        "Removes what writers of task checkpoints that died have left behind. No checkpoint goes.",
        perform,
    )
    .of(Capability::Tasks);

/// The request to clean up.
#[derive(ArgumentMembers)]
struct CleanUpTasksArguments {
    /// Only says what would be removed.
    dry_run: bool,
}

/// Files that were left behind for more than a minute, or were deleted and are not gone yet; none of it in a
/// database. Paths are relative to the root.
#[derive(Shaped)]
pub(in crate::operation) struct CleanedUpTasks {
    /// Files of checkpoints that no task has.
    parts: Vec<String>,
    /// Files that say of an id which task has it, and are wrong.
    marks: Vec<String>,
    /// Folders of tasks that were deleted.
    folders: Vec<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let CleanUpTasksArguments { dry_run } = arguments.read();
        let act = match dry_run {
            true => SweepAction::List,
            false => SweepAction::Remove,
        };
        let reply = clean_up(io, settings, act).await;
        reply.map(|left| {
            let cleaned = CleanedUpTasks {
                parts: left.parts,
                marks: left.marks,
                folders: left.folders,
            };
            cleaned.into()
        })
    })
}

/// Removes what dead writers left, or only names it. What belongs to a task whose index cannot be read stays,
/// with a warning, and what belongs to one that others hold stays as well.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`. Fails with `unsafe_path`, `io`.
pub async fn clean_up(io: &Io, settings: &Settings, act: SweepAction) -> Reply<Leftovers> {
    with_warnings(async |warnings| {
        let store = TaskStore::open(io, settings).await?;
        let swept = store.documents.manifest().sweep(Age::Dead, act).await;
        let left = store.documents.rooted(swept).await?;
        if left.count() == 0 {
            store.documents.expect_root().await?;
        }
        // A task that others are at work on can wait: its leftovers go with the next clean-up.
        let failures = left.failures.iter();
        for failure in failures.filter(|it| it.code() != Code::Busy) {
            warnings.add(Warning::passed_over(failure));
        }
        Ok(left)
    })
    .await
}

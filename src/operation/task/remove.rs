//! Removing one task checkpoint.

use crate::checkpoint::task::name::TaskId;
use crate::effect::{Io, boxed};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::manifest::{self, Changed, ManifestPlan, NextIndex};

use super::task_store::{TaskStore, index};

pub(super) const OPERATION: Operation =
    Operation::changing::<DeleteTaskCheckpointArguments, DeletedTaskCheckpoint>(
        "delete_task_checkpoint",
        "Removes one checkpoint of a task, whichever task has it.",
        perform,
    )
    .of(Capability::Tasks);

/// The checkpoint.
#[derive(ArgumentMembers)]
struct DeleteTaskCheckpointArguments<'a> {
    /// Its id.
    id: &'a str,
}

/// The outcome.
#[derive(Shaped)]
struct DeletedTaskCheckpoint {
    /// True if it was there.
    deleted: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let DeleteTaskCheckpointArguments { id } = arguments.read();
        let reply = match TaskId::new(id) {
            Ok(id) => remove(io, settings, &id).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|deleted| DeletedTaskCheckpoint { deleted }.into())
    })
}

/// Removes a checkpoint; whether it was there.
///
/// Fails with `corrupt`, `invalid_document`, `unsupported_version` for the index of its task, and `busy`,
/// `unsafe_path`, `io`.
pub async fn remove(io: &Io, settings: &Settings, id: &TaskId) -> Reply<bool> {
    with_warnings(async |_| {
        let store = TaskStore::open(io, settings).await?;
        let manifest = store.documents.manifest();
        let Some(stem) = store.holder(id).await? else {
            store.documents.expect_root().await?;
            return Ok(false);
        };
        let mut decide = |found: Option<&manifest::ManifestIndex>, _: &str| {
            let index = found.map(|found| index(found, &stem)).transpose()?;
            Ok(match index.and_then(|index| index.removed(id)) {
                Some(removed) => ManifestPlan::Write(NextIndex {
                    object: removed.next.into_object(),
                    add: Vec::new(),
                }),
                None => ManifestPlan::Keep,
            })
        };
        let changed = manifest.change(&stem, &mut decide).await;
        let changed = changed.map_err(|error| store.advise(&stem, None, error))?;
        Ok(matches!(changed, Changed::Written(_)))
    })
    .await
}

//! Removing all checkpoints of a task.

use crate::checkpoint::task::name::TaskId;
use crate::effect::{Io, boxed};
use crate::error::{Code, Warning};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::task_store::{TaskStore, stem};

pub(super) const OPERATION: Operation = Operation::changing::<DeleteTaskArguments, DeletedTask>(
    "delete_task",
    "Removes a task with all its checkpoints.",
    perform,
)
.of(Capability::Tasks);

/// The task.
#[derive(ArgumentMembers)]
struct DeleteTaskArguments<'a> {
    /// The task.
    task_id: &'a str,
}

/// The outcome.
#[derive(Shaped)]
struct DeletedTask {
    /// The number of checkpoints that it had; 0 for an unknown task.
    deleted: u64,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let DeleteTaskArguments { task_id } = arguments.read();
        let reply = match TaskId::new(task_id) {
            Ok(task) => remove_task(io, settings, &task).await,
            Err(error) => Warnings::default().reply(Err(error)),
        };
        reply.map(|deleted| DeletedTask { deleted }.into())
    })
}

/// Removes a task, and returns the number of its checkpoints. A task whose index cannot be read is removed as well,
/// with a warning, because that number is unknown.
///
/// Warns `corrupt`, `too_large`, `invalid_document`. Fails with `unsupported_version`,
/// `busy`, `unsafe_path`, `io`.
pub async fn remove_task(io: &Io, settings: &Settings, task: &TaskId) -> Reply<u64> {
    with_warnings(async |warnings| {
        let store = TaskStore::open(io, settings).await?;
        let stem = stem(task)?;
        let count = match store.read(&stem).await {
            Ok(index) => index.map_or(0, |index| index.entries().len() as u64),
            Err(error) => match error.code() {
                Code::Corrupt | Code::TooLarge | Code::InvalidDocument => {
                    warnings.add(Warning::passed_over(&error));
                    0
                }
                _ => return Err(error),
            },
        };
        match store.documents.manifest().remove(&stem).await? {
            true => Ok(count),
            false => {
                store.documents.expect_root().await?;
                Ok(0)
            }
        }
    })
    .await
}

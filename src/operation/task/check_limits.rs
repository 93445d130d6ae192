//! The limits of task checkpoints, before anything is saved.

use crate::checkpoint::task::limits::Cleanup;
use crate::json::Json;
use crate::operation::row::{Arguments, Capability, Operation};
use crate::operation::{Reply, Warnings};
use crate::schema::Shaped;

use super::input::TaskLimitsArguments;

pub(super) const OPERATION: Operation = Operation::alone::<TaskLimitsArguments, LimitsInForce>(
    "check_task_limits",
    "The limits in force, if those that are given can be limits.",
    run,
)
.of(Capability::Tasks);

/// The limits of what is kept.
#[derive(Shaped)]
#[shape(name = "TaskLimits")]
struct LimitsInForce {
    /// So many checkpoints of a task.
    max_per_task: u64,
    /// Remove all others once one without pending steps is saved.
    auto_cleanup: bool,
    /// Bytes of a checkpoint.
    max_bytes: u64,
    /// Bytes of a task's checkpoints together.
    max_task_bytes: u64,
    /// Bytes of all checkpoints together; null where that is not limited.
    max_store_bytes: Option<u64>,
}

fn run(arguments: &Arguments) -> Reply<Json> {
    let arguments: TaskLimitsArguments<'_> = arguments.read();
    let limits = arguments.checked().map(|limits| {
        let in_force = LimitsInForce {
            max_per_task: limits.per_task,
            auto_cleanup: limits.cleanup == Cleanup::OnceDone,
            max_bytes: limits.max_bytes,
            max_task_bytes: limits.max_task_bytes,
            max_store_bytes: limits.max_store_bytes,
        };
        in_force.into()
    });
    Warnings::default().reply(limits)
}

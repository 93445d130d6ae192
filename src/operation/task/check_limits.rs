//! The limits of task checkpoints, before anything is saved.

use crate::checkpoint::task::limits::Cleanup;
use crate::json::{Json, Object};
use crate::operation::row::{Arguments, Capability, Operation, required, shape};
use crate::operation::{Reply, Warnings};
use crate::schema::{Kind, Shape};

use super::input::{
    AUTO_CLEANUP, LIMITS, MAX_BYTES, MAX_PER_TASK, MAX_STORE_BYTES, MAX_TASK_BYTES, limits_of,
};

pub(super) const OPERATION: Operation = Operation::alone(
    "check_task_limits",
    "The limits in force, if those that are given can be limits.",
    &ARGUMENTS,
    Kind::Object(&IN_FORCE),
    run,
)
.of(Capability::Tasks);

const ARGUMENTS: Shape = shape(
    "TaskLimitsArguments",
    "The values that a caller has set.",
    &LIMITS,
);

const IN_FORCE: Shape = shape(
    "TaskLimits",
    "The limits of what is kept.",
    &[
        required(
            MAX_PER_TASK.name,
            Kind::Integer,
            "So many checkpoints of a task.",
        ),
        required(
            AUTO_CLEANUP.name,
            Kind::Boolean,
            "Remove all others once one without pending steps is saved.",
        ),
        required(MAX_BYTES.name, Kind::Integer, "Bytes of a checkpoint."),
        required(
            MAX_TASK_BYTES.name,
            Kind::Integer,
            "Bytes of a task's checkpoints together.",
        ),
        required(
            MAX_STORE_BYTES.name,
            Kind::Nullable(&Kind::Integer),
            "Bytes of all checkpoints together; null where that is not limited.",
        ),
    ],
);

fn run(arguments: &Arguments) -> Reply<Json> {
    let limits = limits_of(arguments).map(|limits| {
        Object::new()
            .with(MAX_PER_TASK.name, limits.per_task)
            .with(AUTO_CLEANUP.name, limits.cleanup == Cleanup::OnceDone)
            .with(MAX_BYTES.name, limits.max_bytes)
            .with(MAX_TASK_BYTES.name, limits.max_task_bytes)
            .with(MAX_STORE_BYTES.name, limits.max_store_bytes)
            .into()
    });
    Warnings::default().reply(limits)
}

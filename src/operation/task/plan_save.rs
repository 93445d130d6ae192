//! The plan of a save for a task that its caller keeps, such as in memory.

use crate::checkpoint::task::index::{Save, TaskIndex, of_another_task};
use crate::checkpoint::task::limits::TaskLimits;
use crate::checkpoint::task::name::TaskId;
use crate::error::Error;
use crate::json::Json;
use crate::operation::row::{Arguments, Capability, Operation, optional, required, shape};
use crate::operation::{Reply, Warnings};
use crate::schema::{Kind, Shape};

use super::input::{EXPECTED_REVISION, STATE, StateInput, TEXT, limits_of, with_limits};
use super::save::{SAVED, SavedTaskCheckpoint};

pub(super) const OPERATION: Operation = Operation::alone(
    "plan_task_save",
    "The result of saving a checkpoint for a task that the caller keeps: nothing is stored.",
    &ARGUMENTS,
    Kind::Object(&SAVED),
    run,
)
.of(Capability::Tasks);

const ARGUMENTS: Shape = shape(
    "PlanTaskSaveArguments",
    "The checkpoint in one of two forms, what the caller keeps, and how much of it.",
    &with_limits::<14>(&[
        STATE,
        TEXT,
        required(
            "ids",
            Kind::List(&Kind::String),
            "The checkpoints of its task, in the order in which they were first saved.",
        ),
        required(
            "bytes",
            Kind::List(&Kind::Integer),
            "The size of each of them.",
        ),
        required(
            "changes",
            Kind::Integer,
            "The number of changes of that task, counted from any number on.",
        ),
        optional(
            "owner",
            &Kind::String,
            "The task that has a checkpoint of this id.",
        ),
        optional(
            "other_bytes",
            &Kind::Integer,
            "The bytes of the checkpoints of all other tasks.",
        ),
        EXPECTED_REVISION,
    ]),
);

fn run(arguments: &Arguments) -> Reply<Json> {
    let mut warnings = Warnings::default();
    let planned = limits_of(arguments).and_then(|limits| plan(arguments, &limits, &mut warnings));
    warnings.reply(planned.map(Json::from))
}

fn plan(
    arguments: &Arguments,
    limits: &TaskLimits,
    warnings: &mut Warnings,
) -> Result<SavedTaskCheckpoint, Error> {
    let state = StateInput::of(arguments)?.read(limits, warnings)?;
    let present = index_of(arguments, state.task())?;
    let save = Save::kept_elsewhere(&state).expecting(arguments.number(EXPECTED_REVISION.name));
    let saved = present.into_saved(save, limits)?;
    let others = arguments.number("other_bytes").unwrap_or_default();
    saved.check_store(others, limits)?;
    // Last, as in a store.
    let owner = arguments
        .optional_text("owner")
        .map(TaskId::new)
        .transpose()?;
    if let Some(owner) = owner.filter(|owner| owner != state.task()) {
        return Err(of_another_task(state.id(), &owner));
    }
    Ok(SavedTaskCheckpoint::new(&state, &saved))
}

/// The task as the caller keeps it.
fn index_of(arguments: &Arguments, task: &TaskId) -> Result<TaskIndex, Error> {
    let list = |name| arguments.value(name).and_then(Json::as_array);
    let ids = list("ids").unwrap_or_default().iter();
    let bytes = list("bytes").unwrap_or_default().iter();
    let kept = ids.filter_map(Json::as_str).zip(bytes);
    let kept = kept.map(|(id, bytes)| Ok((TaskId::new(id)?, bytes.as_u64().unwrap_or_default())));
    let kept = kept.collect::<Result<Vec<_>, Error>>()?;
    let changes = arguments.number("changes").unwrap_or_default();
    Ok(TaskIndex::kept_elsewhere(task.clone(), changes, kept))
}

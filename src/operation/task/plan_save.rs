//! The plan of a save for a task that its caller keeps, such as in memory.

use crate::checkpoint::task::index::{Save, TaskIndex, of_another_task};
use crate::checkpoint::task::limits::TaskLimits;
use crate::checkpoint::task::name::TaskId;
use crate::error::Error;
use crate::json::Json;
use crate::operation::row::{Arguments, Capability, Operation};
use crate::operation::{Reply, Warnings};
use crate::schema::ArgumentMembers;

use super::input::{ExpectedRevision, StateMembers, TaskLimitsArguments};
use super::save::SavedTaskCheckpoint;

pub(super) const OPERATION: Operation =
    Operation::alone::<PlanTaskSaveArguments, SavedTaskCheckpoint>(
        "plan_task_save",
        "The result of saving a checkpoint for a task that the caller keeps: nothing is stored.",
        run,
    )
    .of(Capability::Tasks);

/// The checkpoint in one of two forms, what the caller keeps, and how much of it.
#[derive(ArgumentMembers)]
struct PlanTaskSaveArguments<'a> {
    #[shape(flatten)]
    state: StateMembers<'a>,
    /// The checkpoints of its task, in the order in which they were first saved.
    ids: Vec<&'a str>,
    /// The size of each of them.
    bytes: Vec<u64>,
    /// The number of changes of that task, counted from any number on.
    changes: u64,
    /// The task that has a checkpoint of this id.
    owner: Option<&'a str>,
    /// The bytes of the checkpoints of all other tasks.
    other_bytes: Option<u64>,
    #[shape(flatten)]
    expected: ExpectedRevision,
    #[shape(flatten)]
    limits: TaskLimitsArguments<'a>,
}

fn run(arguments: &Arguments) -> Reply<Json> {
    let mut warnings = Warnings::default();
    let arguments: PlanTaskSaveArguments<'_> = arguments.read();
    let limits = arguments.limits.checked();
    let planned = limits.and_then(|limits| plan(&arguments, &limits, &mut warnings));
    warnings.reply(planned.map(Json::from))
}

fn plan(
    arguments: &PlanTaskSaveArguments<'_>,
    limits: &TaskLimits,
    warnings: &mut Warnings,
) -> Result<SavedTaskCheckpoint, Error> {
    let state = arguments.state.input()?.read(limits, warnings)?;
    let present = index_of(arguments, state.task())?;
    let save = Save::kept_elsewhere(&state).expecting(arguments.expected.expected_revision);
    let saved = present.into_saved(save, limits)?;
    let others = arguments.other_bytes.unwrap_or_default();
    saved.check_store(others, limits)?;
    // Last, as in a store.
    let owner = arguments.owner.map(TaskId::new).transpose()?;
    if let Some(owner) = owner.filter(|owner| owner != state.task()) {
        return Err(of_another_task(state.id(), &owner));
    }
    Ok(SavedTaskCheckpoint::new(&state, &saved))
}

/// The task as the caller keeps it.
fn index_of(arguments: &PlanTaskSaveArguments<'_>, task: &TaskId) -> Result<TaskIndex, Error> {
    let kept = arguments.ids.iter().zip(&arguments.bytes);
    let kept = kept.map(|(id, bytes)| Ok((TaskId::new(id)?, *bytes)));
    let kept = kept.collect::<Result<Vec<_>, Error>>()?;
    let changes = arguments.changes;
    Ok(TaskIndex::kept_elsewhere(task.clone(), changes, kept))
}

//! The choice of the tasks that a prune removes, of those that their caller keeps, such as in memory.

use crate::json::Json;
use crate::operation::document_folder::days_ago;
use crate::operation::row::{Arguments, Capability, Operation};
use crate::operation::{Reply, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::prune_tasks::is_before;

pub(super) const OPERATION: Operation = Operation::alone::<PlanTaskPruneArguments, TaskPrunePlan>(
    "plan_task_prune",
    "The tasks that a prune removes, of those that the caller keeps: nothing is removed.",
    run,
)
.of(Capability::Tasks);

/// The age, and the tasks that the caller keeps.
#[derive(ArgumentMembers)]
struct PlanTaskPruneArguments {
    /// The number of days, from 1 on.
    days: u64,
    /// The present time, in ms since 1970.
    now_ms: u64,
    /// The time of the latest save of each task, in ms since 1970.
    saved_ms: Vec<u64>,
}

/// The outcome.
#[derive(Shaped)]
struct TaskPrunePlan {
    /// The places of the tasks that go, in `saved_ms`, from 0 on.
    old: Vec<u64>,
}

fn run(arguments: &Arguments) -> Reply<Json> {
    let PlanTaskPruneArguments {
        days,
        now_ms,
        saved_ms,
    } = arguments.read();
    let plan = days_ago(now_ms as f64, days).map(|before_ms| {
        let places = (0_u64..).zip(saved_ms);
        let old = places.filter(|(_, saved_ms)| is_before(*saved_ms as f64, before_ms));
        let old = old.map(|(place, _)| place).collect();
        TaskPrunePlan { old }.into()
    });
    Warnings::default().reply(plan)
}

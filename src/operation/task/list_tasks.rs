//! All tasks that have checkpoints.

use crate::checkpoint::task::index::TaskIndex;
use crate::checkpoint::task::name::{TaskId, is_stem};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{
    Answering, Arguments, Capability, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Kind, Shape};

use super::task_store::{TaskStore, stem};

/// The number of tasks in a page, unless the caller says otherwise.
const USUAL: u64 = 100;

pub(super) const OPERATION: Operation = Operation::at(
    "list_tasks",
    "The tasks that have checkpoints, a page at a time, in an order that stays as it is.",
    &ARGUMENTS,
    Kind::Object(&PAGE),
    perform,
)
.of(Capability::Tasks);

const ARGUMENTS: Shape = shape(
    "ListTasksArguments",
    "The page.",
    &[
        optional(
            "after",
            &Kind::String,
            "The task that the page begins after; it need not be there any more.",
        ),
        optional(
            "limit",
            &Kind::Integer,
            "At most so many tasks, 1 at least; 100 by default.",
        ),
    ],
);

const PAGE: Shape = shape(
    "TaskPage",
    "Some of the tasks.",
    &[
        required(
            "tasks",
            Kind::List(&Kind::Object(&TASK)),
            "In an order that does not change with what is saved; not that of their ids.",
        ),
        required(
            "next",
            Kind::Nullable(&Kind::String),
            "The place after which the next page begins; null on the last page.",
        ),
    ],
);

pub(in crate::operation) const TASK: Shape = shape(
    "TaskOverview",
    "A task that has checkpoints.",
    &[
        required("task_id", Kind::String, "Its id."),
        required(
            "revision",
            Kind::Integer,
            "Its revision: what a save can expect.",
        ),
        required(
            "checkpoints",
            Kind::Integer,
            "The number of its checkpoints.",
        ),
        required("bytes", Kind::Integer, "Their size together."),
        required("latest", Kind::String, "The id of the latest."),
        required(
            "saved_at",
            Kind::String,
            "The time at which that was last saved.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let after = arguments
            .optional_text("after")
            .map(TaskId::new)
            .transpose();
        let limit = arguments.number("limit").unwrap_or(USUAL);
        match after {
            Ok(after) => list_tasks(io, settings, after.as_ref(), limit)
                .await
                .map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// Some of the tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskListPage {
    /// Each has a checkpoint.
    pub tasks: Vec<TaskIndex>,
    /// The task after which the next page begins; `None` where there are no more.
    pub next: Option<TaskId>,
}

impl From<TaskListPage> for Json {
    fn from(page: TaskListPage) -> Self {
        let tasks = page.tasks.iter().map(shown);
        Object::new()
            .with("tasks", tasks.collect::<Vec<_>>())
            .with("next", page.next.as_ref().map(TaskId::as_str))
            .into()
    }
}

fn shown(index: &TaskIndex) -> Json {
    let latest = index.latest();
    Object::new()
        .with("task_id", index.task().as_str())
        .with("revision", index.revision())
        .with("checkpoints", index.entries().len() as u64)
        .with("bytes", index.bytes())
        .with("latest", latest.map(|it| it.id().as_str()))
        .with("saved_at", latest.map(|it| it.part().saved_at.as_str()))
        .into()
}

/// The tasks after this one, at most so many. One that cannot be read is passed over, with a warning.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `invalid_document`. Fails with `usage`,
/// `unsafe_path`, `io`.
pub async fn list_tasks(
    io: &Io,
    settings: &Settings,
    after: Option<&TaskId>,
    limit: u64,
) -> Reply<TaskListPage> {
    with_warnings(async |warnings| {
        if limit == 0 {
            let message = "Expected `limit` to be a whole number from 1 on, got 0";
            return Err(Error::usage(message.to_owned()));
        }
        let store = TaskStore::open(io, settings).await?;
        let manifest = store.documents.manifest();
        let after = after.map(stem).transpose()?;
        let mut names = store.documents.rooted(manifest.names().await).await?;
        if names.is_empty() {
            store.documents.expect_root().await?;
        }
        names.retain(|name| {
            let is_after = |after| name.as_str() > crate::store::Stem::as_str(after);
            is_stem(name.as_str()) && after.as_ref().is_none_or(is_after)
        });
        let mut tasks: Vec<TaskIndex> = Vec::new();
        for name in &names {
            // That there is one more is known only once it was read.
            match store.read(name).await {
                Ok(Some(index)) if !index.is_empty() => {
                    if tasks.len() as u64 == limit {
                        let next = tasks.last().map(|it| it.task().clone());
                        return Ok(TaskListPage { tasks, next });
                    }
                    tasks.push(index);
                }
                Ok(_) => {}
                Err(error) => {
                    let error = store.advise(name, None, error);
                    warnings.add(store.documents.passed_over(name, &error));
                }
            }
        }
        Ok(TaskListPage { tasks, next: None })
    })
    .await
}

//! All tasks that have checkpoints.

use crate::checkpoint::task::index::TaskIndex;
use crate::checkpoint::task::name::{TaskId, is_stem};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Kind, Shaped};

use super::task_store::{TaskStore, stem};

/// The number of tasks in a page, unless the caller says otherwise.
const USUAL: u64 = 100;

pub(super) const OPERATION: Operation = Operation::at::<ListTasksArguments, TaskListPage>(
    "list_tasks",
    "The tasks that have checkpoints, a page at a time, in an order that stays as it is.",
    perform,
)
.of(Capability::Tasks);

/// The page.
#[derive(ArgumentMembers)]
struct ListTasksArguments<'a> {
    /// The task that the page begins after; it need not be there any more.
    after: Option<&'a str>,
    /// At most so many tasks, 1 at least; 100 by default.
    limit: Option<u64>,
}

/// A task that has checkpoints.
#[derive(Shaped)]
pub(in crate::operation) struct TaskOverview {
    /// Its id.
    task_id: TaskId,
    /// Its revision: what a save can expect.
    revision: u64,
    /// The number of its checkpoints.
    checkpoints: u64,
    /// Their size together.
    bytes: u64,
    /// The id of the latest.
    #[shape(kind = Kind::String)]
    latest: Option<TaskId>,
    /// The time at which that was last saved.
    #[shape(kind = Kind::String)]
    saved_at: Option<String>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let ListTasksArguments { after, limit } = arguments.read();
        let limit = limit.unwrap_or(USUAL);
        match after.map(TaskId::new).transpose() {
            Ok(after) => list_tasks(io, settings, after.as_ref(), limit)
                .await
                .map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// Some of the tasks.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "TaskPage")]
pub struct TaskListPage {
    /// In an order that does not change with what is saved; not that of their ids.
    #[shape(into = TaskOverview)]
    pub tasks: Vec<TaskIndex>,
    /// The place after which the next page begins; null on the last page.
    pub next: Option<TaskId>,
}

impl From<TaskIndex> for TaskOverview {
    fn from(index: TaskIndex) -> Self {
        let latest = index.latest();
        TaskOverview {
            task_id: index.task().clone(),
            revision: index.revision(),
            checkpoints: index.entries().len() as u64,
            bytes: index.bytes(),
            latest: latest.map(|it| it.id().clone()),
            saved_at: latest.map(|it| it.part().saved_at.clone()),
        }
    }
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

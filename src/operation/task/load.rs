//! One task checkpoint.

use crate::checkpoint::task::index::TaskIndex;
use crate::checkpoint::task::name::TaskId;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};

use super::snapshot::{self, TaskCheckpoint, TaskCheckpointMembers};
use super::task_store::{TaskStore, stem};

pub(super) const OPERATION: Operation = Operation::at::<LoadTaskArguments, LoadedTaskCheckpoint>(
    "load_task",
    "The latest checkpoint of a task, which is the one that was first saved last, or the one of an id.",
    perform,
)
.of(Capability::Tasks);

/// The checkpoint: of the two, one.
#[derive(ArgumentMembers)]
struct LoadTaskArguments<'a> {
    /// The latest one of this task.
    task_id: Option<&'a str>,
    /// The one of this id.
    id: Option<&'a str>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let LoadTaskArguments { task_id, id } = arguments.read();
        match CheckpointSelector::new(task_id, id) {
            Ok(selector) => load(io, settings, &selector).await.map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// The checkpoint that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointSelector {
    /// The latest of a task.
    Latest(TaskId),
    /// This one.
    Id(TaskId),
}

impl CheckpointSelector {
    /// From the two arguments that say it.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for neither and for both; [`Error::invalid_name`] for an invalid name.
    pub fn new(task: Option<&str>, id: Option<&str>) -> Result<CheckpointSelector, Error> {
        let found = match (task, id) {
            (Some(task), None) => return TaskId::new(task).map(CheckpointSelector::Latest),
            (None, Some(id)) => return TaskId::new(id).map(CheckpointSelector::Id),
            (None, None) => "neither",
            (Some(_), Some(_)) => "both",
        };
        Err(Error::usage(format!(
            "Expected `task_id`, for the latest checkpoint of a task, or `id`, got {found}"
        )))
    }

    fn task(&self) -> Option<&TaskId> {
        match self {
            CheckpointSelector::Latest(task) => Some(task),
            CheckpointSelector::Id(_) => None,
        }
    }
}

/// A checkpoint as it is stored.
#[derive(Clone, Debug, PartialEq, Shaped)]
#[shape(name = "LoadedTask")]
pub struct LoadedTaskCheckpoint {
    /// The checkpoint.
    #[shape(flatten, into = CheckpointWithTask)]
    pub snapshot: TaskCheckpoint,
    /// The revision of the task: what a save can expect.
    pub revision: u64,
}

/// A checkpoint and its task.
#[derive(Shaped)]
struct CheckpointWithTask {
    #[shape(flatten)]
    checkpoint: TaskCheckpointMembers,
    /// Its task.
    task_id: TaskId,
}

impl From<TaskCheckpoint> for CheckpointWithTask {
    fn from(checkpoint: TaskCheckpoint) -> Self {
        CheckpointWithTask {
            task_id: checkpoint.task.clone(),
            checkpoint: checkpoint.into(),
        }
    }
}

/// Loads one.
///
/// Warns `untrusted_origin`, `invalid_document`, `duplicate_key`, `text_replaced`. Fails with `not_found`,
/// and with `corrupt`, `invalid_document`, `unsupported_version`, `too_large`, `busy`, `unsafe_path`, `io`.
pub async fn load(
    io: &Io,
    settings: &Settings,
    selector: &CheckpointSelector,
) -> Reply<LoadedTaskCheckpoint> {
    with_warnings(async |warnings| {
        let store = TaskStore::open(io, settings).await?;
        let stem = match selector {
            CheckpointSelector::Latest(task) => Some(stem(task)?),
            CheckpointSelector::Id(id) => store.holder(id).await?,
        };
        let mut choose = |index: &TaskIndex| {
            let entry = match selector {
                CheckpointSelector::Latest(_) => index.latest(),
                CheckpointSelector::Id(id) => index.find(id),
            };
            entry.cloned()
        };
        let found = match &stem {
            Some(stem) => {
                let found = snapshot::find(&store, stem, &mut choose).await;
                found.map_err(|error| store.advise(stem, selector.task(), error))?
            }
            None => None,
        };
        let Some((stem, found)) = stem.zip(found) else {
            store.documents.expect_root().await?;
            return Err(match selector {
                CheckpointSelector::Latest(task) => Error::no_checkpoint_of_task(task.as_str()),
                CheckpointSelector::Id(id) => Error::no_checkpoint_with_id(id.as_str()),
            });
        };
        let revision = found.index.revision();
        let snapshot = found.open(warnings)?;
        store.documents.notice(&stem, warnings).await;
        Ok(LoadedTaskCheckpoint { snapshot, revision })
    })
    .await
}

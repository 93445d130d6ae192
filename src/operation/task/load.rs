//! One task checkpoint.

use crate::checkpoint::task::index::TaskIndex;
use crate::checkpoint::task::name::TaskId;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{
    Answering, Arguments, Capability, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Kind, Shape};

use super::snapshot::{self, TaskCheckpoint};
use super::task_store::{TaskStore, stem};

pub(super) const OPERATION: Operation = Operation::at(
    "load_task",
    "The latest checkpoint of a task, which is the one that was first saved last, or the one of an id.",
    &ARGUMENTS,
    Kind::Object(&LOADED),
    perform,
)
.of(Capability::Tasks);

const ARGUMENTS: Shape = shape(
    "LoadTaskArguments",
    "The checkpoint: of the two, one.",
    &[
        optional("task_id", &Kind::String, "The latest one of this task."),
        optional("id", &Kind::String, "The one of this id."),
    ],
);

const LOADED: Shape = shape(
    "LoadedTask",
    "A checkpoint as it is stored.",
    &[
        snapshot::ID,
        snapshot::SAVED_AT,
        snapshot::BYTES,
        snapshot::REMAINING_STEPS,
        snapshot::STATE,
        required("task_id", Kind::String, "Its task."),
        required(
            "revision",
            Kind::Integer,
            "The revision of the task: what a save can expect.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let (task, id) = (
            arguments.optional_text("task_id"),
            arguments.optional_text("id"),
        );
        match CheckpointSelector::new(task, id) {
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

/// A checkpoint and its task.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedTaskCheckpoint {
    /// The checkpoint.
    pub snapshot: TaskCheckpoint,
    /// The revision of the task.
    pub revision: u64,
}

impl From<LoadedTaskCheckpoint> for Json {
    fn from(loaded: LoadedTaskCheckpoint) -> Self {
        let task = loaded.snapshot.task.as_str().to_owned();
        loaded
            .snapshot
            .into_object()
            .with("task_id", task)
            .with("revision", loaded.revision)
            .into()
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

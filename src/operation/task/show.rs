//! One task with its checkpoints, and the data of one of them. No row of the table: programs have `load_task` and
//! `list_task`.

use crate::checkpoint::task::index::TaskIndex;
use crate::checkpoint::task::name::{TaskId, is_stem};
use crate::checkpoint::task::state::status;
use crate::effect::Io;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::meant::{MOST_READ, meant, unknown};
use crate::operation::reply::with_warnings;
use crate::operation::{Reply, Settings, Warnings};
use crate::secret::redact_members;

use super::snapshot::{self, TaskCheckpoint, TaskCheckpointMembers};
use super::task_store::{TaskStore, stem};

/// A task, and one of its checkpoints.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownTask {
    /// All of its checkpoints, without their data.
    pub index: TaskIndex,
    /// The one that was asked for, or the latest.
    pub checkpoint: TaskCheckpoint,
}

impl ShownTask {
    /// The status of the task according to the checkpoint.
    pub fn status(&self) -> &'static str {
        status(&self.checkpoint.state)
    }
}

impl From<ShownTask> for Json {
    fn from(page: ShownTask) -> Self {
        let status = page.status();
        let entries = page.index.entries().iter().map(|entry| {
            Object::new()
                .with("id", entry.id().as_str())
                .with("saved_at", entry.part().saved_at.as_str())
                .with("bytes", entry.part().bytes)
        });
        let entries: Vec<Object> = entries.collect();
        Object::new()
            .with("task_id", page.index.task().as_str())
            .with("status", status)
            .with("revision", page.index.revision())
            .with("checkpoints", entries)
            .with("checkpoint", TaskCheckpointMembers::from(page.checkpoint))
            .into()
    }
}

/// The task of this id with its checkpoint of another id, or the latest, without secrets. The beginning of an id stands
/// for the only one that begins with it.
///
/// Warns `untrusted_origin`, `invalid_document`, `duplicate_key`, `text_replaced`. Fails with `not_found`, with an id
/// that is near; `invalid_name`; `corrupt`, `invalid_document`, `unsupported_version`, `too_large` for what is stored;
/// `busy`, `unsafe_path`, `io`.
pub async fn show(
    io: &Io,
    settings: &Settings,
    task: &str,
    checkpoint: Option<&str>,
) -> Reply<ShownTask> {
    with_warnings(async |warnings| {
        let store = TaskStore::open(io, settings).await?;
        let mut task = TaskId::new(task)?;
        let present = read(&store, &task).await?;
        let index = match present {
            Some(index) => index,
            None => {
                store.documents.expect_root().await?;
                let known = ids(&store).await?;
                task = TaskId::new(&meant("task", task.as_str(), known.as_deref())?)?;
                let found = read(&store, &task).await?;
                // It was removed since.
                found.ok_or_else(|| unknown("task", task.as_str(), &[]))?
            }
        };
        let checkpoint = checkpoint.map(|id| chosen(&index, id)).transpose()?;
        page(&store, &task, checkpoint.as_ref(), warnings).await
    })
    .await
}

/// The index of a task that has checkpoints.
async fn read(store: &TaskStore<'_>, task: &TaskId) -> Result<Option<TaskIndex>, Error> {
    let stem = stem(task)?;
    let index = store.read(&stem).await;
    let index = index.map_err(|error| store.advise(&stem, Some(task), error))?;
    Ok(index.filter(|index| !index.is_empty()))
}

/// The ids of tasks that can be read; `None` where there are more tasks than [`MOST_READ`].
async fn ids(store: &TaskStore<'_>) -> Result<Option<Vec<String>>, Error> {
    let first = store.documents.first(is_stem, MOST_READ).await?;
    if first.has_more() {
        return Ok(None);
    }
    let mut ids = Vec::new();
    for name in &first.stems {
        if let Ok(Some(index)) = store.read(name).await
            && !index.is_empty()
        {
            ids.push(index.task().as_str().to_owned());
        }
    }
    Ok(Some(ids))
}

/// The checkpoint of a task that is meant by an id.
fn chosen(index: &TaskIndex, name: &str) -> Result<TaskId, Error> {
    let id = TaskId::new(name)?;
    if index.find(&id).is_some() {
        return Ok(id);
    }
    let known = index.entries().iter().map(|it| it.id().as_str().to_owned());
    let known: Vec<String> = known.collect();
    let noun = "checkpoint of this task called";
    TaskId::new(&meant(noun, name, Some(&known))?)
}

async fn page(
    store: &TaskStore<'_>,
    task: &TaskId,
    checkpoint: Option<&TaskId>,
    warnings: &mut Warnings,
) -> Result<ShownTask, Error> {
    let stem = stem(task)?;
    let mut choose = |index: &TaskIndex| {
        let entry = match checkpoint {
            Some(id) => index.find(id),
            None => index.latest(),
        };
        entry.cloned()
    };
    let found = snapshot::find(store, &stem, &mut choose).await;
    let found = found.map_err(|error| store.advise(&stem, Some(task), error))?;
    // It was removed since.
    let found = found.ok_or_else(|| unknown("task", task.as_str(), &[]))?;
    let index = found.index.clone();
    let mut checkpoint = found.open(warnings)?;
    checkpoint.state = redact_members(&[], &checkpoint.state);
    store.documents.notice(&stem, warnings).await;
    Ok(ShownTask { index, checkpoint })
}

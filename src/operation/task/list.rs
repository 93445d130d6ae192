//! All checkpoints of a task.

use crate::checkpoint::task::entry::TaskIndexEntry;
use crate::checkpoint::task::index::TaskIndex;
use crate::checkpoint::task::name::TaskId;
use crate::effect::{Io, boxed};
use crate::error::{Code, Error, Warning};
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::Stem;
use crate::text::quoted;

pub use super::snapshot::TaskCheckpoint;
use super::snapshot::{self, TaskCheckpointMembers};
use super::task_store::{TaskStore, stem};

/// The bytes of checkpoints in a page, unless the caller says otherwise: listing a task takes memory for some of them.
const PAGE_BYTES: u64 = 64 << 20;

/// Each look finds what another writer has changed since the one before it.
const READ_ATTEMPTS: u32 = 100;

pub(super) const OPERATION: Operation = Operation::at::<ListTaskArguments, TaskCheckpointList>(
    "list_task",
    "The checkpoints of a task, in the order in which they were first saved, a page at a time; \
     none of an unknown task.",
    perform,
)
.of(Capability::Tasks);

/// The task, and where its list goes on.
#[derive(ArgumentMembers)]
struct ListTaskArguments<'a> {
    /// The task.
    task_id: &'a str,
    /// The id of the checkpoint that the list goes on after; where that is gone, a conflict.
    after: Option<&'a str>,
    /// Checkpoints of so many bytes together are a page; 64 MiB by default.
    page_bytes: Option<u64>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let ListTaskArguments {
            task_id,
            after,
            page_bytes,
        } = arguments.read();
        let after = after.map(TaskId::new).transpose();
        match (TaskId::new(task_id), after) {
            (Ok(task), Ok(after)) => {
                let begin = TaskListRange {
                    after: after.as_ref(),
                    page_bytes: page_bytes.unwrap_or(PAGE_BYTES),
                };
                list(io, settings, &task, begin).await.map(Json::from)
            }
            (Err(error), _) | (_, Err(error)) => Warnings::default().reply(Err(error)),
        }
    })
}

/// The place at which a list goes on, and its limit.
#[derive(Clone, Copy, Debug)]
pub struct TaskListRange<'a> {
    /// Behind this one; `None` for the whole list.
    pub after: Option<&'a TaskId>,
    /// Checkpoints of so many bytes together, but one at least.
    pub page_bytes: u64,
}

/// The checkpoints of a task, all of one moment.
#[derive(Clone, Debug, PartialEq, Shaped)]
#[shape(name = "ListedTask")]
pub struct TaskCheckpointList {
    /// The task.
    #[shape(name = "task_id")]
    pub task: TaskId,
    /// Its revision, 0 without a checkpoint: what a save can expect.
    pub revision: u64,
    /// In the order in which they were first saved.
    #[shape(into = TaskCheckpointMembers)]
    pub checkpoints: Vec<TaskCheckpoint>,
    /// The checkpoint after which the list goes on; null where it ends.
    pub next: Option<TaskId>,
}

/// The checkpoints of a task after this one, as many as are a page. One that cannot be read is passed over, with a warning.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `untrusted_origin`, `invalid_document`,
/// `duplicate_key`, `text_replaced`. Fails with `conflict` where the one to go on after is gone, `corrupt`, `invalid_document`, `unsupported_version` for
/// the index, and `busy`, `unsafe_path`, `io`.
pub async fn list(
    io: &Io,
    settings: &Settings,
    task: &TaskId,
    begin: TaskListRange<'_>,
) -> Reply<TaskCheckpointList> {
    with_warnings(async |warnings| {
        let store = TaskStore::open(io, settings).await?;
        let stem = stem(task)?;
        let mut listing = TaskCheckpointReader {
            store: &store,
            stem: &stem,
            read: Vec::new(),
        };
        for _ in 0..READ_ATTEMPTS {
            let index = store.read(&stem).await;
            let index = index.map_err(|error| store.advise(&stem, Some(task), error))?;
            let index = index.unwrap_or_else(|| TaskIndex::new(task.clone()));
            let page = page(&index, begin)?;
            if index.is_empty() {
                store.documents.expect_root().await?;
            } else if !listing.reads_all(page, warnings).await? {
                continue;
            } else {
                store.documents.notice(&stem, warnings).await;
            }
            let last = page.last().map(TaskIndexEntry::id);
            let is_end = last == index.latest().map(TaskIndexEntry::id);
            return Ok(TaskCheckpointList {
                task: task.clone(),
                revision: index.revision(),
                next: last.filter(|_| !is_end).cloned(),
                checkpoints: listing.all_of(page),
            });
        }
        Err(Error::busy(store.documents.manifest().shown(&stem)))
    })
    .await
}

/// The page of a task's list, with one checkpoint at least where the task has one.
fn page<'a>(index: &'a TaskIndex, begin: TaskListRange<'_>) -> Result<&'a [TaskIndexEntry], Error> {
    let entries = index.entries();
    let first = match begin.after {
        None => 0,
        Some(after) => {
            let at = entries.iter().position(|entry| entry.id() == after);
            1 + at.ok_or_else(|| gone(index, after))?
        }
    };
    let rest = entries.get(first..).unwrap_or_default();
    let mut bytes = 0_u64;
    let fitting = rest.iter().take_while(|entry| {
        bytes = bytes.saturating_add(entry.part().bytes);
        bytes <= begin.page_bytes
    });
    let count = fitting.count().max(1).min(rest.len());
    Ok(&rest[..count])
}

fn gone(index: &TaskIndex, after: &TaskId) -> Error {
    let (task, after) = (quoted(index.task().as_str()), quoted(after.as_str()));
    Error::conflict(
        format!("Task {task} has no checkpoint {after} any more: list it from its beginning"),
        Vec::new(),
    )
}

/// The parts of a task that were read: they never change, so that nothing is read twice.
struct TaskCheckpointReader<'a> {
    store: &'a TaskStore<'a>,
    stem: &'a Stem,
    /// `None` for one that cannot be read.
    read: Vec<(TaskIndexEntry, Option<TaskCheckpoint>)>,
}

impl TaskCheckpointReader<'_> {
    /// Reads the parts that an index names; `false` where the index has changed in between.
    async fn reads_all(
        &mut self,
        page: &[TaskIndexEntry],
        warnings: &mut Warnings,
    ) -> Result<bool, Error> {
        for entry in page {
            if self
                .read
                .iter()
                .any(|(read, _)| read.part() == entry.part())
            {
                continue;
            }
            let mut is_same = true;
            let mut choose = |index: &TaskIndex| {
                let found = index.find(entry.id());
                is_same = found.is_some_and(|found| found.part() == entry.part());
                found.filter(|_| is_same).cloned()
            };
            let found = snapshot::find(self.store, self.stem, &mut choose).await;
            let snapshot = match found {
                Ok(Some(found)) => found.open(warnings).map(Some),
                Ok(None) => Ok(None),
                Err(error) => Err(error),
            };
            if !is_same {
                return Ok(false);
            }
            match snapshot {
                // It was removed with its task.
                Ok(None) => return Ok(false),
                Ok(snapshot) => self.read.push((entry.clone(), snapshot)),
                Err(error) if is_of_one(&error) => {
                    warnings.add(Warning::passed_over(&error));
                    self.read.push((entry.clone(), None));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    fn all_of(self, page: &[TaskIndexEntry]) -> Vec<TaskCheckpoint> {
        let mut read = self.read;
        let snapshots = page.iter().filter_map(|entry| {
            let at = read.iter().position(|(it, _)| it.part() == entry.part())?;
            read.swap_remove(at).1
        });
        snapshots.collect()
    }
}

/// Returns whether the others can still be read.
fn is_of_one(error: &Error) -> bool {
    matches!(
        error.code(),
        Code::Corrupt | Code::TooLarge | Code::UnsafePath | Code::Io
    )
}

//! A stored snapshot, and the findings of parsing it.

use crate::checkpoint::task::entry::TaskIndexEntry;
use crate::checkpoint::task::index::TaskIndex;
use crate::checkpoint::task::name::TaskId;
use crate::checkpoint::task::state::{contradictions, problems, remaining_steps};
use crate::error::Error;
use crate::json::{self, Json, Object};
use crate::operation::Warnings;
use crate::schema::{Problem, Shaped};
use crate::store::Stem;
use crate::store::manifest;

use super::task_store::{TaskStore, index};

/// A task checkpoint as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskCheckpoint {
    /// Its task.
    pub task: TaskId,
    /// Its entry in the index.
    pub entry: TaskIndexEntry,
    /// The state, exactly as saved.
    pub state: Object,
}

impl TaskCheckpoint {
    /// The steps that remain.
    pub fn remaining_steps(&self) -> Vec<&str> {
        remaining_steps(&self.state)
    }
}

/// One checkpoint of a task.
#[derive(Shaped)]
#[shape(name = "ListedTaskCheckpoint")]
pub(super) struct TaskCheckpointMembers {
    /// Its id.
    id: TaskId,
    /// The time at which it was last saved.
    saved_at: String,
    /// Its size in bytes.
    bytes: u64,
    /// The steps that remain: its pending ones.
    remaining_steps: Vec<String>,
    /// The checkpoint, exactly as saved.
    state: Object,
}

impl From<TaskCheckpoint> for TaskCheckpointMembers {
    fn from(checkpoint: TaskCheckpoint) -> Self {
        let remaining = checkpoint.remaining_steps().into_iter();
        let remaining_steps = remaining.map(str::to_owned).collect();
        let part = checkpoint.entry.part();
        TaskCheckpointMembers {
            id: checkpoint.entry.id().clone(),
            saved_at: part.saved_at.clone(),
            bytes: part.bytes,
            remaining_steps,
            state: checkpoint.state,
        }
    }
}

/// A snapshot that was found, with the index that named it.
pub(super) struct FoundSnapshot {
    pub(super) index: TaskIndex,
    entry: TaskIndexEntry,
    path: String,
    bytes: Vec<u8>,
}

/// Reads the chosen snapshot of a task; `None` where none is chosen. It is chosen again whenever another writer has
/// replaced or removed it in between.
///
/// # Errors
///
/// Those of [`manifest::Manifest::part`] and [`TaskIndex::read`].
pub(super) async fn find(
    store: &TaskStore<'_>,
    stem: &Stem,
    choose: &mut dyn FnMut(&TaskIndex) -> Option<TaskIndexEntry>,
) -> Result<Option<FoundSnapshot>, Error> {
    let mut chosen = Ok(None);
    let mut pick = |found: &manifest::ManifestIndex| {
        chosen = index(found, stem).map(|index| {
            let entry = choose(&index);
            entry.map(|entry| (index, entry))
        });
        let (_, entry) = chosen.as_ref().ok()?.as_ref()?;
        Some(entry.id().key())
    };
    let manifest = store.documents.manifest();
    let part = manifest.part(stem, &mut pick).await?;
    Ok(chosen?
        .zip(part)
        .map(|((index, entry), part)| FoundSnapshot {
            index,
            entry,
            path: manifest.shown_part(stem, &part),
            bytes: part.bytes,
        }))
}

impl FoundSnapshot {
    /// The content of its bytes.
    ///
    /// # Errors
    ///
    /// [`Error::corrupt`] where that is no object.
    pub(super) fn open(self, warnings: &mut Warnings) -> Result<TaskCheckpoint, Error> {
        let corrupt = |reason: String| Error::corrupt(self.path.clone(), reason, None);
        let reading =
            json::read(&self.bytes).map_err(|malformed| corrupt(malformed.to_string()))?;
        warnings.reading(
            &self.path,
            reading.duplicate_key.as_deref(),
            reading.text_replaced,
        );
        let mut wrong: Vec<Problem> = problems(&reading.value);
        let Json::Object(state) = reading.value else {
            return Err(corrupt("expected an object".to_owned()));
        };
        let task = self.index.task().clone();
        wrong.extend(contradictions(&state, &task, self.entry.id()));
        warnings.left(&self.path, &wrong);
        Ok(TaskCheckpoint {
            task,
            entry: self.entry,
            state,
        })
    }
}

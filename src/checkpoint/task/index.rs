//! The index of a task: its checkpoints, and the effect of a save or a removal on them.
//!
//! The order is that of first saves, and no clock has a say in it: the *latest* checkpoint is the last one.
//! Every change is computed from an index and leaves that as it is; what it drops has to go only once the
//! new index is committed.

use super::definition::{INDEX, VERSION};
use super::entry::{CheckpointPart, TaskIndexEntry, problems_of_all};
use super::limits::{Cleanup, TaskLimits};
use super::name::{self, TaskId};
use super::state::TaskState;
use crate::digest::is_id;
use crate::error::Error;
use crate::json::{Json, Object, Pointer};
use crate::schema::{MAX_INTEGER, Problem, ProblemCode};
use crate::text::quoted;

/// The member of the document with the checkpoints.
const CHECKPOINTS: &str = "checkpoints";

/// The index of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskIndex {
    task: TaskId,
    changes: u64,
    entries: Vec<TaskIndexEntry>,
    /// The unknown members, which are kept.
    rest: Object,
}

/// A checkpoint that is to be saved.
#[derive(Clone, Debug)]
pub struct Save {
    /// Its name, and what holds it.
    pub entry: TaskIndexEntry,
    /// Its statement about the task's end.
    pub progress: TaskProgress,
    /// The [revision](TaskIndex::revision) of the task, where the caller goes by what it has read.
    pub expected: Option<u64>,
}

/// The answer to whether anything of a task remains to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskProgress {
    /// It has pending steps.
    Open,
    /// It has none.
    Done,
}

/// The effect of a save on an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedSave {
    /// The index that is to be committed.
    pub next: TaskIndex,
    /// The earlier checkpoint of this name; `None` for a new one.
    pub replaced: Option<TaskIndexEntry>,
    /// Others that are no longer kept, the oldest first.
    pub evicted: Vec<TaskIndexEntry>,
    /// The number of bytes that the checkpoints had before.
    before: u64,
}

/// The effect of a removal on an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedRemoval {
    /// The index that is to be committed; it may be [empty](TaskIndex::is_empty).
    pub next: TaskIndex,
    /// The checkpoints that are gone, the oldest first.
    pub dropped: Vec<TaskIndexEntry>,
}

impl TaskIndex {
    /// The index of a task without checkpoints, which is that of a task without a document as well.
    pub fn new(task: TaskId) -> Self {
        TaskIndex {
            task,
            changes: 0,
            entries: Vec::new(),
            rest: Object::new(),
        }
    }

    /// Returns the index of a task whose checkpoints are stored by the caller: these, each with its
    /// bytes.
    pub fn kept_elsewhere(task: TaskId, changes: u64, kept: Vec<(TaskId, u64)>) -> Self {
        let entries = kept
            .into_iter()
            .map(|(id, bytes)| TaskIndexEntry::without_part(id, bytes));
        TaskIndex {
            entries: entries.collect(),
            ..TaskIndex::new(task).counted_from(changes)
        }
    }

    /// Returns the index with its changes counted from this number on: a number that cannot be
    /// guessed distinguishes a task from an earlier, deleted one of its name.
    #[must_use]
    pub fn counted_from(self, changes: u64) -> Self {
        let changes = changes.min(MAX_INTEGER);
        TaskIndex { changes, ..self }
    }

    /// Takes over a stored document, which was found under this stem, without what the store writes into it.
    ///
    /// # Errors
    ///
    /// - [`Error::unsupported_version`] when its version is higher than [`VERSION`].
    /// - [`Error::invalid_document`] with every problem, also where it is of another task, where two
    ///   checkpoints have one name, or where a file would be named by anything but a key and a token.
    pub fn read(mut object: Object, stem: &str) -> Result<Self, Error> {
        if let Some(version) = object.get("version").and_then(Json::as_u64)
            && version > VERSION
        {
            return Err(Error::unsupported_version(version, VERSION));
        }
        let document = Json::from(object.clone());
        let mut problems = INDEX.problems(&document);
        problems.extend(problem_of_task(&object, stem));
        let checkpoints = match object.remove(CHECKPOINTS) {
            Some(Json::Array(items)) => items,
            _ => Vec::new(),
        };
        problems.extend(problems_of_all(
            &checkpoints,
            &Pointer::root().key(CHECKPOINTS),
        ));
        let task = object.get("task").and_then(Json::as_str);
        let task = task.and_then(|task| TaskId::new(task).ok());
        let changes = object.get("changes").and_then(Json::as_u64);
        let entries = checkpoints.into_iter().map(TaskIndexEntry::read).collect();
        for field in INDEX.fields {
            object.remove(field.name);
        }
        match (task, changes, entries) {
            (Some(task), Some(changes), Some(entries)) if problems.is_empty() => Ok(TaskIndex {
                task,
                changes,
                entries,
                rest: object,
            }),
            _ => Err(Error::invalid_document(problems)),
        }
    }

    /// The document in its written order.
    pub fn into_object(self) -> Object {
        let entries = self.entries.into_iter();
        let entries: Vec<Json> = entries.map(|entry| entry.into_object().into()).collect();
        let mut object = self
            .rest
            .with("version", VERSION)
            .with("task", self.task.as_str())
            .with("changes", self.changes)
            .with(CHECKPOINTS, entries);
        INDEX.arrange(&mut object);
        object
    }

    /// The name of the task.
    pub fn task(&self) -> &TaskId {
        &self.task
    }

    /// Returns the number of saves and removals that it has seen, plus the number that it was
    /// counted from.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns the revision that a save can expect: the number of changes, and 0 as long as there
    /// is no checkpoint, however many there have been.
    pub fn revision(&self) -> u64 {
        match self.is_empty() {
            true => 0,
            false => self.changes,
        }
    }

    /// The checkpoints, in the order in which they were first saved.
    pub fn entries(&self) -> &[TaskIndexEntry] {
        &self.entries
    }

    /// Returns whether the task has no checkpoint: then it counts as unknown.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The checkpoint that was first saved last.
    pub fn latest(&self) -> Option<&TaskIndexEntry> {
        self.entries.last()
    }

    /// The checkpoint of this name.
    pub fn find(&self, id: &TaskId) -> Option<&TaskIndexEntry> {
        self.entries.iter().find(|entry| entry.id() == id)
    }

    /// Returns the number of bytes that the checkpoints have together.
    pub fn bytes(&self) -> u64 {
        let bytes = self.entries.iter().map(|entry| entry.part().bytes);
        bytes.fold(0, u64::saturating_add)
    }

    /// Returns the effect of saving a checkpoint. One of the same name is updated where it stands;
    /// a new one comes last. Then the oldest others go until no more are left than are kept, or all
    /// others where the task is done and they are not to stay; never the one that is saved.
    ///
    /// # Errors
    ///
    /// [`Error::conflict`] when the task is at another revision than expected;
    /// [`Error::too_large`] when the checkpoint, or with it those that stay, are above their limit.
    pub fn saved(&self, save: Save, limits: &TaskLimits) -> Result<AppliedSave, Error> {
        self.clone().into_saved(save, limits)
    }

    /// Returns the effect of saving a checkpoint, of an index that is no longer needed.
    ///
    /// # Errors
    ///
    /// As [`saved`](Self::saved).
    pub fn into_saved(self, save: Save, limits: &TaskLimits) -> Result<AppliedSave, Error> {
        self.check_expected(save.expected)?;
        limits.check_checkpoint(save.entry.part().bytes)?;
        let before = self.bytes();
        let mut next = self.changed();
        let id = save.entry.id().clone();
        let replaced = next.put(save.entry);
        let kept = match (limits.cleanup, save.progress) {
            (Cleanup::OnceDone, TaskProgress::Done) => 1,
            _ => usize::try_from(limits.per_task).unwrap_or(usize::MAX),
        };
        let evicted = next.evict(&id, kept);
        limits.check_task(next.bytes())?;
        Ok(AppliedSave {
            next,
            replaced,
            evicted,
            before,
        })
    }

    /// Returns the effect of removing a checkpoint; `None` for an unknown name.
    pub fn removed(&self, id: &TaskId) -> Option<AppliedRemoval> {
        let at = self.entries.iter().position(|entry| entry.id() == id)?;
        let mut next = self.clone().changed();
        let dropped = vec![next.entries.remove(at)];
        Some(AppliedRemoval { next, dropped })
    }

    /// Returns the effect of removing all checkpoints; `None` for an empty index.
    pub fn cleared(&self) -> Option<AppliedRemoval> {
        if self.is_empty() {
            return None;
        }
        let mut next = self.clone().changed();
        let dropped = std::mem::take(&mut next.entries);
        Some(AppliedRemoval { next, dropped })
    }

    /// Refuses a change whose caller has read another state than this one.
    fn check_expected(&self, expected: Option<u64>) -> Result<(), Error> {
        let Some(expected) = expected.filter(|it| *it != self.revision()) else {
            return Ok(());
        };
        let message = format!(
            "Task {} is at revision {}, and this save expects {expected}: read the task again, and save \
             what follows from that",
            quoted(self.task.as_str()),
            self.revision()
        );
        Err(Error::conflict(message, Vec::new()))
    }

    fn changed(self) -> TaskIndex {
        let changes = (self.changes + 1).min(MAX_INTEGER);
        TaskIndex { changes, ..self }
    }

    fn put(&mut self, entry: TaskIndexEntry) -> Option<TaskIndexEntry> {
        let known = self.entries.iter_mut().find(|it| it.id() == entry.id());
        let Some(known) = known else {
            self.entries.push(entry);
            return None;
        };
        let updated = known.clone().with_part(entry.into_part());
        Some(std::mem::replace(known, updated))
    }

    /// Takes the oldest out until no more are left than this, but not this one.
    fn evict(&mut self, but: &TaskId, kept: usize) -> Vec<TaskIndexEntry> {
        let mut surplus = self.entries.len().saturating_sub(kept);
        let evicted = self.entries.extract_if(.., |entry| {
            let goes = surplus > 0 && entry.id() != but;
            surplus -= usize::from(goes);
            goes
        });
        evicted.collect()
    }
}

impl Save {
    /// A snapshot that this part is to hold, regardless of earlier changes of the task.
    pub fn of(state: &TaskState, part: CheckpointPart) -> Self {
        Save::as_entry(state, TaskIndexEntry::new(state.id().clone(), part))
    }

    /// A snapshot that its caller keeps.
    pub fn kept_elsewhere(state: &TaskState) -> Self {
        let bytes = state.text().len() as u64;
        Save::as_entry(
            state,
            TaskIndexEntry::without_part(state.id().clone(), bytes),
        )
    }

    fn as_entry(state: &TaskState, entry: TaskIndexEntry) -> Self {
        let progress = match state.is_last() {
            true => TaskProgress::Done,
            false => TaskProgress::Open,
        };
        Save {
            entry,
            progress,
            expected: None,
        }
    }

    /// Sets the revision that the task has to be at.
    #[must_use]
    pub fn expecting(self, revision: Option<u64>) -> Self {
        Save {
            expected: revision,
            ..self
        }
    }
}

impl AppliedSave {
    /// Refuses to make more of a task than it was, where all checkpoints would have too many bytes then: those
    /// of others have so many.
    ///
    /// # Errors
    ///
    /// [`Error::too_large`]
    pub fn check_store(&self, others: u64, limits: &TaskLimits) -> Result<(), Error> {
        match self.next.bytes() > self.before {
            true => limits.check_store(others.saturating_add(self.next.bytes())),
            false => Ok(()),
        }
    }

    /// The parts that the new index does not name any more.
    pub fn dropped(&self) -> impl Iterator<Item = &TaskIndexEntry> {
        self.replaced.iter().chain(&self.evicted)
    }
}

/// Returns the key and the token of each part that a stored index names, even if the rest of it is
/// wrong: those are not left behind.
pub fn parts(index: &Object) -> Vec<(&str, &str)> {
    let items = index.get(CHECKPOINTS).and_then(Json::as_array);
    let items = items.unwrap_or_default().iter();
    let parts = items.filter_map(|item| {
        let item = item.as_object()?;
        Some((item.get("key")?.as_str()?, item.get("token")?.as_str()?))
    });
    let can_name_a_file = |(key, token): &(&str, &str)| is_id(key) && is_id(token);
    parts.filter(can_name_a_file).collect()
}

/// The error that a checkpoint of this name belongs to another task: two tasks never have one of
/// the same name.
pub fn of_another_task(id: &TaskId, other: &TaskId) -> Error {
    let message = format!(
        "Checkpoint {} belongs to task {} already: save it under another id, or delete that one first",
        quoted(id.as_str()),
        quoted(other.as_str())
    );
    Error::conflict(message, Vec::new())
}

fn problem_of_task(object: &Object, stem: &str) -> Option<Problem> {
    let task = object.get("task")?.as_str()?;
    let (code, message) = match TaskId::new(task) {
        Err(_) => (ProblemCode::Name, name::check(task).err()?),
        Ok(task) if task.stem() != stem => (
            ProblemCode::Contradiction,
            format!("its document is called {}, found {stem}", task.stem()),
        ),
        Ok(_) => return None,
    };
    Some(Problem {
        at: Pointer::root().key("task"),
        code,
        message,
    })
}

#[cfg(test)]
#[path = "index_reading_tests.rs"]
mod reading_tests;

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;

//! Saving a task checkpoint.

use crate::checkpoint::task::entry::{CheckpointPart, TaskIndexEntry};
use crate::checkpoint::task::index::{self, Save, TaskIndex, of_another_task};
use crate::checkpoint::task::limits::TaskLimits;
use crate::checkpoint::task::name::TaskId;
use crate::checkpoint::task::state::TaskState;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::Stem;
use crate::store::manifest::{self, Changed, ManifestPlan, NextIndex};

use super::input::{ExpectedRevision, StateInput, StateMembers, TaskLimitsArguments};
use super::task_store::{self, TaskStore, stem};

/// The number of tries: a writer whose id is gone when it asks for its name was overtaken by a removal.
const TRIES: u32 = 20;

/// The number of a token's digits that make the number that the changes of a new task are counted from.
const FIRST_DIGITS: usize = 8;

pub(super) const OPERATION: Operation = Operation::changing::<SaveTaskArguments, SavedTaskCheckpoint>(
    "save_task",
    "Saves a checkpoint of a task: one of a known id is updated in its place, a new one comes last, and the \
     oldest that are too many go.",
    perform,
)
.of(Capability::Tasks);

/// The checkpoint in one of two forms, and what is kept of its task.
#[derive(ArgumentMembers)]
struct SaveTaskArguments<'a> {
    #[shape(flatten)]
    state: StateMembers<'a>,
    #[shape(flatten)]
    expected: ExpectedRevision,
    #[shape(flatten)]
    limits: TaskLimitsArguments<'a>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let SaveTaskArguments {
            state,
            expected: ExpectedRevision { expected_revision },
            limits,
        } = arguments.read();
        let limits = limits.checked();
        match limits.and_then(|limits| Ok((limits, state.input()?))) {
            Ok((limits, given)) => save(io, settings, given, expected_revision, &limits)
                .await
                .map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// A checkpoint that was saved.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "SavedTask")]
pub struct SavedTaskCheckpoint {
    /// Its id.
    pub id: TaskId,
    /// Its task.
    #[shape(name = "task_id")]
    pub task: TaskId,
    /// The revision of the task now: what the next save can expect.
    pub revision: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// True if it took the place of one of the same id.
    #[shape(name = "updated")]
    pub is_update: bool,
    /// The ids of others that went, the oldest first.
    pub evicted: Vec<TaskId>,
}

impl SavedTaskCheckpoint {
    pub(super) fn new(state: &TaskState, saved: &index::AppliedSave) -> Self {
        SavedTaskCheckpoint {
            id: state.id().clone(),
            task: state.task().clone(),
            revision: saved.next.revision(),
            bytes: state.text().len() as u64,
            is_update: saved.replaced.is_some(),
            evicted: saved
                .evicted
                .iter()
                .map(TaskIndexEntry::id)
                .cloned()
                .collect(),
        }
    }
}

/// Saves a checkpoint.
///
/// Warns `repeated_step`, `duplicate_key`, `text_replaced`. Fails with `usage`, `invalid_document`, `too_large`, `conflict` where the task is at another revision than
/// expected and where another task has the id, and with `invalid_document`, `unsupported_version`,
/// `corrupt` for the index of the task, and `busy`, `unsafe_path`, `io`.
pub async fn save(
    io: &Io,
    settings: &Settings,
    given: StateInput<'_>,
    expected: Option<u64>,
    limits: &TaskLimits,
) -> Reply<SavedTaskCheckpoint> {
    with_warnings(async |warnings| {
        let state = &given.read(limits, warnings)?;
        let store = TaskStore::open(io, settings).await?;
        store.documents.expect_known().await?;
        let saving = Saving {
            stem: stem(state.task())?,
            now: store.now().await?,
            store: &store,
            state,
            expected,
            limits,
        };
        for _ in 0..TRIES {
            let saved = saving.attempt().await;
            let saved =
                saved.map_err(|error| store.advise(&saving.stem, Some(state.task()), error));
            if let Some(saved) = store.documents.rooted(saved).await? {
                return Ok(saved);
            }
        }
        Err(Error::busy(store.documents.manifest().shown(&saving.stem)))
    })
    .await
}

/// One save.
struct Saving<'a> {
    store: &'a TaskStore<'a>,
    stem: Stem,
    state: &'a TaskState,
    now: String,
    expected: Option<u64>,
    limits: &'a TaskLimits,
}

impl Saving<'_> {
    /// Saves it, if no other task has its id; `None` where the one that had it does not have it any more.
    async fn attempt(&self) -> Result<Option<SavedTaskCheckpoint>, Error> {
        let others = self.bytes_of_others().await?;
        let mut saved = None;
        let mut decide = |found: Option<&manifest::ManifestIndex>, token: &str| {
            let present = match found {
                Some(found) => task_store::index(found, &self.stem)?,
                None => TaskIndex::new(self.state.task().clone()).counted_from(first(token)),
            };
            let next = self.next(present, token, others)?;
            saved = Some(next.1);
            Ok(ManifestPlan::Write(next.0))
        };
        let manifest = self.store.documents.manifest();
        match manifest.change(&self.stem, &mut decide).await? {
            Changed::Taken { by, .. } => {
                let index = self.store.read(&by).await;
                let index = index.map_err(|error| self.store.advise(&by, None, error))?;
                let id = self.state.id();
                match index.filter(|index| index.find(id).is_some()) {
                    Some(index) => Err(of_another_task(id, index.task())),
                    None => Ok(None),
                }
            }
            Changed::Written(_) | Changed::Unchanged(_) => Ok(saved),
        }
    }

    fn next(
        &self,
        present: TaskIndex,
        token: &str,
        others: u64,
    ) -> Result<(NextIndex, SavedTaskCheckpoint), Error> {
        let part = CheckpointPart {
            token: token.to_owned(),
            bytes: self.state.text().len() as u64,
            saved_at: self.now.clone(),
        };
        let save = Save::of(self.state, part).expecting(self.expected);
        let saved = present.into_saved(save, self.limits)?;
        saved.check_store(others, self.limits)?;
        let answer = SavedTaskCheckpoint::new(self.state, &saved);
        let add = vec![(self.state.id().key(), self.state.text().as_bytes().to_vec())];
        let object = saved.next.into_object();
        Ok((NextIndex { object, add }, answer))
    }

    /// The bytes of all other tasks, where that is limited. An index that cannot be read counts as nothing: no task can
    /// be saved if it is to be read first.
    async fn bytes_of_others(&self) -> Result<u64, Error> {
        let mut bytes = 0_u64;
        if self.limits.max_store_bytes.is_none() {
            return Ok(bytes);
        }
        for name in self.store.documents.manifest().names().await? {
            if name != self.stem
                && let Ok(Some(index)) = self.store.read(&name).await
            {
                bytes = bytes.saturating_add(index.bytes());
            }
        }
        Ok(bytes)
    }
}

/// The number from which the changes of a new task are counted.
fn first(token: &str) -> u64 {
    let digits = token.get(..FIRST_DIGITS);
    let number = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    number.unwrap_or_default()
}

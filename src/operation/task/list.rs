//! All checkpoints of a task.

use crate::checkpoint::task::entry::Entry;
use crate::checkpoint::task::index::Index;
use crate::checkpoint::task::name::Id;
use crate::effect::{Io, boxed};
use crate::error::{Code, Error, Warning};
use crate::json::{Json, Object};
use crate::operation::reply::noticing;
use crate::operation::row::{Answering, Arguments, Operation, Wing, required, shape};
use crate::operation::{Noticed, Reply, Settings};
use crate::schema::{Kind, Shape};
use crate::store::Stem;

use super::opened::{Opened, stem};
use super::snapshot::{self, Snapshot};

/// Each look finds what another writer has changed since the one before it.
const LOOKS: u32 = 100;

pub(super) const OPERATION: Operation = Operation::at(
    "list_task",
    "The checkpoints of a task, in the order in which they were first saved; none of a task that nobody knows.",
    &ARGUMENTS,
    Kind::Object(&LISTED),
    perform,
)
.of(Wing::Tasks);

const ARGUMENTS: Shape = shape(
    "ListTaskArguments",
    "Which task.",
    &[required("task_id", Kind::String, "The task.")],
);

const LISTED: Shape = shape(
    "ListedTask",
    "The checkpoints of a task, all of one moment.",
    &[
        required("task_id", Kind::String, "The task."),
        required(
            "revision",
            Kind::Integer,
            "Its revision, 0 without a checkpoint: what a save can expect.",
        ),
        required(
            "checkpoints",
            Kind::List(&Kind::Object(&CHECKPOINT)),
            "In the order in which they were first saved.",
        ),
    ],
);

const CHECKPOINT: Shape = shape(
    "ListedTaskCheckpoint",
    "One checkpoint of a task.",
    &[
        required("id", Kind::String, "Its id."),
        required("saved_at", Kind::String, "When it was last saved."),
        required("bytes", Kind::Integer, "How large it is."),
        required(
            "remaining_steps",
            Kind::List(&Kind::String),
            "The steps that remain: its pending ones.",
        ),
        required("state", Kind::Record, "The checkpoint, as it was saved."),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        match Id::new(arguments.text("task_id")) {
            Ok(task) => list(io, settings, &task).await.map(Json::from),
            Err(error) => Noticed::default().reply(Err(error)),
        }
    })
}

/// The checkpoints of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// The task.
    pub task: Id,
    /// Its revision.
    pub revision: u64,
    /// In the order in which they were first saved.
    pub checkpoints: Vec<Snapshot>,
}

impl From<Listed> for Json {
    fn from(listed: Listed) -> Self {
        let checkpoints = listed.checkpoints.into_iter();
        let checkpoints = checkpoints.map(|it| Json::from(it.into_object()));
        Object::new()
            .with("task_id", listed.task.as_str())
            .with("revision", listed.revision)
            .with("checkpoints", checkpoints.collect::<Vec<_>>())
            .into()
    }
}

/// All checkpoints of a task. One that cannot be read is passed over, with a warning.
///
/// Warns `corrupt`, `too_large`, `unsafe_path`, `io`, `untrusted_origin`, `invalid_document`,
/// `duplicate_key`, `text_replaced`. Fails with `corrupt`, `invalid_document`, `unsupported_version` for
/// the index, and `busy`, `unsafe_path`, `io`.
pub async fn list(io: &Io, settings: &Settings, task: &Id) -> Reply<Listed> {
    noticing(async |noticed| {
        let opened = Opened::open(io, settings).await?;
        let stem = stem(task)?;
        let mut listing = Listing {
            opened: &opened,
            stem: &stem,
            read: Vec::new(),
        };
        for _ in 0..LOOKS {
            let index = opened.read(&stem).await?;
            let index = index.unwrap_or_else(|| Index::new(task.clone()));
            if index.is_empty() {
                opened.expect_root().await?;
            } else if !listing.reads_all(&index, noticed).await? {
                continue;
            } else {
                opened.notice(&stem, noticed).await;
            }
            return Ok(Listed {
                task: task.clone(),
                revision: index.revision(),
                checkpoints: listing.all_of(&index),
            });
        }
        Err(Error::busy(opened.manifest().shown(&stem)))
    })
    .await
}

/// What was read of a task: parts never change, so that nothing is read twice.
struct Listing<'a> {
    opened: &'a Opened<'a>,
    stem: &'a Stem,
    /// `None` for one that cannot be read.
    read: Vec<(Entry, Option<Snapshot>)>,
}

impl Listing<'_> {
    /// Reads what an index names; `false` where that has changed meanwhile.
    async fn reads_all(&mut self, index: &Index, noticed: &mut Noticed) -> Result<bool, Error> {
        for entry in index.entries() {
            if self
                .read
                .iter()
                .any(|(read, _)| read.part() == entry.part())
            {
                continue;
            }
            let mut is_same = true;
            let mut choose = |index: &Index| {
                let found = index.find(entry.id());
                is_same = found.is_some_and(|found| found.part() == entry.part());
                found.filter(|_| is_same).cloned()
            };
            let found = snapshot::find(self.opened, self.stem, &mut choose).await;
            let snapshot = match found {
                Ok(Some(found)) => found.open(noticed).map(Some),
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
                    noticed.add(Warning::passed_over(&error));
                    self.read.push((entry.clone(), None));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    fn all_of(self, index: &Index) -> Vec<Snapshot> {
        let mut read = self.read;
        let entries = index.entries().iter();
        let snapshots = entries.filter_map(|entry| {
            let at = read.iter().position(|(it, _)| it.part() == entry.part())?;
            read.swap_remove(at).1
        });
        snapshots.collect()
    }
}

/// Whether the others can be read all the same.
fn is_of_one(error: &Error) -> bool {
    matches!(
        error.code(),
        Code::Corrupt | Code::TooLarge | Code::UnsafePath | Code::Io
    )
}

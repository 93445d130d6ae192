//! The jobs of workers: one operation on task checkpoints.

use fastrand::Rng;
use serde_json::{Value, json};

/// So many checkpoints of a task are kept; the script has the same number.
pub(super) const KEPT: usize = 4;

/// A task to which everybody adds what follows from its latest checkpoint, and from which no worker removes.
pub(super) const CHAIN: &str = "chain";

/// Tasks with which everybody does everything.
pub(super) const SHARED: [&str; 2] = ["shared: one", "shared/../two"];

/// Ids that both shared tasks want.
const WANTED: [&str; 3] = ["wanted A", "wanted a", "wanted\\b"];

/// The ids of a task that one worker has for itself.
const OWN_IDS: u32 = 7;

/// Of the ids that are known, one of so many newest is asked for.
const NEWEST: usize = 10;

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Job {
    Save(Save),
    /// Saves what follows from the latest checkpoint of [`CHAIN`].
    Follow {
        id: String,
    },
    Restore {
        task: String,
    },
    RestoreById {
        id: String,
    },
    List {
        task: String,
    },
    Delete {
        id: String,
    },
    DeleteAll {
        task: String,
    },
    CleanUp,
    /// All that have checkpoints.
    Tasks,
}

/// A checkpoint to save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Save {
    pub(super) task: String,
    pub(super) id: String,
    /// No other save has it.
    pub(super) version: u64,
    pub(super) expected: Option<u64>,
}

/// Returns whether a task is of one worker alone, which asks for one operation after the other.
pub(super) fn is_own(task: &str) -> bool {
    task.starts_with("own ")
}

/// The worker whose task has this id, if it is of one worker alone.
fn owner(id: &str) -> Option<&str> {
    id.starts_with("own ")
        .then(|| id.rsplit_once(" #").map(|it| it.0))?
}

/// Returns whether an id is saved once at most.
pub(super) fn is_saved_once(id: &str) -> bool {
    id.starts_with("once ")
}

/// The task of a worker.
pub(super) fn own(worker: usize) -> String {
    format!("own {worker}")
}

/// The knowledge that a worker goes by.
pub(super) struct WorkerKnowledge<'a> {
    pub(super) worker: usize,
    /// The number of jobs it has had.
    pub(super) number: u64,
    /// The revision of its own task that it has heard last.
    pub(super) revision: Option<u64>,
    /// Ids of the shared tasks, in the order in which they were heard.
    pub(super) ids: &'a [String],
}

impl Job {
    /// The next one of a worker.
    pub(super) fn any(chance: &mut Rng, known: &WorkerKnowledge<'_>) -> Job {
        match chance.u8(0..20) {
            0..8 => Job::any_of_own(chance, known),
            8..12 => Job::Follow {
                id: format!("link {} {}", known.worker, known.number),
            },
            _ => Job::any_of_shared(chance, known),
        }
    }

    fn any_of_own(chance: &mut Rng, known: &WorkerKnowledge<'_>) -> Job {
        let task = own(known.worker);
        let id = format!("{task} #{}", chance.u32(0..OWN_IDS));
        match chance.u8(0..24) {
            0..3 => Job::List { task },
            3 => Job::Restore { task },
            4 => Job::RestoreById { id },
            5..8 => Job::Delete { id },
            8 => Job::DeleteAll { task },
            kind => Job::Save(Save {
                task,
                id,
                version: known.version(),
                expected: known.revision.filter(|_| kind < 14),
            }),
        }
    }

    fn any_of_shared(chance: &mut Rng, known: &WorkerKnowledge<'_>) -> Job {
        let task = SHARED[chance.usize(0..SHARED.len())].to_owned();
        let wanted = WANTED[chance.usize(0..WANTED.len())].to_owned();
        let newest = &known.ids[known.ids.len().saturating_sub(NEWEST)..];
        let any = chance.choice(newest).cloned().unwrap_or(wanted.clone());
        let (id, version) = match chance.u8(0..24) {
            0..2 => return Job::List { task },
            2 => return Job::Restore { task },
            3 => return Job::RestoreById { id: any },
            4 => return Job::RestoreById { id: wanted },
            5..7 => return Job::Delete { id: any },
            7 => return Job::Delete { id: wanted },
            8 => return Job::DeleteAll { task },
            9 => return Job::CleanUp,
            10..15 => (wanted, known.version()),
            _ => {
                let id = format!("once {} {}", known.worker, known.number);
                (id, known.version())
            }
        };
        Job::Save(Save {
            task,
            id,
            version,
            expected: None,
        })
    }

    /// The task that is meant, where it is known.
    pub(super) fn task(&self) -> Option<&str> {
        match self {
            Job::Save(Save { task, .. })
            | Job::Restore { task }
            | Job::List { task }
            | Job::DeleteAll { task } => Some(task),
            Job::Follow { .. } => Some(CHAIN),
            Job::RestoreById { id } | Job::Delete { id } => owner(id),
            Job::CleanUp | Job::Tasks => None,
        }
    }

    /// As the script has it.
    pub(super) fn line(&self) -> String {
        let (verb, request) = match self {
            Job::Save(save) => {
                let Save {
                    task,
                    id,
                    version,
                    expected,
                } = save;
                let mut request = json!({"task": task, "id": id, "version": version});
                if let Some(expected) = expected {
                    request["expected"] = json!(expected);
                }
                ("save", request)
            }
            Job::Follow { id } => ("follow", json!({"task": CHAIN, "id": id})),
            Job::Restore { task } => ("restore", json!({"task": task})),
            Job::RestoreById { id } => ("restoreById", json!({"id": id})),
            Job::List { task } => ("list", json!({"task": task})),
            Job::Delete { id } => ("delete", json!({"id": id})),
            Job::DeleteAll { task } => ("deleteAll", json!({"task": task})),
            Job::CleanUp => ("cleanUp", json!({})),
            Job::Tasks => ("tasks", json!({})),
        };
        Value::from(vec![verb.into(), request]).to_string()
    }
}

impl WorkerKnowledge<'_> {
    /// Of no other save.
    fn version(&self) -> u64 {
        (self.worker as u64 + 1) * 1_000_000 + self.number
    }
}

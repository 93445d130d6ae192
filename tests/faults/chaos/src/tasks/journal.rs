//! The operations that were asked for, and their results, in the order of one clock for all.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::job::Job;
use crate::actor::{Refusal, refusal};

/// One operation.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) job: Job,
    /// Before it was asked for.
    pub(super) began: u64,
    /// After it was answered, or its process was dead.
    pub(super) ended: u64,
    pub(super) outcome: Outcome,
}

/// The result of it.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// Acknowledged.
    Answered(Value),
    Refused(Refusal),
    /// Its process was killed: it may have happened.
    Silent,
}

impl Outcome {
    pub(super) fn refusal(&self) -> Option<&Refusal> {
        match self {
            Outcome::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}

impl Record {
    pub(super) fn answer(&self) -> Option<&Value> {
        match &self.outcome {
            Outcome::Answered(value) => Some(value),
            _ => None,
        }
    }

    /// Returns whether it is open if it has happened.
    pub(super) fn is_open(&self) -> bool {
        match &self.outcome {
            Outcome::Answered(_) => false,
            Outcome::Refused(refusal) => refusal.may_be_there,
            Outcome::Silent => true,
        }
    }

    /// The checkpoints that it has shown.
    pub(super) fn shown(&self) -> Vec<Shown> {
        let Some(answer) = self.answer() else {
            return Vec::new();
        };
        match &self.job {
            Job::List { .. } => {
                let list = answer.as_array().into_iter().flatten();
                list.map(Shown::read).collect()
            }
            Job::Restore { .. } | Job::RestoreById { .. } if answer["success"] == true => {
                vec![Shown::read(answer)]
            }
            _ => Vec::new(),
        }
    }
}

/// A checkpoint in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) id: String,
    pub(super) task: String,
    pub(super) version: u64,
    pub(super) is_whole: bool,
}

impl Shown {
    fn read(value: &Value) -> Shown {
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        Shown {
            id: text("id"),
            task: text("task"),
            version: value["version"].as_u64().unwrap_or_default(),
            is_whole: value["whole"] == true,
        }
    }
}

/// One for all threads of a run.
#[derive(Debug, Default)]
pub(super) struct Journal {
    clock: AtomicU64,
    records: Mutex<Vec<Record>>,
    ids: Mutex<Vec<String>>,
}

impl Journal {
    /// A moment after all that were there before.
    pub(super) fn now(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::SeqCst)
    }

    /// Notes an answer, and returns it.
    pub(super) fn answered(&self, job: &Job, began: u64, said: &Value) -> Outcome {
        let outcome = match refusal(said) {
            Some(refusal) => Outcome::Refused(refusal),
            None => Outcome::Answered(said["value"].clone()),
        };
        self.note(job, began, outcome.clone());
        outcome
    }

    /// Notes what came of a job.
    pub(super) fn note(&self, job: &Job, began: u64, outcome: Outcome) {
        if let Job::Save(save) = job
            && !super::job::is_own(&save.task)
        {
            lock(&self.ids).push(save.id.clone());
        }
        let ended = self.now();
        lock(&self.records).push(Record {
            job: job.clone(),
            began,
            ended,
            outcome,
        });
    }

    /// Ids of the shared tasks, in the order in which something was heard of them.
    pub(super) fn ids(&self) -> Vec<String> {
        lock(&self.ids).clone()
    }

    /// All of it, in the order in which it ended.
    pub(super) fn records(&self) -> Vec<Record> {
        let mut records = lock(&self.records).clone();
        records.sort_by_key(|record| record.ended);
        records
    }
}

/// Every change under it is whole, so that a thread's panic leaves it sound.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

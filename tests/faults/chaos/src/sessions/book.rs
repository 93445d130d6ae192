//! The record of the checkpoints of a run, and everything that is wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use serde_json::Value;

use super::repository::ChaosRepository;
use super::task::Task;
use crate::actor::{Refusal, refusal};
use crate::faults::Faults;

/// Refusals that another's work explains: waited too long; what was planned is not so any more; no
/// such checkpoint, which is looked up.
const REFUSALS: [&str; 3] = ["busy", "conflict", "not_found"];

/// And what else is said where several restores work on the same files, or a folder is full of changes.
const REASONS: [&str; 6] = [
    "since the plan was made",
    ": every listing ended early",
    "cannot be read: ",
    " is in the way",
    " would be lost for good",
    " is a pipe, a device or a socket now",
];

/// The number of faults that are named.
const SHOWN: usize = 12;

/// One for all threads of a run.
pub(super) struct Book<'a> {
    place: &'a ChaosRepository,
    state: Mutex<State>,
}

/// The answers that were heard.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// The ids that were heard of, in this order.
    pub(super) known: Vec<String>,
    /// The text of each that was acknowledged, and its bytes, unless it was gone again by then.
    pub(super) made: BTreeMap<String, (String, Option<Vec<u8>>)>,
    /// The texts of those of which nothing was heard.
    pub(super) unknown: BTreeSet<String>,
    pub(super) acknowledged: usize,
    pub(super) refused: usize,
    pub(super) kills: usize,
    pub(super) wrong: Faults,
}

impl<'a> Book<'a> {
    pub(super) fn new(place: &'a ChaosRepository) -> Self {
        Book {
            place,
            state: Mutex::default(),
        }
    }

    pub(super) fn known(&self) -> Vec<String> {
        self.state().known.clone()
    }

    pub(super) fn wrong(&self, what: String) {
        let mut state = self.state();
        if state.wrong.len() < SHOWN {
            state.wrong.push(what);
        }
    }

    /// Notes a refusal that the work of others does not explain.
    pub(super) fn refused_wrongly(&self, refusal: &Refusal, what: String) {
        let mut state = self.state();
        if state.wrong.len() < SHOWN {
            state.wrong.refused(refusal, what);
        }
    }

    /// Notes a process that was killed before it had answered.
    pub(super) fn silenced(&self, task: &Task) {
        let mut state = self.state();
        state.kills += 1;
        if let Task::Create { message, .. } = task {
            state.unknown.insert(message.clone());
        }
    }

    /// Notes an answer; the value in it, or why it was refused.
    pub(super) fn answered(
        &self,
        task: &Task,
        answer: &Value,
    ) -> Result<std::result::Result<Value, Refusal>> {
        if let Some(refusal) = refusal(answer) {
            self.refused(task, &refusal)?;
            return Ok(Err(refusal));
        }
        // A script has its value in an answer, and the command line prints it.
        let value = answer.get("value").unwrap_or(answer).clone();
        self.state().acknowledged += 1;
        match task {
            Task::Create { message, .. } => self.created(message, &value),
            Task::Restore(_) => {
                if let Some(undo) = value["undo"].as_str() {
                    self.state().known.push(undo.to_owned());
                }
            }
            Task::Plan(id) => {
                let plan = &value["plan"]["refusals"];
                self.look_for_loss(id, &plan.to_string())?;
            }
            _ => {}
        }
        Ok(Ok(value))
    }

    fn created(&self, message: &str, value: &Value) {
        let Some(id) = value["id"].as_str() else {
            return self.wrong(format!("a creation was answered without an id: {value}"));
        };
        let bytes = self.place.document(id);
        let mut state = self.state();
        state.known.push(id.to_owned());
        let made = (message.to_owned(), bytes);
        if let Some((other, _)) = state.made.insert(id.to_owned(), made) {
            drop(state);
            self.wrong(format!("{id} was given to {other} and to {message}"));
        }
    }

    fn refused(&self, task: &Task, refusal: &Refusal) -> Result<()> {
        let Refusal {
            code,
            message,
            may_be_there,
        } = refusal;
        let mut state = self.state();
        state.refused += 1;
        if let (Task::Create { message, .. }, true) = (task, may_be_there) {
            state.unknown.insert(message.clone());
        }
        drop(state);
        let is_explained = REFUSALS.contains(&code.as_str())
            || REASONS.iter().any(|reason| message.contains(reason))
            // Of one that was removed since; else it is a fault of its own.
            || is_of_loss(message);
        if !is_explained {
            self.refused_wrongly(
                refusal,
                format!("{task:?} was refused with `{code}`: {message}"),
            );
        }
        let id = task.id().unwrap_or_default();
        let is_gone = message.contains(&format!("no snapshot {id}"));
        if code == "not_found" && is_gone && !self.place.registered("removed")?.contains(id) {
            self.wrong(format!("{id} is gone, and was not removed"));
        }
        self.look_for_loss(id, message)
    }

    /// Where a content is said to be gone, its checkpoint has to be gone as well. A worker that archives one that
    /// is being removed may put it back, for the next one who cleans up.
    fn look_for_loss(&self, id: &str, said: &str) -> Result<()> {
        if is_of_loss(said)
            && self.place.document(id).is_some()
            && !self.place.registered("removed")?.contains(id)
        {
            self.wrong(format!("{id} is there, and not all of it: {said}"));
        }
        Ok(())
    }

    /// Every change of the state is whole, so that a thread's panic leaves it sound.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether it says that a content is gone.
fn is_of_loss(said: &str) -> bool {
    let words = ["is lost", "is missing", "damaged"];
    words.iter().any(|words| said.contains(words))
}

//! The input of a save: the checkpoint in one of two forms, and the limits of what is kept.

use crate::checkpoint::task::limits::{self, TaskLimits};
use crate::checkpoint::task::state::TaskState;
use crate::error::{Error, WarningCode};
use crate::json::{self, Json};
use crate::operation::Warnings;
use crate::operation::row::{Arguments, optional};
use crate::schema::{Field, Kind, Presence, published};

pub(super) const STATE: Field = set("state", "The checkpoint, as JSON.");
pub(super) const TEXT: Field = optional(
    "text",
    &Kind::String,
    "The checkpoint as JSON text, which is not read where it is too long.",
);
pub(super) const EXPECTED_REVISION: Field = optional(
    "expected_revision",
    &Kind::Integer,
    "The revision of the task that the checkpoint follows from, 0 for none: another one is a conflict.",
);
pub(super) const MAX_PER_TASK: Field = set(
    "max_per_task",
    "So many checkpoints of a task are kept; 10 by default.",
);
pub(super) const STORAGE_MAX_PER_TASK: Field = set(
    "storage_max_per_task",
    "The limit of the storage, where `max_per_task` is not given.",
);
pub(super) const AUTO_CLEANUP: Field = set(
    "auto_cleanup",
    "Remove all others of a task once one without pending steps is saved.",
);
pub(super) const MAX_BYTES: Field = set(
    "max_bytes",
    "The most bytes of a checkpoint; 16 MiB by default.",
);
pub(super) const MAX_TASK_BYTES: Field = set(
    "max_task_bytes",
    "The most bytes of a task's checkpoints together; 1 GiB by default.",
);
pub(super) const MAX_STORE_BYTES: Field = set(
    "max_store_bytes",
    "The most bytes of all checkpoints together; without it they are not counted, which takes a look at every \
     task.",
);

/// The limits of what is kept, in the arguments of every operation that takes them.
pub(super) const LIMITS: [Field; 6] = [
    MAX_PER_TASK,
    STORAGE_MAX_PER_TASK,
    AUTO_CLEANUP,
    MAX_BYTES,
    MAX_TASK_BYTES,
    MAX_STORE_BYTES,
];

/// An operation's own arguments, and behind them the [`LIMITS`].
pub(super) const fn with_limits<const ALL: usize>(own: &[Field]) -> [Field; ALL] {
    assert!(own.len() + LIMITS.len() == ALL, "as many as both have");
    let mut all = [LIMITS[0]; ALL];
    let mut at = 0;
    while at < ALL {
        all[at] = match at < own.len() {
            true => own[at],
            false => LIMITS[at - own.len()],
        };
        at += 1;
    }
    all
}

/// An option of the caller's: the rule judges any value for it, null as well.
const fn set(name: &'static str, doc: &'static str) -> Field {
    Field {
        name,
        kind: Kind::Any,
        presence: Presence::Optional,
        doc: published(doc),
    }
}

/// The limits that a caller has set.
///
/// # Errors
///
/// Those of [`TaskLimits::new`].
pub(super) fn limits_of(arguments: &Arguments) -> Result<TaskLimits, Error> {
    let given = |field: &Field| arguments.0.get(field.name);
    TaskLimits::new(limits::LimitSettings {
        max_per_task: given(&MAX_PER_TASK),
        storage_max_per_task: given(&STORAGE_MAX_PER_TASK),
        auto_cleanup: given(&AUTO_CLEANUP),
        max_bytes: given(&MAX_BYTES),
        max_task_bytes: given(&MAX_TASK_BYTES),
        max_store_bytes: given(&MAX_STORE_BYTES),
    })
}

/// A checkpoint that is to be saved.
#[derive(Clone, Debug)]
pub enum StateInput<'a> {
    /// As JSON.
    State(Json),
    /// As text, of which it is not known whether it is JSON.
    Text(&'a str),
}

impl<'a> StateInput<'a> {
    pub(super) fn of(arguments: &'a Arguments) -> Result<Self, Error> {
        let state = arguments.0.get(STATE.name);
        match (state, arguments.optional_text(TEXT.name)) {
            (Some(state), None) => Ok(StateInput::State(state.clone())),
            (None, Some(text)) => Ok(StateInput::Text(text)),
            _ => Err(Error::usage("Expected either `state` or `text`".to_owned())),
        }
    }

    /// The checkpoint, if it is one that can be saved.
    pub(super) fn read(
        self,
        limits: &TaskLimits,
        warnings: &mut Warnings,
    ) -> Result<TaskState, Error> {
        let state = match self {
            StateInput::State(state) => TaskState::new(state)?,
            StateInput::Text(text) => {
                // From its size alone: parsing it takes many times as much memory.
                limits.check_checkpoint(text.len() as u64)?;
                match TaskState::fitting(text) {
                    Some(state) => state,
                    // Another text is to be stored, or it is to be said what is wrong with this one.
                    None => TaskState::new(document(text, warnings)?)?,
                }
            }
        };
        limits.check_checkpoint(state.text().len() as u64)?;
        notice_repeated(&state, warnings);
        Ok(state)
    }
}

/// Parses a text of any content: the rule refuses anything but an object.
fn document(text: &str, warnings: &mut Warnings) -> Result<Json, Error> {
    let reading = json::read(text.as_bytes())
        .map_err(|error| Error::usage(format!("Expected `text` to hold JSON: {error}")))?;
    let duplicate_key = reading.duplicate_key.as_deref();
    warnings.reading("The text", duplicate_key, reading.text_replaced);
    Ok(reading.value)
}

fn notice_repeated(state: &TaskState, warnings: &mut Warnings) {
    let repeated = state.repeated_steps();
    if let Some(first) = repeated.first() {
        let message = format!(
            "Steps that are both completed and pending: {} (first: {first})",
            repeated.len()
        );
        warnings.warn(WarningCode::RepeatedStep, message);
    }
}

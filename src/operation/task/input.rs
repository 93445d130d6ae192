//! The input of a save: the checkpoint in one of two forms, and the limits of what is kept.

use crate::checkpoint::task::limits::{self, TaskLimits};
use crate::checkpoint::task::state::TaskState;
use crate::error::{Error, WarningCode};
use crate::json::{self, Json};
use crate::operation::Warnings;
use crate::schema::{ArgumentMembers, RawValue};

/// A checkpoint in one of two forms.
#[derive(ArgumentMembers)]
pub(super) struct StateMembers<'a> {
    /// The checkpoint, as JSON.
    state: RawValue<'a>,
    /// The checkpoint as JSON text, which is not read where it is too long.
    text: Option<&'a str>,
}

/// The base of a save.
#[derive(ArgumentMembers)]
pub(super) struct ExpectedRevision {
    /// The revision of the task that the checkpoint follows from, 0 for none: another one is a conflict.
    pub(super) expected_revision: Option<u64>,
}

/// The values that a caller has set.
///
/// The rule judges any value for them, `null` as well.
#[derive(ArgumentMembers)]
pub(super) struct TaskLimitsArguments<'a> {
    /// So many checkpoints of a task are kept; 10 by default.
    max_per_task: RawValue<'a>,
    /// The limit of the storage, where `max_per_task` is not given.
    storage_max_per_task: RawValue<'a>,
    /// Remove all others of a task once one without pending steps is saved.
    auto_cleanup: RawValue<'a>,
    /// The most bytes of a checkpoint; 16 MiB by default.
    max_bytes: RawValue<'a>,
    /// The most bytes of a task's checkpoints together; 1 GiB by default.
    max_task_bytes: RawValue<'a>,
    /// The most bytes of all checkpoints together; without it they are not counted, which takes a look at every task.
    max_store_bytes: RawValue<'a>,
}

impl TaskLimitsArguments<'_> {
    /// The limits that a caller has set.
    ///
    /// # Errors
    ///
    /// Those of [`TaskLimits::new`].
    pub(super) fn checked(&self) -> Result<TaskLimits, Error> {
        TaskLimits::new(limits::LimitSettings {
            max_per_task: self.max_per_task.0,
            storage_max_per_task: self.storage_max_per_task.0,
            auto_cleanup: self.auto_cleanup.0,
            max_bytes: self.max_bytes.0,
            max_task_bytes: self.max_task_bytes.0,
            max_store_bytes: self.max_store_bytes.0,
        })
    }
}

/// A checkpoint that is to be saved.
#[derive(Clone, Debug)]
pub enum StateInput<'a> {
    /// As JSON.
    State(Json),
    /// As text, of which it is not known whether it is JSON.
    Text(&'a str),
}

impl<'a> StateMembers<'a> {
    /// The form that is there.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for neither and for both.
    pub(super) fn input(&self) -> Result<StateInput<'a>, Error> {
        match (self.state.0, self.text) {
            (Some(state), None) => Ok(StateInput::State(state.clone())),
            (None, Some(text)) => Ok(StateInput::Text(text)),
            _ => Err(Error::usage("Expected either `state` or `text`".to_owned())),
        }
    }
}

impl StateInput<'_> {
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

//! The phases of a command: a change of one, and what it does to the state of its checkpoint.

use super::definition::UPDATE;
use super::document::{Draft, check_against, is_completed};
use super::lists;
use super::status::{CurrentPhaseChange, PhaseListChange, Transition};
use crate::error::{Error, whole};
use crate::json::{Json, Object, Pointer};
use crate::schema::{Problem, ProblemCode, check_name};

pub use super::status::Status;

/// A change of one phase that some document can take.
///
/// A change is checked by itself ([`Update::new`]), applied to a draft ([`Update::apply`]), and the whole document is
/// checked at the end ([`Draft::check`]). An error of any of them leaves the stored document as it is.
///
/// ```
/// use milepost::checkpoint::command::document::{Draft, RunDocument};
/// use milepost::checkpoint::command::phases::Update;
/// use milepost::error::Code;
/// use milepost::json::{Json, Object};
///
/// # fn main() -> Result<(), milepost::error::Error> {
/// let now = "2025-01-26T10:30:00.000Z";
/// let mut draft = Draft::from(RunDocument::new("implement", Some("parser"), now));
/// let begun = Object::new().with("status", "in_progress");
/// Update::new("lexer", &begun, None)?.apply(&mut draft, now)?;
/// let done = Object::new()
///     .with("status", "complete")
///     .with("context_summary", "Tokens have spans.");
/// Update::new("lexer", &done, None)?.apply(&mut draft, now)?;
/// let run = Json::Object(draft.check(&[])?.into_object());
/// assert_eq!(run.at("/state/current_phase"), Some(&Json::Null));
/// assert_eq!(run.at("/state/completed_phases/0"), Some(&Json::from("lexer")));
///
/// let refused = Update::new("", &done, None).map(drop).map_err(|error| error.code());
/// assert_eq!(refused, Err(Code::InvalidName));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    phase: &'a str,
    patch: &'a Object,
    task: Option<&'a str>,
    add: Option<&'a Object>,
}

/// The lists of a phase that an update can add to.
pub const ADDABLE: [&str; 2] = ["files_created", "files_modified"];

impl<'a> Update<'a> {
    /// Checks a change by itself, so that one that no document can take is refused before any is
    /// looked at.
    ///
    /// The fields of `patch` replace those of the phase, null removes a field, the others stay. A
    /// `current_task` in it is no field of the phase: it sets, or as null removes,
    /// `state.current_task`, which a `task` sets in any case.
    ///
    /// # Errors
    ///
    /// [`Error::invalid_name`] for a name that no phase can have; [`Error::summary_too_long`] and
    /// [`Error::invalid_document`] for what is wrong with the patch, with the places that it would
    /// have in a document.
    pub fn new(phase: &'a str, patch: &'a Object, task: Option<&'a str>) -> Result<Self, Error> {
        check_name(phase)
            .map_err(|rule| Error::invalid_name(sentence!("Phase name is invalid: {rule}")))?;
        let mut fields = patched(&Object::new(), patch);
        // Set in any case.
        fields.remove("updated_at");
        if fields.get("status").is_none() {
            fields.set("status", Status::Pending.as_str());
        }
        let mut state = Object::new();
        if let Some(task) = patch
            .get("current_task")
            .filter(|task| **task != Json::Null)
        {
            state.set("current_task", task.clone());
        }
        let alone = Object::new()
            .with("state", state)
            .with("phases", Object::new().with(phase, fields));
        check_against(&UPDATE, &Json::Object(alone))?;
        Ok(Update {
            phase,
            patch,
            task,
            add: None,
        })
    }

    /// Adds these items to lists of the phase: each once, and none that is there, so that items
    /// that others added stay.
    ///
    /// # Errors
    ///
    /// [`Error::invalid_document`] for a list that is not one of [`ADDABLE`], or not a list of
    /// strings.
    pub fn adding(self, add: Option<&'a Object>) -> Result<Self, Error> {
        let Some(items) = add else {
            return Ok(self);
        };
        let mut problems = Vec::new();
        for (key, _) in items.iter().filter(|(key, _)| !ADDABLE.contains(key)) {
            problems.push(Problem {
                at: Pointer::root().key("add").key(key),
                code: ProblemCode::Type,
                message: sentence!("expected {}", ADDABLE.join(" or ")),
            });
        }
        if !problems.is_empty() {
            return Err(Error::invalid_document(problems));
        }
        Update::new(self.phase, items, None)?;
        Ok(Update { add, ..self })
    }

    /// Updates the phase, or adds it.
    ///
    /// A status in the patch changes `state` as the table says; a new phase without one is pending.
    /// A phase that leaves `failed` loses its `error`, unless the patch gives one. `started_at` is
    /// set where it is absent, `updated_at` always, regardless of the patch. A completed checkpoint
    /// is opened again first, see [`lists::reopen`].
    ///
    /// A member that it has to change and that is absent is made. Anything else that breaks the
    /// schema is left alone, for the check of the draft.
    ///
    /// # Errors
    ///
    /// [`Error::invalid_document`] with what has to change and is of the wrong kind: `state`, one of
    /// its lists, `phases`, or the phase. The draft is then of no use.
    pub fn apply(&self, draft: &mut Draft, now: &str) -> Result<(), Error> {
        let Update {
            phase,
            patch,
            task,
            add,
        } = *self;
        reopen(draft)?;
        let document = draft.as_object_mut();
        let mut status = patch.get("status").and_then(Status::from_json);
        let phases = part(document, "phases", &Pointer::root())?;
        if phases.get(phase).is_none() && matches!(patch.get("status"), None | Some(Json::Null)) {
            status = Some(Status::Pending);
        }
        let pointer = Pointer::root().key("phases");
        let present = part(phases, phase, &pointer)?;
        *present = updated_phase(present, patch, status, now);
        for (key, items) in add.into_iter().flat_map(Object::iter) {
            add_items(present, key, items, pointer.key(phase).key(key))?;
        }
        let state = part(document, "state", &Pointer::root())?;
        if let Some(status) = status {
            apply(status.transition(), state, phase)?;
        }
        match (task, patch.get("current_task")) {
            (Some(task), _) => state.set("current_task", task),
            (None, Some(Json::Null)) => drop(state.remove("current_task")),
            (None, Some(task)) => state.set("current_task", task.clone()),
            (None, None) => {}
        }
        document.set("updated_at", now);
        Ok(())
    }
}

/// Opens a completed run again, as [`lists::reopen`] does. Hooks change a completed run so seldom that their wasm
/// leaves it out.
///
/// # Errors
///
/// Only in the wasm of hooks.
pub fn reopen(draft: &mut Draft) -> Result<(), Error> {
    if is_completed(draft.as_object()) {
        whole::needed()?;
        lists::reopen(draft.as_object_mut());
    } else {
        draft.as_object_mut().remove("completed_at");
    }
    Ok(())
}

/// Brings the lists of a document that is to be saved into line, where the save opens a completed run again. Lists that
/// contradict the statuses of an open run were written on purpose, and stay.
///
/// # Errors
///
/// Only in the wasm of hooks, as of [`reopen`].
pub fn relist_reopened(next: &mut Object, stored: &Object) -> Result<(), Error> {
    if is_completed(stored) && !is_completed(next) {
        whole::needed()?;
        lists::relist_open(next);
    }
    Ok(())
}

/// The object that is a member of another one, made where it is absent.
pub(super) fn part<'a>(
    object: &'a mut Object,
    key: &str,
    pointer: &Pointer,
) -> Result<&'a mut Object, Error> {
    if object.get(key).is_none() {
        object.set(key, Object::new());
    }
    let value = object.get_mut(key);
    let kind = value.as_ref().map_or("null", |value| value.kind());
    match value {
        Some(Json::Object(part)) => Ok(part),
        _ => Err(unusable(pointer.key(key), "an object", kind)),
    }
}

/// The error for a member that has to change and is of another kind.
#[cold]
pub(super) fn unusable(at: Pointer, expected: &str, found: &str) -> Error {
    Error::invalid_document(vec![Problem {
        at,
        code: ProblemCode::Type,
        message: sentence!("expected {expected} that can be changed, found {found}"),
    }])
}

/// The phase as the patch leaves it. `status` is the one that the patch gives, in a new phase
/// also the one that it leaves out.
pub(super) fn updated_phase(
    present: &Object,
    patch: &Object,
    status: Option<Status>,
    now: &str,
) -> Object {
    let mut phase = patched(present, patch);
    if let Some(status) = status {
        phase.set("status", status.as_str());
    }
    let was_failed = present.get("status").and_then(Status::from_json) == Some(Status::Failed);
    let leaves = status.is_some_and(|status| status != Status::Failed);
    if was_failed && leaves && patch.get("error").is_none() {
        phase.remove("error");
    }
    // A summary that is given is not an agent's last message any more.
    if patch.get("context_summary").is_some() && patch.get("summary_source").is_none() {
        phase.remove("summary_source");
    }
    if phase.get("started_at").is_none() {
        phase.set("started_at", now);
    }
    phase.set("updated_at", now);
    phase
}

/// The fields of `present`, those of `patch` in their places, and its other ones after them.
fn patched(present: &Object, patch: &Object) -> Object {
    let changes = patch.index();
    let known = present.index();
    // That of the state, see `Update`.
    let is_ours = |key: &str| key != "current_task";

    let mut fields = Vec::with_capacity(present.len() + changes.len());
    for (key, value) in present.iter() {
        match changes.get(key).filter(|_| is_ours(key)) {
            Some(Json::Null) => {}
            Some(new) => fields.push((key, (*new).clone())),
            None => fields.push((key, value.clone())),
        }
    }
    for (key, value) in patch.iter() {
        let is_new = is_ours(key) && !known.contains(key);
        if is_new && *value != Json::Null {
            fields.push((key, value.clone()));
        }
    }
    fields.into_iter().collect()
}

/// Puts the items behind those of a list that has not got them.
fn add_items(phase: &mut Object, key: &str, items: &Json, at: Pointer) -> Result<(), Error> {
    let Json::Array(items) = items else {
        return Ok(());
    };
    let mut list = match phase.get(key) {
        Some(Json::Array(present)) => present.clone(),
        None => Vec::new(),
        Some(other) => return Err(unusable(at, "a list", other.kind())),
    };
    for item in items {
        if !list.contains(item) {
            list.push(item.clone());
        }
    }
    phase.set(key, list);
    Ok(())
}

fn apply(transition: Transition, state: &mut Object, phase: &str) -> Result<(), Error> {
    let is_current = state.get("current_phase").and_then(Json::as_str) == Some(phase);
    match transition.current {
        CurrentPhaseChange::This => state.set("current_phase", phase),
        CurrentPhaseChange::NullIfThis if is_current => state.set("current_phase", Json::Null),
        CurrentPhaseChange::NullIfThis | CurrentPhaseChange::Unchanged => {}
    }
    relist(state, "completed_phases", transition.completed, phase)?;
    relist(state, "pending_phases", transition.pending, phase)
}

fn relist(
    state: &mut Object,
    list: &str,
    listing: PhaseListChange,
    phase: &str,
) -> Result<(), Error> {
    if state.get(list).is_none() {
        state.set(list, Json::Array(Vec::new()));
    }
    let value = state.get_mut(list);
    let kind = value.as_ref().map_or("null", |value| value.kind());
    let Some(Json::Array(items)) = value else {
        let at = Pointer::root().key("state").key(list);
        return Err(unusable(at, "a list", kind));
    };
    let is_phase = |item: &Json| item.as_str() == Some(phase);
    match listing {
        PhaseListChange::Removed => items.retain(|item| !is_phase(item)),
        PhaseListChange::Appended if items.iter().any(is_phase) => {}
        PhaseListChange::Appended => items.push(phase.into()),
    }
    Ok(())
}

#[cfg(test)]
#[path = "phases_tests.rs"]
mod tests;

//! The phases of a command: what a status does to the state of its checkpoint.

use super::document::{Checkpoint, is_completed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::schema::check_name;

/// How far a phase has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Not yet started.
    Pending,
    /// Being worked on.
    InProgress,
    /// Finished.
    Complete,
    /// Met an error; it is retried.
    Failed,
    /// Left out on purpose.
    Skipped,
}

/// What becomes of `state.current_phase`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Current {
    /// The phase becomes the current one.
    This,
    /// Null if the phase was the current one.
    NullIfThis,
    /// It stays.
    Unchanged,
}

/// What becomes of a phase's place in a list of `state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listing {
    /// Appended if absent.
    Appended,
    /// Removed.
    Removed,
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effects {
    pub(super) current: Current,
    pub(super) completed: Listing,
    pub(super) pending: Listing,
}

impl Status {
    /// Every status, in the order of the schema.
    pub const ALL: [Status; 5] = [
        Status::Pending,
        Status::InProgress,
        Status::Complete,
        Status::Failed,
        Status::Skipped,
    ];

    /// The status as documents name it, such as `in_progress`.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::InProgress => "in_progress",
            Status::Complete => "complete",
            Status::Failed => "failed",
            Status::Skipped => "skipped",
        }
    }

    /// The status of that name.
    pub fn parse(name: &str) -> Option<Status> {
        Status::ALL
            .into_iter()
            .find(|status| status.as_str() == name)
    }

    fn from_json(value: &Json) -> Option<Status> {
        value.as_str().and_then(Status::parse)
    }

    /// The table: what taking this status does to `state`.
    ///
    /// A failed phase stays the current one, so that it is retried.
    #[rustfmt::skip]
    pub(super) fn effects(self) -> Effects {
        use Current::{NullIfThis, This, Unchanged};
        use Listing::{Appended, Removed};

        //                  status             current_phase completed_phases pending_phases
        let (current, completed, pending) = match self {
            Status::Pending    => (NullIfThis, Removed,  Appended),
            Status::InProgress => (This,       Removed,  Removed),
            Status::Complete   => (NullIfThis, Appended, Removed),
            Status::Failed     => (Unchanged,  Removed,  Removed),
            Status::Skipped    => (NullIfThis, Removed,  Removed),
        };
        Effects { current, completed, pending }
    }
}

/// Updates one phase, or adds it.
///
/// The fields of `patch` replace those of the phase, null removes a field, the others stay. A
/// status in the patch changes `state` as the table says; a new phase without one is pending. A
/// phase that leaves `failed` loses its `error`, unless the patch gives one. `started_at` is set
/// where it is absent, `updated_at` always, whatever the patch says.
///
/// `current_task` in the patch is no field of the phase: it sets, or as null removes,
/// `state.current_task`. A completed checkpoint is open again afterwards: `completed_at` goes.
///
/// # Errors
///
/// [`Error::invalid_name`] for a name that no phase can have, and those of
/// [`Checkpoint::try_from_json`] for the updated document. The checkpoint is then unchanged.
pub fn update(
    checkpoint: &mut Checkpoint,
    phase: &str,
    patch: &Object,
    now: &str,
) -> Result<(), Error> {
    check_name(phase)
        .map_err(|rule| Error::invalid_name(format!("Phase name is invalid: {rule}")))?;

    // What is not there as the schema wants it is left alone here and reported at the end.
    let mut document = checkpoint.as_object().clone();
    let mut status = patch.get("status").and_then(Status::from_json);
    if let Some(Json::Object(phases)) = document.get_mut("phases") {
        let present = phases.get(phase).and_then(Json::as_object);
        if present.is_none() && matches!(patch.get("status"), None | Some(Json::Null)) {
            status = Some(Status::Pending);
        }
        let updated = updated_phase(present.unwrap_or(&Object::new()), patch, status, now);
        phases.set(phase, updated);
    }
    if let Some(Json::Object(state)) = document.get_mut("state") {
        if let Some(status) = status {
            apply(status.effects(), state, phase);
        }
        match patch.get("current_task") {
            Some(Json::Null) => drop(state.remove("current_task")),
            Some(task) => state.set("current_task", task.clone()),
            None => {}
        }
    }
    document.remove("completed_at");
    document.set("updated_at", now);
    *checkpoint = Checkpoint::try_from_json(document.into())?;
    Ok(())
}

/// Marks the checkpoint as complete: no current phase, no pending ones, and `completed_at`.
///
/// Returns whether that changed anything; a checkpoint that is complete stays as it is. `now` is
/// a time as [`crate::time::format`] writes it.
pub fn complete(checkpoint: &mut Checkpoint, now: &str) -> bool {
    let document = checkpoint.as_object_mut();
    if is_completed(document) {
        return false;
    }
    if let Some(Json::Object(state)) = document.get_mut("state") {
        state.set("current_phase", Json::Null);
        state.set("pending_phases", Json::Array(Vec::new()));
    }
    document.set("completed_at", now);
    document.set("updated_at", now);
    true
}

/// The phase as the patch leaves it. `status` is the one that the patch gives, in a new phase
/// also the one that it leaves out.
fn updated_phase(present: &Object, patch: &Object, status: Option<Status>, now: &str) -> Object {
    let mut phase = patched(present, patch);
    if let Some(status) = status {
        phase.set("status", status.as_str());
    }
    let was_failed = present.get("status").and_then(Status::from_json) == Some(Status::Failed);
    let leaves = status.is_some_and(|status| status != Status::Failed);
    if was_failed && leaves && patch.get("error").is_none() {
        phase.remove("error");
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
    // That of the state, see `update`.
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

fn apply(effects: Effects, state: &mut Object, phase: &str) {
    let is_current = state.get("current_phase").and_then(Json::as_str) == Some(phase);
    match effects.current {
        Current::This => state.set("current_phase", phase),
        Current::NullIfThis if is_current => state.set("current_phase", Json::Null),
        Current::NullIfThis | Current::Unchanged => {}
    }
    relist(state, "completed_phases", effects.completed, phase);
    relist(state, "pending_phases", effects.pending, phase);
}

fn relist(state: &mut Object, list: &str, listing: Listing, phase: &str) {
    let Some(Json::Array(items)) = state.get_mut(list) else {
        return;
    };
    let is_phase = |item: &Json| item.as_str() == Some(phase);
    match listing {
        Listing::Removed => items.retain(|item| !is_phase(item)),
        Listing::Appended if items.iter().any(is_phase) => {}
        Listing::Appended => items.push(phase.into()),
    }
}

#[cfg(test)]
#[path = "phases_tests.rs"]
mod tests;

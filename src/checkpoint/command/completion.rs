//! Completing a run, and what is still to be done then.

use super::document::{Draft, is_completed};
use super::lists::move_phases;
use super::phases::{part, unusable, updated_phase};
use super::progress::phases;
use super::resume::has_open_phases;
use super::status::Status;
use crate::error::{Error, whole};
use crate::json::{Json, Object, Pointer};
use crate::schema::check_name;
use crate::str_map::{StrMap, StrSet};
use crate::text::quoted;

/// The fate of phases that are still to be done where a run is completed all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenPhases {
    /// They are skipped.
    Skip,
    /// They stay as they are: the run that is opened again has them still to do.
    Keep,
}

/// The most phases that are named in a sentence.
const MOST_NAMED: usize = 10;

/// Returns the phases of a run that are still to be done, and how far each is, as [`phases`] has them; of a run that
/// is complete, those that were open when it was completed.
pub fn open_phases(document: &Object) -> Vec<(&str, Status)> {
    let all = phases(document).into_iter();
    all.filter(|(_, status)| status.is_open()).collect()
}

/// Returns the names of phases in a sentence: `"build" (in progress), "docs" (pending)`.
pub fn named(phases: &[(&str, Status)]) -> String {
    let word = |status: Status| status.as_str().replace('_', " ");
    let shown = phases.iter().take(MOST_NAMED);
    let mut names: Vec<String> = shown
        .map(|(name, status)| format!("{} ({})", quoted(name), word(*status)))
        .collect();
    let more = phases.len() - names.len();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

/// Refuses a run with phases that are still to be done; `title` is how sentences name it.
///
/// # Errors
///
/// [`Error::usage`], which names them.
pub fn expect_done(document: &Object, title: &str) -> Result<(), Error> {
    if !has_open_phases(document) {
        return Ok(());
    }
    whole::needed()?;
    let open = named(&open_phases(document));
    Err(Error::usage(format!(
        "{title} has unfinished phases: {open}"
    )))
}

/// Marks the checkpoint as complete: no current phase, no pending ones, and `completed_at`.
///
/// Returns whether that changed anything; a checkpoint that is complete stays as it is. `now` is
/// a time as [`crate::time::format`] writes it.
///
/// # Errors
///
/// [`Error::invalid_document`] where `state` is not an object, or a phase that is to be skipped is
/// not an object.
pub fn complete(draft: &mut Draft, now: &str, open: OpenPhases) -> Result<bool, Error> {
    if is_completed(draft.as_object()) {
        return Ok(false);
    }
    if has_open_phases(draft.as_object()) {
        whole::needed()?;
        settle(draft.as_object_mut(), now, open)?;
    }
    let document = draft.as_object_mut();
    let state = part(document, "state", &Pointer::root())?;
    state.set("current_phase", Json::Null);
    state.set("pending_phases", Json::Array(Vec::new()));
    document.set("completed_at", now);
    document.set("updated_at", now);
    Ok(true)
}

/// Records the outcome of each open phase in its own entry, because the lists drop it.
fn settle(document: &mut Object, now: &str, open: OpenPhases) -> Result<(), Error> {
    let before = document.clone();
    let phases: StrMap<'_, Status> = open_phases(&before).into_iter().collect();
    let become_of = |status: Status| match open {
        OpenPhases::Skip => Status::Skipped,
        OpenPhases::Keep => status,
    };
    let entries = part(document, "phases", &Pointer::root())?;
    if open == OpenPhases::Skip {
        skip(entries, &phases, now)?;
    }
    let known = before.get("phases").and_then(Json::as_object);
    let known: StrSet<'_> = known
        .into_iter()
        .flat_map(|known| known.iter().map(|(name, _)| name))
        .collect();
    let given = phases.keys().iter().copied();
    // A hand-edited name may not belong to any phase.
    let listed = given.filter(|name| !known.contains(name) && check_name(name).is_ok());
    let added = listed.filter_map(|name| {
        let status = become_of(*phases.get(name)?);
        let patch = Object::new().with("status", status.as_str());
        let entry = updated_phase(&Object::new(), &patch, Some(status), now);
        Some((name.to_owned(), Json::from(entry)))
    });
    let present = std::mem::take(entries).into_iter();
    *entries = present.chain(added).collect();

    if let (OpenPhases::Skip, Some(Json::Object(state))) = (open, document.get_mut("state")) {
        let given = phases.keys().iter().copied();
        move_phases(state, &given.map(|name| (name, Status::Skipped)).collect());
    }
    Ok(())
}

/// Marks the entries of these phases as skipped, as a change of each would.
fn skip(entries: &mut Object, open: &StrMap<'_, Status>, now: &str) -> Result<(), Error> {
    let patch = Object::new().with("status", Status::Skipped.as_str());
    for (name, entry) in entries.iter_mut().filter(|(name, _)| open.contains(name)) {
        let kind = entry.kind();
        let Json::Object(phase) = entry else {
            let at = Pointer::root().key("phases").key(name);
            return Err(unusable(at, "an object", kind));
        };
        *phase = updated_phase(phase, &patch, Some(Status::Skipped), now);
    }
    Ok(())
}

#[cfg(test)]
#[path = "completion_tests.rs"]
mod tests;

//! The removal of a phase that was added by mistake.

use super::document::Draft;
use super::phases::part;
use super::progress::phases;
use crate::error::Error;
use crate::json::{Json, Object, Pointer};

/// Removes a phase: its entry, and its name from the lists of `state`. A current phase that goes leaves none.
///
/// Returns whether the draft had it; without it the draft stays as it is. `now` is a time as
/// [`crate::time::format`] writes it.
///
/// # Errors
///
/// [`Error::invalid_document`] where `state` or `phases` is no object.
pub fn remove_phase(draft: &mut Draft, phase: &str, now: &str) -> Result<bool, Error> {
    if !has_phase(draft.as_object(), phase) {
        return Ok(false);
    }
    let document = draft.as_object_mut();
    part(document, "phases", &Pointer::root())?.remove(phase);
    let state = part(document, "state", &Pointer::root())?;
    let is_phase = |item: &Json| item.as_str() == Some(phase);
    if state.get("current_phase").is_some_and(is_phase) {
        state.set("current_phase", Json::Null);
    }
    for list in ["completed_phases", "pending_phases"] {
        if let Some(Json::Array(items)) = state.get_mut(list) {
            items.retain(|item| !is_phase(item));
        }
    }
    document.set("updated_at", now);
    Ok(true)
}

fn has_phase(document: &Object, phase: &str) -> bool {
    phases(document).iter().any(|(name, _)| *name == phase)
}

#[cfg(test)]
mod tests {
    use super::remove_phase;
    use crate::checkpoint::command::document::Draft;
    use crate::json::{self, Json};

    const NOW: &str = "2026-01-29T12:00:00.000Z";

    fn removed(text: &str, phase: &str) -> (bool, String) {
        let value = json::read(text.as_bytes()).unwrap().value;
        let mut draft = Draft::from(value.as_object().unwrap().clone());
        let had_it = remove_phase(&mut draft, phase, NOW).unwrap();
        draft.as_object_mut().remove("updated_at");
        let document = Json::Object(draft.as_object().clone());
        (had_it, document.to_line())
    }

    #[test]
    fn a_removed_phase_is_in_no_entry_and_no_list() {
        for (before, after) in [
            (
                r#"{"state":{"current_phase":"b","completed_phases":["a"],"pending_phases":[]},"phases":{"a":{},"b":{}}}"#,
                r#"{"state":{"current_phase":null,"completed_phases":["a"],"pending_phases":[]},"phases":{"a":{}}}"#,
            ),
            (
                r#"{"state":{"current_phase":"a","completed_phases":["b"],"pending_phases":["b","c"]},"phases":{"b":{}}}"#,
                r#"{"state":{"current_phase":"a","completed_phases":[],"pending_phases":["c"]},"phases":{}}"#,
            ),
            // A list alone names it.
            (
                r#"{"state":{"pending_phases":["b"]},"phases":{}}"#,
                r#"{"state":{"pending_phases":[]},"phases":{}}"#,
            ),
        ] {
            assert_eq!(removed(before, "b"), (true, after.to_owned()));
        }
    }

    #[test]
    fn a_phase_that_is_not_there_changes_nothing() {
        let text = r#"{"state":{"pending_phases":["a"]},"phases":{"a":{}}}"#;
        assert_eq!(removed(text, "b"), (false, text.to_owned()));
    }

    #[test]
    fn a_completed_run_stays_complete() {
        let text = r#"{"completed_at":"2026-01-29T10:00:00.000Z","state":{},"phases":{"b":{}}}"#;
        let (_, after) = removed(text, "b");
        assert!(after.contains("completed_at"), "{after}");
    }
}

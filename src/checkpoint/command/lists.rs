//! The lists of a state: where the table of statuses has each phase, and what contradicts it.

use super::document::is_completed;
use super::resume::in_progress;
use super::status::{CurrentPhaseChange, PhaseListChange, Status};
use crate::json::{Json, Object};
use crate::str_map::{StrMap, StrSet};

/// Opens a completed run again: `completed_at` goes, and its lists are brought into line as `relist_open` does.
pub fn reopen(document: &mut Object) {
    let was_completed = is_completed(document);
    document.remove("completed_at");
    if was_completed {
        relist_open(document);
    }
}

/// Puts every phase that is still to be done where the table of statuses has it, in a run that was completed,
/// regardless of what completed it. Where no phase is the current one, the one in progress is.
///
/// Lists of another kind stay as they are, for what changes them next.
pub(super) fn relist_open(document: &mut Object) {
    let before = document.clone();
    let view = PhaseStatements::of(&before);
    let entries = before.get("phases").and_then(Json::as_object);
    let names = entries.into_iter().flat_map(Object::iter);
    let misplaced = names.filter_map(|(name, _)| Some((name, view.contradicted(name)?)));
    let open: StrMap<'_, Status> = misplaced.filter(|(_, status)| status.is_open()).collect();
    let Some(state) = document.get_mut("state").and_then(Json::as_object_mut) else {
        return;
    };
    move_phases(state, &open);
    if state.get("current_phase").is_none_or(is_null)
        && let Some(name) = in_progress(&before)
    {
        state.set("current_phase", name);
    }
}

fn is_null(value: &Json) -> bool {
    *value == Json::Null
}

/// Puts phases where the table has them for these statuses. No phase becomes the current one; those that are appended
/// come in the order in which they were given.
pub(super) fn move_phases(state: &mut Object, statuses: &StrMap<'_, Status>) {
    let leaves = |status: &Status| status.transition().current == CurrentPhaseChange::NullIfThis;
    let current = state.get("current_phase").and_then(Json::as_str);
    if current
        .and_then(|name| statuses.get(name))
        .is_some_and(leaves)
    {
        state.set("current_phase", Json::Null);
    }
    relist(state, "completed_phases", statuses, |status| {
        status.transition().completed
    });
    relist(state, "pending_phases", statuses, |status| {
        status.transition().pending
    });
}

fn relist(
    state: &mut Object,
    list: &str,
    statuses: &StrMap<'_, Status>,
    listing: fn(Status) -> PhaseListChange,
) {
    let Some(Json::Array(items)) = state.get_mut(list) else {
        return;
    };
    let status = |item: &Json| item.as_str().and_then(|name| statuses.get(name));
    items.retain(|item| {
        status(item).is_none_or(|status| listing(*status) == PhaseListChange::Appended)
    });

    let listed: StrSet<'_> = items.iter().filter_map(Json::as_str).collect();
    let given = statuses.keys().iter().copied();
    let absent: Vec<Json> = given
        .filter(|name| {
            let status = statuses.get(name);
            status.is_some_and(|status| listing(*status) == PhaseListChange::Appended)
                && !listed.contains(name)
        })
        .map(Json::from)
        .collect();
    items.extend(absent);
}

/// The statements of a document about its phases; what is malformed says nothing.
pub(super) struct PhaseStatements<'a> {
    /// The status of each phase that has an entry or is listed as completed.
    pub(super) statuses: StrMap<'a, Option<Status>>,
    completed: StrSet<'a>,
    pending: StrSet<'a>,
    current: Option<&'a str>,
}

impl<'a> PhaseStatements<'a> {
    pub(super) fn of(document: &'a Object) -> Self {
        let state = document.get("state").and_then(Json::as_object);
        let list = |name| {
            let items = state.and_then(|state| state.get(name)?.as_array());
            items.unwrap_or_default().iter().filter_map(Json::as_str)
        };
        let phases = document.get("phases").and_then(Json::as_object);
        let of_phase = |phase: &Json| Status::parse(phase.as_object()?.get("status")?.as_str()?);
        let entries = phases.into_iter().flat_map(Object::iter);
        // A listed phase without an entry comes second: of two, the first one counts.
        let listed = list("completed_phases").map(|name| (name, Some(Status::Complete)));
        let statuses = entries
            .map(|(name, phase)| (name, of_phase(phase)))
            .chain(listed)
            .collect();
        PhaseStatements {
            statuses,
            completed: list("completed_phases").collect(),
            pending: list("pending_phases").collect(),
            current: state.and_then(|state| state.get("current_phase")?.as_str()),
        }
    }

    /// The status of a phase that `state` says something else about.
    pub(super) fn contradicted(&self, name: &str) -> Option<Status> {
        let status = (*self.statuses.get(name)?)?;
        let transition = status.transition();
        let contradicts = self.completed.contains(name)
            != (transition.completed == PhaseListChange::Appended)
            || self.pending.contains(name) != (transition.pending == PhaseListChange::Appended)
            || self.current == Some(name) && transition.current == CurrentPhaseChange::NullIfThis;
        contradicts.then_some(status)
    }
}

#[cfg(test)]
mod tests {
    use super::reopen;
    use crate::json::{self, Json};

    fn reopened(text: &str) -> String {
        let Json::Object(mut document) = json::read(text.as_bytes()).unwrap().value else {
            panic!("{text}");
        };
        reopen(&mut document);
        Json::Object(document).to_line()
    }

    #[test]
    fn a_run_that_is_opened_again_lists_every_phase_that_is_still_to_be_done() {
        let phases = concat!(
            r#""phases":{"d":{"status":"pending"},"a":{"status":"complete"},"c":{"status":"pending"},"#,
            r#""f":{"status":"failed"},"b":{"status":"in_progress"},"s":{"status":"skipped"}}"#
        );
        let document = |completed_at: &str, current: &str, pending: &str| {
            format!(
                r#"{{{completed_at}"state":{{"current_phase":{current},"completed_phases":["a"],"pending_phases":[{pending}]}},{phases}}}"#
            )
        };
        let completed = document(r#""completed_at":"2027-01-01T00:00:00.000Z","#, "null", "");
        assert_eq!(reopened(&completed), document("", r#""b""#, r#""d","c""#));
        let open = document("", "null", "");
        assert_eq!(reopened(&open), open, "what is open was written on purpose");
    }

    #[test]
    fn lists_of_another_kind_stay_as_they_are() {
        for rest in [
            r#""state":5,"phases":{"a":{"status":"pending"}}"#,
            r#""state":{"current_phase":"x","pending_phases":"a"},"phases":{"a":{"status":"pending"}}"#,
            r#""phases":[]"#,
        ] {
            let completed = format!(r#"{{"completed_at":"2027-01-01T00:00:00.000Z",{rest}}}"#);
            assert_eq!(reopened(&completed), format!("{{{rest}}}"));
        }
    }
}

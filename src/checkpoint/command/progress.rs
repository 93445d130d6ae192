//! How far a command run is: how many of its phases stand how.

use super::phases::Status;
use super::resume;
use crate::json::{Json, Object};
use crate::keys::{Keyed, Keys};

/// How many of the phases that a document knows have which status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The phase under way: the one to resume, if it is in progress or has failed.
    pub current_phase: Option<String>,
    /// How many are complete.
    pub completed: u64,
    /// How many are in progress.
    pub in_progress: u64,
    /// How many have failed and are to be tried again.
    pub failed: u64,
    /// How many are not yet begun.
    pub pending: u64,
    /// How many were left out on purpose.
    pub skipped: u64,
}

impl Progress {
    /// How many phases are over. Those that were left out are: nothing is to be done about them.
    pub fn over(&self) -> u64 {
        self.completed + self.skipped
    }

    /// How many phases there are.
    pub fn all(&self) -> u64 {
        self.over() + self.in_progress + self.failed + self.pending
    }
}

/// Counts the phases of a stored document.
///
/// Any object will do, as for [`resume::point`].
pub fn progress(document: &Object) -> Progress {
    counted(document, &phases(document))
}

/// The same where the [`phases`] of the document are known.
pub fn counted(document: &Object, phases: &[(&str, Status)]) -> Progress {
    let mut progress = Progress::default();
    let next = resume::phases(document).next;
    for &(name, status) in phases {
        let count = match status {
            Status::Pending => &mut progress.pending,
            Status::InProgress => &mut progress.in_progress,
            Status::Complete => &mut progress.completed,
            Status::Failed => &mut progress.failed,
            Status::Skipped => &mut progress.skipped,
        };
        *count += 1;
        let is_under_way = matches!(status, Status::InProgress | Status::Failed);
        if is_under_way && next == Some(name) {
            progress.current_phase = Some(name.to_owned());
        }
    }
    progress
}

/// Every phase that a document knows, each once, and how far it is: those that have an entry in
/// their order, then those that only a list of the state names.
///
/// An entry that says its status is right. Without one, the current phase is in progress, what
/// stands among the pending is pending, and among the completed complete; what nothing tells of is
/// pending.
pub fn phases(document: &Object) -> Vec<(&str, Status)> {
    let entries = document.get("phases").and_then(Json::as_object);
    let state = document.get("state").and_then(Json::as_object);
    let field = |name: &str| state.and_then(|state| state.get(name));
    let current = field("current_phase").and_then(Json::as_str);

    let mut listed: Vec<(&str, Status)> = Vec::new();
    listed.extend(current.map(|name| (name, Status::InProgress)));
    for (list, status) in [
        ("pending_phases", Status::Pending),
        ("completed_phases", Status::Complete),
    ] {
        let names = field(list).and_then(Json::as_array).unwrap_or_default();
        for name in names {
            listed.extend(name.as_str().map(|name| (name, status)));
        }
    }

    let places = listed.iter().enumerate().map(|(at, (name, _))| (*name, at));
    let first: Keyed<'_, usize> = places.collect();
    let mut phases: Vec<(&str, Status)> = Vec::new();
    for (name, entry) in entries.into_iter().flat_map(Object::iter) {
        let status = resume::status(entry);
        let status = status.or_else(|| first.get(name).map(|&at| listed[at].1));
        phases.push((name, status.unwrap_or(Status::Pending)));
    }
    let known: Keys<'_> = phases.iter().map(|(name, _)| *name).collect();
    for (at, (name, status)) in listed.iter().enumerate() {
        if first.get(name) == Some(&at) && !known.contains(name) {
            phases.push((name, *status));
        }
    }
    phases
}

#[cfg(test)]
mod tests {
    use super::{Progress, phases, progress};
    use crate::json::{self, Object};

    fn document(text: &str) -> Object {
        let value = json::read(text.as_bytes()).unwrap().value;
        value.as_object().unwrap().clone()
    }

    fn known(text: &str) -> String {
        let document = document(text);
        let named = phases(&document).into_iter();
        let named = named.map(|(name, status)| format!("{name} {}", status.as_str()));
        named.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_failed_phase_was_counted_nowhere() {
        let text = r#"{"state": {"current_phase": "b", "completed_phases": ["a"],
                "pending_phases": ["f"]},
            "phases": {"a": {"status": "complete"}, "b": {"status": "in_progress"},
                "c": {"status": "in_progress"}, "d": {"status": "failed"},
                "e": {"status": "skipped"}, "f": {"status": "pending"}}}"#;
        let counted = progress(&document(text));
        let expected = Progress {
            current_phase: Some("b".to_owned()),
            completed: 1,
            in_progress: 2,
            failed: 1,
            pending: 1,
            skipped: 1,
        };
        assert_eq!(counted, expected);
        assert_eq!((counted.over(), counted.all()), (2, 6));
    }

    #[test]
    fn a_phase_in_an_entry_and_in_lists_counts_once_and_as_its_entry_says() {
        assert_eq!(
            known(
                r#"{"state": {"current_phase": "a", "completed_phases": ["b", "b", "c"],
                    "pending_phases": ["b", "a", "d", "d"]},
                    "phases": {"a": {"status": "complete"}, "b": {"status": "failed"}}}"#
            ),
            "a complete, b failed, d pending, c complete"
        );
    }

    #[test]
    fn a_phase_without_a_status_has_that_of_the_list_where_it_stands() {
        assert_eq!(
            known(
                r#"{"state": {"current_phase": "a", "completed_phases": ["c"],
                    "pending_phases": ["b"]},
                    "phases": {"b": {}, "c": {"status": "done"}, "a": 1, "x": {}}}"#
            ),
            "b pending, c complete, a in_progress, x pending"
        );
    }

    #[test]
    fn the_phase_under_way_is_the_one_to_resume() {
        let current = |text| progress(&document(text)).current_phase;
        for (text, expected) in [
            (
                r#"{"state": {"current_phase": null}, "phases": {"a": {"status": "in_progress"}}}"#,
                Some("a"),
            ),
            (
                r#"{"state": {"current_phase": "a"}, "phases": {"a": {"status": "failed"}}}"#,
                Some("a"),
            ),
            (
                r#"{"state": {"current_phase": "a"}, "phases": {"a": {"status": "complete"}}}"#,
                None,
            ),
            (r#"{"state": {"pending_phases": ["a"]}}"#, None),
            (
                r#"{"completed_at": "2027-01-01T00:00:00Z", "state": {"current_phase": "a"}}"#,
                None,
            ),
        ] {
            assert_eq!(current(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_malformed_counts_as_absent() {
        for text in [
            "{}",
            r#"{"state": [], "phases": 1}"#,
            r#"{"state": {"current_phase": 1, "pending_phases": [1], "completed_phases": {}}}"#,
        ] {
            assert_eq!(progress(&document(text)), Progress::default(), "{text}");
        }
    }
}

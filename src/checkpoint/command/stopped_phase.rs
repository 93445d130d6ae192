//! The place where a run stopped: the phase to go on with as the document records it, and the
//! other phases that are pending. The summary of the phase is a part of the [resume point](super::resume::point).

use super::progress::{in_order, phases};
use super::status::Status;
use crate::json::{Json, Object};
use crate::tokens;

/// The facts of the phase to go on with, and the other pending phases. Texts are cut to what a save accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoppedPhase<'a> {
    /// The status of the phase; `None` without a phase.
    pub status: Option<&'a str>,
    /// The error that the phase failed with.
    pub error: Option<&'a str>,
    /// The files that the phase created.
    pub files_created: Vec<&'a str>,
    /// The files that the phase modified.
    pub files_modified: Vec<&'a str>,
    /// The other pending phases of the run, in the order in which they are to be done.
    pub pending: Vec<&'a str>,
}

/// Returns where a run stopped; `phase` is that of its [resume point](super::resume::point).
///
/// Any object will do, as there.
pub fn stopped_phase<'a>(document: &'a Object, phase: Option<&str>) -> StoppedPhase<'a> {
    let phases = phases(document);
    let entries = document.get("phases").and_then(Json::as_object);
    let entry = phase.and_then(|name| entries?.get(name)?.as_object());
    let text = |key: &str| {
        let text = entry.and_then(|entry| entry.get(key)?.as_str());
        text.map(tokens::fit)
    };
    let known = || {
        let found = phases.iter().find(|(name, _)| Some(*name) == phase);
        found.map(|(_, status)| status.as_str())
    };
    let mut pending = in_order(document, Status::Pending, "pending_phases");
    pending.retain(|name| Some(*name) != phase);
    StoppedPhase {
        status: text("status").or_else(known),
        error: text("error"),
        files_created: texts(entry, "files_created"),
        files_modified: texts(entry, "files_modified"),
        pending,
    }
}

/// The texts in a list of an object.
pub(super) fn texts<'a>(of: Option<&'a Object>, key: &str) -> Vec<&'a str> {
    let list = of.and_then(|of| of.get(key)?.as_array());
    let items = list.unwrap_or_default().iter();
    items.filter_map(Json::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::{StoppedPhase, stopped_phase};
    use crate::json::{self, Object};

    fn document(text: &str) -> Object {
        let value = json::read(text.as_bytes()).unwrap().value;
        value.as_object().unwrap().clone()
    }

    #[test]
    fn the_phase_is_given_with_its_status_error_and_files() {
        let run = document(
            r#"{"state": {"current_phase": "b", "completed_phases": ["a"], "pending_phases": ["d", "c"]},
                "phases": {"a": {"status": "complete", "context_summary": "A", "files_created": ["a.js"]},
                    "b": {"status": "failed", "context_summary": "B", "error": "3 tests fail",
                        "files_created": ["b.js", 1], "files_modified": ["c.js", "d.js"]},
                    "c": {"status": "pending"}, "d": {"status": "pending"}}}"#,
        );
        let expected = StoppedPhase {
            status: Some("failed"),
            error: Some("3 tests fail"),
            files_created: vec!["b.js"],
            files_modified: vec!["c.js", "d.js"],
            pending: vec!["d", "c"],
        };
        assert_eq!(stopped_phase(&run, Some("b")), expected);
    }

    #[test]
    fn a_phase_without_an_entry_has_the_status_of_its_list() {
        for (text, status) in [
            (r#"{"state": {"pending_phases": ["a"]}}"#, "pending"),
            (r#"{"state": {"current_phase": "a"}}"#, "in_progress"),
            (r#"{"phases": {"a": {"status": "half done"}}}"#, "half done"),
        ] {
            let run = document(text);
            assert_eq!(
                stopped_phase(&run, Some("a")).status,
                Some(status),
                "{text}"
            );
        }
    }

    #[test]
    fn pending_phases_are_each_named_once_and_only_where_they_are_pending() {
        let run = document(
            r#"{"state": {"pending_phases": ["c", "done", "c", "b", "alone", 1]},
                "phases": {"a": {"status": "pending"}, "b": {"status": "pending"}, "c": {},
                    "done": {"status": "complete"}, "left": {"status": "skipped"}}}"#,
        );
        assert_eq!(stopped_phase(&run, None).pending, ["c", "b", "alone", "a"]);
    }

    #[test]
    fn a_pending_phase_that_is_the_one_to_go_on_with_is_not_named_again() {
        let run = document(
            r#"{"state": {"pending_phases": ["b", "a"]},
                "phases": {"a": {"status": "pending"}, "b": {"status": "pending"}}}"#,
        );
        let stopped = stopped_phase(&run, Some("b"));
        assert_eq!(stopped.status, Some("pending"));
        assert_eq!(stopped.pending, ["a"]);
    }

    #[test]
    fn malformed_parts_count_as_absent() {
        for text in [
            "{}",
            r#"{"state": [], "phases": 1}"#,
            r#"{"state": {"pending_phases": 1}, "phases": {}}"#,
        ] {
            let run = document(text);
            assert_eq!(
                stopped_phase(&run, Some("a")),
                StoppedPhase::default(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_stored_error_is_cut_to_what_a_save_accepts() {
        let text = format!(
            r#"{{"phases": {{"a": {{"status": "failed", "error": "{}"}}}}}}"#,
            "word ".repeat(600)
        );
        let run = document(&text);
        let error = stopped_phase(&run, Some("a")).error.unwrap();
        assert_eq!(error.split_whitespace().count(), 500);
    }
}

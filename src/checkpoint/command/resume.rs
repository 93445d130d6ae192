//! Where the next process takes a run up.

use super::document::is_completed;
use crate::json::{Json, Object};

/// What to do next, and what to know for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResumePoint {
    /// The current phase, else the first pending one: an agent can die between two phases.
    pub phase: Option<String>,
    /// The context summary of the last completed phase that has one.
    pub summary: Option<String>,
}

/// The resume point of a stored document; empty when the run is complete.
///
/// Any object will do: what is malformed counts as absent, so that a document that can be read
/// can be resumed.
pub fn point(document: &Object) -> ResumePoint {
    if is_completed(document) {
        return ResumePoint::default();
    }
    let state = document.get("state").and_then(Json::as_object);
    let field = |name| state.and_then(|state| state.get(name));
    let list = |name| field(name).and_then(Json::as_array).unwrap_or_default();

    let current = field("current_phase").and_then(Json::as_str);
    let phase = current.or_else(|| list("pending_phases").iter().find_map(Json::as_str));

    let phases = document.get("phases").and_then(Json::as_object);
    let phases = phases.map(Object::index).unwrap_or_default();
    let summary = list("completed_phases").iter().rev().find_map(|name| {
        let phase = phases.get(name.as_str()?)?.as_object()?;
        let summary = phase.get("context_summary")?.as_str()?;
        (!summary.is_empty()).then_some(summary)
    });

    ResumePoint {
        phase: phase.map(str::to_owned),
        summary: summary.map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::point;
    use crate::json;

    /// The resume point of a document as (phase, summary).
    fn resumed(text: &str) -> (Option<String>, Option<String>) {
        let document = json::read(text.as_bytes()).unwrap().value;
        let point = point(document.as_object().unwrap());
        (point.phase, point.summary)
    }

    fn expected(phase: Option<&str>, summary: Option<&str>) -> (Option<String>, Option<String>) {
        (phase.map(str::to_owned), summary.map(str::to_owned))
    }

    #[test]
    fn the_current_phase_comes_before_a_pending_one() {
        assert_eq!(
            resumed(
                r#"{"state": {"current_phase": "b", "completed_phases": ["a"], "pending_phases": ["c"]},
                    "phases": {"a": {"context_summary": "A"}, "b": {"context_summary": "B"}}}"#
            ),
            expected(Some("b"), Some("A"))
        );
    }

    #[test]
    fn between_two_phases_the_first_pending_one_is_next() {
        assert_eq!(
            resumed(
                r#"{"state": {"current_phase": null, "completed_phases": [], "pending_phases": ["c", "d"]},
                    "phases": {}}"#
            ),
            expected(Some("c"), None)
        );
    }

    #[test]
    fn a_completed_phase_without_a_summary_is_passed_over() {
        assert_eq!(
            resumed(
                r#"{"state": {"current_phase": null, "completed_phases": ["a", "b", "c", "gone"]},
                    "phases": {"a": {"context_summary": "A"}, "b": {"context_summary": "B"},
                        "c": {"context_summary": ""}, "d": {"context_summary": "D"}}}"#
            ),
            expected(None, Some("B"))
        );
    }

    #[test]
    fn a_complete_run_has_nothing_to_resume() {
        assert_eq!(
            resumed(
                r#"{"completed_at": "2026-01-29T12:00:00.000Z",
                    "state": {"current_phase": "b", "completed_phases": ["a"], "pending_phases": ["c"]},
                    "phases": {"a": {"context_summary": "A"}}}"#
            ),
            expected(None, None)
        );
    }

    #[test]
    fn odd_names_are_ordinary_names() {
        assert_eq!(
            resumed(
                r#"{"state": {"current_phase": "10", "completed_phases": ["9", "__proto__"]},
                    "phases": {"9": {"context_summary": "nine"}, "__proto__": {"context_summary": "proto"}}}"#
            ),
            expected(Some("10"), Some("proto"))
        );
    }

    #[test]
    fn what_is_malformed_counts_as_absent() {
        for text in [
            "{}",
            r#"{"state": [], "phases": 5}"#,
            r#"{"state": {"current_phase": 1, "completed_phases": "a", "pending_phases": {}}}"#,
            r#"{"state": {"completed_phases": ["a", 5]}, "phases": {"a": {"context_summary": 5}}}"#,
            r#"{"state": {"completed_phases": ["a"]}, "phases": {"a": "A"}}"#,
        ] {
            assert_eq!(resumed(text), expected(None, None), "{text}");
        }
        assert_eq!(
            resumed(r#"{"completed_at": null, "state": {"pending_phases": [1, "b"]}}"#),
            expected(Some("b"), None)
        );
    }
}

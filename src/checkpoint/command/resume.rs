//! The place where the next process takes a run up.

use super::document::is_completed;
use super::status::Status;
use crate::json::{Json, Object};
use crate::schema::Shaped;
use crate::str_map::StrSet;
use crate::{time, tokens};

/// The resume point.
///
/// Its summaries are cut to what a save accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Shaped)]
pub struct ResumePoint {
    /// The phase to go on with; null where there is nothing to do.
    pub phase: Option<String>,
    /// The context summary of that phase itself, if it has one.
    pub phase_summary: Option<String>,
    /// The context summary of the last completed phase that has one.
    pub summary: Option<String>,
    /// The reason why a summary was cut, where one was.
    #[shape(skip)]
    pub cut: Option<String>,
    /// The other phases in progress.
    pub alongside: Vec<String>,
}

impl ResumePoint {
    /// Returns whether there is nothing to go on with, and nothing to know.
    pub fn is_empty(&self) -> bool {
        self.phase.is_none() && self.summary.is_none()
    }
}

/// The resume point of a stored document; empty when the run is complete.
///
/// The phase is the current one while it is in progress, or where nothing says how far it is; else the
/// latest updated one in progress; else a failed one, which is retried, the current one before the
/// latest; else the first pending one, because an agent can die between two phases.
///
/// Any object will do: what is malformed counts as absent, so that a document that can be read
/// can be resumed. A stored summary above the limits of a save, 500 words and 64 KiB, is cut, and
/// [`ResumePoint::cut`] says why.
///
/// ```
/// use milepost::checkpoint::command::resume::point;
/// use milepost::json;
///
/// let text = br#"{
///   "state": {"current_phase": "parser", "completed_phases": ["lexer"], "pending_phases": ["printer"]},
///   "phases": {
///     "lexer": {"status": "complete", "context_summary": "Tokens have spans."},
///     "parser": {"status": "in_progress"},
///     "printer": {"status": "pending"}
///   }
/// }"#;
/// let run = json::read(text).expect("it is JSON").value;
/// let resume = point(run.as_object().expect("it is an object"));
/// assert_eq!(resume.phase.as_deref(), Some("parser"));
/// assert_eq!(resume.summary.as_deref(), Some("Tokens have spans."));
/// assert_eq!(resume.cut, None);
/// ```
pub fn point(document: &Object) -> ResumePoint {
    if is_completed(document) {
        return ResumePoint::default();
    }
    let phases = phases(document);
    let mut cut = None;
    let mut within_limit = |summary: &str| match tokens::check_stored(summary) {
        Ok(()) => summary.to_owned(),
        Err(why) => {
            cut = Some(why);
            tokens::fit(summary).to_owned()
        }
    };
    let phase_summary = phases.next.and_then(|name| summary_of(document, name));
    let phase_summary = phase_summary.map(&mut within_limit);
    let summary = last_summary(document).map(&mut within_limit);
    let alongside = phases.alongside.into_iter();
    ResumePoint {
        phase: phases.next.map(str::to_owned),
        phase_summary,
        summary,
        cut,
        alongside: alongside.map(str::to_owned).collect(),
    }
}

/// Returns the phase in progress: the one to go on with, where it is in progress or has failed. Every surface that
/// names the phase in progress asks here.
pub fn in_progress(document: &Object) -> Option<&str> {
    phases(document).in_progress
}

/// Returns whether a phase is still to be done: one that is pending, in progress or failed, of a run that is not
/// complete.
pub fn has_open_phases(document: &Object) -> bool {
    phases(document).next.is_some()
}

/// Returns whether there is something to do: a phase, or a plan, which is work before it has phases as well. A run
/// that is complete has nothing to do. Every surface that says so asks here.
pub fn has_work(document: &Object) -> bool {
    let has_plan = || document.get("plan").and_then(Json::as_str).is_some();
    !is_completed(document) && (has_open_phases(document) || has_plan())
}

/// The phase of a [`ResumePoint`], and those beside it.
#[derive(Default)]
struct Phases<'a> {
    next: Option<&'a str>,
    /// This phase, where it is in progress or has failed.
    in_progress: Option<&'a str>,
    alongside: Vec<&'a str>,
}

/// The part of [`point`] about phases.
fn phases(document: &Object) -> Phases<'_> {
    if is_completed(document) {
        return Phases::default();
    }
    let state = document.get("state").and_then(Json::as_object);
    let field = |name| state.and_then(|state| state.get(name));
    let list = |name| field(name).and_then(Json::as_array).unwrap_or_default();
    let current = field("current_phase").and_then(Json::as_str);

    let phases = document.get("phases").and_then(Json::as_object);
    let (mut begun, mut failed) = (PhaseGroup::default(), PhaseGroup::default());
    let (mut pending, mut has_unknown) = (None, false);
    for (name, phase) in phases.into_iter().flat_map(Object::iter) {
        match status(phase) {
            Some(Status::InProgress) => begun.add(name, phase),
            Some(Status::Failed) => failed.add(name, phase),
            Some(Status::Pending) => pending = pending.or(Some(name)),
            None => has_unknown = true,
            Some(Status::Complete | Status::Skipped) => {}
        }
    }
    let by_name = phases.map(Object::index).unwrap_or_default();
    let status = |name: &str| status(by_name.get(name)?);
    let is_pending = |name: &&str| matches!(status(name), None | Some(Status::Pending));
    let in_progress = match current.map(|name| (name, status(name))) {
        Some((name, None | Some(Status::InProgress))) => Some(name),
        Some((name, Some(Status::Failed))) => begun.name.or(Some(name)),
        _ => begun.name.or(failed.name),
    };
    let first_listed = || {
        list("pending_phases")
            .iter()
            .filter_map(Json::as_str)
            .find(is_pending)
    };
    let first_unknown = || match has_unknown {
        true => unknown(phases?, list("completed_phases")),
        false => None,
    };
    let next = in_progress.or_else(first_listed).or(pending);
    let next = next.or_else(first_unknown);

    let others = begun.all.into_iter().filter(|name| Some(*name) != next);
    Phases {
        next,
        in_progress,
        alongside: others.collect(),
    }
}

/// The first entry without a status that is not listed as completed: nothing says that it is over.
#[cold]
#[inline(never)]
fn unknown<'a>(phases: &'a Object, completed: &[Json]) -> Option<&'a str> {
    let completed: StrSet<'_> = completed.iter().filter_map(Json::as_str).collect();
    let mut entries = phases.iter();
    let first = entries.find(|(name, phase)| status(phase).is_none() && !completed.contains(name));
    first.map(|(name, _)| name)
}

/// The context summary of the phase that was completed last of those that have one, complete or not as the
/// run may be.
pub fn last_summary(document: &Object) -> Option<&str> {
    let state = document.get("state").and_then(Json::as_object)?;
    let phases = document.get("phases").and_then(Json::as_object)?.index();
    let completed = state.get("completed_phases")?.as_array()?;
    completed.iter().rev().find_map(|name| {
        let phase = phases.get(name.as_str()?)?.as_object()?;
        let summary = phase.get("context_summary")?.as_str()?;
        (!summary.is_empty()).then_some(summary)
    })
}

/// The context summary of this phase, unless it is empty.
fn summary_of<'a>(document: &'a Object, phase: &str) -> Option<&'a str> {
    let phases = document.get("phases")?.as_object()?;
    let summary = phases.get(phase)?.as_object()?.get("context_summary")?;
    summary.as_str().filter(|summary| !summary.is_empty())
}

/// Phases of one status, and the latest updated one of them.
#[derive(Default)]
struct PhaseGroup<'a> {
    all: Vec<&'a str>,
    name: Option<&'a str>,
    updated: Option<time::Time>,
}

impl<'a> PhaseGroup<'a> {
    fn add(&mut self, name: &'a str, phase: &Json) {
        let updated = updated(phase);
        if self.name.is_none() || self.updated < updated {
            (self.name, self.updated) = (Some(name), updated);
        }
        self.all.push(name);
    }
}

/// Returns the status of a phase, if it is known.
pub(super) fn status(phase: &Json) -> Option<Status> {
    Status::parse(phase.as_object()?.get("status")?.as_str()?)
}

fn updated(phase: &Json) -> Option<time::Time> {
    time::parse(phase.as_object()?.get("updated_at")?.as_str()?)
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
    fn a_phase_that_is_over_is_not_done_again_though_it_is_the_current_one() {
        for status in ["complete", "skipped"] {
            let text = format!(
                r#"{{"state": {{"current_phase": "a", "pending_phases": ["a", "b"]}},
                    "phases": {{"a": {{"status": "{status}"}}}}}}"#
            );
            assert_eq!(resumed(&text), expected(Some("b"), None), "{status}");
        }
    }

    #[test]
    fn of_phases_side_by_side_none_is_forgotten() {
        let document = |current: &str| {
            let text = format!(
                r#"{{"state": {{"current_phase": {current}}}, "phases": {{
                    "a": {{"status": "in_progress", "updated_at": "2026-01-29T12:00:00Z"}},
                    "b": {{"status": "in_progress", "updated_at": "2026-01-29T14:00:00Z"}},
                    "c": {{"status": "failed", "updated_at": "2026-01-29T15:00:00Z"}},
                    "d": {{"status": "in_progress"}}}}}}"#
            );
            json::read(text.as_bytes()).unwrap().value
        };
        for (current, phase, alongside) in [
            (r#""a""#, "a", ["b", "d"]),
            ("null", "b", ["a", "d"]),
            (r#""c""#, "b", ["a", "d"]),
        ] {
            let point = point(document(current).as_object().unwrap());
            assert_eq!(point.phase.as_deref(), Some(phase), "{current}");
            assert_eq!(point.alongside, alongside, "{current}");
        }
    }

    #[test]
    fn a_failed_phase_is_tried_again_before_a_pending_one() {
        let document = |current: &str| {
            format!(
                r#"{{"state": {{"current_phase": {current}, "pending_phases": ["c"]}}, "phases": {{
                    "a": {{"status": "failed", "updated_at": "2026-01-29T12:00:00Z"}},
                    "b": {{"status": "failed", "updated_at": "2026-01-29T14:00:00Z"}}}}}}"#
            )
        };
        for (current, phase) in [(r#""a""#, "a"), ("null", "b")] {
            assert_eq!(resumed(&document(current)), expected(Some(phase), None));
        }
    }

    #[test]
    fn a_pending_phase_that_no_list_has_is_found() {
        assert_eq!(
            resumed(r#"{"phases": {"a": {"status": "complete"}, "b": {"status": "pending"}}}"#),
            expected(Some("b"), None)
        );
    }

    #[test]
    fn a_phase_without_a_status_is_pending_unless_a_list_says_that_it_is_over() {
        let document = |completed: &str| {
            format!(
                r#"{{"state": {{"completed_phases": [{completed}]}}, "phases": {{"a": {{}}, "b": 5}}}}"#
            )
        };
        assert_eq!(resumed(&document("")), expected(Some("a"), None));
        assert_eq!(resumed(&document(r#""a""#)), expected(Some("b"), None));
        assert_eq!(resumed(&document(r#""a", "b""#)), expected(None, None));
    }

    #[test]
    fn a_completed_phase_without_a_summary_is_passed_over() {
        assert_eq!(
            resumed(
                r#"{"state": {"current_phase": null, "completed_phases": ["a", "b", "c", "gone"]},
                    "phases": {"a": {"context_summary": "A"}, "b": {"context_summary": "B"},
                        "c": {"context_summary": ""},
                        "d": {"status": "skipped", "context_summary": "D"}}}"#
            ),
            expected(None, Some("B"))
        );
    }

    #[test]
    fn the_summary_of_the_phase_itself_is_given_beside_that_of_the_last_completed_one() {
        let given = |status: &str, summary: &str| {
            let text = format!(
                r#"{{"state": {{"completed_phases": ["a"]}},
                    "phases": {{"a": {{"status": "complete", "context_summary": "A"}},
                        "b": {{"status": "{status}", "context_summary": {summary}}}}}}}"#
            );
            let document = json::read(text.as_bytes()).unwrap().value;
            let point = point(document.as_object().unwrap());
            (point.phase_summary, point.summary)
        };
        let a = || Some("A".to_owned());
        for status in ["in_progress", "failed", "pending"] {
            assert_eq!(given(status, r#""B""#), (Some("B".to_owned()), a()));
        }
        assert_eq!(given("skipped", r#""B""#), (None, a()));
        for summary in ["\"\"", "5", "null"] {
            assert_eq!(given("in_progress", summary), (None, a()), "{summary}");
        }
    }

    #[test]
    fn an_over_long_summary_of_the_phase_itself_is_cut_as_well() {
        let summary = "word ".repeat(501);
        let text = format!(
            r#"{{"phases": {{"a": {{"status": "in_progress", "context_summary": "{summary}"}}}}}}"#
        );
        let document = json::read(text.as_bytes()).unwrap().value;
        let point = point(document.as_object().unwrap());
        assert_eq!(point.phase_summary.unwrap().len(), 500 * 5 - 1);
        assert!(point.cut.unwrap().contains("exceeds"));
    }

    #[test]
    fn an_over_long_summary_is_handed_out_within_the_budget_and_says_so() {
        for (summary, length) in [
            ("word ".repeat(501), 500 * 5 - 1),
            ("\u{e9}".repeat(64 * 1024), 64 * 1024),
        ] {
            let text = format!(
                r#"{{"state": {{"completed_phases": ["a"]}},
                    "phases": {{"a": {{"context_summary": "{summary}"}}}}}}"#
            );
            let document = json::read(text.as_bytes()).unwrap().value;
            let point = point(document.as_object().unwrap());
            assert_eq!(point.summary.unwrap().len(), length);
            assert!(point.cut.unwrap().contains("exceeds"));
        }
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
    fn a_malformed_part_counts_as_absent() {
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

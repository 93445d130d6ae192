//! The facts that a snapshot takes from a run.

use crate::checkpoint::command::document::is_completed;
use crate::checkpoint::command::phases::Status;
use crate::checkpoint::command::progress::{in_order, phases};
use crate::checkpoint::command::resume::{last_summary, point};
use crate::checkpoint::session::draft::{Completed, RunContext};
use crate::error::Target;
use crate::json::{Json, Object};

/// The facts of a document, in the words of a snapshot.
pub(super) struct RunFacts {
    /// The phase to go on with.
    next: Option<String>,
    summary: Option<String>,
}

impl RunFacts {
    pub(super) fn of(document: &Object) -> Self {
        let point = point(document);
        let last = last_summary(document).map(str::to_owned);
        RunFacts {
            next: point.phase,
            summary: joined(point.phase_summary, point.summary.or(last)),
        }
    }

    /// The work of a document, whose own this is.
    pub(super) fn work<'a>(
        &'a self,
        target: &'a Target,
        document: &'a Object,
        revision: u64,
    ) -> RunContext<'a> {
        let all = phases(document);
        let of = |wanted: Status| {
            let mine = all.iter().filter(move |(_, status)| *status == wanted);
            mine.map(|(name, _)| *name)
        };
        let entries = document.get("phases").and_then(Json::as_object);
        let evidence = |name: &str| entries?.get(name)?.as_object()?.get("evidence")?.as_str();
        let completed = in_order(document, Status::Complete, "completed_phases");
        let mut remaining: Vec<&str> = Vec::new();
        if !is_completed(document) {
            let begun = of(Status::InProgress).chain(of(Status::Failed));
            let pending = in_order(document, Status::Pending, "pending_phases");
            let rest = begun.chain(pending);
            for name in self.next.as_deref().into_iter().chain(rest) {
                if !remaining.contains(&name) {
                    remaining.push(name);
                }
            }
        }
        let status = |name: &&str| all.iter().find(|(it, _)| it == name).map(|(_, it)| *it);
        let first = remaining.first().and_then(status);
        RunContext {
            command: &target.command,
            feature: target.feature.as_deref(),
            revision,
            completed: completed
                .into_iter()
                .map(|name| Completed {
                    name,
                    evidence: evidence(name),
                })
                .collect(),
            is_under_way: matches!(first, Some(Status::InProgress | Status::Failed)),
            remaining,
            skipped: of(Status::Skipped).count() as u64,
            summary: self.summary.as_deref(),
            created: files(document, "files_created"),
            modified: files(document, "files_modified"),
        }
    }
}

/// The summary of the phase to go on with, then the one before it.
fn joined(own: Option<String>, before: Option<String>) -> Option<String> {
    match (own, before) {
        (Some(own), Some(before)) => Some(format!("{own}\n\n{before}")),
        (own, before) => own.or(before),
    }
}

/// The files that the phases name under a key.
fn files<'a>(document: &'a Object, key: &str) -> Vec<&'a str> {
    let entries = document.get("phases").and_then(Json::as_object);
    let phases = entries.into_iter().flat_map(Object::iter);
    let lists = phases.filter_map(|(_, phase)| phase.as_object()?.get(key)?.as_array());
    lists.flatten().filter_map(Json::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::RunFacts;
    use crate::checkpoint::session::draft::Completed;
    use crate::error::Target;
    use crate::json::{self, Json, Object};

    fn document(text: &str) -> Object {
        match json::read(text.as_bytes()).unwrap().value {
            Json::Object(object) => object,
            other => panic!("{other:?}"),
        }
    }

    fn target() -> Target {
        Target {
            command: "implement".to_owned(),
            feature: Some("dark-mode".to_owned()),
        }
    }

    #[test]
    fn completed_phases_are_listed_in_the_order_of_their_completion() {
        let document = document(
            r#"{"state": {"current_phase": "d", "completed_phases": ["b", "a", "gone"],
                "pending_phases": ["f", "e"]},
                "phases": {"a": {"status": "complete", "evidence": "3/3", "files_created": ["x"]},
                  "b": {"status": "complete", "context_summary": "B", "files_modified": ["y"]},
                  "c": {"status": "complete"}, "d": {"status": "failed"}, "e": {"status": "pending"},
                  "s": {"status": "skipped"}}}"#,
        );
        let (known, target) = (RunFacts::of(&document), target());
        let work = known.work(&target, &document, 7);
        let name = |name, evidence| Completed { name, evidence };
        assert_eq!(
            work.completed,
            [
                name("b", None),
                name("a", Some("3/3")),
                name("gone", None),
                name("c", None)
            ]
        );
        assert_eq!(work.remaining, ["d", "f", "e"]);
        assert_eq!(
            (work.is_under_way, work.skipped, work.revision),
            (true, 1, 7)
        );
        assert_eq!(work.summary, Some("B"));
        assert_eq!((work.created, work.modified), (vec!["x"], vec!["y"]));
    }

    #[test]
    fn the_summary_of_the_phase_to_go_on_with_stands_before_the_last_completed_one() {
        for (first, second, expected) in [
            (r#""A""#, r#""B""#, Some("B\n\nA")),
            (r#""A""#, "null", Some("A")),
            ("null", r#""B""#, Some("B")),
            ("null", "null", None),
        ] {
            let document = document(&format!(
                r#"{{"state": {{"current_phase": "b", "completed_phases": ["a"]}},
                    "phases": {{"a": {{"status": "complete", "context_summary": {first}}},
                      "b": {{"status": "in_progress", "context_summary": {second}}}}}}}"#
            ));
            let (known, target) = (RunFacts::of(&document), target());
            assert_eq!(known.work(&target, &document, 1).summary, expected);
        }
    }

    #[test]
    fn complete_work_has_nothing_remaining() {
        let document = document(
            r#"{"completed_at": "2027-01-01T00:00:00Z",
                "state": {"current_phase": "a", "completed_phases": ["a"]},
                "phases": {"a": {"status": "complete", "context_summary": "A"}}}"#,
        );
        let (known, target) = (RunFacts::of(&document), target());
        let work = known.work(&target, &document, 1);
        assert_eq!(work.remaining, [""; 0]);
        assert_eq!((work.summary, work.is_under_way), (Some("A"), false));
    }
}

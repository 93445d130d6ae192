use std::collections::BTreeSet;

use super::super::document::Draft;
use super::super::phases::{Status, Update};
use super::dirty::{CREATED, MODIFIED};
use super::owners::session as session_of;
use super::parts::phase;
use super::sample::{LATER, NOW, field, listed, phases_of, shared};
use super::work::MAX_REPORTS;
use super::*;
use crate::json;
use crate::json::{Json, Object};

#[test]
fn a_file_belongs_to_the_phase_that_the_work_is_in() {
    use Status::{Complete, InProgress, Pending};
    let mut draft = shared();
    let file = |path: &str, is_new| (path.to_owned(), is_new);
    wrote(&mut draft, "s", &[file("a", true), file("b", false)], NOW).unwrap();
    assert_eq!(phases_of(&draft), ["work in_progress"]);
    assert_eq!(field(&draft, "work", "files_created"), "[\"a\"]");
    assert_eq!(field(&draft, "work", "files_modified"), "[\"b\"]");
    assert_eq!(is_listed(draft.as_object(), "a"), (true, true));
    // A named phase ends the one without a name, and what was created there is modified here.
    listed(&mut draft, "s", &[("parser", InProgress)]);
    assert_eq!(is_listed(draft.as_object(), "a"), (true, false));
    let files = [file("a", true), file("c", true), file("c", true)];
    wrote(&mut draft, "s", &files, NOW).unwrap();
    assert_eq!(phases_of(&draft), ["work complete", "parser in_progress"]);
    assert_eq!(field(&draft, "parser", "files_created"), "[\"c\"]");
    assert_eq!(field(&draft, "parser", "files_modified"), "[\"a\"]");
    let before = draft.clone();
    wrote(&mut draft, "s", &[file("a", true)], LATER).unwrap();
    assert_eq!(draft, before);
    // Between two phases it is the next one's, which has not begun for that.
    listed(&mut draft, "s", &[("parser", Complete), ("docs", Pending)]);
    wrote(&mut draft, "s", &[file("d", true)], NOW).unwrap();
    assert_eq!(field(&draft, "docs", "files_created"), "[\"d\"]");
    let expected = ["work complete", "parser complete", "docs pending"];
    assert_eq!(phases_of(&draft), expected);
}

#[test]
fn a_session_does_not_complete_the_work_of_another_one() {
    let mut draft = shared();
    wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW).unwrap();
    listed(&mut draft, "t", &[("parser", Status::InProgress)]);
    assert_eq!(
        phases_of(&draft),
        ["work in_progress", "parser in_progress"]
    );
}

/// Ends a turn of the session with a message, and says whether the message was taken.
fn stopped(draft: &mut Draft, session: &str, message: &str) -> bool {
    stop(draft, session, Some(message), NOW).unwrap().0
}

#[test]
fn a_summary_is_the_last_message_of_a_turn_that_changed_something() {
    let mut draft = shared();
    assert!(!stopped(&mut draft, "s", "hello"));
    wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW).unwrap();
    assert!(stopped(&mut draft, "s", "first"));
    assert!(!stopped(&mut draft, "s", "You are welcome!"));
    assert_eq!(field(&draft, "work", "context_summary"), "\"first\"");
    // Writing the same file once more is a change as well.
    assert_eq!(
        wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW),
        Ok(true)
    );
    assert_eq!(
        wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW),
        Ok(false)
    );
    assert!(!stopped(&mut draft, "t", "another session"));
    assert!(stopped(&mut draft, "s", "second"));
    assert_eq!(field(&draft, "work", "context_summary"), "\"second\"");
    assert_eq!(field(&draft, "work", "summary_source"), "\"auto\"");
    draft.check(&[]).unwrap();
}

#[test]
fn a_summary_that_was_recorded_on_purpose_stays() {
    let mut draft = shared();
    wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW).unwrap();
    assert!(stopped(&mut draft, "s", "first"));
    let patch = Object::new().with("context_summary", "on purpose");
    let update = Update::new("work", &patch, None).unwrap();
    update.apply(&mut draft, NOW).unwrap();
    assert_eq!(field(&draft, "work", "summary_source"), "");
    wrote(&mut draft, "s", &[("b".to_owned(), true)], NOW).unwrap();
    assert!(!stopped(&mut draft, "s", "third"));
    assert_eq!(field(&draft, "work", "context_summary"), "\"on purpose\"");
    let turn = session_of(draft.as_object(), "s").unwrap().get("turn");
    assert_eq!(turn, None, "the turn is over all the same");
}

#[test]
fn the_last_message_after_the_last_task_is_of_the_phase_that_the_turn_completed() {
    use Status::{Complete, InProgress};
    let mut draft = shared();
    listed(&mut draft, "s", &[("a", InProgress)]);
    listed(&mut draft, "s", &[("a", Complete)]);
    assert!(stopped(&mut draft, "s", "all done"));
    assert_eq!(field(&draft, "a", "context_summary"), "\"all done\"");
    // A phase that was complete before the turn keeps what it has.
    listed(&mut draft, "s", &[("a", Complete), ("b", Status::Pending)]);
    assert!(!stopped(&mut draft, "s", "planned more"));
    assert_eq!(field(&draft, "a", "context_summary"), "\"all done\"");
}

#[test]
fn the_reports_of_subagents_stand_beside_the_summary_and_the_latest_stay() {
    let mut draft = shared();
    wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW).unwrap();
    for number in 0..15 {
        let message = format!("report {number}");
        assert_eq!(report(&mut draft, Some("Explore"), &message, NOW), Ok(true));
    }
    let reports = field(&draft, "work", "subagent_summaries");
    let reports = json::read(reports.as_bytes()).unwrap().value;
    let reports = reports.as_array().unwrap();
    assert_eq!(reports.len(), MAX_REPORTS);
    assert!(reports[0].to_line().contains("report 5"), "{reports:?}");
    assert_eq!(field(&draft, "work", "context_summary"), "");
    draft.check(&[]).unwrap();
}

/// A run in which the turn of `s` completed `b`, and `c` is in progress.
const TURN: &str = r#"{"command":"implement","version":1,"state":{"current_phase":"c",
    "completed_phases":["a","b"],"pending_phases":[]},"phases":{
    "a":{"status":"complete","files_modified":["of-a"]},
    "b":{"status":"complete","files_created":["of-b"]},
    "c":{"status":"in_progress","files_created":["of-c"]}},
    "agent_sessions":{"s":{"agent":"codex","seen_at":"2026-01-29T10:30:00.000Z","turn":{"completed":["b"]}}}}"#;

fn draft_of(text: &str) -> Draft {
    match json::read(text.as_bytes()).unwrap().value {
        Json::Object(object) => Draft::from(object),
        other => panic!("{other:?}"),
    }
}

#[test]
fn changed_files_join_the_phase_of_the_turn_and_are_its_work() {
    let joined = [("x".to_owned(), true), ("y".to_owned(), false)];
    let lists = |draft: &Draft, name: &str| {
        let of = |key| phase(draft.as_object(), name).and_then(|phase| phase.get(key));
        [CREATED, MODIFIED].map(|key| of(key).map_or_else(String::new, Json::to_line))
    };
    let mut draft = draft_of(TURN);
    assert!(add_changed(&mut draft, "s", &joined, NOW).unwrap());
    assert_eq!(lists(&draft, "c"), [r#"["of-c","x"]"#, r#"["y"]"#]);
    // Nothing is in progress any more: they belong to what the turn completed, and begin no phase.
    let over = TURN.replace("in_progress", "skipped");
    let mut draft = draft_of(&over.replace("\"c\",\n", "null,\n"));
    assert!(add_changed(&mut draft, "s", &joined, NOW).unwrap());
    assert_eq!(lists(&draft, "b"), [r#"["of-b","x"]"#, r#"["y"]"#]);
    assert!(phase(draft.as_object(), UNNAMED).is_none());
    // A turn that did nothing else, to files that are listed already.
    let mut draft = draft_of(&TURN.replace(r#","turn":{"completed":["b"]}"#, ""));
    let listed = [("of-c".to_owned(), true)];
    assert!(add_changed(&mut draft, "s", &listed, NOW).unwrap());
    assert_eq!(lists(&draft, "c"), [r#"["of-c"]"#, ""]);
    assert!(has_worked(draft.as_object(), "s"));
    assert!(!add_changed(&mut draft, "s", &[], NOW).unwrap());
}

#[test]
fn the_files_of_a_turn_are_those_of_the_phases_that_it_worked_on() {
    let run = draft_of(TURN);
    let named = named_in_turn(run.as_object(), "s");
    assert_eq!(named, BTreeSet::from(["of-b", "of-c"]));
    // Where no tool has begun the turn, a listed file was changed by no tool either.
    let run = draft_of(&TURN.replace(r#","turn":{"completed":["b"]}"#, ""));
    assert_eq!(named_in_turn(run.as_object(), "s"), BTreeSet::new());
}

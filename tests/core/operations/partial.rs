//! One bad part of a stored document does not stop the work on the others.

use milepost::error::Code;
use milepost::json::{self, Json, Object};

use super::{FILE, ask, code, phase, save, text, value, warnings, world};
use crate::memory::Memory;

const NOON: &str = "2026-01-29T12:00:00.000Z";

/// A checkpoint that a hand wrote: the summary of `a` has 501 words, and a file of `b` is no text.
fn broken() -> Memory {
    let world = world();
    let long = "word ".repeat(501);
    world.put(
        FILE,
        format!(
            r#"{{"command": "design", "version": 1, "started_at": "{NOON}", "updated_at": "{NOON}",
                "state": {{"current_phase": "b", "completed_phases": ["a"], "pending_phases": []}},
                "phases": {{
                    "a": {{"status": "complete", "context_summary": "{long}"}},
                    "b": {{"status": "in_progress", "files_created": ["x", 5]}}}}}}"#
        ),
    );
    world
}

fn message(reply: &Object) -> String {
    let error = reply.get("error").unwrap().as_object().unwrap();
    error.get("message").unwrap().as_str().unwrap().to_owned()
}

fn advice(reply: &Object) -> Option<&str> {
    let error = reply.get("error")?.as_object()?;
    error.get("advice")?.as_object()?.get("kind")?.as_str()
}

#[test]
fn an_over_long_summary_of_one_phase_refuses_no_change_of_another() {
    let world = broken();
    let reply = phase(&world, "c", r#"{"status":"pending"}"#);
    assert!(value(&reply).as_object().is_some());
    assert_eq!(warnings(&reply), ["invalid_document"]);
}

#[test]
fn a_short_summary_replaces_the_only_over_long_one() {
    let world = broken();
    phase(&world, "b", r#"{"files_created":["x"]}"#);
    let reply = phase(&world, "a", r#"{"context_summary":"short"}"#);
    assert!(warnings(&reply).is_empty(), "{reply:?}");
    assert!(warnings(&ask(&world, "load", &[])).is_empty());
}

#[test]
fn a_new_problem_is_refused_beside_one_that_was_stored() {
    let world = broken();
    let before = world.text(FILE);
    let refused = phase(&world, "c", r#"{"status":"done"}"#);
    assert_eq!(code(&refused), Code::InvalidDocument.as_str());
    let long = "word ".repeat(501);
    let refused = phase(&world, "b", &format!(r#"{{"context_summary":"{long}"}}"#));
    assert_eq!(code(&refused), Code::SummaryTooLong.as_str());
    assert_eq!(world.text(FILE), before);
}

#[test]
fn a_document_that_was_loaded_with_a_problem_is_saved_again_and_without_a_base_it_is_not() {
    let world = broken();
    let loaded = text(&ask(&world, "load", &[]));
    let changed = loaded.replacen('{', r#"{"own": 1,"#, 1);
    let reply = save(&world, &changed);
    assert!(warnings(&reply).contains(&"invalid_document"), "{reply:?}");
    assert!(world.text(FILE).contains(r#""own": 1"#));

    let Json::Object(mut alone) = json::read(changed.as_bytes()).unwrap().value else {
        panic!("a checkpoint is an object");
    };
    alone.remove("revision");
    alone.remove("seal");
    let refused = save(&world, &Json::Object(alone).to_line());
    assert_eq!(code(&refused), Code::SummaryTooLong.as_str());
}

#[test]
fn a_merge_takes_over_what_either_side_has_wrong_already() {
    let world = broken();
    let loaded = text(&ask(&world, "load", &[]));
    phase(&world, "c", r#"{"status":"in_progress"}"#);
    let reply = save(&world, &loaded.replacen('{', r#"{"own": 1,"#, 1));
    assert!(warnings(&reply).contains(&"invalid_document"), "{reply:?}");
    let file = world.text(FILE);
    assert!(
        file.contains(r#""own": 1"#) && file.contains(r#""c": {"#),
        "{file}"
    );
}

#[test]
fn writing_a_broken_part_is_refused_and_names_the_fix() {
    for (from, to) in [
        (r#""state": {"#, r#""state": [], "was": {"#),
        (r#""pending_phases": []"#, r#""pending_phases": "b""#),
        (r#""phases": {"#, r#""phases": 5, "were": {"#),
        (r#""a": {"#, r#""a": 5, "was": {"#),
    ] {
        let world = world();
        phase(&world, "a", r#"{"status":"complete"}"#);
        phase(&world, "b", r#"{"status":"in_progress"}"#);
        let good = world.text(FILE);
        world.put(FILE, good.replacen(from, to, 1));
        let refused = phase(&world, "a", r#"{"status":"pending"}"#);
        assert_eq!(code(&refused), Code::InvalidDocument.as_str(), "{to}");
        assert_eq!(advice(&refused), Some("restore"), "{to}");
        assert!(message(&refused).contains("can be changed"), "{to}");

        let reply = ask(&world, "undo", &[]);
        assert!(value(&reply).as_object().is_some(), "{to}");
        assert!(world.text(FILE).contains(r#""a": {"#), "{to}");
    }
}

#[test]
fn unchangeable_documents_are_recovered_like_corrupt_ones() {
    let world = world();
    phase(&world, "a", r#"{"status":"complete"}"#);
    phase(&world, "b", r#"{"status":"in_progress"}"#);
    let good = world.text(FILE);
    world.put(
        FILE,
        good.replacen(r#""state": {"#, r#""state": [], "was": {"#, 1),
    );
    let reply = ask(&world, "recover", &[]);
    let restored = value(&reply).as_object().unwrap().get("restored").unwrap();
    assert_eq!(restored.as_u64(), Some(2));
    let reply = ask(&world, "recover", &[]);
    assert_eq!(code(&reply), Code::NotFound.as_str());
}

#[test]
fn an_undo_and_a_recovery_pass_over_no_revision_for_what_it_had_wrong() {
    let world = broken();
    phase(&world, "c", r#"{"status":"pending"}"#);
    phase(&world, "d", r#"{"status":"pending"}"#);
    let reply = ask(&world, "undo", &[]);
    assert_eq!(warnings(&reply), ["invalid_document"]);
    let file = world.text(FILE);
    assert!(
        file.contains(r#""c": {"#) && !file.contains(r#""d": {"#),
        "{file}"
    );

    world.put(FILE, "{ torn");
    let reply = ask(&world, "recover", &[]);
    assert_eq!(warnings(&reply), ["invalid_document"]);
    assert!(world.text(FILE).contains(r#""c": {"#));
}

#[test]
fn an_over_long_summary_is_handed_out_within_the_budget_with_a_word_on_it() {
    let world = broken();
    let reply = ask(&world, "resume_point", &[]);
    let summary = value(&reply).as_object().unwrap().get("summary").unwrap();
    assert_eq!(summary.as_str().unwrap().split(' ').count(), 500);
    assert!(warnings(&reply).contains(&"summary_too_long"), "{reply:?}");
}

#[test]
fn a_vanished_run_is_not_taken_for_one_that_never_was() {
    let world = world();
    phase(&world, "a", r#"{"status":"complete"}"#);
    phase(&world, "b", r#"{"status":"in_progress"}"#);
    world.delete(FILE);
    let reply = ask(&world, "resume_point", &[]);
    assert_eq!(warnings(&reply), ["vanished"]);
    let said = Json::from(reply).to_line();
    assert!(said.contains(r#""advice":{"kind":"recover""#), "{said}");

    let reply = phase(&world, "c", r#"{"status":"in_progress"}"#);
    assert_eq!(warnings(&reply), ["vanished"]);
    assert_eq!(warnings(&phase(&world, "c", "{}")), Vec::<&str>::new());
}

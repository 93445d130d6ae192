use super::super::definition::STATUSES;
use super::{Status, Update};
use crate::checkpoint::command::completion::{OpenPhases, complete};
use crate::checkpoint::command::document::{Draft, RunDocument};
use crate::error::{Error, ErrorKind};
use crate::json::{self, Json, Object};

#[path = "phases_parts_tests.rs"]
mod parts;

const THEN: &str = "2026-01-29T10:00:00.000Z";
const NOW: &str = "2026-01-29T12:00:00.000Z";

fn object(text: &str) -> Object {
    let value = json::read(text.as_bytes()).unwrap().value;
    value.as_object().unwrap().clone()
}

fn checkpoint() -> RunDocument {
    RunDocument::new("design", None, THEN)
}

fn update(
    checkpoint: &mut RunDocument,
    phase: &str,
    patch: &Object,
    now: &str,
) -> Result<(), Error> {
    let mut draft = Draft::from(checkpoint.clone());
    Update::new(phase, patch, None)?.apply(&mut draft, now)?;
    *checkpoint = draft.check(&[])?;
    Ok(())
}

fn completed(checkpoint: &mut RunDocument, now: &str) -> bool {
    let mut draft = Draft::from(checkpoint.clone());
    let has_changed = complete(&mut draft, now, OpenPhases::Keep).unwrap();
    *checkpoint = draft.check(&[]).unwrap();
    has_changed
}

fn updated(checkpoint: &RunDocument, phase: &str, patch: &str) -> RunDocument {
    let mut updated = checkpoint.clone();
    update(&mut updated, phase, &object(patch), NOW).unwrap();
    updated
}

/// The value at a path of keys, as one line of JSON; empty when it is absent.
fn at(checkpoint: &RunDocument, path: &[&str]) -> String {
    let mut value = &Json::Object(checkpoint.as_object().clone());
    for key in path {
        match value.as_object().and_then(|object| object.get(key)) {
            Some(inner) => value = inner,
            None => return String::new(),
        }
    }
    value.to_line()
}

/// The three fields of the state that the table governs.
fn state(checkpoint: &RunDocument) -> [String; 3] {
    ["current_phase", "completed_phases", "pending_phases"]
        .map(|field| at(checkpoint, &["state", field]))
}

#[test]
fn the_statuses_are_those_of_the_schema() {
    assert_eq!(Status::ALL.map(Status::as_str), STATUSES);
    for status in Status::ALL {
        assert_eq!(Status::parse(status.as_str()), Some(status));
    }
    for other in ["", "Complete", "in progress", "done"] {
        assert_eq!(Status::parse(other), None, "{other:?}");
    }
}

/// The effect of each status on each state that a phase can be in: `x` is the phase, `o` another.
#[test]
fn every_status_does_to_every_state_what_the_table_says() {
    for current in ["null", r#""x""#, r#""o""#] {
        for in_completed in [false, true] {
            for in_pending in [false, true] {
                for earlier in Status::ALL {
                    for status in Status::ALL {
                        check_row(current, in_completed, in_pending, earlier, status);
                    }
                }
            }
        }
    }
}

fn check_row(current: &str, completed: bool, pending: bool, earlier: Status, status: Status) {
    let list = |listed: bool| {
        if listed {
            r#"["o1","x","o2"]"#
        } else {
            r#"["o1","o2"]"#
        }
    };
    let mut document = checkpoint().into_object();
    document.set(
        "state",
        object(&format!(
            r#"{{"current_phase":{current},"completed_phases":{},"pending_phases":{}}}"#,
            list(completed),
            list(pending)
        )),
    );
    document.set(
        "phases",
        object(&format!(r#"{{"x":{{"status":"{}"}}}}"#, earlier.as_str())),
    );
    let before = Draft::from(document).check(&[]).unwrap();
    let after = updated(
        &before,
        "x",
        &format!(r#"{{"status":"{}"}}"#, status.as_str()),
    );

    let removed = list(false);
    let appended = |listed: bool| match listed {
        true => list(true),
        false => r#"["o1","o2","x"]"#,
    };
    let left = if current == r#""x""# { "null" } else { current };
    // DESIGN's table, written out a second time on purpose.
    let expected = match status {
        Status::Pending => [left, removed, appended(pending)],
        Status::InProgress => [r#""x""#, removed, removed],
        Status::Complete => [left, appended(completed), removed],
        Status::Failed => [current, removed, removed],
        Status::Skipped => [left, removed, removed],
    };
    assert_eq!(
        state(&after),
        expected,
        "{earlier:?} to {status:?} from {:?}",
        state(&before)
    );
    assert_eq!(
        at(&after, &["phases", "x", "status"]),
        format!(r#""{}""#, status.as_str())
    );
}

#[test]
fn fields_of_the_patch_replace_and_null_removes_and_others_stay() {
    let before = updated(
        &checkpoint(),
        "a",
        r#"{"status": "in_progress", "context_summary": "old", "files_created": ["x"],
            "unknown": {"n": 1e400}, "gone": 1, "nothing": 2}"#,
    );
    let after = updated(
        &before,
        "a",
        r#"{"gone": null, "context_summary": "new", "never": null, "__proto__": {"a": 1}, "10": 1.0}"#,
    );
    assert_eq!(
        at(&after, &["phases", "a"]),
        format!(
            concat!(
                r#"{{"status":"in_progress","context_summary":"new","files_created":["x"],"#,
                r#""unknown":{{"n":1e400}},"nothing":2,"started_at":"{now}","updated_at":"{now}","#,
                r#""__proto__":{{"a":1}},"10":1.0}}"#
            ),
            now = NOW
        )
    );
}

#[test]
fn a_new_phase_without_a_status_is_pending() {
    for patch in ["{}", r#"{"status": null}"#, r#"{"context_summary": "s"}"#] {
        let after = updated(&checkpoint(), "a", patch);
        assert_eq!(
            at(&after, &["phases", "a", "status"]),
            r#""pending""#,
            "{patch}"
        );
        assert_eq!(state(&after), ["null", "[]", r#"["a"]"#], "{patch}");
    }
}

#[test]
fn a_patch_without_a_status_leaves_the_state_alone() {
    let first = updated(&checkpoint(), "a", r#"{"status": "in_progress"}"#);
    let second = updated(&first, "b", r#"{"status": "in_progress"}"#);
    let after = updated(&second, "a", r#"{"context_summary": "still at it"}"#);
    assert_eq!(state(&after), state(&second));
}

#[test]
fn started_at_is_set_once_and_updated_at_always() {
    let mut checkpoint = checkpoint();
    update(
        &mut checkpoint,
        "a",
        &object(r#"{"updated_at": null}"#),
        THEN,
    )
    .unwrap();
    let after = updated(
        &checkpoint,
        "a",
        r#"{"status": "failed", "updated_at": "ignored"}"#,
    );
    let then = format!("{THEN:?}");
    let now = format!("{NOW:?}");
    assert_eq!(at(&after, &["phases", "a", "started_at"]), then);
    assert_eq!(at(&after, &["phases", "a", "updated_at"]), now);
    assert_eq!(at(&after, &["started_at"]), then);
    assert_eq!(at(&after, &["updated_at"]), now);
}

#[test]
fn leaving_failed_removes_the_error_unless_the_patch_gives_one() {
    let failed = updated(&checkpoint(), "a", r#"{"status": "failed", "error": "e"}"#);
    for status in Status::ALL {
        let name = status.as_str();
        let kept = if status == Status::Failed {
            r#""e""#
        } else {
            ""
        };
        let after = updated(&failed, "a", &format!(r#"{{"status": "{name}"}}"#));
        assert_eq!(at(&after, &["phases", "a", "error"]), kept, "{name}");

        let after = updated(
            &failed,
            "a",
            &format!(r#"{{"status": "{name}", "error": "f"}}"#),
        );
        assert_eq!(at(&after, &["phases", "a", "error"]), r#""f""#, "{name}");
    }
    let after = updated(&failed, "a", r#"{"context_summary": "why it failed"}"#);
    assert_eq!(at(&after, &["phases", "a", "error"]), r#""e""#);
    let after = updated(&failed, "a", r#"{"error": null}"#);
    assert_eq!(at(&after, &["phases", "a", "error"]), "");
}

#[test]
fn the_current_task_belongs_to_the_state() {
    let after = updated(&checkpoint(), "a", r#"{"current_task": "T002"}"#);
    assert_eq!(at(&after, &["state", "current_task"]), r#""T002""#);
    assert_eq!(at(&after, &["phases", "a", "current_task"]), "");
    let after = updated(&after, "a", r#"{"status": "complete"}"#);
    assert_eq!(at(&after, &["state", "current_task"]), r#""T002""#);
    let after = updated(&after, "a", r#"{"current_task": null}"#);
    assert_eq!(at(&after, &["state", "current_task"]), "");
}

#[test]
fn an_update_opens_a_complete_checkpoint_again() {
    let mut done = updated(&checkpoint(), "a", r#"{"status": "complete"}"#);
    assert!(completed(&mut done, NOW));
    let after = updated(&done, "b", r#"{"status": "in_progress"}"#);
    assert_eq!(at(&after, &["completed_at"]), "");
    assert_eq!(state(&after), [r#""b""#, r#"["a"]"#, "[]"]);
}

#[test]
fn completing_clears_the_lists_of_open_phases_and_completing_again_changes_nothing() {
    let mut checkpoint = updated(&checkpoint(), "a", r#"{"status": "complete"}"#);
    checkpoint = updated(&checkpoint, "b", r#"{"status": "in_progress"}"#);
    checkpoint = updated(&checkpoint, "c", "{}");
    assert!(completed(&mut checkpoint, NOW));
    assert_eq!(state(&checkpoint), ["null", r#"["a"]"#, "[]"]);
    assert_eq!(at(&checkpoint, &["completed_at"]), format!("{NOW:?}"));
    assert_eq!(at(&checkpoint, &["updated_at"]), format!("{NOW:?}"));
    let once = checkpoint.clone();
    assert!(!completed(&mut checkpoint, "2027-01-01T00:00:00.000Z"));
    assert_eq!(checkpoint, once);
}

#[test]
fn a_name_that_no_phase_can_have_is_refused() {
    let long = "é".repeat(101);
    for name in ["", &long, "a\nb", "\u{7f}", "\u{85}", "\0"] {
        let mut after = checkpoint();
        let refused = update(&mut after, name, &Object::new(), NOW).map_err(Error::into_kind);
        assert!(
            matches!(refused, Err(ErrorKind::InvalidName(_))),
            "{name:?}: {refused:?}"
        );
        assert_eq!(after, checkpoint());
    }
}

#[test]
fn odd_names_are_ordinary_names() {
    let longest = "é".repeat(100);
    let names = [
        "__proto__",
        "constructor",
        "10",
        "9",
        " ",
        "a/b~c",
        "..",
        &longest,
    ];
    let mut checkpoint = checkpoint();
    for name in names {
        checkpoint = updated(&checkpoint, name, r#"{"status": "complete"}"#);
    }
    let phases = checkpoint.as_object().get("phases").unwrap();
    let stored: Vec<_> = phases
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(stored, names);
}

#[test]
fn a_patch_that_breaks_the_schema_is_refused_and_changes_nothing() {
    let before = updated(
        &checkpoint(),
        "a/b",
        r#"{"status": "failed", "error": "e"}"#,
    );
    for (patch, expected) in [
        (r#"{"status": "done"}"#, "/phases/a~1b/status"),
        (r#"{"status": 5}"#, "/phases/a~1b/status"),
        (r#"{"status": null}"#, "/phases/a~1b/status"),
        (
            r#"{"files_created": ["x", 5]}"#,
            "/phases/a~1b/files_created/1",
        ),
        (r#"{"started_at": "yesterday"}"#, "/phases/a~1b/started_at"),
        (r#"{"current_task": 5}"#, "/state/current_task"),
    ] {
        let mut after = before.clone();
        match update(&mut after, "a/b", &object(patch), NOW).map_err(Error::into_kind) {
            Err(ErrorKind::InvalidDocument(problems)) => {
                let found: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
                assert_eq!(found, [expected], "{patch}");
            }
            other => panic!("{patch}: {other:?}"),
        }
        assert_eq!(after, before);
    }
}

#[test]
fn problems_of_a_patch_are_found_without_a_document() {
    let long = "word ".repeat(501);
    for (patch, expected) in [
        (r#"{"status": null, "current_task": null}"#.to_owned(), None),
        (r#"{"updated_at": "ignored"}"#.to_owned(), None),
        (
            r#"{"status": "done"}"#.to_owned(),
            Some("/phases/a~1b/status"),
        ),
        (
            r#"{"current_task": 5}"#.to_owned(),
            Some("/state/current_task"),
        ),
        (
            r#"{"started_at": "yesterday"}"#.to_owned(),
            Some("/phases/a~1b/started_at"),
        ),
        (
            format!(r#"{{"context_summary": "{long}"}}"#),
            Some("/phases/a~1b/context_summary"),
        ),
    ] {
        let patch = object(&patch);
        let refused = Update::new("a/b", &patch, None).map_err(Error::into_kind);
        let place = match refused {
            Ok(_) => None,
            Err(ErrorKind::InvalidDocument(problems)) => {
                assert_eq!(problems.len(), 1);
                Some(problems[0].at.as_str().to_owned())
            }
            Err(ErrorKind::SummaryTooLong { at, .. }) => Some(at),
            Err(other) => panic!("{other:?}"),
        };
        assert_eq!(place.as_deref(), expected);
    }
}

#[test]
fn a_document_is_checked_once_when_all_rules_are_done_with_it() {
    let mut document = checkpoint().into_object();
    document.set("phases", object(r#"{"a": {"status": "never"}}"#));
    let broken = Draft::from(document);
    assert!(broken.clone().check(&[]).is_err());

    // A member that the rules are not about stays wrong; one that they replace is not looked at
    // before.
    let patch = object(r#"{"status": "complete"}"#);
    let mut repaired = broken.clone();
    Update::new("a", &patch, None)
        .unwrap()
        .apply(&mut repaired, NOW)
        .unwrap();
    assert!(repaired.check(&[]).is_ok());
    let mut other = broken;
    Update::new("b", &patch, None)
        .unwrap()
        .apply(&mut other, NOW)
        .unwrap();
    assert!(complete(&mut other, NOW, OpenPhases::Keep).unwrap());
    let Err(ErrorKind::InvalidDocument(problems)) = other.check(&[]).map_err(Error::into_kind)
    else {
        panic!("a phase is never");
    };
    let places: Vec<_> = problems.iter().map(|problem| problem.at.as_str()).collect();
    assert_eq!(places, ["/phases/a/status"]);
}

#[test]
fn a_long_summary_is_refused_and_changes_nothing() {
    let mut after = checkpoint();
    let patch = object(&format!(
        r#"{{"context_summary": "{}"}}"#,
        "word ".repeat(501)
    ));
    assert_eq!(
        update(&mut after, "a", &patch, NOW),
        Err(Error::summary_too_long(
            "/phases/a/context_summary".to_owned(),
            "Context summary exceeds 500 token limit (actual: 501 tokens)".to_owned(),
        ))
    );
    assert_eq!(after, checkpoint());
}

#[test]
fn everything_that_is_unknown_survives_an_update() {
    let mut document = checkpoint().into_object();
    document.set("10", Json::Number("1e400".into()));
    document.set("__proto__", object(r#"{"z": 1.0, "a": -0}"#));
    let before = Draft::from(document).check(&[]).unwrap();
    let after = updated(&before, "a", "{}");
    assert_eq!(at(&after, &["10"]), "1e400");
    assert_eq!(at(&after, &["__proto__"]), r#"{"z":1.0,"a":-0}"#);
}

#[test]
fn a_wide_patch_is_applied_in_the_time_of_sorting_its_keys() {
    // Searching each key from the start would take minutes.
    let patch: Object = (0..200_000)
        .map(|at| (at.to_string(), Json::Bool(true)))
        .collect();
    let mut checkpoint = checkpoint();
    update(&mut checkpoint, "a", &patch, NOW).unwrap();
    update(&mut checkpoint, "a", &patch, NOW).unwrap();
    let phase = checkpoint
        .as_object()
        .get("phases")
        .unwrap()
        .as_object()
        .unwrap();
    assert_eq!(phase.get("a").unwrap().as_object().unwrap().len(), 200_003);
}

#[test]
fn only_lists_of_files_can_be_added_to() {
    let patch = Object::new();
    for items in [
        r#"{"status": ["x"]}"#,
        r#"{"files_created": "x"}"#,
        r#"{"files_modified": [1]}"#,
    ] {
        let items = object(items);
        let update = Update::new("a", &patch, None).unwrap();
        let refused = update.adding(Some(&items)).map_err(Error::into_kind);
        assert!(matches!(refused, Err(ErrorKind::InvalidDocument(_))));
    }
}

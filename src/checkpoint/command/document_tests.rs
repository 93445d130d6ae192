use super::super::definition::{COMMANDS, VERSION};
use super::{Draft, RunDocument, fill, is_changeable, problems};
use crate::error::{Error, ErrorKind};
use crate::json::{self, Json, Object};

const NOW: &str = "2026-01-29T12:00:00.000Z";

fn read(text: &str) -> Json {
    json::read(text.as_bytes()).unwrap().value
}

fn object(text: &str) -> Object {
    read(text).as_object().unwrap().clone()
}

/// A checkpoint with these members besides the required ones.
fn with(members: &str) -> Json {
    read(&format!(
        r#"{{"command": "design", "version": 1,
            "started_at": "{NOW}", "updated_at": "{NOW}",
            "state": {{"current_phase": null, "completed_phases": [], "pending_phases": []}},
            "phases": {{}}{members}}}"#
    ))
}

fn check(json: Json) -> Result<RunDocument, Error> {
    Draft::from(json.as_object().unwrap().clone()).check(&[])
}

/// The errors of a document as `pointer code` lines.
fn refused(json: Json) -> Vec<String> {
    match check(json).map_err(Error::into_kind) {
        Err(ErrorKind::InvalidDocument(problems)) => problems
            .iter()
            .map(|problem| format!("{} {}", problem.at, problem.code.as_str()))
            .collect(),
        other => panic!("expected problems, found {other:?}"),
    }
}

#[test]
fn a_command_that_the_project_adds_is_no_problem_and_another_one_is() {
    let document = with("").to_line().replace("design", "build");
    let document = read(&document);
    assert_eq!(problems(&document, &[]).len(), 1);
    assert_eq!(problems(&document, &["test"]).len(), 1);
    assert_eq!(problems(&document, &["test", "build"]), []);
    let draft = || Draft::from(document.as_object().unwrap().clone());
    assert!(draft().check(&["build"]).is_ok());
    assert!(draft().check(&[]).is_err());
}

#[test]
fn a_new_checkpoint_satisfies_the_schema() {
    for command in COMMANDS {
        for feature in [None, Some("f")] {
            let new = RunDocument::new(command, feature, NOW);
            let json = Json::Object(new.clone().into_object());
            assert_eq!(problems(&json, &[]), []);
            assert_eq!(check(json), Ok(new));
        }
    }
}

#[test]
fn a_document_of_the_seeds_becomes_a_checkpoint() {
    let mut saved = object(
        r#"{"command": "design", "feature": "test-feature", "version": 1,
            "state": {"current_phase": null, "completed_phases": [], "pending_phases": []},
            "phases": {}}"#,
    );
    fill(&mut saved, "design", Some("test-feature"), NOW).unwrap();
    let checkpoint = check(saved.into()).unwrap();
    assert_eq!(
        checkpoint.into_object(),
        RunDocument::new("design", Some("test-feature"), NOW).into_object()
    );
}

#[test]
fn an_empty_document_is_filled_in() {
    for (text, feature) in [
        ("{}", None),
        (r#"{"feature": null, "state": {}}"#, None),
        (r#"{"feature": null}"#, Some("f")),
    ] {
        let mut filled = object(text);
        fill(&mut filled, "ship", feature, NOW).unwrap();
        let checkpoint = check(filled.into()).unwrap();
        assert_eq!(
            checkpoint.into_object(),
            RunDocument::new("ship", feature, NOW).into_object(),
            "{text}"
        );
    }
}

#[test]
fn filling_in_keeps_what_is_there_but_updated_at() {
    let old = "2020-01-01T00:00:00Z";
    let mut filled = object(&format!(
        r#"{{"x": 1e400, "started_at": "{old}", "updated_at": "{old}", "state": {{"y": 1}},
            "phases": 5}}"#
    ));
    fill(&mut filled, "ship", None, NOW).unwrap();
    assert_eq!(
        Json::Object(filled).to_line(),
        format!(
            concat!(
                r#"{{"x":1e400,"started_at":"{old}","updated_at":"{now}","#,
                r#""state":{{"y":1,"current_phase":null,"completed_phases":[],"#,
                r#""pending_phases":[]}},"phases":5,"command":"ship","feature":null,"version":1}}"#
            ),
            old = old,
            now = NOW
        )
    );
}

#[test]
fn a_document_of_another_command_or_feature_is_refused_unchanged() {
    for (text, feature, expected) in [
        (r#"{"command": "design"}"#, None, vec!["/command"]),
        (r#"{"feature": "a"}"#, None, vec!["/feature"]),
        (r#"{"feature": "a"}"#, Some("A"), vec!["/feature"]),
        (
            r#"{"command": "x", "feature": ""}"#,
            Some("a"),
            vec!["/command", "/feature"],
        ),
    ] {
        let mut document = object(text);
        let Err(ErrorKind::InvalidDocument(problems)) =
            fill(&mut document, "ship", feature, NOW).map_err(Error::into_kind)
        else {
            panic!("{text} was accepted");
        };
        let found: Vec<_> = problems
            .iter()
            .map(|problem| {
                assert_eq!(problem.code.as_str(), "contradiction");
                problem.at.as_str()
            })
            .collect();
        assert_eq!(found, expected);
        assert_eq!(document, object(text));
    }
}

#[test]
fn a_wrong_kind_of_feature_is_left_to_the_schema() {
    let mut document = object(r#"{"feature": 5, "command": []}"#);
    fill(&mut document, "ship", Some("a"), NOW).unwrap();
    assert_eq!(refused(document.into()), ["/command type", "/feature type"]);
}

#[test]
fn every_problem_is_reported() {
    assert_eq!(
        refused(read(
            r#"{"command": "deploy", "version": 0, "started_at": "yesterday", "updated_at": 5,
                "state": {"current_phase": 1, "completed_phases": [2], "pending_phases": null},
                "phases": {"a/b": {"status": "done"}, "": {"status": "pending"}},
                "gate": {"ship_allowed": "yes", "blockers": []}}"#
        )),
        [
            "/command enum",
            "/version enum",
            "/started_at time",
            "/updated_at type",
            "/state/current_phase type",
            "/state/completed_phases/0 type",
            "/state/pending_phases type",
            "/phases/a~1b/status enum",
            "/phases/ name",
            "/gate/ship_allowed type",
        ]
    );
    for text in ["null", "[]", "5", r#""design""#] {
        let problems = problems(&read(text), &[]);
        assert_eq!(problems[0].code.as_str(), "type");
    }
}

#[test]
fn the_first_long_summary_is_named_before_other_problems() {
    let long = "word ".repeat(501);
    let text = format!(
        r#"{{"command": "deploy", "phases": {{
            "a": {{"context_summary": "fine"}},
            "b": {{"context_summary": "{long}"}},
            "c": {{"context_summary": "{long} more"}}}}}}"#
    );
    assert_eq!(
        check(read(&text)),
        Err(Error::summary_too_long(
            "/phases/b/context_summary".to_owned(),
            "Context summary exceeds 500 token limit (actual: 501 tokens)".to_owned(),
        ))
    );
}

#[test]
fn the_summary_of_the_state_and_its_bytes_are_limited_too() {
    let mut json = with("");
    let state = json.as_object_mut().unwrap().get_mut("state").unwrap();
    let state = state.as_object_mut().unwrap();
    state.set("context_summary", "x".repeat(64 * 1024 + 1));
    let refused = check(json).map_err(Error::into_kind);
    let Err(ErrorKind::SummaryTooLong { at, message }) = refused else {
        panic!("a summary of 64 KiB and a byte was accepted");
    };
    assert_eq!(at, "/state/context_summary");
    assert!(message.contains("64 KiB"), "{message}");
}

#[test]
fn one_bad_part_that_was_stored_does_not_stop_the_work() {
    let long = "word ".repeat(501);
    let stored = format!(
        r#", "head_commit": 5, "own": 1, "phases": {{
            "a": {{"status": "complete", "context_summary": "{long}"}},
            "b": {{"status": "never", "files_created": ["x", 1, 2]}}}}"#
    );
    let stored = object(&with(&stored).to_line().replacen(r#""phases":{},"#, "", 1));
    let mut next = stored.clone();
    next.set("own", 2);
    let left = |next: &Object| {
        let checked = Draft::from(next.clone()).check_since(&[], &[&stored]);
        checked.map(|(_, left)| left.len())
    };
    assert_eq!(left(&next), Ok(5));
    assert!(Draft::from(next.clone()).check(&[]).is_err());

    // Items of a list are known wherever they move to.
    let phase = |text: &str| {
        let mut next = next.clone();
        let phases = next.get_mut("phases").and_then(Json::as_object_mut);
        phases.unwrap().set("b", object(text));
        next
    };
    let moved = r#"{"status": "never", "files_created": ["x", "y", "z", 2]}"#;
    assert_eq!(left(&phase(moved)), Ok(4));
    // A new value is refused by itself.
    for (text, place) in [
        (
            r#"{"status": "never", "files_created": ["x", 3]}"#,
            "/phases/b/files_created/1",
        ),
        (
            r#"{"status": "never", "files_created": 5}"#,
            "/phases/b/files_created",
        ),
        (r#"{"files_created": [1]}"#, "/phases/b/status"),
        (r#"{"status": "never", "error": 1}"#, "/phases/b/error"),
    ] {
        let Err(ErrorKind::InvalidDocument(problems)) =
            left(&phase(text)).map_err(Error::into_kind)
        else {
            panic!("{text} was accepted");
        };
        let places: Vec<_> = problems.iter().map(|it| it.at.as_str()).collect();
        assert_eq!(places, [place]);
    }
    let too_long = format!(r#"{{"status": "never", "context_summary": "{long}"}}"#);
    let refused = left(&phase(&too_long)).unwrap_err();
    assert_eq!(refused.code(), crate::error::Code::SummaryTooLong);
    assert!(refused.to_string().ends_with("/phases/b/context_summary"));
}

#[test]
fn a_version_that_was_stored_is_no_excuse() {
    let stored = object(
        &with("")
            .to_line()
            .replace(r#""version":1"#, r#""version":0"#),
    );
    let refused = Draft::from(stored.clone()).check_since(&[], &[&stored]);
    assert_eq!(
        refused.unwrap_err().code(),
        crate::error::Code::InvalidDocument
    );
}

#[test]
fn a_document_is_changeable_unless_its_state_lists_or_phases_are_of_another_kind() {
    for (members, expected) in [
        ("", true),
        (r#", "state": [], "phases": {}"#, false),
        (r#", "state": {"pending_phases": "a"}"#, false),
        (r#", "phases": null"#, false),
        (r#", "phases": {"a": 5}"#, true),
    ] {
        let document = object(&with(members).to_line());
        assert_eq!(is_changeable(&document), expected, "{members}");
    }
    assert!(is_changeable(&Object::new()));
}

#[test]
fn a_higher_version_is_never_writable() {
    for version in ["2", "2.0", "1e3", "18446744073709551615"] {
        let text = with("").to_line().replace(
            &format!(r#""version":{VERSION}"#),
            &format!(r#""version":{version}"#),
        );
        let refused = check(read(&text)).map_err(Error::into_kind);
        assert!(
            matches!(refused, Err(ErrorKind::UnsupportedVersion { .. })),
            "{version}: {refused:?}"
        );
    }
    // Anything else that version brings is not judged by this one.
    let refused = check(read(r#"{"version": 2, "phases": []}"#));
    let refused = refused.map_err(Error::into_kind);
    assert!(matches!(refused, Err(ErrorKind::UnsupportedVersion { .. })));
}

#[test]
fn a_checkpoint_is_written_in_the_order_of_the_schema_with_the_unknown_after_it() {
    let text = format!(
        r#"{{"seal": "s", "10": 1.0, "revision": 3, "__proto__": {{"b": 1e400, "a": -0}}, "9": 2,
            "phases": {{"__proto__": {{"zz": 1, "status": "pending"}}, "7": {{"status": "failed"}}}},
            "state": {{"z": 1, "pending_phases": [], "completed_phases": [], "current_phase": null}},
            "updated_at": "{NOW}", "started_at": "{NOW}", "version": 1, "command": "design"}}"#
    );
    let checkpoint = check(read(&text)).unwrap();
    assert_eq!(
        Json::Object(checkpoint.into_object()).to_line(),
        format!(
            concat!(
                r#"{{"command":"design","version":1,"started_at":"{now}","updated_at":"{now}","#,
                r#""state":{{"current_phase":null,"completed_phases":[],"pending_phases":[],"z":1}},"#,
                r#""phases":{{"__proto__":{{"status":"pending","zz":1}},"7":{{"status":"failed"}}}},"#,
                r#""10":1.0,"__proto__":{{"b":1e400,"a":-0}},"9":2,"revision":3,"seal":"s"}}"#
            ),
            now = NOW
        )
    );
}

#[test]
fn documents_of_earlier_writers_are_accepted() {
    for members in [
        "",
        r#", "feature": null, "head_commit": null"#,
        r#", "feature": "x", "head_commit": "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d""#,
        r#", "completed_at": "2026-01-29T12:00:00+01:00", "unknown": [[1]]"#,
        r#", "gate": {"ship_allowed": false, "blockers": ["tests"], "by": "ci"}"#,
    ] {
        let json = with(members);
        assert_eq!(
            check(json.clone()).map(|checkpoint| checkpoint.0),
            Ok(json.as_object().unwrap().clone())
        );
    }
}

#[test]
fn a_document_that_could_not_be_read_again_is_refused() {
    let nested = |depth| {
        let mut json = Json::Array(Vec::new());
        for _ in 1..depth {
            json = Json::Array(vec![json]);
        }
        let mut document = with("");
        document.as_object_mut().unwrap().set("x", json);
        document
    };
    let deepest = check(nested(63)).unwrap();
    let text = deepest.into_object().to_document();
    assert!(json::read(text.as_bytes()).is_ok());
    assert_eq!(refused(nested(64)), [" range"]);
}

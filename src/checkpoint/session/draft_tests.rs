use super::super::document;
use super::super::id::SnapshotId;
use super::super::reason::SnapshotReason;
use super::super::yaml;
use super::{Completed, RunContext, SnapshotRequest, draft};
use crate::json::{Json, Object};
use crate::tokens::MAX_SUMMARY_TOKENS;

fn work() -> RunContext<'static> {
    RunContext {
        command: "implement",
        feature: Some("dark-mode"),
        revision: 12,
        completed: vec![
            Completed {
                name: "ThemeProvider",
                evidence: Some("3/3 passed"),
            },
            Completed {
                name: "useTheme hook",
                evidence: None,
            },
        ],
        remaining: vec!["Toggle component", "Tests"],
        is_under_way: true,
        skipped: 1,
        summary: Some("Both hooks work."),
        created: vec!["b.ts", "a.ts", "b.ts"],
        modified: vec!["a.ts"],
    }
}

fn made(work: Option<&RunContext<'_>>, given: &str) -> Object {
    let request = SnapshotRequest {
        reason: SnapshotReason::Handoff,
        message: Some("80% tokens"),
        work,
        given: yaml::read(given.as_bytes()).unwrap(),
        summary_words: MAX_SUMMARY_TOKENS,
    };
    let draft = draft(request);
    assert!(draft.left_out.is_nothing());
    draft.document
}

fn line(document: &Object, pointer: &str) -> Option<String> {
    let document = Json::from(document.clone());
    document.at(pointer).map(Json::to_line)
}

#[track_caller]
fn expect(document: &Object, expected: &[(&str, &str)]) {
    for (pointer, expected) in expected {
        assert_eq!(
            line(document, pointer).as_deref(),
            Some(*expected),
            "{pointer}"
        );
    }
}

/// Returns the problem that is found once it is written.
fn refused(document: &Object) -> Option<String> {
    let id: SnapshotId = "chk-20250126-103000".parse().unwrap();
    let written = document::write(document.clone(), id, 1_737_887_400_000.0);
    written.err().map(|error| error.to_string())
}

#[test]
fn a_checkpoint_has_the_facts_of_the_command() {
    let document = made(Some(&work()), "{}");
    assert_eq!(refused(&document), None);
    assert_eq!(
        yaml::write(&document),
        "reason: \"handoff\"
message: \"80% tokens\"
task:
  id: \"implement-dark-mode\"
progress:
  completed:
    - phase: 1
      name: \"ThemeProvider\"
      evidence: \"3/3 passed\"
    - phase: 2
      name: \"useTheme hook\"
  remaining:
    - \"Toggle component\"
    - \"Tests\"
  current_phase: 3
  total_phases: 5
decisions: []
files:
  created:
    - \"b.ts\"
    - \"a.ts\"
  modified:
    - \"a.ts\"
context_summary: |
  Next: Toggle component
  Known:
  Both hooks work.
  Files:
  - b.ts
  - a.ts
resume:
  can_resume: true
  instructions: \"Continue with phase 3: Toggle component\"
checkpoint:
  command: \"implement\"
  feature: \"dark-mode\"
  revision: 12
"
    );
}

#[test]
fn a_finished_run_is_not_to_be_resumed() {
    let finished = RunContext {
        remaining: Vec::new(),
        is_under_way: false,
        feature: None,
        ..work()
    };
    let document = made(Some(&finished), "{}");
    expect(
        &document,
        &[
            ("/task/id", r#""implement""#),
            ("/progress/current_phase", "2"),
            ("/progress/total_phases", "3"),
            (
                "/resume",
                r#"{"can_resume":false,"instructions":"Nothing is left to do."}"#,
            ),
            ("/checkpoint/feature", "null"),
        ],
    );
    let begun = RunContext {
        is_under_way: false,
        ..work()
    };
    let document = made(Some(&begun), "{}");
    expect(
        &document,
        &[
            ("/progress/current_phase", "2"),
            ("/resume/can_resume", "true"),
        ],
    );
}

#[test]
fn fields_that_the_maker_gave_stay() {
    let document = made(
        Some(&work()),
        "id: mine\nreason: error\nmessage: other\ntask: {id: task-001, input: do, mode: DIRECT}\n\
         context_summary: mine\ntokens_used: 7\nfiles: {modified: [x]}\ncustom: kept\n\
         resume: {instructions: call me, can_resume: false}\ncheckpoint: {command: ship}\n",
    );
    expect(
        &document,
        &[
            ("/reason", r#""handoff""#),
            ("/message", r#""80% tokens""#),
            ("/task", r#"{"id":"task-001","input":"do","mode":"DIRECT"}"#),
            ("/context_summary", r#""mine""#),
            ("/files", r#"{"modified":["x"],"created":["b.ts","a.ts"]}"#),
            (
                "/resume",
                r#"{"instructions":"call me","can_resume":false}"#,
            ),
            ("/custom", r#""kept""#),
            ("/tokens_used", "7"),
            (
                "/checkpoint",
                r#"{"command":"implement","feature":"dark-mode","revision":12}"#,
            ),
        ],
    );
    assert_eq!(refused(&document), None);
}

#[test]
fn the_phases_of_an_orchestrator_stay_apart_from_those_of_a_command() {
    for (given, expected) in [
        (
            "progress: {current_phase: 2, total_phases: 4, completed: [{phase: 1, name: a}]}",
            r#"{"current_phase":2,"total_phases":4,"completed":[{"phase":1,"name":"a"}]}"#,
        ),
        (
            "progress: {completed: [{phase: 1, name: a}], remaining: [b]}",
            r#"{"completed":[{"phase":1,"name":"a"}],"remaining":["b"],"current_phase":1,"total_phases":2}"#,
        ),
    ] {
        let document = made(Some(&work()), given);
        expect(
            &document,
            &[("/progress", expected), ("/resume/can_resume", "true")],
        );
        assert_eq!(refused(&document), None);
    }
    let over = "progress: {current_phase: 1, total_phases: 1, completed: [{phase: 1, name: a}]}";
    expect(&made(None, over), &[("/resume/can_resume", "false")]);
}

#[test]
fn a_checkpoint_without_any_command_is_accepted() {
    let document = made(None, "checkpoint: {command: made-up}");
    assert_eq!(refused(&document), None);
    expect(
        &document,
        &[
            ("/task", r#"{"id":null}"#),
            (
                "/progress",
                r#"{"completed":[],"current_phase":0,"total_phases":0}"#,
            ),
            ("/files", r#"{"created":[],"modified":[]}"#),
            ("/context_summary", r#""""#),
            ("/resume", r#"{"can_resume":true}"#),
        ],
    );
    assert_eq!(line(&document, "/checkpoint"), None);
}

#[test]
fn a_given_field_of_another_kind_is_refused() {
    let given =
        "task: 1\nprogress: []\nfiles: x\nresume: null\ndecisions: {}\ncontext_summary: 1\n";
    let document = made(Some(&work()), given);
    for (pointer, expected) in [
        ("/task", "1"),
        ("/progress", "[]"),
        ("/files", r#""x""#),
        ("/resume", "null"),
    ] {
        assert_eq!(line(&document, pointer).as_deref(), Some(expected));
    }
    assert_eq!(
        refused(&document).unwrap(),
        "Document is invalid: /task: expected an object, found number (and 5 more)"
    );
}

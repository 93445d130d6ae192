use fastrand::Rng;

use super::super::definition::{REASONS, SESSION};
use super::super::id::SnapshotId;
use super::super::sample;
use super::super::yaml::{MAX_BYTES, MAX_VALUES};
use super::{head, problems, read, write};
use crate::error::{Code, Error};
use crate::json::{self, Json, Object};

/// The sample of the document that snapshots were specified by.
const SPECIFIED: &str = include_str!("document_tests/specified.yaml");

/// 2025-01-26T10:30:00.999Z
const NOW: f64 = 1_737_887_400_999.0;

fn id() -> SnapshotId {
    "chk-20250126-103000".parse().unwrap()
}

fn specified() -> Object {
    read(SPECIFIED.as_bytes(), None).unwrap().document
}

/// Returns the problems of a document, as `pointer code: sentence` lines.
fn wrong(document: Object) -> Vec<String> {
    let problems = problems(&document.into(), Some(id()));
    let lines = problems
        .iter()
        .map(|it| format!("{} {}: {}", it.at, it.code.as_str(), it.message));
    lines.collect()
}

#[test]
fn the_specified_sample_is_read_and_written_unchanged() {
    let reading = read(SPECIFIED.as_bytes(), Some(id())).unwrap();
    assert_eq!(reading.problems, []);
    let at = |pointer: &str| Json::from(reading.document.clone()).at(pointer).cloned();
    for (pointer, expected) in [
        ("/id", r#""chk-20250126-103000""#),
        ("/created_at", r#""2025-01-26T10:30:00Z""#),
        ("/progress/current_phase", "2"),
        (
            "/progress/completed/1/evidence",
            r#""pnpm test → 5/5 passed""#,
        ),
        (
            "/decisions/1/decision",
            r#""prefers-color-scheme + localStorage override""#,
        ),
        ("/files/modified", r#"["src/app/layout.tsx"]"#),
        ("/tokens_used", "45000"),
        ("/resume/can_resume", "true"),
    ] {
        assert_eq!(
            at(pointer).map(|it| it.to_line()).as_deref(),
            Some(expected),
            "{pointer}"
        );
    }

    let written = write(reading.document, id(), NOW).unwrap();
    let stands = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let expected: Vec<&str> = SPECIFIED.lines().filter(stands).collect();
    assert_eq!(written.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_list_of_checkpoints_reads_only_the_heads() {
    let head = head(&SPECIFIED.as_bytes()[..700]).unwrap();
    let keys: Vec<&str> = head.iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["id", "created_at", "reason", "task", "progress"]);
    let document = specified();
    assert!(
        head.iter()
            .all(|(key, value)| document.get(key) == Some(value))
    );
    assert_eq!(super::head(&SPECIFIED.as_bytes()[..400]), None);

    let first: Vec<&str> = SESSION.fields.iter().map(|field| field.name).collect();
    let at = first.iter().position(|name| *name == "progress").unwrap();
    assert!(first[..at].contains(&"message"));
}

#[test]
fn a_written_checkpoint_is_read_back_unchanged() {
    let known = SESSION.fields.iter().map(|field| field.name);
    let known: Vec<&str> = known.chain(["id", "input", "mode"]).collect();
    for seed in 0..1_500 {
        let _run = milepost_property::seed("a written checkpoint is read back unchanged", seed);
        let mut random = Rng::with_seed(seed);
        let mut document = specified();
        for key in ["git_diff", "message", "later"] {
            document.set(key, sample::text(&mut random));
        }
        if let Some(Json::Object(task)) = document.get_mut("task") {
            task.set("input", sample::text(&mut random));
        }
        let decision = Object::new()
            .with("question", sample::text(&mut random))
            .with("decision", sample::text(&mut random));
        document.set("decisions", vec![decision]);
        for (key, value) in sample::object(&mut random, 3) {
            if !known.contains(&key.as_str()) {
                document.set(&key, value);
            }
        }
        let text = write(document.clone(), id(), NOW).unwrap();
        let reading = read(text.as_bytes(), Some(id())).unwrap();
        assert_eq!(reading.problems, []);
        for (key, value) in document.iter().filter(|(key, _)| known.contains(key)) {
            assert_eq!(reading.document.get(key), Some(value), "{text}");
        }
        // The document that was written is written again with the same bytes: nothing moves any
        // more.
        assert_eq!(
            write(reading.document, id(), NOW).as_deref(),
            Ok(text.as_str())
        );
    }
}

#[test]
fn unknown_fields_are_kept_in_their_order() {
    let text = "zeta: 1\nid: \"x\"\nalpha: [yes, 1.50]\ncheckpoint:\n  command: \"ship\"\n  feature: null\n  \
                revision: 3\n  by: \"me\"\nreason: \"error\"\ntask: {z: 1, id: null, a: 2}\nprogress: \
                {current_phase: 0, total_phases: 0, completed: []}\ncontext_summary: \"\"\nresume: \
                {can_resume: false}\n";
    let document = read(text.as_bytes(), None).unwrap().document;
    assert_eq!(
        write(document, id(), NOW).unwrap(),
        "id: \"chk-20250126-103000\"\ncreated_at: \"2025-01-26T10:30:00Z\"\nreason: \"error\"\n\
         task:\n  id: null\n  z: 1\n  a: 2\nprogress:\n  current_phase: 0\n  total_phases: 0\n  \
         completed: []\ncontext_summary: \"\"\nresume:\n  can_resume: false\nzeta: 1\nalpha:\n  \
         - \"yes\"\n  - 1.50\ncheckpoint:\n  command: \"ship\"\n  feature: null\n  revision: 3\n  by: \"me\"\n"
    );
}

#[test]
fn every_problem_is_reported_with_its_place() {
    let text = "id: ../x\ncreated_at: yesterday\nreason: fun\nmessage: 1\ntask: {}\nprogress: \
                {current_phase: -1, total_phases: \"4\", completed: [{phase: 1.5}]}\ndecisions: \
                {a: b}\nfiles: {created: [1]}\nresume: {can_resume: yes}\n";
    assert_eq!(
        wrong(read(text.as_bytes(), None).unwrap().document),
        [
            "/created_at time: expected an RFC 3339 time such as 2026-01-29T10:30:00.000Z, found \
             \"yesterday\"",
            "/reason enum: expected one of phase_complete, handoff, error, mode_switch, \
             user_requested, found \"fun\"",
            "/message type: expected a string, found number",
            "/task/id required: expected a string or null, but the field is missing",
            "/progress/current_phase range: expected a whole number from 0 to 9007199254740991, \
             found -1",
            "/progress/total_phases type: expected a whole number from 0 to 9007199254740991, found \
             string",
            "/progress/completed/0/phase range: expected a whole number from 0 to \
             9007199254740991, found 1.5",
            "/progress/completed/0/name required: expected a string, but the field is missing",
            "/decisions type: expected a list, found object",
            "/files/created/0 type: expected a string, found number",
            "/context_summary required: expected a string, but the field is missing",
            "/resume/can_resume type: expected true or false, found string",
            "/id name: expected an id such as chk-20250126-103000, found \"../x\"",
        ]
    );
}

#[test]
fn a_copied_file_is_refused_as_another_checkpoint() {
    assert_eq!(
        wrong(specified().with("id", "chk-20250126-103000-2")),
        [
            "/id contradiction: expected chk-20250126-103000, because the file has that name, found \
             chk-20250126-103000-2"
        ]
    );
}

#[test]
fn each_of_the_five_reasons_and_a_time_with_milliseconds_is_valid() {
    for reason in REASONS {
        for time in [
            "2025-01-26T10:30:00Z",
            "2025-01-26T10:30:00.123Z",
            "2025-01-26T11:30:00+01:00",
        ] {
            let document = specified().with("reason", reason).with("created_at", time);
            assert_eq!(wrong(document), Vec::<String>::new());
        }
    }
}

#[test]
fn a_summary_above_its_budget_is_refused() {
    let words = |count: usize| specified().with("context_summary", "word ".repeat(count));
    assert!(write(words(500), id(), NOW).is_ok());
    let error = write(words(501).with("reason", "fun"), id(), NOW).unwrap_err();
    assert_eq!(error.code(), Code::SummaryTooLong);
    assert_eq!(
        error.to_string(),
        "Context summary exceeds 500 token limit (actual: 501 tokens) at /context_summary"
    );
    let long = specified().with("context_summary", "w".repeat(64 * 1024 + 1));
    assert_eq!(
        write(long, id(), NOW).unwrap_err().to_string(),
        "Context summary exceeds 64 KiB limit (actual: 65537 bytes) at /context_summary"
    );
}

#[test]
fn a_checkpoint_that_could_not_be_read_again_is_refused() {
    let refused = |document: Object| -> Error { write(document, id(), NOW).unwrap_err() };

    let error = refused(specified().with("git_diff", "x".repeat(MAX_BYTES)));
    assert_eq!(error.code(), Code::TooLarge);
    assert_eq!(
        error.to_string(),
        "The snapshot has 4195626 bytes, and more than 4194304 are not read: leave out \
         what is long, such as its git_diff"
    );

    let rest = MAX_VALUES - 2 - json_values(&specified());
    let many = |count: usize| specified().with("many", vec![true; count]);
    let text = write(many(rest), id(), NOW).unwrap();
    assert_eq!(read(text.as_bytes(), Some(id())).unwrap().problems, []);
    let error = refused(many(rest + 1));
    assert_eq!(error.code(), Code::TooLarge);
    assert_eq!(
        error.to_string(),
        "The snapshot has 250001 values and keys, and more than 250000 are not read: \
         leave out what is long, such as its git_diff"
    );

    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = |levels: usize| {
            let text = format!("{}1{}", open.repeat(levels), close.repeat(levels));
            let value = json::read_within(text.as_bytes(), 100).unwrap().value;
            specified().with("deep", value)
        };
        let text = write(deep(63), id(), NOW).unwrap();
        assert_eq!(read(text.as_bytes(), Some(id())).unwrap().problems, []);
        assert_eq!(
            refused(deep(64)).to_string(),
            "Document is invalid: nested deeper than 64 levels"
        );
    }
}

fn json_values(document: &Object) -> usize {
    super::values(&document.clone().into())
}

use super::super::sample::{HOSTILE, state};
use super::*;
use crate::error::{Code, ErrorKind};
use crate::json;

/// The problems as lines `pointer code: sentence`.
fn lines(problems: &[Problem]) -> Vec<String> {
    let lines = problems.iter().map(|problem| {
        let code = problem.code.as_str();
        format!("{} {code}: {}", problem.at, problem.message)
    });
    lines.collect()
}

/// Returns the problems of a snapshot that has this member instead of its own.
fn wrong_with(key: &str, value: &str) -> Vec<String> {
    let value = json::read(value.as_bytes()).unwrap().value;
    lines(&problems(&state("t", "c").with(key, value).into()))
}

fn checked(object: Object) -> TaskState {
    TaskState::new(object.into()).unwrap()
}

#[test]
fn a_valid_snapshot_comes_back_unchanged() {
    let object = state("task 1", "cp 1")
        .with("metadata", Object::new())
        .with("unknown", Json::Number("1e400".into()));
    let checked = checked(object.clone());
    assert_eq!(
        (checked.id().as_str(), checked.task().as_str()),
        ("cp 1", "task 1")
    );
    let read = json::read(checked.text().as_bytes()).unwrap().value;
    assert_eq!(read, Json::from(object.clone()));
    let keys: Vec<&str> = object.iter().map(|(key, _)| key).collect();
    let again: Vec<&str> = read
        .as_object()
        .unwrap()
        .iter()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(keys, again, "the order of members");
}

#[test]
fn a_stored_text_has_the_size_that_its_limit_was_checked_with() {
    for member in [
        r#""""#,
        r#""\u0001\u00e9\ud800 \ud83d\ude00 \/\"\\""#,
        "\"\u{7f}\u{2028}é😀\"",
        "1.50e+10",
        r#"{"a": [ ], "b" :{}}"#,
        r#"{"a": 1, "a": 2}"#,
    ] {
        let line = Json::from(state("t", "c")).to_line();
        let text = line.replacen("\"plan.md\"", member, 1);
        assert_ne!(text, line);
        let checked = TaskState::new(json::read(text.as_bytes()).unwrap().value).unwrap();
        assert!(checked.text().len() <= text.len(), "{member}");
    }
}

#[test]
fn a_missing_member_is_reported() {
    let Err(error) = TaskState::new(Object::new().into()) else {
        panic!("nothing was missed");
    };
    assert_eq!(error.code(), Code::InvalidDocument);
    let ErrorKind::InvalidDocument(problems) = error.into_kind() else {
        panic!("it was another error");
    };
    let missed: Vec<&str> = problems.iter().map(|it| it.at.as_str()).collect();
    let required = STATE.fields.iter().map(|field| format!("/{}", field.name));
    let required = required.filter(|at| at != "/metadata");
    assert_eq!(missed, required.collect::<Vec<_>>());
    assert!(problems.iter().all(|it| it.code == ProblemCode::Required));
}

#[test]
fn one_problem_does_not_hide_the_others() {
    let step = Object::new()
        .with("stepId", "")
        .with("name", 7)
        .with("durationMs", "12")
        .with("completedAt", "today");
    let object = state("", "c")
        .with("agentId", Json::Null)
        .with("stepIndex", 4)
        .with("context", Vec::<Json>::new())
        .with("completedSteps", vec![step])
        .with("pendingSteps", vec![Json::from("a"), Json::Null])
        .with("createdAt", "2026-01-29")
        .with("metadata", Json::Null);
    assert_eq!(
        lines(&problems(&object.into())),
        [
            "/agentId type: expected a string, found null",
            "/context type: expected an object, found array",
            "/completedSteps/0/name type: expected a string, found number",
            "/completedSteps/0/durationMs type: expected a number, found string",
            "/completedSteps/0/completedAt time: expected an RFC 3339 time such as \
             2026-01-29T10:30:00.000Z, found \"today\"",
            "/pendingSteps/1 type: expected a string, found null",
            "/createdAt time: expected an RFC 3339 time such as 2026-01-29T10:30:00.000Z, found \
             \"2026-01-29\"",
            "/metadata type: expected an object, found null",
            "/taskId name: expected at least one character",
            "/completedSteps/0/stepId name: expected at least one character",
            "/stepIndex range: expected at most 3, which is totalSteps, found 4",
        ]
    );
}

#[test]
fn a_value_that_is_no_object_is_no_snapshot() {
    for (text, found) in [("null", "null"), ("[]", "array"), ("\"{}\"", "string")] {
        let value = json::read(text.as_bytes()).unwrap().value;
        let expected = format!(" type: expected an object, found {found}");
        assert_eq!(lines(&problems(&value)), [expected]);
        assert!(TaskState::new(value).is_err());
    }
}

#[test]
fn a_step_is_a_whole_number_and_not_behind_the_last() {
    for (step, total) in [
        ("0", "0"),
        ("3", "3"),
        ("0", "9007199254740991"),
        ("2.0", "3"),
    ] {
        let value = |text: &str| Json::Number(text.into());
        let object = state("t", "c")
            .with("stepIndex", value(step))
            .with("totalSteps", value(total));
        assert_eq!(problems(&object.into()), [], "{step} of {total}");
    }
    for step in ["-1", "1.5", "1e400", "9007199254740992"] {
        assert_eq!(
            wrong_with("stepIndex", step),
            [format!(
                "/stepIndex range: expected a whole number from 0 to {MAX_INTEGER}, found {step}"
            )]
        );
    }
    for step in ["null", "\"1\"", "[1]", "true"] {
        assert_eq!(wrong_with("stepIndex", step).len(), 1, "{step}");
    }
}

#[test]
fn a_duration_may_be_fractional_or_negative() {
    for duration in ["0", "0.125", "-3", "1e3"] {
        let step = format!(
            r#"[{{"stepId": "a", "name": "", "durationMs": {duration}, "completedAt": "2026-01-29T10:30:00Z"}}]"#
        );
        assert_eq!(wrong_with("completedSteps", &step), Vec::<String>::new());
    }
}

#[test]
fn free_text_is_a_name_unless_it_cannot_be_stored() {
    for id in HOSTILE {
        assert_eq!(problems(&state(id, id).into()), [], "{id:?}");
    }
    for (value, problem) in [
        (r#""""#, "expected at least one character"),
        (r#""a\u0000b""#, "expected no U+0000 in it"),
        (
            r#""\ud800""#,
            "expected no lone surrogate in it, and no U+FFFD, which takes the place of one",
        ),
    ] {
        for key in ["id", "taskId", "agentId"] {
            assert_eq!(wrong_with(key, value), [format!("/{key} name: {problem}")]);
        }
    }
    let long = "é".repeat(513);
    assert_eq!(
        wrong_with("id", &format!("\"{long}\"")),
        ["/id name: expected at most 1024 bytes, found 1026"]
    );
}

#[test]
fn a_context_is_not_held_to_the_rules_of_summaries() {
    let long = "word ".repeat(100_000);
    let context = format!(r#"{{"context_summary": "{long}", "\u0000": "\u0000"}}"#);
    assert_eq!(wrong_with("context", &context), Vec::<String>::new());
    assert_eq!(wrong_with("metadata", &context), Vec::<String>::new());
}

#[test]
fn a_snapshot_that_could_not_be_read_again_is_refused() {
    let nested = |depth: usize| {
        let mut value = Object::new();
        for _ in 1..depth {
            value = Object::new().with("a", value);
        }
        state("t", "c").with("context", value)
    };
    let deepest = checked(nested(MAX_DEPTH - 1));
    assert!(json::read(deepest.text().as_bytes()).is_ok());
    let problems = problems(&nested(MAX_DEPTH).into());
    assert_eq!(lines(&problems), [" range: nested deeper than 64 levels"]);
}

#[test]
fn a_repeated_step_is_reported_and_no_error() {
    let repeated = |steps: Vec<&str>| {
        let state = checked(state("t", "c").with("pendingSteps", steps));
        lines(&state.repeated_steps())
    };
    assert_eq!(repeated(vec!["step-2"]), Vec::<String>::new());
    assert_eq!(
        repeated(vec!["step-2", "step-1", "x", "step-1"]),
        [
            "/pendingSteps/1 contradiction: \"step-1\" is among the completed steps as well",
            "/pendingSteps/3 contradiction: \"step-1\" is among the completed steps as well",
        ]
    );
}

#[test]
fn the_problems_of_a_hostile_snapshot_are_limited() {
    let step = |id: &str| {
        Object::new()
            .with("stepId", id)
            .with("name", "")
            .with("durationMs", 0)
            .with("completedAt", "2026-01-29T10:30:00Z")
    };
    let many = MAX_PROBLEMS + 1;
    let nameless = state("t", "c").with("completedSteps", vec![step(""); many]);
    assert_eq!(problems(&nameless.into()).len(), MAX_PROBLEMS);
    let again = state("t", "c")
        .with("completedSteps", vec![step("a")])
        .with("pendingSteps", vec!["a"; many]);
    assert_eq!(checked(again).repeated_steps().len(), MAX_PROBLEMS);
}

#[test]
fn the_steps_that_remain_are_the_pending_ones() {
    let steps = |object: &Object| remaining_steps(object).join(" ");
    assert_eq!(steps(&state("t", "c")), "step-2 step-3");
    let none = state("t", "c").with("pendingSteps", Vec::<Json>::new());
    assert_eq!(steps(&none), "");
    assert!(checked(none).is_last());
    assert!(!checked(state("t", "c")).is_last());
    for odd in [Json::Null, Json::from("step-2"), Json::from(Object::new())] {
        assert_eq!(steps(&Object::new().with("pendingSteps", odd)), "");
    }
}

#[test]
fn a_task_is_complete_once_no_step_is_pending() {
    for (text, expected) in [
        (r#"{"pendingSteps":["a"]}"#, "in_progress"),
        (r#"{"pendingSteps":[]}"#, "complete"),
        (r#"{"pendingSteps":null}"#, "in_progress"),
        ("{}", "in_progress"),
    ] {
        let state = json::read(text.as_bytes()).unwrap().value;
        assert_eq!(status(state.as_object().unwrap()), expected, "{text}");
    }
}

#[test]
fn a_part_of_another_task_is_refused() {
    let [task, id, other] = ["t", "c", "x"].map(|text| TaskId::new(text).unwrap());
    let state = state("t", "c");
    assert_eq!(contradictions(&state, &task, &id), []);
    assert_eq!(
        lines(&contradictions(&state, &task, &other)),
        ["/id contradiction: expected \"x\", because it is stored under that name"]
    );
    let both = contradictions(&Object::new(), &other, &id);
    let places: Vec<&str> = both.iter().map(|it| it.at.as_str()).collect();
    assert_eq!(places, ["/id", "/taskId"]);
}

#[test]
fn a_text_that_fits_becomes_the_snapshot_that_it_holds() {
    let repeated = vec![Json::from("step-1"), Json::from("s\"2")];
    for object in [
        state("t", "c"),
        state("t \"1\"", "世界"),
        state("t", "c").with("pendingSteps", repeated),
        state("t", "c").with("pendingSteps", Vec::<Json>::new()),
        state("t", "c").with("own", "\u{1}\n"),
    ] {
        let text = Json::from(object.clone()).to_line();
        assert_eq!(TaskState::fitting(&text), Some(checked(object)), "{text}");
    }
}

#[test]
fn a_text_whose_snapshot_breaks_a_rule_does_not_fit() {
    let state = || state("t", "c");
    let step = |id: &str| {
        let line = Json::from(state()).to_line().replace("step-1", id);
        json::read(line.as_bytes()).unwrap().value
    };
    let long = "x".repeat(1_025);
    for value in [
        state().with("id", "").into(),
        state().with("taskId", "a\0b").into(),
        state().with("agentId", "").into(),
        state().with("agentId", "\u{FFFD}").into(),
        state().with("stepIndex", 4).into(),
        step(""),
        step(&long),
    ] {
        assert!(!problems(&value).is_empty());
        assert_eq!(
            TaskState::fitting(&value.to_line()),
            None,
            "{}",
            value.to_line()
        );
    }
}

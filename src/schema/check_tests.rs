use super::*;
use crate::json;

static INNER: Shape = Shape {
    name: "Inner",
    doc: "",
    fields: &[
        field("note", Kind::String, Presence::Required),
        field("at", Kind::Time, Presence::Optional),
    ],
};

static OUTER: Shape = Shape {
    name: "Outer",
    doc: "",
    fields: &[
        field("name", Kind::Nullable(&Kind::Name), Presence::Optional),
        field("yes", Kind::Boolean, Presence::Optional),
        field("size", Kind::Integer, Presence::Optional),
        field("ratio", Kind::Number, Presence::Optional),
        field("version", Kind::Constant(1), Presence::Optional),
        field("color", Kind::Enum(&["red", "blue"]), Presence::Optional),
        field("summary", Kind::Summary, Presence::Optional),
        field("names", Kind::List(&Kind::Name), Presence::Optional),
        field("inner", Kind::Object(&INNER), Presence::Optional),
        field("map", Kind::Map(&INNER), Presence::Optional),
        field("seal", Kind::String, Presence::Additive),
    ],
};

const fn field(name: &'static str, kind: Kind, presence: Presence) -> Field {
    Field {
        name,
        kind,
        presence,
        doc: "",
    }
}

fn read(text: &str) -> Json {
    json::read(text.as_bytes()).unwrap().value
}

/// The problems as lines `pointer code: sentence`.
fn problems(text: &str) -> Vec<String> {
    let problems = OUTER.problems(&read(text));
    let lines = problems.iter().map(|problem| {
        format!(
            "{} {}: {}",
            problem.at,
            problem.code.as_str(),
            problem.message
        )
    });
    lines.collect()
}

#[test]
fn values_of_every_kind_are_accepted() {
    for text in [
        "{}",
        r#"{"name": null, "unknown": [1e400, {"deep": null}]}"#,
        r#"{"name": "specs", "yes": false, "size": 0, "version": 1, "color": "blue"}"#,
        r#"{"size": 9007199254740991, "version": 1.0}"#,
        r#"{"ratio": -0.5}"#,
        r#"{"ratio": 1e400}"#,
        r#"{"size": 1e3, "version": 10e-1, "summary": "short"}"#,
        r#"{"names": [], "inner": {"note": "", "at": "2026-01-29t10:30:00+01:00"}}"#,
        r#"{"names": ["a", "__proto__", "1"], "map": {"__proto__": {"note": "x"}, "1": {"note": ""}}}"#,
    ] {
        assert_eq!(problems(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn every_problem_has_its_place_its_code_and_a_sentence() {
    for (text, expected) in [
        ("[]", " type: expected an object, found array"),
        (
            r#"{"ratio": "0.5"}"#,
            "/ratio type: expected a number, found string",
        ),
        (
            r#"{"name": 1}"#,
            "/name type: expected a string or null, found number",
        ),
        (
            r#"{"name": ""}"#,
            "/name name: expected a name of 1 to 100 characters without control characters",
        ),
        (
            r#"{"yes": "true"}"#,
            r#"/yes type: expected true or false, found string"#,
        ),
        (
            r#"{"size": -1}"#,
            "/size range: expected a whole number from 0 to 9007199254740991, found -1",
        ),
        (
            r#"{"size": 9007199254740992}"#,
            "/size range: expected a whole number from 0 to 9007199254740991, found 9007199254740992",
        ),
        (
            r#"{"size": 1e400}"#,
            "/size range: expected a whole number from 0 to 9007199254740991, found 1e400",
        ),
        (
            r#"{"size": "1"}"#,
            r#"/size type: expected a whole number from 0 to 9007199254740991, found string"#,
        ),
        (r#"{"version": 2}"#, "/version enum: expected 1, found 2"),
        (
            r#"{"version": "1"}"#,
            r#"/version type: expected 1, found string"#,
        ),
        (
            r#"{"color": "done\u001b"}"#,
            r#"/color enum: expected one of red, blue, found "done\u001b""#,
        ),
        (
            r#"{"color": null}"#,
            "/color type: expected one of red, blue, found null",
        ),
        (
            r#"{"names": {}}"#,
            "/names type: expected a list, found object",
        ),
        (
            r#"{"names": ["a", 5]}"#,
            "/names/1 type: expected a string, found number",
        ),
        (
            r#"{"inner": 1}"#,
            "/inner type: expected an object, found number",
        ),
        (
            r#"{"inner": {}}"#,
            "/inner/note required: expected a string, but the field is missing",
        ),
        (
            r#"{"map": {"a/b": {"note": "", "at": "yesterday"}}}"#,
            r#"/map/a~1b/at time: expected an RFC 3339 time such as 2026-01-29T10:30:00.000Z, found "yesterday""#,
        ),
        (
            r#"{"map": {"": {"note": ""}}}"#,
            "/map/ name: expected a name of 1 to 100 characters without control characters",
        ),
        (
            r#"{"map": []}"#,
            "/map type: expected an object, found array",
        ),
        (
            r#"{"seal": 1}"#,
            "/seal type: expected a string, found number",
        ),
    ] {
        assert_eq!(problems(text), [expected], "{text}");
    }
}

#[test]
fn a_summary_above_a_limit_is_reported_with_the_sentence_of_the_limit() {
    let text = format!(r#"{{"summary": "{}"}}"#, "word ".repeat(501));
    assert_eq!(
        problems(&text),
        ["/summary summary_too_long: Context summary exceeds 500 token limit (actual: 501 tokens)"]
    );
    let text = format!(r#"{{"summary": "{}"}}"#, "x".repeat(70_000));
    assert_eq!(
        problems(&text),
        ["/summary summary_too_long: Context summary exceeds 64 KiB limit (actual: 70000 bytes)"]
    );
}

#[test]
fn all_problems_are_reported_and_not_only_the_first() {
    let text = r#"{"yes": 1, "names": [1, "", 2], "map": {"a": 1, "b": {"note": 1, "at": 1}}}"#;
    let places: Vec<_> = OUTER
        .problems(&read(text))
        .into_iter()
        .map(|problem| problem.at.to_string())
        .collect();
    assert_eq!(
        places,
        [
            "/yes",
            "/names/0",
            "/names/1",
            "/names/2",
            "/map/a",
            "/map/b/note",
            "/map/b/at"
        ]
    );
}

#[test]
fn a_document_of_nothing_but_problems_does_not_fill_the_memory() {
    let items = vec![Json::Null; MAX_PROBLEMS + 1000];
    let document = Object::from_iter([("names", Json::Array(items))]);
    assert_eq!(OUTER.problems(&document.into()).len(), MAX_PROBLEMS);
}

#[test]
fn a_name_is_counted_in_characters_and_not_in_bytes() {
    assert_eq!(check_name(&"漢".repeat(100)), Ok(()));
    assert!(check_name(&"x".repeat(101)).is_err());
    assert!(check_name("two\nlines").is_err());
    assert!(check_name("next\u{85}line").is_err());
    assert_eq!(check_name("with spaces / and 😀"), Ok(()));
}

#[test]
fn arranging_puts_known_fields_first_and_additive_ones_last_at_every_level() {
    let Json::Object(mut object) = read(
        r#"{"seal": "s", "z": {"at": 1, "note": 2}, "map": {"b": {"x": 1, "at": 2, "note": 3}, "a": 5},
            "inner": {"x": 1, "note": 2}, "a": 1, "yes": true, "names": 7, "name": "n"}"#,
    ) else {
        panic!("an object was read");
    };
    OUTER.arrange(&mut object);
    let arranged = r#"{"name":"n","yes":true,"names":7,"inner":{"note":2,"x":1},"map":{"b":{"note":3,"at":2,"x":1},"a":5},"z":{"at":1,"note":2},"a":1,"seal":"s"}"#;
    assert_eq!(Json::from(object.clone()).to_line(), arranged);
    OUTER.arrange(&mut object);
    assert_eq!(Json::from(object).to_line(), arranged);
}

//! The report of what a change makes, and its refusal where the caller wants what is there alone.

use milepost::json::{Json, Object};

use super::{ask, code, phase, save, value, world};
use crate::memory::Memory;

fn created(reply: &Object) -> (bool, bool, String) {
    let answer = value(reply).as_object().unwrap();
    let flag = |name: &str| answer.get(name).and_then(Json::as_bool).unwrap();
    let phases = answer.get("new_phases").unwrap().to_line();
    (flag("created"), flag("new_run"), phases)
}

fn begin(world: &Memory, phases: &[&str], existing: bool) -> Object {
    let more = [
        ("phases", Json::from(phases.to_vec())),
        ("existing", Json::from(existing)),
    ];
    ask(world, "begin", &more)
}

fn existing(world: &Memory, name: &str, feature: Option<&str>) -> Object {
    let more = [
        ("phase", Json::from(name)),
        ("patch", Json::from(Object::new())),
        ("feature", Json::from(feature.map(str::to_owned))),
        ("existing", Json::from(true)),
    ];
    ask(world, "update_phase", &more)
}

fn message(reply: &Object) -> String {
    let error = reply.get("error").and_then(Json::as_object).unwrap();
    error.get("message").unwrap().as_str().unwrap().to_owned()
}

#[test]
fn an_answer_says_which_run_and_which_phases_are_new() {
    let world = world();
    let new_run = created(&phase(&world, "a", "{}"));
    assert_eq!(new_run, (true, true, r#"["a"]"#.to_owned()));
    let known = created(&phase(&world, "a", r#"{"status":"complete"}"#));
    assert_eq!(known, (false, false, "[]".to_owned()));
    let new_phase = created(&phase(&world, "b", "{}"));
    assert_eq!(new_phase, (true, false, r#"["b"]"#.to_owned()));
    let begun = created(&begin(&world, &["b", "c", "a", "c", "d"], false));
    assert_eq!(begun, (true, false, r#"["c","d"]"#.to_owned()));
    let saved = created(&save(
        &world,
        r#"{"phases":{"a":{"status":"pending"},"e":{"status":"pending"}}}"#,
    ));
    assert_eq!(saved, (true, false, r#"["e"]"#.to_owned()));
}

#[test]
fn a_run_that_was_removed_is_new_again() {
    let world = world();
    phase(&world, "a", "{}");
    ask(&world, "remove", &[]);
    assert_eq!(
        created(&phase(&world, "a", "{}")),
        (true, true, r#"["a"]"#.to_owned())
    );
}

#[test]
fn existing_refuses_a_new_run_and_names_those_that_are_there() {
    let world = world();
    let reply = existing(&world, "a", None);
    assert_eq!(code(&reply), "not_found");
    assert!(message(&reply).ends_with("no run is here yet"));
    assert_eq!(code(&begin(&world, &["a"], true)), "not_found");
    assert_eq!(world.files_below("/repo/.claude"), Vec::<String>::new());

    ask(
        &world,
        "update_phase",
        &[
            ("phase", "a".into()),
            ("patch", Object::new().into()),
            ("feature", "payments".into()),
        ],
    );
    let reply = existing(&world, "a", Some("paymnet"));
    assert_eq!(code(&reply), "not_found");
    let said = message(&reply);
    assert!(said.contains("design (feature paymnet)"), "{said}");
    assert!(
        said.ends_with("runs here: design (feature payments)"),
        "{said}"
    );
    assert!(
        value(&existing(&world, "a", Some("payments")))
            .as_object()
            .is_some()
    );
}

#[test]
fn existing_refuses_a_new_phase_and_names_those_that_are_there() {
    let world = world();
    begin(&world, &["plan", "build"], false);
    let before = world.text(super::FILE);
    let document = [
        (
            "text",
            Json::from(r#"{"phases":{"plan":{"status":"pending"},"bulid":{"status":"pending"}}}"#),
        ),
        ("existing", Json::from(true)),
    ];
    for reply in [
        existing(&world, "bulid", None),
        begin(&world, &["plan", "bulid"], true),
        ask(&world, "save", &document),
    ] {
        assert_eq!(code(&reply), "not_found");
        let said = message(&reply);
        let expected = "There is no phase bulid in design; it has plan, build";
        assert_eq!(said, expected);
    }
    assert_eq!(world.text(super::FILE), before);
    assert!(
        value(&existing(&world, "build", None))
            .as_object()
            .is_some()
    );
}

#[test]
fn a_phase_that_a_list_alone_names_is_new_and_existing_refuses_it() {
    for list in [
        r#""pending_phases":["bulid"]"#,
        r#""completed_phases":["bulid"]"#,
        r#""current_phase":"bulid""#,
    ] {
        let world = world();
        begin(&world, &["plan"], false);
        let text = format!(r#"{{"state":{{{list}}},"phases":{{"plan":{{"status":"pending"}}}}}}"#);
        let more = [
            ("text", Json::from(text.as_str())),
            ("existing", Json::from(true)),
        ];
        let refused = ask(&world, "save", &more);
        assert_eq!(code(&refused), "not_found", "{list}");
        let expected = "There is no phase bulid in design; it has plan";
        assert_eq!(message(&refused), expected);
        let saved = created(&save(&world, &text));
        assert_eq!(saved, (true, false, r#"["bulid"]"#.to_owned()), "{list}");
    }
}

/// The names that were probably meant, after a change of `design`.
fn similar(world: &Memory, more: &[(&str, Json)]) -> String {
    value(&ask(world, "similar", more)).to_line()
}

#[test]
fn a_new_phase_comes_with_the_phase_that_was_probably_meant() {
    let world = world();
    begin(&world, &["plan", "build"], false);
    phase(&world, "bulid", "{}");
    let new = ["bulid"];
    assert_eq!(
        similar(&world, &[("new_phases", Json::from(new.to_vec()))]),
        r#"{"new_feature":false,"similar_run":null,"similar_phases":[{"phase":"bulid","similar":"build"}]}"#
    );
}

#[test]
fn many_new_phases_are_a_plan_and_none_of_them_a_mistake() {
    for (count, expected) in [(20, r#"[{"phase":"bulid","similar":"build"}]"#), (21, "[]")] {
        let world = world();
        begin(&world, &["plan", "build"], false);
        let mut new = vec!["bulid".to_owned()];
        new.extend((1..count).map(|at| format!("part {at}")));
        let names: Vec<&str> = new.iter().map(String::as_str).collect();
        begin(&world, &names, false);
        let said = similar(&world, &[("new_phases", Json::from(new))]);
        let phases = format!(r#""similar_phases":{expected}}}"#);
        assert!(said.ends_with(&phases), "{said}");
    }
}

#[test]
fn a_new_run_comes_with_the_run_that_was_probably_meant() {
    let world = world();
    let run = |feature: &str| {
        let more = [
            ("phase", Json::from("a")),
            ("patch", Json::from(Object::new())),
            ("feature", Json::from(feature)),
        ];
        ask(&world, "update_phase", &more);
    };
    run("payments");
    run("paymnet");
    let new = |feature: Option<&str>, is_named: bool| {
        let more = [
            ("feature", Json::from(feature.map(str::to_owned))),
            ("is_feature_named", Json::from(is_named)),
            ("new_run", Json::from(true)),
        ];
        similar(&world, &more)
    };
    assert_eq!(
        new(Some("paymnet"), true),
        r#"{"new_feature":true,"similar_run":{"command":"design","feature":"payments"},"similar_phases":[]}"#
    );
    // The one that is meant of two unfinished runs is not known.
    phase(&world, "a", "{}");
    let unknown = r#"{"new_feature":false,"similar_run":null,"similar_phases":[]}"#;
    assert_eq!(new(None, false), unknown);
    ask(
        &world,
        "complete",
        &[("feature", "paymnet".into()), ("force", true.into())],
    );
    assert_eq!(
        new(None, false),
        r#"{"new_feature":false,"similar_run":{"command":"design","feature":"payments"},"similar_phases":[]}"#
    );
    assert_eq!(new(None, true), unknown);
}

#[test]
fn a_new_feature_comes_with_one_that_another_command_has() {
    let world = world();
    let run = |command: &str, feature: &str| {
        let more = [
            ("command", Json::from(command)),
            ("phase", Json::from("a")),
            ("patch", Json::from(Object::new())),
            ("feature", Json::from(feature)),
        ];
        ask(&world, "update_phase", &more);
    };
    run("implement", "dark-mode");
    run("design", "dark-mod");
    let new = |feature: &str| {
        let more = [
            ("feature", Json::from(feature)),
            ("is_feature_named", Json::from(true)),
            ("new_run", Json::from(true)),
        ];
        similar(&world, &more)
    };
    assert_eq!(
        new("dark-mod"),
        r#"{"new_feature":true,"similar_run":{"command":"design","feature":"dark-mode"},"similar_phases":[]}"#
    );
    // A feature of the command itself comes first, though the other one is nearer.
    run("design", "dark-mope");
    assert_eq!(
        new("dark-mod"),
        r#"{"new_feature":true,"similar_run":{"command":"design","feature":"dark-mope"},"similar_phases":[]}"#
    );
    // One that another command has is not new.
    assert_eq!(
        new("dark-mode"),
        r#"{"new_feature":false,"similar_run":null,"similar_phases":[]}"#
    );
}

//! Beginning a command with its plan.

use milepost::json::Json;

use super::{FILE, ask, code, phase, value, world};
use crate::memory::Memory;

fn begin(world: &Memory, phases: &[&str]) -> milepost::json::Object {
    let phases = Json::Array(phases.iter().map(|it| Json::from(*it)).collect());
    ask(world, "begin", &[("phases", phases)])
}

fn member(answer: &Json, key: &str) -> Json {
    answer.as_object().unwrap().get(key).unwrap().clone()
}

#[test]
fn a_plan_of_a_hundred_phases_is_one_revision() {
    let world = world();
    phase(&world, "research", r#"{"context_summary":"Precious."}"#);
    let names: Vec<String> = (0..100).map(|at| format!("p{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let begun = value(&begin(&world, &names)).clone();
    assert_eq!(member(&begun, "revision").as_u64(), Some(2));
    assert_eq!(member(&begun, "phase").as_str(), Some("research"));

    let undone = value(&ask(&world, "undo", &[])).clone();
    assert_eq!(member(&undone, "restored").as_u64(), Some(1));
    let text = world.text(FILE);
    assert!(text.contains("Precious."), "{text}");
    assert!(!text.contains("p99"), "{text}");
}

#[test]
fn begin_answers_where_to_go_on() {
    let world = world();
    begin(&world, &["a", "b"]);
    phase(
        &world,
        "a",
        r#"{"status":"complete","context_summary":"A is done."}"#,
    );
    let begun = value(&begin(&world, &["a", "b", "c"])).clone();
    assert_eq!(member(&begun, "phase").as_str(), Some("b"));
    assert_eq!(member(&begun, "summary").as_str(), Some("A is done."));
    assert_eq!(member(&begun, "phase_summary"), Json::Null);
    assert_eq!(member(&begun, "alongside"), Json::Array(Vec::new()));
    assert_eq!(
        Some(&member(&begun, "phase")),
        value(&ask(&world, "resume_point", &[]))
            .as_object()
            .unwrap()
            .get("phase")
    );
}

#[test]
fn begin_of_what_is_begun_leaves_every_phase_and_pushes_nothing_out_of_history() {
    let world = world();
    begin(&world, &["a", "b"]);
    phase(&world, "a", r#"{"status":"complete"}"#);
    let phases = |world: &Memory| {
        let text = world.text(FILE);
        let document = milepost::json::read(text.as_bytes()).unwrap().value;
        document.as_object().unwrap().get("phases").unwrap().clone()
    };
    let before = phases(&world);
    for _ in 0..60 {
        world.now_ms.set(world.now_ms.get() + 1000.0);
        value(&begin(&world, &["b", "a"]));
    }
    assert_eq!(phases(&world), before);
    let log = value(&ask(&world, "log", &[])).clone();
    let log = log.as_array().unwrap();
    assert_eq!(member(log.last().unwrap(), "revision").as_u64(), Some(1));
}

#[test]
fn a_plan_that_is_refused_makes_no_file() {
    let world = world();
    assert_eq!(code(&begin(&world, &[])), "usage");
    assert_eq!(code(&begin(&world, &["a", "b\n"])), "invalid_name");
    assert_eq!(code(&ask(&world, "begin", &[])), "usage");
    let reply = ask(&world, "begin", &[("phases", Json::from("a"))]);
    assert_eq!(code(&reply), "usage");
    assert_eq!(value(&ask(&world, "list", &[])), &Json::Array(Vec::new()));
}

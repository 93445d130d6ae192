//! A phase that was added by mistake is taken back, and an undo brings it back.

use milepost::json::{Json, Object};

use super::{FILE, ask, code, phase, value, world};
use crate::memory::Memory;

fn remove(world: &Memory, name: &str) -> Object {
    ask(world, "remove_phase", &[("phase", name.into())])
}

/// The run as a list has it.
fn listed(world: &Memory) -> Json {
    let list = value(&ask(world, "list", &[])).clone();
    list.as_array().unwrap()[0].clone()
}

#[test]
fn a_removed_phase_is_gone_and_an_undo_brings_it_back() {
    let world = world();
    phase(&world, "plan", "{}");
    phase(
        &world,
        "plna",
        r#"{"status":"in_progress","context_summary":"Precious."}"#,
    );
    let before = world.text(FILE);
    let removed = remove(&world, "plna");
    let removed = value(&removed).as_object().unwrap().clone();
    assert_eq!(removed.get("revision").and_then(Json::as_u64), Some(3));
    assert!(!world.text(FILE).contains("plna"), "{}", world.text(FILE));
    assert_eq!(listed(&world).at("/current_phase"), Some(&Json::Null));

    value(&ask(&world, "undo", &[]));
    let phases = |text: &str| text[text.find("\"phases\"").unwrap()..].to_owned();
    let end = |text: String| text[..text.find("\"re").unwrap()].to_owned();
    assert_eq!(end(phases(&world.text(FILE))), end(phases(&before)));
}

#[test]
fn a_phase_that_is_not_there_is_refused_with_those_that_are() {
    let world = world();
    assert_eq!(code(&remove(&world, "plan")), "not_found");
    assert_eq!(world.files_below("/repo/.claude"), Vec::<String>::new());
    phase(&world, "plan", "{}");
    let before = world.text(FILE);
    let reply = remove(&world, "build");
    assert_eq!(code(&reply), "not_found");
    let said = Json::from(reply).to_line();
    let expected = "There is no phase build in design; it has plan";
    assert!(said.contains(expected), "{said}");
    assert_eq!(world.text(FILE), before);
}

#[test]
fn a_run_whose_only_phase_is_removed_has_none() {
    let world = world();
    phase(&world, "plan", "{}");
    value(&remove(&world, "plan"));
    let listed = listed(&world);
    for status in ["completed", "in_progress", "failed", "pending", "skipped"] {
        let count = listed
            .as_object()
            .unwrap()
            .get(status)
            .and_then(Json::as_u64);
        assert_eq!(count, Some(0), "{status}");
    }
}

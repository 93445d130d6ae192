//! A gate holds for the commit that it was recorded at.

use milepost::error::Code;
use milepost::json::{Json, Object};

use super::{FILE, HEAD, ask, code, phase, save, text, value, world};
use crate::memory::Memory;

const OPEN: &str = r#""gate": {"ship_allowed": true, "blockers": []}"#;

fn blockers(reply: &Object) -> Vec<String> {
    let blockers = value(reply).as_object().unwrap().get("blockers").unwrap();
    let blockers = blockers.as_array().unwrap().iter();
    blockers.map(|it| it.as_str().unwrap().to_owned()).collect()
}

fn gate(world: &Memory, more: &[(&str, Json)]) -> Vec<String> {
    blockers(&ask(world, "gate", more))
}

fn commit(world: &Memory) {
    let next = HEAD.replace('d', "e");
    world.put("/repo/.git/refs/heads/main", format!("{next}\n"));
}

#[test]
fn a_gate_that_was_saved_without_a_commit_is_closed_at_every_later_one() {
    let world = world();
    save(&world, &format!("{{{OPEN}}}"));
    let stored = milepost::json::read(world.text(FILE).as_bytes())
        .unwrap()
        .value;
    let recorded = stored.at("/gate/head_commit").and_then(Json::as_str);
    assert_eq!(recorded, Some(HEAD));
    assert_eq!(gate(&world, &[]), [""; 0]);
    commit(&world);
    assert_eq!(gate(&world, &[]).len(), 1);
    // A save at the new commit that leaves the gate alone does not renew it.
    phase(&world, "a", "{}");
    assert_eq!(gate(&world, &[]).len(), 1);
    let loaded = text(&ask(&world, "load", &[]));
    save(&world, &loaded.replacen('{', "{\"own\": 1,", 1));
    assert_eq!(gate(&world, &[]).len(), 1);
}

#[test]
fn a_stored_gate_without_a_commit_is_judged_by_that_of_the_document() {
    let world = world();
    phase(&world, "a", "{}");
    let file = world.text(FILE).replacen('{', &format!("{{{OPEN},"), 1);
    world.put(FILE, file);
    assert_eq!(gate(&world, &[]), [""; 0]);
    commit(&world);
    assert_eq!(gate(&world, &[]).len(), 1);
}

#[test]
fn a_gate_is_opened_and_closed_at_the_present_commit() {
    let world = world();
    let open = [("open", Json::Bool(true))];
    assert_eq!(code(&ask(&world, "gate", &open)), Code::NotFound.as_str());
    assert!(world.files_below("/repo/.claude").is_empty());
    phase(&world, "a", r#"{"status":"in_progress"}"#);
    assert_eq!(gate(&world, &open), [""; 0]);
    commit(&world);
    assert_eq!(gate(&world, &[]).len(), 1);
    assert_eq!(gate(&world, &open), [""; 0]);

    let reasons = [("close", Json::from(vec!["tests fail", "no review"]))];
    let closed = ["tests fail", "no review", "gate.ship_allowed is false"];
    assert_eq!(gate(&world, &reasons), closed);
    assert_eq!(gate(&world, &[]), closed);
}

#[test]
fn a_decision_without_a_reason_or_with_two_minds_is_a_wrong_call() {
    let world = world();
    phase(&world, "a", "{}");
    let before = world.text(FILE);
    for more in [
        vec![("close", Json::from(Vec::<&str>::new()))],
        vec![("open", Json::Bool(true)), ("close", Json::from(vec!["a"]))],
        vec![("open", "yes".into())],
    ] {
        assert_eq!(code(&ask(&world, "gate", &more)), Code::Usage.as_str());
    }
    assert_eq!(world.text(FILE), before);
}

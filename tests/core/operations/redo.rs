//! Undo and redo go back and forth as in an editor.

use milepost::error::Code;
use milepost::json::{Json, Object};

use super::{FILE, ask, code, phase, save, text, value, warnings, world};
use crate::memory::Memory;

/// A checkpoint whose revision N has phases named 1 to N.
fn revisions(last: u64) -> Memory {
    let world = world();
    for number in 1..=last {
        phase(&world, &number.to_string(), "{}");
    }
    world
}

/// The number of phases of the checkpoint.
fn phases(world: &Memory) -> usize {
    let file = milepost::json::read(world.text(FILE).as_bytes()).unwrap();
    file.value.at("/phases").unwrap().as_object().unwrap().len()
}

fn restored(reply: &Object) -> u64 {
    let value = value(reply).as_object().unwrap();
    value.get("restored").unwrap().as_u64().unwrap()
}

fn restores(world: &Memory) -> Option<u64> {
    let file = milepost::json::read(world.text(FILE).as_bytes()).unwrap();
    file.value.at("/restores")?.as_u64()
}

/// The answer of undo or redo: the revision that came back, or `None` where there is nothing.
fn step(world: &Memory, operation: &str) -> Option<u64> {
    let reply = ask(world, operation, &[]);
    match reply.get("ok") {
        Some(Json::Bool(true)) => Some(restored(&reply)),
        _ => {
            assert_eq!(code(&reply), Code::NotFound.as_str());
            None
        }
    }
}

#[test]
fn a_second_undo_goes_further_back() {
    let world = revisions(4);
    for expected in [3, 2, 1] {
        assert_eq!(step(&world, "undo"), Some(expected));
        assert_eq!(phases(&world), expected as usize);
        assert_eq!(restores(&world), Some(expected));
    }
    assert_eq!(step(&world, "undo"), None);
    for expected in [2, 3, 4] {
        assert_eq!(step(&world, "redo"), Some(expected));
        assert_eq!(phases(&world), expected as usize);
    }
    assert_eq!(step(&world, "redo"), None);
    assert_eq!(step(&world, "undo"), Some(3));
}

/// Has a session of an agent take the run to a branch.
fn take(world: &Memory, session: &str, branch: &str) {
    let stored = milepost::json::read(text(&ask(world, "load", &[])).as_bytes()).unwrap();
    let Json::Object(mut run) = stored.value else {
        panic!("a run is an object");
    };
    let seen = Object::new()
        .with("agent", "codex")
        .with("seen_at", "2026-01-29T10:30:00.000Z");
    run.set("agent_sessions", Object::new().with(session, seen));
    run.set("branch", branch);
    value(&save(world, &run.to_line()));
}

#[test]
fn undo_and_redo_leave_the_sessions_and_the_branch_as_they_are_now() {
    let world = world();
    phase(&world, "1", "{}");
    take(&world, "s-1", "main");
    phase(&world, "2", "{}");
    take(&world, "s-2", "side");
    let owners = || {
        let file = milepost::json::read(world.text(FILE).as_bytes()).unwrap();
        let member = |at: &str| file.value.at(at).cloned();
        (member("/branch"), member("/agent_sessions"))
    };
    let now = owners();
    // A revision that a session alone has made is no step.
    for (operation, expected, count) in [
        ("undo", Some(2), 1),
        ("undo", None, 1),
        ("redo", Some(3), 2),
        ("redo", None, 2),
        ("undo", Some(2), 1),
    ] {
        assert_eq!(step(&world, operation), expected, "{operation}");
        assert_eq!(phases(&world), count, "{operation}");
        assert_eq!(owners(), now, "{operation}");
    }
}

#[test]
fn any_other_change_ends_the_chain_and_a_heartbeat_does_not() {
    let world = revisions(3);
    assert_eq!(step(&world, "undo"), Some(2));
    phase(&world, "1", "{}");
    assert_eq!(restores(&world), Some(2), "a heartbeat");
    assert_eq!(step(&world, "undo"), Some(1));
    assert_eq!(step(&world, "redo"), Some(2));
    phase(&world, "other", "{}");
    assert_eq!(restores(&world), None);
    assert_eq!(step(&world, "redo"), None);
    // Back over the change to what it was made on, and from there to what that came after.
    assert_eq!(step(&world, "undo"), Some(2));
    assert_eq!(step(&world, "undo"), Some(1));
    assert_eq!(step(&world, "undo"), None);
}

#[test]
fn an_edit_by_hand_ends_the_chain_too() {
    let world = revisions(3);
    assert_eq!(step(&world, "undo"), Some(2));
    let edited = world.text(FILE).replacen('{', "{\"note\": 1,", 1);
    world.put(FILE, edited);
    assert_eq!(step(&world, "redo"), None);
    let undone = ask(&world, "undo", &[]);
    assert_eq!(warnings(&undone), ["edited_by_hand"]);
    assert_eq!(restored(&undone), 2);
    assert!(!world.text(FILE).contains("note"));
    assert_eq!(step(&world, "redo"), Some(5), "what the hand wrote");
    assert!(world.text(FILE).contains("note"));
}

#[test]
fn a_heartbeat_on_an_edit_by_hand_restores_no_revision() {
    let world = revisions(3);
    assert_eq!(step(&world, "undo"), Some(2));
    let edited = world.text(FILE).replacen('{', "{\"note\": 1,", 1);
    world.put(FILE, edited);
    phase(&world, "1", "{}");
    assert_eq!(restores(&world), None);
    phase(&world, "other", "{}");
    assert_eq!(step(&world, "undo"), Some(6), "the heartbeat with the edit");
    assert!(world.text(FILE).contains("note"));
}

#[test]
fn a_step_to_a_revision_by_its_number_is_a_step_of_the_chain() {
    let world = revisions(5);
    assert_eq!(restored(&ask(&world, "undo", &[("to", 2_u64.into())])), 2);
    assert_eq!(step(&world, "undo"), Some(1));
    assert_eq!(step(&world, "redo"), Some(2));
    assert_eq!(step(&world, "redo"), Some(3));
}

#[test]
fn a_redo_of_a_state_that_was_changed_since_is_a_conflict() {
    let world = revisions(3);
    step(&world, "undo");
    let loaded = ask(&world, "load", &[]);
    let loaded = value(&loaded).as_object().unwrap().clone();
    let seen = ["revision", "seal"].map(|key| (key, loaded.get(key).unwrap().clone()));
    step(&world, "undo");
    assert_eq!(code(&ask(&world, "redo", &seen)), Code::Conflict.as_str());
    let half = [seen[0].clone()];
    assert_eq!(code(&ask(&world, "redo", &half)), Code::Usage.as_str());
}

#[test]
fn documents_of_an_undo_merge_without_a_conflict() {
    let world = revisions(3);
    let before = text(&ask(&world, "load", &[]));
    step(&world, "undo");
    let reply = save(&world, &before.replacen('{', "{\"own\": 1,", 1));
    assert!(value(&reply).as_object().is_some());
    assert_eq!(restores(&world), None);

    step(&world, "undo");
    let mine = text(&ask(&world, "load", &[]));
    step(&world, "undo");
    let reply = save(&world, &mine.replacen('{', "{\"mine\": 1,", 1));
    assert!(value(&reply).as_object().is_some());
    assert_eq!(restores(&world), None);
}

#[test]
fn steps_at_random_are_those_of_an_editor() {
    for seed in 0..200 {
        let _run = milepost_property::seed("steps at random are those of an editor", seed);
        let mut random = fastrand::Rng::with_seed(seed);
        let world = world();
        // The states that lead to the present one, and those that were taken back.
        let (mut line, mut undone): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut made = 0;
        for _ in 0..random.usize(5..30) {
            match random.u8(..5) {
                0 | 1 => {
                    made += 1;
                    phase(
                        &world,
                        &format!("p{made}"),
                        &format!("{{\"error\":\"{made}\"}}"),
                    );
                    line.push(made);
                    undone.clear();
                }
                2 if made > 0 => {
                    let name = format!("p{}", line.last().unwrap());
                    phase(&world, &name, "{}");
                }
                3 => {
                    let expected = line.len() > 1;
                    assert_eq!(
                        made > 0 && step(&world, "undo").is_some(),
                        expected,
                        "seed {seed}"
                    );
                    if expected {
                        undone.push(line.pop().unwrap());
                    }
                }
                _ => {
                    let expected = !undone.is_empty();
                    let redone = made > 0 && step(&world, "redo").is_some();
                    assert_eq!(redone, expected, "seed {seed}");
                    line.extend(undone.pop());
                }
            }
            if made > 0 {
                let names: Vec<String> = line.iter().map(|it| format!("\"p{it}\": {{")).collect();
                let file = world.text(FILE);
                assert!(names.iter().all(|name| file.contains(name)), "seed {seed}");
                assert_eq!(phases(&world), names.len(), "seed {seed}: {file}");
            }
        }
    }
}

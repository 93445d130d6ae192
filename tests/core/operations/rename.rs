//! A checkpoint under another feature name.

use milepost::effect::{Fault, Machine, MachineStep};
use milepost::json::{Json, Object};
use milepost::operation::request;

use super::{ask, code, value, world};
use crate::memory::{Injected, Memory};

/// Three revisions of feature `a`, with the phases `one`, `two` and `three`.
fn busy() -> Memory {
    let world = world();
    for name in ["one", "two", "three"] {
        update(&world, "a", name);
    }
    world
}

fn of(feature: &str) -> (&'static str, Json) {
    ("feature", feature.into())
}

fn update(world: &Memory, feature: &str, phase: &str) -> Object {
    let patch = ("patch", Object::from_iter([("status", "complete")]).into());
    ask(
        world,
        "update_phase",
        &[of(feature), ("phase", phase.into()), patch],
    )
}

fn rename(world: &Memory, from: &str, to: &str) -> Object {
    ask(world, "rename", &[of(from), ("to", to.into())])
}

/// The phases of a feature's checkpoint; `None` where no run exists.
fn phases(world: &Memory, feature: &str) -> Option<Vec<String>> {
    let loaded = ask(world, "load", &[of(feature)]);
    let loaded = value(&loaded).as_object()?;
    let text = loaded.get("text").unwrap().as_str().unwrap();
    let document = milepost::json::read(text.as_bytes()).unwrap().value;
    let document = document.as_object().unwrap();
    assert_eq!(document.get("feature").unwrap().as_str(), Some(feature));
    let phases = document.get("phases").unwrap().as_object().unwrap();
    Some(phases.iter().map(|(name, _)| name.to_owned()).collect())
}

fn revisions(world: &Memory, feature: &str) -> Vec<u64> {
    let log = ask(world, "log", &[of(feature)]);
    let entries = value(&log).as_array().unwrap().iter();
    let number = |entry: &Json| entry.as_object()?.get("revision")?.as_u64();
    entries.map(|entry| number(entry).unwrap()).collect()
}

const ALL: [&str; 3] = ["one", "two", "three"];

#[test]
fn a_renamed_checkpoint_is_there_under_its_new_name_with_its_history_and_nowhere_else() {
    let world = busy();
    let renamed = rename(&world, "a", "b");
    let revision = value(&renamed)
        .as_object()
        .unwrap()
        .get("revision")
        .unwrap();
    assert_eq!(revision.as_u64(), Some(4));
    assert_eq!(phases(&world, "b").unwrap(), ALL);
    assert_eq!(revisions(&world, "b"), [4, 3, 2, 1]);
    assert_eq!(phases(&world, "a"), None);
    let listed = ask(&world, "list", &[]);
    assert_eq!(value(&listed).as_array().unwrap().len(), 1);
    let latest = ask(&world, "latest", &[]);
    let feature = value(&latest).as_object().unwrap().get("feature");
    assert_eq!(feature.and_then(Json::as_str), Some("b"));
    for operation in ["complete", "gate", "undo", "prune"] {
        assert_eq!(code(&ask(&world, operation, &[of("a")])), "not_found");
    }
    let undone = ask(&world, "undo", &[of("b"), ("to", 1u64.into())]);
    assert!(value(&undone).to_line().contains(r#""restored":1"#));
    assert_eq!(phases(&world, "b").unwrap(), ["one"]);
}

#[test]
fn a_name_that_is_taken_is_refused_and_both_checkpoints_stay() {
    let world = busy();
    update(&world, "b", "other");
    assert_eq!(code(&rename(&world, "a", "b")), "conflict");
    assert_eq!(phases(&world, "a").unwrap(), ALL);
    assert_eq!(phases(&world, "b").unwrap(), ["other"]);
    assert_eq!(revisions(&world, "a"), [3, 2, 1]);
}

#[test]
fn runs_that_cannot_be_renamed_stay_unchanged() {
    let world = busy();
    assert_eq!(code(&rename(&world, "none", "b")), "not_found");
    for to in ["a", "A", "../x", "", "checkpoint"] {
        assert_eq!(code(&rename(&world, "a", to)), "invalid_name", "{to}");
    }
    assert_eq!(phases(&world, "a").unwrap(), ALL);
}

#[test]
fn a_save_under_the_former_name_begins_a_new_run_and_a_way_back_is_open() {
    let world = busy();
    value(&rename(&world, "a", "b"));
    update(&world, "a", "new");
    assert_eq!(phases(&world, "a").unwrap(), ["new"]);
    assert_eq!(code(&rename(&world, "b", "a")), "conflict");
    value(&rename(&world, "a", "c"));
    value(&rename(&world, "b", "a"));
    assert_eq!(phases(&world, "a").unwrap(), ALL);
    assert_eq!(phases(&world, "b"), None);
    assert_eq!(phases(&world, "c").unwrap(), ["new"]);
}

#[test]
fn recover_restores_a_run_that_was_renamed_away() {
    let world = busy();
    value(&rename(&world, "a", "b"));
    let recovered = ask(&world, "recover", &[of("a")]);
    assert!(value(&recovered).to_line().contains(r#""restored":3"#));
    assert_eq!(phases(&world, "a").unwrap(), ALL);
    assert_eq!(phases(&world, "b").unwrap(), ALL);
}

/// A checkpoint with all phases is under one of the names, and the other is free.
fn assert_whole(world: &Memory, at: usize) {
    let (a, b) = (phases(world, "a"), phases(world, "b"));
    match (a, b) {
        (Some(whole), None) | (None, Some(whole)) => assert_eq!(whole, ALL, "effect {at}"),
        both => panic!("effect {at}: {both:?}"),
    }
}

/// Begins a rename of `a` to `b`, which dies before its effect `at`; whether it ended before that.
fn dies(world: &Memory, at: usize) -> bool {
    let ask = r#"{"operation":"rename","place":{"working":"/repo"},"command":"design","feature":"a","to":"b"}"#;
    let mut machine: Machine<String> = request::start(ask.as_bytes());
    for _ in 0..=at {
        match machine.step().unwrap() {
            MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).unwrap(),
            MachineStep::Done(_) => return true,
        }
    }
    false
}

#[test]
fn a_rename_that_dies_at_any_effect_is_finished_by_the_next_read_of_the_former_name() {
    let _run = milepost_property::run(
        "a rename that dies at any effect is finished by the next read of the former name",
    );
    for at in 0.. {
        let world = busy();
        let ended = dies(&world, at);
        // A lock that no process gives back is taken over in time.
        assert_whole(&world, at);
        update(&world, "a", "later");
        let later =
            |feature| phases(&world, feature).is_some_and(|it| it.contains(&"later".into()));
        assert!(later("a"), "effect {at}");
        if ended {
            assert_eq!(phases(&world, "b").unwrap(), ALL);
            break;
        }
    }
}

#[test]
fn a_rename_that_died_publishes_nothing_again_once_its_new_name_is_free_again() {
    let _run = milepost_property::run(
        "a rename that died publishes nothing again once its new name is free again",
    );
    for at in 0.. {
        let world = busy();
        let ended = dies(&world, at);
        // Regardless of whether it is there yet.
        rename(&world, "b", "c");
        let found = ["a", "b", "c"].map(|feature| phases(&world, feature));
        let whole: Vec<_> = found.iter().flatten().collect();
        assert_eq!(whole, [&ALL.map(String::from).to_vec()], "effect {at}");
        if ended {
            assert!(found[2].is_some());
            break;
        }
    }
}

#[test]
fn a_fault_at_any_effect_of_a_rename_loses_nothing_and_says_what_was_written() {
    let _run = milepost_property::run(
        "a fault at any effect of a rename loses nothing and says what was written",
    );
    for for_good in [false, true] {
        for at in 0.. {
            let world = busy();
            let first = world.performed.get();
            world.injected.set(Some(Injected {
                at: first + at,
                for_good,
                fault: Fault::Other,
            }));
            let reply = rename(&world, "a", "b");
            let came_through = world.performed.get() <= first + at;
            world.injected.set(None);
            let stays = phases(&world, "a").is_some();
            match reply.get("error").and_then(Json::as_object) {
                None => assert!(!stays, "effect {at}"),
                Some(error) if error.get("written").unwrap().as_str() == Some("no") => {
                    assert!(stays, "effect {at}: {reply:?}");
                }
                Some(_) => {}
            }
            assert_whole(&world, at);
            if came_through {
                break;
            }
        }
    }
}

#[test]
fn writers_beside_a_rename_lose_nothing_that_was_acknowledged() {
    for seed in 0..300 {
        let _run = milepost_property::seed(
            "writers beside a rename lose nothing that was acknowledged",
            seed,
        );
        let world = busy();
        let place = r#""place":{"working":"/repo"},"command":"design","feature""#;
        let mut requests = vec![format!(r#"{{"operation":"rename",{place}:"a","to":"b"}}"#)];
        for (feature, phase) in [("a", "four"), ("b", "five"), ("a", "six")] {
            requests.push(format!(
                r#"{{"operation":"update_phase",{place}:"{feature}","phase":"{phase}","patch":{{"status":"complete"}}}}"#
            ));
        }
        let machines = requests.iter().map(|it| request::start(it.as_bytes()));
        let replies = world.interleave(machines.collect(), seed);
        let (a, b) = (phases(&world, "a"), phases(&world, "b"));
        let mut kept: Vec<String> = [a, b].into_iter().flatten().flatten().collect();
        kept.sort();
        let acknowledged = |at: usize| replies[at].starts_with(r#"{"ok":true"#);
        for (at, phase) in [(1, "four"), (2, "five"), (3, "six")] {
            let count = kept.iter().filter(|it| *it == phase).count();
            assert!(count <= 1, "seed {seed}: {phase} is twice in {kept:?}");
            assert!(
                !acknowledged(at) || count == 1,
                "seed {seed}: {phase}: {replies:?}"
            );
        }
        for phase in ALL {
            assert!(
                kept.contains(&phase.to_owned()),
                "seed {seed}: {kept:?}: {replies:?}"
            );
        }
    }
}

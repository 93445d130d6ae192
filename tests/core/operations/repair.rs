//! Going back to earlier revisions, and bringing lost checkpoints back.

use milepost::effect::{Fault, Machine, MachineStep};
use milepost::json::{Json, Object};
use milepost::operation::request;

use super::{FILE, HEAD, ask, code, phase, save, text, value, warnings, world};
use crate::memory::{Injected, Memory};

const SIDE: &str = "/repo/.claude/state/.milepost/design-checkpoint";

fn number(value: &Json, key: &str) -> u64 {
    value
        .as_object()
        .unwrap()
        .get(key)
        .unwrap()
        .as_u64()
        .unwrap()
}

fn string(value: &Json, key: &str) -> String {
    let text = value.as_object().unwrap().get(key).unwrap().as_str();
    text.unwrap().to_owned()
}

pub(super) fn message(reply: &Object) -> String {
    string(reply.get("error").unwrap(), "message")
}

/// Revision 1 has the phase a, revision 2 b as well, revision 3 c as well.
pub(super) fn busy() -> Memory {
    let world = world();
    for name in ["a", "b", "c"] {
        value(&phase(&world, name, "{}"));
    }
    world
}

/// The stored document, apart from what each commit changes.
fn content(world: &Memory) -> Vec<String> {
    let text = text(&ask(world, "load", &[]));
    let volatile = |line: &&str| {
        ["\"revision\"", "\"seal\"", "  \"updated_at\""]
            .iter()
            .any(|key| line.starts_with(key))
            || line.starts_with("  \"revision\"")
            || line.starts_with("  \"seal\"")
            || line.starts_with("  \"restores\"")
    };
    let lines = text.lines().filter(|line| !volatile(line));
    lines.map(str::to_owned).collect()
}

fn has_phase(world: &Memory, name: &str) -> bool {
    text(&ask(world, "load", &[])).contains(&format!("    \"{name}\": {{"))
}

pub(super) fn entry(world: &Memory, number: u64) -> String {
    let mut files = world.files_below(&format!("{SIDE}/history")).into_iter();
    let file = files.find(|file| file.starts_with(&format!("{number}-")));
    format!("{SIDE}/history/{}", file.unwrap())
}

pub(super) fn alter(world: &Memory, number: u64) {
    let path = entry(world, number);
    world.put(&path, world.text(&path).replace("pending", "skipped"));
}

/// The advice of a failure, in a line.
pub(super) fn advice(reply: &Object) -> String {
    let error = reply.get("error").unwrap();
    let advice = error.as_object().unwrap().get("advice").unwrap();
    let word = |key| {
        advice
            .as_object()
            .unwrap()
            .get(key)
            .unwrap()
            .as_str()
            .unwrap()
    };
    format!("{} {}", word("kind"), word("command"))
}

#[test]
fn an_undo_writes_the_content_before_as_the_next_revision_and_can_be_redone() {
    let world = busy();
    let before = content(&world);
    let undone = ask(&world, "undo", &[]);
    assert_eq!(number(value(&undone), "revision"), 4);
    assert_eq!(number(value(&undone), "restored"), 2);
    assert!(has_phase(&world, "b") && !has_phase(&world, "c"));
    let again = ask(&world, "redo", &[]);
    assert_eq!(number(value(&again), "revision"), 5);
    assert_eq!(number(value(&again), "restored"), 3);
    assert_eq!(content(&world), before);
}

#[test]
fn an_undo_has_the_time_of_the_undo_and_the_commit_of_the_content() {
    let world = busy();
    world.put("/repo/.git/refs/heads/main", "b".repeat(40));
    world.now_ms.set(world.now_ms.get() + 3_600_000.0);
    value(&ask(&world, "undo", &[]));
    let loaded = ask(&world, "load", &[]);
    let text = text(&loaded);
    assert!(text.contains(HEAD), "{text}");
    assert!(
        text.contains("\"updated_at\": \"2027-01-15T09:00:0"),
        "{text}"
    );
    assert_eq!(warnings(&loaded), ["stale"]);
}

#[test]
fn an_undo_goes_to_any_revision_that_is_kept() {
    let world = busy();
    let undone = ask(&world, "undo", &[("to", 1u64.into())]);
    assert_eq!(number(value(&undone), "restored"), 1);
    assert!(has_phase(&world, "a") && !has_phase(&world, "b"));
    let text_before = world.text(FILE);
    let missing = ask(&world, "undo", &[("to", 9u64.into())]);
    assert_eq!(code(&missing), "not_found");
    assert_eq!(advice(&missing), "log design");
    let present = ask(&world, "undo", &[("to", 4u64.into())]);
    assert_eq!(number(value(&present), "revision"), 4);
    let changed = value(&present).as_object().unwrap().get("changed");
    assert_eq!(changed, Some(&Json::Bool(false)));
    assert_eq!(world.text(FILE), text_before);
}

#[test]
fn an_undo_without_anything_before_is_not_found() {
    let world = world();
    assert_eq!(code(&ask(&world, "undo", &[])), "not_found");
    assert_eq!(world.files_below("/repo/.claude"), [""; 0]);
    phase(&world, "a", "{}");
    let before = world.text(FILE);
    let undone = ask(&world, "undo", &[]);
    assert_eq!(code(&undone), "not_found");
    assert!(message(&undone).contains("nothing to undo"));
    assert_eq!(world.text(FILE), before);
}

#[test]
fn an_undo_passes_over_altered_revisions_and_refuses_one_that_is_asked_for() {
    let world = busy();
    alter(&world, 2);
    let refused = ask(&world, "undo", &[("to", 2u64.into())]);
    assert_eq!(code(&refused), "corrupt");
    let path = entry(&world, 2).replace("/repo/", "");
    assert!(message(&refused).contains(&path), "{}", message(&refused));
    let undone = ask(&world, "undo", &[]);
    assert_eq!(number(value(&undone), "restored"), 1);
}

#[test]
fn an_undo_replaces_what_a_hand_broke_and_never_writes_what_nothing_can_change() {
    let world = busy();
    world.put(FILE, r#"{"command":"design","version":1,"state":7}"#);
    let undone = ask(&world, "undo", &[]);
    assert_eq!(number(value(&undone), "restored"), 3);
    assert_eq!(warnings(&undone), ["edited_by_hand"]);
    assert!(has_phase(&world, "c"));
    // The broken one is revision 4, and the next undo goes behind it.
    let refused = ask(&world, "undo", &[("to", 4u64.into())]);
    assert_eq!(code(&refused), "invalid_document");
    // The next undo goes one further back than the last.
    assert_eq!(number(value(&ask(&world, "undo", &[])), "restored"), 2);
}

#[test]
fn a_checkpoint_of_a_later_version_is_not_undone() {
    let world = busy();
    world.put(FILE, r#"{"command":"design","version":2}"#);
    let before = world.text(FILE);
    assert_eq!(code(&ask(&world, "undo", &[])), "unsupported_version");
    assert_eq!(world.text(FILE), before);
}

#[test]
fn an_undo_of_a_state_that_was_changed_since_is_a_conflict() {
    let world = busy();
    let loaded = ask(&world, "load", &[]);
    let seen = [
        ("revision", Json::from(number(value(&loaded), "revision"))),
        ("seal", string(value(&loaded), "seal").into()),
    ];
    phase(&world, "d", "{}");
    let before = world.text(FILE);
    assert_eq!(code(&ask(&world, "undo", &seen)), "conflict");
    let other_seal = [("revision", 4u64.into()), ("seal", "x".into())];
    assert_eq!(code(&ask(&world, "undo", &other_seal)), "conflict");
    assert_eq!(code(&ask(&world, "undo", &seen[..1])), "usage");
    assert_eq!(code(&ask(&world, "undo", &seen[1..])), "usage");
    assert_eq!(world.text(FILE), before);
    let loaded = ask(&world, "load", &[]);
    let seen = [
        ("revision", Json::from(number(value(&loaded), "revision"))),
        ("seal", string(value(&loaded), "seal").into()),
    ];
    assert_eq!(number(value(&ask(&world, "undo", &seen)), "restored"), 3);
}

fn request_machine(operation: &str, more: &[(&str, Json)]) -> Machine<String> {
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", Object::new().with("working", "/repo"))
        .with("command", "design");
    for (key, value) in more {
        request.set(key, value.clone());
    }
    request::start(Json::Object(request).to_line().as_bytes())
}

#[test]
fn an_undo_beside_writers_undoes_what_it_saw_or_nothing() {
    for seed in 0..600 {
        let _run =
            milepost_property::seed("an undo beside writers undoes what it saw or nothing", seed);
        let world = busy();
        world.has_locks.set(seed % 2 == 1);
        let update = |name: &str| {
            let more = [("phase", Json::from(name)), ("patch", Object::new().into())];
            request_machine("update_phase", &more)
        };
        let machines = vec![
            request_machine("undo", &[]),
            update("w1"),
            request_machine("undo", &[]),
            update("w2"),
        ];
        let replies = world.interleave(machines, seed);
        let mut revisions = Vec::new();
        for (at, reply) in replies.iter().enumerate() {
            let reply = milepost::json::read(reply.as_bytes()).unwrap().value;
            let reply = reply.as_object().unwrap();
            if reply.get("ok") == Some(&Json::Bool(true)) {
                revisions.push(number(value(reply), "revision"));
            } else if at % 2 == 0 {
                assert!(
                    ["conflict", "busy"].contains(&code(reply)),
                    "seed {seed}: {reply:?}"
                );
            } else {
                assert_eq!(code(reply), "busy", "seed {seed}: {reply:?}");
            }
        }
        let count = revisions.len();
        revisions.sort_unstable();
        revisions.dedup();
        assert_eq!(revisions.len(), count, "seed {seed}");
        // Every acknowledged change is in the document or in the history, under its number.
        let log = ask(&world, "log", &[]);
        let entries = value(&log).as_array().unwrap();
        let listed: Vec<u64> = entries.iter().map(|it| number(it, "revision")).collect();
        for revision in revisions {
            assert!(listed.contains(&revision), "seed {seed}: {listed:?}");
        }
    }
}

#[test]
fn a_fault_or_a_crash_at_any_effect_of_an_undo_leaves_the_old_state_or_the_new_one() {
    for for_good in [false, true] {
        for at in 0.. {
            let world = busy();
            let first = world.performed.get();
            world.injected.set(Some(Injected {
                at: first + at,
                for_good,
                fault: Fault::Other,
            }));
            let reply = ask(&world, "undo", &[]);
            let came_through = world.performed.get() <= first + at;
            world.injected.set(None);
            let undone = !has_phase(&world, "c");
            match reply.get("ok") == Some(&Json::Bool(true)) {
                true => assert!(undone, "effect {at}"),
                false => assert_eq!(code(&reply), "io", "effect {at}"),
            }
            phase(&world, "d", "{}");
            assert!(
                has_phase(&world, "a") && has_phase(&world, "b"),
                "effect {at}"
            );
            assert_eq!(has_phase(&world, "c"), !undone, "effect {at}");
            if came_through {
                break;
            }
        }
    }
    for at in 0.. {
        let world = busy();
        let mut machine = request_machine("undo", &[]);
        let mut step = || match machine.step().unwrap() {
            MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).is_ok(),
            MachineStep::Done(_) => false,
        };
        let ended = (0..at).any(|_| !step());
        let undone = !has_phase(&world, "c");
        assert!(undone || !ended, "effect {at}");
        value(&phase(&world, "d", "{}"));
        assert_eq!(has_phase(&world, "c"), !undone, "effect {at}");
        if ended {
            break;
        }
    }
}

#[test]
fn a_corrupt_checkpoint_is_recovered_and_the_error_says_how() {
    let world = busy();
    world.put(FILE, "{ torn");
    let refused = ask(&world, "load", &[]);
    assert_eq!(advice(&refused), "recover design");
    assert_eq!(code(&ask(&world, "undo", &[])), "corrupt");
    assert_eq!(code(&ask(&world, "prune", &[])), "corrupt");
    let recovered = ask(&world, "recover", &[]);
    assert_eq!(number(value(&recovered), "revision"), 5);
    assert_eq!(number(value(&recovered), "restored"), 3);
    let copy = string(value(&recovered), "quarantined");
    assert_eq!(world.text(&format!("/repo/{copy}")), "{ torn");
    assert!(has_phase(&world, "c"));
    let again = ask(&world, "recover", &[]);
    assert_eq!(code(&again), "not_found");
    assert!(message(&again).contains("nothing to recover"));
}

#[test]
fn a_revision_that_nothing_can_change_is_not_recovered_and_the_error_says_why() {
    let world = busy();
    world.put(FILE, r#"{"command":"design","version":1,"state":7}"#);
    // The broken one becomes a revision of the history.
    value(&save(&world, "{}"));
    world.put(FILE, "{ torn");
    let refused = ask(&world, "recover", &[("to", 4u64.into())]);
    assert_eq!(code(&refused), "invalid_document");
    for number in [5, 3] {
        let path = entry(&world, number);
        world.put(&path, "altered");
    }
    let recovered = ask(&world, "recover", &[]);
    assert_eq!(number(value(&recovered), "restored"), 2);
}

#[test]
fn a_kept_revision_is_loaded_exactly_as_it_is_stored() {
    let world = busy();
    let stored = text(&ask(&world, "load", &[]));
    phase(&world, "d", "{}");
    let loaded = ask(&world, "load", &[("revision", 3u64.into())]);
    assert_eq!(text(&loaded), stored);
    let present = ask(&world, "load", &[("revision", 4u64.into())]);
    assert_eq!(text(&present), world.text(FILE));
    let missing = ask(&world, "load", &[("revision", 9u64.into())]);
    assert_eq!(code(&missing), "not_found");
    assert_eq!(advice(&missing), "log design");
    alter(&world, 2);
    let altered = ask(&world, "load", &[("revision", 2u64.into())]);
    assert_eq!(code(&altered), "corrupt");
    // It can be read also where the checkpoint cannot.
    world.put(FILE, "{ torn");
    assert_eq!(
        text(&ask(&world, "load", &[("revision", 3u64.into())])),
        stored
    );
}

#[test]
fn a_run_that_vanished_is_refused_with_the_command_that_recovers_it() {
    let world = busy();
    world.delete(FILE);
    for operation in ["undo", "complete", "gate"] {
        let refused = ask(&world, operation, &[]);
        assert_eq!(code(&refused), "not_found");
        assert_eq!(
            message(&refused),
            "The run of design was deleted, but its history is kept"
        );
        assert_eq!(advice(&refused), "recover design");
    }
    let never = ask(&world, "undo", &[("command", "ship".into())]);
    assert_eq!(message(&never), "There is no run of ship");
}

#[test]
fn a_diff_calls_an_altered_revision_corrupt_as_load_does() {
    let world = busy();
    alter(&world, 2);
    let shown = ask(&world, "load", &[("revision", 2u64.into())]);
    for (key, other) in [("from", "to"), ("to", "from")] {
        let compared = ask(&world, "diff", &[(key, 2u64.into()), (other, 3u64.into())]);
        assert_eq!(code(&compared), "corrupt");
        assert_eq!(message(&compared), message(&shown));
    }
    let missing = ask(&world, "diff", &[("from", 9u64.into())]);
    assert_eq!(code(&missing), "not_found");
}

#[test]
fn a_revision_that_a_hand_wrote_is_the_base_of_a_save_under_its_own_name() {
    let world = busy();
    world.put(
        FILE,
        r#"{"command":"design","version":1,"revision":2,"note":"by hand"}"#,
    );
    let seen = ask(&world, "load", &[]);
    phase(&world, "d", "{}");
    let kept = ask(&world, "load", &[("revision", 4u64.into())]);
    assert_eq!(text(&kept), text(&seen));
    assert_eq!(string(value(&kept), "seal"), string(value(&seen), "seal"));
}

#[test]
fn the_log_shows_what_an_undo_went_back_to() {
    let world = busy();
    ask(&world, "undo", &[]);
    ask(&world, "redo", &[]);
    let log = ask(&world, "log", &[]);
    let same: Vec<Option<u64>> = value(&log)
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_object().unwrap().get("same_as").unwrap().as_u64())
        .collect();
    assert_eq!(same, [Some(3), Some(2), None, None, None]);
}

#[test]
fn the_history_of_a_corrupt_checkpoint_can_be_listed_and_compared() {
    let world = busy();
    world.put(FILE, "{ torn");
    let log = ask(&world, "log", &[]);
    assert_eq!(value(&log).as_array().unwrap().len(), 3);
    assert_eq!(warnings(&log), ["invalid_document"]);
    assert_eq!(code(&ask(&world, "diff", &[])), "corrupt");
    let compared = ask(
        &world,
        "diff",
        &[("from", 1u64.into()), ("to", 3u64.into())],
    );
    assert_eq!(number(value(&compared), "to"), 3);
}

#[test]
fn a_request_by_the_earlier_name_of_prune_is_answered_as_by_its_name() {
    let world = busy();
    let [by_name, by_earlier_name] = ["prune", "trim"].map(|name| ask(&world, name, &[]));
    assert_eq!(value(&by_earlier_name), value(&by_name));
    let unknown = ask(&world, "trim", &[("revision", 20u64.into())]);
    assert_eq!(code(&unknown), "usage");
}

#[test]
fn pruning_on_request_says_what_it_removed() {
    let world = world();
    for round in 0..30 {
        phase(&world, &format!("p{round}"), "{}");
    }
    assert_eq!(
        code(&ask(&world, "prune", &[("revisions", 9u64.into())])),
        "usage"
    );
    let pruned = ask(&world, "prune", &[("revisions", 20u64.into())]);
    assert_eq!(number(value(&pruned), "kept"), 21);
    let removed = value(&pruned).as_object().unwrap().get("removed").unwrap();
    assert_eq!(removed.as_array().unwrap().len(), 9);
    assert_eq!(
        code(&ask(&world, "prune", &[("command", "ship".into())])),
        "not_found"
    );
}

#[test]
fn a_request_says_how_much_history_is_kept() {
    let world = world();
    let place = |history: Json| {
        Object::new()
            .with("working", "/repo")
            .with("history", history)
    };
    let history = Object::new()
        .with("revisions", 10u64)
        .with("days", Json::Null);
    for round in 0..32 {
        let more = [
            ("place", place(history.clone().into()).into()),
            ("phase", format!("p{round}").into()),
            ("patch", Object::new().into()),
        ];
        value(&ask(&world, "update_phase", &more));
    }
    assert_eq!(world.files_below(&format!("{SIDE}/history")).len(), 11);
    for wrong in [
        Json::from(50u64),
        Object::new().with("revisions", 9u64).into(),
        Object::new().with("revisions", "50").into(),
        Object::new().with("days", true).into(),
    ] {
        let reply = ask(&world, "load", &[("place", place(wrong).into())]);
        assert_eq!(code(&reply), "usage");
    }
}

//! Writers in every order, and faults and crashes at every effect.

use milepost::effect::{Fault, Machine};
use milepost::error::Code;
use milepost::json::Object;
use milepost::store::{self, Change, Origin, VersionedDocument};

use super::{DOCUMENT, SIDE, add, adding, folder_in, lazy, left_over, object, read, stem};
use crate::memory::{Injected, Memory};

#[test]
fn no_order_of_four_writers_loses_an_acknowledged_update() {
    for seed in 0..2_000 {
        let _run = milepost_property::seed(
            "no order of four writers loses an acknowledged update",
            seed,
        );
        let world = Memory::new();
        // Half of the runs without the lock's help, which safety must not need.
        world.has_locks.set(seed % 2 == 1);
        let writers = (0..4).map(|writer| adding(format!("w{writer}"))).collect();
        let results = world.interleave(writers, seed);
        let stored = object(&world);
        let mut revisions = Vec::new();
        for (writer, result) in results.into_iter().enumerate() {
            match result {
                Ok(committed) => {
                    let key = format!("w{writer}");
                    assert!(stored.get(&key).is_some(), "seed {seed}: {key} is lost");
                    revisions.push(committed.stamp.revision);
                }
                Err(error) => assert_eq!(error.code(), Code::Busy, "seed {seed}: {error}"),
            }
        }
        revisions.sort_unstable();
        let count = revisions.len();
        revisions.dedup();
        assert_eq!(
            revisions.len(),
            count,
            "seed {seed}: one revision, two commits"
        );
        // Leftovers of the last one beside history go with the next one.
        add(&world, "next").unwrap();
        assert!(
            left_over(&world).is_empty(),
            "seed {seed}: {:?}",
            left_over(&world)
        );
    }
}

#[test]
fn a_fault_at_any_effect_leaves_the_old_document_or_the_new_one_and_no_leftovers() {
    for for_good in [false, true] {
        for at in 0.. {
            let world = Memory::new();
            add(&world, "a").unwrap();
            let first = world.performed.get();
            world.injected.set(Some(Injected {
                at: first + at,
                for_good,
                fault: Fault::Other,
            }));
            let result = add(&world, "b");
            let came_through = world.performed.get() <= first + at;
            world.injected.set(None);
            let stored = object(&world);
            assert!(
                stored.get("a").is_some(),
                "effect {at}: the old state is lost"
            );
            match result {
                Ok(_) => assert!(
                    stored.get("b").is_some(),
                    "effect {at}: acknowledged, then lost"
                ),
                Err(error) => assert_eq!(error.code(), Code::Io, "effect {at}: {error}"),
            }
            add(&world, "c").unwrap();
            assert!(object(&world).get("c").is_some());
            // A second name of what it replaced may be left beside history, and goes with the next.
            assert!(left_over(&world).iter().all(|it| it.ends_with(".tmp")));
            add(&world, "d").unwrap();
            let left_over = left_over(&world);
            assert!(left_over.is_empty(), "effect {at}: {left_over:?}");
            if came_through {
                break;
            }
        }
    }
}

#[test]
fn a_fault_during_the_first_save_never_leaves_state_that_git_would_commit() {
    for at in 0..40 {
        let world = Memory::new();
        world.injected.set(Some(Injected {
            at,
            for_good: false,
            fault: Fault::Other,
        }));
        let _ = add(&world, "a");
        world.injected.set(None);
        add(&world, "b").unwrap();
        let ignore = world.bytes("/repo/.claude/state/.gitignore");
        assert_eq!(ignore.as_deref(), Some(&b"*\n"[..]), "effect {at}");
        assert_eq!(left_over(&world), Vec::<String>::new(), "effect {at}");
    }
}

#[test]
fn a_revision_without_a_seal_and_a_history_is_adopted_as_an_edit_and_counted_on() {
    for claimed in [
        "-1",
        "1.5",
        "\"7\"",
        "0",
        "4503599627370496",
        "9007199254740992",
    ] {
        let world = Memory::new();
        world.put(DOCUMENT, format!("{{\"revision\":{claimed}}}"));
        let document = read(&world).unwrap().document.unwrap();
        assert_eq!(document.origin, Origin::Edited, "{claimed}");
        let committed = add(&world, "a").unwrap();
        let expected = document.stamp.revision + 1;
        assert_eq!(committed.stamp.revision, expected, "{claimed}");
        let document = read(&world).unwrap().document.unwrap();
        assert_eq!(document.origin, Origin::Store, "{claimed}");
    }
}

#[test]
fn a_crash_at_any_effect_leaves_a_state_that_the_next_writer_takes_up() {
    for at in 0.. {
        let world = Memory::new();
        add(&world, "a").unwrap();
        let mut machine = adding("b".to_owned());
        let mut acknowledged = false;
        for _ in 0..at {
            match machine.step().unwrap() {
                milepost::effect::MachineStep::Effect(effect) => {
                    machine.resume(world.perform(&effect)).unwrap();
                }
                milepost::effect::MachineStep::Done(result) => {
                    result.unwrap();
                    acknowledged = true;
                    break;
                }
            }
        }
        drop(machine);
        let start_ms = world.now_ms.get();
        add(&world, "c").unwrap();
        assert!(world.now_ms.get() - start_ms < 2_500.0, "effect {at}");
        let stored = object(&world);
        assert!(
            stored.get("a").is_some() && stored.get("c").is_some(),
            "effect {at}"
        );
        add(&world, "d").unwrap();
        assert!(
            left_over(&world).is_empty(),
            "effect {at}: {:?}",
            left_over(&world)
        );
        if acknowledged {
            assert!(stored.get("b").is_some(), "effect {at}");
            break;
        }
    }
}

#[test]
fn strays_in_the_folder_of_tokens_are_an_error_that_says_so() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    for stray in 0..10_001 {
        world.put(&format!("{SIDE}/tokens/stray{stray}"), "");
    }
    let error = add(&world, "b").unwrap_err();
    assert_eq!(error.code(), Code::Io);
    assert!(error.to_string().contains("stray"), "{error}");
}

#[test]
fn a_folder_that_the_user_chose_keeps_its_own_ignore_rules() {
    let world = Memory::new();
    world.put("/repo/kept/readme.md", "x");
    let committed = world.run(Machine::start(|io| async move {
        let folder = folder_in("/repo", Some("kept"));
        let mut decide = |_: &store::Current<'_>| Ok(Change::write(Object::new()));
        let document = VersionedDocument::new(&io, &folder, &stem(), lazy());
        document.update(None, &mut decide).await
    }));
    committed.unwrap();
    assert_eq!(world.bytes("/repo/kept/.gitignore"), None);
    assert_eq!(world.text("/repo/kept/.milepost/.gitignore"), "*\n");
}

#[test]
fn leftovers_of_a_writer_without_the_hint_are_removed() {
    for at in 0.. {
        let world = Memory::new();
        add(&world, "a").unwrap();
        world.has_locks.set(false);
        let first = world.performed.get();
        let mut machine = adding("b".to_owned());
        let has_ended = loop {
            match machine.step().unwrap() {
                _ if world.performed.get() == first + at => break false,
                milepost::effect::MachineStep::Effect(effect) => {
                    machine.resume(world.perform(&effect)).unwrap();
                }
                milepost::effect::MachineStep::Done(_) => break true,
            }
        };
        drop(machine);
        add(&world, "c").unwrap();
        add(&world, "d").unwrap();
        assert_eq!(left_over(&world), Vec::<String>::new(), "effect {at}");
        if has_ended {
            break;
        }
    }
}

//! A lost document comes back from history, and what was corrupt is kept: in every order, and with
//! faults and crashes at every effect.

use milepost::effect::{Effect, Fault, Machine, MachineStep};
use milepost::error::{Code, Error, ErrorKind};
use milepost::json::Object;
use milepost::store::{Committed, RecoveredDocument, Revision, RevisionChoice};
use milepost_disk::failed;

use super::{DOCUMENT, SIDE, add, adding, left_over, object, read, versioned_document};
use crate::damage::{commits, finish, until};
use crate::memory::{Injected, Memory};

const TORN: &str = "{\n  \"a\": tr";

fn recovering(choice: RevisionChoice) -> Machine<Result<RecoveredDocument, Error>> {
    Machine::start(move |io| async move {
        let mut accept = |_: &Revision, object: Object| match object.get("refused") {
            None => Ok(object),
            Some(_) => Err(Error::usage("refused".to_owned())),
        };
        versioned_document(&io).recover(choice, &mut accept).await
    })
}

const LAST: RevisionChoice = RevisionChoice::Below(u64::MAX);

fn recover(world: &Memory) -> Result<RecoveredDocument, Error> {
    world.run(recovering(LAST))
}

/// Revisions 1 to 3 with the members `a` to `c`, and then a torn file.
fn torn() -> Memory {
    let world = Memory::new();
    for key in ["a", "b", "c"] {
        add(&world, key).unwrap();
    }
    world.put(DOCUMENT, TORN);
    world
}

/// The texts that quarantine keeps.
fn copies(world: &Memory) -> Vec<String> {
    let folder = format!("{SIDE}/quarantine");
    let files = world.files_below(&folder).into_iter();
    files
        .map(|file| world.text(&format!("{folder}/{file}")))
        .collect()
}

fn entry(world: &Memory, number: u64) -> String {
    let folder = format!("{SIDE}/history");
    let mut files = world.files_below(&folder).into_iter();
    let file = files.find(|file| file.starts_with(&format!("{number}-")));
    format!("{folder}/{}", file.unwrap())
}

fn alter(world: &Memory, number: u64) {
    let path = entry(world, number);
    world.put(&path, world.text(&path).replace("true", "false"));
}

/// The leftovers of writers, apart from the files that are meant to stay.
fn strays(world: &Memory) -> Vec<String> {
    let mut files = left_over(world);
    files.retain(|file| !file.starts_with("quarantine/") || file.ends_with(".new"));
    files
}

#[test]
fn the_last_good_revision_comes_back_as_a_new_one_and_the_corrupt_file_is_kept() {
    let world = torn();
    let recovered = recover(&world).unwrap();
    assert_eq!((recovered.from, recovered.committed.stamp.revision), (3, 5));
    assert!(object(&world).get("c").is_some());
    assert_eq!(copies(&world), [TORN]);
    let copy = recovered.quarantined.unwrap();
    assert_eq!(world.text(&format!("/repo/{copy}")), TORN);
    assert_eq!(add(&world, "d").unwrap().stamp.revision, 6);
}

#[test]
fn altered_and_refused_revisions_are_passed_over() {
    let world = Memory::new();
    for key in ["a", "b", "refused"] {
        add(&world, key).unwrap();
    }
    world.put(DOCUMENT, TORN);
    alter(&world, 2);
    let recovered = recover(&world).unwrap();
    assert_eq!((recovered.from, recovered.committed.stamp.revision), (1, 5));
    assert_eq!(object(&world).get("b"), None);
}

#[test]
fn a_revision_that_is_asked_for_is_taken_or_refused_with_its_reason() {
    let world = Memory::new();
    for key in ["a", "b", "refused"] {
        add(&world, key).unwrap();
    }
    world.put(DOCUMENT, TORN);
    alter(&world, 2);
    let mut refusals = Vec::new();
    for number in [2, 3, 9] {
        let error = world
            .run(recovering(RevisionChoice::Exactly(number)))
            .unwrap_err();
        refusals.push((error.code(), error.to_string()));
    }
    let path = entry(&world, 2).replace("/repo/", "");
    assert_eq!(refusals[0].0, Code::Corrupt);
    assert!(refusals[0].1.contains(&path), "{}", refusals[0].1);
    assert_eq!(refusals[1], (Code::Usage, "refused".to_owned()));
    assert_eq!(refusals[2].0, Code::NotFound);
    assert!(refusals[2].1.contains("is not kept"), "{}", refusals[2].1);
    assert_eq!(world.text(DOCUMENT), TORN);
    let recovered = world.run(recovering(RevisionChoice::Exactly(1))).unwrap();
    assert_eq!(recovered.from, 1);
}

/// Recovers where no read of an entry of these revisions comes through.
fn recover_unread(
    world: &Memory,
    unread: &[u64],
    choice: RevisionChoice,
) -> Result<RecoveredDocument, Error> {
    let unread: Vec<String> = unread.iter().map(|it| entry(world, *it)).collect();
    recovering(choice).run(|effect| match &effect {
        Effect::Read { path, .. } if unread.contains(path) => failed(Fault::Other),
        _ => world.perform(&effect),
    })
}

#[test]
fn a_last_revision_that_cannot_be_read_is_replaced_by_an_older_one_on_request_only() {
    let world = torn();
    for choice in [RevisionChoice::Exactly(3), LAST] {
        let error = recover_unread(&world, &[3], choice).unwrap_err();
        assert_eq!(error.code(), Code::Io);
        let says_how = error.to_string().contains("asked for by its number");
        assert_eq!(says_how, choice == LAST, "{error}");
        assert_eq!(world.text(DOCUMENT), TORN);
    }
    let recovered = recover_unread(&world, &[3], RevisionChoice::Exactly(2)).unwrap();
    assert_eq!(recovered.from, 2);
}

#[test]
fn a_revision_that_cannot_be_read_does_not_hide_the_last_good_one() {
    let world = torn();
    let unread = entry(&world, 3);
    let error = read(&world);
    assert!(matches!(
        error.unwrap_err().kind(),
        ErrorKind::Corrupt {
            last_good: Some(3),
            ..
        }
    ));
    let machine = Machine::start(|io| async move { versioned_document(&io).read().await });
    let error = machine.run(|effect| match &effect {
        Effect::Read { path, .. } if *path == unread => failed(Fault::Other),
        _ => world.perform(&effect),
    });
    assert!(matches!(
        error.unwrap_err().kind(),
        ErrorKind::Corrupt {
            last_good: Some(2),
            ..
        }
    ));
}

#[test]
fn a_document_that_vanished_comes_back() {
    let world = torn();
    world.delete(DOCUMENT);
    let recovered = recover(&world).unwrap();
    assert_eq!((recovered.from, recovered.quarantined), (3, None));
    assert_eq!(recovered.committed.stamp.revision, 5);
    assert!(object(&world).get("c").is_some());
}

#[test]
fn a_document_that_can_be_read_is_not_recovered_and_nothing_is_written() {
    for by_hand in [false, true] {
        let world = Memory::new();
        match by_hand {
            true => world.put(DOCUMENT, "{\"x\":1}"),
            false => drop(add(&world, "a").unwrap()),
        }
        let before = world.files_below("/repo");
        let (text, log) = (world.text(DOCUMENT), world.log.borrow().len());
        let error = recover(&world).unwrap_err();
        assert_eq!(error.code(), Code::NotFound);
        assert!(error.to_string().contains("nothing to recover"), "{error}");
        assert_eq!(
            (world.files_below("/repo"), world.text(DOCUMENT)),
            (before, text)
        );
        let log = &world.log.borrow()[log..];
        let is_read = |it: &String| {
            ["Inspect", "Read", "List"]
                .iter()
                .any(|of| it.starts_with(of))
        };
        assert!(log.iter().all(is_read), "{log:?}");
    }
}

#[test]
fn recover_of_an_unknown_document_fails_and_makes_no_folder() {
    let world = Memory::new();
    assert_eq!(recover(&world).unwrap_err().code(), Code::NotFound);
    assert_eq!(world.disk.borrow().names("/repo").len(), 0);
}

#[test]
fn without_a_good_revision_the_corrupt_file_stays_and_its_copy_is_named() {
    let world = Memory::new();
    world.put(DOCUMENT, TORN);
    let error = recover(&world).unwrap_err();
    assert_eq!(error.code(), Code::NotFound);
    let message = error.to_string();
    let (_, copy) = message.split_once("copied to ").unwrap();
    assert_eq!(world.text(&format!("/repo/{copy}")), TORN);
    assert_eq!(world.text(DOCUMENT), TORN);
    assert_eq!(strays(&world), Vec::<String>::new());
}

#[test]
fn without_a_copy_in_quarantine_nothing_is_overwritten() {
    for at_the_copy in ["/quarantine/", "/quarantine", "SyncFolder"] {
        let world = torn();
        let full = |effect: Effect| {
            let shown = format!("{effect:?}");
            let hit = match at_the_copy {
                "SyncFolder" => shown.contains("SyncFolder") && shown.contains("/quarantine"),
                path => shown.starts_with("Create") && shown.contains(path),
            };
            match hit {
                true => milepost::effect::Outcome::Failed {
                    fault: Fault::Other,
                    detail: "EIO".into(),
                },
                false => world.perform(&effect),
            }
        };
        let error = recovering(LAST).run(full).unwrap_err();
        assert_eq!(error.code(), Code::Io, "{at_the_copy}");
        assert_eq!(world.text(DOCUMENT), TORN, "{at_the_copy}");
        recover(&world).unwrap();
        assert_eq!(copies(&world), [TORN], "{at_the_copy}");
    }
}

#[test]
fn a_copy_in_quarantine_that_is_not_what_its_name_says_is_written_again() {
    let world = torn();
    add(&world, "x").unwrap_err();
    let copy = world.files_below(&format!("{SIDE}/quarantine")).remove(0);
    world.put(&format!("{SIDE}/quarantine/{copy}"), "half");
    recover(&world).unwrap();
    assert_eq!(copies(&world), [TORN]);
}

#[test]
fn the_copy_and_its_name_are_durable_before_the_document_is_replaced() {
    let world = torn();
    let start = world.log.borrow().len();
    recover(&world).unwrap();
    let log = world.log.borrow()[start..].to_vec();
    let first = |what: &str, path: &str| {
        let hit = |effect: &String| effect.starts_with(what) && effect.contains(path);
        log.iter().position(hit).unwrap()
    };
    let steps = [
        first("Create", "/quarantine/"),
        first("Rename", "/quarantine/"),
        first("SyncFolder", "/quarantine\""),
        first("SyncFolder", "/design-checkpoint\""),
        first(
            "Rename",
            "to: \"/repo/.claude/state/design-checkpoint.json\"",
        ),
    ];
    assert!(steps.is_sorted(), "{steps:?}");
    assert!(log[steps[0]].contains("sync: Durable"), "{}", log[steps[0]]);
}

#[test]
fn a_document_that_becomes_readable_during_a_recovery_is_not_overwritten() {
    // Another recovery and an update come in between, at every moment before the commit.
    for at in 0.. {
        let world = torn();
        let mut slow = recovering(LAST);
        let mut committed = false;
        for _ in 0..at {
            match slow.step().unwrap() {
                MachineStep::Effect(effect) => {
                    committed |= commits(&effect);
                    slow.resume(world.perform(&effect)).unwrap();
                }
                MachineStep::Done(_) => panic!("it ended before"),
            }
        }
        if committed {
            break;
        }
        recover(&world).unwrap();
        let acknowledged = add(&world, "d").unwrap();
        let error = finish(&world, slow).unwrap_err();
        assert_eq!(error.code(), Code::NotFound, "effect {at}: {error}");
        let stored = read(&world).unwrap().document.unwrap();
        assert_eq!(stored.stamp, acknowledged.stamp, "effect {at}");
    }
}

#[test]
fn a_file_that_is_fixed_by_hand_during_a_recovery_is_not_overwritten() {
    let world = torn();
    let mut slow = recovering(LAST);
    // The token is made, and the second read is still to come.
    let listing = until(&world, &mut slow, |effect| {
        matches!(effect, Effect::List { path, .. } if path.ends_with("/tokens"))
            && world.files_below(&format!("{SIDE}/tokens")).len() == 1
    });
    slow.resume(world.perform(&listing)).unwrap();
    world.put(DOCUMENT, "{\"fixed\": true}");
    let error = finish(&world, slow).unwrap_err();
    assert_eq!(error.code(), Code::NotFound, "{error}");
    assert_eq!(world.text(DOCUMENT), "{\"fixed\": true}");
}

#[test]
fn every_corrupt_state_that_is_replaced_has_its_copy() {
    let world = torn();
    let mut slow = recovering(LAST);
    let listing = until(
        &world,
        &mut slow,
        |effect| matches!(effect, Effect::List { path, .. } if path.ends_with("/tokens")),
    );
    world.put(DOCUMENT, "torn otherwise");
    slow.resume(world.perform(&listing)).unwrap();
    finish(&world, slow).unwrap();
    let mut kept = copies(&world);
    kept.sort();
    assert_eq!(kept, ["torn otherwise", TORN]);
}

/// The acts of several processes on a torn document.
enum Done {
    Added(String, Result<Box<Committed>, Error>),
    Recovered(Result<RecoveredDocument, Error>),
}

#[test]
fn no_order_of_recoveries_and_writers_loses_anything() {
    for seed in 0..1_500 {
        let _run =
            milepost_property::seed("no order of recoveries and writers loses anything", seed);
        let world = torn();
        world.has_locks.set(seed % 2 == 1);
        world.has_links.set(seed % 3 != 0);
        let mut machines: Vec<Machine<Done>> = Vec::new();
        for _ in 0..2 {
            machines.push(Machine::start(|io| async move {
                let mut accept = |_: &Revision, object: Object| Ok(object);
                Done::Recovered(versioned_document(&io).recover(LAST, &mut accept).await)
            }));
        }
        for writer in 0..3 {
            machines.push(Machine::start(move |io| async move {
                let key = format!("w{writer}");
                Done::Added(key.clone(), super::adding_to(&io, &key).await)
            }));
        }
        let results = world.interleave(machines, seed);
        let stored = object(&world);
        let mut revisions = Vec::new();
        let mut recoveries = 0;
        for done in results {
            match done {
                Done::Added(key, Ok(committed)) => {
                    assert!(stored.get(&key).is_some(), "seed {seed}: {key} is lost");
                    revisions.push(committed.stamp.revision);
                }
                Done::Recovered(Ok(recovered)) => {
                    recoveries += 1;
                    revisions.push(recovered.committed.stamp.revision);
                }
                Done::Added(_, Err(error)) => {
                    let known = [Code::Corrupt, Code::Busy].contains(&error.code());
                    assert!(known, "seed {seed}: {error}");
                }
                Done::Recovered(Err(error)) => {
                    let known = [Code::NotFound, Code::Busy].contains(&error.code());
                    assert!(known, "seed {seed}: {error}");
                }
            }
        }
        assert_eq!(recoveries, 1, "seed {seed}");
        assert!(stored.get("c").is_some(), "seed {seed}");
        assert_eq!(copies(&world), [TORN], "seed {seed}");
        let count = revisions.len();
        revisions.sort_unstable();
        revisions.dedup();
        assert_eq!(
            revisions.len(),
            count,
            "seed {seed}: one revision, two commits"
        );
        assert_eq!(strays(&world), Vec::<String>::new(), "seed {seed}");
    }
}

#[test]
fn a_fault_at_any_effect_of_a_recovery_keeps_the_corrupt_file_or_its_copy() {
    for for_good in [false, true] {
        for at in 0.. {
            let world = torn();
            let first = world.performed.get();
            world.injected.set(Some(Injected {
                at: first + at,
                for_good,
                fault: Fault::Other,
            }));
            let result = recover(&world);
            let came_through = world.performed.get() <= first + at;
            world.injected.set(None);
            let is_torn = world.text(DOCUMENT) == TORN;
            assert!(is_torn || copies(&world) == [TORN], "effect {at}");
            match result {
                Ok(_) => assert!(!is_torn, "effect {at}: acknowledged, and not done"),
                Err(error) => assert_eq!(error.code(), Code::Io, "effect {at}: {error}"),
            }
            if is_torn {
                recover(&world).unwrap();
            }
            add(&world, "d").unwrap();
            assert!(object(&world).get("c").is_some(), "effect {at}");
            assert_eq!(copies(&world), [TORN], "effect {at}");
            assert_eq!(strays(&world), Vec::<String>::new(), "effect {at}");
            if came_through {
                break;
            }
        }
    }
}

#[test]
fn a_crash_at_any_effect_of_a_recovery_leaves_a_state_that_the_next_one_takes_up() {
    for at in 0.. {
        let world = torn();
        let mut machine = recovering(LAST);
        let mut ended = false;
        for _ in 0..at {
            match machine.step().unwrap() {
                MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).unwrap(),
                MachineStep::Done(result) => {
                    result.unwrap();
                    ended = true;
                    break;
                }
            }
        }
        drop(machine);
        let is_torn = world.text(DOCUMENT) == TORN;
        assert!(is_torn || copies(&world) == [TORN], "effect {at}");
        let start_ms = world.now_ms.get();
        assert_eq!(recover(&world).is_ok(), is_torn, "effect {at}");
        assert!(world.now_ms.get() - start_ms < 2_500.0, "effect {at}");
        world.run(adding("d".to_owned())).unwrap();
        assert!(object(&world).get("c").is_some(), "effect {at}");
        assert_eq!(copies(&world), [TORN], "effect {at}");
        assert_eq!(strays(&world), Vec::<String>::new(), "effect {at}");
        if ended {
            break;
        }
    }
}

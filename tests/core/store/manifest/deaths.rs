//! Deaths and faults at every effect of every change.

use milepost::effect::{Fault, MachineStep};
use milepost::error::Code;
use milepost::store::Storage;

use super::{Done, Job, STORAGES, act, contents, garbage};
use crate::memory::{Injected, Memory};

/// The documents before, each with all kinds of changes to it.
const BEFORE: [Job; 4] = [
    Job::Save("t", "a", "1"),
    Job::Save("t", "b", "2"),
    Job::Save("t", "c", "3"),
    Job::Save("other", "x", "9"),
];

const JOBS: [Job; 6] = [
    Job::Save("t", "d", "new"),
    Job::Save("t", "b", "new"),
    Job::Save("new", "e", "new"),
    Job::Drop("t", "b"),
    Job::Remove("t"),
    Job::Sweep,
];

const NAMES: [&str; 3] = ["t", "new", "other"];

fn world(storage: Storage) -> Memory {
    let world = Memory::new();
    for job in BEFORE {
        act(&world, storage, job).unwrap();
    }
    world
}

fn all(world: &Memory, storage: Storage) -> [Vec<(String, String)>; 3] {
    NAMES.map(|name| contents(world, storage, name))
}

/// The documents before, and after the whole of a job.
fn ends(storage: Storage, job: Job) -> [[Vec<(String, String)>; 3]; 2] {
    let world = world(storage);
    let before = all(&world, storage);
    act(&world, storage, job).unwrap();
    [before, all(&world, storage)]
}

/// Leftovers go with the next write of the document where they belong to it, and all of them with a sweep.
fn is_clean_after(world: &Memory, storage: Storage, job: Job, context: &str) {
    world.now_ms.set(world.now_ms.get() + 120_000.0);
    if let Job::Save(name, ..) | Job::Drop(name, _) = job {
        let again = Job::Save(name, "later", "later");
        assert_eq!(act(world, storage, again).unwrap(), Done::Saved);
        let left = garbage(world, storage, &NAMES);
        assert_eq!(left, [""; 0], "{context}: after the next write");
    }
    let before = all(world, storage);
    act(world, storage, Job::Sweep).unwrap();
    assert_eq!(all(world, storage), before, "{context}");
    assert_eq!(
        garbage(world, storage, &NAMES),
        [""; 0],
        "{context}: after a sweep"
    );
}

#[test]
fn a_death_at_any_effect_leaves_nothing_half_done_lost_or_left_over() {
    let _run =
        milepost_property::run("a death at any effect leaves nothing half done lost or left over");
    for storage in STORAGES {
        for job in JOBS {
            let [before, after] = ends(storage, job);
            for at in 0.. {
                let world = world(storage);
                let mut machine = job.machine(storage);
                let mut has_ended = false;
                for _ in 0..at {
                    match machine.step().unwrap() {
                        MachineStep::Effect(effect) => {
                            machine.resume(world.perform(&effect)).unwrap();
                        }
                        MachineStep::Done(done) => {
                            done.unwrap();
                            has_ended = true;
                            break;
                        }
                    }
                }
                drop(machine);
                let context = format!("{storage:?} {job:?} at {at}");
                let now = all(&world, storage);
                assert!(now == before || now == after, "{context}: {now:?}");
                assert!(
                    !has_ended || now == after,
                    "{context}: acknowledged and lost"
                );
                is_clean_after(&world, storage, job, &context);
                if has_ended {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_fault_at_any_effect_is_not_acknowledged_and_leaves_nothing_half_done() {
    let _run = milepost_property::run(
        "a fault at any effect is not acknowledged and leaves nothing half done",
    );
    for storage in STORAGES {
        for job in JOBS {
            let [before, after] = ends(storage, job);
            for for_good in [false, true] {
                for at in 0.. {
                    let world = world(storage);
                    let first = world.performed.get();
                    world.injected.set(Some(Injected {
                        at: first + at,
                        for_good,
                        fault: Fault::Other,
                    }));
                    let done = act(&world, storage, job);
                    let came_through = world.performed.get() <= first + at;
                    world.injected.set(None);
                    let context = format!("{storage:?} {job:?} at {at}, for good: {for_good}");
                    let now = all(&world, storage);
                    assert!(now == before || now == after, "{context}: {now:?}");
                    match done {
                        Ok(_) => assert_eq!(now, after, "{context}"),
                        Err(error) => assert_eq!(error.code(), Code::Io, "{context}: {error}"),
                    }
                    is_clean_after(&world, storage, job, &context);
                    if came_through {
                        break;
                    }
                }
            }
        }
    }
}

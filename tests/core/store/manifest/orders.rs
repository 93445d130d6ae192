//! Writers, readers, removers and sweepers beside each other.

use milepost::effect::{Machine, MachineStep};
use milepost::error::{Code, Error};
use milepost::store::Storage;

use super::{Done, Job, STORAGES, act, contents, garbage};
use crate::memory::Memory;

/// Runs one job up to an effect, all of the others, and then the rest of it. `false` where it had ended.
fn split(
    world: &Memory,
    storage: Storage,
    job: Job,
    at: usize,
    others: &[Job],
) -> (bool, Result<Done, Error>, Vec<Result<Done, Error>>) {
    let mut machine = job.machine(storage);
    for _ in 0..at {
        match machine.step().unwrap() {
            MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).unwrap(),
            MachineStep::Done(done) => return (false, done, Vec::new()),
        }
    }
    let others = others.iter().map(|job| act(world, storage, *job)).collect();
    let done = world.run(machine);
    (true, done, others)
}

fn start(storage: Storage) -> Memory {
    let world = Memory::new();
    for job in [
        Job::Save("t", "a", "1"),
        Job::Save("t", "b", "2"),
        Job::Save("t", "c", "3"),
    ] {
        act(&world, storage, job).unwrap();
    }
    world
}

#[test]
fn a_writer_beside_another_loses_nothing_that_was_acknowledged() {
    let _run =
        milepost_property::run("a writer beside another loses nothing that was acknowledged");
    for storage in STORAGES {
        for others in [
            vec![Job::Save("t", "y", "y")],
            vec![Job::Save("t", "y", "y"), Job::Sweep],
            vec![Job::Drop("t", "c"), Job::Save("t", "y", "y")],
            vec![Job::Save("t", "a", "y"), Job::Save("t", "y", "y")],
            vec![Job::Remove("t"), Job::Save("t", "y", "y")],
            vec![Job::Sweep, Job::Save("t", "y", "y")],
        ] {
            for job in [Job::Save("t", "x", "x"), Job::Save("t", "c", "x")] {
                for at in 0.. {
                    let world = start(storage);
                    let (is_within, done, outcomes) = split(&world, storage, job, at, &others);
                    if !is_within {
                        break;
                    }
                    let context = format!("{storage:?} {job:?} at {at} beside {others:?}");
                    let done = done.unwrap_or_else(|error| panic!("{context}: {error}"));
                    assert_eq!(done, Done::Saved, "{context}");
                    outcomes.into_iter().for_each(|it| drop(it.unwrap()));
                    let contents = contents(&world, storage, "t");
                    let has = |bytes: &str| contents.iter().any(|(_, it)| it == bytes);
                    assert!(has("y"), "{context}: {contents:?}");
                    // It may have been saved before it was removed.
                    let may_go = others.contains(&Job::Remove("t"))
                        || others.contains(&Job::Drop("t", "c")) && job == Job::Save("t", "c", "x");
                    assert!(has("x") || may_go, "{context}: {contents:?}");
                    let left = garbage(&world, storage, &["t"]);
                    assert_eq!(left, [""; 0], "{context}");
                }
            }
        }
    }
}

#[test]
fn a_reader_beside_evictions_never_reports_a_part_as_missing() {
    let _run = milepost_property::run("a reader beside evictions never reports a part as missing");
    for storage in STORAGES {
        let writers = [
            Job::Save("t", "c", "4"),
            Job::Save("t", "d", "5"),
            Job::Drop("t", "c"),
            Job::Remove("t"),
            Job::Sweep,
        ];
        for reader in [Job::Latest("t"), Job::ById("c")] {
            for writer in writers {
                for at in 0.. {
                    let world = start(storage);
                    let (is_within, read, outcomes) = split(&world, storage, reader, at, &[writer]);
                    if !is_within {
                        break;
                    }
                    let context = format!("{storage:?} {reader:?} at {at} beside {writer:?}");
                    let read = read.unwrap_or_else(|error| panic!("{context}: {error}"));
                    let after = act(&world, storage, reader).unwrap();
                    let is_right = read == Done::Read(Some("3".into())) || read == after;
                    assert!(is_right, "{context}: {read:?}");
                    outcomes.into_iter().for_each(|it| drop(it.unwrap()));
                }
                for at in 0.. {
                    let world = start(storage);
                    let (is_within, done, read) = split(&world, storage, writer, at, &[reader]);
                    if !is_within {
                        break;
                    }
                    let context = format!("{storage:?} {writer:?} at {at}, read by {reader:?}");
                    done.unwrap_or_else(|error| panic!("{context}: {error}"));
                    let after = act(&world, storage, reader).unwrap();
                    for read in read {
                        let read = read.unwrap_or_else(|error| panic!("{context}: {error}"));
                        let is_right = read == Done::Read(Some("3".into())) || read == after;
                        assert!(is_right, "{context}: {read:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn of_two_documents_with_one_id_exactly_one_is_saved() {
    let _run = milepost_property::run("of two documents with one id exactly one is saved");
    for storage in STORAGES {
        for other in [
            vec![Job::Save("u", "x", "u")],
            vec![Job::Save("u", "x", "u"), Job::Drop("u", "x")],
            vec![Job::Save("u", "x", "u"), Job::Remove("u")],
        ] {
            for at in 0.. {
                let world = start(storage);
                act(&world, storage, Job::Save("u", "z", "z")).unwrap();
                let job = Job::Save("t", "x", "t");
                let (is_within, done, outcomes) = split(&world, storage, job, at, &other);
                if !is_within {
                    break;
                }
                let context = format!("{storage:?} at {at} beside {other:?}");
                let done = done.unwrap_or_else(|error| panic!("{context}: {error}"));
                let outcomes: Vec<Done> = outcomes.into_iter().map(Result::unwrap).collect();
                let has = |name| {
                    contents(&world, storage, name)
                        .iter()
                        .any(|(id, _)| id == "x")
                };
                assert_eq!(has("t"), done == Done::Saved, "{context}");
                let is_only = outcomes.len() == 1 && outcomes[0] == Done::Saved;
                assert_eq!(has("u"), is_only, "{context}");
                assert!(!(has("t") && has("u")), "{context}: both");
                assert!(has("t") || outcomes[0] == Done::Saved, "{context}: neither");
                let left = garbage(&world, storage, &["t", "u"]);
                assert_eq!(left, [""; 0], "{context}");
            }
        }
    }
}

#[test]
fn no_order_of_many_loses_anything_acknowledged() {
    for storage in STORAGES {
        for seed in 0..300 {
            let _run =
                milepost_property::seed("no order of many loses anything acknowledged", seed);
            let world = Memory::new();
            world.has_locks.set(seed % 2 == 1);
            let jobs = [
                Job::Save("t", "a", "a"),
                Job::Save("t", "b", "b"),
                Job::Save("u", "a", "a"),
                Job::Latest("t"),
                Job::ById("a"),
                if seed % 3 == 0 {
                    Job::Sweep
                } else {
                    Job::Save("t", "c", "c")
                },
            ];
            let machines: Vec<Machine<_>> = jobs.iter().map(|it| it.machine(storage)).collect();
            let done = world.interleave(machines, seed);
            let (t, u) = (
                contents(&world, storage, "t"),
                contents(&world, storage, "u"),
            );
            for (job, done) in jobs.iter().zip(&done) {
                let context = format!("{storage:?}, seed {seed}: {job:?}");
                match (job, done) {
                    (_, Err(error)) => assert_eq!(error.code(), Code::Busy, "{context}: {error}"),
                    (Job::Save(name, id, _), Ok(done)) => {
                        let contents = if *name == "t" { &t } else { &u };
                        let has = contents.iter().any(|(it, _)| it == id);
                        assert_eq!(has, *done == Done::Saved, "{context}: {done:?}");
                    }
                    _ => {}
                }
            }
            let both = |contents: &[(String, String)]| contents.iter().any(|(id, _)| id == "a");
            assert!(
                !(both(&t) && both(&u)),
                "{storage:?}, seed {seed}: one id twice"
            );
            act(&world, storage, Job::Sweep).unwrap();
            let left = garbage(&world, storage, &["t", "u"]);
            assert_eq!(left, [""; 0], "{storage:?}, seed {seed}");
        }
    }
}

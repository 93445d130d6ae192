//! Deleted threads whose tombstone expires, beside a run that begins in their place.

use milepost::digest::digest;
use milepost::effect::{Machine, MachineStep};
use milepost::json::Json;
use milepost::operation::request;

use super::super::value;
use super::{SETTINGS, Setting, ask, checkpoint, line, parsed};
use crate::memory::Memory;

const HOUR_MS: f64 = 3_600_000.0;
const DAY_MS: f64 = 24.0 * HOUR_MS;

/// At most so many others that a deletion looks at all of them.
const THREADS: [&str; 5] = ["old", "recent", "living", "last", "other"];

fn line_of(setting: Setting, operation: &str, thread: &str, more: &[(&str, Json)]) -> String {
    let thread = [("thread_id", thread.into())];
    line(setting, operation, &[&thread, more].concat())
}

fn put(setting: Setting, thread: &str, id: &str, parent: Option<&str>) -> String {
    let changes = vec![checkpoint(setting, id, parent)];
    line_of(
        setting,
        "put_thread",
        thread,
        &[("changes", changes.into())],
    )
}

fn delete(setting: Setting, thread: &str) -> String {
    line_of(setting, "delete_thread", thread, &[])
}

/// The code of the failure to put a checkpoint.
fn refused(world: &Memory, line: &str) -> Option<String> {
    let reply = ask(world, line);
    let code = value(&reply).at("/results/0/error/code");
    code.and_then(Json::as_str).map(str::to_owned)
}

/// The ids of the checkpoints of a thread.
fn ids(world: &Memory, setting: Setting, thread: &str) -> Vec<String> {
    let list = line_of(setting, "list_thread", thread, &[("limit", 100.into())]);
    let reply = ask(world, &list);
    let found = value(&reply).at("/checkpoints").and_then(Json::as_array);
    let id = |it: &Json| it.at("/id").and_then(Json::as_str).unwrap().to_owned();
    found.unwrap().iter().map(id).collect()
}

/// Returns whether anything is stored under the name of a thread.
fn is_stored(world: &Memory, thread: &str) -> bool {
    let stem = digest(&[thread.as_bytes()]);
    let files = world.files_below("/repo");
    let document = format!("threads/{stem}/");
    let is_file = files.iter().any(|it| it.contains(&document));
    let disk = world.disk.borrow();
    is_file || disk.records.all().any(|(name, _)| name.contains(&stem))
}

fn delete_at(world: &Memory, setting: Setting, thread: &str, ms: f64) {
    world.now_ms.set(ms);
    let deleted = ask(world, &delete(setting, thread));
    assert_eq!(value(&deleted).at("/deleted"), Some(&true.into()));
}

/// A world in which one thread was deleted eight days ago, and another one an hour ago.
fn deleted(setting: Setting) -> Memory {
    let world = Memory::new();
    for thread in THREADS {
        let first = put(setting, thread, "a", None);
        assert_eq!(refused(&world, &first), None);
    }
    let now = world.now_ms.get();
    delete_at(&world, setting, "recent", now - HOUR_MS);
    delete_at(&world, setting, "old", now - 8.0 * DAY_MS);
    world.now_ms.set(now);
    for thread in THREADS {
        assert!(is_stored(&world, thread), "{setting:?}: {thread}");
    }
    world
}

fn copy(world: &Memory) -> Memory {
    world.with_disk(world.disk.borrow().clone())
}

/// Runs a request up to an effect; true where it came to its end.
pub(super) fn run_until(world: &Memory, machine: &mut Machine<String>, at: usize) -> bool {
    for _ in 0..at {
        match machine.step().unwrap() {
            MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).unwrap(),
            MachineStep::Done(_) => return true,
        }
    }
    false
}

#[test]
fn a_tombstone_goes_after_a_week_with_the_next_deletion() {
    for setting in SETTINGS {
        let world = deleted(setting);
        let now = world.now_ms.get();
        delete_at(&world, setting, "last", now);
        assert!(!is_stored(&world, "old"), "{setting:?}");
        for thread in ["recent", "living", "last", "other"] {
            assert!(is_stored(&world, thread), "{setting:?}: {thread}");
        }
        assert_eq!(ids(&world, setting, "living"), ["a"]);
        let late = put(setting, "recent", "b", Some("a"));
        assert_eq!(refused(&world, &late).as_deref(), Some("conflict"));
        for (id, parent) in [("n", None), ("o", Some("n"))] {
            assert_eq!(refused(&world, &put(setting, "old", id, parent)), None);
        }
        assert_eq!(ids(&world, setting, "old"), ["o", "n"]);
        // The folder that went is kept for a day, for a remover that sleeps.
        let is_kept = |world: &Memory| {
            let files = world.files_below("/repo");
            files.iter().any(|it| it.contains("/.milepost/removals/"))
        };
        assert_eq!(is_kept(&world), setting.storage == "files", "{setting:?}");
        delete_at(&world, setting, "other", now + DAY_MS + HOUR_MS);
        assert!(!is_kept(&world), "{setting:?}");
        assert_eq!(ids(&world, setting, "old"), ["o", "n"]);
        assert_eq!(ids(&world, setting, "living"), ["a"]);
    }
}

#[test]
fn a_tombstone_with_writes_of_a_new_run_stays() {
    for setting in SETTINGS {
        let world = deleted(setting);
        let changes = vec![super::writes("n", "t")];
        let early = line_of(setting, "put_thread", "old", &[("changes", changes.into())]);
        assert_eq!(refused(&world, &early), None);
        delete_at(&world, setting, "last", world.now_ms.get());
        assert!(is_stored(&world, "old"), "{setting:?}");
        assert_eq!(refused(&world, &put(setting, "old", "n", None)), None);
        let list = line_of(setting, "list_thread", "old", &[("limit", 100.into())]);
        let reply = ask(&world, &list);
        let writes = value(&reply).at("/checkpoints/0/writes").unwrap();
        assert_eq!(writes.as_array().map(<[Json]>::len), Some(1), "{setting:?}");
    }
}

/// The remover is stopped at each effect; it goes on after that, or died there.
#[test]
fn a_put_while_a_tombstone_expires_is_kept() {
    let _run = milepost_property::run("a put while a tombstone expires is kept");
    for setting in [SETTINGS[1], SETTINGS[3]] {
        let begun = deleted(setting);
        for at in 0.. {
            let world = copy(&begun);
            let mut remover: Machine<String> = request::start(delete(setting, "last").as_bytes());
            let ended = run_until(&world, &mut remover, at);
            let context = format!("{setting:?} at {at}");
            let first = put(setting, "old", "n", None);
            assert_eq!(refused(&world, &first), None, "{context}");
            let died = copy(&world);
            if !ended {
                let reply = parsed(&world.run(remover));
                assert_eq!(reply.get("ok"), Some(&Json::Bool(true)), "{context}");
            }
            for world in [&world, &died] {
                assert_eq!(ids(world, setting, "old"), ["n"], "{context}");
                value(&ask(world, &delete(setting, "other")));
                let next = put(setting, "old", "o", Some("n"));
                assert_eq!(refused(world, &next), None, "{context}");
                assert_eq!(ids(world, setting, "old"), ["o", "n"], "{context}");
            }
            if ended {
                assert!(at > 10, "it ended immediately");
                break;
            }
        }
    }
}

/// The writer is stopped at each effect, and another remover too.
#[test]
fn a_tombstone_that_expires_while_a_put_is_made_takes_nothing_along() {
    let _run =
        milepost_property::run("a tombstone that expires while a put is made takes nothing along");
    for setting in [SETTINGS[1], SETTINGS[3]] {
        let begun = deleted(setting);
        for at in 0.. {
            let world = copy(&begun);
            let mut writer: Machine<String> =
                request::start(put(setting, "old", "n", None).as_bytes());
            let ended = run_until(&world, &mut writer, at);
            let context = format!("{setting:?} at {at}");
            value(&ask(&world, &delete(setting, "last")));
            if ended {
                assert_eq!(ids(&world, setting, "old"), ["n"], "{context}");
                assert!(at > 3, "it ended immediately");
                break;
            }
            let reply = parsed(&world.run(writer));
            let error = value(&reply).at("/results/0/error");
            assert_eq!(error, Some(&Json::Null), "{context}");
            assert_eq!(ids(&world, setting, "old"), ["n"], "{context}");
        }
    }
}

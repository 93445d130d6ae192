//! Tasks that go because they were not saved for some days.

use milepost::effect::{Machine, MachineStep};
use milepost::json::{Json, Object};
use milepost::operation::request;

use super::super::{code, value};
use super::{STORAGES, TaskBackend, parsed, state, with_state};

const DAY_MS: f64 = 24.0 * 3_600_000.0;

fn prune(days: u64, dry_run: bool) -> [(&'static str, Json); 2] {
    [("days", days.into()), ("dry_run", dry_run.into())]
}

fn tasks(reply: &Object) -> Vec<&str> {
    let tasks = value(reply).at("/tasks").and_then(Json::as_array).unwrap();
    tasks.iter().filter_map(Json::as_str).collect()
}

/// A backend with a task that was saved twice ten days ago, and one of today.
fn begun(storage: &'static str) -> TaskBackend {
    let backend = TaskBackend::in_memory(storage);
    let world = backend.world();
    let now = world.now_ms.get();
    world.now_ms.set(now - 10.0 * DAY_MS);
    backend.keep("old", "a");
    backend.keep("old", "b");
    world.now_ms.set(now);
    backend.keep("new", "c");
    backend
}

#[test]
fn tasks_that_are_old_go_with_their_files_and_others_stay() {
    for storage in STORAGES {
        let backend = begun(storage);
        assert!(tasks(&backend.ask("prune_tasks", &prune(11, false))).is_empty());
        assert_eq!(tasks(&backend.ask("prune_tasks", &prune(9, true))), ["old"]);
        assert_eq!(backend.ids("old"), ["a", "b"]);
        let reply = backend.ask("prune_tasks", &prune(9, false));
        assert_eq!(tasks(&reply), ["old"]);
        assert_eq!(value(&reply).at("/checkpoints"), Some(&2_u64.into()));
        assert_eq!(backend.tasks(), ["new"]);
        assert!(tasks(&backend.ask("prune_tasks", &prune(9, false))).is_empty());
        backend.keep("old", "a");
        assert_eq!(backend.ids("old"), ["a"]);
        assert_eq!(code(&backend.ask("prune_tasks", &prune(0, false))), "usage");
    }
}

#[test]
fn a_task_that_is_saved_beside_a_prune_is_kept_and_a_death_leaves_no_half() {
    let _run = milepost_property::run("a task that is saved beside a prune is kept");
    for storage in STORAGES {
        for at in 0.. {
            let backend = begun(storage);
            let world = backend.world();
            let line = backend.line("prune_tasks", &prune(9, false));
            let mut pruning: Machine<String> = request::start(line.as_bytes());
            let mut is_done = false;
            for _ in 0..at {
                match pruning.step().unwrap() {
                    MachineStep::Effect(effect) => pruning.resume(world.perform(&effect)).unwrap(),
                    MachineStep::Done(_) => {
                        is_done = true;
                        break;
                    }
                }
            }
            let context = format!("{storage} at {at}");
            let now = backend.ids("old");
            assert!(now.is_empty() || now == ["a", "b"], "{context}: {now:?}");
            // Of a process that died there, the next one goes on.
            let save = backend.line("save_task", &with_state(state("old", "d"), &[]));
            value(&parsed(&world.ask(save.as_bytes())));
            if !is_done && at % 2 == 0 {
                value(&parsed(&world.run(pruning)));
            }
            let left = backend.ids("old");
            assert_eq!(left.last().map(String::as_str), Some("d"), "{context}");
            assert_eq!(
                backend.by_id("d").get("ok"),
                Some(&Json::Bool(true)),
                "{context}"
            );
            assert_eq!(backend.tasks().len(), 2, "{context}");
            if is_done {
                break;
            }
        }
    }
}

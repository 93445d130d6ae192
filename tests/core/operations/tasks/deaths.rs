//! Deaths and faults at every effect of every operation.

use milepost::effect::Fault;
use milepost::json::Json;
use milepost::operation::request;

use super::{STORAGES, TaskBackend, code, parsed, state, until, value, with_state};
use crate::memory::Injected;

const TASKS: [&str; 3] = ["task-1", "task-2", "new"];

/// A backend in memory with two tasks.
fn begun(storage: &'static str) -> TaskBackend {
    let backend = TaskBackend::in_memory(storage);
    for (task, id) in [("task-1", "a"), ("task-1", "b"), ("task-2", "c")] {
        backend.keep(task, id);
    }
    backend
}

/// All that can be read, task by task and id by id.
fn all(backend: &TaskBackend) -> String {
    let mut all = String::new();
    for task in TASKS {
        let states = backend.list(task);
        for state in &states {
            let id = state.get("id").unwrap().as_str().unwrap();
            let by_id = backend.by_id(id);
            let by_id = value(&by_id).at("/state").unwrap();
            assert_eq!(by_id, &Json::from(state.clone()));
        }
        let states = states.into_iter().map(Json::from).collect::<Vec<_>>();
        all += &format!("{task}: {}\n", Json::from(states).to_line());
    }
    let mut known = backend.tasks();
    known.sort();
    all + &format!("{known:?}")
}

fn lines(backend: &TaskBackend) -> Vec<String> {
    let save = |task: &str, id: &str, more: &[(&str, Json)]| {
        let state = state(task, id).with("stepIndex", 3);
        backend.line("save_task", &with_state(state, more))
    };
    vec![
        save("task-1", "x", &[]),
        save("task-1", "a", &[]),
        save("new", "x", &[]),
        save("task-1", "x", &[("max_per_task", 1.into())]),
        backend.line("delete_task_checkpoint", &[("id", "a".into())]),
        backend.line("delete_task_checkpoint", &[("id", "c".into())]),
        backend.line("delete_task", &[("task_id", "task-1".into())]),
        backend.line("list_task", &[("task_id", "task-1".into())]),
        backend.line("list_tasks", &[]),
        backend.line("load_task", &[("id", "a".into())]),
    ]
}

/// The states before and after a request.
fn ends(storage: &'static str, number: usize) -> [String; 2] {
    let backend = begun(storage);
    let before = all(&backend);
    let machine = request::start(lines(&backend)[number].as_bytes());
    value(&parsed(&backend.world().run(machine)));
    [before, all(&backend)]
}

/// The next caller finds nothing in the way, and leaves nothing of it.
fn expect_clean(backend: &TaskBackend, context: &str) {
    for task in TASKS {
        backend.keep(task, &format!("next-{task}"));
    }
    backend.sweep();
    backend.expect_nothing_else(&TASKS, context);
}

#[test]
fn a_death_at_any_effect_loses_nothing_and_leaves_nothing_half_done() {
    let _run =
        milepost_property::run("a death at any effect loses nothing and leaves nothing half done");
    for storage in STORAGES {
        for number in 0..lines(&TaskBackend::in_memory(storage)).len() {
            let [before, after] = ends(storage, number);
            for at in 0.. {
                let backend = begun(storage);
                let line = &lines(&backend)[number];
                let reply = until(backend.world(), at, line);
                let context = format!("{line} at {at}");
                let now = all(&backend);
                assert!(now == before || now == after, "{context}: {now}");
                if let Some(reply) = &reply {
                    value(reply);
                    assert_eq!(now, after, "{context}: acknowledged and lost");
                }
                expect_clean(&backend, &context);
                if reply.is_some() {
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
        for number in 0..lines(&TaskBackend::in_memory(storage)).len() {
            let [before, after] = ends(storage, number);
            for for_good in [false, true] {
                for at in 0.. {
                    let backend = begun(storage);
                    let line = &lines(&backend)[number];
                    let first = backend.world().performed.get();
                    backend.world().injected.set(Some(Injected {
                        at: first + at,
                        for_good,
                        fault: Fault::Other,
                    }));
                    let machine = request::start(line.as_bytes());
                    let reply = parsed(&backend.world().run(machine));
                    let came_through = backend.world().performed.get() <= first + at;
                    backend.world().injected.set(None);
                    let context = format!("{line} at {at}, for good: {for_good}: {reply:?}");
                    let now = all(&backend);
                    match reply.get("error") {
                        None => assert_eq!(now, after, "{context}"),
                        Some(error) => {
                            assert_eq!(code(&reply), "io", "{context}");
                            let written = super::text(error, "/written");
                            let is_right = match written.as_str() {
                                "no" => now == before,
                                "yes" => now == after,
                                _ => now == before || now == after,
                            };
                            assert!(is_right, "{context}: {now}");
                        }
                    }
                    expect_clean(&backend, &context);
                    if came_through {
                        break;
                    }
                }
            }
        }
    }
}

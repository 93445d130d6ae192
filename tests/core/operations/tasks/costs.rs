//! Costs of an operation, in effects.

use milepost::checkpoint::task::name::TaskId;
use milepost::json::Json;
use milepost::operation::request;

use super::{STORAGES, TASKS, TaskBackend, parsed, state, value, with_state};

/// The kinds of effects that a request asks for, in their order.
fn effects(backend: &TaskBackend, line: &str) -> Vec<String> {
    let world = backend.world();
    world.log.borrow_mut().clear();
    let machine = request::start(line.as_bytes());
    value(&parsed(&world.run(machine)));
    let log = world.log.borrow();
    let kind = |effect: &String| effect.split([' ', '{']).next().unwrap().to_owned();
    log.iter().map(kind).collect()
}

/// A backend with as many other tasks, which all hold what one does.
fn crowded(storage: &'static str, count: usize) -> TaskBackend {
    let backend = TaskBackend::in_memory(storage);
    backend.keep("model", "model");
    let model = TaskId::new("model").unwrap();
    let world = backend.world();
    // The folders that marks lie in are made once.
    world.put_shards(&format!("/repo/{TASKS}/.milepost/keys"));
    let keys = |id: &TaskId| format!("keys/{}/", &id.key()[..2]);
    world.crowd("model", count, &|number, path| {
        let own = TaskId::new(&format!("task {number}")).unwrap();
        let path = path.replace(&keys(&model), &keys(&own));
        let path = path.replace("model-", "task-");
        path.replace(&model.key(), &own.key())
    });
    backend
}

fn save(backend: &TaskBackend, id: &str) -> String {
    backend.line("save_task", &with_state(state("task-1", id), &[]))
}

#[test]
fn an_operation_costs_the_same_where_there_are_more_tasks() {
    for storage in STORAGES {
        let [alone, crowd] = [0, 10_000].map(|count| {
            let backend = crowded(storage, count);
            let by_task = [("task_id", Json::from("task-1"))];
            let by_id = [("id", Json::from("a"))];
            [
                save(&backend, "a"),
                save(&backend, "b"),
                save(&backend, "a"),
                backend.line("load_task", &by_task),
                backend.line("load_task", &by_id),
                backend.line("list_task", &by_task),
                backend.line("delete_task_checkpoint", &by_id),
                backend.line("delete_task", &by_task),
            ]
            .map(|line| effects(&backend, &line))
        });
        for (alone, crowd) in alone.iter().zip(&crowd) {
            assert_eq!(alone, crowd, "{storage}");
        }
    }
}

#[test]
fn a_save_costs_the_same_where_its_task_has_more_checkpoints() {
    for storage in STORAGES {
        let backend = crowded(storage, 0);
        effects(&backend, &save(&backend, "first"));
        let second = effects(&backend, &save(&backend, "second"));
        for number in 3..=9 {
            backend.keep("task-1", &number.to_string());
        }
        let tenth = effects(&backend, &save(&backend, "tenth"));
        assert_eq!(second, tenth, "{storage}");
        let most = match storage {
            "files" => 38,
            _ => 9,
        };
        assert!(second.len() <= most, "{storage}: {second:?}");
    }
}

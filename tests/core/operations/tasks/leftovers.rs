//! Leftovers of dead writers, and their removal.

use milepost::json::{Json, Object};
use milepost::operation::request;

use super::{TaskBackend, parsed, state, text, until, value, warnings, with_state};

const MINUTES_MS: f64 = 120_000.0;

/// A backend in memory whose files have dates.
fn begun() -> TaskBackend {
    let backend = TaskBackend::in_memory("files");
    assert!(backend.world().has_dates.get());
    for (task, id) in [("task-1", "a"), ("task-1", "b"), ("task-2", "c")] {
        backend.keep(task, id);
    }
    backend
}

fn clean_up(backend: &TaskBackend, is_dry_run: bool) -> [Vec<String>; 3] {
    let reply = backend.ask("clean_up_tasks", &[("dry_run", is_dry_run.into())]);
    assert_eq!(warnings(&reply), [""; 0], "{reply:?}");
    cleaned(&reply)
}

fn cleaned(reply: &Object) -> [Vec<String>; 3] {
    ["/parts", "/marks", "/folders"].map(|at| {
        let all = value(reply).at(at).unwrap().as_array().unwrap().iter();
        all.map(|it| it.as_str().unwrap().to_owned()).collect()
    })
}

fn pass(backend: &TaskBackend) {
    let now_ms = &backend.world().now_ms;
    now_ms.set(now_ms.get() + MINUTES_MS);
}

/// Requests that leave something where their writer dies.
fn lines(backend: &TaskBackend) -> Vec<String> {
    let save = |task: &str, id: &str| backend.line("save_task", &with_state(state(task, id), &[]));
    vec![
        save("task-1", "x"),
        save("task-1", "a"),
        backend.line("delete_task", &[("task_id", "task-1".into())]),
    ]
}

#[test]
fn leftovers_of_a_dead_writer_are_removed() {
    let mut found = [0; 2];
    for number in 0..lines(&begun()).len() {
        for at in 0.. {
            let backend = begun();
            let line = &lines(&backend)[number];
            let came_through = until(backend.world(), at, line).is_some();
            let context = format!("{line} at {at}");
            pass(&backend);
            let before = backend.names();
            let seen = clean_up(&backend, true);
            assert_eq!(
                backend.names(),
                before,
                "{context}: a dry run changed something"
            );
            let kept = ["task-1", "task-2"].map(|task| backend.list(task));
            let removed = clean_up(&backend, false);
            assert_eq!(
                seen.map(|it| it.len()),
                removed.clone().map(|it| it.len()),
                "{context}"
            );
            let now = ["task-1", "task-2"].map(|task| backend.list(task));
            assert_eq!(now, kept, "{context}");
            for task in ["task-1", "task-2"] {
                // Parts beside an index are removed by the next writer of it.
                backend.keep(task, &format!("next-{task}"));
            }
            backend.expect_nothing_else(&["task-1", "task-2"], &context);
            assert_eq!(
                clean_up(&backend, false),
                [const { Vec::<String>::new() }; 3],
                "{context}"
            );
            for (found, removed) in found.iter_mut().zip([&removed[0], &removed[2]]) {
                *found += removed.len();
            }
            if came_through {
                assert_eq!(removed, [const { Vec::<String>::new() }; 3], "{context}");
                break;
            }
        }
    }
    assert!(found.iter().all(|count| *count > 0), "{found:?}");
}

#[test]
fn a_mark_without_its_part_is_removed() {
    let backend = begun();
    let marks = |backend: &TaskBackend| {
        let mut names = backend.names();
        names.retain(|name| name.contains("/keys/"));
        names
    };
    let whole = marks(&backend);
    let lone = whole[0].rsplit_once('.').unwrap().0;
    let lone = format!("{lone}.{}", "0".repeat(32));
    let path = format!("/repo/{}/{lone}", super::TASKS);
    backend.world().put(&path, "");
    assert_eq!(
        clean_up(&backend, false),
        [const { Vec::<String>::new() }; 3]
    );
    pass(&backend);
    for is_dry_run in [true, false] {
        let [parts, lone_marks, folders] = clean_up(&backend, is_dry_run);
        assert_eq!(lone_marks, [format!("{}/{lone}", super::TASKS)]);
        assert!(parts.is_empty() && folders.is_empty());
    }
    assert_eq!(marks(&backend), whole);
}

#[test]
fn prepared_files_of_a_live_writer_stay() {
    for at in 0.. {
        let backend = begun();
        let save = backend.line("save_task", &with_state(state("task-1", "x"), &[]));
        if until(backend.world(), at, &save).is_some() {
            break;
        }
        let parts = backend.names();
        let [removed_parts, removed_marks, _] = clean_up(&backend, false);
        assert_eq!(
            (removed_parts.len(), removed_marks.len()),
            (0, 0),
            "at {at}"
        );
        assert_eq!(backend.names(), parts, "at {at}");
    }
}

#[test]
fn a_task_that_cannot_be_read_is_left_alone_and_stops_no_cleaning() {
    let backend = begun();
    let save = |task: &str| backend.line("save_task", &with_state(state(task, "x"), &[]));
    // The two die with a part and a mark of it.
    for task in ["task-1", "task-2"] {
        let mut at = 0;
        while backend
            .names()
            .iter()
            .filter(|it| it.contains("/keys/"))
            .count()
            < 4
        {
            assert!(until(backend.world(), at, &save(task)).is_none());
            at += 1;
        }
        pass(&backend);
        let index = |name: &&String| name.ends_with("index.json");
        let names = backend.names();
        let torn = names.iter().filter(index).find(|name| {
            let path = format!("/repo/{}/{name}", super::TASKS);
            backend.world().text(&path).contains("\"task-1\"")
        });
        let torn = format!("/repo/{}/{}", super::TASKS, torn.unwrap());
        let whole = backend.world().text(&torn);
        backend.world().put(&torn, "{ torn");
        let stem = torn.trim_end_matches("/index.json").rsplit('/').next();
        let of_torn = |backend: &TaskBackend| {
            let mut names = backend.names();
            names.retain(|name| name.contains(stem.unwrap()));
            names
        };
        let before = of_torn(&backend);
        let reply = backend.ask("clean_up_tasks", &[]);
        assert!(warnings(&reply).contains(&"corrupt"), "{reply:?}");
        assert_eq!(of_torn(&backend), before);
        assert_eq!(cleaned(&reply)[0].is_empty(), task == "task-1", "{reply:?}");
        backend.world().put(&torn, whole);
        assert_eq!(backend.ids("task-1"), ["a", "b"]);
        clean_up(&backend, false);
        backend.expect_nothing_else(&["task-1", "task-2"], task);
    }
}

#[test]
fn there_is_nothing_to_clean_in_a_database_or_where_nothing_was_saved() {
    let records = TaskBackend::in_memory("records");
    records.keep("task-1", "a");
    assert_eq!(
        clean_up(&records, false),
        [const { Vec::<String>::new() }; 3]
    );
    assert_eq!(records.ids("task-1"), ["a"]);
    let nothing = TaskBackend::in_memory("files");
    assert_eq!(
        clean_up(&nothing, false),
        [const { Vec::<String>::new() }; 3]
    );
    assert!(nothing.names().is_empty());
    let line = super::line("/nowhere/at/all", "files", "clean_up_tasks", &[]);
    let reply = parsed(&nothing.world().run(request::start(line.as_bytes())));
    assert_eq!(text(&Json::from(reply), "/error/code"), "usage");
}

//! Writers and readers beside each other, interleaved at every effect.

use milepost::effect::{Machine, MachineStep};
use milepost::json::{Json, Object};
use milepost::operation::request;

use super::{STORAGES, TaskBackend, code, number, parsed, state, text, value, with_state};

/// Runs one request up to an effect, all of the others, and then the rest of it; `None` where it had ended.
fn split(
    backend: &TaskBackend,
    first: &str,
    at: usize,
    others: &[String],
) -> Option<(Object, Vec<Object>)> {
    let world = backend.world();
    let mut machine: Machine<String> = request::start(first.as_bytes());
    for _ in 0..at {
        match machine.step().unwrap() {
            MachineStep::Effect(effect) => machine.resume(world.perform(&effect)).unwrap(),
            MachineStep::Done(_) => return None,
        }
    }
    let others = others.iter().map(|line| {
        let machine = request::start(line.as_bytes());
        parsed(&world.run(machine))
    });
    let others = others.collect();
    Some((parsed(&world.run(machine)), others))
}

/// A backend in memory where a task has two checkpoints.
fn begun(storage: &'static str) -> TaskBackend {
    let backend = TaskBackend::in_memory(storage);
    backend.keep("task-1", "a");
    backend.keep("task-1", "b");
    backend
}

fn save(backend: &TaskBackend, task: &str, id: &str, more: &[(&str, Json)]) -> String {
    backend.line("save_task", &with_state(state(task, id), more))
}

fn is_ok(reply: &Object) -> bool {
    reply.get("ok") == Some(&Json::Bool(true))
}

/// Calls `check_replies` for every effect of a request that the others come between.
fn everywhere(
    begin: impl Fn() -> TaskBackend,
    first: impl Fn(&TaskBackend) -> String,
    others: impl Fn(&TaskBackend) -> Vec<String>,
    check_replies: impl Fn(&TaskBackend, &Object, &[Object], &str),
) {
    let mut effects = 0;
    for at in 0.. {
        let backend = begin();
        let Some((done, replies)) = split(&backend, &first(&backend), at, &others(&backend)) else {
            break;
        };
        let context = format!("{} at {at}", backend.storage);
        check_replies(&backend, &done, &replies, &context);
        effects += 1;
    }
    assert!(effects > 3, "it ended immediately");
}

#[test]
fn of_two_writers_of_one_revision_exactly_one_wins() {
    let _run = milepost_property::run("of two writers of one revision exactly one wins");
    for storage in STORAGES {
        for (begin, id) in [("", "x"), ("task-1", "x"), ("task-1", "a")] {
            let begin = || match begin {
                "" => TaskBackend::in_memory(storage),
                _ => begun(storage),
            };
            let expecting = |backend: &TaskBackend, id: &str| {
                let revision = backend.revision("task-1");
                save(
                    backend,
                    "task-1",
                    id,
                    &[("expected_revision", revision.into())],
                )
            };
            everywhere(
                begin,
                |backend| expecting(backend, id),
                |backend| vec![expecting(backend, "y")],
                |backend, done, replies, context| {
                    let won = [is_ok(done), is_ok(&replies[0])];
                    assert_ne!(won[0], won[1], "{context}: {done:?} {replies:?}");
                    let loser = if won[0] { &replies[0] } else { done };
                    assert_eq!(code(loser), "conflict", "{context}");
                    let ids = backend.ids("task-1");
                    assert_eq!(ids.contains(&"y".to_owned()), won[1], "{context}");
                    backend.sweep();
                    backend.expect_nothing_else(&["task-1"], context);
                },
            );
        }
    }
}

#[test]
fn two_writers_who_expect_nothing_both_save() {
    let _run = milepost_property::run("two writers who expect nothing both save");
    for storage in STORAGES {
        for begin in [TaskBackend::in_memory, begun] {
            everywhere(
                || begin(storage),
                |backend| save(backend, "task-1", "x", &[]),
                |backend| vec![save(backend, "task-1", "y", &[])],
                |backend, done, replies, context| {
                    assert!(is_ok(done) && is_ok(&replies[0]), "{context}: {done:?}");
                    let ids = backend.ids("task-1");
                    assert!(
                        ids.ends_with(&["y".into(), "x".into()])
                            || ids.ends_with(&["x".into(), "y".into()])
                    );
                    backend.expect_nothing_else(&["task-1"], context);
                },
            );
        }
    }
}

#[test]
fn a_new_id_belongs_to_exactly_one_task() {
    let _run = milepost_property::run("a new id belongs to exactly one task");
    for storage in STORAGES {
        everywhere(
            || begun(storage),
            |backend| save(backend, "task-1", "x", &[]),
            |backend| vec![save(backend, "task-2", "x", &[])],
            |backend, done, replies, context| {
                let tasks = ["task-1", "task-2"];
                let holders = tasks.map(|task| backend.ids(task).contains(&"x".to_owned()));
                assert_eq!(holders, [is_ok(done), is_ok(&replies[0])], "{context}");
                assert_ne!(holders[0], holders[1], "{context}");
                let loser = if holders[0] { &replies[0] } else { done };
                assert_eq!(code(loser), "conflict", "{context}");
                let holder = tasks[usize::from(holders[1])];
                assert_eq!(
                    text(value(&backend.by_id("x")), "/task_id"),
                    holder,
                    "{context}"
                );
                backend.sweep();
                backend.expect_nothing_else(&tasks, context);
            },
        );
    }
}

#[test]
fn a_reader_beside_a_writer_reads_what_was_saved() {
    let _run = milepost_property::run("a reader beside a writer reads what was saved");
    for storage in STORAGES {
        let one = [("max_per_task", Json::from(1))];
        let writers = |backend: &TaskBackend| {
            [
                save(backend, "task-1", "c", &one),
                save(backend, "task-1", "b", &[]),
                backend.line("delete_task_checkpoint", &[("id", "b".into())]),
                backend.line("delete_task", &[("task_id", "task-1".into())]),
            ]
        };
        let readers = |backend: &TaskBackend| {
            [
                backend.line("load_task", &[("task_id", "task-1".into())]),
                backend.line("load_task", &[("id", "b".into())]),
                backend.line("list_task", &[("task_id", "task-1".into())]),
                backend.line("list_tasks", &[]),
            ]
        };
        for writer in 0..4 {
            for reader in 0..4 {
                let before = begun(storage);
                let ask = |backend: &TaskBackend| {
                    let machine = request::start(readers(backend)[reader].as_bytes());
                    parsed(&backend.world().run(machine))
                };
                let before = ask(&before);
                let check_replies = |backend: &TaskBackend, read: &Object, context: &str| {
                    let context = format!("{context}: writer {writer}, reader {reader}");
                    let after = ask(backend);
                    let same = |other: &Object| untimed(other) == untimed(read);
                    assert!(same(&before) || same(&after), "{context}: {read:?}");
                };
                everywhere(
                    || begun(storage),
                    |backend| readers(backend)[reader].clone(),
                    |backend| vec![writers(backend)[writer].clone()],
                    |backend, read, replies, context| {
                        assert!(is_ok(&replies[0]), "{context}: {replies:?}");
                        check_replies(backend, read, context);
                    },
                );
                everywhere(
                    || begun(storage),
                    |backend| writers(backend)[writer].clone(),
                    |backend| vec![readers(backend)[reader].clone()],
                    |backend, done, replies, context| {
                        assert!(is_ok(done), "{context}: {done:?}");
                        check_replies(backend, &replies[0], context);
                    },
                );
            }
        }
    }
}

/// A reply without what differs from run to run.
fn untimed(reply: &Object) -> String {
    let line = Json::from(reply.clone()).to_line();
    let mut left = String::new();
    let mut rest = line.as_str();
    for key in ["\"saved_at\":\"", "\"revision\":"] {
        let mut text = std::mem::take(&mut left);
        if text.is_empty() {
            text = rest.to_owned();
        }
        rest = "";
        let mut parts = text.split(key);
        left.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let end = part.find([',', '}']).unwrap_or(part.len());
            left.push_str(&part[end..]);
        }
    }
    left
}

#[test]
fn a_save_under_an_id_that_is_being_deleted_is_kept_or_a_conflict() {
    let _run =
        milepost_property::run("a save under an id that is being deleted is kept or a conflict");
    for storage in STORAGES {
        everywhere(
            || begun(storage),
            |backend| save(backend, "task-2", "a", &[]),
            |backend| vec![backend.line("delete_task_checkpoint", &[("id", "a".into())])],
            |backend, done, replies, context| {
                assert!(is_ok(&replies[0]), "{context}: {replies:?}");
                let has = |task| backend.ids(task).contains(&"a".to_owned());
                assert_eq!(has("task-2"), is_ok(done), "{context}");
                assert!(!has("task-1"), "{context}");
                if !is_ok(done) {
                    assert_eq!(code(done), "conflict", "{context}");
                }
                backend.sweep();
                backend.expect_nothing_else(&["task-1", "task-2"], context);
            },
        );
    }
}

#[test]
fn a_deleted_task_does_not_take_along_what_is_saved_after_that() {
    let _run =
        milepost_property::run("a deleted task does not take along what is saved after that");
    for storage in STORAGES {
        everywhere(
            || begun(storage),
            |backend| backend.line("delete_task", &[("task_id", "task-1".into())]),
            |backend| vec![save(backend, "task-1", "x", &[])],
            |backend, done, replies, context| {
                assert!(
                    is_ok(&replies[0]) && number(value(done), "/deleted") >= 2,
                    "{context}"
                );
                let ids = backend.ids("task-1");
                assert!(ids.is_empty() || ids == ["x"], "{context}: {ids:?}");
                backend.sweep();
                backend.expect_nothing_else(&["task-1"], context);
            },
        );
        everywhere(
            || begun(storage),
            |backend| save(backend, "task-1", "x", &[]),
            |backend| vec![backend.line("delete_task", &[("task_id", "task-1".into())])],
            |backend, done, replies, context| {
                assert!(
                    is_ok(done) && is_ok(&replies[0]),
                    "{context}: {done:?} {replies:?}"
                );
                let ids = backend.ids("task-1");
                let deleted = number(value(&replies[0]), "/deleted");
                let is_first = deleted == 3 && ids.is_empty();
                assert!(
                    is_first || deleted == 2 && ids == ["x"],
                    "{context}: {ids:?}"
                );
                backend.sweep();
                backend.expect_nothing_else(&["task-1"], context);
            },
        );
    }
}

//! Mistakes of users and other programs.

use milepost::json::{Json, Object};

use super::{TaskBackend, code, message, number, state, text, value, warnings};

/// Names that would do harm as parts of a path, or that a file system takes for another.
const HOSTILE: [&str; 22] = [
    ".",
    "..",
    "../../etc/passwd",
    "/etc/passwd",
    "a/b",
    "a\\b",
    "\\\\server\\share",
    "C:",
    "a\nb",
    " ",
    "-rf",
    ".hidden",
    "trailing.",
    "CON",
    "nul.txt",
    "Foo",
    "foo",
    "__proto__",
    "10",
    "%2e%2e%2f",
    "\u{202e}gpj.exe",
    "世界",
];

#[test]
fn a_hostile_id_leads_to_its_own_checkpoint_within_the_folder() {
    for backend in TaskBackend::all() {
        for (at, id) in HOSTILE.iter().enumerate() {
            let own = state(id, &format!("cp/{id}")).with("stepIndex", at as u64 % 3);
            value(&backend.save(own, &[]));
        }
        for (at, id) in HOSTILE.iter().enumerate() {
            let loaded = backend.latest(id);
            assert_eq!(text(value(&loaded), "/state/taskId"), *id);
            assert_eq!(number(value(&loaded), "/state/stepIndex"), at as u64 % 3);
            let by_id = backend.by_id(&format!("cp/{id}"));
            assert_eq!(text(value(&by_id), "/task_id"), *id);
        }
        let mut expected = HOSTILE.map(str::to_owned).to_vec();
        let mut found = backend.tasks();
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
        for id in &HOSTILE[..11] {
            assert_eq!(backend.delete_all(id), 1, "{id:?}");
            assert!(!backend.delete(&format!("cp/{id}")), "{id:?}");
        }
        for id in &HOSTILE[11..] {
            assert!(backend.delete(&format!("cp/{id}")), "{id:?}");
        }
        assert_eq!(backend.tasks(), [""; 0]);
    }
}

#[test]
fn an_invalid_name_is_refused() {
    let long = "x".repeat(1_025);
    for backend in TaskBackend::all() {
        for name in ["", "a\0b", &long] {
            let replies = [
                backend.latest(name),
                backend.by_id(name),
                backend.ask("list_task", &[("task_id", name.into())]),
                backend.ask("list_tasks", &[("after", name.into())]),
                backend.ask("delete_task", &[("task_id", name.into())]),
                backend.ask("delete_task_checkpoint", &[("id", name.into())]),
            ];
            assert!(replies.iter().all(|reply| code(reply) == "invalid_name"));
            let reply = backend.save(state(name, "a"), &[]);
            assert_eq!(code(&reply), "invalid_document");
            assert_eq!(problems(&reply), ["/taskId"]);
        }
    }
}

fn problems(reply: &Object) -> Vec<String> {
    let problems = reply.get("error").unwrap().at("/problems").unwrap();
    let problems = problems.as_array().unwrap().iter();
    problems.map(|it| text(it, "/at")).collect()
}

#[test]
fn a_problem_of_a_checkpoint_is_named_and_nothing_is_stored() {
    for storage in super::STORAGES {
        let backend = TaskBackend::in_memory(storage);
        let mut wrong = state("task-1", "a")
            .with("stepIndex", 4)
            .with("createdAt", "yesterday")
            .with("agentId", "")
            .with("pendingSteps", vec![Json::from("x"), 7.into()])
            .with("context", Json::Null);
        wrong.remove("totalSteps");
        let line = Json::from(wrong.clone()).to_line();
        let reply = backend.save(wrong, &[]);
        assert_eq!(code(&reply), "invalid_document");
        let found = problems(&reply);
        let as_text = backend.ask("save_task", &[("text", line.into())]);
        assert_eq!(as_text.get("error"), reply.get("error"));
        for at in [
            "/totalSteps",
            "/createdAt",
            "/agentId",
            "/pendingSteps/1",
            "/context",
        ] {
            assert!(found.contains(&at.to_owned()), "{at}: {found:?}");
        }
        let late = backend.save(state("task-1", "a").with("stepIndex", 4), &[]);
        assert_eq!(problems(&late), ["/stepIndex"]);
        for nothing in [Json::Null, "text".into(), Json::Array(Vec::new())] {
            for spaces in ["", " "] {
                let text = format!("{spaces}{}", nothing.to_line());
                let reply = backend.ask("save_task", &[("text", text.into())]);
                assert_eq!(code(&reply), "invalid_document");
            }
            let reply = backend.ask("save_task", &[("state", nothing)]);
            assert_eq!(code(&reply), "invalid_document");
        }
        assert_eq!(code(&backend.ask("save_task", &[])), "usage");
        assert_eq!(backend.names(), [""; 0]);
    }
}

#[test]
fn an_invalid_setting_is_refused() {
    let backend = TaskBackend::in_memory("files");
    for key in [
        "max_per_task",
        "storage_max_per_task",
        "max_bytes",
        "max_task_bytes",
        "max_store_bytes",
    ] {
        for wrong in [
            0.into(),
            Json::Number("1.5".into()),
            "7".into(),
            Json::Null,
            true.into(),
        ] {
            let reply = backend.save(state("task-1", "a"), &[(key, wrong)]);
            assert_eq!(code(&reply), "usage", "{key}");
        }
    }
    let reply = backend.save(state("task-1", "a"), &[("auto_cleanup", 1.into())]);
    assert_eq!(code(&reply), "usage");
    let reply = backend.save(state("task-1", "a"), &[("max_per_tsak", 1.into())]);
    assert_eq!(code(&reply), "usage");
    for arguments in [&[][..], &[("id", "a".into()), ("task_id", "task-1".into())]] {
        assert_eq!(code(&backend.ask("load_task", arguments)), "usage");
    }
    let none = backend.ask("list_tasks", &[("limit", 0.into())]);
    assert_eq!(code(&none), "usage");
    assert_eq!(backend.names(), [""; 0]);
}

#[test]
fn a_repeated_step_is_saved_with_a_warning() {
    for backend in TaskBackend::all() {
        let repeated = state("task-1", "a").with("pendingSteps", vec!["step-2", "step-1"]);
        let reply = backend.save(repeated, &[]);
        assert_eq!(text(value(&reply), "/id"), "a");
        assert_eq!(warnings(&reply), ["repeated_step"]);
    }
}

#[test]
fn an_id_of_another_task_is_refused() {
    for backend in TaskBackend::all() {
        backend.keep("task-1", "a");
        let reply = backend.save(state("task-2", "a"), &[]);
        assert_eq!(code(&reply), "conflict");
        let reason = message(&reply);
        assert!(reason.contains("belongs to task \"task-1\""), "{reason}");
        assert_eq!(backend.ids("task-1"), ["a"]);
        assert_eq!(backend.tasks(), ["task-1"]);
        assert!(backend.delete("a"));
        backend.keep("task-2", "a");
        assert_eq!(backend.ids("task-2"), ["a"]);
    }
}

#[test]
fn a_task_that_was_changed_after_it_was_read_is_a_conflict() {
    for backend in TaskBackend::all() {
        let expecting = |id: &str, revision: u64| {
            backend.save(
                state("task-1", id),
                &[("expected_revision", revision.into())],
            )
        };
        assert_eq!(code(&expecting("a", 7)), "conflict");
        let first = number(value(&expecting("a", 0)), "/revision");
        assert_eq!(number(value(&backend.latest("task-1")), "/revision"), first);
        assert_eq!(code(&expecting("b", 0)), "conflict");
        let second = number(value(&expecting("b", first)), "/revision");
        assert_eq!(code(&expecting("c", first)), "conflict");
        assert_eq!(backend.revision("task-1"), second);
        assert_eq!(backend.ids("task-1"), ["a", "b"]);
        // One that was deleted and begun again is another one.
        backend.delete_all("task-1");
        backend.keep("task-1", "a");
        backend.keep("task-1", "b");
        assert_eq!(code(&expecting("c", second)), "conflict");
    }
}

#[test]
fn a_limit_of_bytes_holds_and_stores_nothing_above_it() {
    for backend in TaskBackend::all() {
        let large = |task: &str, id: &str, bytes: usize| {
            state(task, id).with("context", Object::new().with("x", "y".repeat(bytes)))
        };
        for key in ["max_bytes", "max_task_bytes", "max_store_bytes"] {
            let reply = backend.save(large("task-1", "a", 5_000), &[(key, 5_000.into())]);
            assert_eq!(code(&reply), "too_large", "{key}");
        }
        assert_eq!(backend.tasks(), [""; 0]);
        value(&backend.save(large("task-1", "a", 5_000), &[]));
        let next = large("task-1", "b", 5_000);
        let limit = |key| [(key, Json::from(10_000))];
        assert_eq!(
            code(&backend.save(next.clone(), &limit("max_task_bytes"))),
            "too_large"
        );
        value(&backend.save(next.clone(), &limit("max_bytes")));
        let other = large("task-2", "c", 500);
        assert_eq!(
            code(&backend.save(other, &limit("max_store_bytes"))),
            "too_large"
        );
        // A save that makes a task smaller is never refused.
        let smaller = large("task-1", "b", 10);
        value(&backend.save(smaller, &limit("max_store_bytes")));
        assert_eq!(backend.tasks(), ["task-1"]);
    }
}

#[test]
fn a_state_of_100_mb_is_refused() {
    for storage in super::STORAGES {
        let backend = TaskBackend::in_memory(storage);
        let large = state("task-1", "a");
        let large = large.with("context", Object::new().with("x", "y".repeat(100 << 20)));
        let line = backend.line("save_task", &super::with_state(large, &[]));
        let reply = milepost::operation::request::start(line.as_bytes());
        let reply = super::parsed(&backend.world().run(reply));
        assert_eq!(code(&reply), "too_large");
        assert!(message(&reply).contains("16777216"));
        let text = " ".repeat((16 << 20) + 1);
        let reply = backend.ask("save_task", &[("text", text.into())]);
        assert_eq!(code(&reply), "too_large");
        assert_eq!(backend.names(), [""; 0]);
    }
}

#[test]
fn many_saves_of_a_task_that_keeps_one_leave_nothing_behind() {
    for storage in super::STORAGES {
        let backend = TaskBackend::in_memory(storage);
        for number in 0..10_000 {
            let state = state("task-1", &format!("cp-{number}"));
            let one = super::with_state(state, &[("max_per_task", 1.into())]);
            let line = backend.line("save_task", &one);
            let machine = milepost::operation::request::start(line.as_bytes());
            value(&super::parsed(&backend.world().run(machine)));
            backend.world().log.borrow_mut().clear();
        }
        assert_eq!(backend.ids("task-1"), ["cp-9999"]);
        backend.expect_nothing_else(&["task-1"], storage);
    }
}

#[test]
fn a_checkpoint_as_text_is_saved_unchanged_and_alone() {
    for backend in TaskBackend::all() {
        let one = state("task-1", "a").with("own", json("[1e400, {\"b\": 1, \"a\": 2}]"));
        let given = Json::from(one.clone());
        let reply = backend.ask("save_task", &[("text", given.to_document().into())]);
        assert_eq!(super::text(value(&reply), "/id"), "a");
        assert_eq!(value(&backend.by_id("a")).at("/state"), Some(&given));
        for more in [
            vec![],
            vec![("state", given.clone()), ("text", given.to_line().into())],
        ] {
            let reply = backend.ask("save_task", &more);
            assert_eq!(message(&reply), "Expected either `state` or `text`");
        }
        let reply = backend.ask("save_task", &[("text", "{\"id\": ".into())]);
        assert_eq!(code(&reply), "usage");
    }
}

fn json(text: &str) -> Json {
    milepost::json::read(text.as_bytes()).unwrap().value
}

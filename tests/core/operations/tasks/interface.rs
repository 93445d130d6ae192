//! The specified interface of task checkpoints, item by item.

use milepost::json::{Json, Object};

use super::{TaskBackend, code, message, number, state, text, value};

fn ids(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("cp-{number}")).collect()
}

#[test]
fn ten_checkpoints_are_kept_where_no_number_is_given() {
    for backend in TaskBackend::all() {
        for id in ids(12) {
            backend.keep("task-1", &id);
        }
        assert_eq!(backend.ids("task-1"), &ids(12)[2..]);
    }
}

#[test]
fn the_number_that_is_given_is_the_number_that_is_kept() {
    for backend in TaskBackend::all() {
        for id in ids(4) {
            value(&backend.save(state("task-1", &id), &[("max_per_task", 3.into())]));
        }
        assert_eq!(backend.ids("task-1"), &ids(4)[1..]);
        let inner = [("storage_max_per_task", 2.into())];
        value(&backend.save(state("task-1", "cp-5"), &inner));
        assert_eq!(backend.ids("task-1"), ["cp-4", "cp-5"]);
        let both = [("max_per_task", 1.into()), inner[0].clone()];
        value(&backend.save(state("task-1", "cp-6"), &both));
        assert_eq!(backend.ids("task-1"), ["cp-6"]);
    }
}

#[test]
fn saved_checkpoints_load_unchanged() {
    for backend in TaskBackend::all() {
        let metadata = Object::new()
            .with("__proto__", 1)
            .with("text", "\u{1F600}\n\"");
        let saved = state("task-1", "cp-1")
            .with("metadata", metadata)
            .with("own", Json::Number("1e400".into()));
        value(&backend.save(saved.clone(), &[]));
        let loaded = backend.latest("task-1");
        let loaded = value(&loaded);
        assert_eq!(loaded.at("/state"), Some(&Json::from(saved)));
        assert_eq!(text(loaded, "/id"), "cp-1");
        assert_eq!(text(loaded, "/task_id"), "task-1");
    }
}

#[test]
fn the_oldest_goes_when_there_are_too_many() {
    for backend in TaskBackend::all() {
        let save = |id: &str| {
            let reply = backend.save(state("task-1", id), &[("max_per_task", 2.into())]);
            value(&reply).at("/evicted").unwrap().to_line()
        };
        assert_eq!(save("a"), "[]");
        assert_eq!(save("b"), "[]");
        assert_eq!(save("c"), "[\"a\"]");
        assert_eq!(backend.ids("task-1"), ["b", "c"]);
        assert_eq!(code(&backend.by_id("a")), "not_found");
    }
}

#[test]
fn saving_an_id_again_keeps_its_place_and_does_not_repeat_it() {
    for backend in TaskBackend::all() {
        backend.keep("task-1", "a");
        backend.keep("task-1", "b");
        let reply = backend.save(state("task-1", "a").with("stepIndex", 2), &[]);
        assert_eq!(value(&reply).at("/updated"), Some(&Json::Bool(true)));
        assert_eq!(backend.ids("task-1"), ["a", "b"]);
        let again = backend.by_id("a");
        assert_eq!(number(value(&again), "/state/stepIndex"), 2);
        assert_eq!(text(value(&backend.latest("task-1")), "/id"), "b");
    }
}

#[test]
fn the_latest_checkpoint_is_restored() {
    for backend in TaskBackend::all() {
        for id in ["z", "a", "m"] {
            backend.keep("task-1", id);
        }
        assert_eq!(text(value(&backend.latest("task-1")), "/id"), "m");
    }
}

#[test]
fn an_unknown_task_is_not_found() {
    for backend in TaskBackend::all() {
        for _ in 0..2 {
            let reply = backend.latest("none");
            assert_eq!(code(&reply), "not_found");
            assert_eq!(message(&reply), "No checkpoint found for task: none");
            backend.keep("task-1", "a");
        }
    }
}

#[test]
fn the_steps_that_remain_are_the_pending_ones() {
    for backend in TaskBackend::all() {
        backend.keep("task-1", "a");
        for reply in [backend.latest("task-1"), backend.by_id("a")] {
            let steps = value(&reply).at("/remaining_steps").unwrap();
            assert_eq!(steps.to_line(), r#"["step-2","step-3"]"#);
        }
    }
}

#[test]
fn an_id_leads_to_its_checkpoint() {
    for backend in TaskBackend::all() {
        for (task, id) in [("task-1", "a"), ("task-1", "b"), ("task-2", "c")] {
            backend.keep(task, id);
        }
        for (task, id) in [("task-1", "a"), ("task-1", "b"), ("task-2", "c")] {
            let reply = backend.by_id(id);
            assert_eq!(text(value(&reply), "/state/id"), id);
            assert_eq!(text(value(&reply), "/state/taskId"), task);
        }
    }
}

#[test]
fn an_unknown_id_is_not_found() {
    for backend in TaskBackend::all() {
        for _ in 0..2 {
            let reply = backend.by_id("none");
            assert_eq!(code(&reply), "not_found");
            assert_eq!(message(&reply), "Checkpoint not found: none");
            backend.keep("task-1", "a");
        }
    }
}

#[test]
fn a_list_is_in_the_order_of_saves() {
    for backend in TaskBackend::all() {
        for id in ["9", "10", "b", "A"] {
            backend.keep("task-1", id);
        }
        assert_eq!(backend.ids("task-1"), ["9", "10", "b", "A"]);
        assert_eq!(backend.list("task-1")[2], state("task-1", "b"));
    }
}

#[test]
fn a_task_has_only_its_own_checkpoints() {
    for backend in TaskBackend::all() {
        backend.keep("task-1", "a");
        backend.keep("task-2", "b");
        value(&backend.save(state("task-1", "c"), &[("max_per_task", 1.into())]));
        assert_eq!(backend.ids("task-1"), ["c"]);
        assert_eq!(backend.ids("task-2"), ["b"]);
    }
}

#[test]
fn an_unknown_task_has_an_empty_list() {
    for backend in TaskBackend::all() {
        assert_eq!(backend.ids("none"), [""; 0]);
        assert_eq!(backend.revision("none"), 0);
    }
}

#[test]
fn a_checkpoint_that_was_deleted_is_gone() {
    for backend in TaskBackend::all() {
        backend.keep("task-1", "a");
        backend.keep("task-1", "b");
        assert!(backend.delete("a"));
        assert_eq!(backend.ids("task-1"), ["b"]);
        assert_eq!(code(&backend.by_id("a")), "not_found");
        assert!(!backend.delete("a"));
    }
}

#[test]
fn deleting_an_unknown_checkpoint_deletes_nothing() {
    for backend in TaskBackend::all() {
        assert!(!backend.delete("none"));
        backend.keep("task-1", "a");
        assert!(!backend.delete("none"));
    }
}

#[test]
fn a_task_whose_last_checkpoint_was_deleted_is_unknown() {
    for backend in TaskBackend::all() {
        backend.keep("task-1", "a");
        assert!(backend.delete("a"));
        assert_eq!(backend.ids("task-1"), [""; 0]);
        assert_eq!(backend.tasks(), [""; 0]);
        assert_eq!(backend.revision("task-1"), 0);
        let reply = backend.latest("task-1");
        assert_eq!(message(&reply), "No checkpoint found for task: task-1");
        assert_eq!(backend.delete_all("task-1"), 0);
        backend.keep("task-2", "a");
        assert_eq!(backend.ids("task-2"), ["a"]);
    }
}

#[test]
fn deleting_a_task_removes_all_of_it_and_counts_right() {
    for backend in TaskBackend::all() {
        for id in ids(3) {
            backend.keep("task-1", &id);
        }
        backend.keep("task-2", "other");
        assert_eq!(backend.delete_all("task-1"), 3);
        assert_eq!(backend.ids("task-1"), [""; 0]);
        for id in ids(3) {
            assert_eq!(code(&backend.by_id(&id)), "not_found");
        }
        assert_eq!(backend.ids("task-2"), ["other"]);
        assert_eq!(backend.delete_all("task-1"), 0);
        assert_eq!(backend.delete_all("none"), 0);
        assert_eq!(backend.tasks(), ["task-2"]);
    }
}

#[test]
fn the_last_checkpoint_of_a_task_that_is_done_stays_alone() {
    for backend in TaskBackend::all() {
        for id in ids(3) {
            backend.keep("task-1", &id);
        }
        let done = state("task-1", "cp-2").with("pendingSteps", Vec::<Json>::new());
        let reply = backend.save(done, &[("auto_cleanup", true.into())]);
        let evicted = value(&reply).at("/evicted").unwrap().to_line();
        assert_eq!(evicted, r#"["cp-1","cp-3"]"#);
        assert_eq!(backend.ids("task-1"), ["cp-2"]);
    }
}

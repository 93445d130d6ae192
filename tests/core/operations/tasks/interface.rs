//! The specified interface of task checkpoints, item by item.

use milepost::json::{Json, Object};

use super::{TaskBackend, code, message, number, state, text, value};

fn ids(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("cp-{number}")).collect()
}

#[test]
fn ten_checkpoints_are_kept_where_no_number_is_given() {
    for place in TaskBackend::all() {
        for id in ids(12) {
            place.keep("task-1", &id);
        }
        assert_eq!(place.ids("task-1"), &ids(12)[2..]);
    }
}

#[test]
fn the_number_that_is_given_is_the_number_that_is_kept() {
    for place in TaskBackend::all() {
        for id in ids(4) {
            value(&place.save(state("task-1", &id), &[("max_per_task", 3.into())]));
        }
        assert_eq!(place.ids("task-1"), &ids(4)[1..]);
        let inner = [("storage_max_per_task", 2.into())];
        value(&place.save(state("task-1", "cp-5"), &inner));
        assert_eq!(place.ids("task-1"), ["cp-4", "cp-5"]);
        let both = [("max_per_task", 1.into()), inner[0].clone()];
        value(&place.save(state("task-1", "cp-6"), &both));
        assert_eq!(place.ids("task-1"), ["cp-6"]);
    }
}

#[test]
fn what_is_saved_comes_back_unchanged() {
    for place in TaskBackend::all() {
        let metadata = Object::new()
            .with("__proto__", 1)
            .with("text", "\u{1F600}\n\"");
        let saved = state("task-1", "cp-1")
            .with("metadata", metadata)
            .with("own", Json::Number("1e400".into()));
        value(&place.save(saved.clone(), &[]));
        let loaded = place.latest("task-1");
        let loaded = value(&loaded);
        assert_eq!(loaded.at("/state"), Some(&Json::from(saved)));
        assert_eq!(text(loaded, "/id"), "cp-1");
        assert_eq!(text(loaded, "/task_id"), "task-1");
    }
}

#[test]
fn the_oldest_goes_when_there_are_too_many() {
    for place in TaskBackend::all() {
        let save = |id: &str| {
            let reply = place.save(state("task-1", id), &[("max_per_task", 2.into())]);
            value(&reply).at("/evicted").unwrap().to_line()
        };
        assert_eq!(save("a"), "[]");
        assert_eq!(save("b"), "[]");
        assert_eq!(save("c"), "[\"a\"]");
        assert_eq!(place.ids("task-1"), ["b", "c"]);
        assert_eq!(code(&place.by_id("a")), "not_found");
    }
}

#[test]
fn saving_an_id_again_keeps_its_place_and_does_not_repeat_it() {
    for place in TaskBackend::all() {
        place.keep("task-1", "a");
        place.keep("task-1", "b");
        let reply = place.save(state("task-1", "a").with("stepIndex", 2), &[]);
        assert_eq!(value(&reply).at("/updated"), Some(&Json::Bool(true)));
        assert_eq!(place.ids("task-1"), ["a", "b"]);
        let again = place.by_id("a");
        assert_eq!(number(value(&again), "/state/stepIndex"), 2);
        assert_eq!(text(value(&place.latest("task-1")), "/id"), "b");
    }
}

#[test]
fn the_latest_checkpoint_is_restored() {
    for place in TaskBackend::all() {
        for id in ["z", "a", "m"] {
            place.keep("task-1", id);
        }
        assert_eq!(text(value(&place.latest("task-1")), "/id"), "m");
    }
}

#[test]
fn an_unknown_task_is_not_found() {
    for place in TaskBackend::all() {
        for _ in 0..2 {
            let reply = place.latest("none");
            assert_eq!(code(&reply), "not_found");
            assert_eq!(message(&reply), "No checkpoint found for task: none");
            place.keep("task-1", "a");
        }
    }
}

#[test]
fn the_steps_that_remain_are_the_pending_ones() {
    for place in TaskBackend::all() {
        place.keep("task-1", "a");
        for reply in [place.latest("task-1"), place.by_id("a")] {
            let steps = value(&reply).at("/remaining_steps").unwrap();
            assert_eq!(steps.to_line(), r#"["step-2","step-3"]"#);
        }
    }
}

#[test]
fn an_id_leads_to_its_checkpoint() {
    for place in TaskBackend::all() {
        for (task, id) in [("task-1", "a"), ("task-1", "b"), ("task-2", "c")] {
            place.keep(task, id);
        }
        for (task, id) in [("task-1", "a"), ("task-1", "b"), ("task-2", "c")] {
            let reply = place.by_id(id);
            assert_eq!(text(value(&reply), "/state/id"), id);
            assert_eq!(text(value(&reply), "/state/taskId"), task);
        }
    }
}

#[test]
fn an_unknown_id_is_not_found() {
    for place in TaskBackend::all() {
        for _ in 0..2 {
            let reply = place.by_id("none");
            assert_eq!(code(&reply), "not_found");
            assert_eq!(message(&reply), "Checkpoint not found: none");
            place.keep("task-1", "a");
        }
    }
}

#[test]
fn a_list_is_in_the_order_of_saves() {
    for place in TaskBackend::all() {
        for id in ["9", "10", "b", "A"] {
            place.keep("task-1", id);
        }
        assert_eq!(place.ids("task-1"), ["9", "10", "b", "A"]);
        assert_eq!(place.list("task-1")[2], state("task-1", "b"));
    }
}

#[test]
fn a_task_has_only_its_own_checkpoints() {
    for place in TaskBackend::all() {
        place.keep("task-1", "a");
        place.keep("task-2", "b");
        value(&place.save(state("task-1", "c"), &[("max_per_task", 1.into())]));
        assert_eq!(place.ids("task-1"), ["c"]);
        assert_eq!(place.ids("task-2"), ["b"]);
    }
}

#[test]
fn an_unknown_task_has_an_empty_list() {
    for place in TaskBackend::all() {
        assert_eq!(place.ids("none"), [""; 0]);
        assert_eq!(place.revision("none"), 0);
    }
}

#[test]
fn a_checkpoint_that_was_deleted_is_gone() {
    for place in TaskBackend::all() {
        place.keep("task-1", "a");
        place.keep("task-1", "b");
        assert!(place.delete("a"));
        assert_eq!(place.ids("task-1"), ["b"]);
        assert_eq!(code(&place.by_id("a")), "not_found");
        assert!(!place.delete("a"));
    }
}

#[test]
fn deleting_an_unknown_checkpoint_deletes_nothing() {
    for place in TaskBackend::all() {
        assert!(!place.delete("none"));
        place.keep("task-1", "a");
        assert!(!place.delete("none"));
    }
}

#[test]
fn a_task_whose_last_checkpoint_was_deleted_is_unknown() {
    for place in TaskBackend::all() {
        place.keep("task-1", "a");
        assert!(place.delete("a"));
        assert_eq!(place.ids("task-1"), [""; 0]);
        assert_eq!(place.tasks(), [""; 0]);
        assert_eq!(place.revision("task-1"), 0);
        let reply = place.latest("task-1");
        assert_eq!(message(&reply), "No checkpoint found for task: task-1");
        assert_eq!(place.delete_all("task-1"), 0);
        place.keep("task-2", "a");
        assert_eq!(place.ids("task-2"), ["a"]);
    }
}

#[test]
fn deleting_a_task_removes_all_of_it_and_counts_right() {
    for place in TaskBackend::all() {
        for id in ids(3) {
            place.keep("task-1", &id);
        }
        place.keep("task-2", "other");
        assert_eq!(place.delete_all("task-1"), 3);
        assert_eq!(place.ids("task-1"), [""; 0]);
        for id in ids(3) {
            assert_eq!(code(&place.by_id(&id)), "not_found");
        }
        assert_eq!(place.ids("task-2"), ["other"]);
        assert_eq!(place.delete_all("task-1"), 0);
        assert_eq!(place.delete_all("none"), 0);
        assert_eq!(place.tasks(), ["task-2"]);
    }
}

#[test]
fn the_last_checkpoint_of_a_task_that_is_done_stays_alone() {
    for place in TaskBackend::all() {
        for id in ids(3) {
            place.keep("task-1", &id);
        }
        let done = state("task-1", "cp-2").with("pendingSteps", Vec::<Json>::new());
        let reply = place.save(done, &[("auto_cleanup", true.into())]);
        let evicted = value(&reply).at("/evicted").unwrap().to_line();
        assert_eq!(evicted, r#"["cp-1","cp-3"]"#);
        assert_eq!(place.ids("task-1"), ["cp-2"]);
    }
}

//! Pages of tasks, what was damaged, and where tasks are kept.

use milepost::json::{Json, Object};

use super::{TASKS, TaskBackend, code, state, text, value, warnings};

#[test]
fn pages_of_tasks_have_each_task_once() {
    for backend in TaskBackend::all() {
        let mut expected: Vec<String> = (0..7).map(|it| format!("task {it}")).collect();
        for task in &expected {
            backend.keep(task, task);
        }
        backend.keep("emptied", "gone");
        assert!(backend.delete("gone"));
        let mut found = Vec::new();
        let mut after = Json::Null;
        let mut pages = 0;
        loop {
            let page = backend.ask("list_tasks", &[("after", after), ("limit", 3.into())]);
            let page = value(&page);
            let tasks = page.at("/tasks").unwrap().as_array().unwrap();
            found.extend(tasks.iter().map(|it| text(it, "/task_id")));
            pages += 1;
            after = page.at("/next").unwrap().clone();
            if after == Json::Null {
                break;
            }
            // The last of a page may be gone when the next is asked for.
            let last = after.as_str().unwrap();
            assert_eq!(backend.delete_all(last), 1);
        }
        assert_eq!(pages, 3);
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}

#[test]
fn an_overview_of_a_task_says_what_the_task_says() {
    for backend in TaskBackend::all() {
        backend.keep("task-1", "a");
        backend.keep("task-1", "b");
        let page = backend.ask("list_tasks", &[]);
        let one = value(&page).at("/tasks/0").unwrap();
        let latest = backend.latest("task-1");
        assert_eq!(one.at("/latest"), value(&latest).at("/id"));
        assert_eq!(one.at("/saved_at"), value(&latest).at("/saved_at"));
        assert_eq!(one.at("/revision"), value(&latest).at("/revision"));
        assert_eq!(one.at("/checkpoints"), Some(&2.into()));
        let bytes = Json::from(state("task-1", "a")).to_line().len() as u64;
        assert_eq!(one.at("/bytes"), Some(&(2 * bytes).into()));
    }
}

/// Each page of a list of `task-1`, by its ids.
fn pages(backend: &TaskBackend, page_bytes: u64) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut after = Json::Null;
    loop {
        let task = ("task_id", "task-1".into());
        let more = [task, ("after", after), ("page_bytes", page_bytes.into())];
        let page = backend.ask("list_task", &more);
        let listed = value(&page).at("/checkpoints").unwrap().as_array().unwrap();
        pages.push(listed.iter().map(|it| text(it, "/id")).collect());
        after = value(&page).at("/next").unwrap().clone();
        if after == Json::Null {
            return pages;
        }
    }
}

#[test]
fn a_list_in_pages_has_each_checkpoint_once() {
    for backend in TaskBackend::all() {
        for id in ["a", "b", "c"] {
            backend.keep("task-1", id);
        }
        let one = Json::from(state("task-1", "a")).to_line().len() as u64;
        assert_eq!(pages(&backend, 0), [["a"], ["b"], ["c"]]);
        assert_eq!(pages(&backend, 2 * one), [vec!["a", "b"], vec!["c"]]);
        assert_eq!(pages(&backend, 3 * one), [["a", "b", "c"]]);
    }
}

#[test]
fn a_list_goes_on_after_one_that_is_gone() {
    for backend in TaskBackend::all() {
        backend.keep("task-1", "a");
        backend.keep("task-1", "b");
        assert!(backend.delete("a"));
        let after = [("task_id", "task-1".into()), ("after", "a".into())];
        let reply = backend.ask("list_task", &after);
        assert_eq!(code(&reply), "conflict");
        let said = "Task \"task-1\" has no checkpoint \"a\" any more: list it from its beginning";
        assert_eq!(super::message(&reply), said);
    }
}

/// The path of a checkpoint's part.
fn part_of(backend: &TaskBackend, id: &str) -> String {
    let key = milepost::checkpoint::task::name::TaskId::new(id)
        .unwrap()
        .key();
    let names = backend.names();
    let is_part = |name: &&String| name.contains(&format!("/{key}-"));
    let part = names.iter().find(is_part).unwrap();
    format!("/repo/{TASKS}/{part}")
}

#[test]
fn a_checkpoint_that_cannot_be_read_hides_no_other() {
    let backend = TaskBackend::in_memory("files");
    for id in ["a", "b", "c"] {
        backend.keep("task-1", id);
    }
    backend.world().put(&part_of(&backend, "b"), "{\"id\": ");
    let reply = backend.ask("list_task", &[("task_id", "task-1".into())]);
    assert_eq!(warnings(&reply), ["corrupt"]);
    let all = value(&reply).at("/checkpoints").unwrap();
    let ids: Vec<String> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|it| text(it, "/id"))
        .collect();
    assert_eq!(ids, ["a", "c"]);
    assert_eq!(code(&backend.by_id("b")), "corrupt");
    assert_eq!(text(value(&backend.latest("task-1")), "/id"), "c");
    backend.keep("task-1", "b");
    assert_eq!(backend.ids("task-1"), ["a", "b", "c"]);
}

#[test]
fn a_checkpoint_that_was_changed_by_hand_is_corrupt() {
    let backend = TaskBackend::in_memory("files");
    backend.keep("task-1", "a");
    let edited = state("task-2", "a").with("stepIndex", 9);
    let path = part_of(&backend, "a");
    backend.world().put(&path, Json::from(edited).to_line());
    let reply = backend.by_id("a");
    assert_eq!(warnings(&reply), ["invalid_document"]);
    assert_eq!(text(value(&reply), "/state/taskId"), "task-2");
    assert_eq!(text(value(&reply), "/task_id"), "task-1");
}

#[test]
fn an_index_that_cannot_be_read_is_not_overwritten_and_can_be_deleted() {
    let torn = "{\"version\": 1,";
    let newer = "{\"version\": 2, \"task\": \"task-1\"}";
    let other = "{\"version\": 1, \"task\": \"task-2\", \"changes\": 1, \"checkpoints\": []}";
    for (text, expected, is_removed) in [
        (torn, "corrupt", true),
        (newer, "unsupported_version", false),
        (other, "invalid_document", true),
    ] {
        let backend = TaskBackend::in_memory("files");
        backend.keep("task-1", "a");
        backend.keep("task-2", "b");
        let names = backend.names();
        let index = names
            .iter()
            .find(|it| it.starts_with("task-1-") && it.ends_with("/index.json"));
        let index = format!("/repo/{TASKS}/{}", index.unwrap());
        backend.world().put(&index, text);
        assert_eq!(code(&backend.latest("task-1")), expected);
        assert_eq!(code(&backend.save(state("task-1", "c"), &[])), expected);
        let page = backend.ask("list_tasks", &[]);
        assert_eq!(warnings(&page).len(), 1, "{page:?}");
        assert_eq!(text_of_tasks(&page), ["task-2"]);
        assert_eq!(backend.world().text(&index), text);
        let deleted = backend.ask("delete_task", &[("task_id", "task-1".into())]);
        if !is_removed {
            assert_eq!(code(&deleted), expected);
            continue;
        }
        assert_eq!(warnings(&deleted).len(), 1);
        backend.keep("task-1", "a");
        assert_eq!(backend.ids("task-1"), ["a"]);
        backend.sweep();
        backend.expect_nothing_else(&["task-1", "task-2"], expected);
    }
}

/// A backend whose `task-1` has a torn index.
fn torn() -> (TaskBackend, String) {
    let backend = TaskBackend::in_memory("files");
    backend.keep("task-1", "a");
    backend.keep("task-1", "b");
    let names = backend.names();
    let index = names.iter().find(|it| it.ends_with("/index.json"));
    let index = format!("{TASKS}/{}", index.unwrap());
    backend
        .world()
        .put(&format!("/repo/{index}"), "{\"version\": 1,");
    (backend, index)
}

#[test]
fn a_torn_index_comes_with_what_fixes_it() {
    let (backend, _) = torn();
    let task = [("task_id", "task-1".into())];
    let id = [("id", "a".into())];
    for (reply, expected) in [
        (backend.latest("task-1"), Json::from("task-1")),
        (backend.ask("list_task", &task), "task-1".into()),
        (backend.save(state("task-1", "c"), &[]), "task-1".into()),
        (backend.by_id("a"), Json::Null),
        (backend.ask("delete_task_checkpoint", &id), Json::Null),
    ] {
        assert_eq!(code(&reply), "corrupt");
        let advice = reply.get("error").unwrap().at("/advice").unwrap();
        assert_eq!(text(advice, "/kind"), "delete_task");
        assert_eq!(advice.at("/task"), Some(&expected), "{reply:?}");
    }
    let page = backend.ask("list_tasks", &[]);
    let warning = page.get("warnings").unwrap().at("/0").unwrap();
    assert_eq!(text(warning, "/advice/kind"), "delete_task");
}

/// A backend whose `task-1` has no index any more.
fn without_index() -> TaskBackend {
    let (backend, index) = torn();
    backend.world().delete(&format!("/repo/{index}"));
    backend
}

#[test]
fn a_task_whose_index_is_gone_is_corrupt_and_comes_with_what_fixes_it() {
    let backend = without_index();
    let now_ms = &backend.world().now_ms;
    now_ms.set(now_ms.get() + 120_000.0);
    let before = backend.names();
    let task = [("task_id", "task-1".into())];
    let id = [("id", "a".into())];
    for (reply, expected) in [
        (backend.latest("task-1"), Json::from("task-1")),
        (backend.ask("list_task", &task), "task-1".into()),
        (backend.save(state("task-1", "c"), &[]), "task-1".into()),
        (backend.by_id("a"), Json::Null),
        (backend.ask("delete_task_checkpoint", &id), Json::Null),
    ] {
        assert_eq!(code(&reply), "corrupt", "{reply:?}");
        let advice = reply.get("error").unwrap().at("/advice").unwrap();
        assert_eq!(text(advice, "/kind"), "delete_task");
        assert_eq!(advice.at("/task"), Some(&expected), "{reply:?}");
    }
    let page = backend.ask("list_tasks", &[]);
    assert_eq!(warnings(&page), ["corrupt"]);
    let warning = page.get("warnings").unwrap().at("/0").unwrap();
    assert_eq!(text(warning, "/advice/kind"), "delete_task");
    let cleaned = backend.ask("clean_up_tasks", &[]);
    assert_eq!(warnings(&cleaned), ["corrupt"]);
    assert_eq!(backend.names(), before, "what is left of it is kept");
    let deleted = backend.ask("delete_task", &task);
    assert_eq!(warnings(&deleted), ["corrupt"]);
    backend.keep("task-1", "a");
    assert_eq!(backend.ids("task-1"), ["a"]);
    backend.sweep();
    backend.expect_nothing_else(&["task-1"], "after it was deleted");
}

#[test]
fn a_task_whose_index_is_gone_can_be_deleted_on_a_host_that_cannot_wait() {
    let backend = without_index();
    let world = backend.world();
    world.now_ms.set(world.now_ms.get() + 120_000.0);
    world.has_waits.set(false);
    assert_eq!(code(&backend.latest("task-1")), "corrupt");
    let deleted = backend.ask("delete_task", &[("task_id", "task-1".into())]);
    assert_eq!(warnings(&deleted), ["corrupt"]);
    backend.keep("task-1", "a");
    assert_eq!(backend.ids("task-1"), ["a"]);
}

#[test]
fn new_checkpoints_without_an_index_count_as_those_of_a_writer_that_was_overtaken() {
    let backend = without_index();
    assert_eq!(code(&backend.latest("task-1")), "not_found");
    assert_eq!(backend.ids("task-1"), [""; 0]);
    assert_eq!(code(&backend.by_id("a")), "not_found");
    backend.keep("task-1", "c");
    assert_eq!(backend.ids("task-1"), ["c"]);
}

#[test]
fn a_torn_checkpoint_is_not_to_be_fixed_by_the_loss_of_its_task() {
    let backend = TaskBackend::in_memory("files");
    backend.keep("task-1", "a");
    backend.world().put(&part_of(&backend, "a"), "{\"id\": ");
    let reply = backend.latest("task-1");
    assert_eq!(code(&reply), "corrupt");
    assert_eq!(reply.get("error").unwrap().at("/advice"), None);
}

#[test]
fn a_warning_of_a_torn_index_names_its_path_once() {
    let (backend, index) = torn();
    let page = backend.ask("list_tasks", &[]);
    let said = text(page.get("warnings").unwrap(), "/0/message");
    assert_eq!(said.matches(&index).count(), 1, "{said}");
}

#[test]
fn a_warning_of_an_index_that_breaks_its_schema_names_its_task() {
    let (backend, index) = torn();
    for wrong in ["{\"version\": 1}", "{\"version\": 2}"] {
        backend.world().put(&format!("/repo/{index}"), wrong);
        let page = backend.ask("list_tasks", &[]);
        let said = text(page.get("warnings").unwrap(), "/0/message");
        assert!(said.starts_with(&format!("{index}: ")), "{said}");
    }
}

#[test]
fn the_warning_of_a_deleted_task_does_not_advise_to_delete_it() {
    let (backend, _) = torn();
    let deleted = backend.ask("delete_task", &[("task_id", "task-1".into())]);
    assert_eq!(warnings(&deleted), ["corrupt"]);
    assert_eq!(deleted.get("warnings").unwrap().at("/0/advice"), None);
}

fn text_of_tasks(page: &Object) -> Vec<String> {
    let tasks = value(page).at("/tasks").unwrap().as_array().unwrap();
    tasks.iter().map(|it| text(it, "/task_id")).collect()
}

#[test]
fn reading_where_there_are_no_tasks_makes_no_folder() {
    let backend = TaskBackend::in_memory("files");
    backend.latest("task-1");
    backend.by_id("a");
    backend.list("task-1");
    backend.tasks();
    backend.delete("a");
    backend.delete_all("task-1");
    assert_eq!(backend.names(), [""; 0]);
    assert!(backend.world().files_below("/repo").is_empty());
}

#[test]
fn tasks_are_kept_in_the_folder_that_was_named() {
    for (dir, folder) in [
        ("own/state", "/repo/own/state"),
        ("/else/where", "/else/where"),
    ] {
        let backend = TaskBackend::in_memory("files");
        backend
            .world()
            .put_node("/else", crate::memory::Node::Folder);
        let ask = |operation: &str, more: &[(&str, Json)]| {
            let mut request = Object::new().with("operation", operation).with(
                "place",
                Object::new().with("root", "/repo").with("dir", dir),
            );
            for (key, value) in more {
                request.set(key, value.clone());
            }
            super::parsed(
                &backend
                    .world()
                    .ask(Json::from(request).to_line().as_bytes()),
            )
        };
        value(&ask("save_task", &[("state", state("task-1", "a").into())]));
        let files = backend.world().files_below(folder);
        assert!(
            files.iter().any(|it| it.starts_with("tasks/task-1-")),
            "{files:?}"
        );
        assert_eq!(
            text(value(&ask("load_task", &[("id", "a".into())])), "/id"),
            "a"
        );
        assert_eq!(backend.tasks(), [""; 0]);
    }
}

#[test]
fn tasks_in_a_root_that_does_not_exist_are_an_error() {
    let backend = TaskBackend::in_memory("files");
    let request = |operation: &str, key: &str| {
        let line = super::line("/none", "files", operation, &[(key, "a".into())]);
        super::parsed(&backend.world().ask(line.as_bytes()))
    };
    for (operation, key) in [
        ("load_task", "task_id"),
        ("load_task", "id"),
        ("list_task", "task_id"),
        ("list_tasks", "after"),
        ("delete_task", "task_id"),
        ("delete_task_checkpoint", "id"),
    ] {
        assert_eq!(code(&request(operation, key)), "usage", "{operation} {key}");
    }
}

#[test]
fn a_folder_elsewhere_is_made_with_the_missing_ones_above_it() {
    let backend = TaskBackend::in_memory("files");
    let place_of = |dir: &str| Object::new().with("root", "/repo").with("dir", dir);
    let ask = |operation: &str, dir: &str, more: &[(&str, Json)]| {
        let mut request = Object::new()
            .with("operation", operation)
            .with("place", place_of(dir));
        for (key, value) in more {
            request.set(key, value.clone());
        }
        let line = Json::from(request).to_line();
        let machine = milepost::operation::request::start(line.as_bytes());
        super::parsed(&backend.world().run(machine))
    };
    let given = super::with_state(state("task-1", "a"), &[]);
    value(&ask("save_task", "/elsewhere/deep/state", &given));
    let loaded = ask("load_task", "/elsewhere/deep/state", &[("id", "a".into())]);
    assert_eq!(text(value(&loaded), "/id"), "a");
    backend.world().put("/elsewhere/file", "");
    let refused = ask("save_task", "/elsewhere/file/deep/state", &given);
    assert_eq!(code(&refused), "io");
    assert!(super::message(&refused).contains("/elsewhere/file/deep/state"));
}

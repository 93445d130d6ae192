//! Saves of tasks that their caller keeps, as JavaScript does in memory, against those of tasks in a store.

use milepost::checkpoint::task::name::TaskId;
use milepost::json::{Json, Object};
use milepost::operation::request;

use super::{TaskBackend, code, number, parsed, state, text, value, with_state};

/// The task of a caller, kept as plainly as it can be.
#[derive(Default)]
struct TaskModel {
    /// Task, id and size, in the order of first saves.
    checkpoints: Vec<(String, String, u64)>,
    changes: u64,
}

impl TaskModel {
    fn request(&self, state: &Object, more: &[(&str, Json)]) -> String {
        let (task, id) = (
            text(&state.clone().into(), "/taskId"),
            text(&state.clone().into(), "/id"),
        );
        let of_task = || self.checkpoints.iter().filter(|it| it.0 == task);
        let others = self.checkpoints.iter().filter(|it| it.0 != task);
        let owner = self.checkpoints.iter().find(|it| it.1 == id);
        let ids: Vec<Json> = of_task().map(|it| it.1.as_str().into()).collect();
        let bytes: Vec<Json> = of_task().map(|it| it.2.into()).collect();
        let mut request = Object::new()
            .with("operation", "plan_task_save")
            .with("ids", ids)
            .with("bytes", bytes)
            .with("changes", self.changes)
            .with("owner", owner.map(|it| it.0.as_str()))
            .with("other_bytes", others.map(|it| it.2).sum::<u64>());
        for (key, value) in with_state(state.clone(), more) {
            request.set(key, value);
        }
        Json::from(request).to_line()
    }

    fn apply(&mut self, saved: &Json) {
        let (task, id) = (text(saved, "/task_id"), text(saved, "/id"));
        let evicted = saved.at("/evicted").unwrap().as_array().unwrap();
        self.checkpoints
            .retain(|it| !evicted.iter().any(|gone| gone.as_str() == Some(&it.1)));
        let bytes = number(saved, "/bytes");
        match self.checkpoints.iter_mut().find(|it| it.1 == id) {
            Some(known) => known.2 = bytes,
            None => self.checkpoints.push((task, id, bytes)),
        }
        self.changes += 1;
    }
}

fn planned(line: &str) -> Object {
    let machine = request::start(line.as_bytes());
    parsed(&machine.run(|effect| panic!("a rule asked for {effect:?}")))
}

#[test]
fn a_task_that_its_caller_keeps_comes_to_the_same_as_one_in_a_store() {
    let _run = milepost_property::seed(
        "a task that its caller keeps comes to the same as one in a store",
        17,
    );
    let mut random = fastrand::Rng::with_seed(17);
    for round in 0..30 {
        let (backend, mut model) = (TaskBackend::in_memory("records"), TaskModel::default());
        let limits: Vec<(&str, Json)> = match round % 4 {
            0 => vec![("max_per_task", 3.into()), ("auto_cleanup", true.into())],
            1 => vec![
                ("storage_max_per_task", 2.into()),
                ("max_bytes", 420.into()),
            ],
            2 => vec![("max_task_bytes", 1200.into())],
            _ => vec![("max_store_bytes", 2000.into()), ("max_per_task", 0.into())],
        };
        for _ in 0..20 {
            let task = format!("task {}", random.usize(0..3));
            let id = format!("cp {}", random.usize(0..8));
            let pending: &[&str] = if random.bool() { &["x"] } else { &[] };
            let pending: Vec<Json> = pending.iter().map(|it| (*it).into()).collect();
            let context = Object::new().with("x", "y".repeat(random.usize(0..120)));
            let state = state(&task, &id)
                .with("context", context)
                .with("pendingSteps", pending);
            let stored = backend.ask("save_task", &with_state(state.clone(), &limits));
            let plan = planned(&model.request(&state, &limits));
            assert_eq!(plan.get("warnings"), stored.get("warnings"));
            if plan.get("ok") != Some(&true.into()) {
                assert_eq!(plan.get("error"), stored.get("error"));
                continue;
            }
            let (plan, stored) = (value(&plan), value(&stored));
            for member in ["/id", "/task_id", "/bytes", "/updated", "/evicted"] {
                assert_eq!(plan.at(member), stored.at(member), "{member}");
            }
            model.apply(plan);
            let of_task = model.checkpoints.iter().filter(|it| it.0 == task);
            let ids: Vec<String> = of_task.map(|it| it.1.clone()).collect();
            assert_eq!(ids, backend.ids(&task));
        }
    }
}

#[test]
fn a_plan_for_another_revision_than_expected_is_refused() {
    let model = TaskModel {
        checkpoints: vec![("task-1".to_owned(), "a".to_owned(), 10)],
        changes: 7,
    };
    let expecting = |number: u64| {
        let line = model.request(
            &state("task-1", "b"),
            &[("expected_revision", number.into())],
        );
        planned(&line)
    };
    assert_eq!(number(value(&expecting(7)), "/revision"), 8);
    assert_eq!(code(&expecting(6)), "conflict");
    assert_eq!(code(&expecting(0)), "conflict");
}

#[test]
fn an_invalid_name_is_refused_where_the_caller_keeps_the_task() {
    let request = TaskModel::default().request(&state("task-1", ""), &[]);
    assert_eq!(code(&planned(&request)), "invalid_document");
    assert!(TaskId::new("").is_err());
}

#[test]
fn limits_are_checked_before_anything_is_saved() {
    let check = |given: &str| planned(&format!(r#"{{"operation":"check_task_limits"{given}}}"#));
    let usual = check("");
    let expected = r#"{"max_per_task":10,"auto_cleanup":false,"max_bytes":16777216,"max_task_bytes":1073741824,"max_store_bytes":null}"#;
    assert_eq!(value(&usual).to_line(), expected);
    let outer = check(r#","max_per_task":3,"storage_max_per_task":5"#);
    assert_eq!(number(value(&outer), "/max_per_task"), 3);
    for wrong in ["0", "-1", "1.5", "null", "\"5\"", "true"] {
        for name in ["max_per_task", "storage_max_per_task", "max_bytes"] {
            assert_eq!(code(&check(&format!(r#","{name}":{wrong}"#))), "usage");
        }
    }
}

#[test]
fn a_prune_of_tasks_that_their_caller_keeps_comes_to_the_same_as_one_in_a_store() {
    const HOUR_MS: u64 = 3_600_000;
    let backend = TaskBackend::in_memory("records");
    let world = backend.world();
    let now_ms = world.now_ms.get();
    // Of none is it a matter of the time that a request takes.
    let ages = (0..40).map(|it| it * 7 * HOUR_MS + HOUR_MS / 2);
    let ages: Vec<u64> = ages.collect();
    for age_ms in &ages {
        world.now_ms.set(now_ms - *age_ms as f64);
        backend.keep(&age_ms.to_string(), &format!("of {age_ms}"));
    }
    world.now_ms.set(now_ms);
    let plan = |days: u64, now_ms: u64, saved_ms: Vec<u64>| {
        let request = Object::new()
            .with("operation", "plan_task_prune")
            .with("days", days)
            .with("now_ms", now_ms)
            .with("saved_ms", saved_ms);
        planned(&Json::from(request).to_line())
    };
    let now = now_ms as u64;
    let saved: Vec<u64> = ages.iter().map(|age_ms| now - age_ms).collect();
    for days in 1..13 {
        let more = [("days", days.into()), ("dry_run", true.into())];
        let reply = backend.ask("prune_tasks", &more);
        let mut stored: Vec<u64> = value(&reply)
            .at("/tasks")
            .and_then(Json::as_array)
            .unwrap()
            .iter()
            .map(|task| task.as_str().unwrap().parse().unwrap())
            .collect();
        stored.sort_unstable();
        let reply = plan(days, now, saved.clone());
        let places = value(&reply).at("/old").and_then(Json::as_array).unwrap();
        let places = places.iter().map(|it| it.as_u64().unwrap() as usize);
        let old: Vec<u64> = places.map(|place| ages[place]).collect();
        assert_eq!(old, stored, "{days}");
    }
    let day_ms = 24 * HOUR_MS;
    let reply = plan(1, now, vec![now - day_ms, now - day_ms - 1, now]);
    assert_eq!(value(&reply).at("/old").unwrap().to_line(), "[1]");
    assert_eq!(code(&plan(0, now, Vec::new())), "usage");
}

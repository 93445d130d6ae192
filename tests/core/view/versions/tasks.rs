//! The list of tasks.

use milepost::json::Json;

use super::{at, list, page, run, text, texts, world};
use crate::memory::Memory;

/// Saves a checkpoint of a task.
pub(super) fn save(world: &Memory, task: &str, id: &str, step: u64) {
    world.now_ms.set(world.now_ms.get() + 1_000.0);
    let (task, id) = (Json::from(task).to_line(), Json::from(id).to_line());
    let state = format!(
        r#"{{"id":{id},"taskId":{task},"agentId":"a","stepIndex":{step},"totalSteps":5,"context":{{}},"completedSteps":[],"pendingSteps":[],"createdAt":"2027-01-15T08:00:00.000Z"}}"#
    );
    run(
        world,
        &format!(r#"{{"operation":"save_task","state":{state}}}"#),
    );
}

#[test]
fn each_task_has_its_checkpoints_in_their_order() {
    let world = world();
    save(&world, "fix the login", "first", 1);
    save(&world, "fix the login", "second", 2);
    save(&world, "add/é", "only", 3);
    let mut page = page(&world);
    let shown = page.ask(r#"{"query":"tasks"}"#);
    assert!(page.rounds > 0, "they were there from the beginning");
    assert_eq!(texts(&shown, "/rows", "/task"), ["add/é", "fix the login"]);
    assert_eq!(
        texts(&shown, "/rows/1/checkpoints", "/id"),
        ["first", "second"]
    );
    assert_eq!(
        text(&shown, "/rows/0/checkpoints/0/key"),
        "t/add%2F%C3%A9/only"
    );
    assert_eq!(at(&shown, "/rows/1/checkpoints/1/step").as_u64(), Some(2));
    assert_eq!(
        at(&shown, "/rows/1/checkpoints/1/total_steps").as_u64(),
        Some(5)
    );
    let key = text(&shown, "/rows/0/checkpoints/0/key");
    let one = page.ask(&format!(
        r#"{{"query":"revision","moment":{{"key":"{key}","revision":null}}}}"#
    ));
    assert_eq!(text(&one, "/title"), "add/é · only");
    assert!(text(&one, "/raw").contains("\"stepIndex\": 3"));
}

#[test]
fn a_text_is_looked_for_in_tasks_and_in_ids() {
    let world = world();
    save(&world, "one", "alpha", 1);
    save(&world, "two", "beta", 1);
    let mut page = page(&world);
    for (filter, expected) in [("TWO", "two"), ("Alph", "one")] {
        let shown = page.ask(&format!(
            r#"{{"query":"tasks","filter":{{"text":"{filter}"}}}}"#
        ));
        assert_eq!(texts(&shown, "/rows", "/task"), [expected]);
        assert_eq!(at(&shown, "/total").as_u64(), Some(2));
    }
}

#[test]
fn a_task_whose_index_cannot_be_read_is_reported() {
    let world = world();
    save(&world, "one", "alpha", 1);
    save(&world, "two", "beta", 1);
    let mut page = page(&world);
    page.ask(r#"{"query":"tasks"}"#);
    let index = page
        .paths()
        .into_iter()
        .find(|it| it.contains("tasks/one-") && it.ends_with("/index.json"));
    page.put(&index.unwrap(), b"{");
    let answer = Json::Object(page.answer(r#"{"query":"tasks"}"#));
    assert_eq!(texts(&answer, "/value/rows", "/task"), ["two"]);
    assert_eq!(texts(&answer, "/warnings", "/code"), ["corrupt"]);
    assert_eq!(list(&answer, "/value/rows/0/checkpoints").len(), 1);
}

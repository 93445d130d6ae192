//! Hidden text on a page.

use milepost::checkpoint::session::yaml;
use milepost::json::{Json, Object};

use super::{page, run, world};
use crate::hidden::{self, Text};

const ONE: &str = "chk-20250126-103000";
const OTHER: &str = "chk-20250126-113000";

/// Every text in every answer about a project with a text in each field.
pub(crate) fn answers(text: &Text) -> Vec<String> {
    let world = world();
    for feature in ["a", "b"] {
        let mut document = hidden::run(text).with("feature", feature);
        if feature == "a" {
            document.remove(&text.of("member"));
        }
        let file = format!("/repo/.claude/state/implement-{feature}.json");
        world.put(&file, document.to_document());
    }
    let mut other = hidden::session(text, OTHER);
    other.remove(&text.of("member"));
    for (id, session) in [(ONE, hidden::session(text, ONE)), (OTHER, other)] {
        let file = format!("/repo/.claude/checkpoints/{id}.yaml");
        world.put(&file, yaml::write(&session));
    }
    // Ids have no NUL.
    let id = text.of("id").replace('\0', "");
    let nothing: Vec<String> = Vec::new();
    let state = Object::new()
        .with("id", id.as_str())
        .with("taskId", id.as_str())
        .with("agentId", text.of("agent").replace('\0', ""))
        .with("stepIndex", 1)
        .with("totalSteps", 2)
        .with(
            "context",
            Object::new().with(&text.of("key"), text.of("value")),
        )
        .with("completedSteps", nothing)
        .with("pendingSteps", vec![text.of("step")])
        .with("createdAt", "2027-01-15T08:00:00.000Z");
    let request = Object::new()
        .with("operation", "save_task")
        .with("state", state);
    run(&world, &request.to_line());
    run(&world, &hidden::thread(text).to_line());

    let mut page = page(&world);
    let mut ask = |question: Object| Json::Object(page.answer(&question.to_line()));
    let question = |name: &str| Object::new().with("query", name);
    let moment = |key: &str| Object::new().with("key", key);
    let mut said = Vec::new();
    let mut lists = Vec::new();
    for name in ["tick", "overview", "sessions", "tasks", "threads"] {
        lists.push(ask(question(name).with("ms", 1000)));
    }
    let task = lists[3].at("/value/rows/0/checkpoints/0/key");
    let task = task.and_then(Json::as_str).unwrap().to_owned();
    let thread = lists[4].at("/value/rows/0/key");
    let thread = thread.and_then(Json::as_str).unwrap();
    said.push(ask(question("thread").with("key", thread)));
    let keys = [
        "c/implement-a",
        "c/implement-b",
        "s/chk-20250126-103000",
        "s/chk-20250126-113000",
        task.as_str(),
    ];
    for key in &keys[..2] {
        for name in ["timeline", "blame"] {
            said.push(ask(question(name).with("key", *key)));
        }
    }
    for a in keys {
        said.push(ask(question("revision").with("moment", moment(a))));
        for b in keys {
            let pair = question("compare")
                .with("a", moment(a))
                .with("b", moment(b));
            said.push(ask(pair));
        }
    }
    let value = text.of("argument");
    for question in [
        question(&value),
        question("timeline").with("key", value.as_str()),
        question("file")
            .with("path", value.as_str())
            .with("a", moment(keys[2])),
        question("shown").with("value", vec![value.as_str()]),
    ] {
        said.push(ask(question));
    }
    lists.iter().chain(&said).flat_map(hidden::texts).collect()
}

//! Sentences of replies where a caller or a file has hidden text.

use milepost::json::{self, Json, Object};

use super::{FILE, world};
use crate::hidden::{self, Text};
use crate::memory::Memory;

/// Sends a request without an argument that was not given.
fn ask(world: &Memory, operation: &str, arguments: &[(&str, Json)]) -> Json {
    let place = Object::new().with("working", "/repo");
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", place);
    for (name, value) in arguments {
        request.set(name, value.clone());
    }
    let reply = world.ask(request.to_line().as_bytes());
    json::read(reply.as_bytes()).unwrap().value
}

/// The sentences of a reply. Everything else in it is data for programs, to the letter.
pub(super) fn sentences_of(reply: &Json) -> Vec<String> {
    let list = |at: &str| reply.at(at).and_then(Json::as_array).unwrap_or_default();
    let parts = list("/warnings").iter().chain(list("/error/problems"));
    let messages = parts.chain(reply.at("/error"));
    let messages = messages.filter_map(|it| it.at("/message").and_then(Json::as_str));
    messages.map(str::to_owned).collect()
}

/// Every failure and warning of calls with texts in them, and over files with texts in them.
pub(crate) fn sentences(text: &Text) -> Vec<String> {
    let value = || Json::from(text.of("argument"));
    let design = || ("command", Json::from("design"));
    let of = |member: &'static str| vec![(member, value())];
    let of_design = |member: &'static str| vec![design(), (member, value())];
    let phase = |name: Json, status: Json| {
        let patch = Json::from(Object::new().with("status", status));
        vec![design(), ("phase", name), ("patch", patch)]
    };
    let operation = text.of("operation");
    let document = Json::from(hidden::run(text));
    let world = world();
    let mut found = Vec::new();
    for (name, arguments) in [
        (operation.as_str(), Vec::new()),
        ("load", of("command")),
        ("load", of_design("feature")),
        ("load", of_design("revision")),
        ("update_phase", phase(value(), Json::from("pending"))),
        ("update_phase", phase(Json::from("a"), value())),
        ("save", of_design("text")),
        ("save", vec![design(), ("document", document)]),
        ("rename", of_design("to")),
        ("load_session", of("id")),
        ("restore_session", of("id")),
        ("create_session", of("reason")),
        ("load_task", of("id")),
        ("list_task", of("task")),
        ("delete_task", of("task")),
        ("load_thread", of("thread")),
        ("delete_thread", of("thread")),
    ] {
        found.extend(sentences_of(&ask(&world, name, &arguments)));
    }
    assert!(found.len() > 8, "{found:?}");
    let run = |command: &str| hidden::run(text).with("command", command).to_document();
    for file in [
        format!("{{\"command\": \"{}", text.bare()),
        run(&text.of("command")),
        run("design"),
    ] {
        world.put(FILE, file);
        found.extend(sentences_of(&ask(&world, "load", &[design()])));
        found.extend(sentences_of(&ask(&world, "list", &[])));
    }
    found
}

//! Events of coding agents, from a payload to what is kept of it, in a world of memory.

mod branches;
mod carrying_on;
mod context_window;
mod copilot;
mod events;
pub(crate) mod hidden;
mod model;
mod outside;
mod owners;
mod qwen_code;
mod recorded;
mod repositories;
mod sessions;
mod steps;
mod worktrees;

use milepost::json::{self, Json, Object};

use super::world;
use crate::memory::Memory;

/// The request for an event.
fn hook_request(agent: &str, event: Option<&str>, payload: &Json) -> Object {
    let mut request = Object::new()
        .with("operation", "hook")
        .with("place", Object::new().with("working", "/elsewhere"))
        .with("agent", agent)
        .with("payload", payload.clone());
    if let Some(event) = event {
        request.set("event", event);
    }
    request
}

/// Sends an event to the hook of an agent, and returns the whole reply.
fn hook(world: &Memory, agent: &str, payload: &Json) -> Object {
    ask(world, hook_request(agent, None, payload))
}

fn ask(world: &Memory, request: Object) -> Object {
    let request = Json::Object(request);
    let reply = world.ask(request.to_line().as_bytes());
    match json::read(reply.as_bytes()).unwrap().value {
        Json::Object(reply) => reply,
        other => panic!("{other:?}"),
    }
}

/// The output for an event that has to go well.
#[track_caller]
fn output(world: &Memory, agent: &str, payload: &Json) -> Option<String> {
    output_of(world, agent, None, payload)
}

/// The output where the event stands beside the payload.
#[track_caller]
fn output_of(world: &Memory, agent: &str, event: Option<&str>, payload: &Json) -> Option<String> {
    let reply = ask(world, hook_request(agent, event, payload));
    let output = super::value(&reply).at("/output").unwrap();
    output.as_str().map(str::to_owned)
}

/// A payload of Claude Code in `/repo`.
fn event(session: &str, name: &str, more: &str) -> Json {
    let text = format!(
        r#"{{"session_id":"{session}","cwd":"/repo","hook_event_name":"{name}"{}{more}}}"#,
        if more.is_empty() { "" } else { "," }
    );
    json::read(text.as_bytes()).unwrap().value
}

fn edit(session: &str, path: &str) -> Json {
    let more = format!(
        r#""tool_name":"Edit","tool_input":{{"file_path":"/repo/{path}"}},"tool_response":{{}}"#
    );
    event(session, "PostToolUse", &more)
}

fn claude(world: &Memory, payload: &Json) -> Option<String> {
    output(world, "claude-code", payload)
}

/// The context that a session of Claude Code gets when it begins.
fn start_context(world: &Memory, session: &str, source: &str) -> Option<Json> {
    let source = format!(r#""source":"{source}""#);
    facts_in(claude(world, &event(session, "SessionStart", &source)))
}

/// The facts in what is printed for an event.
fn facts_in(line: Option<String>) -> Option<Json> {
    let answer = json::read(line?.as_bytes()).unwrap().value;
    let context = answer.at("/hookSpecificOutput/additionalContext").unwrap();
    let context = context.as_str().unwrap();
    assert!(context.encode_utf16().count() < 10_000);
    let (_, facts) = context.split_once('\n').unwrap();
    Some(json::read(facts.as_bytes()).unwrap().value)
}

/// The names of the files of checkpoints.
fn checkpoints(world: &Memory) -> Vec<String> {
    let below = "/repo/.claude/state/";
    let files = world.files_below("/repo/.claude/state").into_iter();
    let names = files.filter_map(|file| {
        let name = file.strip_prefix(below).unwrap_or(&file);
        (name.ends_with(".json") && !name.contains('/')).then(|| name.to_owned())
    });
    names.collect()
}

fn stored(world: &Memory, name: &str) -> Json {
    let text = world.text(&format!("/repo/.claude/state/{name}"));
    json::read(text.as_bytes()).unwrap().value
}

fn at(document: &Json, pointer: &str) -> String {
    document.at(pointer).map_or_else(String::new, Json::to_line)
}

fn pass(world: &Memory, minutes: f64) {
    world.now_ms.set(world.now_ms.get() + minutes * 60_000.0);
}

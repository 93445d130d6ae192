//! Hidden text as agents read it.

use super::super::hidden::sentences_of;
use super::*;
use crate::hidden::{self, Text};

/// Events at which agents other than Claude Code are given a context.
const STARTS: [(&str, &str); 6] = [
    ("codex", "SessionStart"),
    ("gemini", "SessionStart"),
    ("cursor", "sessionStart"),
    ("copilot", "sessionStart"),
    ("opencode", "session.created"),
    ("qwen-code", "SessionStart"),
];

/// A world with the run of a session that has ended, which has a text in each field.
fn world_with(text: &Text) -> Memory {
    let world = world();
    claude(&world, &edit("a", "src/x.rs"));
    claude(&world, &event("a", "SessionEnd", r#""reason":"other""#));
    let name = "implement-checkpoint.json";
    let mut run = stored(&world, name).as_object().unwrap().clone();
    for (key, value) in hidden::run(text) {
        let is_of_place = matches!(
            key.as_str(),
            "command" | "version" | "branch" | "head_commit" | "started_at" | "updated_at"
        );
        if !is_of_place {
            run.set(&key, value);
        }
    }
    world.put(&format!("/repo/.claude/state/{name}"), run.to_document());
    world
}

/// The sentences of a reply, and the text that an agent reads in the line that is printed for it.
fn texts_of(reply: Object) -> Vec<String> {
    let reply = Json::Object(reply);
    let mut texts = sentences_of(&reply);
    let line = |at: &str| reply.at(at).and_then(Json::as_str);
    texts.extend(line("/value/line").map(str::to_owned));
    if let Some(line) = line("/value/output") {
        texts.push(line.to_owned());
        texts.extend(hidden::texts(&json::read(line.as_bytes()).unwrap().value));
    }
    texts
}

/// Everything that hooks and the status line say of a run.
pub(crate) fn contexts(text: &Text) -> Vec<String> {
    let world = world_with(text);
    let path = Json::from(format!("/outside/{}", text.of("path"))).to_line();
    let outside =
        format!(r#""tool_name":"Edit","tool_input":{{"file_path":{path}}},"tool_response":{{}}"#);
    let payloads = [
        event("b", "SessionStart", r#""source":"startup""#),
        event("b", "UserPromptSubmit", r#""prompt":"/implement""#),
        event("b", "PostToolUse", &outside),
        event("b", "PreCompact", r#""trigger":"auto""#),
        event("c", "SessionStart", r#""source":"startup""#),
        event("c", "UserPromptSubmit", r#""prompt":"/implement""#),
    ];
    let mut said = Vec::new();
    for payload in &payloads {
        said.extend(texts_of(hook(&world, "claude-code", payload)));
    }
    for (agent, name) in STARTS {
        let session =
            Object::from_iter(["session_id", "sessionId", "sessionID"].map(|member| (member, "d")));
        let payload = session.with("cwd", "/repo").with("directory", "/repo");
        let request = hook_request(agent, Some(name), &payload.into());
        said.extend(texts_of(ask(&world, request)));
    }
    // The session whose window is nearly full is asked to hand its work over.
    said.extend(texts_of(status_line(&world, "c", text)));
    said.extend(texts_of(hook(
        &world,
        "claude-code",
        &edit("c", "src/z.rs"),
    )));
    said
}

fn status_line(world: &Memory, session: &str, text: &Text) -> Object {
    let window = json::read(br#"{"used_percentage":85}"#).unwrap().value;
    let workspace = Object::new().with("project_dir", "/repo");
    let payload = Object::new()
        .with("session_id", session)
        .with("cwd", "/repo")
        .with("workspace", workspace)
        .with("context_window", window)
        .with("model", text.of("model"));
    let request = Object::new()
        .with("operation", "status_line")
        .with("place", Object::new().with("working", "/elsewhere"))
        .with("payload", payload);
    ask(world, request)
}

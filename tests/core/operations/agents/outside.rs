//! Events of sessions that work in no project.

use milepost::json::{self, Json, Object};

use super::{hook_request, output_of};
use crate::memory::{Memory, Node};

/// Events of a session that would each keep something in a project, in the order of a session.
const EVENTS: [(&str, &str); 8] = [
    ("SessionStart", r#""source":"startup""#),
    ("UserPromptSubmit", r#""prompt":"/design search""#),
    (
        "PostToolUse",
        r#""tool_name":"Write","tool_input":{"file_path":"CWD/new"},"tool_response":{"type":"create"}"#,
    ),
    (
        "PostToolUse",
        r#""tool_name":"TodoWrite","tool_input":{"todos":[{"content":"Write it","status":"pending"}]}"#,
    ),
    (
        "PostToolUse",
        r#""agent_id":"s","tool_name":"Write","tool_input":{"file_path":"CWD/by-a-subagent"}"#,
    ),
    ("PreCompact", r#""trigger":"auto""#),
    ("Stop", r#""last_assistant_message":"Done.""#),
    ("SessionEnd", r#""reason":"exit""#),
];

fn payload(cwd: &str, (name, more): (&str, &str)) -> Json {
    let below = cwd.trim_end_matches('/');
    let more = more.replace("CWD", below);
    let text = format!(r#"{{"session_id":"s","cwd":"{cwd}","hook_event_name":"{name}",{more}}}"#);
    json::read(text.as_bytes()).unwrap().value
}

/// A home with the settings of an agent, a folder of its own, and a repository beside them.
fn world() -> Memory {
    let world = Memory::new();
    world.put("/home/u/.claude/settings.json", "{}");
    world.put_node("/home/u/scratch", Node::Folder);
    world.put_node("/tmp", Node::Folder);
    world.put("/home/u/work/.git/HEAD", "ref: refs/heads/main\n");
    world
}

/// Sends every event, from a session in this folder.
fn session(world: &Memory, cwd: &str, named: Option<&str>) {
    for event in EVENTS {
        let mut request = hook_request("claude-code", None, &payload(cwd, event));
        if let Some(named) = named {
            request.set("project", named);
        }
        let reply = super::ask(world, request);
        assert_eq!(
            reply.get("ok"),
            Some(&Json::Bool(true)),
            "{event:?}: {reply:?}"
        );
    }
}

/// Returns whether a folder has a run.
fn has_state(world: &Memory, folder: &str) -> bool {
    let files = world.files_below(&format!("{folder}/.claude/state"));
    let is_run = |file: &String| file.ends_with(".json") && !file.contains('/');
    files.iter().any(is_run)
}

#[test]
fn a_session_outside_of_every_project_leaves_nothing() {
    for cwd in ["/", "/home/u", "/home/u/scratch", "/tmp", "/gone/for/good"] {
        let world = world();
        let before = world.disk.borrow().digest();
        session(&world, cwd, None);
        assert_eq!(world.disk.borrow().digest(), before, "{cwd}");
    }
}

#[test]
fn a_subagent_of_a_session_outside_of_every_project_leaves_no_record() {
    let world = world();
    let before = world.disk.borrow().digest();
    let text = r#"{"sessionId":"s","timestamp":1,"cwd":"/tmp","agentId":"a","agentType":"general-purpose",
        "parentAgentId":"s","toolName":"create","toolArgs":{"path":"/tmp/x","file_text":"x"},
        "toolResult":{"resultType":"success"}}"#;
    let payload = json::read(text.as_bytes()).unwrap().value;
    assert_eq!(
        output_of(&world, "copilot", Some("postToolUse"), &payload),
        None
    );
    assert_eq!(world.disk.borrow().digest(), before);
}

#[test]
fn a_folder_without_a_repository_is_a_project_where_it_is_named_or_has_state() {
    // The agent's variable names it.
    let named = world();
    session(&named, "/tmp", Some("/home/u/scratch"));
    assert!(has_state(&named, "/home/u/scratch"));
    assert!(named.files_below("/tmp").is_empty());
    // `milepost init` was there.
    for cwd in ["/home/u/scratch", "/home/u/scratch/deep/below"] {
        let begun = world();
        begun.put("/home/u/scratch/.claude/state/.gitignore", "*\n");
        begun.put_node("/home/u/scratch/deep/below", Node::Folder);
        session(&begun, cwd, None);
        assert!(has_state(&begun, "/home/u/scratch"), "{cwd}");
        assert!(
            begun.files_below("/home/u/scratch/deep").is_empty(),
            "{cwd}"
        );
    }
    // A root of the agent's workspace.
    let workspace = world();
    let text = r#"{"conversation_id":"s","generation_id":"g","cursor_version":"1",
        "workspace_roots":["/home/u/scratch"],"hook_event_name":"afterFileEdit",
        "file_path":"/home/u/scratch/new","edits":[]}"#;
    let edit = json::read(text.as_bytes()).unwrap().value;
    output_of(&workspace, "cursor", None, &edit);
    assert!(has_state(&workspace, "/home/u/scratch"));
    // A root that the caller names.
    let rooted = world();
    let place = Object::new()
        .with("working", "/tmp")
        .with("root", "/home/u/scratch");
    for event in EVENTS {
        let mut request = hook_request("claude-code", None, &payload("/tmp", event));
        request.set("place", place.clone());
        super::ask(&rooted, request);
    }
    assert!(has_state(&rooted, "/home/u/scratch"));
}

#[test]
fn a_file_of_a_known_repository_is_kept_there_though_the_session_is_outside() {
    let world = world();
    world.put("/home/u/work/.claude/state/.gitignore", "*\n");
    let write = r#""tool_name":"Write","tool_input":{"file_path":"/home/u/work/x"}"#;
    let payload = payload("/tmp", ("PostToolUse", write));
    output_of(&world, "claude-code", None, &payload);
    assert!(has_state(&world, "/home/u/work"));
    assert!(world.files_below("/tmp").is_empty());
}

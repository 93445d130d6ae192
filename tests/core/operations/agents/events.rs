//! Payloads read alone, without a world.

use milepost::agent::{self, Agent, Event};
use milepost::json::{self, Json, Object};

fn payload(text: &str) -> Object {
    match json::read(text.as_bytes()).unwrap().value {
        Json::Object(payload) => payload,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_folder_of_an_event_is_the_root_that_has_its_file_else_its_working_folder() {
    let roots = r#""workspace_roots":["/w/app","/w/lib","/w/lib/inner"]"#;
    for (more, expected) in [
        (
            r#","tool_name":"Write","tool_input":{"file_path":"/w/lib/a.rs"}"#,
            "/w/lib",
        ),
        (
            r#","tool_name":"Write","tool_input":{"file_path":"/w/lib/inner/a.rs"}"#,
            "/w/lib/inner",
        ),
        (
            r#","tool_name":"Write","tool_input":{"file_path":"/w/library/a.rs"}"#,
            "/w/app",
        ),
        (
            r#","tool_name":"Write","tool_input":{"file_path":"/w/app/../lib/a.rs"}"#,
            "/w/lib",
        ),
        (
            r#","tool_name":"Write","tool_input":{"file_path":"a.rs"},"cwd":"/w/lib""#,
            "/w/lib",
        ),
        (
            r#","tool_name":"Write","tool_input":{"file_path":"/else/a.rs"},"cwd":"/w/lib/src""#,
            "/w/lib",
        ),
        (
            r#","tool_name":"Write","tool_input":{"file_path":"/else/a.rs"},"cwd":"/else""#,
            "/w/app",
        ),
        ("", "/w/app"),
    ] {
        let text =
            format!(r#"{{"hook_event_name":"postToolUse","conversation_id":"c",{roots}{more}}}"#);
        let payload = payload(&text);
        let read = agent::read(Agent::Cursor, None, &payload).unwrap();
        assert_eq!(read.folder, Some(expected), "{more}");
        assert_eq!(read.roots, ["/w/app", "/w/lib", "/w/lib/inner"]);
    }
    let text =
        r#"{"hook_event_name":"stop","conversation_id":"c","workspace_roots":[7,""],"cwd":"/w"}"#;
    let payload = payload(text);
    let read = agent::read(Agent::Cursor, None, &payload).unwrap();
    assert_eq!((read.folder, read.roots), (Some("/w"), Vec::new()));
}

#[test]
fn of_a_subagent_only_its_files_and_its_report_mean_anything() {
    for (name, more, means) in [
        (
            "PostToolUse",
            r#""tool_name":"Write","tool_input":{"file_path":"/a"}"#,
            true,
        ),
        ("SubagentStop", r#""last_assistant_message":"Done.""#, true),
        (
            "PostToolUse",
            r#""tool_name":"TodoWrite","tool_input":{"todos":[{"content":"a","status":"pending"}]}"#,
            false,
        ),
        (
            "PostToolUse",
            r#""tool_name":"TaskCreate","tool_input":{},"tool_response":{"task":{"id":"1","subject":"a"}}"#,
            false,
        ),
        ("UserPromptSubmit", r#""prompt":"/design a""#, false),
        ("SessionStart", r#""source":"startup""#, false),
        ("Stop", r#""last_assistant_message":"Done.""#, false),
        ("PreCompact", r#""trigger":"auto""#, false),
        ("StopFailure", r#""error":"server_error""#, false),
        ("SessionEnd", r#""reason":"other""#, false),
    ] {
        let text = format!(r#"{{"session_id":"s","hook_event_name":"{name}",{more}}}"#);
        let payload = payload(&text);
        let read = agent::read(Agent::ClaudeCode, None, &payload).unwrap();
        assert_ne!(read.event, Event::Other, "{text}");
        let payload = payload.clone().with("agent_id", "a1");
        let read = agent::read(Agent::ClaudeCode, None, &payload).unwrap();
        assert_eq!(read.event != Event::Other, means, "{text}");
        assert_eq!((read.session, read.subagent), (Some("s"), Some("a1")));
    }
}

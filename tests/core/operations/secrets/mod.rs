//! The gate: a secret that comes in through any field of any operation is in nothing that is stored, and in nothing
//! that is sent.

mod stored;

use milepost::json::{self, Json, Object};

use super::{FILE, code, phase, value, warnings, world};
use crate::memory::Memory;

/// The end of every secret here.
const TAIL: &str = "V8ZxbRvGQgExdF4lLfxwYW37yxayopKdVowb";

/// It is no secret, and stands nowhere as a whole.
fn secret() -> String {
    ["gh", "p_", TAIL].concat()
}

/// The fate of a secret in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// It is taken out of the text.
    Hidden,
    /// The value that holds it is left out.
    LeftOut,
    /// The operation is refused with this code.
    Refused(&'static str),
}

use Outcome::{Hidden, LeftOut, Refused};

/// Each field of each operation that stores something, as the request has it beside the place.
const FIELDS: [(&str, &str, Outcome); 51] = [
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{"context_summary":"SECRET"}"#,
        Hidden,
    ),
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{"status":"failed","error":"SECRET"}"#,
        Hidden,
    ),
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{"own":["x",{"deep":"SECRET"}]}"#,
        Hidden,
    ),
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{"evidence":"SECRET"}"#,
        Hidden,
    ),
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{"NAME":1}"#,
        Refused("invalid_document"),
    ),
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{"own":{"NAME":1}}"#,
        Refused("invalid_document"),
    ),
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{"files_created":["b","NAME"]}"#,
        LeftOut,
    ),
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{"files_modified":["src/NAME.txt"]}"#,
        LeftOut,
    ),
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{},"task":"SECRET""#,
        Hidden,
    ),
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{},"add":{"files_created":["NAME"]}"#,
        LeftOut,
    ),
    (
        "update_phase",
        r#""command":"design","phase":"a","patch":{},"add":{"files_modified":["NAME"]}"#,
        LeftOut,
    ),
    (
        "update_phase",
        r#""command":"design","phase":"NAME","patch":{}"#,
        Refused("invalid_document"),
    ),
    (
        "update_phase",
        r#""command":"design","feature":"NAME","phase":"a","patch":{}"#,
        Refused("invalid_name"),
    ),
    (
        "begin",
        r#""command":"design","phases":["a","NAME"]"#,
        Refused("invalid_document"),
    ),
    (
        "begin",
        r#""command":"design","phases":["a"],"task":"SECRET""#,
        Hidden,
    ),
    (
        "begin",
        r#""command":"design","feature":"NAME","phases":["a"]"#,
        Refused("invalid_name"),
    ),
    (
        "gate",
        r#""command":"design","close":["no","SECRET"]"#,
        Hidden,
    ),
    (
        "rename",
        r#""command":"design","to":"NAME""#,
        Refused("invalid_name"),
    ),
    (
        "save",
        r#""command":"design","document":{"state":{"context_summary":"SECRET"}}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"state":{"current_task":"SECRET"}}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"state":{"pending_phases":["NAME"]}}"#,
        Refused("invalid_document"),
    ),
    (
        "save",
        r#""command":"design","document":{"state":{"own":"SECRET"}}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"phases":{"b":{"status":"pending","context_summary":"SECRET"}}}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"phases":{"b":{"status":"pending","agent_task":{"session":"s","text":"SECRET"}}}}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"phases":{"b":{"status":"pending","subagent_summaries":[{"ended_at":"2026-01-29T10:30:00.000Z","summary":"SECRET"}]}}}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"phases":{"NAME":{"status":"pending"}}}"#,
        Refused("invalid_document"),
    ),
    (
        "save",
        r#""command":"design","document":{"gate":{"ship_allowed":false,"blockers":["SECRET"]}}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"plan":"SECRET"}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"branch":"NAME"}"#,
        LeftOut,
    ),
    (
        "save",
        r#""command":"design","document":{"worktree":"worktrees/NAME"}"#,
        LeftOut,
    ),
    (
        "save",
        r#""command":"design","document":{"files_outside":["/home/me/NAME"]}"#,
        LeftOut,
    ),
    (
        "save",
        r#""command":"design","document":{"agent_sessions":{"NAME":{"agent":"codex","seen_at":"2026-01-29T10:30:00.000Z"}}}"#,
        Refused("invalid_document"),
    ),
    (
        "save",
        r#""command":"design","document":{"agent_sessions":{"s":{"agent":"SECRET","seen_at":"2026-01-29T10:30:00.000Z"}}}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"own":{"deep":["SECRET"]}}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"own":{"password":"not V8ZxbRvGQgExdF4lLfxwYW37yxayopKdVowb"}}"#,
        Hidden,
    ),
    (
        "save",
        r#""command":"design","document":{"NAME":1}"#,
        Refused("invalid_document"),
    ),
    (
        "save",
        r#""command":"design","feature":"NAME","document":{}"#,
        Refused("invalid_name"),
    ),
    (
        "save",
        r#""command":"design","text":"{\"own\":\"NAME\"}""#,
        Hidden,
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"message":"SECRET""#,
        Hidden,
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"given":{"context_summary":"SECRET"}"#,
        Hidden,
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"given":{"decisions":[{"question":"SECRET","decision":"b"}]}"#,
        Hidden,
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"given":{"own":{"NAME":"SECRET"}}"#,
        Refused("invalid_document"),
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"given":{"NAME":1}"#,
        Refused("invalid_document"),
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"given":{"task":{"id":"NAME"}}"#,
        Refused("invalid_document"),
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"given":{"progress":{"remaining":["a","NAME"]}}"#,
        Refused("invalid_document"),
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"given":{"progress":{"completed":[{"phase":1,"name":"NAME"}]}}"#,
        Refused("invalid_document"),
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"given":{"files":{"created":["b","NAME"]}}"#,
        LeftOut,
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"given":{"files":{"modified":["src/NAME.txt"]}}"#,
        LeftOut,
    ),
    (
        "create_session",
        r#""reason":"handoff","files":false,"given":{"git_diff":"+SECRET"}"#,
        Hidden,
    ),
    (
        "take",
        r#""command":"design","agent":"codex","session":"NAME""#,
        Hidden,
    ),
    (
        "status_line",
        r#""payload":{"session_id":"NAME","workspace":{"project_dir":"/repo"}}"#,
        Hidden,
    ),
];

/// The members that each event of a hook may have in it.
const EVENTS: [&str; 15] = [
    r#""hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"Use SECRET","status":"in_progress"}]}"#,
    r#""hook_event_name":"PostToolUse","tool_name":"TaskCreate","tool_input":{},"tool_response":{"task":{"id":"1","subject":"SECRET"}}"#,
    r#""hook_event_name":"PostToolUse","tool_name":"TaskCreate","tool_use_id":"NAME","tool_input":{},"tool_response":{"task":{"id":"NAME","subject":"a"}}"#,
    r#""hook_event_name":"PostToolUse","tool_name":"ExitPlanMode","tool_input":{"plan":"1. SECRET"},"tool_response":{}"#,
    r#""hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"/repo/NAME"},"tool_response":{}"#,
    r#""hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"/other/NAME"},"tool_response":{}"#,
    r#""hook_event_name":"UserPromptSubmit","prompt":"/implement NAME""#,
    r#""hook_event_name":"UserPromptSubmit","prompt":"SECRET""#,
    r#""hook_event_name":"Stop","last_assistant_message":"Done with SECRET.""#,
    r#""hook_event_name":"SubagentStop","agent_id":"x","agent_type":"SECRET","last_assistant_message":"Done.""#,
    r#""hook_event_name":"SubagentStop","agent_id":"x","agent_type":"Explore","last_assistant_message":"SECRET""#,
    r#""hook_event_name":"StopFailure","error":"SECRET""#,
    r#""hook_event_name":"PreCompact","trigger":"SECRET""#,
    r#""hook_event_name":"SessionStart","source":"SECRET""#,
    r#""hook_event_name":"SessionEnd","reason":"SECRET""#,
];

/// The forms in which a secret stands in a text, as JSON has them.
fn forms() -> Vec<String> {
    let secret = secret();
    let (first, last) = secret.split_at(12);
    vec![
        secret.clone(),
        format!("it said {{\\\"out\\\":\\\"done\\\\n{secret}\\\"}}"),
        format!("\\u001b[32m{secret}\\u001b[0m"),
        format!("TOKEN%3D{secret}"),
        format!("my-{secret}"),
        format!("see {first}\\u200b{last}"),
    ]
}

fn of_project(request: &str, world: &Memory) -> Object {
    let reply = world.ask(request.as_bytes());
    match json::read(reply.as_bytes()).unwrap().value {
        Json::Object(reply) => reply,
        other => panic!("{other:?}"),
    }
}

/// Asserts that the secret is in no file, in no path, and not in what was answered.
#[track_caller]
fn assert_nowhere(world: &Memory, reply: &str, what: &str) {
    let end = &TAIL[TAIL.len() - 16..];
    assert!(!reply.contains(end), "{what} answered {reply}");
    let disk = world.disk.borrow();
    for (path, bytes) in disk.files() {
        assert!(!path.contains(end), "{what} made {path}");
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains(end), "{what} wrote {path}: {text}");
    }
}

#[test]
fn a_secret_in_any_field_of_any_operation_is_neither_stored_nor_answered() {
    for (operation, fields, outcome) in FIELDS {
        let forms = match fields.contains("SECRET") {
            true => forms(),
            false => vec![secret()],
        };
        for form in forms {
            let world = world();
            phase(
                &world,
                "started",
                r#"{"status":"in_progress","context_summary":"fine"}"#,
            );
            let before = world.text(FILE);
            let fields = fields.replace("SECRET", &form).replace("NAME", &secret());
            let request =
                format!(r#"{{"operation":"{operation}","place":{{"working":"/repo"}},{fields}}}"#);
            let reply = of_project(&request, &world);
            let said = reply.to_line();
            assert_nowhere(&world, &said, &request);
            match outcome {
                Refused(expected) => {
                    assert_eq!(code(&reply), expected, "{request}: {said}");
                    assert_eq!(world.text(FILE), before, "{request}");
                    assert!(said.contains(r#""written":"no""#), "{said}");
                }
                Hidden | LeftOut if ["take", "status_line"].contains(&operation) => {
                    value(&reply);
                }
                Hidden | LeftOut => {
                    value(&reply);
                    assert!(warnings(&reply).contains(&"redacted"), "{request}: {said}");
                }
            }
        }
    }
}

#[test]
fn a_secret_in_any_event_of_a_hook_is_stored_nowhere_and_no_event_fails() {
    let world = world();
    let send_event = |more: &str, session: &str| {
        let payload = format!(r#"{{"session_id":"{session}","cwd":"/repo",{more}}}"#);
        let request = format!(
            r#"{{"operation":"hook","place":{{"working":"/elsewhere"}},"agent":"claude-code","payload":{payload}}}"#
        );
        let reply = of_project(&request, &world);
        value(&reply);
        assert_nowhere(&world, &reply.to_line(), &request);
    };
    let edit = r#""hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"/repo/a"},"tool_response":{}"#;
    for session in ["a", &secret()] {
        for event in EVENTS {
            for form in forms() {
                send_event(edit, session);
                let event = event.replace("SECRET", &form).replace("NAME", &secret());
                send_event(&event, session);
                world.now_ms.set(world.now_ms.get() + 120_000.0);
            }
        }
    }
    let files = world.files_below("/repo/.claude/state");
    let text: String = files
        .iter()
        .map(|file| {
            world.text(&match file.starts_with('/') {
                true => file.clone(),
                false => format!("/repo/.claude/state/{file}"),
            })
        })
        .collect();
    assert!(text.contains("[REDACTED:token]"), "nothing was stored");
}

#[test]
fn a_branch_that_is_called_like_a_secret_is_not_recorded() {
    let world = world();
    let branch = secret();
    world.put("/repo/.git/HEAD", format!("ref: refs/heads/{branch}\n"));
    world.put(
        &format!("/repo/.git/refs/heads/{branch}"),
        format!("{}\n", super::HEAD),
    );
    let edit = r#""hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"/repo/a"},"tool_response":{}"#;
    let request = format!(
        r#"{{"operation":"hook","place":{{"working":"/elsewhere"}},"agent":"claude-code","payload":{{"session_id":"a","cwd":"/repo",{edit}}}}}"#
    );
    value(&of_project(&request, &world));
    let disk = world.disk.borrow();
    let of_state = disk.files().filter(|(path, _)| path.contains("/.claude/"));
    let mut count = 0;
    for (path, bytes) in of_state {
        count += 1;
        let text = String::from_utf8_lossy(bytes);
        assert!(
            !path.contains(TAIL) && !text.contains(TAIL),
            "{path}: {text}"
        );
    }
    assert!(count > 0);
}

#[test]
fn messages_of_failures_quote_no_secret() {
    let world = world();
    for request in [
        r#""operation":"gate","command":"design","feature":"NAME""#,
        r#""operation":"NAME","command":"design""#,
        r#""operation":"load","command":"NAME""#,
        r#""operation":"load","command":"design","NAME":1"#,
        r#""operation":"load_session","id":"NAME""#,
        r#""operation":"update_phase","command":"design","phase":"a\nNAME","patch":{}"#,
        r#""operation":"save","command":"design","text":"{\"NAME\":1,\"NAME\":2}""#,
        r#""operation":"hook","agent":"NAME","payload":{}"#,
    ] {
        let place = r#""place":{"working":"/repo"}"#;
        let request = format!("{{{place},{}}}", request.replace("NAME", &secret()));
        let reply = of_project(&request, &world);
        assert_eq!(reply.get("ok"), Some(&Json::Bool(false)), "{request}");
        assert_nowhere(&world, &reply.to_line(), &request);
    }
}

#[test]
fn payloads_of_tasks_and_values_of_threads_are_stored_as_they_are() {
    let world = world();
    let state = format!(
        concat!(
            r#"{{"id":"a","taskId":"t","agentId":"g","stepIndex":0,"totalSteps":0,"#,
            r#""context":{{"log":"{}"}},"completedSteps":[],"pendingSteps":[],"#,
            r#""createdAt":"2026-01-29T10:30:00.000Z"}}"#
        ),
        secret()
    );
    let task =
        format!(r#"{{"operation":"save_task","place":{{"working":"/repo"}},"state":{state}}}"#);
    let thread = format!(
        concat!(
            r#"{{"operation":"put_thread","place":{{"working":"/repo"}},"thread_id":"t","#,
            r#""changes":[{{"namespace":"","id":"a","task":"k","values":[["c",["json","\"{}\""]]]}}]}}"#
        ),
        secret()
    );
    for request in [task, thread] {
        let reply = of_project(&request, &world);
        value(&reply);
        assert!(!warnings(&reply).contains(&"redacted"), "{reply:?}");
    }
    let disk = world.disk.borrow();
    let holders = disk.files().filter(|(_, bytes)| {
        let text = String::from_utf8_lossy(bytes);
        text.contains(TAIL)
    });
    assert!(holders.count() >= 2);
}

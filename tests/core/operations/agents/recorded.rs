//! Payloads that the real agents sent, in their order.

use std::fmt::Write;
use std::fs;

use milepost::agent::{self, Agent, UNREAD};
use milepost::json::{self, Json, Object};

use super::output_of;
use crate::memory::Memory;

/// The answer to every payload, and the documents in the end.
fn replay(agent: &str) -> String {
    let file = crate::in_package(&format!("tests/agents/{agent}.jsonl"));
    let text = fs::read_to_string(file).unwrap();
    let world = Memory::new();
    world.put("/project/.git/HEAD", "ref: refs/heads/feature/parser\n");
    let mut log = String::new();
    for (number, line) in text.lines().enumerate() {
        let (event, payload) = recorded(line);
        write(&world, agent, event.as_deref(), &payload);
        let payload = Json::from(payload);
        world.now_ms.set(world.now_ms.get() + 7_000.0);
        let field = |key: &str| payload.at(key).and_then(Json::as_str);
        let answer = output_of(&world, agent, event.as_deref(), &payload);
        let event = event
            .as_deref()
            .or(field("/hook_event_name"))
            .or(field("/event"));
        let tool = ["/tool_name", "/toolName", "/tool"]
            .into_iter()
            .find_map(field);
        let (event, tool) = (event.unwrap_or_default(), tool.unwrap_or_default());
        let answer = answer.unwrap_or_default();
        writeln!(log, "{} {event} {tool} {answer}", number + 1).unwrap();
    }
    for file in world.files_below("/project/.claude") {
        if file.contains("/.milepost/") || !file.ends_with(".json") {
            continue;
        }
        let text = world.text(&format!("/project/.claude/{file}"));
        writeln!(log, "\n== {file}\n{}", to_the_second(&text)).unwrap();
    }
    log
}

/// Writes the files that a tool of the event wrote.
fn write(world: &Memory, agent: &str, event: Option<&str>, payload: &Object) {
    let payload = Agent::parse(agent).and_then(|agent| agent::read(agent, event, payload));
    let Some(payload) = payload else { return };
    let agent::Event::Wrote(files) = payload.event else {
        return;
    };
    for file in files {
        let folder = payload.folder.unwrap_or("/project");
        if let Some(path) = agent::below("/project", folder, &file.path) {
            world.put(&format!("/project/{path}"), "text");
        }
    }
}

/// A line of a recording: the payload; where payloads do not name their events, beside the name of its event.
fn recorded(line: &str) -> (Option<String>, Object) {
    let Json::Object(line) = json::read(line.as_bytes()).unwrap().value else {
        panic!("{line}");
    };
    let event = line.get("event").and_then(Json::as_str).map(str::to_owned);
    match line.get("payload") {
        Some(Json::Object(payload)) => (event, payload.clone()),
        _ => (None, line),
    }
}

/// The text without the parts of a second in its times, and without what is computed from them: in the memory
/// every effect takes one.
fn to_the_second(text: &str) -> String {
    let is_seal = |line: &&str| line.trim_start().starts_with("\"seal\":");
    let lines = text.split_inclusive('\n').filter(|line| !is_seal(line));
    let text: String = lines.collect();
    let mut parts = text.split("Z\"");
    let mut seconds = parts.next().unwrap().to_owned();
    for part in parts {
        let fraction = seconds.rfind('.').unwrap();
        seconds.truncate(fraction);
        seconds.push_str("Z\"");
        seconds.push_str(part);
    }
    seconds
}

#[test]
fn no_member_that_a_hook_leaves_out_is_read() {
    for agent in Agent::ALL {
        let file = crate::in_package(&format!("tests/agents/{}.jsonl", agent.name()));
        let Ok(text) = fs::read_to_string(file) else {
            continue;
        };
        for line in text.lines() {
            let (event, payload) = recorded(line);
            let mut light = payload.clone();
            for (_, part) in light.iter_mut() {
                lighten(part);
            }
            let read = |payload| format!("{:?}", agent::read(agent, event.as_deref(), payload));
            assert_eq!(read(&light), read(&payload), "{line}");
        }
    }
}

fn lighten(part: &mut Json) {
    if let Json::Object(object) = part {
        for name in UNREAD {
            object.remove(name);
        }
        for (_, part) in object.iter_mut() {
            lighten(part);
        }
    }
}

#[test]
fn claude_code_payloads_are_answered_as_reviewed() {
    matches("claude-code");
}

#[test]
fn codex_payloads_are_answered_as_reviewed() {
    matches("codex");
}

#[test]
fn gemini_cli_payloads_are_answered_as_reviewed() {
    matches("gemini");
}

#[test]
fn copilot_cli_payloads_are_answered_as_reviewed() {
    matches("copilot");
}

#[test]
fn opencode_payloads_are_answered_as_reviewed() {
    matches("opencode");
}

#[test]
fn qwen_code_payloads_are_answered_as_reviewed() {
    matches("qwen-code");
}

fn matches(agent: &str) {
    let actual = replay(agent);
    let golden = crate::in_package(&format!("tests/golden/agents/{agent}.txt"));
    if std::env::var_os("MILEPOST_BLESS").is_some() {
        fs::create_dir_all(golden.parent().unwrap()).unwrap();
        fs::write(&golden, &actual).unwrap();
    }
    let expected = fs::read_to_string(&golden).unwrap();
    assert_eq!(actual, expected, "{agent} differs");
}

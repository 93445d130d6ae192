//! The entries of an agent: an event, which of it, and what is run for it.

use crate::agent::Agent;
use crate::agent::table::EventKind;
use crate::json::{Json, Object};

use super::command::Command;

/// The time limit of a hook. It gives up by itself before that.
const LIMIT_S: u64 = 10;

/// The time limit of one at the end of a session, where agents wait for a second or three at most.
const END_LIMIT_S: u64 = 3;

/// The form in which the entries of an event are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HookEntryForm {
    /// Groups with a matcher, each with a list of handlers.
    Groups,
    /// Handlers.
    Handlers,
}

/// One entry.
pub(super) struct HookEntry {
    /// The name of the event.
    pub(super) event: &'static str,
    /// The handler that runs for it.
    pub(super) handler: Object,
    /// The item in the list of the event: the handler, or a group with it alone.
    pub(super) item: Json,
}

/// The form in which an agent writes entries; `None` where a plugin takes their place.
pub(super) fn form(agent: Agent) -> Option<HookEntryForm> {
    match agent {
        Agent::ClaudeCode | Agent::Codex | Agent::Gemini | Agent::QwenCode => {
            Some(HookEntryForm::Groups)
        }
        Agent::Cursor | Agent::Copilot => Some(HookEntryForm::Handlers),
        Agent::OpenCode => None,
    }
}

/// The version that the file has to name; `None` for agents whose files name none.
pub(super) fn version(agent: Agent) -> Option<u64> {
    matches!(agent, Agent::Cursor | Agent::Copilot).then_some(1)
}

/// Every entry of an agent, in the order of its events; `command` is what is run for one of that name.
pub(super) fn entries(agent: Agent, command: impl Fn(&'static str) -> Command) -> Vec<HookEntry> {
    let events = agent.row().events.iter();
    let made = events.map(|&(event, occasion)| {
        let handler = handler(agent, occasion, command(event));
        let matcher = matcher(agent, event, occasion);
        let (handler, item) = match form(agent) {
            Some(HookEntryForm::Groups) => {
                let mut group = Object::new();
                if let Some(matcher) = matcher {
                    group.set("matcher", matcher);
                }
                group.set("hooks", vec![Json::from(handler.clone())]);
                (handler, group)
            }
            _ => {
                let mut handler = handler;
                if let Some(matcher) = matcher {
                    handler.set("matcher", matcher);
                }
                (handler.clone(), handler)
            }
        };
        HookEntry {
            event,
            handler,
            item: item.into(),
        }
    });
    made.collect()
}

/// These entries as an agent has them under `hooks`.
pub(super) fn hooks(entries: &[HookEntry]) -> Object {
    let mut hooks = Object::new();
    for entry in entries {
        hooks.set(entry.event, vec![entry.item.clone()]);
    }
    hooks
}

/// The events that an agent has entries for.
pub(super) fn events(agent: Agent) -> impl Iterator<Item = &'static str> {
    agent.row().events.iter().map(|(event, _)| *event)
}

/// Of which tools an event matters, for agents that ask.
fn matcher(agent: Agent, event: &str, occasion: EventKind) -> Option<String> {
    let tools = agent.row().tools;
    let is_of_tool = tools.iter().any(|(name, _)| *name == event);
    if occasion != EventKind::AfterTool || is_of_tool {
        return None;
    }
    let names = tools.iter().map(|(name, _)| *name);
    // An event of its own is no tool.
    let names = names.filter(|name| events(agent).all(|event| event != *name));
    Some(names.collect::<Vec<_>>().join("|"))
}

fn handler(agent: Agent, occasion: EventKind, command: Command) -> Object {
    let seconds = match occasion {
        EventKind::SessionEnd => END_LIMIT_S,
        _ => LIMIT_S,
    };
    let mut handler = Object::new();
    if agent == Agent::Gemini {
        handler.set("name", "milepost");
    }
    if agent != Agent::Cursor {
        handler.set("type", "command");
    }
    match command {
        Command::Line(line) if agent == Agent::Copilot => {
            // PowerShell 5 has no `||`.
            handler.set("powershell", line.replace(" || exit 0", "; exit 0"));
            handler.set("bash", line);
        }
        Command::Line(line) => handler.set("command", line),
        Command::Exec(program, arguments) => {
            handler.set("command", program);
            handler.set("args", arguments);
        }
    }
    match agent {
        // Qwen Code reads a number below 1000 as seconds in some releases, and as milliseconds in others.
        Agent::Gemini | Agent::QwenCode => handler.set("timeout", seconds * 1000),
        Agent::Copilot => handler.set("timeoutSec", seconds),
        _ => handler.set("timeout", seconds),
    }
    handler
}

//! The transcript that Copilot CLI keeps of a session: a line of JSON for each event. Lines of subagents stand in the
//! same file, with an `agentId` at their top.

use crate::json::{self, Json, Object};

/// What the end of a transcript has of the turn that ends there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LastTurn {
    /// Its last message.
    Message(String),
    /// Its beginning, with no message behind it.
    Beginning,
    /// Neither.
    Nothing,
}

/// Looks for the last message in whole lines from the end of a transcript.
pub fn last_turn(bytes: &[u8]) -> LastTurn {
    for line in bytes.rsplit(|byte| *byte == b'\n') {
        // A line that is still being written is none of the turn's.
        let Some(line) = message(line) else { continue };
        let text = |key| line.get(key).and_then(Json::as_str);
        let data = line.get("data").and_then(Json::as_object);
        let content = data.and_then(|data| data.get("content")?.as_str());
        match (text("type"), content) {
            (Some("user.message"), _) => return LastTurn::Beginning,
            // A message that only calls tools has no text.
            (Some("assistant.message"), Some(content)) if !content.trim().is_empty() => {
                return LastTurn::Message(content.to_owned());
            }
            _ => {}
        }
    }
    LastTurn::Nothing
}

/// The object of a line, where that is a message to or from the agent itself.
fn message(line: &[u8]) -> Option<Object> {
    const NAMES: [&[u8]; 2] = [b"\"assistant.message\"", b"\"user.message\""];
    // Most lines are of other events, and not worth reading.
    let names = |name: &&[u8]| line.windows(name.len()).any(|part| part == *name);
    if !NAMES.iter().any(names) {
        return None;
    }
    match json::read(line).ok()?.value {
        Json::Object(line) if line.get("agentId").is_none() => Some(line),
        _ => None,
    }
}

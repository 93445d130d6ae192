//! The transcript that Copilot CLI keeps of a session: a line of JSON for each event. Lines of subagents stand in the
//! same file, with an `agentId` at their top.

use crate::json::{self, Json, Object};

/// The end of a transcript, as far as it belongs to the turn that ends there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LastTurn {
    /// Its last message.
    Message(String),
    /// A message that calls tools, or that one without text stands behind which does: another one has to come.
    Earlier(String),
    /// Its beginning, with no message behind it.
    Beginning,
    /// Neither.
    Nothing,
}

/// Looks for the last message in whole lines from the end of a transcript.
pub fn last_turn(bytes: &[u8]) -> LastTurn {
    let mut is_last = true;
    for line in bytes.rsplit(|byte| *byte == b'\n') {
        // A line that is still being written does not belong to the turn.
        let Some(line) = known(line) else { continue };
        let data = line.get("data").and_then(Json::as_object);
        let text = |key| data.and_then(|data| data.get(key)?.as_str());
        match line.get("type").and_then(Json::as_str) {
            Some("user.message") => return LastTurn::Beginning,
            // The hooks of an earlier stop have ended.
            Some("hook.end") if text("hookType") == Some("agentStop") => {
                return LastTurn::Beginning;
            }
            Some("assistant.message") => {
                let calls = data.and_then(|data| data.get("toolRequests")?.as_array());
                is_last &= calls.is_none_or(<[Json]>::is_empty);
                // A message that only calls tools has no text.
                let content = text("content").filter(|content| !content.trim().is_empty());
                match content.map(str::to_owned) {
                    Some(content) if is_last => return LastTurn::Message(content),
                    Some(content) => return LastTurn::Earlier(content),
                    None => {}
                }
            }
            _ => {}
        }
    }
    LastTurn::Nothing
}

/// The object of a line, where that is a message to or from the agent itself, or the end of a hook.
fn known(line: &[u8]) -> Option<Object> {
    const NAMES: [&[u8]; 3] = [
        b"\"assistant.message\"",
        b"\"user.message\"",
        b"\"hook.end\"",
    ];
    // Most lines are of other events, and are not parsed.
    let names = |name: &&[u8]| line.windows(name.len()).any(|part| part == *name);
    if !NAMES.iter().any(names) {
        return None;
    }
    match json::read(line).ok()?.value {
        Json::Object(line) if line.get("agentId").is_none() => Some(line),
        _ => None,
    }
}

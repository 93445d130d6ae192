//! From an answer to the bytes that an agent takes: built from the keys that it allows, and never of
//! more, because Codex refuses any other, and an agent that reads another's entry would hear it twice.

use super::event::Payload;
use super::table::ContextAt;
use crate::json::{Json, Object};
use crate::text::visible_lines;

/// The line to print for context that is to join the agent's, without hidden characters. `None` where this event has
/// none: then nothing at all is printed.
pub fn answer(payload: &Payload<'_>, context: &str) -> Option<String> {
    if !gives_context(payload) {
        return None;
    }
    let context: &str = &visible_lines(context);
    let answer = match payload.sender.row().context {
        ContextAt::HookSpecificOutput => {
            let output = Object::new()
                .with("hookEventName", payload.name)
                .with("additionalContext", context);
            Object::new().with("hookSpecificOutput", output)
        }
        ContextAt::Snake => Object::new().with("additional_context", context),
        ContextAt::Camel => Object::new().with("additionalContext", context),
    };
    Some(Json::Object(answer).to_line())
}

/// Returns whether an answer to this event may give context.
pub fn gives_context(payload: &Payload<'_>) -> bool {
    let taken = payload.sender.row().gives_context;
    let mut events = payload.agent.row().events.iter();
    events.any(|(name, occasion)| *name == payload.name && taken.contains(occasion))
}

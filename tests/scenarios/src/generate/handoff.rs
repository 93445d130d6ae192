//! Handoffs, mostly as their definition has them.

use fastrand::Rng;
use milepost::handoff::MODES;
use milepost::json::{Json, Object};

use super::{document, text};

/// The question to a sub-agent.
pub(super) fn request(random: &mut Rng) -> Object {
    let mut context = Object::new();
    match random.u8(..4) {
        0 => context.set("previous_summary", Json::Null),
        1 => context.set("previous_findings", text::any(random)),
        2 => context.set("previous_summary", text::any(random)),
        _ => {}
    }
    let mut request = Object::new();
    if random.u8(..5) > 0 {
        request.set("mode", mode(random));
    }
    request.set("context", context);
    while random.u8(..3) == 0 {
        request.set(text::word(random), document::value(random, 2));
    }
    request
}

/// The answer of it.
pub(super) fn response(random: &mut Rng) -> Object {
    let mut response = Object::new();
    if random.u8(..5) > 0 {
        response.set("context_summary", text::any(random));
    }
    while random.u8(..2) == 0 {
        response.set(text::word(random), document::value(random, 2));
    }
    response
}

/// Mostly one of a handoff's.
fn mode(random: &mut Rng) -> &'static str {
    MODES.get(random.usize(..=MODES.len())).unwrap_or(&"design")
}

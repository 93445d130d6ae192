//! The check of an orchestrator's request to a sub-agent.

use super::input::{CHECKED, DOCUMENT, DocumentInput, TEXT, checked_json, document_input};
use crate::handoff;
use crate::json::Json;
use crate::operation::row::{Arguments, Operation, shape};
use crate::operation::{Reply, Warnings, text};
use crate::schema::{Kind, Shape};

pub(super) const OPERATION: Operation = Operation::alone(
    "check_handoff_request",
    "Checks a request to a sub-agent: its mode, and the limit of the previous summary.",
    &ARGUMENTS,
    Kind::Object(&CHECKED),
    run,
);

const ARGUMENTS: Shape = shape(
    "CheckHandoffRequestArguments",
    "The request, in one of two forms.",
    &[DOCUMENT, TEXT],
);

fn run(arguments: &Arguments) -> Reply<Json> {
    let checked = match document_input(arguments) {
        Ok(DocumentInput::Text(text)) => text::check_handoff_request(text),
        Ok(DocumentInput::Document(json)) => text::checked(handoff::check_request(json.clone())),
        Err(error) => Warnings::default().reply(Err(error)),
    };
    checked.map(checked_json)
}

//! The check of a sub-agent's response.

use super::input::{CHECKED, DOCUMENT, DocumentInput, TEXT, checked_json, document_input};
use crate::handoff::{self, SummaryPolicy};
use crate::json::Json;
use crate::operation::row::{Arguments, Operation, required, shape};
use crate::operation::{Reply, Warnings, text};
use crate::schema::{Kind, Shape};

pub(super) const OPERATION: Operation = Operation::alone(
    "check_handoff_response",
    "Checks a sub-agent's response: the limit of its context summary.",
    &ARGUMENTS,
    Kind::Object(&CHECKED),
    run,
);

const POLICIES: [&str; SummaryPolicy::ALL.len()] = {
    let mut names = [""; SummaryPolicy::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = SummaryPolicy::ALL[at].as_str();
        at += 1;
    }
    names
};

const ARGUMENTS: Shape = shape(
    "CheckHandoffResponseArguments",
    "The response, in one of two forms, and what becomes of too long a summary.",
    &[
        DOCUMENT,
        TEXT,
        required(
            "policy",
            Kind::Enum(&POLICIES),
            "The policy for a summary above its limit.",
        ),
    ],
);

fn run(arguments: &Arguments) -> Reply<Json> {
    // The shape has let no other policy through.
    let policy = SummaryPolicy::parse(arguments.text("policy")).unwrap_or(SummaryPolicy::Reject);
    let checked = match document_input(arguments) {
        Ok(DocumentInput::Text(text)) => text::check_handoff_response(text, policy),
        Ok(DocumentInput::Document(json)) => {
            text::checked(handoff::check_response(json.clone(), policy))
        }
        Err(error) => Warnings::default().reply(Err(error)),
    };
    checked.map(checked_json)
}

//! The check of an orchestrator's request to a sub-agent.

use super::input::{CheckedHandoff, DocumentInput, DocumentMembers};
use crate::handoff;
use crate::json::Json;
use crate::operation::row::{Arguments, Operation};
use crate::operation::{Reply, Warnings, text};
use crate::schema::ArgumentMembers;

pub(super) const OPERATION: Operation =
    Operation::alone::<CheckHandoffRequestArguments, CheckedHandoff>(
        "check_handoff_request",
        "Checks a request to a sub-agent: its mode, and the limit of the previous summary.",
        run,
    );

/// The request, in one of two forms.
#[derive(ArgumentMembers)]
struct CheckHandoffRequestArguments<'a> {
    #[shape(flatten)]
    document: DocumentMembers<'a>,
}

fn run(arguments: &Arguments) -> Reply<Json> {
    let CheckHandoffRequestArguments { document } = arguments.read();
    let checked = match document.input() {
        Ok(DocumentInput::Text(text)) => text::check_handoff_request(text),
        Ok(DocumentInput::Document(json)) => text::checked(handoff::check_request(json.clone())),
        Err(error) => Warnings::default().reply(Err(error)),
    };
    checked.map(|checked| CheckedHandoff::from(checked).into())
}

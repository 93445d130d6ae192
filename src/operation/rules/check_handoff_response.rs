//! The check of a sub-agent's response.

use super::input::{CheckedHandoff, DocumentInput, DocumentMembers};
use crate::handoff::{self, SummaryPolicy};
use crate::json::Json;
use crate::operation::row::{Arguments, Operation};
use crate::operation::{Reply, Warnings, text};
use crate::schema::{ArgumentMembers, Shaped};

pub(super) const OPERATION: Operation =
    Operation::alone::<CheckHandoffResponseArguments, CheckedHandoff>(
        "check_handoff_response",
        "Checks a sub-agent's response: the limit of its context summary.",
        run,
    );

/// The response, in one of two forms, and what becomes of too long a summary.
#[derive(ArgumentMembers)]
struct CheckHandoffResponseArguments<'a> {
    #[shape(flatten)]
    document: DocumentMembers<'a>,
    /// The policy for a summary above its limit.
    #[shape(kind = SummaryPolicy::KIND)]
    policy: &'a str,
}

fn run(arguments: &Arguments) -> Reply<Json> {
    let CheckHandoffResponseArguments { document, policy } = arguments.read();
    // The shape has let no other policy through.
    let policy = SummaryPolicy::parse(policy).unwrap_or(SummaryPolicy::Reject);
    let checked = match document.input() {
        Ok(DocumentInput::Text(text)) => text::check_handoff_response(text, policy),
        Ok(DocumentInput::Document(json)) => {
            text::checked(handoff::check_response(json.clone(), policy))
        }
        Err(error) => Warnings::default().reply(Err(error)),
    };
    checked.map(|checked| CheckedHandoff::from(checked).into())
}

//! Everything that is wrong with a checkpoint document.

use super::input::{DocumentInput, DocumentMembers, Validation};
use crate::checkpoint::command::document;
use crate::json::Json;
use crate::operation::row::{Arguments, Operation};
use crate::operation::{Reply, Warnings, text};
use crate::schema::ArgumentMembers;

pub(super) const OPERATION: Operation = Operation::alone::<ValidateArguments, Validation>(
    "validate",
    "Checks a checkpoint document against its schema and the limits of its summaries.",
    run,
);

/// The document, in one of two forms.
#[derive(ArgumentMembers)]
struct ValidateArguments<'a> {
    #[shape(flatten)]
    document: DocumentMembers<'a>,
    /// Commands that the project adds to the seven.
    #[shape(optional)]
    commands: Vec<&'a str>,
}
fn run(arguments: &Arguments) -> Reply<Json> {
    let ValidateArguments {
        document,
        commands: added,
    } = arguments.read();
    let found = match document.input() {
        Ok(DocumentInput::Text(text)) => text::validate(text, &added),
        Ok(DocumentInput::Document(json)) => {
            Warnings::default().reply(Ok(document::problems(json, &added)))
        }
        Err(error) => Warnings::default().reply(Err(error)),
    };
    found.map(|problems| Validation::from(problems).into())
}

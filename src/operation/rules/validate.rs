//! Everything that is wrong with a checkpoint document.

use super::input::{DOCUMENT, DocumentInput, PROBLEMS, TEXT, VALID, document_input};
use crate::checkpoint::command::document;
use crate::json::{Json, Object};
use crate::operation::row::{Arguments, Operation, optional, shape};
use crate::operation::wire::problems_json;
use crate::operation::{Reply, Warnings, text};
use crate::schema::{Kind, Problem, Shape};

pub(super) const OPERATION: Operation = Operation::alone(
    "validate",
    "Checks a checkpoint document against its schema and the limits of its summaries.",
    &ARGUMENTS,
    Kind::Object(&ANSWER),
    run,
);

const ARGUMENTS: Shape = shape(
    "ValidateArguments",
    "The document, in one of two forms.",
    &[
        DOCUMENT,
        TEXT,
        optional(
            "commands",
            &Kind::List(&Kind::String),
            "Commands that the project adds to the seven.",
        ),
    ],
);
const ANSWER: Shape = shape("Validation", "The result.", &[VALID, PROBLEMS]);

fn run(arguments: &Arguments) -> Reply<Json> {
    let added = arguments.value("commands").and_then(Json::as_array);
    let added = added.unwrap_or_default().iter();
    let added: Vec<&str> = added.filter_map(Json::as_str).collect();
    let found = match document_input(arguments) {
        Ok(DocumentInput::Text(text)) => text::validate(text, &added),
        Ok(DocumentInput::Document(json)) => {
            Warnings::default().reply(Ok(document::problems(json, &added)))
        }
        Err(error) => Warnings::default().reply(Err(error)),
    };
    found.map(|problems: Vec<Problem>| {
        Object::new()
            .with("valid", problems.is_empty())
            .with("problems", problems_json(&problems))
            .into()
    })
}

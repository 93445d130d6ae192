//! Everything that is wrong with a checkpoint document.

use super::given::{DOCUMENT, Given, PROBLEMS, TEXT, VALID, given};
use crate::checkpoint::command::document;
use crate::json::{Json, Object};
use crate::operation::row::{Arguments, Operation, shape};
use crate::operation::wire::problems_json;
use crate::operation::{Noticed, Reply, text};
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
    &[DOCUMENT, TEXT],
);
const ANSWER: Shape = shape("Validation", "What was found.", &[VALID, PROBLEMS]);

fn run(arguments: &Arguments) -> Reply<Json> {
    let found = match given(arguments) {
        Ok(Given::Text(text)) => text::validate(text),
        Ok(Given::Document(json)) => Noticed::default().reply(Ok(document::problems(json))),
        Err(error) => Noticed::default().reply(Err(error)),
    };
    found.map(|problems: Vec<Problem>| {
        Object::new()
            .with("valid", problems.is_empty())
            .with("problems", problems_json(&problems))
            .into()
    })
}

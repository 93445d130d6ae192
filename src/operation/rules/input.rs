//! The input of the rules, and their findings.

use crate::error::Error;
use crate::handoff::Checked;
use crate::json::{Json, Object};
use crate::operation::row::{Arguments, optional, required, shape};
use crate::operation::wire::problems_json;
use crate::schema::{Field, Kind, Shape};

/// One thing that is wrong with a document.
const PROBLEM: Shape = shape(
    "Problem",
    "One thing that is wrong with a document.",
    &[
        required("at", Kind::String, "JSON pointer to the place."),
        required("code", Kind::String, "The kind of problem, such as `type`."),
        required("message", Kind::String, "One sentence."),
    ],
);

pub(super) const VALID: Field = required("valid", Kind::Boolean, "True if nothing is wrong.");
pub(super) const PROBLEMS: Field = required(
    "problems",
    Kind::List(&Kind::Object(&PROBLEM)),
    "Each problem with its place.",
);
pub(super) const DOCUMENT: Field = optional("document", &Kind::Any, "The document, as JSON.");
pub(super) const TEXT: Field = optional(
    "text",
    &Kind::String,
    "The document as text, of which it is not known whether it is JSON.",
);

pub(super) const CHECKED: Shape = shape(
    "Checked",
    "The findings about a handoff.",
    &[
        VALID,
        PROBLEMS,
        required(
            "text",
            Kind::String,
            "The document to pass on, as JSON text.",
        ),
    ],
);

pub(super) fn checked_json(checked: Checked) -> Json {
    Object::new()
        .with("valid", checked.problems.is_empty())
        .with("problems", problems_json(&checked.problems))
        .with("text", checked.document.to_document())
        .into()
}

/// The input: a document, or a text that may hold one.
pub(super) enum DocumentInput<'a> {
    Document(&'a Json),
    Text(&'a str),
}

pub(super) fn document_input(arguments: &Arguments) -> Result<DocumentInput<'_>, Error> {
    match (arguments.value("document"), arguments.optional_text("text")) {
        (Some(document), None) => Ok(DocumentInput::Document(document)),
        (None, Some(text)) => Ok(DocumentInput::Text(text)),
        _ => Err(Error::usage(
            "Expected either `document` or `text`".to_owned(),
        )),
    }
}

//! The input of the rules, and their findings.

use crate::error::Error;
use crate::handoff::Checked;
use crate::json::Json;
use crate::schema::{ArgumentMembers, Problem, Shaped};

/// A document in one of two forms.
#[derive(ArgumentMembers)]
pub(super) struct DocumentMembers<'a> {
    /// The document, as JSON.
    document: Option<&'a Json>,
    /// The document as text, of which it is not known whether it is JSON.
    text: Option<&'a str>,
}

/// The result.
#[derive(Shaped)]
pub(super) struct Validation {
    /// True if nothing is wrong.
    valid: bool,
    /// Each problem with its place.
    problems: Vec<Problem>,
}

impl From<Vec<Problem>> for Validation {
    fn from(problems: Vec<Problem>) -> Self {
        Validation {
            valid: problems.is_empty(),
            problems,
        }
    }
}

/// The findings about a handoff.
#[derive(Shaped)]
#[shape(name = "Checked")]
pub(super) struct CheckedHandoff {
    #[shape(flatten)]
    validation: Validation,
    /// The document to pass on, as JSON text.
    text: String,
}

impl From<Checked> for CheckedHandoff {
    fn from(checked: Checked) -> Self {
        CheckedHandoff {
            text: checked.document.to_document(),
            validation: checked.problems.into(),
        }
    }
}

/// The input: a document, or a text that may hold one.
pub(super) enum DocumentInput<'a> {
    Document(&'a Json),
    Text(&'a str),
}

impl<'a> DocumentMembers<'a> {
    /// The form that is there.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for neither and for both.
    pub(super) fn input(&self) -> Result<DocumentInput<'a>, Error> {
        match (self.document, self.text) {
            (Some(document), None) => Ok(DocumentInput::Document(document)),
            (None, Some(text)) => Ok(DocumentInput::Text(text)),
            _ => Err(Error::usage(
                "Expected either `document` or `text`".to_owned(),
            )),
        }
    }
}

//! The problems of a document, and their places.

use std::fmt;

use crate::json::Pointer;
use crate::text;

use super::{Kind, Shaped};

/// The stable name of a kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Shaped)]
pub enum ProblemCode {
    /// A required field is absent.
    Required,
    /// The value is of another kind than the schema's.
    Type,
    /// The value is not one of the allowed ones.
    Enum,
    /// The text is no RFC 3339 time.
    Time,
    /// The text or number is outside its range, or its form is wrong.
    Range,
    /// The summary is above its word, byte or token limit.
    SummaryTooLong,
    /// The name is not one that a phase, command or feature can have.
    Name,
    /// The value contradicts another one, or an argument.
    Contradiction,
    /// The value looks like a secret, and this file is committed.
    Secret,
}

/// One thing that is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct Problem {
    /// JSON pointer to the place.
    pub at: Pointer,
    /// The kind of problem, such as `type`.
    #[shape(kind = Kind::String)]
    pub code: ProblemCode,
    /// One sentence.
    ///
    /// It says what is wrong and what was expected, without the place.
    #[shape(with = visible_message)]
    pub message: String,
}

/// A sentence may name what a file or a caller says.
fn visible_message(message: String) -> String {
    text::visible_lines(&message).into_owned()
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at.as_str() {
            "" => f.write_str(&self.message),
            at => write!(f, "{}: {}", text::visible(&text::short(at)), self.message),
        }
    }
}

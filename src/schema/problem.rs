//! The problems of a document, and their places.

use std::fmt;

use crate::json::Pointer;
use crate::text;

/// The stable name of a kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl ProblemCode {
    /// The code as users see it.
    pub fn as_str(self) -> &'static str {
        match self {
            ProblemCode::Required => "required",
            ProblemCode::Type => "type",
            ProblemCode::Enum => "enum",
            ProblemCode::Time => "time",
            ProblemCode::Range => "range",
            ProblemCode::SummaryTooLong => "summary_too_long",
            ProblemCode::Name => "name",
            ProblemCode::Contradiction => "contradiction",
            ProblemCode::Secret => "secret",
        }
    }
}

/// One thing that is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its place.
    pub at: Pointer,
    /// The stable code.
    pub code: ProblemCode,
    /// One sentence: what is wrong and what was expected, without the place.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at.as_str() {
            "" => f.write_str(&self.message),
            at => write!(f, "{}: {}", text::visible(&text::short(at)), self.message),
        }
    }
}

//! Why something cannot be shown.

use crate::error::Error;
use crate::schema::Shaped;
use crate::text::visible;

/// Why a checkpoint cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "Problem")]
pub(in crate::view) struct RunProblem {
    /// The code of the error.
    pub(in crate::view) code: &'static str,
    /// The sentence of it.
    pub(in crate::view) message: String,
}

/// A failure as rows have it.
pub(super) fn shown(error: &Error) -> RunProblem {
    RunProblem {
        code: error.code().as_str(),
        message: visible(&error.to_string()).into_owned(),
    }
}

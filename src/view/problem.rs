//! Why something cannot be shown.

use crate::error::Error;
use crate::json::Object;
use crate::text::visible;

/// A failure as rows have it.
pub(super) fn shown(error: &Error) -> Object {
    Object::new()
        .with("code", error.code().as_str())
        .with("message", visible(&error.to_string()).into_owned())
}

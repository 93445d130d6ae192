//! An operation of the table, as any other host runs it: of those alone that only read.

use crate::blocking::operation::table;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::text::quoted;

use super::viewer::Viewer;

/// Runs the operation of `request`.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let request = question.get("request").and_then(Json::as_object);
    let request = request.ok_or_else(|| {
        Error::usage("Expected `request` to be the request of an operation".to_owned())
    })?;
    let name = request.get("operation").and_then(Json::as_str);
    let name = name.unwrap_or_default();
    if table::find(name).is_some_and(|operation| operation.changes) {
        return Err(Error::usage(format!(
            "Nothing can be changed here, so that there is no operation {}",
            quoted(name)
        )));
    }
    viewer.run(request.clone())
}

//! The phases of a run, as the other files here look at them.

use super::super::phases::Status;
use crate::json::{Json, Object};

/// The phase of work for which an agent named none.
pub const UNNAMED: &str = "work";

/// The phases of a run that are objects.
pub(super) fn phases(checkpoint: &Object) -> impl Iterator<Item = (&str, &Object)> {
    let phases = checkpoint.get("phases").and_then(Json::as_object);
    let phases = phases.into_iter().flat_map(Object::iter);
    phases.filter_map(|(name, phase)| Some((name, phase.as_object()?)))
}

/// One phase.
pub(super) fn phase<'a>(checkpoint: &'a Object, name: &str) -> Option<&'a Object> {
    checkpoint
        .get("phases")?
        .as_object()?
        .get(name)?
        .as_object()
}

/// Returns the status of a phase.
pub(super) fn status_of(phase: &Object) -> Option<Status> {
    phase.get("status")?.as_str().and_then(Status::parse)
}

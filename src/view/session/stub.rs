//! The stand-in for `enabled.rs` in the wasm that reads no snapshots: there is no name of one, so that
//! nothing here is ever called but [`id`].

use std::convert::Infallible;

use crate::checkpoint::command::diff::DocumentDifference;
use crate::error::{Error, Warning};
use crate::json::{Json, Object};

use super::super::viewer::Viewer;

pub(in crate::view) type SessionId = Infallible;

/// # Errors
///
/// [`Error::usage`] always: the question is for the other wasm.
pub(in crate::view) fn id(_: &str) -> Result<SessionId, Error> {
    Err(Error::usage(
        "Expected no key of a snapshot: the build with sessions reads those".to_owned(),
    ))
}

pub(in crate::view) fn read(
    _: &Viewer,
    id: SessionId,
) -> (Result<(Object, String), Error>, Vec<Warning>) {
    match id {}
}

pub(in crate::view) fn differences<'a>(
    [id, _]: [SessionId; 2],
    _: &'a Object,
    _: &'a Object,
) -> Vec<DocumentDifference<'a>> {
    match id {}
}

pub(in crate::view) fn files(
    [id, _]: [SessionId; 2],
    _: &Object,
    _: &Object,
) -> Vec<(String, &'static str)> {
    match id {}
}

pub(in crate::view) fn page([id, _]: [SessionId; 2], _: &Object, _: &Object) -> Vec<String> {
    match id {}
}

pub(in crate::view) fn resume_with(id: SessionId, _: &Object) -> Object {
    match id {}
}

pub(in crate::view) fn prose(id: SessionId, _: &Object) -> Json {
    match id {}
}

pub(in crate::view) fn snapshot_files(id: SessionId, _: &Object) -> Vec<Object> {
    match id {}
}

//! The stand-in for `enabled.rs` in the wasm that reads no task checkpoints: there is no name of one, so that nothing
//! here is ever called but [`key`].

use std::convert::Infallible;

use crate::error::{Error, Warning};
use crate::json::Object;

use super::super::viewer::Viewer;

pub(in crate::view) type TaskKey = Infallible;

/// # Errors
///
/// [`Error::usage`] always: the question is for the other wasm.
pub(in crate::view) fn key(_: &str) -> Result<Option<TaskKey>, Error> {
    Err(Error::usage(
        "Expected no key of a task checkpoint: the build with tasks reads those".to_owned(),
    ))
}

pub(in crate::view) fn text(key: &TaskKey) -> String {
    match *key {}
}

pub(in crate::view) fn title(key: &TaskKey) -> String {
    match *key {}
}

pub(in crate::view) fn read(
    _: &Viewer,
    key: &TaskKey,
) -> (Result<(Object, String), Error>, Vec<Warning>) {
    match *key {}
}

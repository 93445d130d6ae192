//! One thread: its steps, what each changed, and which writes are pending.

use crate::blocking::operation::thread::steps::steps;
use crate::error::Error;
use crate::json::{Json, Object};

use super::shown::shown;
use super::task::decoded;
use super::version_ref::settle;
use super::viewer::Viewer;

/// The number of steps without `count`.
const USUAL: u64 = 50;

/// The most steps of an answer.
const MOST: u64 = 10_000;

/// Answers the newest steps of the thread of a key.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let key = question.get("key").and_then(Json::as_str);
    let thread = key.and_then(decoded);
    let thread = thread.ok_or_else(|| {
        Error::usage("Expected `key` to be that of a row of the threads".to_owned())
    })?;
    let count = question.get("count").and_then(Json::as_u64);
    let count = count.unwrap_or(USUAL).min(MOST);
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let reply = steps(&viewer.io(), &viewer.settings(), &thread, count);
    let found = settle(viewer, reply)?;
    Ok(shown(found.into()))
}

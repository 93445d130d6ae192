//! Task checkpoints, as questions about any version need them.

use std::fmt::Write;

use crate::blocking::operation::Reply;
use crate::blocking::operation::task::list::{TaskCheckpointList, TaskListRange, list};
use crate::checkpoint::task::name::TaskId;
use crate::error::{Error, Warning};
use crate::json::Object;
use crate::text::visible;

use super::viewer::Viewer;

/// The name of a task checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TaskKey {
    pub(super) task: TaskId,
    pub(super) id: TaskId,
}

/// The name in a key, `TASK/ID`; `None` where it is no two parts of an address.
///
/// # Errors
///
/// [`Error::invalid_name`] for an invalid id.
pub(super) fn key(text: &str) -> Result<Option<TaskKey>, Error> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(task, id)| decoded(task).zip(decoded(id)));
    let Some((task, id)) = parts else {
        return Ok(None);
    };
    Ok(Some(TaskKey {
        task: TaskId::new(&task)?,
        id: TaskId::new(&id)?,
    }))
}

/// As it stands in a key.
pub(super) fn text(key: &TaskKey) -> String {
    format!(
        "{}/{}",
        encoded(key.task.as_str()),
        encoded(key.id.as_str())
    )
}

/// The name of it, to be shown.
pub(super) fn title(key: &TaskKey) -> String {
    format!(
        "{} · {}",
        visible(key.task.as_str()),
        visible(key.id.as_str())
    )
}

/// The checkpoint as saved, its time, and the warnings of reading it. By its task, because looking for the task that
/// has an id reads those of all.
pub(super) fn read(
    viewer: &Viewer,
    key: &TaskKey,
) -> (Result<(Object, String), Error>, Vec<Warning>) {
    let Reply { result, warnings } = all_of(viewer, &key.task);
    let found = result.and_then(|listed| {
        let mut checkpoints = listed.checkpoints.into_iter();
        let found = checkpoints.find(|snapshot| *snapshot.entry.id() == key.id);
        found.ok_or_else(|| Error::no_checkpoint_with_id(key.id.as_str()))
    });
    let read = found.map(|it| (it.state, it.entry.part().saved_at.clone()));
    (read, warnings)
}

/// Every checkpoint of a task.
pub(super) fn all_of(viewer: &Viewer, task: &TaskId) -> Reply<TaskCheckpointList> {
    let begin = TaskListRange {
        after: None,
        page_bytes: u64::MAX,
    };
    list(&viewer.io(), &viewer.settings(), task, begin)
}

/// A part of a key, as `decodeURIComponent` reads it.
pub(super) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (code, after) = rest.split_at_checked(2)?;
        let code = str::from_utf8(code).ok()?;
        let is_hex = code.bytes().all(|it| it.is_ascii_hexdigit());
        bytes.push(u8::from_str_radix(code, 16).ok().filter(|_| is_hex)?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// The text as `encodeURIComponent` writes it.
pub(super) fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => encoded.push(char::from(byte)),
            b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => {
                encoded.push(char::from(byte));
            }
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

//! The tasks and their checkpoints.

use crate::blocking::operation::task::list::TaskCheckpoint;
use crate::blocking::operation::task::list_tasks::list_tasks;
use crate::checkpoint::task::index::TaskIndex;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::text::visible;

use super::page::{Page, rows_json};
use super::task::{TaskKey, all_of};
use super::version_ref::{CheckpointKey, settle};
use super::viewer::Viewer;

/// Answers a page of the list, the tasks in the order of their names.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let page = Page::of(question)?;
    let reply = list_tasks(&viewer.io(), &viewer.settings(), None, u64::MAX);
    let mut all = settle(viewer, reply)?.tasks;
    all.sort_by_cached_key(|index| index.task().as_str().to_owned());
    let total = all.len();
    all.retain(|index| {
        let ids = index.entries().iter().map(|entry| entry.id().as_str());
        page.finds(ids.chain([index.task().as_str()]))
    });
    let matching = all.len();
    let rows = page.cut(all).into_iter();
    let rows = rows.map(|index| row(viewer, &index)).collect();
    Ok(rows_json(total, matching, rows))
}

fn row(viewer: &mut Viewer, index: &TaskIndex) -> Object {
    let reply = all_of(viewer, index.task());
    let (checkpoints, problem) = match settle(viewer, reply) {
        Ok(listed) => (listed.checkpoints, None),
        Err(error) => (Vec::new(), Some(super::problem::shown(&error))),
    };
    let checkpoints: Vec<Object> = checkpoints.iter().map(checkpoint).collect();
    Object::new()
        .with("task", visible(index.task().as_str()).into_owned())
        .with("problem", problem)
        .with("checkpoints", checkpoints)
}

fn checkpoint(snapshot: &TaskCheckpoint) -> Object {
    let number = |key: &str| snapshot.state.get(key).and_then(Json::as_u64);
    let key = CheckpointKey::Task(TaskKey {
        task: snapshot.task.clone(),
        id: snapshot.entry.id().clone(),
    });
    let part = snapshot.entry.part();
    Object::new()
        .with("key", key.to_string())
        .with("id", visible(snapshot.entry.id().as_str()).into_owned())
        .with("saved_at", visible(&part.saved_at).into_owned())
        .with("step", number("stepIndex"))
        .with("total_steps", number("totalSteps"))
        .with("size", part.bytes)
}

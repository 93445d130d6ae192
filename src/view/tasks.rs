//! The tasks and their checkpoints.

use crate::blocking::operation::task::list::TaskCheckpoint;
use crate::blocking::operation::task::list_tasks::list_tasks;
use crate::checkpoint::task::index::TaskIndex;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::schema::Shaped;
use crate::text::visible;

use super::page::Page;
use super::problem::RunProblem;
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
    let answer = TasksAnswer {
        total,
        matching,
        rows,
    };
    Ok(answer.into())
}

/// The tasks that a filter leaves, as far as they are asked for.
#[derive(Shaped)]
#[shape(name = "Tasks")]
pub(super) struct TasksAnswer {
    /// The number of all of them.
    #[shape(with = Json::from_count)]
    total: usize,
    /// The number of those that the filter leaves.
    #[shape(with = Json::from_count)]
    matching: usize,
    /// The rows, in the order of their names.
    rows: Vec<TaskRow>,
}

/// One task.
#[derive(Shaped)]
struct TaskRow {
    /// Its id.
    task: String,
    /// Why it cannot be read, if it cannot.
    problem: Option<RunProblem>,
    /// Its checkpoints, in the order in which they were first saved.
    checkpoints: Vec<TaskRowCheckpoint>,
}

/// One checkpoint of a task.
#[derive(Shaped)]
struct TaskRowCheckpoint {
    /// The key that questions about it have.
    key: String,
    /// Its id.
    id: String,
    /// The time at which it was last saved.
    saved_at: String,
    /// The number of the step that it is at.
    step: Option<u64>,
    /// The number of all steps.
    total_steps: Option<u64>,
    /// Its size in bytes.
    size: u64,
}

fn row(viewer: &mut Viewer, index: &TaskIndex) -> TaskRow {
    let reply = all_of(viewer, index.task());
    let (checkpoints, problem) = match settle(viewer, reply) {
        Ok(listed) => (listed.checkpoints, None),
        Err(error) => (Vec::new(), Some(super::problem::shown(&error))),
    };
    TaskRow {
        task: visible(index.task().as_str()).into_owned(),
        problem,
        checkpoints: checkpoints.iter().map(checkpoint).collect(),
    }
}

fn checkpoint(snapshot: &TaskCheckpoint) -> TaskRowCheckpoint {
    let number = |key: &str| snapshot.state.get(key).and_then(Json::as_u64);
    let key = CheckpointKey::Task(TaskKey {
        task: snapshot.task.clone(),
        id: snapshot.entry.id().clone(),
    });
    let part = snapshot.entry.part();
    TaskRowCheckpoint {
        key: key.to_string(),
        id: visible(snapshot.entry.id().as_str()).into_owned(),
        saved_at: visible(&part.saved_at).into_owned(),
        step: number("stepIndex"),
        total_steps: number("totalSteps"),
        size: part.bytes,
    }
}

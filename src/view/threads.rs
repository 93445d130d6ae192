//! The threads of LangGraph.js.

use crate::blocking::operation::thread::summaries::summaries;
use crate::checkpoint::thread::steps::ThreadSummary;
use crate::error::Error;
use crate::json::{Json, Object};

use super::page::{Page, rows_json};
use super::shown::shown;
use super::task::encoded;
use super::version_ref::settle;
use super::viewer::Viewer;

/// Answers a page of the list, the threads with the newest steps first.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let page = Page::of(question)?;
    let reply = summaries(&viewer.io(), &viewer.settings());
    let mut all = settle(viewer, reply)?;
    let total = all.len();
    all.retain(|summary| page.finds([summary.thread.as_str()]));
    let matching = all.len();
    let rows = page.cut(all).into_iter().map(row).collect();
    Ok(rows_json(total, matching, rows))
}

/// A row: the thread, and the key that [`super::thread`] takes.
fn row(summary: ThreadSummary) -> Object {
    let key = encoded(&summary.thread);
    Object::new()
        .with("key", key)
        .with("thread", shown(summary.into()))
}

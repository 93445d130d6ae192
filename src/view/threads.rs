//! The threads of LangGraph.js.

use crate::blocking::operation::thread::summaries::summaries;
use crate::checkpoint::thread::steps::ThreadSummary;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::schema::Shaped;

use super::page::Page;
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
    let answer = Threads {
        total,
        matching,
        rows,
    };
    Ok(answer.into())
}

/// The threads that a filter leaves, as far as they are asked for.
#[derive(Shaped)]
pub(super) struct Threads {
    /// The number of all of them.
    #[shape(with = Json::from_count)]
    total: usize,
    /// The number of those that the filter leaves.
    #[shape(with = Json::from_count)]
    matching: usize,
    /// The rows, the threads with the newest steps first.
    rows: Vec<ThreadRow>,
}

/// One thread.
#[derive(Shaped)]
struct ThreadRow {
    /// The thread of the question `thread`.
    key: String,
    /// The thread by its newest step.
    #[shape(kind = ThreadSummary::KIND, with = shown_summary)]
    thread: ThreadSummary,
}

/// Its texts are those of a file.
fn shown_summary(summary: ThreadSummary) -> Json {
    shown(summary.into())
}

/// A row: the thread, and the key that [`super::thread`] takes.
fn row(summary: ThreadSummary) -> ThreadRow {
    ThreadRow {
        key: encoded(&summary.thread),
        thread: summary,
    }
}

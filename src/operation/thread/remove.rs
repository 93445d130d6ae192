//! Removing a thread.

use crate::effect::{Io, boxed};
use crate::json::Object;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation, required, shape};
use crate::operation::{Reply, Settings};
use crate::schema::{Kind, Shape};

use super::input::THREAD;
use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation = Operation::changing(
    "delete_thread",
    "Removes a thread with all its checkpoints, in all namespaces. What a run that is going on puts after that is \
     refused.",
    &ARGUMENTS,
    Kind::Object(&REMOVED),
    perform,
)
.of(Capability::Threads);

const ARGUMENTS: Shape = shape("DeleteThreadArguments", "The thread.", &[THREAD]);

const REMOVED: Shape = shape(
    "DeletedThread",
    "The outcome.",
    &[required("deleted", Kind::Boolean, "True if it was there.")],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = remove(io, settings, arguments.text("thread_id")).await;
        reply.map(|deleted| Object::new().with("deleted", deleted).into())
    })
}

/// Removes a thread; whether it was there. A tombstone takes its place, by which later puts of a run that was going on
/// are refused; not in that of one that cannot be read, which is removed as well.
///
/// A tombstone is kept for a week. Each deletion looks at four other threads, and removes those of them that are older
/// tombstones; that costs a listing and four reads, and never a failure.
///
/// Fails with `invalid_name`, `busy`, `unsafe_path`, `io`.
pub async fn remove(io: &Io, settings: &Settings, thread: &str) -> Reply<bool> {
    with_warnings(async |_| {
        let store = ThreadStore::open(io, settings).await?;
        let removed = store.delete(thread).await?;
        if !removed {
            store.documents.expect_root().await?;
        }
        Ok(removed)
    })
    .await
}

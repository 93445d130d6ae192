//! Removing a thread.

use crate::effect::{Io, boxed};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Shaped};

use super::thread_store::ThreadStore;

pub(super) const OPERATION: Operation =
    Operation::changing::<DeleteThreadArguments, DeletedThread>(
        "delete_thread",
        "Removes a thread with all its checkpoints, in all namespaces. What a run that is going on puts after that is \
         refused.",
        perform,
    )
    .of(Capability::Threads);

/// The thread.
#[derive(ArgumentMembers)]
struct DeleteThreadArguments<'a> {
    /// The thread, free text.
    thread_id: &'a str,
}

/// The outcome.
#[derive(Shaped)]
struct DeletedThread {
    /// True if it was there.
    deleted: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let DeleteThreadArguments { thread_id } = arguments.read();
        let reply = remove(io, settings, thread_id).await;
        reply.map(|deleted| DeletedThread { deleted }.into())
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

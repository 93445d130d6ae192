//! Keeping the newest checkpoints of a thread alone.

use crate::checkpoint::thread::retain::{KeptCheckpoints, Retained};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Shaped};

use super::thread_store::ThreadStore;

/// The number of checkpoints of each namespace that are kept, unless the caller says otherwise.
const USUAL: u64 = 1;

pub(super) const OPERATION: Operation = Operation::changing::<PruneThreadArguments, PrunedThread>(
    "prune_thread",
    "Keeps the newest checkpoints of each namespace of a thread. A kept one reads as before: the values and writes of \
     others that it goes on from stay.",
    perform,
)
.of(Capability::Threads);

/// The thread, and how much of it is kept.
#[derive(ArgumentMembers)]
struct PruneThreadArguments<'a> {
    /// The thread, free text.
    thread_id: &'a str,
    /// So many checkpoints of each namespace, from 1 on; 1 by default.
    keep: Option<u64>,
}

/// The outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Shaped)]
pub struct PrunedThread {
    /// The number of checkpoints that were kept; 0 for an unknown thread.
    #[shape(with = Json::from_count)]
    pub kept: usize,
    /// The number of those that went.
    #[shape(with = Json::from_count)]
    pub removed: usize,
}

impl From<Retained> for PrunedThread {
    fn from(Retained { kept, removed }: Retained) -> Self {
        PrunedThread { kept, removed }
    }
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let PruneThreadArguments { thread_id, keep } = arguments.read();
        let reply = prune(io, settings, thread_id, keep).await;
        reply.map(Json::from)
    })
}

/// Keeps so many checkpoints of each namespace of a thread, the newest; 1 by default. What a run that is going on puts
/// after one that went is refused, as after a deletion.
///
/// Warns `lost_changes`. Fails with `usage`, `invalid_name`, `too_large`; `invalid_document`, `unsupported_version`,
/// `corrupt` for what is stored; `busy`, `unsafe_path`, `io`.
pub async fn prune(
    io: &Io,
    settings: &Settings,
    thread: &str,
    keep: Option<u64>,
) -> Reply<PrunedThread> {
    with_warnings(async |warnings| {
        let keep = keep.unwrap_or(USUAL);
        if keep == 0 {
            let message = "Expected `keep` to be from 1 on, got 0: `delete_thread` removes all";
            return Err(Error::usage(message.to_owned()));
        }
        let keep = KeptCheckpoints::Newest(usize::try_from(keep).unwrap_or(usize::MAX));
        let store = ThreadStore::open(io, settings).await?;
        let retained = store.retain(thread, &keep, warnings).await?;
        if retained == Retained::default() {
            store.documents.expect_root().await?;
        }
        Ok(retained.into())
    })
    .await
}

//! Removing old revisions.

use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::schema::ArgumentMembers;
use crate::store::Pruned;

use super::run_store::RunStore;

pub(super) const OPERATION: Operation = Operation::changing::<PruneArguments, Pruned>(
    "prune",
    "Removes old revisions of a checkpoint immediately.",
    perform,
);

/// The checkpoint, and how much of its history is kept.
#[derive(ArgumentMembers)]
struct PruneArguments {
    #[shape(flatten)]
    target: Target,
    /// The number of replaced revisions to keep.
    revisions: Option<u64>,
    /// Remove those that are older as well.
    days: Option<u64>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let PruneArguments {
            target,
            revisions,
            days,
        } = arguments.read();
        prune(io, settings, &target, revisions, days)
            .await
            .map(Json::from)
    })
}

/// Removes old revisions immediately: all but so many, and those older than so many days, by the settings where nothing
/// is given. The newest ten always stay.
///
/// Fails with `usage` for fewer than ten, `not_found` when there is no checkpoint, and as
/// [`load`](super::load::load) does.
pub async fn prune(
    io: &Io,
    settings: &Settings,
    target: &Target,
    revisions: Option<u64>,
    days: Option<u64>,
) -> Reply<Pruned> {
    about(target, async |_| {
        let retention = settings.history.with(revisions, days)?;
        let store = RunStore::open(io, settings, target).await?;
        // The history of a lost document is what it is recovered from.
        let stored = store.read().await?;
        let document = stored
            .document
            .ok_or_else(|| Error::no_checkpoint(target))?;
        store.expect_own(&document.object)?;
        store.versioned.prune(retention).await
    })
    .await
}

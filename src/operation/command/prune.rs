//! Removing old revisions.

use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::about;
use crate::operation::row::{
    Answering, Arguments, COMMAND, FEATURE, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{Kind, Shape};
use crate::store::Pruned;

use super::run_store::RunStore;

pub(super) const OPERATION: Operation = Operation::changing(
    "prune",
    "Removes old revisions of a checkpoint immediately.",
    &ARGUMENTS,
    Kind::Object(&ANSWER),
    perform,
);

const ARGUMENTS: Shape = shape(
    "PruneArguments",
    "The checkpoint, and how much of its history is kept.",
    &[
        COMMAND,
        FEATURE,
        optional(
            "revisions",
            &Kind::Integer,
            "The number of replaced revisions to keep.",
        ),
        optional(
            "days",
            &Kind::Integer,
            "Remove those that are older as well.",
        ),
    ],
);

const ANSWER: Shape = shape(
    "Pruned",
    "The revisions that were removed from a history.",
    &[
        required(
            "removed",
            Kind::List(&Kind::Integer),
            "The revisions that are gone, the oldest first.",
        ),
        required(
            "kept",
            Kind::Integer,
            "The number of revisions that are left, the present one among them.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let (revisions, days) = (arguments.number("revisions"), arguments.number("days"));
        prune(io, settings, &arguments.target(), revisions, days)
            .await
            .map(Json::from)
    })
}

impl From<Pruned> for Json {
    fn from(pruned: Pruned) -> Self {
        Object::new()
            .with("removed", pruned.removed)
            .with("kept", pruned.kept as u64)
            .into()
    }
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

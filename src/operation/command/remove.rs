//! A checkpoint taken away; its history stays.

use crate::checkpoint::command::tombstone;
use crate::effect::{Io, boxed};
use crate::json::Json;
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::store::{Change, Current, DocumentWrite, Keep};

use super::not_found::missing;
use super::run_store::RunStore;
use super::save::{Saved, SavedMembers};

pub(super) const OPERATION: Operation = Operation::changing::<Target, SavedMembers>(
    "remove",
    "Takes a checkpoint away; its history is kept, and `recover` brings it back.",
    perform,
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let target = arguments.read();
        remove(io, settings, &target).await.map(Json::from)
    })
}

/// Puts a tombstone in the place of a checkpoint, also of one that is gone though its history is kept:
/// nothing warns of that any more. What it replaces is durable in history first.
///
/// Fails with `not_found` when there is no checkpoint, and as [`complete`](super::complete::complete)
/// does.
pub async fn remove(io: &Io, settings: &Settings, target: &Target) -> Reply<Saved> {
    about(target, async |warnings| {
        let store = RunStore::open(io, settings, target).await?;
        let stored = store.read().await?;
        if stored.document.is_none() {
            let error = missing(&store, target).await;
            if stored.tombstone.is_some() || error.advice().is_none() {
                return Err(error);
            }
        }
        let now = store.now().await?;
        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            if current.tombstone.is_some() {
                return Ok(Change::Keep);
            }
            let feature = target.feature.as_deref();
            let object = tombstone::removed(&target.command, feature, &now);
            Ok(Change::Write(DocumentWrite {
                keeps: Keep::Durably,
                ..DocumentWrite::new(object)
            }))
        };
        let committed = store.commit(None, &mut decide).await?;
        if let Some(before) = &committed.before {
            store.notice(before, committed.had_side, warnings).await;
        }
        Ok(Saved::from(*committed))
    })
    .await
}

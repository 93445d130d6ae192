//! Marking a checkpoint as complete.

use crate::checkpoint::command::document::Draft;
use crate::checkpoint::command::phases;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation, TARGET};
use crate::operation::{Reply, Settings, Target};
use crate::schema::Kind;
use crate::store::{Change, Current};

use super::absent::missing;
use super::opened::{Opened, unchangeable};
use super::save::{SAVED, Saved};

pub(super) const OPERATION: Operation = Operation::changing(
    "complete",
    "Marks a checkpoint as complete; completing again changes nothing.",
    &TARGET,
    Kind::Object(&SAVED),
    perform,
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        complete(io, settings, &arguments.target())
            .await
            .map(Json::from)
    })
}

/// Marks a checkpoint as complete; completing again changes nothing.
///
/// Fails with `not_found` when there is none, and as [`save`](super::save::save) does.
pub async fn complete(io: &Io, settings: &Settings, target: &Target) -> Reply<Saved> {
    about(target, async |noticed| {
        let opened = Opened::open(io, settings, target).await?;
        // Looked for first, so that asking for a missing one makes no folder.
        if opened.read().await?.document.is_none() {
            return Err(missing(&opened, target).await);
        }
        let moment = opened.moment(noticed).await?;
        let mut decide = |current: &Current<'_>| {
            opened.expect_own_current(current)?;
            let document = current
                .document
                .ok_or_else(|| Error::no_checkpoint(target))?;
            let mut draft = Draft::from(document.stamped());
            let completed = phases::complete(&mut draft, &moment.now);
            match completed.map_err(|error| unchangeable(error, target))? {
                true => opened.sign(&moment, draft, current, &[&document.object]),
                false => Ok(Change::Keep),
            }
        };
        let committed = opened
            .update(None, &mut decide, &moment.head, noticed)
            .await?;
        Ok(Saved::from(*committed))
    })
    .await
}

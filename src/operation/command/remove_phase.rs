//! A phase that was added by mistake, taken back.

use crate::checkpoint::command::document::Draft;
use crate::checkpoint::command::remove_phase as rules;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::schema::ArgumentMembers;
use crate::store::Current;

use super::creation::no_phase;
use super::not_found::missing;
use super::run_store::{RunStore, unchangeable};
use super::save::{Saved, SavedMembers};

pub(super) const OPERATION: Operation = Operation::changing::<RemovePhaseArguments, SavedMembers>(
    "remove_phase",
    "Takes back a phase that was added by mistake; its history stays, and an undo brings it back.",
    perform,
);

/// The checkpoint, and one of its phases.
#[derive(ArgumentMembers)]
struct RemovePhaseArguments<'a> {
    #[shape(flatten)]
    target: Target,
    /// The phase's name.
    phase: &'a str,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let RemovePhaseArguments { target, phase } = arguments.read();
        remove_phase(io, settings, &target, phase)
            .await
            .map(Json::from)
    })
}

/// Takes a phase out of a run, as one revision. A run that is complete stays so.
///
/// Fails with `not_found` where there is no such run, or where it has no such phase, and as
/// [`save`](super::save::save) does.
pub async fn remove_phase(
    io: &Io,
    settings: &Settings,
    target: &Target,
    phase: &str,
) -> Reply<Saved> {
    about(target, async |warnings| {
        let store = RunStore::open(io, settings, target).await?;
        // Looked for first, so that asking for a missing one makes no folder.
        if store.read().await?.document.is_none() {
            return Err(missing(&store, target).await);
        }
        let moment = store.moment(warnings).await?;
        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            let document = current
                .document
                .ok_or_else(|| Error::no_checkpoint(target))?;
            let mut draft = Draft::from(document.stamped());
            let removed = rules::remove_phase(&mut draft, phase, &moment.now);
            match removed.map_err(|error| unchangeable(error, target))? {
                true => store.sign(&moment, draft, current, &[&document.object]),
                false => Err(no_phase(target, Some(&document.object), phase)),
            }
        };
        let committed = store
            .update(None, &mut decide, &moment.head, warnings)
            .await?;
        Ok(Saved::from(*committed))
    })
    .await
}

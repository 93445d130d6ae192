//! Marking a checkpoint as complete.

use crate::checkpoint::command::completion::{self, OpenPhases, expect_done};
use crate::checkpoint::command::document::{Draft, check_version, is_completed};
use crate::effect::{Io, boxed};
use crate::error::{Advice, Code, Error, WarningCode};
use crate::extent::IS_WHOLE;
use crate::json::{Json, Object};
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target, Warnings};
use crate::schema::ArgumentMembers;
use crate::store::{Change, Current};

use super::not_found::missing;
use super::run_store::{RunStore, unchangeable};
use super::save::{Saved, SavedMembers};

pub(super) const OPERATION: Operation = Operation::changing::<CompleteArguments, SavedMembers>(
    "complete",
    "Marks a checkpoint as complete, unless phases are still to be done; completing again changes nothing.",
    perform,
);

/// The checkpoint, and what becomes of its phases that are still to be done.
#[derive(ArgumentMembers)]
struct CompleteArguments {
    #[shape(flatten)]
    target: Target,
    /// Complete it all the same: phases that are still to be done are skipped.
    force: bool,
    /// Complete it all the same: such phases stay as they are, and a warning names them.
    keep_open: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let CompleteArguments {
            target,
            force,
            keep_open,
        } = arguments.read();
        let open = match (force, keep_open) {
            (false, false) => None,
            (true, false) => Some(OpenPhases::Skip),
            (false, true) => Some(OpenPhases::Keep),
            (true, true) => {
                let error = "Expected either `force` or `keep_open`".to_owned();
                return Warnings::default().reply(Err(Error::usage(error)));
            }
        };
        complete(io, settings, &target, open).await.map(Json::from)
    })
}

/// Marks a checkpoint as complete; completing again changes nothing. Without `open`, one with phases that are still to
/// be done is refused.
///
/// Warns `open_phases` of those that were kept. Fails with `not_found` without a checkpoint, with `usage` for phases
/// that are still to be done, and as [`save`](super::save::save) does.
pub async fn complete(
    io: &Io,
    settings: &Settings,
    target: &Target,
    open: Option<OpenPhases>,
) -> Reply<Saved> {
    about(target, async |warnings| {
        let store = RunStore::open(io, settings, target).await?;
        // Looked at first, so that what is refused makes no folder.
        let Some(stored) = store.read().await?.document else {
            return Err(missing(&store, target).await);
        };
        if open.is_none() {
            store.expect_own(&stored.object)?;
            check_version(&stored.object)?;
            let done = expect_done(&stored.object, &target.title());
            done.map_err(|error| explained(error, target))?;
        }
        let moment = store.moment(warnings).await?;
        let mut kept = None;
        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            let document = current
                .document
                .ok_or_else(|| Error::no_checkpoint(target))?;
            let mut draft = Draft::from(document.stamped());
            kept = kept_open(draft.as_object(), open);
            let completed = match open {
                Some(open) => completion::complete(&mut draft, &moment.now, open),
                None => expect_done(draft.as_object(), &target.title())
                    .and_then(|()| completion::complete(&mut draft, &moment.now, OpenPhases::Keep)),
            };
            match completed.map_err(|error| explained(error, target))? {
                true => store.sign(&moment, draft, current, &[&document.object]),
                false => Ok(Change::Keep),
            }
        };
        let committed = store
            .update(None, &mut decide, &moment.head, warnings)
            .await?;
        if let Some(names) = kept {
            let title = target.title();
            let what = format!("{title} is complete with unfinished phases: {names}");
            warnings.warn(WarningCode::OpenPhases, what);
        }
        Ok(Saved::from(*committed))
    })
    .await
}

/// The phases that stay open though the run is completed now, as a sentence names them. The wasm of hooks completes
/// none that has such.
fn kept_open(document: &Object, open: Option<OpenPhases>) -> Option<String> {
    if !IS_WHOLE || open != Some(OpenPhases::Keep) || is_completed(document) {
        return None;
    }
    let phases = completion::open_phases(document);
    (!phases.is_empty()).then(|| completion::named(&phases))
}

/// The failure with what would help.
#[cold]
fn explained(error: Error, target: &Target) -> Error {
    match error.code() {
        Code::Usage => error.with_advice(Advice::Complete(target.clone())),
        _ => unchangeable(error, target),
    }
}

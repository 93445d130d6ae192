//! One step forward again, after an undo.

use crate::effect::{Io, boxed};
use crate::json::Json;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target, Warnings};
use crate::schema::ArgumentMembers;

use super::restore::{ExpectedState, RestoredRun, RevisionDirection, SeenState, expected, restore};

pub(super) const OPERATION: Operation = Operation::changing::<RedoArguments, RestoredRun>(
    "redo",
    "Writes what an undo took back as the next revision.",
    perform,
);

/// The checkpoint, and the state of it that was seen.
#[derive(ArgumentMembers)]
struct RedoArguments<'a> {
    #[shape(flatten)]
    target: Target,
    #[shape(flatten)]
    seen: SeenState<'a>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let RedoArguments { target, seen } = arguments.read();
        let seen = match expected(&seen) {
            Ok(seen) => seen,
            Err(error) => return Warnings::default().reply(Err(error)),
        };
        redo(io, settings, &target, seen.as_ref())
            .await
            .map(Json::from)
    })
}

/// Writes what the last undo took back as the next revision.
///
/// Fails with `not_found` where the last change was no undo, or all of it is done again, and as
/// [`undo`](super::undo::undo) does.
pub async fn redo(
    io: &Io,
    settings: &Settings,
    target: &Target,
    seen: Option<&ExpectedState>,
) -> Reply<RestoredRun> {
    restore(io, settings, target, RevisionDirection::Forward, seen).await
}

//! One step forward again, after an undo.

use crate::effect::{Io, boxed};
use crate::json::Json;
use crate::operation::row::{Answering, Arguments, COMMAND, FEATURE, Operation, shape};
use crate::operation::{Reply, Settings, Target, Warnings};
use crate::schema::{Kind, Shape};

use super::restore::{
    ExpectedState, RESTORED, RestoredRun, RevisionDirection, SEEN_REVISION, SEEN_SEAL, restore,
    seen,
};

pub(super) const OPERATION: Operation = Operation::changing(
    "redo",
    "Writes what an undo took back as the next revision.",
    &ARGUMENTS,
    Kind::Object(&RESTORED),
    perform,
);

const ARGUMENTS: Shape = shape(
    "RedoArguments",
    "The checkpoint, and the state of it that was seen.",
    &[COMMAND, FEATURE, SEEN_REVISION, SEEN_SEAL],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let seen = match seen(arguments) {
            Ok(seen) => seen,
            Err(error) => return Warnings::default().reply(Err(error)),
        };
        redo(io, settings, &arguments.target(), seen.as_ref())
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

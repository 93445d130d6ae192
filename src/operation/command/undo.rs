//! One step back, or to a revision that is kept.

use crate::effect::{Io, boxed};
use crate::json::Json;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target, Warnings};
use crate::schema::ArgumentMembers;

use super::restore::{ExpectedState, RestoredRun, RevisionDirection, SeenState, expected, restore};

pub(super) const OPERATION: Operation = Operation::changing::<UndoArguments, RestoredRun>(
    "undo",
    "Writes the content of an earlier revision as the next one; again, of the one before that.",
    perform,
);

/// The checkpoint, what to go back to, and from where.
#[derive(ArgumentMembers)]
struct UndoArguments<'a> {
    #[shape(flatten)]
    target: Target,
    /// The revision to go back to; without it, the newest good one before the present one, or before the one that the
    /// present one restores.
    to: Option<u64>,
    #[shape(flatten)]
    seen: SeenState<'a>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let UndoArguments { target, to, seen } = arguments.read();
        let seen = match expected(&seen) {
            Ok(seen) => seen,
            Err(error) => return Warnings::default().reply(Err(error)),
        };
        undo(io, settings, &target, &Undo { to, seen })
            .await
            .map(Json::from)
    })
}

/// The revisions to go back from and to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undo {
    /// The revision to go back to; without it, the newest good one before the last change that is not undone. A
    /// revision that only renewed the time is passed over.
    pub to: Option<u64>,
    /// The state that the caller has seen; without it, the present one.
    pub seen: Option<ExpectedState>,
}

/// Writes the content of an earlier revision as the next one, which says so in `restores`: the next
/// undo goes one further back, and a redo forward again, until anything else changes the checkpoint.
///
/// It is a compare-and-swap: a concurrent change by another writer is a `conflict`. `updated_at` is now; `head_commit`
/// stays the recorded one, for the content was true at that commit; sessions, branch and worktree stay those of now,
/// and a revision that differs in these alone is no step. A revision that is altered, or so broken that
/// nothing could change it, is passed over unless it is asked for; its other problems are a warning. Fails with
/// `not_found` without a checkpoint or such a revision, `invalid_name`, `invalid_document`, `summary_too_long`,
/// `unsupported_version`, `corrupt`, `conflict`, `busy`, `unsafe_path`, `too_large`, `io`.
pub async fn undo(
    io: &Io,
    settings: &Settings,
    target: &Target,
    undo: &Undo,
) -> Reply<RestoredRun> {
    let direction = undo
        .to
        .map_or(RevisionDirection::Back, RevisionDirection::To);
    restore(io, settings, target, direction, undo.seen.as_ref()).await
}

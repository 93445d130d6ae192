//! The relation of a run to the checkout where an operation works.

use crate::agent::{self, Relation, RunPlace};
use crate::effect::Io;
use crate::git::Checkout;
use crate::operation::Target;
use crate::root::{self, Root};
use crate::time;

use super::summary::RunSummary;

/// Returns the relation of a run to the checkout of the root.
///
/// A linked worktree may have the name of one that was removed: what is older than the worktree is not of it.
pub(in crate::operation) async fn relation_of(
    io: &Io,
    root: &Root,
    here: &Checkout,
    target: &Target,
    run: &RunSummary,
) -> Relation {
    let place = RunPlace {
        feature: target.feature.as_deref(),
        branch: run.branch(),
        worktree: run.worktree(),
    };
    match agent::relation(place, here) {
        Relation::Worktree if is_older_than_worktree(io, root, run).await => Relation::Other,
        relation => relation,
    }
}

#[inline(never)]
async fn is_older_than_worktree(io: &Io, root: &Root, run: &RunSummary) -> bool {
    let updated = run.updated_at().and_then(time::parse);
    let added = root::worktree_added(io, root).await;
    match (updated, added) {
        (Some(updated), Some(added)) => updated.wall_ms() < added,
        _ => false,
    }
}

//! The run to carry on with at a checkout.

use std::cmp::Reverse;

use crate::agent::Relation;
use crate::checkpoint::command::resume::ResumePoint;
use crate::effect::{Io, boxed};
use crate::json::Json;
use crate::operation::command::latest::{first_of, now_ms, rank};
use crate::operation::command::list::{Read, RunSelection, read_all};
use crate::operation::command::relation::relation_of;
use crate::operation::command::summary::branch_or_null;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::root::{self, Root};
use crate::schema::Shaped;

pub(super) const OPERATION: Operation = Operation::at::<(), Option<LatestHere>>(
    "latest_here",
    "The unfinished run to carry on with on the branch that is checked out, as hooks choose it; where none belongs \
     here, the one that was updated last; null where nothing is unfinished.",
    perform,
)
.of(Capability::Agents);

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move { latest_here(io, settings).await.map(Json::from) })
}

/// An unfinished run by its names.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct UnfinishedRun {
    /// Its names.
    #[shape(flatten)]
    pub target: Target,
    /// The branch that hooks recorded, null for a detached HEAD; absent where none was recorded.
    ///
    /// It is empty for a detached HEAD.
    #[shape(left_out, with = branch_or_null)]
    pub branch: Option<String>,
    /// True for a run of another branch or worktree, and absent for one that belongs here.
    #[shape(left_out)]
    pub is_elsewhere: bool,
}

/// The run to carry on with.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct LatestHere {
    /// The run itself.
    #[shape(flatten)]
    pub run: UnfinishedRun,
    /// Its resume point.
    #[shape(flatten)]
    pub point: ResumePoint,
    /// The other unfinished runs.
    ///
    /// They are in the order of a list.
    pub others: Vec<UnfinishedRun>,
}

/// The unfinished run to carry on with: one that belongs to the checkout, in the order in which hooks show them, else
/// the one that was updated last. `None` when all are complete, or no run exists.
///
/// Warns and fails as [`latest`](crate::operation::command::latest::latest).
pub async fn latest_here(io: &Io, settings: &Settings) -> Reply<Option<LatestHere>> {
    with_warnings(async |warnings| {
        let root = root::locate(io, settings).await?;
        let now_ms = now_ms(io).await;
        let all = read_all(io, settings, &root, RunSelection::Unfinished { of: None }).await?;
        let known = readable(io, &root, &all).await;
        let find = |target: &Target| known.iter().find(|known| known.run.target == *target);
        let latest = first_of(
            io,
            settings,
            all,
            |target, summary| {
                let rank = rank(summary, now_ms)?;
                let known = find(target)?;
                // No session sees a run without phases.
                Some((!known.is_empty, Reverse(known.relation), rank))
            },
            warnings,
        )
        .await?;
        let Some(latest) = latest else {
            return Ok(None);
        };
        let named = |target: &Target| find(target).map(|known| known.run.clone());
        let Some(run) = named(&latest.target) else {
            return Ok(None);
        };
        Ok(Some(LatestHere {
            run,
            point: latest.point,
            others: latest.others.iter().filter_map(named).collect(),
        }))
    })
    .await
}

/// A run that can be read, as the checkout sees it.
pub(super) struct ReadableRun {
    pub(super) run: UnfinishedRun,
    relation: Relation,
    is_empty: bool,
}

/// Those of these runs that can be read.
pub(super) async fn readable(io: &Io, root: &Root, all: &[Read]) -> Vec<ReadableRun> {
    let here = root::checkout(io, root).await;
    let mut known = Vec::new();
    for (target, read) in all {
        let Ok(summary) = read else { continue };
        let relation = relation_of(io, root, &here, target, summary).await;
        let run = UnfinishedRun {
            target: target.clone(),
            branch: summary.branch().map(str::to_owned),
            is_elsewhere: relation == Relation::Other,
        };
        known.push(ReadableRun {
            run,
            relation,
            is_empty: summary.is_empty(),
        });
    }
    known
}

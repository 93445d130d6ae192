//! The run that a command means where no feature is named.

use std::cmp::Reverse;

use crate::agent::{self, Relation, RunPlace};
use crate::checkpoint::command::agents;
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::git::Checkout;
use crate::operation::command::list::{Read, RunSelection, read_all};
use crate::operation::command::relation::relation_of;
use crate::operation::command::run_store::RunStore;
use crate::operation::command::summary::RunSummary;
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::root;
use crate::schema::{ArgumentMembers, Shaped};
use crate::sorting;
use crate::time;

pub(super) const OPERATION: Operation = Operation::at::<RunHereArguments, RunHere>(
    "run_here",
    "The run that a command means on the branch that is checked out.",
    perform,
)
.of(Capability::Agents);

/// The command.
#[derive(ArgumentMembers)]
struct RunHereArguments<'a> {
    /// The command.
    command: &'a str,
}

/// A run by its names.
#[derive(Shaped)]
pub(super) struct RunHere {
    #[shape(flatten)]
    pub(super) target: Target,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let RunHereArguments { command } = arguments.read();
        let reply = run_here(io, settings, command).await;
        reply.map(|target| RunHere { target }.into())
    })
}

/// The run that a command means where no feature is named: that of the branch, as hooks name it. Without one, an
/// unfinished run that was recorded here, or that has no feature, if hooks would carry on with it here.
///
/// A run of that name that belongs to another branch, or another worktree, is not meant.
///
/// Fails as a list does.
pub async fn run_here(io: &Io, settings: &Settings, command: &str) -> Reply<Target> {
    with_warnings(async |_| target(io, settings, command).await).await
}

async fn target(io: &Io, settings: &Settings, command: &str) -> Result<Target, Error> {
    let named = |feature: Option<String>| Target {
        command: command.to_owned(),
        feature,
    };
    let root = root::locate(io, settings).await?;
    let here = root::checkout(io, &root).await;
    let feature = agent::feature_of(&here);
    // Other checkouts have features of their own, as long as there is one worktree only. One run alone may have
    // followed its session to a branch.
    if feature.is_none()
        && !root::has_worktrees(io, &root).await
        && !belongs_elsewhere(io, settings, &here, &named(None)).await?
    {
        return Ok(named(None));
    }
    let of_branch = named(feature);
    let all = read_all(io, settings, &root, RunSelection::All).await?;
    // One that cannot be read is meant as well.
    if all
        .iter()
        .any(|(run, read)| *run == of_branch && read.is_err())
    {
        return Ok(of_branch);
    }
    let mut is_taken = false;
    let mut recorded = None;
    let mut without = None;
    // The newest comes first.
    for (run, summary) in in_order(&all) {
        if run.command != command {
            continue;
        }
        let relation = relation_of(io, &root, &here, run, summary).await;
        let is_unfinished = !summary.is_completed();
        match relation {
            Relation::Other => is_taken |= *run == of_branch,
            _ if *run == of_branch => return Ok(of_branch),
            Relation::Branch | Relation::Worktree if is_unfinished => {
                recorded.get_or_insert(run);
            }
            _ if is_unfinished && run.feature.is_none() => without = Some(run),
            _ => {}
        }
    }
    if let Some(run) = recorded.or(without) {
        return Ok(run.clone());
    }
    Ok(match is_taken {
        true => named(agent::feature_if_taken(&here)),
        false => of_branch,
    })
}

/// Returns whether a run is there, and belongs to another branch or worktree.
async fn belongs_elsewhere(
    io: &Io,
    settings: &Settings,
    here: &Checkout,
    target: &Target,
) -> Result<bool, Error> {
    let store = RunStore::open(io, settings, target).await?;
    // One that cannot be read is meant.
    let Ok(Some(run)) = store.read().await.map(|read| read.document) else {
        return Ok(false);
    };
    let place = RunPlace {
        feature: target.feature.as_deref(),
        branch: agents::branch(&run.object),
        worktree: agents::worktree(&run.object),
    };
    Ok(agent::relation(place, here) == Relation::Other)
}

/// Those that can be read, the one that was updated last first.
fn in_order(all: &[Read]) -> Vec<(&Target, &RunSummary)> {
    let readable = all.iter().filter_map(|(target, read)| {
        let summary = read.as_ref().ok()?;
        Some((summary.updated_at().and_then(time::parse), target, summary))
    });
    let mut readable: Vec<_> = readable.collect();
    sorting::sort_by_key(&mut readable, |(updated, ..)| Reverse(*updated));
    let readable = readable.into_iter();
    readable
        .map(|(_, target, summary)| (target, summary))
        .collect()
}

//! The difference between two revisions.

use std::fmt::Write;

use crate::checkpoint::command::diff::{self, ChangeLine, PatchStep};
use crate::effect::{Io, boxed};
use crate::error::{Error, Warning};
use crate::json::Json;
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{ArgumentMembers, Kind, Shaped};

use super::states::States;

pub(super) const OPERATION: Operation = Operation::at::<DiffArguments, RunDiff>(
    "diff",
    "The difference between two revisions; by default, of the newest one.",
    perform,
);

/// The checkpoint, and two of its revisions.
#[derive(ArgumentMembers)]
struct DiffArguments {
    #[shape(flatten)]
    target: Target,
    /// The older one; without it, the nearest one before `to` that can be read.
    from: Option<u64>,
    /// The newer one; without it, the present one.
    to: Option<u64>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let DiffArguments { target, from, to } = arguments.read();
        diff(io, settings, &target, from, to).await.map(Json::from)
    })
}

/// The difference between two revisions.
#[derive(Clone, Debug, PartialEq, Shaped)]
#[shape(name = "Diff")]
pub struct RunDiff {
    /// The older revision.
    pub from: u64,
    /// The newer revision.
    pub to: u64,
    /// The changes, a line each.
    #[shape(kind = Kind::List(&Kind::String), with = lines)]
    pub changes: Vec<ChangeLine>,
    /// The changes as a JSON Patch (RFC 6902).
    #[shape(kind = Kind::List(&PatchStep::KIND))]
    pub patch: Json,
}

fn lines(changes: Vec<ChangeLine>) -> Vec<String> {
    changes.iter().map(ToString::to_string).collect()
}

/// Compares one revision with another. Without `to` it is the current one; without `from` the nearest one before `to`
/// that can be read, with a warning where that is not the one before it.
///
/// Fails with `not_found` when a revision is not kept, with `corrupt` where it is altered or the current one is
/// corrupt, as reading it does where it cannot be read, and as [`log`](super::log::log) does.
pub async fn diff(
    io: &Io,
    settings: &Settings,
    target: &Target,
    from: Option<u64>,
    to: Option<u64>,
) -> Reply<RunDiff> {
    about(target, async |warnings| {
        let states = States::open(io, settings, target, warnings).await?;
        if let (Some(error), None) = (&states.corrupt, to) {
            return Err(error.clone());
        }
        let (to, after) = match to {
            Some(to) => (to, states.find(to).await?),
            None => {
                let (newest, _) = states.newest(0, u64::MAX).await;
                newest.ok_or_else(|| Error::no_checkpoint(target))?
            }
        };
        let (from, before) = match from {
            Some(from) => (from, states.find(from).await?),
            None => match states.newest(0, to.saturating_sub(1)).await {
                (Some(found), None) => found,
                (Some(found), Some(bad)) => {
                    let mut warning = Warning::passed_over(&bad);
                    let _ = write!(warning.message, "; compared with revision {}", found.0);
                    warnings.add(warning);
                    found
                }
                (None, Some(bad)) => return Err(bad),
                (None, None) => {
                    let message = format!("No revision before {to} is kept");
                    return Err(Error::not_found(message));
                }
            },
        };
        let changes = diff::changes(&before, &after);
        Ok(RunDiff {
            from,
            to,
            changes,
            patch: diff::json_patch(&before, &after),
        })
    })
    .await
}

//! The difference between two revisions.

use std::fmt::Write;

use crate::checkpoint::command::diff::{self, ChangeLine};
use crate::effect::{Io, boxed};
use crate::error::{Error, Warning};
use crate::json::{Json, Object};
use crate::operation::reply::about;
use crate::operation::row::{
    Answering, Arguments, COMMAND, FEATURE, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{Kind, Shape};

use super::states::States;

pub(super) const OPERATION: Operation = Operation::at(
    "diff",
    "The difference between two revisions; by default, of the newest one.",
    &ARGUMENTS,
    Kind::Object(&ANSWER),
    perform,
);

const ARGUMENTS: Shape = shape(
    "DiffArguments",
    "The checkpoint, and two of its revisions.",
    &[
        COMMAND,
        FEATURE,
        optional(
            "from",
            &Kind::Integer,
            "The older one; without it, the nearest one before `to` that can be read.",
        ),
        optional(
            "to",
            &Kind::Integer,
            "The newer one; without it, the present one.",
        ),
    ],
);

const ANSWER: Shape = shape(
    "Diff",
    "The difference between two revisions.",
    &[
        required("from", Kind::Integer, "The older revision."),
        required("to", Kind::Integer, "The newer revision."),
        required(
            "changes",
            Kind::List(&Kind::String),
            "The changes, a line each.",
        ),
        required(
            "patch",
            Kind::List(&Kind::Object(&STEP)),
            "The changes as a JSON Patch (RFC 6902).",
        ),
    ],
);

pub(super) const STEP: Shape = shape(
    "PatchStep",
    "One operation of a JSON Patch.",
    &[
        required(
            "op",
            Kind::Enum(&["add", "remove", "replace"]),
            "The operation.",
        ),
        required("path", Kind::String, "JSON pointer to the place."),
        optional("value", &Kind::Any, "The new value."),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let (from, to) = (arguments.number("from"), arguments.number("to"));
        diff(io, settings, &arguments.target(), from, to)
            .await
            .map(Json::from)
    })
}

/// The difference between two revisions.
#[derive(Clone, Debug, PartialEq)]
pub struct RunDiff {
    /// The earlier revision.
    pub from: u64,
    /// The later revision.
    pub to: u64,
    /// For people.
    pub changes: Vec<ChangeLine>,
    /// For programs: an RFC 6902 JSON Patch from one to the other.
    pub patch: Json,
}

impl From<RunDiff> for Json {
    fn from(diff: RunDiff) -> Self {
        let lines: Vec<String> = diff.changes.iter().map(ToString::to_string).collect();
        Object::new()
            .with("from", diff.from)
            .with("to", diff.to)
            .with("changes", lines)
            .with("patch", diff.patch)
            .into()
    }
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

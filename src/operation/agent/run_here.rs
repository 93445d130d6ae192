//! The run that a command means where no feature is named.

use crate::agent::{self, Relation, RunPlace};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::command::list::{Wanted, read_all};
use crate::operation::reply::noticing;
use crate::operation::row::{Answering, Arguments, Operation, Wing, required, shape};
use crate::operation::{Reply, Settings, Target};
use crate::root;
use crate::schema::{Kind, Shape};

pub(super) const OPERATION: Operation = Operation::at(
    "run_here",
    "The run that a command means on the branch that is checked out.",
    &ARGUMENTS,
    Kind::Object(&ANSWER),
    perform,
)
.of(Wing::Agents);

const ARGUMENTS: Shape = shape(
    "RunHereArguments",
    "The command.",
    &[required("command", Kind::String, "The command.")],
);

const ANSWER: Shape = shape(
    "RunHere",
    "A run by its names.",
    &[
        required("command", Kind::String, "Its command."),
        required(
            "feature",
            Kind::Nullable(&Kind::String),
            "Its feature, if it has one.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = run_here(io, settings, arguments.text("command")).await;
        reply.map(|Target { command, feature }| {
            let named = Object::new().with("command", command);
            Json::from(named.with("feature", feature))
        })
    })
}

/// The run that a command means where no feature is named: that of the branch, as hooks name it. Where there is none
/// yet, the unfinished run without a feature, if hooks would carry on with it here.
///
/// Fails as a list does.
pub async fn run_here(io: &Io, settings: &Settings, command: &str) -> Reply<Target> {
    noticing(async |_| target(io, settings, command).await).await
}

async fn target(io: &Io, settings: &Settings, command: &str) -> Result<Target, Error> {
    let named = |feature: Option<String>| Target {
        command: command.to_owned(),
        feature,
    };
    let root = root::locate(io, settings).await?;
    let here = root::checkout(io, &root).await;
    let Some(feature) = agent::feature_of(&here) else {
        return Ok(named(None));
    };
    let of_branch = named(Some(feature));
    let all = read_all(io, settings, &root, Wanted::All).await?;
    let run = |target: &Target| all.iter().find(|(other, _)| other == target);
    if run(&of_branch).is_some() {
        return Ok(of_branch);
    }
    let without = named(None);
    let is_here = run(&without).is_some_and(|(_, read)| {
        read.as_ref().is_ok_and(|summary| {
            let place = RunPlace {
                feature: None,
                branch: summary.branch(),
                worktree: summary.worktree(),
            };
            !summary.is_completed() && agent::relation(place, &here) != Relation::Other
        })
    });
    Ok(match is_here {
        true => without,
        false => of_branch,
    })
}

//! Where to go on.

use crate::checkpoint::command::resume::{self, ResumePoint};
use crate::effect::Io;
use crate::json::{Json, Object};
use crate::operation::row::{Answering, Arguments, Operation, TARGET, required, shape};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{Field, Kind, Shape};

use super::load::load;

pub(super) const OPERATION: Operation = Operation::at(
    "resume_point",
    "Where to go on with a checkpoint.",
    &TARGET,
    Kind::Object(&ANSWER),
    perform,
);

pub(super) const PHASE: Field = required(
    "phase",
    Kind::Nullable(&Kind::String),
    "The phase to go on with; null where there is nothing to do.",
);
pub(super) const SUMMARY: Field = required(
    "summary",
    Kind::Nullable(&Kind::String),
    "The context summary of the last completed phase that has one.",
);

pub(super) const ALONGSIDE: Field = required(
    "alongside",
    Kind::List(&Kind::String),
    "The other phases in progress.",
);

const ANSWER: Shape = shape(
    "ResumePoint",
    "Where to go on.",
    &[PHASE, SUMMARY, ALONGSIDE],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    Box::pin(async move {
        resume_point(io, settings, &arguments.target())
            .await
            .map(Json::from)
    })
}

impl From<ResumePoint> for Json {
    fn from(point: ResumePoint) -> Self {
        Object::new()
            .with("phase", point.phase)
            .with("summary", point.summary)
            .with("alongside", point.alongside)
            .into()
    }
}

/// Where to go on: nothing without a checkpoint, or when it is complete.
///
/// Warns and fails as [`load`] does.
pub async fn resume_point(io: &Io, settings: &Settings, target: &Target) -> Reply<ResumePoint> {
    load(io, settings, target).await.map(|loaded| match loaded {
        Some(loaded) => resume::point(&loaded.object),
        None => ResumePoint::default(),
    })
}

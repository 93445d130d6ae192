//! The checkpoint to carry on with.

use crate::checkpoint::command::document::is_completed;
use crate::checkpoint::command::resume::ResumePoint;
use crate::effect::Io;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::row::{Answering, Arguments, NONE, Operation, required, shape};
use crate::operation::{Noticed, Reply, Settings, Target};
use crate::schema::{Kind, Shape};
use crate::time;

use super::list::read_all;
use super::resume_point::{PHASE, SUMMARY, resume_point};

pub(super) const OPERATION: Operation = Operation::at(
    "latest",
    "The unfinished checkpoint that was updated last; null where nothing is unfinished.",
    &NONE,
    Kind::Nullable(&Kind::Object(&ANSWER)),
    perform,
);

const ANSWER: Shape = shape(
    "Latest",
    "The most recently updated unfinished checkpoint.",
    &[
        required("command", Kind::String, "Its command."),
        required(
            "feature",
            Kind::Nullable(&Kind::String),
            "Its feature, if it has one.",
        ),
        PHASE,
        SUMMARY,
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    Box::pin(async move { latest(io, settings).await.map(Json::from) })
}

/// The unfinished checkpoint that was updated last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latest {
    /// Its names.
    pub target: Target,
    /// Where to go on.
    pub point: ResumePoint,
}

impl From<Latest> for Json {
    fn from(latest: Latest) -> Self {
        Object::new()
            .with("command", latest.target.command)
            .with("feature", latest.target.feature)
            .with("phase", latest.point.phase)
            .with("summary", latest.point.summary)
            .into()
    }
}

/// The unfinished checkpoint that was updated last, and where to go on; `None` when all are
/// complete, or there is none. One that cannot be loaded does not count.
///
/// Warns as [`load`](super::load::load) does. Fails with `usage`, `unsafe_path`, `io`.
pub async fn latest(io: &Io, settings: &Settings) -> Reply<Option<Latest>> {
    let mut unfinished = match unfinished(io, settings).await {
        Ok(unfinished) => unfinished,
        Err(error) => return Noticed::default().reply(Err(error)),
    };
    while let Some(target) = take_newest(&mut unfinished) {
        // What came with a clone, or is stale, is told of as where the checkpoint is named.
        let Reply { result, warnings } = resume_point(io, settings, &target).await;
        if let Ok(point) = result {
            let result = Ok(Some(Latest { target, point }));
            return Reply { result, warnings };
        }
    }
    Noticed::default().reply(Ok(None))
}

/// When a checkpoint was updated last, as it says itself, and its revision.
type Rank = (Option<time::Time>, u64);

async fn unfinished(io: &Io, settings: &Settings) -> Result<Vec<(Rank, Target)>, Error> {
    let mut found = Vec::new();
    for (target, read) in read_all(io, settings).await? {
        let Ok(document) = read else { continue };
        let object = &document.object;
        if !is_completed(object) {
            let updated = object.get("updated_at").and_then(Json::as_str);
            let updated = updated.and_then(time::parse);
            found.push(((updated, document.stamp.revision), target));
        }
    }
    Ok(found)
}

/// Of those that are equal the first.
fn take_newest(unfinished: &mut Vec<(Rank, Target)>) -> Option<Target> {
    let ranks = unfinished.iter().map(|(rank, _)| rank).enumerate();
    let (at, _) = ranks.reduce(|newest, next| if newest.1 < next.1 { next } else { newest })?;
    Some(unfinished.remove(at).1)
}

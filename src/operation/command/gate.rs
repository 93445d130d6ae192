//! Whether shipping is allowed.

use crate::checkpoint::command::gate::{self, Verdict};
use crate::effect::Io;
use crate::json::{Json, Object};
use crate::operation::reply::about;
use crate::operation::row::{Answering, Arguments, Operation, TARGET, required, shape};
use crate::operation::{Reply, Settings, Target};
use crate::root::Head;
use crate::schema::{Kind, Shape};

use super::load::find;
use super::opened::{Opened, missing};

pub(super) const OPERATION: Operation = Operation::at(
    "gate",
    "Tells whether the work may be shipped.",
    &TARGET,
    Kind::Object(&ANSWER),
    perform,
);

const ANSWER: Shape = shape(
    "GateVerdict",
    "Whether the work may be shipped.",
    &[
        required("open", Kind::Boolean, "Whether nothing stands in the way."),
        required(
            "blockers",
            Kind::List(&Kind::String),
            "What stands in the way.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    Box::pin(async move {
        gate(io, settings, &arguments.target())
            .await
            .map(Json::from)
    })
}

impl From<Verdict> for Json {
    fn from(verdict: Verdict) -> Self {
        Object::new()
            .with("open", verdict.open)
            .with("blockers", verdict.blockers)
            .into()
    }
}

/// Whether `/ship` may go on.
///
/// Fails with `not_found` when there is no checkpoint, and as [`load`](super::load::load) does.
pub async fn gate(io: &Io, settings: &Settings, target: &Target) -> Reply<Verdict> {
    about(target, async |noticed| {
        match find(io, settings, target, noticed).await? {
            Some((loaded, Head::Commit(head))) => Ok(gate::check(&loaded.object, Some(&head))),
            Some((loaded, _)) => Ok(gate::check(&loaded.object, None)),
            None => {
                let opened = Opened::open(io, settings, target).await?;
                Err(missing(&opened, target).await)
            }
        }
    })
    .await
}

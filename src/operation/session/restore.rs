//! What a session checkpoint says to whoever carries on.

use crate::checkpoint::session::id::Id;
use crate::checkpoint::session::resume;
use crate::effect::{Io, boxed};
use crate::error::WarningCode;
use crate::git::head::short;
use crate::json::{Json, Object};
use crate::operation::reply::noticing;
use crate::operation::row::{Answering, Arguments, Operation, Wing, required, shape};
use crate::operation::{Noticed, Reply, Settings};
use crate::root::{self, Head};
use crate::schema::{Kind, Shape};

use super::load::{ID, LATEST, which};
use super::opened::{Opened, Which};

pub(super) const OPERATION: Operation = Operation::at(
    "restore_session",
    "What a session checkpoint says to whoever carries on.",
    &ARGUMENTS,
    Kind::Object(&RESTORED),
    perform,
)
.of(Wing::Sessions);

const ARGUMENTS: Shape = shape(
    "RestoreSessionArguments",
    "Which checkpoint: one of the two.",
    &[ID, LATEST],
);

const RESTORED: Shape = shape(
    "RestoredSession",
    "What to carry on with.",
    &[
        required("id", Kind::String, "Its id."),
        required(
            "resume",
            Kind::String,
            "What to do next, decisions, files and summary, as a text that is marked as data.",
        ),
        required(
            "can_resume",
            Kind::Boolean,
            "Whether anything is left to do.",
        ),
        required("document", Kind::Record, "The whole of it."),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        match which(arguments) {
            Ok(which) => restore(io, settings, which).await.map(Json::from),
            Err(error) => Noticed::default().reply(Err(error)),
        }
    })
}

/// What to carry on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Its id.
    pub id: Id,
    /// The text, marked as data.
    pub resume: String,
    /// Whether anything is left to do.
    pub can_resume: bool,
    /// The whole of it.
    pub document: Object,
}

impl From<Restored> for Json {
    fn from(restored: Restored) -> Self {
        Object::new()
            .with("id", restored.id.to_string())
            .with("resume", restored.resume)
            .with("can_resume", restored.can_resume)
            .with("document", restored.document)
            .into()
    }
}

/// What a checkpoint says; nothing is written.
///
/// Warns `stale` where another commit is checked out by now, and as [`load`](super::load::load) does.
/// Fails as that does.
pub async fn restore(io: &Io, settings: &Settings, which: Which) -> Reply<Restored> {
    noticing(async |noticed| {
        let opened = Opened::open(io, settings).await?;
        let id = opened.choose(which).await?;
        let session = opened.read(id).await?;
        opened.notice(&session, noticed).await;
        let recorded = session.document.get("head_commit").and_then(Json::as_str);
        if let Some(recorded) = recorded {
            match root::head(io, &opened.root).await {
                Head::Commit(commit) if commit != recorded => noticed.warn(
                    WarningCode::Stale,
                    format!(
                        "Checkpoint is stale (saved at {}, current HEAD is {})",
                        short(recorded),
                        short(&commit)
                    ),
                ),
                Head::Unreadable(why) => noticed.warn(WarningCode::HeadUnreadable, why),
                _ => {}
            }
        }
        Ok(Restored {
            id,
            resume: resume::text(&session.document),
            can_resume: resume::can_resume(&session.document),
            document: session.document,
        })
    })
    .await
}

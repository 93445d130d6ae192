//! All session checkpoints.

use crate::checkpoint::session::document;
use crate::checkpoint::session::id::Id;
use crate::checkpoint::session::register;
use crate::effect::{Io, boxed};
use crate::error::{Code, Error, Warning};
use crate::json::{Json, Object};
use crate::operation::reply::noticing;
use crate::operation::row::{Answering, Arguments, Operation, Wing, optional, required, shape};
use crate::operation::{Reply, Settings};
use crate::schema::{Kind, Shape};

use super::opened::{Known, Opened, stem};

/// What a list shows stands within these first bytes of a usual file.
const BEGINNING: u32 = 8 << 10;

pub(super) const OPERATION: Operation = Operation::at(
    "list_sessions",
    "All session checkpoints, the newest first.",
    &ARGUMENTS,
    Kind::List(&Kind::Object(&LISTED)),
    perform,
)
.of(Wing::Sessions);

const ARGUMENTS: Shape = shape(
    "ListSessionsArguments",
    "Which checkpoints.",
    &[
        optional("archived", &Kind::Boolean, "Also the archived ones."),
        optional("limit", &Kind::Integer, "At most so many, the newest."),
    ],
);

const LISTED: Shape = shape(
    "ListedSession",
    "One session checkpoint of a list.",
    &[
        required("id", Kind::String, "Its id."),
        required(
            "created_at",
            Kind::Nullable(&Kind::String),
            "When it was made.",
        ),
        required("reason", Kind::Nullable(&Kind::String), "The occasion."),
        required(
            "message",
            Kind::Nullable(&Kind::String),
            "What its maker says of it.",
        ),
        required("task", Kind::Nullable(&Kind::String), "The task's id."),
        required(
            "current_phase",
            Kind::Nullable(&Kind::Integer),
            "How many phases are completed, and one more where one is in progress.",
        ),
        required(
            "total_phases",
            Kind::Nullable(&Kind::Integer),
            "How many phases there are.",
        ),
        required("pinned", Kind::Boolean, "Whether it is never removed."),
        required(
            "archived",
            Kind::Boolean,
            "Whether the work that it belongs to is complete.",
        ),
        required(
            "problem",
            Kind::Nullable(&Kind::String),
            "Why it cannot be read, if it cannot.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let limit = arguments.number("limit");
        let reply = list(io, settings, arguments.flag("archived"), limit).await;
        reply.map(|all| all.into_iter().map(Json::from).collect::<Vec<_>>().into())
    })
}

/// One session checkpoint, in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: Id,
    /// When it was made.
    pub created_at: Option<String>,
    /// The occasion.
    pub reason: Option<String>,
    /// What its maker says of it.
    pub message: Option<String>,
    /// The task's id.
    pub task: Option<String>,
    /// How many phases are completed, and one more where one is in progress.
    pub current_phase: Option<u64>,
    /// How many phases there are.
    pub total_phases: Option<u64>,
    /// Whether it is never removed.
    pub is_pinned: bool,
    /// Whether the work that it belongs to is complete.
    pub is_archived: bool,
    /// Why it cannot be read, if it cannot.
    pub problem: Option<String>,
}

impl From<Listed> for Json {
    fn from(listed: Listed) -> Self {
        Object::new()
            .with("id", listed.id.to_string())
            .with("created_at", listed.created_at)
            .with("reason", listed.reason)
            .with("message", listed.message)
            .with("task", listed.task)
            .with("current_phase", listed.current_phase)
            .with("total_phases", listed.total_phases)
            .with("pinned", listed.is_pinned)
            .with("archived", listed.is_archived)
            .with("problem", listed.problem)
            .into()
    }
}

/// All session checkpoints, the newest first; one that cannot be read is listed with the problem.
///
/// Fails with `usage`, `unsafe_path`, `io`.
pub async fn list(
    io: &Io,
    settings: &Settings,
    with_archived: bool,
    limit: Option<u64>,
) -> Reply<Vec<Listed>> {
    noticing(async |noticed| {
        let opened = Opened::open(io, settings).await?;
        let mut all = opened.all().await?;
        if !with_archived {
            all.retain(|one| !one.is_archived);
        }
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        let pinned = match super::register::read(&opened).await {
            Ok(register) => register::pinned(&register),
            Err(error) => {
                noticed.add(Warning::passed_over(&error));
                Vec::new()
            }
        };
        let mut listed = Vec::new();
        for one in all.into_iter().rev().take(limit.unwrap_or(usize::MAX)) {
            let head = match head(&opened, one).await {
                Ok(Some(head)) => Ok(head),
                // It was removed or archived since the folder was listed.
                Ok(None) => continue,
                Err(error) => Err(error),
            };
            listed.push(line(one, head, pinned.contains(&one.id)));
        }
        Ok(listed)
    })
    .await
}

/// The first members of a document; `None` where it is gone.
async fn head(opened: &Opened<'_>, one: Known) -> Result<Option<Object>, Error> {
    let shelf = opened.shelf(one.is_archived);
    let beginning = shelf.read_start(&stem(one.id)?, BEGINNING).await?;
    let Some(beginning) = beginning else {
        return Ok(None);
    };
    if let Some(head) = document::head(&beginning) {
        return Ok(Some(head));
    }
    match opened.read(one.id).await {
        Ok(session) => Ok(Some(session.document)),
        Err(error) if error.code() == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn line(one: Known, head: Result<Object, Error>, is_pinned: bool) -> Listed {
    let problem = head.as_ref().err().map(Error::to_string);
    let head = head.unwrap_or_default();
    let text = |object: Option<&Object>, key: &str| {
        let text = object.and_then(|object| object.get(key)?.as_str());
        text.map(str::to_owned)
    };
    let part = |key: &str| head.get(key).and_then(Json::as_object);
    let number = |key: &str| part("progress").and_then(|progress| progress.get(key)?.as_u64());
    Listed {
        id: one.id,
        created_at: text(Some(&head), "created_at"),
        reason: text(Some(&head), "reason"),
        message: text(Some(&head), "message"),
        task: text(part("task"), "id"),
        current_phase: number("current_phase"),
        total_phases: number("total_phases"),
        is_pinned,
        is_archived: one.is_archived,
        problem,
    }
}

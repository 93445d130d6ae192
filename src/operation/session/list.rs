//! All snapshots.

use crate::checkpoint::session::document;
use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::register;
use crate::effect::{Io, boxed};
use crate::error::{Code, Error, Warning};
use crate::json::{self, Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::Stem;

use super::snapshot_store::{SnapshotLocation, SnapshotStore, stem};

/// The first bytes of a usual file, which have all that a list shows.
const BEGINNING: u32 = 8 << 10;

pub(super) const OPERATION: Operation =
    Operation::at::<ListSessionsArguments, Vec<ListedSnapshot>>(
        "list_sessions",
        "All snapshots, the newest first.",
        perform,
    )
    .of(Capability::Sessions);

/// The checkpoints.
#[derive(ArgumentMembers)]
struct ListSessionsArguments {
    /// Also the archived ones.
    archived: bool,
    /// At most so many, the newest.
    limit: Option<u64>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let ListSessionsArguments { archived, limit } = arguments.read();
        list(io, settings, archived, limit).await.map(Json::from)
    })
}

/// One snapshot of a list.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "ListedSession")]
pub struct ListedSnapshot {
    /// Its id.
    pub id: SnapshotId,
    /// The time at which it was made.
    pub created_at: Option<String>,
    /// The occasion.
    pub reason: Option<String>,
    /// The remarks of its maker.
    pub message: Option<String>,
    /// The task's id.
    pub task: Option<String>,
    /// The number of completed phases, and one more where one is in progress.
    pub current_phase: Option<u64>,
    /// The number of phases.
    pub total_phases: Option<u64>,
    /// True if it is never removed.
    #[shape(name = "pinned")]
    pub is_pinned: bool,
    /// True if the work that it belongs to is complete.
    #[shape(name = "archived")]
    pub is_archived: bool,
    /// Why it cannot be read, if it cannot.
    pub problem: Option<String>,
}

/// All snapshots, the newest first; one that cannot be read is listed with the problem.
///
/// Fails with `usage`, `unsafe_path`, `io`.
pub async fn list(
    io: &Io,
    settings: &Settings,
    with_archived: bool,
    limit: Option<u64>,
) -> Reply<Vec<ListedSnapshot>> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::open(io, settings).await?;
        let mut all = store.all().await?;
        if !with_archived {
            all.retain(|one| !one.is_archived);
        }
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        let pinned = match super::register::read(&store, warnings).await {
            Ok(register) => register::pinned(&register),
            Err(error) => {
                warnings.add(Warning::passed_over(&error));
                Vec::new()
            }
        };
        let left_out = all.len().saturating_sub(limit.unwrap_or(usize::MAX));
        let mut lines = Vec::new();
        for is_archived in [false, true] {
            let of_folder = all.iter().skip(left_out);
            let of_folder = of_folder.filter(|one| one.is_archived == is_archived);
            let is_whole = left_out == 0;
            lines.extend(read_lines(&store, is_archived, of_folder.copied(), is_whole).await?);
        }
        lines.sort_unstable_by(|(one, _), (other, _)| other.cmp(one));
        let listed = lines.into_iter();
        Ok(listed
            .map(|(one, line)| listed_as(one, line, pinned.contains(&one.id)))
            .collect())
    })
    .await
}

/// The line of each of a folder's checkpoints that is still there, or why it cannot be read. The lines are kept for the
/// next list, if these are all.
async fn read_lines(
    store: &SnapshotStore<'_>,
    is_archived: bool,
    shown: impl Iterator<Item = SnapshotLocation>,
    is_whole: bool,
) -> Result<Vec<(SnapshotLocation, Result<Object, Error>)>, Error> {
    let documents = store.documents(is_archived);
    let mut all = Vec::new();
    for one in shown {
        all.push((stem(one.id)?, one));
    }
    all.sort_by_cached_key(|(stem, _)| documents.name(stem));
    let stems: Vec<Stem> = all.iter().map(|(stem, _)| stem.clone()).collect();
    let mut overview = documents.overview(&stems).await;
    let mut lines = Vec::new();
    for (at, (stem, one)) in all.into_iter().enumerate() {
        let said = overview.said(at, &stem);
        let said = said.and_then(|said| json::read(said.as_bytes()).ok());
        if let Some(Json::Object(line)) = said.map(|reading| reading.value) {
            lines.push((one, Ok(line)));
            continue;
        }
        match head(store, one).await {
            Ok(Some(head)) => {
                let line = line(&head);
                if overview.is_settled(at) {
                    overview.note(at, &stem, &Json::from(line.clone()).to_line());
                }
                lines.push((one, Ok(line)));
            }
            // It was removed or archived since the folder was listed.
            Ok(None) => {}
            Err(error) => lines.push((one, Err(error))),
        }
    }
    if is_whole {
        documents.keep_overview(overview).await;
    }
    Ok(lines)
}

/// The first members of a document; `None` where it is gone.
async fn head(store: &SnapshotStore<'_>, one: SnapshotLocation) -> Result<Option<Object>, Error> {
    let documents = store.documents(one.is_archived);
    let beginning = documents.read_start(&stem(one.id)?, BEGINNING).await?;
    let Some(beginning) = beginning else {
        return Ok(None);
    };
    if let Some(head) = document::head(&beginning) {
        return Ok(Some(head));
    }
    match store.read(one.id).await {
        Ok(session) => Ok(Some(session.document)),
        Err(error) if error.code() == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Of the first members of a document, what a list shows.
fn line(head: &Object) -> Object {
    let text = |object: Option<&Object>, key: &str| {
        let text = object.and_then(|object| object.get(key)?.as_str());
        text.map(str::to_owned)
    };
    let part = |key: &str| head.get(key).and_then(Json::as_object);
    let number = |key: &str| part("progress").and_then(|progress| progress.get(key)?.as_u64());
    Object::new()
        .with("created_at", text(Some(head), "created_at"))
        .with("reason", text(Some(head), "reason"))
        .with("message", text(Some(head), "message"))
        .with("task", text(part("task"), "id"))
        .with("current_phase", number("current_phase"))
        .with("total_phases", number("total_phases"))
}

fn listed_as(
    one: SnapshotLocation,
    line: Result<Object, Error>,
    is_pinned: bool,
) -> ListedSnapshot {
    let problem = line.as_ref().err().map(Error::to_string);
    let line = line.unwrap_or_default();
    let text = |key: &str| line.get(key).and_then(Json::as_str).map(str::to_owned);
    let number = |key: &str| line.get(key).and_then(Json::as_u64);
    ListedSnapshot {
        id: one.id,
        created_at: text("created_at"),
        reason: text("reason"),
        message: text("message"),
        task: text("task"),
        current_phase: number("current_phase"),
        total_phases: number("total_phases"),
        is_pinned,
        is_archived: one.is_archived,
        problem,
    }
}

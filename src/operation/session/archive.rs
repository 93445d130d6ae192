//! Archives the snapshots of complete runs.

use crate::checkpoint::session::id::SnapshotId;
use crate::effect::{Io, boxed};
use crate::error::{Code, Error, Warning};
use crate::json::{Json, Object};
use crate::operation::command::list::{RunSelection, read_all};
use crate::operation::reply::{Warnings, with_warnings};
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::schema::{ArgumentMembers, Shaped};

use super::snapshot_store::{SnapshotLocation, SnapshotStore, stem};

pub(super) const OPERATION: Operation =
    Operation::changing::<ArchiveSessionsArguments, Vec<Archived>>(
        "archive_sessions",
        "Archives one snapshot, or all snapshots of complete runs.",
        perform,
    )
    .of(Capability::Sessions);

/// The snapshots; without an id, all whose run is complete.
#[derive(ArgumentMembers)]
struct ArchiveSessionsArguments<'a> {
    /// The checkpoint of this id.
    id: Option<&'a str>,
    /// Only says what would be archived.
    dry_run: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let ArchiveSessionsArguments { id, dry_run } = arguments.read();
        match id.map(str::parse::<SnapshotId>).transpose() {
            Ok(id) => archive(io, settings, id, dry_run).await.map(Json::from),
            Err(error) => Warnings::default().reply(Err(error)),
        }
    })
}

/// A snapshot that was archived, or would be.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "ArchivedSession")]
pub struct Archived {
    /// Its id.
    pub id: SnapshotId,
    /// Its file, relative to the root.
    pub path: String,
}

/// Archives one snapshot, or all whose run is complete. Archived ones count
/// for nothing where the newest are kept, and stay until they are cleaned up.
///
/// Fails with `not_found`, `corrupt`, `unsafe_path`, `io`.
pub async fn archive(
    io: &Io,
    settings: &Settings,
    id: Option<SnapshotId>,
    is_dry_run: bool,
) -> Reply<Vec<Archived>> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::open(io, settings).await?;
        let chosen = match id {
            Some(id) => {
                let session = store.read(id).await?;
                match session.known.is_archived {
                    true => Vec::new(),
                    false => vec![id],
                }
            }
            None => boxed(complete(&store, warnings)).await?,
        };
        if !is_dry_run {
            put_all_aside(&store, &chosen).await?;
        }
        let archived = chosen.into_iter().map(|id| Archived {
            id,
            path: store.shown(SnapshotLocation {
                id,
                is_archived: true,
            }),
        });
        Ok(archived.collect())
    })
    .await
}

/// Puts these into the archive.
pub(super) async fn put_all_aside(
    store: &SnapshotStore<'_>,
    ids: &[SnapshotId],
) -> Result<(), Error> {
    for id in ids {
        put_aside(store, *id).await?;
    }
    Ok(())
}

/// The snapshots whose run is complete.
pub(super) async fn complete(
    store: &SnapshotStore<'_>,
    warnings: &mut Warnings,
) -> Result<Vec<SnapshotId>, Error> {
    let ids = store.ids(false).await?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut targets: Vec<Target> = Vec::new();
    for (target, read) in boxed(read_all(
        store.io,
        store.settings,
        &store.root,
        RunSelection::All,
    ))
    .await?
    {
        match read {
            Ok(summary) if summary.is_completed() => targets.push(target),
            Ok(_) => {}
            Err(error) => warnings.add(Warning::passed_over(&error).about(&target)),
        }
    }
    let mut complete = Vec::new();
    for one in ids {
        let session = match store.read(one.id).await {
            Ok(session) => session,
            Err(error) if error.code() == Code::NotFound => continue,
            Err(error) => {
                warnings.add(Warning::passed_over(&error));
                continue;
            }
        };
        if made_of(&session.document).is_some_and(|target| targets.contains(&target)) {
            complete.push(one.id);
        }
    }
    Ok(complete)
}

/// The run that a snapshot was made of.
fn made_of(document: &Object) -> Option<Target> {
    let checkpoint = document.get("checkpoint")?.as_object()?;
    let feature = checkpoint.get("feature").and_then(Json::as_str);
    Some(Target {
        command: checkpoint.get("command")?.as_str()?.to_owned(),
        feature: feature.map(str::to_owned),
    })
}

/// Publishes a checkpoint in the archive, and then takes it away from where it was: a process that dies in between
/// leaves two, which are identical.
async fn put_aside(store: &SnapshotStore<'_>, id: SnapshotId) -> Result<(), Error> {
    let stem = stem(id)?;
    let Some(bytes) = store.documents(false).read(&stem).await? else {
        return Ok(());
    };
    store.documents(true).put_same(&stem, &bytes).await?;
    store.documents(false).remove(&stem).await.map(drop)
}

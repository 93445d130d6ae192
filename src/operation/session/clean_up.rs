//! Older snapshots, removed.

use std::collections::BTreeMap;

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::register;
use crate::checkpoint::session::retention::{Candidate, KEPT_OF_HOOKS, expired};
use crate::effect::{Io, boxed};
use crate::error::{Code, Error, Warning};
use crate::json::Json;
use crate::operation::project::load_integrations::hook_settings;
use crate::operation::reply::{Warnings, with_warnings};
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::ArgumentMembers;

use super::archive::{complete, put_all_aside};
use super::limits::SnapshotLimits;
use super::prune_moments::{expired as expired_moments, remove_all};
use super::removal::{collect_objects, remove};
use super::rewind_limits::RewindLimits;
use super::snapshot_store::{OtherSnapshots, SnapshotLocation, SnapshotStore};

const DAY_MS: f64 = 86_400_000.0;

pub use super::removal::RemovedSnapshot;

pub(super) const OPERATION: Operation =
    Operation::changing::<CleanUpSessionsArguments, Vec<RemovedSnapshot>>(
        "clean_up_sessions",
        "Removes snapshots beyond the configured number.",
        perform,
    )
    .of(Capability::Sessions);

/// The checkpoints to remove.
#[derive(ArgumentMembers)]
struct CleanUpSessionsArguments {
    /// Only says what would be removed.
    dry_run: bool,
    /// Also those archived ones that were made more than so many days ago.
    archived_days: Option<u64>,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let CleanUpSessionsArguments {
            dry_run: is_dry_run,
            archived_days,
        } = arguments.read();
        let request = CleanUp {
            is_dry_run,
            archived_days,
        };
        clean_up(io, settings, request).await.map(Json::from)
    })
}

/// The checkpoints to remove.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CleanUp {
    /// Set where nothing is touched.
    pub is_dry_run: bool,
    /// Also archived ones that were made more than so many days ago.
    pub archived_days: Option<u64>,
}

/// Puts what belongs to complete work into the archive, and removes what the settings do not keep: of those of
/// work in progress all but the newest ten, or as many
/// as `sessions.keep` in `integrations.json` says, and of the archived ones those that are older than so
/// many days, if that is asked for. Pinned ones, the newest good one, and what an unfinished restore needs,
/// always stay.
///
/// Each removal is first written into the register, with its reason. Fails with `corrupt`,
/// `unsafe_path`, `busy`, `io`, and with `invalid_document` for an `integrations.json` that is wrong.
pub async fn clean_up(
    io: &Io,
    settings: &Settings,
    request: CleanUp,
) -> Reply<Vec<RemovedSnapshot>> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::open(io, settings).await?;
        let limits = SnapshotLimits::of(&store).await?;
        let mut aside = boxed(complete(&store, warnings)).await?;
        if !request.is_dry_run {
            put_all_aside(&store, &aside).await?;
            aside.clear();
        }
        let mut removed = match limits.keep {
            Some(kept) => expired_now(&store, kept, &aside, warnings).await?,
            None => Vec::new(),
        };
        if let Some(days) = request.archived_days {
            removed.extend(archived_before(&store, days, &aside, warnings).await?);
        }
        if !request.is_dry_run {
            remove(&store, &removed, warnings).await?;
            boxed(collect_objects(&store, &BTreeMap::new())).await?;
            store.documents(true).sweep().await?;
        }
        removed.extend(boxed(of_prompts(io, settings, request, warnings)).await?);
        Ok(removed)
    })
    .await
}

/// Removes what is kept for rewinds beyond its limits, or only says so.
async fn of_prompts(
    io: &Io,
    settings: &Settings,
    request: CleanUp,
    warnings: &mut Warnings,
) -> Result<Vec<RemovedSnapshot>, Error> {
    let store = SnapshotStore::of_prompts(io, settings).await?;
    if !store.folder.is_there(io).await? {
        return Ok(Vec::new());
    }
    let limits = RewindLimits::from(&hook_settings(io, &store.root).await?);
    let expired = expired_moments(&store, limits, warnings).await?;
    if !request.is_dry_run {
        remove_all(&store, &expired, warnings).await?;
    }
    Ok(expired.removed)
}

/// The clean-up after a checkpoint was made, to the number that is kept, beside those that its maker saw: they are
/// listed again only where some go, and nothing is left of what was removed.
pub(super) async fn clean_up_now(
    store: &SnapshotStore<'_>,
    kept: u64,
    other_snapshots: OtherSnapshots,
    warnings: &mut Warnings,
) -> Result<Vec<RemovedSnapshot>, Error> {
    let removed = match (other_snapshots.count as u64) < kept.min(KEPT_OF_HOOKS) {
        true => Vec::new(),
        false => expired_now(store, kept, &[], warnings).await?,
    };
    if !removed.is_empty() || other_snapshots.is_any_left {
        remove(store, &removed, warnings).await?;
    }
    if !removed.is_empty() {
        boxed(collect_objects(store, &BTreeMap::new())).await?;
    }
    Ok(removed)
}

/// Returns those that the settings do not keep of the checkpoints of work in progress, to which those `aside` no longer
/// belong.
async fn expired_now(
    store: &SnapshotStore<'_>,
    kept: u64,
    aside: &[SnapshotId],
    warnings: &mut Warnings,
) -> Result<Vec<RemovedSnapshot>, Error> {
    let mut ids = store.ids(false).await?;
    ids.retain(|one| !aside.contains(&one.id));
    if ids.len() as u64 <= kept.min(KEPT_OF_HOOKS) {
        return Ok(Vec::new());
    }
    let register = super::register::read(store, warnings).await?;
    let (pinned, in_use) = (register::pinned(&register), register::in_use(&register));
    let by_hooks = register::by_hooks(&register);
    let mut candidates = Vec::new();
    // Of those that users asked for, and of those that hooks made.
    let mut whole = [0_u64; 2];
    // From the newest on: of those that are kept in any case, one that can be read is enough.
    for one in ids.iter().rev() {
        let is_pinned = pinned.contains(&one.id);
        let is_in_use = in_use.contains(&one.id);
        let may_expire = !is_pinned && !is_in_use;
        let is_by_hook = by_hooks.contains(&one.id);
        let (whole, kept) = match is_by_hook {
            true => (&mut whole[1], KEPT_OF_HOOKS),
            false => (&mut whole[0], kept),
        };
        let is_whole = match may_expire && (*whole == 0 || *whole >= kept) {
            true => is_whole(store, *one, warnings).await?,
            false => true,
        };
        *whole += u64::from(may_expire && is_whole);
        candidates.push(Candidate {
            id: one.id,
            is_pinned,
            is_in_use,
            is_whole,
            is_by_hook,
        });
    }
    let expired = expired(&candidates, kept).into_iter();
    Ok(expired
        .map(|id| {
            let reason = match by_hooks.contains(&id) {
                true => format!("older than the newest {KEPT_OF_HOOKS} that hooks made"),
                false if kept == 1 => "older than the newest one".to_owned(),
                false => format!("older than the newest {kept}"),
            };
            described(store, id, false, &reason)
        })
        .collect())
}

/// Returns whether a checkpoint can be read. One that cannot stays, and is named.
async fn is_whole(
    store: &SnapshotStore<'_>,
    one: SnapshotLocation,
    warnings: &mut Warnings,
) -> Result<bool, Error> {
    match store.read(one.id).await {
        Ok(_) => Ok(true),
        // Another process has removed it.
        Err(error) if error.code() == Code::NotFound => Ok(true),
        Err(error) if matches!(error.code(), Code::Io | Code::UnsafePath) => Err(error),
        Err(error) => {
            warnings.add(Warning::passed_over(&error));
            Ok(false)
        }
    }
}

/// The archived ones that were made more than so many days ago, as if those `aside` were archived already.
async fn archived_before(
    store: &SnapshotStore<'_>,
    days: u64,
    aside: &[SnapshotId],
    warnings: &mut Warnings,
) -> Result<Vec<RemovedSnapshot>, Error> {
    let now = store.now().await?;
    let register = super::register::read(store, warnings).await?;
    let kept = [register::pinned(&register), register::in_use(&register)].concat();
    let limit = now - days as f64 * DAY_MS;
    let reason = match days {
        1 => "archived, and older than a day".to_owned(),
        days => format!("archived, and older than {days} days"),
    };
    let archived = store.ids(true).await?;
    let mut old: Vec<SnapshotId> = archived.into_iter().map(|one| one.id).collect();
    old.extend(aside);
    old.sort_unstable();
    old.retain(|id| id.wall_ms() < limit && !kept.contains(id));
    Ok(old
        .into_iter()
        .map(|id| described(store, id, true, &reason))
        .collect())
}

fn described(
    store: &SnapshotStore<'_>,
    id: SnapshotId,
    is_archived: bool,
    reason: &str,
) -> RemovedSnapshot {
    RemovedSnapshot {
        id,
        path: store.shown(SnapshotLocation { id, is_archived }),
        reason: reason.to_owned(),
        bytes: None,
    }
}

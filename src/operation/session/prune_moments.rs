//! Moments that are not kept any longer: all before one moment, so that what is left has no gap.

use std::collections::{BTreeMap, BTreeSet};

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::register as rules;
use crate::effect::{Access, PathKind, Sync, boxed};
use crate::error::Error;
use crate::operation::Warnings;
use crate::worktree::ScanBudget;

use super::moment_sizes::{MomentSize, sizes};
use super::register;
use super::removal::{RemovedSnapshot, collect_objects, remove};
use super::rewind_limits::RewindLimits;
use super::snapshot_store::{SnapshotLocation, SnapshotStore};

const DAY_MS: f64 = 86_400_000.0;

/// The number of moments after which all of them are looked at.
const EVERY: usize = 16;

/// A prompt waits no longer for it, in milliseconds; the next one goes on.
const MOST_MS: f64 = 500.0;

/// A prompt removes no more, more than come in between.
const MOST_REMOVED: usize = 2 * EVERY;

/// The file that says that not all were looked at, or removed.
const DUE: &str = "prune-due";

/// Removes what is beyond the limits, if it is time to look for it. Returns the bytes of what is kept, 0 where not all was
/// looked at.
pub(super) async fn prune_now(
    store: &SnapshotStore<'_>,
    limits: RewindLimits,
    warnings: &mut Warnings,
) -> Result<u64, Error> {
    let ids = store.ids(false).await?;
    // A turn has two moments, so that the count may pass over any one number.
    let is_time = ids.len() >= EVERY && ids.len() % EVERY <= 1;
    if !is_time && !is_due(store).await {
        return Ok(0);
    }
    let budget = ScanBudget::of(store.io, MOST_MS).await;
    let due = store.folder.host(DUE);
    let bounds = (budget, MOST_REMOVED);
    let expired = expired_within(store, limits, bounds, warnings).await?;
    let is_all = expired.as_ref().is_some_and(|it| it.is_all);
    let _ = match is_all {
        true => store.io.remove(due).await,
        false => {
            let (empty, sync) = (Vec::new(), Sync::Lazy);
            store.io.create(due, empty, sync, Access::Owner).await
        }
    };
    let Some(expired) = expired else {
        return Ok(0);
    };
    remove_all(store, &expired, warnings).await?;
    Ok(expired.kept_bytes)
}

/// Returns whether the time was over before all were looked at.
async fn is_due(store: &SnapshotStore<'_>) -> bool {
    let looked = store.io.inspect(vec![store.folder.host(DUE)]).await;
    looked.is_ok_and(|it| it.iter().any(|entry| entry.kind == PathKind::File))
}

/// Removes these, and the contents that nothing refers to any more.
pub(super) async fn remove_all(
    store: &SnapshotStore<'_>,
    expired: &ExpiredMoments,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    if expired.removed.is_empty() {
        return Ok(());
    }
    remove(store, &expired.removed, warnings).await?;
    boxed(collect_objects(store, &expired.kept)).await
}

/// The moments that are beyond the limits.
#[derive(Default)]
pub(super) struct ExpiredMoments {
    pub(super) removed: Vec<RemovedSnapshot>,
    /// The others, with the contents that each refers to.
    pub(super) kept: BTreeMap<SnapshotId, Vec<String>>,
    /// The bytes of what is kept for rewinds, before they are compressed.
    pub(super) kept_bytes: u64,
    /// True if no other one is beyond the limits.
    is_all: bool,
}

/// The moments that are beyond the limits, each with the reason.
pub(super) async fn expired(
    store: &SnapshotStore<'_>,
    limits: RewindLimits,
    warnings: &mut Warnings,
) -> Result<ExpiredMoments, Error> {
    let bounds = (ScanBudget::default(), usize::MAX);
    let expired = expired_within(store, limits, bounds, warnings).await?;
    Ok(expired.unwrap_or_default())
}

/// Those, the oldest of them, up to a number; `None` where the time was over before all were looked at.
async fn expired_within(
    store: &SnapshotStore<'_>,
    limits: RewindLimits,
    (budget, most): (ScanBudget, usize),
    warnings: &mut Warnings,
) -> Result<Option<ExpiredMoments>, Error> {
    let Some(all) = sizes(store, budget, warnings).await? else {
        return Ok(None);
    };
    let now = store.now().await?;
    let (all_expired, reason) = end_of_expired(&all, limits, now).unwrap_or_default();
    let end = all_expired.min(most);
    let mut in_use = Vec::new();
    if end > 0 {
        let register = register::read(store, warnings).await?;
        in_use = rules::in_use(&register);
        in_use.extend(bases_of(&all, end));
    }
    let is_kept = |(at, it): (usize, &MomentSize)| at >= end || in_use.contains(&it.id);
    let mut counted: BTreeSet<&str> = BTreeSet::new();
    let mut expired = ExpiredMoments {
        is_all: end == all_expired,
        ..ExpiredMoments::default()
    };
    for (_, moment) in all.iter().enumerate().filter(|it| is_kept(*it)) {
        expired.kept_bytes += bytes_beside(moment, &mut counted);
        expired.kept.insert(moment.id, moment.objects.clone());
    }
    for (_, moment) in all.iter().enumerate().filter(|it| !is_kept(*it)) {
        let id = moment.id;
        let is_archived = false;
        expired.removed.push(RemovedSnapshot {
            id,
            path: store.shown(SnapshotLocation { id, is_archived }),
            reason: reason.clone(),
            bytes: Some(bytes_beside(moment, &mut counted)),
        });
    }
    Ok(Some(expired))
}

/// The bytes of a moment, but for contents that were counted already.
fn bytes_beside<'a>(moment: &'a MomentSize, counted: &mut BTreeSet<&'a str>) -> u64 {
    let new = moment
        .files
        .iter()
        .filter(|(sha256, _)| counted.insert(sha256));
    new.map(|(_, size)| size).sum::<u64>() + moment.bytes
}

/// The moments from which those from a position on list the differences.
fn bases_of(all: &[MomentSize], from: usize) -> Vec<SnapshotId> {
    let at = |id: SnapshotId| all.binary_search_by_key(&id, |it| it.id).ok();
    let mut needed = Vec::new();
    let mut open: Vec<SnapshotId> = all[from..].iter().filter_map(|it| it.since).collect();
    while let Some(id) = open.pop() {
        if !needed.contains(&id) {
            needed.push(id);
            open.extend(at(id).and_then(|at| all[at].since));
        }
    }
    needed
}

/// The number of moments, the oldest ones, that are not kept, and why. The newest prompt is kept in any case.
fn end_of_expired(all: &[MomentSize], limits: RewindLimits, now: f64) -> Option<(usize, String)> {
    let since = now - limits.days as f64 * DAY_MS;
    let newest = all.iter().rposition(|it| it.session.is_some())?;
    let mut prompts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut counted: BTreeSet<&str> = BTreeSet::new();
    let mut bytes = 0;
    for (at, moment) in all.iter().enumerate().rev() {
        bytes += bytes_beside(moment, &mut counted);
        if let Some(session) = &moment.session {
            *prompts.entry(session).or_default() += 1;
        }
        if at >= newest {
            continue;
        }
        let reason = if moment.id.wall_ms() < since {
            format!("kept for rewinds for {} days", limits.days)
        } else if prompts.values().any(|count| *count > limits.keep) {
            format!("before the last {} prompts of a session", limits.keep)
        } else if bytes > limits.max_bytes {
            format!(
                "beyond {} bytes that are kept for rewinds",
                limits.max_bytes
            )
        } else {
            continue;
        };
        return Some((at + 1, reason));
    }
    None
}

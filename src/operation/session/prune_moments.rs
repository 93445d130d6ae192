//! Moments that are not kept any longer: all before one moment, so that what is left has no gap.

use std::collections::{BTreeMap, BTreeSet};

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::register as rules;
use crate::effect::boxed;
use crate::error::Error;
use crate::operation::Warnings;

use super::moments::{TurnMoment, all_moments};
use super::register;
use super::removal::{RemovedSnapshot, collect_objects, remove};
use super::rewind_limits::RewindLimits;
use super::snapshot_store::SnapshotStore;

const DAY_MS: f64 = 86_400_000.0;

/// The number of moments after which all of them are looked at.
const EVERY: usize = 16;

/// Removes what is beyond the limits, if it is time to look for it. Returns the bytes of what is kept, 0 where it was not
/// looked at.
pub(super) async fn prune_now(
    store: &SnapshotStore<'_>,
    limits: RewindLimits,
    warnings: &mut Warnings,
) -> Result<u64, Error> {
    let ids = store.ids(false).await?;
    // A turn has two moments, so that the count may pass over any one number.
    if ids.len() % EVERY > 1 {
        return Ok(0);
    }
    let expired = expired(store, limits, warnings).await?;
    remove_all(store, &expired.removed, warnings).await?;
    Ok(expired.kept_bytes)
}

/// Removes these, and the contents that nothing refers to any more.
pub(super) async fn remove_all(
    store: &SnapshotStore<'_>,
    removed: &[RemovedSnapshot],
    warnings: &mut Warnings,
) -> Result<(), Error> {
    if removed.is_empty() {
        return Ok(());
    }
    remove(store, removed, warnings).await?;
    boxed(collect_objects(store)).await
}

/// The moments that are beyond the limits.
#[derive(Default)]
pub(super) struct ExpiredMoments {
    pub(super) removed: Vec<RemovedSnapshot>,
    /// The bytes of what is kept for rewinds, before they are compressed.
    pub(super) kept_bytes: u64,
}

/// The moments that are beyond the limits, each with the reason.
pub(super) async fn expired(
    store: &SnapshotStore<'_>,
    limits: RewindLimits,
    warnings: &mut Warnings,
) -> Result<ExpiredMoments, Error> {
    let all = all_moments(store, warnings).await?;
    let now = store.now().await?;
    let (end, reason) = end_of_expired(&all, limits, now).unwrap_or_default();
    let mut in_use = Vec::new();
    if end > 0 {
        let register = register::read(store, warnings).await?;
        in_use = rules::in_use(&register);
        in_use.extend(bases_of(&all, end));
    }
    let is_kept = |(at, it): (usize, &TurnMoment)| at >= end || in_use.contains(&it.id());
    let mut contents: BTreeSet<&str> = BTreeSet::new();
    let mut expired = ExpiredMoments::default();
    for (_, moment) in all.iter().enumerate().filter(|it| is_kept(*it)) {
        expired.kept_bytes += bytes_beside(moment, &mut contents);
    }
    for (_, moment) in all.iter().enumerate().filter(|it| !is_kept(*it)) {
        expired.removed.push(RemovedSnapshot {
            id: moment.id(),
            path: store.shown(moment.stored.known),
            reason: reason.clone(),
            bytes: Some(bytes_beside(moment, &mut contents)),
        });
    }
    Ok(expired)
}

/// The bytes of a moment, but for contents that were counted already.
fn bytes_beside<'a>(moment: &'a TurnMoment, counted: &mut BTreeSet<&'a str>) -> u64 {
    let files = moment.listing.iter().flat_map(|it| it.own_files());
    let new = files.filter_map(|it| it.content.as_ref());
    let new = new.filter(|it| counted.insert(it.sha256.as_str()));
    new.map(|it| it.size).sum::<u64>() + moment.stored.text.len() as u64
}

/// The moments from which those from a position on list the differences.
fn bases_of(all: &[TurnMoment], from: usize) -> Vec<SnapshotId> {
    let at = |id: SnapshotId| all.binary_search_by_key(&id, TurnMoment::id).ok();
    let mut needed = Vec::new();
    let mut open: Vec<SnapshotId> = all[from..].iter().filter_map(TurnMoment::since).collect();
    while let Some(id) = open.pop() {
        if !needed.contains(&id) {
            needed.push(id);
            open.extend(at(id).and_then(|at| all[at].since()));
        }
    }
    needed
}

/// The number of moments, the oldest ones, that are not kept, and why. The newest prompt is kept in any case.
fn end_of_expired(all: &[TurnMoment], limits: RewindLimits, now: f64) -> Option<(usize, String)> {
    let since = now - limits.days as f64 * DAY_MS;
    let newest = all.iter().rposition(|it| it.prompt().is_some())?;
    let mut prompts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut contents: BTreeSet<&str> = BTreeSet::new();
    let mut bytes = 0;
    for (at, moment) in all.iter().enumerate().rev() {
        bytes += bytes_beside(moment, &mut contents);
        if let Some(mark) = moment.prompt() {
            *prompts.entry(&mark.session).or_default() += 1;
        }
        if at >= newest {
            continue;
        }
        let reason = if moment.id().wall_ms() < since {
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

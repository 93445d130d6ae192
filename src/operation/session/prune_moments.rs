//! Moments that are not kept any longer: all before one moment, so that what is left has no gap.

use std::collections::BTreeMap;

use crate::checkpoint::session::register as rules;
use crate::effect::boxed;
use crate::error::Error;
use crate::operation::Warnings;

use super::moments::{TurnMoment, moments};
use super::register;
use super::removal::{RemovedSnapshot, collect_objects, remove};
use super::rewind_limits::RewindLimits;
use super::snapshot_store::SnapshotStore;

const DAY_MS: f64 = 86_400_000.0;

/// The number of moments after which all of them are looked at.
const EVERY: usize = 16;

/// Removes what is beyond the limits, if it is time to look for it.
pub(super) async fn prune_now(
    store: &SnapshotStore<'_>,
    limits: RewindLimits,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let ids = store.ids(false).await?;
    let now = store.now().await?;
    let oldest = ids.first().map_or(now, |it| it.id.wall_ms());
    // A turn has two moments, so that the count may pass over any one number.
    if ids.len() % EVERY > 1 && oldest >= now - limits.days as f64 * DAY_MS {
        return Ok(());
    }
    let removed = expired(store, limits, warnings).await?;
    remove_all(store, &removed, warnings).await
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

/// The moments that are beyond the limits, each with the reason.
pub(super) async fn expired(
    store: &SnapshotStore<'_>,
    limits: RewindLimits,
    warnings: &mut Warnings,
) -> Result<Vec<RemovedSnapshot>, Error> {
    let all = moments(store, warnings).await?;
    let now = store.now().await?;
    let Some((end, reason)) = end_of_expired(&all, limits, now) else {
        return Ok(Vec::new());
    };
    let register = register::read(store, warnings).await?;
    let in_use = rules::in_use(&register);
    let unused = all[..end].iter().filter(|it| !in_use.contains(&it.id()));
    let removed = unused.map(|it| RemovedSnapshot {
        id: it.id(),
        path: store.shown(it.stored.known),
        reason: reason.clone(),
    });
    Ok(removed.collect())
}

/// The number of moments, the oldest ones, that are not kept, and why. The newest prompt is kept in any case.
fn end_of_expired(all: &[TurnMoment], limits: RewindLimits, now: f64) -> Option<(usize, String)> {
    let since = now - limits.days as f64 * DAY_MS;
    let newest = all.iter().rposition(|it| it.prompt().is_some())?;
    let mut prompts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    for (at, moment) in all.iter().enumerate().rev() {
        let files = moment.snapshot.iter().flat_map(|it| &it.files);
        let contents = files.filter_map(|it| it.content.as_ref());
        sizes.extend(contents.map(|it| (it.sha256.as_str(), it.size)));
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
        } else if sizes.values().sum::<u64>() > limits.max_bytes {
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

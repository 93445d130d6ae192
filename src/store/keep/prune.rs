//! Removing the revisions that a history need not keep.

use crate::effect::{Failed, Fault, SideWrite, Swap};
use crate::error::Error;
use crate::json::Json;
use crate::schema::Shaped;
use crate::store::location::Storage;
use crate::store::read::{CommitMark, DocumentReader, Revision};
use crate::time;

use super::history::{History, RecordedContent};
use super::retention::{MOST_KEPT, NEVER_PRUNED, Retention, RetentionPolicy};

/// Pruning lists the folder, so only every so many commits do it; the history then holds up to
/// this many revisions more.
pub(in crate::store) const PRUNE_EVERY: u64 = 16;

/// Each try is overtaken by a commit.
const REMOVE_TRIES: u32 = 100;

const DAY_MS: f64 = 86_400_000.0;

/// The revisions that were removed from a history.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct Pruned {
    /// The revisions that are gone, the oldest first.
    pub removed: Vec<u64>,
    /// The number of revisions that are left, the present one among them.
    #[shape(with = Json::from_count)]
    pub kept: usize,
}

/// Removes the oldest entries. Those that cannot be removed stay for the next time.
pub(in crate::store) async fn prune(
    history: &History<'_>,
    policy: RetentionPolicy,
) -> Result<Pruned, Error> {
    let DocumentReader { io, folder, paths } = history.reader;
    let revisions = history.revisions().await?;
    let surplus = surplus(history, &revisions, policy).await?;
    let kept = revisions.len() - surplus.len();
    if folder.storage() == Storage::Records {
        let names = surplus.iter().map(|revision| revision.file()).collect();
        remove_entries(history.reader, names).await?;
        let removed = surplus.iter().map(|revision| revision.number).collect();
        // The present one is no record of its history.
        return Ok(Pruned {
            removed,
            kept: kept + 1,
        });
    }
    let mut removed = Vec::new();
    let mut failed = None;
    for revision in surplus {
        let below = paths.entry(&revision.file());
        match io.remove(folder.host(&below)).await {
            Ok(()) => removed.push(revision.number),
            // Another process prunes as well.
            Err(Failed {
                fault: Fault::NotFound,
                ..
            }) => {}
            Err(why) => failed = failed.or(Some(folder.error("remove", &below, &why))),
        }
    }
    match failed {
        Some(error) => Err(error),
        None => Ok(Pruned { removed, kept }),
    }
}

/// Removes records from the history of one that stays as it is.
async fn remove_entries(reader: &DocumentReader<'_>, names: Vec<String>) -> Result<(), Error> {
    let DocumentReader { io, folder, paths } = reader;
    let records = names.iter().map(|name| folder.host(&paths.entry(name)));
    let side_writes: Vec<SideWrite> = records.map(SideWrite::removed).collect();
    for _ in 0..REMOVE_TRIES {
        let bytes = reader.bytes().await?;
        let swap = Swap {
            record: folder.host(&paths.document),
            expected: bytes.clone(),
            bytes,
            keep: None,
            side_writes: side_writes.clone(),
        };
        match io.swap_record(swap).await {
            Ok(()) => return Ok(()),
            Err(Failed {
                fault: Fault::Changed,
                ..
            }) => {}
            Err(failed) => return Err(folder.error("prune", &paths.document, &failed)),
        }
    }
    Err(Error::busy(reader.shown()))
}

/// Returns the revisions that are not kept, of all revisions from the oldest on.
pub(in crate::store) async fn surplus<'a>(
    history: &History<'_>,
    revisions: &'a [Revision],
    policy: RetentionPolicy,
) -> Result<Vec<&'a Revision>, Error> {
    let Retention {
        revisions: most,
        days,
    } = policy.retention;
    // Among files the newest one is no replaced one: it is a copy of what the document holds.
    let copies = match history.reader.folder.storage() {
        Storage::Files => 1,
        Storage::Records => 0,
    };
    let beyond = |kept: usize| revisions.len().saturating_sub(kept.saturating_add(copies));
    let mut is_kept = vec![true; revisions.len()];
    let mut changes = most;
    let mut room = MOST_KEPT - most;
    for at in (0..beyond(0)).rev() {
        let is_change = revisions[at].mark == CommitMark::Change && changes > 0;
        changes -= usize::from(is_change);
        if at < beyond(most) {
            is_kept[at] = is_change && room > 0;
            room -= usize::from(is_kept[at]);
        }
    }
    if let (Some(days), Some(time_field)) = (days, policy.time_field) {
        let candidates = beyond(NEVER_PRUNED);
        let aged = aged(
            history,
            &revisions[..candidates],
            &is_kept,
            days,
            time_field,
        );
        let aged = aged.await?;
        is_kept[..aged].fill(false);
    }
    let surplus = revisions.iter().zip(is_kept);
    Ok(surplus
        .filter(|(_, is_kept)| !is_kept)
        .map(|(it, _)| it)
        .collect())
}

/// Returns the number of the oldest entries that are older than so many days.
///
/// Entries are in the order of their revisions, so the first one that is young enough ends it. One
/// without a time is as old as the next one that has one. One that is not kept anyway is not looked
/// at.
async fn aged(
    history: &History<'_>,
    revisions: &[Revision],
    is_kept: &[bool],
    days: u64,
    time_field: &str,
) -> Result<usize, Error> {
    let now_ms = history.reader.io.now().await?.wall_ms;
    let limit_ms = now_ms - days as f64 * DAY_MS;
    let mut aged = 0;
    let kept = revisions.iter().enumerate().filter(|(at, _)| is_kept[*at]);
    for (at, revision) in kept {
        match written_ms(history, revision, time_field).await {
            None => {}
            Some(written_ms) if written_ms < limit_ms => aged = at + 1,
            Some(_) => break,
        }
    }
    Ok(aged)
}

/// Returns when a revision was written, by its own content.
async fn written_ms(history: &History<'_>, revision: &Revision, time_field: &str) -> Option<f64> {
    match history.read(revision).await {
        Ok(Some(RecordedContent::Whole(object))) => {
            let text = object.get(time_field).and_then(Json::as_str)?;
            time::parse(text).map(time::Time::wall_ms)
        }
        _ => None,
    }
}

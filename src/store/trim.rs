//! Removing the revisions that a history need not keep.

use crate::effect::{Failed, Fault};
use crate::error::Error;
use crate::json::Json;
use crate::time;

use super::history::{History, Recorded, Revision};
use super::reader::Reader;
use super::retention::NEVER_TRIMMED;
use super::slot::Policy;

/// Trimming lists the folder, so only every so many commits do it; the history then holds up to
/// this many revisions more.
pub(super) const TRIM_EVERY: u64 = 16;

const DAY_MS: f64 = 86_400_000.0;

/// What trimming removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trimmed {
    /// The numbers of the revisions that are gone, oldest first.
    pub removed: Vec<u64>,
    /// How many are left, the copy of the current one among them.
    pub kept: usize,
}

impl History<'_> {
    /// Removes the oldest entries. What cannot be removed stays for the next time.
    pub(super) async fn trim(&self, policy: Policy) -> Result<Trimmed, Error> {
        let Reader { io, folder, paths } = self.reader;
        let retention = policy.retention;
        let revisions = self.revisions().await?;
        // The newest one is no replaced one: it is what the document holds.
        let beyond = |kept: usize| revisions.len().saturating_sub(kept.saturating_add(1));
        let mut surplus = beyond(retention.revisions);
        if let (Some(days), Some(time_field)) = (retention.days, policy.time_field) {
            let candidates = &revisions[..beyond(NEVER_TRIMMED)];
            surplus = self.aged(candidates, surplus, days, time_field).await?;
        }
        let mut removed = Vec::new();
        let mut failed = None;
        for revision in &revisions[..surplus] {
            let below = paths.entry(&revision.file());
            match io.remove(folder.host(&below)).await {
                Ok(()) => removed.push(revision.number),
                // Somebody else trims as well.
                Err(Failed {
                    fault: Fault::NotFound,
                    ..
                }) => {}
                Err(why) => failed = failed.or(Some(folder.error("remove", &below, &why))),
            }
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(Trimmed {
                removed,
                kept: revisions.len() - surplus,
            }),
        }
    }

    /// How many of the oldest entries are older than so many days, or `surplus` if that is more.
    ///
    /// Entries are in the order of their revisions, so the first one that is young enough ends it.
    /// One that does not tell its time is as old as the next one that does.
    async fn aged(
        &self,
        revisions: &[Revision],
        surplus: usize,
        days: u64,
        time_field: &str,
    ) -> Result<usize, Error> {
        let clock = self.reader.io.clock().await;
        let clock = clock
            .map_err(|failed| Error::io(format!("Cannot read the clock: {}", failed.detail)))?;
        let limit_ms = clock.wall_ms - days as f64 * DAY_MS;
        let mut aged = surplus;
        for (at, revision) in revisions.iter().enumerate().skip(surplus) {
            match self.written_ms(revision, time_field).await {
                None => {}
                Some(written_ms) if written_ms < limit_ms => aged = at + 1,
                Some(_) => break,
            }
        }
        Ok(aged)
    }

    /// When a revision was written, as it says itself.
    async fn written_ms(&self, revision: &Revision, time_field: &str) -> Option<f64> {
        match self.read(revision).await {
            Ok(Some(Recorded::Whole(object))) => {
                let text = object.get(time_field).and_then(Json::as_str)?;
                time::parse(text).map(time::Time::wall_ms)
            }
            _ => None,
        }
    }
}

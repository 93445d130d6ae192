//! What happened to a checkpoint: its revisions, and what changed between two of them.

use crate::command::diff::{self, Change};
use crate::effect::Io;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::store::{self, Recorded};

use super::session::Session;
use super::{Noticed, Place, Reply, Target};

/// One revision of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Its number.
    pub revision: u64,
    /// When it was written, as it says itself.
    pub updated_at: Option<String>,
    /// What changed since the revision before it; empty for the oldest one kept.
    pub changes: Vec<String>,
    /// Whether its bytes are not those that were recorded.
    pub altered: bool,
}

/// What changed between two revisions.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// The earlier revision.
    pub from: u64,
    /// The later revision.
    pub to: u64,
    /// For people.
    pub changes: Vec<Change>,
    /// For programs: an RFC 6902 JSON Patch from one to the other.
    pub patch: Json,
}

/// The revisions that are kept, newest first.
///
/// Fails with `not_found` when there is no checkpoint, and with `invalid_name`, `corrupt`,
/// `unsafe_path`, `too_large`, `io`.
pub async fn log(io: &Io, place: &Place, target: &Target) -> Reply<Vec<LogEntry>> {
    let mut noticed = Noticed::default();
    let result = async {
        let states = states(io, place, target, &mut noticed).await?;
        let mut entries: Vec<LogEntry> = Vec::new();
        let mut before: Option<&Object> = None;
        for (revision, state) in &states {
            let changes = match (before, state) {
                (Some(before), Some(after)) => diff::changes(before, after)
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
                _ => Vec::new(),
            };
            let updated_at = state.as_ref().and_then(|object| object.get("updated_at"));
            entries.push(LogEntry {
                revision: *revision,
                updated_at: updated_at.and_then(Json::as_str).map(str::to_owned),
                changes,
                altered: state.is_none(),
            });
            before = state.as_ref().or(before);
        }
        entries.reverse();
        Ok(entries)
    };
    let result = result.await;
    noticed.reply(result)
}

/// What changed from one revision to another. Without `to` it is the current one; without `from`
/// the one before `to`.
///
/// Fails with `not_found` when a revision is not kept, and as [`log`] does.
pub async fn diff(
    io: &Io,
    place: &Place,
    target: &Target,
    from: Option<u64>,
    to: Option<u64>,
) -> Reply<Diff> {
    let mut noticed = Noticed::default();
    let result = async {
        let states = states(io, place, target, &mut noticed).await?;
        let whole: Vec<(u64, &Object)> = states
            .iter()
            .filter_map(|(revision, state)| Some((*revision, state.as_ref()?)))
            .collect();
        let find = |wanted: u64| {
            whole
                .iter()
                .rev()
                .find(|(revision, _)| *revision == wanted)
                .copied()
                .ok_or_else(|| {
                    Error::not_found(format!(
                        "Revision {wanted} is not kept; `milepost log` lists those that are"
                    ))
                })
        };
        let newest = whole.last().copied().ok_or_else(|| target.missing())?;
        let (to, after) = to.map_or(Ok(newest), find)?;
        let (from, before) = match from {
            Some(from) => find(from)?,
            None => whole
                .iter()
                .rev()
                .find(|(revision, _)| *revision < to)
                .copied()
                .ok_or_else(|| Error::not_found(format!("No revision before {to} is kept")))?,
        };
        let changes = diff::changes(before, after);
        Ok(Diff {
            from,
            to,
            changes,
            patch: diff::json_patch(before, after),
        })
    };
    let result = result.await;
    noticed.reply(result)
}

/// Every kept state, oldest first, the current one last; `None` for an altered one.
async fn states(
    io: &Io,
    place: &Place,
    target: &Target,
    noticed: &mut Noticed,
) -> Result<Vec<(u64, Option<Object>)>, Error> {
    let session = Session::open(io, place, target).await?;
    let stored = store::read(io, &session.folder, &session.name).await?;
    let mut states = Vec::new();
    for revision in store::revisions(io, &session.folder, &session.name).await? {
        match store::recorded(io, &session.folder, &session.name, &revision).await? {
            // Names that differ in case only share a history.
            Some(Recorded::Whole(object)) if session.expect_own(&object).is_ok() => {
                states.push((revision.number, Some(object)));
            }
            Some(Recorded::Altered) => states.push((revision.number, None)),
            Some(Recorded::Whole(_)) | None => {}
        }
    }
    if let Some(document) = stored.document {
        session.expect_own(&document.object)?;
        session.notice(&document, stored.has_side, noticed).await;
        let current = document.stamp.revision;
        states.retain(|(revision, _)| *revision < current);
        states.push((current, Some(document.object)));
    }
    if states.is_empty() {
        return Err(target.missing());
    }
    Ok(states)
}

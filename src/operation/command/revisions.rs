//! What happened to a checkpoint: its revisions, and what changed between two of them.

use crate::checkpoint::command::diff::{self, Change};
use crate::effect::Io;
use crate::error::{Code, Error, ErrorKind, WarningCode};
use crate::json::{Json, Object};
use crate::store::{Mark, Recorded, Stored, Wanted};

use super::opened::Opened;
use super::{Loaded, notice_problems, present};
use crate::operation::{Noticed, Reply, Settings, Target};

/// One revision of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Its number.
    pub revision: u64,
    /// When it was written, as it says itself.
    pub updated_at: Option<String>,
    /// What changed since the revision before it; empty for the oldest one kept.
    pub changes: Vec<String>,
    /// The latest earlier revision with the same content, apart from the time: what an undo went
    /// back to. `None` as well where that is the one before it.
    pub same_as: Option<u64>,
    /// So many revisions after this one only renewed the time, and are left out.
    pub heartbeats: u64,
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

/// Loads one revision: the present one, or one from history, also where the checkpoint itself is
/// corrupt.
///
/// Warns as [`super::load`] does of the present one, and `invalid_document` of an earlier
/// one. Fails with `not_found` when it is not kept, with `corrupt` when it is altered, and with
/// `invalid_name`, `conflict`, `unsafe_path`, `too_large`, `io`.
pub async fn load(io: &Io, settings: &Settings, target: &Target, number: u64) -> Reply<Loaded> {
    let mut noticed = Noticed::default();
    let result = load_noticing(io, settings, target, number, &mut noticed).await;
    noticed.reply_about(target, result)
}

async fn load_noticing(
    io: &Io,
    settings: &Settings,
    target: &Target,
    number: u64,
    noticed: &mut Noticed,
) -> Result<Loaded, Error> {
    let opened = Opened::open(io, settings, target).await?;
    match opened.slot.read().await {
        Ok(Stored {
            document: Some(document),
            has_side,
        }) if document.stamp.revision == number => {
            return Ok(present(&opened, *document, has_side, noticed).await?.0);
        }
        Ok(_) => {}
        Err(error) if error.code() == Code::Corrupt => {}
        Err(error) => return Err(error),
    }
    let mut accept = |object: Object| opened.expect_own(&object).map(|()| object);
    let wanted = Wanted::Exactly(number);
    let picked = opened.slot.pick(wanted, &mut accept).await?;
    let (revision, object) = picked.ok_or_else(|| target.missing())?;
    let object = revision.stamped(object);
    let what = format!("Revision {number} of {}", opened.shown());
    notice_problems(&what, &object, noticed);
    let seal = object.get("seal").and_then(Json::as_str);
    Ok(Loaded {
        text: object.to_document(),
        revision: number,
        seal: seal.unwrap_or_default().to_owned(),
        object,
    })
}

/// The revisions that are kept, newest first, without those that only renewed the time; of a corrupt checkpoint, with a warning, those of its
/// history.
///
/// Fails with `not_found` when there is no checkpoint, and with `invalid_name`, `corrupt`,
/// `unsafe_path`, `too_large`, `io`.
pub async fn log(io: &Io, settings: &Settings, target: &Target) -> Reply<Vec<LogEntry>> {
    let mut noticed = Noticed::default();
    let result = async {
        let (states, corrupt) = states(io, settings, target, &mut noticed).await?;
        if let Some(error) = corrupt {
            noticed.warn(WarningCode::InvalidDocument, error.to_string());
        }
        let mut entries: Vec<LogEntry> = Vec::new();
        let mut before: Option<&Object> = None;
        let mut contents: Vec<(u64, String)> = Vec::new();
        for (at, (revision, mark, state)) in states.iter().enumerate() {
            let is_present = at + 1 == states.len();
            if let (Mark::Heartbeat, false, Some(last), Ok(object)) =
                (*mark, is_present, entries.last_mut(), state)
            {
                last.heartbeats += 1;
                contents.push((last.revision, content(object)));
                continue;
            }
            let changes = match (before, state) {
                (Some(before), Ok(after)) => diff::changes(before, after)
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
                _ => Vec::new(),
            };
            let mut same_as = None;
            if let Ok(object) = state {
                let content = content(object);
                if contents.last().is_some_and(|(_, last)| *last != content) {
                    let mut earlier = contents.iter().rev();
                    let same = earlier.find(|(_, earlier)| *earlier == content);
                    same_as = same.map(|(revision, _)| *revision);
                }
                contents.push((*revision, content));
            }
            let object = state.as_ref().ok();
            let updated_at = object.and_then(|object| object.get("updated_at"));
            entries.push(LogEntry {
                revision: *revision,
                updated_at: updated_at.and_then(Json::as_str).map(str::to_owned),
                changes,
                same_as,
                heartbeats: 0,
                altered: state.is_err(),
            });
            before = object.or(before);
        }
        entries.reverse();
        Ok(entries)
    };
    let result = result.await;
    noticed.reply_about(target, result)
}

/// What a revision holds, apart from what every commit changes.
fn content(object: &Object) -> String {
    let mut object = object.clone();
    for key in ["revision", "seal", "updated_at"] {
        object.remove(key);
    }
    Json::Object(object).to_line()
}

/// What changed from one revision to another. Without `to` it is the current one; without `from`
/// the one before `to`.
///
/// Fails with `not_found` when a revision is not kept, with `corrupt` where it is altered or the
/// current one is corrupt, and as [`log`] does.
pub async fn diff(
    io: &Io,
    settings: &Settings,
    target: &Target,
    from: Option<u64>,
    to: Option<u64>,
) -> Reply<Diff> {
    let mut noticed = Noticed::default();
    let result = async {
        let (states, corrupt) = states(io, settings, target, &mut noticed).await?;
        if let (Some(error), None) = (corrupt, to) {
            return Err(error);
        }
        let whole: Vec<(u64, &Object)> = states
            .iter()
            .filter_map(|(revision, _, state)| Some((*revision, state.as_ref().ok()?)))
            .collect();
        let find = |wanted: u64| {
            whole
                .iter()
                .rev()
                .find(|(revision, _)| *revision == wanted)
                .copied()
                .ok_or_else(|| {
                    let mut altered = states.iter().filter(|(revision, ..)| *revision == wanted);
                    let altered = altered.find_map(|(_, _, state)| state.as_ref().err().cloned());
                    altered.unwrap_or_else(|| ErrorKind::NotKept(wanted).into())
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
    noticed.reply_about(target, result)
}

/// A revision, its mark, and its content, or why there is none: it is altered.
type State = (u64, Mark, Result<Object, Error>);

/// Every kept state, oldest first, the current one last; and the error of a current one that is
/// corrupt.
async fn states(
    io: &Io,
    settings: &Settings,
    target: &Target,
    noticed: &mut Noticed,
) -> Result<(Vec<State>, Option<Error>), Error> {
    let opened = Opened::open(io, settings, target).await?;
    let (stored, corrupt) = match opened.slot.read().await {
        Ok(stored) => (Some(stored), None),
        Err(error) if error.code() == Code::Corrupt => (None, Some(error)),
        Err(error) => return Err(error),
    };
    let mut states = Vec::new();
    for revision in opened.slot.revisions().await? {
        match opened.slot.recorded(&revision).await? {
            // Names that differ in case only share a history.
            Some(Recorded::Whole(object)) if opened.expect_own(&object).is_ok() => {
                states.push((revision.number, revision.mark, Ok(object)));
            }
            Some(Recorded::Altered) => {
                let error = opened.slot.altered(&revision);
                states.push((revision.number, revision.mark, Err(error)));
            }
            Some(Recorded::Whole(_)) | None => {}
        }
    }
    if let Some(Stored {
        document: Some(document),
        has_side,
    }) = stored
    {
        opened.expect_own(&document.object)?;
        opened.notice(&document, has_side, noticed).await;
        let (current, mark) = (document.stamp.revision, document.stamp.mark());
        states.retain(|(revision, ..)| *revision < current);
        states.push((current, mark, Ok(document.object)));
    }
    match corrupt {
        Some(error) if states.is_empty() => Err(error),
        None if states.is_empty() => Err(target.missing()),
        corrupt => Ok((states, corrupt)),
    }
}

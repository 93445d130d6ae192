//! Going back: an earlier revision of a checkpoint as its newest one, and how many are kept.

use crate::checkpoint::command::document::Checkpoint;
use crate::effect::Io;
use crate::error::{Advice, Error};
use crate::json::{Json, Object};
use crate::store::{Change, Current, Mark, Stamp, Trimmed, Wanted};

use super::opened::{Opened, change, updated_at};
use crate::operation::{Noticed, Reply, Settings, Target};

/// What to go back to, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undo {
    /// The revision to go back to; without it, the newest good one before the last change: one that
    /// only renewed the time is none.
    pub to: Option<u64>,
    /// The state that the caller has seen; without it, the present one.
    pub seen: Option<Seen>,
}

/// A state that a caller has seen, and is about to undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// This very one.
    State(Stamp),
    /// The one with this revision.
    Revision(u64),
}

/// A checkpoint that has the content of an earlier revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Its revision.
    pub revision: u64,
    /// Its seal.
    pub seal: String,
    /// The revision that it has the content of.
    pub restored: u64,
    /// Whether anything was written.
    pub changed: bool,
}

/// A checkpoint that was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// What is stored now.
    pub restored: Restored,
    /// Where the corrupt original is kept; `None` where there was none.
    pub quarantined: Option<String>,
}

/// Writes the content of an earlier revision as the next one, so that an undo can be undone.
///
/// It is a compare-and-swap: what another writer made of the checkpoint meanwhile is a `conflict`.
/// `updated_at` is now; `head_commit` stays as it was recorded, for the content was true at that
/// commit. A revision that is altered, or that breaks the schema, is passed over unless it is asked
/// for. Fails with `not_found` when there is no checkpoint or no such revision, `invalid_name`,
/// `invalid_document`, `summary_too_long`, `unsupported_version`, `corrupt`, `conflict`, `busy`,
/// `unsafe_path`, `too_large`, `io`; then nothing was written, unless the message of `io` says
/// otherwise.
pub async fn undo(io: &Io, settings: &Settings, target: &Target, undo: &Undo) -> Reply<Restored> {
    let mut noticed = Noticed::default();
    let result = undo_noticing(io, settings, target, undo, &mut noticed).await;
    noticed.reply_about(target, result)
}

async fn undo_noticing(
    io: &Io,
    settings: &Settings,
    target: &Target,
    undo: &Undo,
    noticed: &mut Noticed,
) -> Result<Restored, Error> {
    let opened = Opened::open(io, settings, target).await?;
    let slot = &opened.slot;
    let stored = slot.read().await?;
    let Some(document) = stored.document else {
        return Err(missing(io, settings, target).await);
    };
    opened.expect_own(&document.object)?;
    let seen = &document.stamp;
    match &undo.seen {
        Some(Seen::State(stamp)) => expect_seen(stamp, seen)?,
        Some(Seen::Revision(revision)) if *revision != seen.revision => {
            return Err(overtaken(*revision, seen.revision));
        }
        Some(Seen::Revision(_)) | None => {}
    }
    let now = opened.now().await?;
    let mut accept = |object: Object| opened.restorable(object, &now);
    let present = seen.revision;
    let (restored, content) = match undo.to {
        Some(to) if to == present => (to, None),
        to => {
            let wanted = match (to, seen.mark()) {
                (Some(to), _) => Wanted::Exactly(to),
                (None, Mark::Change) => Wanted::Below(present),
                // What is undone is a change, and those that only renewed the time go with it.
                (None, Mark::Heartbeat) => Wanted::BelowChange(present),
            };
            let picked = slot.pick(wanted, &mut accept).await?;
            let (revision, content) = picked.ok_or_else(|| {
                let path = opened.shown();
                Error::not_found(format!(
                    "There is nothing to undo: no good revision of {path} before {present} is kept"
                ))
            })?;
            (revision.number, Some(content))
        }
    };
    let mut decide = |current: &Current<'_>| {
        opened.expect_own_current(current)?;
        let stored = current.document.ok_or_else(|| target.missing())?;
        expect_seen(seen, &stored.stamp)?;
        let Some(content) = &content else {
            return Ok(Change::Keep);
        };
        let mut content = content.clone();
        content.set("updated_at", updated_at(&now, current));
        Ok(change(content, current))
    };
    let committed = slot.update(None, &mut decide).await?;
    if let Some(before) = &committed.before {
        opened.notice(before, committed.had_side, noticed).await;
    }
    Ok(Restored {
        revision: committed.stamp.revision,
        seal: committed.stamp.seal,
        restored,
        changed: committed.changed,
    })
}

fn expect_seen(seen: &Stamp, stored: &Stamp) -> Result<(), Error> {
    if seen == stored {
        return Ok(());
    }
    if seen.revision != stored.revision {
        return Err(overtaken(seen.revision, stored.revision));
    }
    let message = format!("Revision {} has another seal; load again", stored.revision);
    Err(Error::conflict(message, Vec::new()))
}

fn overtaken(seen: u64, stored: u64) -> Error {
    let message = format!("The checkpoint is at revision {stored}, not {seen}; load again");
    Error::conflict(message, Vec::new())
}

/// That there is no checkpoint; where its history is kept, with what brings it back.
pub(super) async fn missing(io: &Io, settings: &Settings, target: &Target) -> Error {
    lost(io, settings, target)
        .await
        .unwrap_or_else(|| target.missing())
}

/// The same, for a checkpoint that is gone though its history is kept; `None` for any other.
pub(crate) async fn lost(io: &Io, settings: &Settings, target: &Target) -> Option<Error> {
    let opened = Opened::open(io, settings, target).await.ok()?;
    let kept = opened.slot.revisions().await;
    if kept.ok()?.is_empty() {
        return None;
    }
    Some(
        Error::not_found(format!("{}, but its history is kept", target.missing()))
            .with_advice(Advice::Recover(target.clone())),
    )
}

/// Writes the content of a good revision, the newest one or `to`, in the place of a checkpoint that
/// is corrupt, or gone though it has a history. A corrupt file is kept in quarantine.
///
/// Fails with `not_found` when the checkpoint can be read, when there never was one, and when no
/// such revision is kept; and as [`undo`] does.
pub async fn recover(
    io: &Io,
    settings: &Settings,
    target: &Target,
    to: Option<u64>,
) -> Reply<Recovered> {
    let result = async {
        let opened = Opened::open(io, settings, target).await?;
        let now = opened.now().await?;
        let mut accept = |object: Object| opened.restorable(object, &now);
        let wanted = to.map_or(Wanted::Below(u64::MAX), Wanted::Exactly);
        let recovered = opened.slot.recover(wanted, &mut accept).await?;
        Ok(Recovered {
            restored: Restored {
                revision: recovered.committed.stamp.revision,
                seal: recovered.committed.stamp.seal,
                restored: recovered.from,
                changed: true,
            },
            quarantined: recovered.quarantined,
        })
    };
    Noticed::default().reply_about(target, result.await)
}

/// Removes old revisions at once: all but so many, and those older than so many days, as the place
/// has it where nothing is given. The newest ten always stay.
///
/// Fails with `usage` for fewer than ten, `not_found` when there is no checkpoint, and as
/// [`super::load`] does.
pub async fn trim(
    io: &Io,
    settings: &Settings,
    target: &Target,
    revisions: Option<u64>,
    days: Option<u64>,
) -> Reply<Trimmed> {
    let result = async {
        let retention = settings.history.with(revisions, days)?;
        let opened = Opened::open(io, settings, target).await?;
        // The history of a lost document is what it is recovered from.
        let stored = opened.slot.read().await?;
        let document = stored.document.ok_or_else(|| target.missing())?;
        opened.expect_own(&document.object)?;
        opened.slot.trim(retention).await
    };
    Noticed::default().reply_about(target, result.await)
}

impl Opened<'_> {
    /// An earlier content as a document to write.
    fn restorable(&self, mut object: Object, now: &str) -> Result<Object, Error> {
        self.expect_own(&object)?;
        object.remove("revision");
        object.remove("seal");
        object.set("updated_at", now);
        Ok(Checkpoint::try_from_json(Json::Object(object))?.into_object())
    }
}

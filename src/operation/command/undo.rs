//! An earlier revision as the next one.

use crate::effect::Io;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::reply::about;
use crate::operation::row::{
    Answering, Arguments, COMMAND, FEATURE, Operation, REVISION, SEAL, optional, required, shape,
};
use crate::operation::{Noticed, Reply, Settings, Target};
use crate::schema::{Field, Kind, Shape};
use crate::store::{Change, Current, Mark, Stamp, Wanted};

use super::opened::{Opened, change, missing, updated_at};

pub(super) const OPERATION: Operation = Operation::at(
    "undo",
    "Writes the content of an earlier revision as the next one.",
    &ARGUMENTS,
    Kind::Object(&RESTORED),
    perform,
);

const ARGUMENTS: Shape = shape(
    "UndoArguments",
    "Which checkpoint, what to go back to, and from where.",
    &[
        COMMAND,
        FEATURE,
        optional(
            "to",
            &Kind::Integer,
            "The revision to go back to; without it, the newest good one before the present one.",
        ),
        optional(
            "revision",
            &Kind::Integer,
            "The revision that was seen; without it, the present one.",
        ),
        optional(
            "seal",
            &Kind::String,
            "The seal of the revision that was seen.",
        ),
    ],
);

pub(super) const FROM: Field = required(
    "restored",
    Kind::Integer,
    "The revision that it has the content of.",
);
pub(super) const CHANGED: Field =
    required("changed", Kind::Boolean, "Whether anything was written.");

const RESTORED: Shape = shape(
    "Restored",
    "A checkpoint that has the content of an earlier revision.",
    &[REVISION, SEAL, FROM, CHANGED],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    Box::pin(async move {
        let seen = (
            arguments.number("revision"),
            arguments.optional_text("seal"),
        );
        let seen = match seen {
            (None, None) => None,
            (Some(revision), Some(seal)) => Some(Seen::State(Stamp {
                revision,
                seal: seal.to_owned(),
            })),
            _ => {
                let error = "Expected `revision` and `seal` together: they name the state that was \
                             seen";
                return Noticed::default().reply(Err(Error::usage(error.to_owned())));
            }
        };
        let to = arguments.number("to");
        let target = arguments.target();
        undo(io, settings, &target, &Undo { to, seen })
            .await
            .map(Json::from)
    })
}

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

impl From<Restored> for Json {
    fn from(restored: Restored) -> Self {
        Object::new()
            .with("revision", restored.revision)
            .with("seal", restored.seal)
            .with("restored", restored.restored)
            .with("changed", restored.changed)
            .into()
    }
}

/// Writes the content of an earlier revision as the next one, so that an undo can be undone.
///
/// It is a compare-and-swap: what another writer made of the checkpoint meanwhile is a `conflict`.
/// `updated_at` is now; `head_commit` stays as it was recorded, for the content was true at that
/// commit. A revision that is altered, or so broken that nothing could change it, is passed over unless
/// it is asked for; what else it had wrong is a warning. Fails with `not_found` when there is no checkpoint or no such revision, `invalid_name`,
/// `invalid_document`, `summary_too_long`, `unsupported_version`, `corrupt`, `conflict`, `busy`,
/// `unsafe_path`, `too_large`, `io`.
pub async fn undo(io: &Io, settings: &Settings, target: &Target, undo: &Undo) -> Reply<Restored> {
    about(target, async |noticed| {
        let opened = Opened::open(io, settings, target).await?;
        let slot = &opened.slot;
        let stored = slot.read().await?;
        let Some(document) = stored.document else {
            return Err(missing(&opened, target).await);
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
            let stored = current.document.ok_or_else(|| Error::no_checkpoint(target))?;
            expect_seen(seen, &stored.stamp)?;
            let Some(content) = &content else {
                return Ok(Change::Keep);
            };
            let mut content = content.clone();
            content.set("updated_at", updated_at(&now, current));
            Ok(change(content, current))
        };
        let committed = opened.commit(None, &mut decide).await?;
        if let Some(before) = &committed.before {
            opened.notice(before, committed.had_side, noticed).await;
        }
        opened.notice_left(noticed);
        Ok(Restored {
            revision: committed.stamp.revision,
            seal: committed.stamp.seal,
            restored,
            changed: committed.changed,
        })
    })
    .await
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

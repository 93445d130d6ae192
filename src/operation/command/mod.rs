//! Command checkpoints: load, save, phases, completion, resume points, the gate.

mod opened;
pub mod overview;
pub mod repair;
pub mod revisions;

use crate::checkpoint::command::document::{self, Checkpoint};
use crate::checkpoint::command::{gate, merge, phases, resume};
use crate::effect::Io;
use crate::error::{Error, WarningCode};
use crate::json::{Json, Object, Pointer};
use crate::schema::{Problem, ProblemCode};
use crate::store::{Change, Committed, Current, Document, Origin, Stamp};

use super::{Noticed, Reply, Settings, Target, text};
use crate::root::Head;
use opened::Opened;
use repair::missing;

/// A checkpoint as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The document, with its revision and seal.
    pub object: Object,
    /// The same as text, exactly as stored where the store wrote it.
    pub text: String,
    /// Its revision.
    pub revision: u64,
    /// Its seal.
    pub seal: String,
}

/// A checkpoint after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The stored document, with its revision and seal.
    pub object: Object,
    /// Its revision.
    pub revision: u64,
    /// Its seal.
    pub seal: String,
    /// Whether another writer's change since the base was merged in.
    pub merged: bool,
    /// Whether anything was written.
    pub changed: bool,
}

/// What changes with one phase.
#[derive(Clone, Copy, Debug)]
pub struct PhaseUpdate<'a> {
    /// The phase's name.
    pub phase: &'a str,
    /// Its fields: those that are given replace, and null removes.
    pub patch: &'a Object,
    /// The task that is being worked on from now on; without it, the stored one stays.
    pub task: Option<&'a str>,
}

impl PhaseUpdate<'_> {
    fn apply(&self, mut checkpoint: Checkpoint, now: &str) -> Result<Object, Error> {
        phases::update(&mut checkpoint, self.phase, self.patch, now)?;
        let mut object = checkpoint.into_object();
        if let (Some(task), Some(Json::Object(state))) = (self.task, object.get_mut("state")) {
            state.set("current_task", task);
        }
        Ok(object)
    }
}

/// Loads a checkpoint; `None` when there is none.
///
/// Warns `stale`, `untrusted_origin`, `edited_by_hand`, `duplicate_key`, `text_replaced`,
/// `head_unreadable`, `invalid_document`. Fails with `invalid_name`, `corrupt`, `conflict`,
/// `unsafe_path`, `too_large`, `io`.
pub async fn load(io: &Io, settings: &Settings, target: &Target) -> Reply<Option<Loaded>> {
    let mut noticed = Noticed::default();
    let result = load_noticing(io, settings, target, &mut noticed).await;
    noticed.reply_about(target, result.map(|found| found.map(|(loaded, _)| loaded)))
}

async fn load_noticing(
    io: &Io,
    settings: &Settings,
    target: &Target,
    noticed: &mut Noticed,
) -> Result<Option<(Loaded, Head)>, Error> {
    let opened = Opened::open(io, settings, target).await?;
    let stored = opened.slot.read().await?;
    match stored.document {
        None => Ok(None),
        Some(document) => {
            let present = present(&opened, *document, stored.has_side, noticed).await;
            present.map(Some)
        }
    }
}

/// The checkpoint as it is stored at present.
async fn present(
    opened: &Opened<'_>,
    document: Document,
    has_side: bool,
    noticed: &mut Noticed,
) -> Result<(Loaded, Head), Error> {
    opened.expect_own(&document.object)?;
    opened.notice(&document, has_side, noticed).await;
    let object = document.stamped();
    notice_problems(&opened.shown(), &object, noticed);
    let head = opened.head(noticed).await;
    if let (Some(saved), Head::Commit(current)) =
        (object.get("head_commit").and_then(Json::as_str), &head)
        && saved != current
    {
        noticed.warn(
            WarningCode::Stale,
            format!(
                "Checkpoint is stale (saved at {}, current HEAD is {})",
                short(saved),
                short(current)
            ),
        );
    }
    let text = match document.origin {
        // What the store wrote is UTF-8.
        Origin::Store => String::from_utf8(document.bytes).unwrap_or_else(|_| object.to_document()),
        Origin::Elsewhere | Origin::Edited => object.to_document(),
    };
    let Stamp { revision, seal } = document.stamp;
    let loaded = Loaded {
        object,
        text,
        revision,
        seal,
    };
    Ok((loaded, head))
}

/// Warns of a document that breaks its schema.
pub(super) fn notice_problems(what: &str, object: &Object, noticed: &mut Noticed) {
    let problems = document::problems(&Json::Object(object.clone()));
    if let Some(first) = problems.first() {
        let count = problems.len();
        let noun = if count == 1 { "problem" } else { "problems" };
        noticed.warn(
            WarningCode::InvalidDocument,
            format!("{what} breaks its schema ({count} {noun}; first: {first})"),
        );
    }
}

/// Saves a whole document, given as JSON text.
///
/// With a `revision` and `seal` it is a compare-and-swap, and merges what others changed since;
/// without them it replaces the document. Fails with `invalid_name`, `invalid_document`,
/// `summary_too_long`, `unsupported_version`, `corrupt`, `conflict`, `busy`, `unsafe_path`,
/// `too_large`, `io`; then nothing was written, unless the message of `io` says otherwise.
pub async fn save(io: &Io, settings: &Settings, target: &Target, text: &str) -> Reply<Saved> {
    let mut noticed = Noticed::default();
    let result = save_noticing(io, settings, target, text, &mut noticed).await;
    noticed.reply_about(target, result)
}

async fn save_noticing(
    io: &Io,
    settings: &Settings,
    target: &Target,
    text: &str,
    noticed: &mut Noticed,
) -> Result<Saved, Error> {
    let opened = Opened::open(io, settings, target).await?;
    opened.expect_known_place().await?;
    let mut given = text::parse_document(text, noticed)?;
    let base = take_stamp(&mut given)?;
    let moment = opened.moment(noticed).await?;
    document::fill(
        &mut given,
        opened.command,
        target.feature.as_deref(),
        &moment.now,
    )?;
    let given = Checkpoint::try_from_json(Json::Object(given))?.into_object();

    let mut merged = false;
    let mut decide = |current: &Current<'_>| {
        merged = false;
        opened.expect_own_current(current)?;
        let next = match (&base, current.document) {
            (None, _) => given.clone(),
            (Some(base), Some(document)) if *base == document.stamp => given.clone(),
            (Some(base), _) => {
                merged = true;
                merge_since(base, &given, current)?
            }
        };
        moment.sign(next, current)
    };
    let committed = opened
        .update(base.as_ref(), &mut decide, &moment.head, noticed)
        .await?;
    Ok(Saved {
        merged,
        ..saved(*committed)
    })
}

/// Three-way merge of what the caller made of `base` with what is stored now.
fn merge_since(base: &Stamp, given: &Object, current: &Current<'_>) -> Result<Object, Error> {
    let conflict = |message: String| Error::conflict(message, Vec::new());
    let Some(document) = current.document else {
        return Err(conflict(format!(
            "The checkpoint of revision {} does not exist any more; save without `revision` to \
             write it anew",
            base.revision
        )));
    };
    let stored = document.stamp.revision;
    if base.revision > stored {
        return Err(conflict(format!(
            "Revision {} is not stored yet, the newest is {stored}; load again",
            base.revision
        )));
    }
    let Some(mut before) = current.base.cloned() else {
        return Err(conflict(format!(
            "Revision {} with this seal is not in the history any more, the newest is {stored}; \
             load again",
            base.revision
        )));
    };
    let mut theirs = document.object.clone();
    for object in [&mut before, &mut theirs] {
        object.remove("revision");
        object.remove("seal");
    }
    merge::merge(&before, given, &theirs).map_err(|fields| {
        let message = format!(
            "Revision {stored} changed the same fields since revision {}; load again",
            base.revision
        );
        let fields = fields.iter().map(|field| field.as_str().to_owned());
        Error::conflict(message, fields.collect())
    })
}

/// Changes one phase, and the state with it; creates the checkpoint when there is none.
///
/// Fails as [`save`] does.
pub async fn update_phase(
    io: &Io,
    settings: &Settings,
    target: &Target,
    update: &PhaseUpdate<'_>,
) -> Reply<Saved> {
    let mut noticed = Noticed::default();
    let result = update_noticing(io, settings, target, update, &mut noticed).await;
    noticed.reply_about(target, result.map(|committed| saved(*committed)))
}

async fn update_noticing(
    io: &Io,
    settings: &Settings,
    target: &Target,
    update: &PhaseUpdate<'_>,
    noticed: &mut Noticed,
) -> Result<Box<Committed>, Error> {
    let opened = Opened::open(io, settings, target).await?;
    opened.expect_known_place().await?;
    let moment = opened.moment(noticed).await?;
    let new = || Checkpoint::new(opened.command, target.feature.as_deref(), &moment.now);
    // A patch that cannot be applied anywhere is refused before any file is touched.
    update.apply(new(), &moment.now)?;

    let mut decide = |current: &Current<'_>| {
        opened.expect_own_current(current)?;
        let checkpoint = match current.document {
            Some(document) => Checkpoint::try_from_json(Json::Object(document.stamped()))?,
            None => new(),
        };
        moment.sign(update.apply(checkpoint, &moment.now)?, current)
    };
    opened
        .update(None, &mut decide, &moment.head, noticed)
        .await
}

/// Marks a checkpoint as complete; completing again changes nothing.
///
/// Fails with `not_found` when there is none, and as [`save`] does.
pub async fn complete(io: &Io, settings: &Settings, target: &Target) -> Reply<Saved> {
    let mut noticed = Noticed::default();
    let result = complete_noticing(io, settings, target, &mut noticed).await;
    noticed.reply_about(target, result.map(|committed| saved(*committed)))
}

async fn complete_noticing(
    io: &Io,
    settings: &Settings,
    target: &Target,
    noticed: &mut Noticed,
) -> Result<Box<Committed>, Error> {
    let opened = Opened::open(io, settings, target).await?;
    // Looked for first, so that asking for a missing one makes no folder.
    if opened.slot.read().await?.document.is_none() {
        return Err(missing(io, settings, target).await);
    }
    let moment = opened.moment(noticed).await?;
    let mut decide = |current: &Current<'_>| {
        opened.expect_own_current(current)?;
        let document = current.document.ok_or_else(|| target.missing())?;
        let mut checkpoint = Checkpoint::try_from_json(Json::Object(document.stamped()))?;
        match phases::complete(&mut checkpoint, &moment.now) {
            true => moment.sign(checkpoint.into_object(), current),
            false => Ok(Change::Keep),
        }
    };
    opened
        .update(None, &mut decide, &moment.head, noticed)
        .await
}

/// Where to go on: both parts `None` without a checkpoint, or when it is complete.
///
/// Warns and fails as [`load`] does.
pub async fn resume_point(
    io: &Io,
    settings: &Settings,
    target: &Target,
) -> Reply<resume::ResumePoint> {
    let reply = load(io, settings, target).await;
    let point = |loaded: Option<Loaded>| match loaded {
        Some(loaded) => resume::point(&loaded.object),
        None => resume::ResumePoint {
            phase: None,
            summary: None,
        },
    };
    Reply {
        result: reply.result.map(point),
        warnings: reply.warnings,
    }
}

/// Whether `/ship` may go on.
///
/// Fails with `not_found` when there is no checkpoint, and as [`load`] does.
pub async fn gate(io: &Io, settings: &Settings, target: &Target) -> Reply<gate::Verdict> {
    let mut noticed = Noticed::default();
    let result = match load_noticing(io, settings, target, &mut noticed).await {
        Ok(Some((loaded, Head::Commit(head)))) => Ok(gate::check(&loaded.object, Some(&head))),
        Ok(Some((loaded, _))) => Ok(gate::check(&loaded.object, None)),
        Ok(None) => Err(missing(io, settings, target).await),
        Err(error) => Err(error),
    };
    noticed.reply_about(target, result)
}

fn saved(committed: Committed) -> Saved {
    let Stamp { revision, seal } = committed.stamp;
    Saved {
        object: committed.object,
        revision,
        seal,
        merged: false,
        changed: committed.changed,
    }
}

fn short(commit: &str) -> String {
    commit.chars().take(7).collect()
}

/// Takes `revision` and `seal` out of a document that a caller hands in; they name its base.
fn take_stamp(object: &mut Object) -> Result<Option<Stamp>, Error> {
    let given = |value: Option<Json>| value.filter(|value| *value != Json::Null);
    let problem = |key: &str, message: &str| {
        Err(Error::invalid_document(vec![Problem {
            at: Pointer::root().key(key),
            code: ProblemCode::Type,
            message: message.to_owned(),
        }]))
    };
    let seal = given(object.remove("seal"));
    let revision = given(object.remove("revision"));
    match (revision, seal) {
        (None, None) => Ok(None),
        (Some(revision), Some(Json::String(seal))) => match revision.as_u64() {
            Some(revision) => Ok(Some(Stamp { revision, seal })),
            None => problem("revision", "expected the number that was loaded, unchanged"),
        },
        (None, Some(_)) => problem("revision", "expected the revision that came with the seal"),
        (Some(_), _) => problem(
            "seal",
            "expected the seal that came with the revision; leave both out to replace the document",
        ),
    }
}

//! The steps that a rename leaves to the process that meets its tombstone. They are those of [`super::rename`].

use crate::checkpoint::command::tombstone::{self, Move, came_from, renamed};
use crate::effect::{Io, boxed};
use crate::error::whole;
use crate::error::{Code, Error};
use crate::extent::WRITES;
use crate::json::{Json, Object};
use crate::operation::{Settings, Target};
use crate::store::{
    Change, Current, Document, DocumentWrite, RecordedContent, Revision, Stamp, VersionedDocument,
};
use crate::time;

use super::names::{self, expect_own, versioned_document};

/// Finishes the rename that this tombstone is of, which stands in the place of `former`.
///
/// # Errors
///
/// `conflict` when another checkpoint began under the new name: then this one is back under the
/// former one. `not_found` when what the tombstone replaced is not kept. What a read or write of
/// either fails with.
pub(super) async fn finish(
    io: &Io,
    settings: &Settings,
    former: &VersionedDocument<'_>,
    target: &Target,
    document: &Document,
) -> Result<(), Error> {
    whole::needed()?;
    if !WRITES {
        let path = former.shown();
        let message =
            format!("The rename of {path} is unfinished, and nothing can be written here");
        return Err(Error::io("create", path, message));
    }
    let Some(moving) = tombstone::unfinished_move(&document.object) else {
        return Ok(());
    };
    let stem = names::stem(&target.of_feature(moving.to))?;
    let other = &versioned_document(io, former.folder(), &stem, settings);
    // The writer of the tombstone may have died before it was durable.
    former.make_durable().await?;
    let last = document.stamp.revision - 1;
    let found = replaced(former, target, last, moving.replaced).await?;
    let (revision, object) = found.ok_or_else(|| Error::no_checkpoint(target))?;
    match boxed(publish(other, &revision, &object, moving)).await {
        Err(error) if error.code() == Code::Conflict => {
            replace(former, document, unsealed(object)).await?;
            return Err(error);
        }
        published => published?,
    }
    boxed(copy_history(former, target, other, last, moving.to)).await?;
    // As may who published it, or who replaced that.
    other.make_durable().await?;
    let now = time::format(io.now().await?.wall_ms);
    let finished = tombstone::finished(unsealed(document.object.clone()), &now);
    replace(former, document, finished).await
}

/// The revision that the tombstone replaced. After a loss of power history may have two of one
/// number.
async fn replaced(
    former: &VersionedDocument<'_>,
    target: &Target,
    number: u64,
    seal: &str,
) -> Result<Option<(Revision, Object)>, Error> {
    let revisions = former.revisions().await?;
    for revision in revisions.into_iter().filter(|it| it.number == number) {
        match former.recorded(&revision).await? {
            Some(RecordedContent::Whole(object)) if stamp(&revision, &object).seal == seal => {
                expect_own(target, &object, &former.shown())?;
                return Ok(Some((revision, object)));
            }
            _ => {}
        }
    }
    Ok(None)
}

fn stamp(revision: &Revision, object: &Object) -> Stamp {
    let sealed = revision.stamped(object.clone());
    let seal = sealed.get("seal").and_then(Json::as_str);
    Stamp {
        revision: revision.number,
        seal: seal.unwrap_or_default().to_owned(),
    }
}

/// Step 2. It takes the place that it was to take and no other, so that it is not published once another process has
/// found the name taken.
async fn publish(
    other: &VersionedDocument<'_>,
    revision: &Revision,
    object: &Object,
    moving: Move<'_>,
) -> Result<(), Error> {
    let content = renamed(unsealed(object.clone()), moving.to, moving.replaced);
    let mut decide = |current: &Current<'_>| {
        let over = current.tombstone.map(|it| it.stamp.seal.as_str());
        match current.document {
            Some(document) if came_from(&document.object, moving.replaced) => Ok(Change::Keep),
            None if over == moving.over => Ok(Change::Write(DocumentWrite {
                above: Some(revision.number),
                ..DocumentWrite::new(content.clone())
            })),
            _ => Err(taken(other)),
        }
    };
    match other.update(None, &mut decide).await {
        Err(error) if error.code() == Code::Conflict => {
            match published(other, moving.replaced).await? {
                Some(_) => Ok(()),
                None => Err(error),
            }
        }
        updated => updated.map(drop),
    }
}

/// The state under the new name that goes back to the revision with this seal: the present one, or
/// one that was replaced.
pub(super) async fn published(
    other: &VersionedDocument<'_>,
    seal: &str,
) -> Result<Option<Stamp>, Error> {
    if let Some(document) = other.read().await?.document
        && came_from(&document.object, seal)
    {
        return Ok(Some(document.stamp));
    }
    for revision in other.revisions().await? {
        if let Some(RecordedContent::Whole(object)) = other.recorded(&revision).await?
            && came_from(&object, seal)
        {
            return Ok(Some(stamp(&revision, &object)));
        }
    }
    Ok(None)
}

/// Step 3.
async fn copy_history(
    former: &VersionedDocument<'_>,
    target: &Target,
    other: &VersionedDocument<'_>,
    last: u64,
    to: &str,
) -> Result<(), Error> {
    for revision in former.revisions().await? {
        if revision.number > last {
            continue;
        }
        if let Some(RecordedContent::Whole(object)) = former.recorded(&revision).await?
            && expect_own(target, &object, "").is_ok()
        {
            let mut object = unsealed(object);
            object.set("feature", to);
            let (number, mark) = (revision.number, revision.mark);
            other.add_to_history(number, mark, object).await?;
        }
    }
    Ok(())
}

/// Replaces this very tombstone; where another process has replaced it, nothing is left to do.
async fn replace(
    former: &VersionedDocument<'_>,
    document: &Document,
    next: Object,
) -> Result<(), Error> {
    let mut decide = |current: &Current<'_>| match current.tombstone {
        Some(present) if present.stamp == document.stamp => Ok(Change::write(next.clone())),
        _ => Ok(Change::Keep),
    };
    former.update(None, &mut decide).await.map(drop)
}

/// The failure where the new name of a checkpoint is another one's; the pointer is that of the argument.
pub(super) fn taken(other: &VersionedDocument<'_>) -> Error {
    let message = sentence!("{} is there already: choose another name", other.shown());
    Error::conflict(message, vec!["/to".to_owned()])
}

fn unsealed(mut object: Object) -> Object {
    object.remove("revision");
    object.remove("seal");
    object
}

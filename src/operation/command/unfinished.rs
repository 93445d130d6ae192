//! What a rename leaves to do, for whoever meets its tombstone. The steps are those of
//! [`super::rename`].

use crate::checkpoint::command::tombstone::{self, came_from, renamed};
use crate::effect::Io;
use crate::error::{Code, Error};
use crate::json::{Json, Object};
use crate::operation::{Settings, Target};
use crate::store::{Change, Current, Document, Recorded, Revision, Slot, Wanted, Write};
use crate::time;

use super::names::{self, expect_own, slot};

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
    former: &Slot<'_>,
    target: &Target,
    document: &Document,
) -> Result<(), Error> {
    let Some(to) = tombstone::unfinished_rename(&document.object) else {
        return Ok(());
    };
    let (_, stem) = names::stem(&target.of_feature(to))?;
    let other = &slot(io, former.folder(), &stem, settings);
    let replaced = document.stamp.revision - 1;
    let shown = former.shown();
    let mut accept = |object: Object| expect_own(target, &object, &shown).map(|()| object);
    let picked = former.pick(Wanted::Exactly(replaced), &mut accept).await?;
    let (revision, object) = picked.ok_or_else(|| Error::no_checkpoint(target))?;
    match Box::pin(publish(other, &revision, &object, to)).await {
        Err(error) if error.code() == Code::Conflict => {
            replace(former, document, unsealed(object)).await?;
            return Err(error);
        }
        published => published?,
    }
    Box::pin(copy_history(former, target, other, replaced, to)).await?;
    let clock = io.clock().await;
    let clock = clock.map_err(|failed| failed.cannot_do("read the clock"))?;
    let now = time::format(clock.wall_ms);
    let finished = tombstone::finished(unsealed(document.object.clone()), &now);
    replace(former, document, finished).await
}

/// Step 2. What is there already, by this very rename, stays.
async fn publish(
    other: &Slot<'_>,
    revision: &Revision,
    object: &Object,
    to: &str,
) -> Result<(), Error> {
    let sealed = revision.stamped(object.clone());
    let seal = sealed
        .get("seal")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let content = renamed(unsealed(object.clone()), to, seal);
    let mut decide = |current: &Current<'_>| {
        let is_moving = |it: &Document| tombstone::unfinished_rename(&it.object).is_some();
        match current.document {
            Some(document) if came_from(&document.object, seal) => Ok(Change::Keep),
            Some(_) => Err(taken(other)),
            None if current.tombstone.is_some_and(is_moving) => Err(taken(other)),
            None => Ok(Change::Write(Write {
                above: Some(revision.number),
                ..Write::new(content.clone())
            })),
        }
    };
    match other.update(None, &mut decide).await {
        Err(_) if has_come(other, seal).await? => Ok(()),
        updated => updated.map(drop),
    }
}

/// Whether the revision of this seal was published here, though the present document does not say so.
async fn has_come(other: &Slot<'_>, seal: &str) -> Result<bool, Error> {
    for revision in other.revisions().await? {
        if let Some(Recorded::Whole(object)) = other.recorded(&revision).await?
            && came_from(&object, seal)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Step 3.
async fn copy_history(
    former: &Slot<'_>,
    target: &Target,
    other: &Slot<'_>,
    last: u64,
    to: &str,
) -> Result<(), Error> {
    for revision in former.revisions().await? {
        if revision.number > last {
            continue;
        }
        if let Some(Recorded::Whole(object)) = former.recorded(&revision).await?
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

/// Replaces this very tombstone; where somebody else has replaced it, nothing is left to do.
async fn replace(former: &Slot<'_>, document: &Document, next: Object) -> Result<(), Error> {
    let mut decide = |current: &Current<'_>| match current.tombstone {
        Some(present) if present.stamp == document.stamp => Ok(Change::write(next.clone())),
        _ => Ok(Change::Keep),
    };
    former.update(None, &mut decide).await.map(drop)
}

/// That the new name of a checkpoint is another one's.
pub(super) fn taken(other: &Slot<'_>) -> Error {
    let message = format!("{} is there already: choose another name", other.shown());
    Error::conflict(message, vec!["/feature".to_owned()])
}

fn unsealed(mut object: Object) -> Object {
    object.remove("revision");
    object.remove("seal");
    object
}

//! Snapshots that hooks make without being asked: one of a session is enough where nothing was done since.

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::register;
use crate::digest::digest;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::Warnings;

use super::snapshot_store::{SnapshotLocation, SnapshotStore};

/// The last one that a hook made is looked for among so many.
const MOST_READ: usize = 30;

/// The part that two checkpoints of one session share where nothing was done between them: everything except the
/// revision that they were made of, because a commit can change times alone.
pub(super) fn work_in(document: &Object) -> String {
    let mut work = document.clone();
    work.remove("checkpoint");
    work.remove("reason");
    digest(&[Json::Object(work).to_line().as_bytes()])
}

/// The last checkpoint that a hook made, in this session or in any, where the work was the same.
pub(super) async fn last_of(
    store: &SnapshotStore<'_>,
    by: &Object,
    work: &str,
) -> Result<Option<SnapshotLocation>, Error> {
    let text = |of: &Object, key: &str| of.get(key).and_then(Json::as_str).map(str::to_owned);
    let mut is_newest = true;
    for known in store.ids(false).await?.into_iter().rev().take(MOST_READ) {
        // A checkpoint that cannot be read, or is gone, does not count.
        let session = store.read(known.id).await.ok();
        let made_by = session.as_ref().and_then(|it| it.document.get("made_by"));
        let Some(made_by) = made_by.and_then(Json::as_object) else {
            continue;
        };
        let is_own = text(made_by, "session") == text(by, "session");
        if (is_own || is_newest) && text(made_by, "work").as_deref() == Some(work) {
            return Ok(Some(known));
        }
        if is_own {
            return Ok(None);
        }
        is_newest = false;
    }
    Ok(None)
}

/// Notes that a hook made it, so that it counts apart. Where its maker dies before, it counts as one that was asked
/// for.
pub(super) async fn note_hook(
    store: &SnapshotStore<'_>,
    id: SnapshotId,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let mut note = |register: &Object| {
        let is_noted = register::by_hooks(register).contains(&id);
        Ok((!is_noted).then(|| register::with_hook(register, id)))
    };
    super::register::commit(store, &mut note, warnings).await
}

//! Removing a document for what is in it, so that nothing goes that came since.
//!
//! Among files a folder is renamed by its name, and what is in it then goes along. So the removal is committed first,
//! in the place of the index: no reader sees a document there any more, and no writer commits another index over it.
//! The next writer moves the folder away as the remover does, and begins the document again. All of them move it to one
//! place, which is named in the commit, and a folder is not renamed to where one with files in it is: of the movers
//! only the first succeeds, and none takes away what came after. The folder stays there for a day, which is longer than
//! a mover sleeps between two effects.

use super::files::{self, Attempt};
use super::index::ManifestFolder;
use super::name::{self, removals, removed_ms};
use super::plan::Unwanted;
use super::records::Changed;
use super::remove;
use super::whole::{OnDamage, whole};
use crate::error::Error;
use crate::store::MAX_DOCUMENTS;
use crate::store::location::{SIDE, Stem};

/// A folder stays so long where it was moved to.
const KEPT_MS: f64 = 24.0 * 60.0 * 60.0 * 1_000.0;

/// So many of them go with one deletion.
const MOST_FORGOTTEN: usize = 8;

/// Makes one try to remove a document that is unwanted; the token is unique, and used once.
pub(super) async fn remove_if(
    location: &ManifestFolder<'_>,
    document: &Stem,
    (token, now_ms): (&str, f64),
    is_unwanted: &mut Unwanted<'_>,
) -> Result<bool, Error> {
    let Some(state) = whole(location, document, OnDamage::Leave).await? else {
        return Ok(false);
    };
    if let Some(removal) = &state.removal {
        return remove::finish(location, document, removal).await;
    }
    let journal = state.index.as_ref().and_then(|it| it.journal.as_ref());
    let has_loss = journal.is_some_and(|it| it.loss.is_some());
    if has_loss || !state.index.as_ref().is_some_and(is_unwanted) {
        return Ok(false);
    }
    let removal = name::removal(now_ms, token);
    match files::commit_removal(location, document, &state, &removal, token).await? {
        Attempt::Done(Changed::Written(_)) => remove::finish(location, document, &removal).await,
        _ => Ok(false),
    }
}

/// Removes some of the folders that were moved away long ago.
pub(super) async fn forget(location: &ManifestFolder<'_>, now_ms: f64) -> Result<(), Error> {
    let ManifestFolder { io, folder, .. } = location;
    let removals = removals();
    folder
        .expect_folders(io, &[folder.shown(SIDE), folder.shown(&removals)])
        .await?;
    let (mut names, _) = folder.some_names(io, &removals, MAX_DOCUMENTS).await?;
    names.retain(|it| removed_ms(it).is_some_and(|it| (now_ms - it).abs() > KEPT_MS));
    names.truncate(MOST_FORGOTTEN);
    if !names.is_empty() {
        remove::settle(location).await?;
    }
    for name in names {
        remove::remove_tree(location, folder, &format!("{removals}/{name}")).await?;
    }
    Ok(())
}

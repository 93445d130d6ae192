//! Removing whole documents among files.

use super::index::ManifestFolder;
use super::keys;
use super::name::{PartMark, PartName, removals, trash};
use super::state;
use crate::digest;
use crate::effect::{Failed, Fault, PathKind};
use crate::error::{Code, Error, Written};
use crate::store::MAX_DOCUMENTS;
use crate::store::location::{SIDE, Stem, StoreFolder, make_below, while_shared};
use crate::store::write::new_id;

/// Folders in folders, in what was removed; the store makes fewer.
const MAX_DEPTH: usize = 8;

/// Removes a document with all that is in its folder, the right to commit of every writer at work too.
/// Returns whether it was there.
pub(super) async fn remove(location: &ManifestFolder<'_>, name: &Stem) -> Result<bool, Error> {
    let was_there = match state::read(location, name).await {
        Ok(state) => {
            if let Some(removal) = state.as_ref().and_then(|it| it.removal.as_deref()) {
                finish(location, name, removal).await?;
                return Ok(false);
            }
            state.is_some_and(|it| it.index.is_some())
        }
        // A document that cannot be read can be removed.
        Err(error) => match error.code() {
            Code::Corrupt | Code::TooLarge => true,
            _ => return Err(error),
        },
    };
    let is_gone = move_away(location, name).await?;
    empty_trash(location).await;
    Ok(was_there && is_gone)
}

/// Moves the folder of a document to the trash, durably; `false` if it has none.
pub(super) async fn move_away(location: &ManifestFolder<'_>, name: &Stem) -> Result<bool, Error> {
    move_to(location, name, None).await
}

/// Moves the folder of a document away whose removal is committed; `false` where another one did.
pub(super) async fn finish(
    location: &ManifestFolder<'_>,
    name: &Stem,
    removal: &str,
) -> Result<bool, Error> {
    let moved = move_to(location, name, Some(removal)).await;
    let Err(error) = moved else {
        return moved;
    };
    let state = location.read(name).await?;
    match state.and_then(|it| it.removal).as_deref() == Some(removal) {
        true => Err(error),
        false => Ok(false),
    }
}

/// Moves the folder of a document to the place that its removal names, or to the trash, durably; `false` if it has
/// none.
async fn move_to(
    location: &ManifestFolder<'_>,
    name: &Stem,
    removal: Option<&str>,
) -> Result<bool, Error> {
    let ManifestFolder { io, folder, .. } = location;
    let entries = folder.inspect(io, &[folder.shown(name.as_str())]).await?;
    if entries[0].kind == PathKind::Absent {
        return Ok(false);
    }
    folder
        .expect_folders(io, &[folder.shown(SIDE), folder.shown(name.as_str())])
        .await?;
    make_below(io, folder, SIDE).await?;
    let (into, to) = match removal {
        Some(removal) => (removals(), removal.to_owned()),
        None => {
            let id = new_id(io).await?;
            (trash(), format!("{}.{id}", name.as_str()))
        }
    };
    make_below(io, folder, &into).await?;
    let to = folder.host(&format!("{into}/{to}"));
    let from = folder.host(name.as_str());
    match while_shared(io, || io.rename(from.clone(), to.clone())).await {
        Ok(()) => {}
        Err(Failed {
            fault: Fault::NotFound,
            ..
        }) => return Ok(false),
        Err(failed) => return Err(folder.error("remove", name.as_str(), &failed)),
    }
    let synced = location.sync(folder, "").await;
    synced.map_err(|error| error.with_written(Written::Yes))?;
    Ok(true)
}

/// Removes what is in the trash, as far as that can be done: what is left stays for the next one.
async fn empty_trash(location: &ManifestFolder<'_>) {
    let trashed = trashed(location).await.unwrap_or_default();
    if trashed.is_empty() || settle(location).await.is_err() {
        return;
    }
    for removed in trashed {
        let _ = empty(location, &removed).await;
    }
}

/// Makes durable that the content of the trash is gone from its place. The process that put it
/// there may have died before that, and nothing of a document may be removed that a loss of power
/// could bring back.
pub(super) async fn settle(location: &ManifestFolder<'_>) -> Result<(), Error> {
    location.sync(location.folder, "").await
}

/// A document on its way out.
pub(super) struct Trashed {
    /// The present place of its folder.
    pub(super) below: String,
    /// Its former name.
    pub(super) name: Stem,
}

/// Returns the documents that were removed, and are still there.
pub(super) async fn trashed(location: &ManifestFolder<'_>) -> Result<Vec<Trashed>, Error> {
    let ManifestFolder { io, folder, .. } = location;
    folder
        .expect_folders(io, &[folder.shown(SIDE), folder.shown(&trash())])
        .await?;
    let entries = folder.names(io, &trash(), MAX_DOCUMENTS).await?;
    let trashed = entries.iter().filter_map(|entry| {
        let name = entry.rsplit_once('.').filter(|(_, id)| digest::is_id(id));
        Some(Trashed {
            below: format!("{}/{entry}", trash()),
            name: Stem::new(name?.0.to_owned()).ok()?,
        })
    });
    Ok(trashed.collect())
}

/// Removes the marks of a document that is in the trash, and then its folder.
pub(super) async fn empty(location: &ManifestFolder<'_>, removed: &Trashed) -> Result<(), Error> {
    let Trashed { below, name } = removed;
    for part in parts_of(location, below).await? {
        // Found by the part, which goes after it.
        keys::remove(location, &PartMark::new(name, &part)).await?;
    }
    remove_tree(location, location.folder, below).await
}

/// The parts in a folder.
pub(super) async fn parts_of(
    location: &ManifestFolder<'_>,
    below: &str,
) -> Result<Vec<PartName>, Error> {
    let ManifestFolder { io, folder, .. } = location;
    folder.expect_folders(io, &[folder.shown(below)]).await?;
    let files = folder.names(io, below, MAX_DOCUMENTS).await?;
    let parts = files.iter().filter_map(|file| PartName::of_file(file));
    Ok(parts.collect())
}

/// Removes a folder with all that is in it, as far as that can be done.
pub(super) async fn remove_tree(
    location: &ManifestFolder<'_>,
    folder: &StoreFolder,
    below: &str,
) -> Result<(), Error> {
    let io = location.io;
    let mut folders = vec![below.to_owned()];
    let mut at = 0;
    while let Some(below) = folders.get(at).cloned() {
        at += 1;
        let names = folder.names(io, &below, MAX_DOCUMENTS).await?;
        let paths: Vec<String> = names.iter().map(|name| format!("{below}/{name}")).collect();
        let shown: Vec<String> = paths.iter().map(|path| folder.shown(path)).collect();
        let entries = folder.inspect(io, &shown).await?;
        for (path, entry) in paths.into_iter().zip(entries) {
            match entry.kind {
                PathKind::Folder if path.split('/').count() <= MAX_DEPTH => folders.push(path),
                // A symbolic link goes, and not what it leads to.
                _ => drop(io.remove(folder.host(&path)).await),
            }
        }
    }
    for below in folders.iter().rev() {
        match io.remove_folder(folder.host(below)).await {
            // Another process removes it too.
            Err(failed) if failed.fault != Fault::NotFound => {
                return Err(folder.error("remove", below, &failed));
            }
            _ => {}
        }
    }
    Ok(())
}

//! Removing whole documents among files, and what nobody needs any more.

use super::index::Place;
use super::keys;
use super::name::{self, Mark, trash};
use super::part::{self, Age};
use super::plan::difference;
use crate::digest;
use crate::effect::{Failed, Fault, Kind};
use crate::error::{Code, Error, Written};
use crate::store::MAX_DOCUMENTS;
use crate::store::place::{Folder, SIDE, Stem, make_below, while_shared};
use crate::store::write::new_id;

/// Folders in folders, in what was removed; the store makes fewer.
const MAX_DEPTH: usize = 8;

/// Removes a document with all that is in its folder, the right to commit of every writer at work too.
/// Whether it was there.
pub(super) async fn remove(place: &Place<'_>, name: &Stem) -> Result<bool, Error> {
    let was_there = match place.read(name).await {
        Ok(state) => state.is_some_and(|it| it.index.is_some()),
        // What cannot be read can be removed.
        Err(error) => match error.code() {
            Code::Corrupt | Code::TooLarge => true,
            _ => return Err(error),
        },
    };
    let is_gone = move_away(place, name).await?;
    empty_trash(place).await;
    Ok(was_there && is_gone)
}

/// Moves the folder of a document to the trash, durably; `false` where there is none.
async fn move_away(place: &Place<'_>, name: &Stem) -> Result<bool, Error> {
    let Place { io, folder, .. } = place;
    let entries = folder.inspect(io, &[folder.shown(name.as_str())]).await?;
    if entries[0].kind == Kind::Absent {
        return Ok(false);
    }
    folder
        .expect_folders(io, &[folder.shown(SIDE), folder.shown(name.as_str())])
        .await?;
    make_below(io, folder, SIDE).await?;
    make_below(io, folder, &trash()).await?;
    let to = format!("{}/{}.{}", trash(), name.as_str(), new_id(io).await?);
    let (from, to) = (folder.host(name.as_str()), folder.host(&to));
    match while_shared(io, || io.rename(from.clone(), to.clone())).await {
        Ok(()) => {}
        Err(Failed {
            fault: Fault::NotFound,
            ..
        }) => return Ok(false),
        Err(failed) => return Err(folder.error("remove", name.as_str(), &failed)),
    }
    let synced = place.sync(folder, "").await;
    synced.map_err(|error| error.with_written(Written::Yes))?;
    Ok(true)
}

/// Removes what is in the trash, as far as that can be done: what is left stays for the next one.
async fn empty_trash(place: &Place<'_>) {
    let Place { io, folder, .. } = place;
    if folder
        .expect_folders(io, &[folder.shown(SIDE), folder.shown(&trash())])
        .await
        .is_err()
    {
        return;
    }
    let Ok(entries) = folder.names(io, &trash(), MAX_DOCUMENTS).await else {
        return;
    };
    for entry in entries {
        let below = format!("{}/{entry}", trash());
        let name = entry.rsplit_once('.').filter(|(_, id)| digest::is_id(id));
        if let Some(name) = name.and_then(|(name, _)| Stem::new(name.to_owned()).ok()) {
            let _ = empty(place, &below, &name).await;
        }
    }
}

/// Removes the marks of a document that is in the trash, and then its folder.
async fn empty(place: &Place<'_>, below: &str, name: &Stem) -> Result<(), Error> {
    let Place { io, folder, .. } = place;
    folder.expect_folders(io, &[folder.shown(below)]).await?;
    let files = folder.names(io, below, MAX_DOCUMENTS).await?;
    let parts = files
        .iter()
        .filter_map(|file| name::PartName::of_file(file));
    for part in parts {
        // Found by the part, which goes after it.
        keys::remove(place, &Mark::new(name, &part)).await?;
    }
    remove_tree(place, folder, below).await
}

async fn remove_tree(place: &Place<'_>, folder: &Folder, below: &str) -> Result<(), Error> {
    let io = place.io;
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
                Kind::Folder if path.split('/').count() <= MAX_DEPTH => folders.push(path),
                // A symbolic link goes, and not what it leads to.
                _ => drop(io.remove(folder.host(&path)).await),
            }
        }
    }
    for below in folders.iter().rev() {
        let removed = io.remove_folder(folder.host(below)).await;
        removed.map_err(|failed| folder.error("remove", below, &failed))?;
    }
    Ok(())
}

/// Removes everything that no index names: what dead writers left, or all that is being prepared, which
/// costs those at work another try.
pub(super) async fn sweep(place: &Place<'_>, names: &[Stem], age: Age) -> Result<(), Error> {
    for name in names {
        if place.read(name).await?.is_none() {
            // Somebody died before there was an index, or will begin anew.
            move_away(place, name).await?;
            continue;
        }
        let left = part::others(place, name, &[], age).await?;
        let Some(state) = place.read(name).await? else {
            continue;
        };
        if difference(&left, state.parts()).is_empty() {
            continue;
        }
        if let Some(fenced) = keys::fence(place, name).await? {
            let left = difference(&left, fenced.parts());
            part::drop_all(place, name, &left).await;
        }
    }
    empty_trash(place).await;
    sweep_marks(place, age).await
}

/// Removes the marks that no index bears out.
async fn sweep_marks(place: &Place<'_>, age: Age) -> Result<(), Error> {
    let Place { io, folder, .. } = place;
    let keys = name::keys();
    folder
        .expect_folders(io, &[folder.shown(SIDE), folder.shown(&keys)])
        .await?;
    for shard in folder.names(io, &keys, MAX_DOCUMENTS).await? {
        let shard = format!("{keys}/{shard}");
        folder.expect_folders(io, &[folder.shown(&shard)]).await?;
        let mut files = folder.names(io, &shard, MAX_DOCUMENTS).await?;
        files.retain(|file| Mark::of_file(file).is_some());
        if age == Age::Dead && !files.is_empty() {
            let mut dead = part::dead(place, folder.host(&shard), files.clone())
                .await?
                .into_iter();
            files.retain(|_| dead.next().unwrap_or(false));
        }
        for mark in files.iter().filter_map(|file| Mark::of_file(file)) {
            let state = match place.read(&mark.name).await? {
                Some(state) if !state.parts().contains(&mark.part) => {
                    keys::fence(place, &mark.name).await?
                }
                state => state,
            };
            if !state.is_some_and(|it| it.parts().contains(&mark.part)) {
                keys::remove(place, &mark).await?;
            }
        }
    }
    Ok(())
}

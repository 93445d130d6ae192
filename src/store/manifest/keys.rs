//! The documents that have a key: marks, one file each, in folders that a key leads to.

use super::index::{ManifestFolder, ManifestState, set_generation};
use super::name::{self, PartMark, PartName, holder, shard};
use super::state;
use crate::effect::{Access, Failed, Fault, PathKind, Sync};
use crate::error::{Code, Error, Written};
use crate::store::MAX_DOCUMENTS;
use crate::store::location::{Stem, Storage, make_below, while_shared};
use crate::store::read::bytes_of;
use crate::store::write::{Change, Current, DocumentWrite, Keep, new_id};

/// The number of times that a document can be removed, and begun again, while a writer writes to
/// it: a failure that comes again is one of the host.
pub(super) const REMOVALS: u32 = 3;

/// Marks a part as one that its document is about to have, durably.
pub(super) async fn put(location: &ManifestFolder<'_>, mark: &PartMark) -> Result<(), Error> {
    let ManifestFolder { io, folder, .. } = location;
    let (shard, below) = (shard(&mark.part.key), mark.below());
    let create = || io.create(folder.host(&below), Vec::new(), Sync::Lazy, Access::Owner);
    let mut made = create().await;
    if matches!(&made, Err(failed) if failed.fault == Fault::NotFound) {
        make_below(io, folder, &name::keys()).await?;
        make_below(io, folder, &shard).await?;
        made = create().await;
    }
    made.map_err(|failed| folder.error("write", &below, &failed))?;
    // The maker of its folder may have died before that was durable.
    location.sync(folder, &shard).await?;
    location.sync(folder, &name::keys()).await
}

/// Removes a mark, if it is there.
pub(super) async fn remove(location: &ManifestFolder<'_>, mark: &PartMark) -> Result<(), Error> {
    let ManifestFolder { io, folder, .. } = location;
    let below = mark.below();
    let path = folder.host(&below);
    match while_shared(io, || io.remove(path.clone())).await {
        Ok(())
        | Err(Failed {
            fault: Fault::NotFound,
            ..
        }) => Ok(()),
        Err(failed) => Err(folder.error("remove", &below, &failed)),
    }
}

/// Removes a mark that its document, or what is left of it, does not bear out.
pub(super) async fn remove_unneeded(
    location: &ManifestFolder<'_>,
    mark: &PartMark,
    found: Option<&ManifestState>,
) -> Result<(), Error> {
    if found.is_none() {
        // The process that removed the document may have died before that was durable.
        location.sync(location.folder, "").await?;
    }
    remove(location, mark).await
}

/// The marks of a key that are not of this document.
pub(super) async fn of_others(
    location: &ManifestFolder<'_>,
    key: &str,
    but: Option<&Stem>,
) -> Result<Vec<PartMark>, Error> {
    let ManifestFolder { io, folder, .. } = location;
    let shard = shard(key);
    folder.check(io).await?;
    folder.expect_folders(io, &[folder.shown(&shard)]).await?;
    let files = folder.names(io, &shard, MAX_DOCUMENTS).await?;
    let marks = files.iter().filter_map(|file| PartMark::of_file(file));
    Ok(marks
        .filter(|mark| mark.part.key == key && Some(&mark.name) != but)
        .collect())
}

/// The document that has a key, other than this one.
pub(super) async fn find(
    location: &ManifestFolder<'_>,
    key: &str,
    but: Option<&Stem>,
) -> Result<Option<Stem>, Error> {
    let names: Vec<Stem> = match location.storage() {
        Storage::Records => {
            let bytes = bytes_of(location.io, location.folder, &holder(key)).await?;
            let text = bytes.and_then(|it| String::from_utf8(it).ok());
            text.and_then(|it| Stem::new(it).ok()).into_iter().collect()
        }
        Storage::Files => {
            let marks = of_others(location, key, but).await?;
            marks.into_iter().map(|mark| mark.name).collect()
        }
    };
    for name in names {
        if Some(&name) != but && has(state::read(location, &name).await?.as_ref(), key) {
            return Ok(Some(name));
        }
    }
    match location.storage() {
        Storage::Records => Ok(None),
        Storage::Files => find_unmarked(location, key, but).await,
    }
}

/// The document that has a key, other than this one, though its mark was lost: from the files of all documents.
async fn find_unmarked(
    location: &ManifestFolder<'_>,
    key: &str,
    but: Option<&Stem>,
) -> Result<Option<Stem>, Error> {
    let ManifestFolder { io, folder, .. } = location;
    let names = folder.names(io, "", MAX_DOCUMENTS).await?;
    let names = names.into_iter().filter_map(|it| Stem::new(it).ok());
    let names: Vec<Stem> = names.filter(|it| Some(it) != but).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let shown: Vec<String> = names.iter().map(|it| folder.shown(it.as_str())).collect();
    let entries = folder.inspect(io, &shown).await?;
    for (name, entry) in names.into_iter().zip(entries) {
        // Anything behind a link is of another place.
        if entry.kind != PathKind::Folder {
            continue;
        }
        let files = location.inner(&name).names(io, "", MAX_DOCUMENTS).await?;
        let mut parts = files.iter().filter_map(|file| PartName::of_file(file));
        if parts.any(|it| it.key == key) && has(state::read(location, &name).await?.as_ref(), key) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// The marks that a document of these parts needs and does not have, relative to the folder of documents.
pub(super) async fn missing(
    location: &ManifestFolder<'_>,
    name: &Stem,
    parts: &[PartName],
) -> Result<Vec<String>, Error> {
    let ManifestFolder { io, folder, .. } = location;
    let marks: Vec<String> = parts
        .iter()
        .map(|it| PartMark::new(name, it).below())
        .collect();
    let shown: Vec<String> = marks.iter().map(|it| folder.shown(it)).collect();
    let entries = folder.inspect(io, &shown).await?;
    let marks = marks.into_iter().zip(entries);
    let missing = marks.filter(|(_, entry)| entry.kind == PathKind::Absent);
    Ok(missing.map(|(mark, _)| mark).collect())
}

/// The result of a look for other documents that have a key, or are about to have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Free {
    /// The key is free, and no writer gets it that has not marked it after this look.
    Yes,
    /// This document has it.
    No(Stem),
}

/// Returns whether a key that is marked for this document is free. A writer that is about to have
/// it has to prepare it again.
pub(super) async fn free(
    location: &ManifestFolder<'_>,
    key: &str,
    name: &Stem,
) -> Result<Free, Error> {
    for mark in of_others(location, key, Some(name)).await? {
        let state = match state::read(location, &mark.name).await? {
            Some(state) if has(Some(&state), key) => return Ok(Free::No(mark.name)),
            Some(_) => fence(location, &mark.name).await?,
            None => None,
        };
        if has(state.as_ref(), key) {
            return Ok(Free::No(mark.name));
        }
        remove_unneeded(location, &mark, state.as_ref()).await?;
    }
    Ok(Free::Yes)
}

fn has(state: Option<&ManifestState>, key: &str) -> bool {
    let parts: &[PartName] = state.map_or(&[], ManifestState::parts);
    parts.iter().any(|part| part.key == key)
}

/// Begins a new generation of a document, which stays as it is otherwise: nothing that was prepared before
/// this is named afterwards, except what the answer names. `None` where there is no document.
pub(super) async fn fence(
    location: &ManifestFolder<'_>,
    name: &Stem,
) -> Result<Option<ManifestState>, Error> {
    let mut tries = 0;
    loop {
        match fence_once(location, name).await {
            // It may have been removed in between, with the folder that this wrote in, and begun
            // again.
            Err(error) if error.code() == Code::Io && tries < REMOVALS => {
                match location.read(name).await {
                    Ok(None) => return Ok(None),
                    _ => tries += 1,
                }
            }
            // The document is unchanged, under any generation.
            fenced => return fenced.map_err(|error| error.with_written(Written::No)),
        }
    }
}

async fn fence_once(
    location: &ManifestFolder<'_>,
    name: &Stem,
) -> Result<Option<ManifestState>, Error> {
    let versioned = location.versioned_document(name)?;
    let generation = new_id(location.io).await?;
    let mut state = None;
    let mut decide = |current: &Current<'_>| {
        state = current
            .document
            .map(|it| ManifestState::new(&location.layout, Box::new(it.clone())));
        let Some(document) = current.document else {
            return Err(Error::not_found(versioned.shown()));
        };
        let mut object = document.object.clone();
        set_generation(&mut object, &generation);
        Ok(Change::Write(DocumentWrite {
            keeps: Keep::Nothing,
            ..DocumentWrite::new(object)
        }))
    };
    match versioned.update(None, &mut decide).await {
        Ok(_) => Ok(state),
        Err(error) if error.code() == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

//! Finding an object, wherever a collector has it at the moment.

use super::form::MAX_STORED;
use super::name::{MAKING, OBJECTS, ObjectForm, ObjectName, TRASH};
use crate::effect::{Failed, Fault, Io, Links};
use crate::error::Error;
use crate::store::MAX_DOCUMENTS;
use crate::store::location::{Storage, StoreFolder, make_below, while_shared};

/// A look that found nothing is made again: a collector may have moved the object in between. It
/// moves each at most once, so that as many collectors would have to move this one in the same
/// moment.
const READ_ATTEMPTS: u32 = 4;
const WAIT_MS: u32 = 1;

/// The reasons why an object cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectFault {
    /// It is not there.
    Missing,
    /// The content there differs from its name.
    Damaged,
}

/// Reads an object, and gives what `open` makes of it, which says whether it is whole.
pub(super) async fn find<T>(
    io: &Io,
    folder: &StoreFolder,
    name: ObjectName,
    open: &dyn Fn(&[u8]) -> Option<T>,
) -> Result<Result<T, ObjectFault>, Error> {
    let mut lack = ObjectFault::Missing;
    let mut is_quiet = true;
    for _ in 0..READ_ATTEMPTS {
        if !is_quiet {
            let waited = io.wait(WAIT_MS).await;
            waited.map_err(|failed| folder.error("read", &name.below(), &failed))?;
        }
        let mut places = vec![name.below()];
        let mut is_trash_listed = false;
        while let Some(below) = places.pop() {
            match stored(io, folder, &below).await? {
                Ok(bytes) => match open(&bytes) {
                    Some(opened) => return Ok(Ok(opened)),
                    None => lack = ObjectFault::Damaged,
                },
                Err(ObjectFault::Damaged) => lack = ObjectFault::Damaged,
                Err(ObjectFault::Missing) => {}
            }
            if !is_trash_listed {
                is_trash_listed = true;
                let trashed = trashed(io, folder).await?;
                // No process is collecting, and many objects may be missing.
                is_quiet = trashed.is_empty();
                let of_name = trashed.into_iter().filter(|(it, _)| *it == name);
                places.extend(of_name.map(|(_, below)| below));
            }
        }
        if lack == ObjectFault::Damaged {
            break;
        }
    }
    Ok(Err(lack))
}

/// The bytes of a stored object.
pub(super) async fn stored(
    io: &Io,
    folder: &StoreFolder,
    below: &str,
) -> Result<Result<Vec<u8>, ObjectFault>, Error> {
    let path = folder.host(below);
    let read = || io.read(path.clone(), MAX_STORED, Links::Refuse);
    match while_shared(io, read).await {
        Ok(bytes) => Ok(Ok(bytes)),
        Err(failed) => match failed.fault {
            Fault::NotFound => Ok(Err(ObjectFault::Missing)),
            Fault::TooLarge | Fault::Symlink | Fault::WrongKind => Ok(Err(ObjectFault::Damaged)),
            _ => Err(folder.error("read", below, &failed)),
        },
    }
}

/// Returns each object in the trash, and its place.
pub(super) async fn trashed(
    io: &Io,
    folder: &StoreFolder,
) -> Result<Vec<(ObjectName, String)>, Error> {
    let names = folder.names(io, TRASH, MAX_DOCUMENTS).await?;
    let named = |file: String| Some((ObjectName::of_trashed(&file)?, format!("{TRASH}/{file}")));
    Ok(names.into_iter().filter_map(named).collect())
}

/// The result for an object that was in the trash and is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrashRestoreOutcome {
    /// It is in its place again.
    Put,
    /// It is not there any more: another process has put it back.
    Gone,
    /// It is not whole, and stays: it must not replace one that is.
    Damaged,
}

/// Puts an object back, under a durable name before it loses the one in the trash. An object that
/// came there in between is the same, or damaged, and then replaced.
pub(super) async fn put_back(
    io: &Io,
    folder: &StoreFolder,
    name: ObjectName,
    trashed: &str,
) -> Result<TrashRestoreOutcome, Error> {
    match stored(io, folder, trashed).await? {
        Ok(bytes) if super::form::is_whole(name, &bytes) => {}
        Ok(_) | Err(ObjectFault::Damaged) => return Ok(TrashRestoreOutcome::Damaged),
        Err(ObjectFault::Missing) => return Ok(TrashRestoreOutcome::Gone),
    }
    let shard = super::name::shard(name.shard());
    make_below(io, folder, &shard).await?;
    let linked = match linked(io, folder, trashed, &name.below()).await {
        Err(failed) if failed.fault == Fault::Exists => {
            let there = stored(io, folder, &name.below()).await?;
            match there.is_ok_and(|bytes| super::form::is_whole(name, &bytes)) {
                true => Ok(()),
                false => renamed(io, folder, trashed, &name.below()).await,
            }
        }
        Err(failed) if failed.fault == Fault::Unsupported => {
            renamed(io, folder, trashed, &name.below()).await
        }
        linked => linked,
    };
    match linked {
        Ok(()) => {}
        Err(failed) if failed.fault == Fault::NotFound => return Ok(TrashRestoreOutcome::Gone),
        Err(failed) => return Err(folder.error("restore", &name.below(), &failed)),
    }
    folder.sync(io, &shard).await?;
    folder.sync(io, OBJECTS).await?;
    // Where it was renamed, it is gone already.
    let _ = io.remove(folder.host(trashed)).await;
    Ok(TrashRestoreOutcome::Put)
}

/// Gives a file of the store a second name.
pub(super) async fn linked(
    io: &Io,
    folder: &StoreFolder,
    from: &str,
    to: &str,
) -> Result<(), Failed> {
    let (from, to) = (folder.host(from), folder.host(to));
    while_shared(io, || io.link(from.clone(), to.clone())).await
}

/// Renames a file of the store.
pub(super) async fn renamed(
    io: &Io,
    folder: &StoreFolder,
    from: &str,
    to: &str,
) -> Result<(), Failed> {
    let (from, to) = (folder.host(from), folder.host(to));
    while_shared(io, || io.rename(from.clone(), to.clone())).await
}

/// Refuses a folder of objects behind a symbolic link, and a place that has no files.
pub(super) async fn check(io: &Io, folder: &StoreFolder) -> Result<(), Error> {
    if folder.storage() == Storage::Records {
        let message =
            "The contents of files are kept in files; expected a place that has some, not records";
        return Err(Error::usage(message.to_owned()));
    }
    let mut parts = folder.own_parts();
    parts.extend([OBJECTS, TRASH, MAKING].map(|it| folder.shown(it)));
    folder.expect_folders(io, &parts).await
}

/// Returns a function that looks whether a stored object is whole, and keeps nothing of it.
pub(super) fn whole(name: ObjectName) -> impl Fn(&[u8]) -> Option<()> {
    move |stored| super::form::is_whole(name, stored).then_some(())
}

/// The two objects that may hold a content.
pub(super) fn both(sha256: &str) -> Option<[ObjectName; 2]> {
    let name = |form| ObjectName::new(sha256, form);
    Some([name(ObjectForm::Piece)?, name(ObjectForm::List)?])
}

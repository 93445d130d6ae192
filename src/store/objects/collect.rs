//! Removing the objects that no document refers to.

use super::commit_in_progress::{Dead, alive};
use super::find::{TrashRestoreOutcome, check, find, linked, put_back, renamed, trashed};
use super::form::List;
use super::name::{OBJECTS, ObjectName, References, TRASH};
use crate::effect::{Fault, Io, PathKind};
use crate::error::Error;
use crate::store::MAX_DOCUMENTS;
use crate::store::location::{MAX_NAMES, StoreFolder, make_below};
use crate::store::write::new_id;
use crate::str_map;

/// The most objects that are in the trash at a time, which readers list.
const MOST_MOVED: usize = 20_000;

/// The number of paths that are looked at in one effect.
const BATCH: usize = 1_000;

/// The choice to remove objects or only list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectAction {
    /// They are only named.
    List,
    /// They are removed.
    Remove,
}

/// The result of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// The objects that were removed, or would be.
    pub removed: Vec<RemovedObject>,
    /// The number of snapshots that are being made: as long as there is one, nothing is removed.
    pub commits_in_progress: usize,
}

/// An object that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedObject {
    /// Relative to the folder of objects.
    pub file: String,
    /// Bytes on the disk.
    pub size: u64,
}

/// Removes every object that no document refers to. `referenced` adds the objects that all
/// documents refer to. It is asked more than once and has to list the documents again each time:
/// those of a folder that documents are moved out of before those of the folder that they are moved
/// to, where they have to be published before they go from the first. That a document of another
/// folder than this one is gone, it makes durable.
///
/// # Errors
///
/// The error of `referenced`; [`Error::unsafe_path`], [`Error::io`]. An object that was moved to
/// the trash is put back or removed by the next collector, and readers find it there until then.
pub async fn collect(
    io: &Io,
    folder: &StoreFolder,
    act: CollectAction,
    referenced: impl AsyncFn(&mut References) -> Result<(), Error>,
) -> Result<Collected, Error> {
    check(io, folder).await?;
    let dead = match act {
        CollectAction::List => Dead::Left,
        CollectAction::Remove => Dead::Revoked,
    };
    let mut collected = Collected {
        commits_in_progress: alive(io, folder, dead).await?,
        ..Collected::default()
    };
    if collected.commits_in_progress > 0 {
        return Ok(collected);
    }
    let needed = needed(io, folder, &referenced).await?;
    let mut found = Vec::new();
    // More than the 256 folders of objects, the trash and the writers are strays.
    let shards = folder.names(io, OBJECTS, MAX_NAMES).await?;
    for shard in str_map::sort(shards) {
        for (name, size) in unneeded(io, folder, &shard, &needed).await? {
            if act == CollectAction::List {
                collected.add(name, size);
                continue;
            }
            found.push(name);
            if found.len() >= MOST_MOVED {
                move_to_trash(io, folder, &std::mem::take(&mut found)).await?;
                empty(io, folder, &referenced, &mut collected).await?;
            }
        }
    }
    if act == CollectAction::Remove {
        move_to_trash(io, folder, &found).await?;
        empty(io, folder, &referenced, &mut collected).await?;
    }
    Ok(collected)
}

/// Moves objects to names in the trash that are used once. Each gets a durable name there before it loses its own, as
/// far as there are links: else a loss of power might take the one and not bring the other.
async fn move_to_trash(io: &Io, folder: &StoreFolder, names: &[ObjectName]) -> Result<(), Error> {
    if names.is_empty() {
        return Ok(());
    }
    make_below(io, folder, TRASH).await?;
    let (first, second) = (new_id(io).await?, new_id(io).await?);
    for name in names {
        match linked(io, folder, &name.below(), &name.trashed_by(&first)).await {
            Ok(()) => {}
            // Another collector was faster.
            Err(failed) if failed.fault == Fault::NotFound => {}
            Err(failed) if failed.fault == Fault::Unsupported => break,
            Err(failed) => return Err(folder.error("move", &name.below(), &failed)),
        }
    }
    folder.sync(io, TRASH).await?;
    folder.sync(io, OBJECTS).await?;
    for name in names {
        // Not removed: an object that came there in between, in the place of a damaged one, is
        // found in the trash.
        match renamed(io, folder, &name.below(), &name.trashed_by(&second)).await {
            Ok(()) => {}
            Err(failed) if failed.fault == Fault::NotFound => {}
            Err(failed) => return Err(folder.error("move", &name.below(), &failed)),
        }
    }
    Ok(())
}

/// Decides about everything that is in the trash. The order of these steps is what the whole rests on.
async fn empty(
    io: &Io,
    folder: &StoreFolder,
    referenced: &impl AsyncFn(&mut References) -> Result<(), Error>,
    collected: &mut Collected,
) -> Result<(), Error> {
    let in_trash = trashed(io, folder).await?;
    if in_trash.is_empty() {
        return Ok(());
    }
    collected.commits_in_progress = alive(io, folder, Dead::Revoked).await?;
    let needed = needed(io, folder, referenced).await?;
    // A document that was not listed because it has just been removed must not come back with the power.
    folder.sync(io, "").await?;
    let mut gone = References::default();
    for (name, below) in in_trash {
        if needed.has(name) {
            // A damaged one stays, where readers find it and say so.
            let _: TrashRestoreOutcome = put_back(io, folder, name, &below).await?;
        } else if collected.commits_in_progress == 0 {
            let paths = [&below, &name.below()].map(|it| folder.shown(it));
            let entries = folder.inspect(io, &paths).await?;
            if entries[1].kind != PathKind::Absent {
                // Another collector is just moving it, and this is the name that is durable.
                continue;
            }
            match io.remove(folder.host(&below)).await {
                // Each has two names there.
                Ok(()) if gone.has(name) => {}
                Ok(()) => {
                    gone.add_pieces([name]);
                    collected.add(name, entries[0].size);
                }
                Err(failed) if failed.fault == Fault::NotFound => {}
                Err(failed) => return Err(folder.error("remove", &below, &failed)),
            }
        }
    }
    Ok(())
}

/// The objects that all documents need: their contents, and the pieces of these.
async fn needed(
    io: &Io,
    folder: &StoreFolder,
    referenced: &impl AsyncFn(&mut References) -> Result<(), Error>,
) -> Result<References, Error> {
    let mut needed = References::default();
    referenced(&mut needed).await?;
    let mut lists = Vec::new();
    for batch in needed.lists().chunks(BATCH) {
        let paths: Vec<String> = batch
            .iter()
            .flat_map(|it| [it.below(), it.piece().below()])
            .map(|it| folder.shown(&it))
            .collect();
        let entries = folder.inspect(io, &paths).await?;
        for (list, kinds) in batch.iter().zip(entries.chunks(2)) {
            // Where there is a piece of this name, it is all of the content.
            if kinds[0].kind != PathKind::Absent || kinds[1].kind != PathKind::File {
                lists.push(*list);
            }
        }
    }
    for name in lists {
        let open = |stored: &[u8]| List::of_text(name, stored);
        // Without a list that is whole, its pieces cannot be put together.
        if let Ok(list) = find(io, folder, name, &open).await? {
            needed.add_pieces(list.pieces);
        }
    }
    Ok(needed)
}

/// Returns the objects in one of the folders that are not needed, with their sizes.
async fn unneeded(
    io: &Io,
    folder: &StoreFolder,
    shard: &str,
    needed: &References,
) -> Result<Vec<(ObjectName, u64)>, Error> {
    let Some(number) = number_of(shard) else {
        return Ok(Vec::new());
    };
    let below = format!("{OBJECTS}/{shard}");
    folder.expect_folders(io, &[folder.shown(&below)]).await?;
    let files = folder.names(io, &below, MAX_DOCUMENTS).await?;
    let names = files.iter().filter_map(|file| ObjectName::of_file(file));
    let names: Vec<ObjectName> = names
        .filter(|it| it.shard() == number && !needed.has(*it))
        .collect();
    let mut unneeded = Vec::new();
    for batch in names.chunks(BATCH) {
        let paths: Vec<String> = batch.iter().map(|it| folder.shown(&it.below())).collect();
        let entries = folder.inspect(io, &paths).await?;
        let files = batch.iter().zip(entries);
        let files = files.filter(|(_, entry)| entry.kind == PathKind::File);
        unneeded.extend(files.map(|(name, entry)| (*name, entry.size)));
    }
    Ok(unneeded)
}

/// Returns the number of this folder of objects; `None` for any other.
fn number_of(shard: &str) -> Option<u8> {
    let number = u8::from_str_radix(shard, 16).ok()?;
    (format!("{number:02x}") == shard).then_some(number)
}

impl Collected {
    fn add(&mut self, name: ObjectName, size: u64) {
        let file = name.file();
        self.removed.push(RemovedObject { file, size });
    }
}

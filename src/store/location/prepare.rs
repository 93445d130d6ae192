//! The folders that a document needs: whether they are there, and making them.

use crate::effect::{Access, Failed, Fault, Io, PathEntry, PathKind, Sync};
use crate::error::Error;
use crate::extent::IS_WHOLE;

use super::folder::{Storage, StoreFolder, expect_file};
use super::parent::parent;
use super::paths::{Paths, SIDE};

/// The rule for git in the store's own folders: nothing here is ever committed.
pub const IGNORE_ALL: &str = "*\n";

/// The file with that rule, in the folder that it is about.
const IGNORE: &str = ".gitignore";

/// The state of the location where a document belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct LocationState {
    pub(in crate::store) document: PathEntry,
    /// True if the store has written this document before.
    pub(in crate::store) has_side: bool,
    /// True if everything that a commit needs is there.
    pub(in crate::store) is_prepared: bool,
    /// True if a writer waits for its turn.
    pub(in crate::store) is_awaited: bool,
}

/// The purpose of a look, so that it shows no more than that needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum AccessPurpose {
    /// Reading only: there is no waiting, and nothing is made.
    Reading,
    /// Reading one of many: the folders that all documents share were just looked at.
    ReadingNext,
    /// Writing, perhaps.
    Writing,
}

/// Looks at the document and every folder on the way to it, and before writing at what keeps it from
/// git. Of records nothing is known before they are read.
///
/// # Errors
///
/// [`Error::unsafe_path`] when a part below the root is a symbolic link or of the wrong kind.
pub(in crate::store) async fn inspect(
    io: &Io,
    folder: &StoreFolder,
    paths: &Paths,
    before: AccessPurpose,
) -> Result<LocationState, Error> {
    if folder.storage() == Storage::Records {
        return Ok(LocationState {
            document: PathEntry {
                kind: PathKind::File,
                size: 0,
                mode: None,
            },
            has_side: true,
            is_prepared: true,
            is_awaited: false,
        });
    }
    let mut parts = parts_of(folder, paths);
    if before == AccessPurpose::ReadingNext {
        // The folder of documents, those above it, and the side folder of all.
        parts.drain(..=folder.own_parts().len());
    }
    let folders = parts.len();
    parts.push(folder.shown(&paths.document));
    if before == AccessPurpose::Writing {
        parts.push(folder.shown(&paths.waiting()));
        parts.push(folder.shown(IGNORE));
    }
    let entries = folder.inspect(io, &parts).await?;
    for (part, entry) in parts.iter().zip(&entries).take(folders) {
        folder.expect_folder(part, *entry)?;
    }
    let document = entries[folders];
    expect_file(&parts[folders], document)?;
    let is_there = |entry: &PathEntry| entry.kind == PathKind::Folder;
    let (is_awaited, is_ignored) = match &entries[folders + 1..] {
        [waiting, ignore] => (
            waiting.kind != PathKind::Absent,
            !lacks_ignore(folder, *ignore),
        ),
        _ => (false, false),
    };
    Ok(LocationState {
        document,
        has_side: is_there(&entries[folders - 1]),
        is_prepared: is_ignored && entries[..folders].iter().all(is_there),
        is_awaited,
    })
}

/// Makes the folder of documents; whether it was absent.
///
/// # Errors
///
/// [`Error::unsafe_path`] when a part below the root is no folder; [`Error::io`].
pub async fn make_folder(io: &Io, folder: &StoreFolder, sync: Sync) -> Result<bool, Error> {
    let mut parts = folder.own_parts();
    parts.push(folder.shown(SIDE));
    make_all(io, folder, parts, sync).await
}

/// Makes the folders that a commit needs, and makes durable what it made.
///
/// # Errors
///
/// [`Error::unsafe_path`] as for [`inspect`]; [`Error::io`] when a folder cannot be made.
pub(in crate::store) async fn prepare(
    io: &Io,
    folder: &StoreFolder,
    paths: &Paths,
    sync: Sync,
) -> Result<(), Error> {
    if folder.storage() == Storage::Records {
        return Ok(());
    }
    make_all(io, folder, parts_of(folder, paths), sync)
        .await
        .map(|_| ())
}

/// Makes one folder below the store's side folder.
///
/// # Errors
///
/// [`Error::UnsafePath`] when something else stands there; [`Error::Io`].
pub(in crate::store) async fn make_below(
    io: &Io,
    folder: &StoreFolder,
    below: &str,
) -> Result<(), Error> {
    let parts = [folder.shown(below)];
    match make_one(io, folder, &parts[0], Access::Owner).await? {
        true => Ok(()),
        false => folder.expect_folders(io, &parts).await,
    }
}

/// Makes what is absent of these folders, among them the side folder; whether anything was.
async fn make_all(
    io: &Io,
    folder: &StoreFolder,
    parts: Vec<String>,
    sync: Sync,
) -> Result<bool, Error> {
    let own = folder.own_parts().len();
    let mut parts = parts;
    parts.push(folder.shown(IGNORE));
    let mut entries = folder.inspect(io, &parts).await?;
    parts.pop();
    let is_absent = |entry: &PathEntry| entry.kind == PathKind::Absent;
    let lacking = entries.pop().filter(|entry| lacks_ignore(folder, *entry));
    let mut made = Vec::new();
    for (at, (part, entry)) in parts.iter().zip(&entries).enumerate() {
        folder.expect_folder(part, *entry)?;
        // The folder of documents itself is ignored when it is new or the one that is ours by
        // convention; a folder that the user chose and filled keeps its own rules. As long as
        // a part below is missing, an earlier call may have failed before it came to this.
        let is_new = own > 0 && made.contains(&(own - 1));
        let ours = is_new || folder.is_own();
        let ignored = if ours { own } else { own + 1 };
        if at == ignored
            && !folder.is_inner()
            && (lacking.is_some() || entries[own..].iter().any(is_absent))
        {
            if lacking.is_some_and(|entry| !is_absent(&entry)) {
                // Another writer may do the same at this moment: both write the same.
                let _ = io.remove(folder.host(IGNORE)).await;
            }
            ignore(io, folder, if ours { "" } else { SIDE }).await?;
        }
        // The folders above the folder of documents are the user's, and so are their permissions.
        let access = match at + 1 < own {
            true => Access::Shared,
            false => Access::Owner,
        };
        if is_absent(entry) && make_one(io, folder, part, access).await? {
            made.push(at);
        }
    }
    if made.is_empty() {
        return Ok(false);
    }
    if sync == Sync::Durable {
        let mut synced = "";
        for part in made.iter().map(|&at| &parts[at]) {
            // Those of a side folder are made one after the other.
            if parent(part) != synced {
                folder.sync_parent(io, part).await?;
            }
            synced = parent(part);
        }
    }
    // Another process may have made a part in between, as something else.
    folder.expect_folders(io, &parts).await?;
    Ok(true)
}

/// Every folder that a commit needs, outermost first.
fn parts_of(folder: &StoreFolder, paths: &Paths) -> Vec<String> {
    let side = [
        SIDE.to_owned(),
        paths.side().to_owned(),
        paths.own().to_owned(),
        paths.tokens(),
        paths.history().to_owned(),
    ];
    let mut parts = folder.own_parts();
    parts.extend(side.iter().map(|part| folder.shown(part)));
    // Most names are their own side folder.
    parts.dedup();
    parts
}

async fn make_one(
    io: &Io,
    folder: &StoreFolder,
    part: &str,
    access: Access,
) -> Result<bool, Error> {
    let path = folder.under_root(part);
    let mut made = io.make_folder(path.clone(), access).await;
    if IS_WHOLE && !folder.is_below_root() && is_missing(&made) {
        make_above(io, &path).await;
        made = io.make_folder(path, access).await;
    }
    match made {
        Ok(()) => Ok(true),
        Err(Failed {
            fault: Fault::Exists,
            ..
        }) => Ok(false),
        Err(failed) => Err(failed.cannot("make", part)),
    }
}

fn is_missing(made: &Result<(), Failed>) -> bool {
    matches!(made, Err(failed) if failed.fault == Fault::NotFound)
}

/// Makes the folders that are missing above an absolute one. A failure shows at the folder below
/// it.
#[cold]
async fn make_above(io: &Io, path: &str) {
    let ends = path.match_indices('/').map(|(at, _)| at);
    for end in ends.filter(|end| *end > 0) {
        let above = &path[..end];
        if io
            .make_folder(above.to_owned(), Access::Shared)
            .await
            .is_ok()
        {
            let _ = io.sync_folder(parent(above).to_owned()).await;
        }
    }
}

/// Returns whether the program's own folder has no rule for git: the file was removed, or is empty,
/// as where the disk was full or the power went. (One byte of [`IGNORE_ALL`] is a rule for
/// everything.) A folder that the user chose has the rules that it has.
fn lacks_ignore(folder: &StoreFolder, ignore: PathEntry) -> bool {
    let is_empty = ignore.kind == PathKind::File && ignore.size == 0;
    folder.is_own() && (ignore.kind == PathKind::Absent || is_empty)
}

async fn ignore(io: &Io, folder: &StoreFolder, below: &str) -> Result<(), Error> {
    let file = if below.is_empty() {
        IGNORE
    } else {
        &format!("{below}/{IGNORE}")
    };
    match io
        .create(
            folder.host(file),
            IGNORE_ALL.into(),
            Sync::Lazy,
            Access::Owner,
        )
        .await
    {
        Ok(())
        | Err(Failed {
            fault: Fault::Exists,
            ..
        }) => Ok(()),
        Err(failed) => {
            // Cut short, it would count as written.
            let _ = io.remove(folder.host(file)).await;
            Err(folder.error("write", file, &failed))
        }
    }
}

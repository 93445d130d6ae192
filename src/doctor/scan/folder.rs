//! The state folder itself, its `.gitignore`, and what git tracks of it.

use crate::doctor::facts::{FolderAccess, StateFolder};
use crate::doctor::ignore::{MAX_IGNORE_BYTES, ignores_all};
use crate::effect::{Fault, Io, Links, PathKind};
use crate::error::Error;
use crate::root::{self, Root};
use crate::store::{SIDE, StoreFolder};

const IGNORE_FILE: &str = ".gitignore";

/// Looks at every part on the way to the documents.
pub(super) async fn inspect(
    io: &Io,
    folder: &StoreFolder,
) -> Result<Result<StateFolder, FolderAccess>, Error> {
    let mut parts = folder.own_parts();
    // The folder of documents can be the root itself, which is the caller's.
    let own = parts.len();
    parts.push(folder.shown(SIDE));
    let entries = folder.inspect(io, &parts).await?;
    for (part, entry) in parts.iter().zip(&entries) {
        if !matches!(entry.kind, PathKind::Absent | PathKind::Folder) {
            return Ok(Err(FolderAccess::Blocked(part.clone(), entry.kind)));
        }
    }
    let state = own.checked_sub(1).map(|at| entries[at]);
    if state.is_some_and(|state| state.kind == PathKind::Absent) {
        return Ok(Err(FolderAccess::Missing));
    }
    let side = entries[own];
    Ok(Ok(StateFolder {
        has_side: side.kind == PathKind::Folder,
        modes: [state.and_then(|state| state.mode), side.mode],
    }))
}

/// The place of the `.gitignore` that is needed, and what was read there; `None` where one ignores
/// everything.
pub(super) async fn ignore(
    io: &Io,
    folder: &StoreFolder,
) -> Option<(String, Result<Vec<u8>, Fault>)> {
    // In a folder that the user chose, only the side folder is the store's.
    let in_side = format!("{SIDE}/{IGNORE_FILE}");
    let files = [IGNORE_FILE, &in_side];
    let files = match folder.is_own() {
        true => &files[..1],
        false => &files,
    };
    let mut found = None;
    for file in files {
        let bytes = io.read(folder.host(file), MAX_IGNORE_BYTES, Links::Refuse);
        let read = bytes.await.map_err(|failed| failed.fault);
        if read.as_ref().is_ok_and(|bytes| ignores_all(bytes)) {
            return None;
        }
        found = Some(((*file).to_owned(), read));
    }
    found
}

/// The files of the folder that git tracks, where it can.
pub(super) async fn tracked(
    io: &Io,
    root: &Root,
    folder: &StoreFolder,
) -> Option<Result<Vec<String>, String>> {
    if !folder.is_below_root() || folder.path().is_empty() {
        return None;
    }
    Some(root::tracked_state(io, root, folder.path()).await)
}
